/** Code that V8 optimised for a read stays optimised when a garbage collection finds no read under way. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { PACKAGE } from "../support/paths.mjs";

/** Number of reads of 4096 chunks, with a collection after each. */
const READS = 16;

/** In Node: reads small chunks from a store, and uses a class of which no object is left after a collection. */
const script = `
  const { RectilinearArray } = await import(${JSON.stringify(join(PACKAGE, "node.js"))});
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [64, 64 * 4],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1, 4] } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes" }],
    fill_value: 0,
  };
  const files = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
  for (let row = 0; row < 64; row++) for (let column = 0; column < 64; column++) files.set(\`/c/\${row}/\${column}\`, new Uint8Array(4));
  const isLate = process.argv[2] === "late";
  const array = await RectilinearArray.open({ get: (key) => (isLate ? Promise.resolve(files.get(key)) : files.get(key)) }, { workers: 0, cacheBytes: 0 });

  class Forgotten {
    #sum = 0;
    addOne() { return ++this.#sum; }
  }
  function useForgotten() {
    const list = Array.from({ length: 3000 }, () => new Forgotten());
    for (let times = 0; times < 30; times++) list.forEach((forgotten) => forgotten.addOne());
  }

  for (let count = 0; count < ${READS}; count++) {
    await array.get();
    useForgotten();
    gc();
  }
  array.free();
`;

for (const how of ["at once", "late"]) {
  test(`a store that answers ${how} is read by code that stays optimised`, async () => {
    const options = ["--expose-gc", "--trace-deopt", "--trace-opt", "--input-type=module", "--eval", script, how.split(" ").at(-1)];
    const { stdout } = await promisify(execFile)(process.execPath, options, { maxBuffer: 2 ** 27 });
    const names = (pattern) => stdout.split("\n").map((line) => pattern.exec(line)?.[1]).filter(Boolean);
    const dropped = names(/marking dependent code .* <SharedFunctionInfo (\S+?)>.*weak objects/);
    const optimised = new Set(names(/completed optimizing .*<JSFunction (\S+)/));
    assert.ok(dropped.some((name) => /Forgotten|addOne/.test(name)), "V8 no longer drops such code: this test is not needed any more");
    // Methods of `Batch`; those of `CallOptions` and `ReadableSource` are compiled into their callers.
    for (const name of ["begin", "options"]) assert.ok(optimised.has(name), `${name} was not optimised`);
    const ours = dropped.filter((name) => ["begin", "options", "fill", "wait", "length", "whole", "Batch", "CallOptions"].includes(name));
    assert.ok(ours.length <= 2, `code was dropped after ${READS} reads: ${ours}`);
  });
}
