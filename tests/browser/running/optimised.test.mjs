/** Code that V8 optimised for a read stays optimised when a garbage collection finds no read under way. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { PACKAGE } from "../support/paths.mjs";

/** Number of reads of 4096 chunks, each of a newly opened array, with a collection after each. */
const READS = 16;

/** In Node: reads small chunks from a store, and uses a class of which no object is left after a collection. */
const script = (store) => `
  const { RectilinearArray } = await import(${JSON.stringify(join(PACKAGE, "node.js"))});
  const bytes = [{ name: "bytes" }];
  const sharding = { chunk_shape: [1, 4], codecs: bytes, index_codecs: [{ name: "bytes", configuration: { endian: "little" } }] };
  const metadata = (chunk_shape, codecs) => ({
    zarr_format: 3,
    node_type: "array",
    shape: [64, 64 * 4],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape } },
    chunk_key_encoding: { name: "default" },
    codecs,
    fill_value: 0,
  });
  const json = (value) => new TextEncoder().encode(JSON.stringify(value));
  /** One chunk in each file. */
  const plain = new Map([["/zarr.json", json(metadata([1, 4], bytes))]]);
  /** Eight chunks in each shard, whose index follows them. */
  const shards = new Map([["/zarr.json", json(metadata([1, 32], [{ name: "sharding_indexed", configuration: sharding }]))]]);
  const shard = new Uint8Array(32 + 8 * 16);
  for (let nth = 0; nth < 16; nth++) new DataView(shard.buffer).setBigUint64(32 + 8 * nth, nth % 2 ? 4n : BigInt(2 * nth), true);
  for (let row = 0; row < 64; row++) {
    for (let column = 0; column < 64; column++) plain.set(\`/c/\${row}/\${column}\`, new Uint8Array(4));
    for (let column = 0; column < 8; column++) shards.set(\`/c/\${row}/\${column}\`, shard);
  }
  const store = ${store};

  class Forgotten {
    #sum = 0;
    addOne() { return ++this.#sum; }
  }
  function useForgotten() {
    const list = Array.from({ length: 3000 }, () => new Forgotten());
    for (let times = 0; times < 30; times++) list.forEach((forgotten) => forgotten.addOne());
  }

  for (let count = 0; count < ${READS}; count++) {
    const array = await RectilinearArray.open(store, { workers: 0, cacheBytes: 0 });
    await array.get();
    array.free();
    useForgotten();
    gc();
  }
`;

const STORES = {
  "a Map": "plain",
  "a Map of shards": "shards",
  "a store with promises": "{ get: (key) => Promise.resolve(plain.get(key)) }",
};

for (const [name, store] of Object.entries(STORES)) {
  test(`${name} is read by code that stays optimised`, async () => {
    const options = ["--expose-gc", "--trace-deopt", "--trace-opt", "--no-concurrent-recompilation", "--input-type=module", "--eval", script(store)];
    const { stdout } = await promisify(execFile)(process.execPath, options, { maxBuffer: 2 ** 27 });
    const names = (pattern) => stdout.split("\n").map((line) => pattern.exec(line)?.[1]).filter(Boolean);
    const dropped = names(/marking dependent code .* <SharedFunctionInfo (\S+?)>.*weak objects/);
    assert.ok(dropped.some((name) => /Forgotten|addOne/.test(name)), "V8 no longer drops such code: this test is not needed any more");
    assert.ok(names(/completed (?:optimizing|compiling) .*<JSFunction (\S+)/).includes("fill"), "the code was not optimised");
    // Private methods too, whose names the minifier shortens: those of ReadableSource.
    const ours = dropped.filter((name) => /^#|^(begin|options|fill|wait|length|whole|copyRow|copy|partOfMap|Batch|Part|CallOptions)$/.test(name));
    assert.ok(ours.length <= 4, `code was dropped after ${READS} reads: ${ours}`);
  });
}
