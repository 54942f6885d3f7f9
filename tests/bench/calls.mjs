/** Counts calls out of WebAssembly for each chunk of a whole read. The counts do not depend on the machine's load. */

import { openPage } from "./support/browsers.mjs";
import { openSources, startStore, valuesOf } from "./support/sources.mjs";
import { DATA, columns, picked, writeData } from "./support/table.mjs";
import { watchWasm } from "./support/wasm.mjs";

/** Maximum number of calls for a chunk. */
const MOST = 3;

/** Arrays of `data.py` that are read, of 16,384 chunks of 32 x 32 each. */
const ROWS = ["32-uncompressed", "32-zstd"];

const SOURCES = ["map", "sync", "async"];
const OPTIONS = { defaults: {}, bare: { workers: 0, cacheBytes: 0 } };
const LISTENERS = ["none", "onRequest", "onProgress"];

/** In the page: opens the sources, and an array that stays open, so that workers last from one read to the next. */
const fill = `async ({ RectilinearArray }) => {
  globalThis.sources = await (${openSources})();
  globalThis.held = await RectilinearArray.open(globalThis.sources.map);
}`;

/**
 * In the page: counts the calls of three whole reads, each of a newly opened array, and returns the largest count. The
 * first read starts workers, if the options allow them; the others use those.
 */
async function count({ RectilinearArray }, { source, options, listener }) {
  const { wasm } = globalThis;
  if (!wasm.memories.size) throw new Error("no WebAssembly instance was recorded");
  let heard = 0;
  const listening = { [listener]: () => void (heard += 1) };
  const [opening, reading] = ["onRequest", "onProgress"].map((name) => (name === listener ? listening : {}));
  let most = 0;
  for (let nth = 0; nth < 3; nth++) {
    const array = await RectilinearArray.open(globalThis.sources[source], { ...options, ...opening });
    const before = wasm.calls;
    await array.get(undefined, reading);
    most = Math.max(most, wasm.calls - before);
    array.free();
  }
  if (listener !== "none" && !heard) throw new Error(`${listener} was never called`);
  return most;
}

/** Prints the table; `words` select rows and sources by their names. */
export async function calls(words = []) {
  writeData();
  let over = 0;
  console.log("\nCalls out of WebAssembly for a chunk, on the page's thread, in whole reads of 16,384 chunks of 32 x 32");
  console.log(`  (the largest of three reads, with no listener or the named one; the goal is at most ${MOST})`);
  console.log(`  ${"".padEnd(36)}${columns(LISTENERS, 12)}`);
  for (const row of picked(ROWS, words)) {
    const values = valuesOf(DATA, row);
    // All values but the metadata document are chunks.
    const chunks = values.size - 1;
    const page = await openPage({}, { start: () => startStore(values), before: watchWasm });
    try {
      await page.run(fill);
      for (const source of picked(SOURCES, words)) {
        for (const [name, options] of Object.entries(OPTIONS)) {
          const found = [];
          for (const listener of LISTENERS) found.push((await page.run(count, { source, options, listener })) / chunks);
          const isOver = found.some((calls) => calls > MOST);
          console.log(`  ${`${row} ${source}, ${name}`.padEnd(36)}${columns(found.map((calls) => calls.toFixed(2)), 12)}${isOver ? "  too many calls" : ""}`);
          over += isOver;
        }
      }
    } finally {
      await page.close();
    }
  }
  if (!over) return;
  console.log(`  more than ${MOST} calls for a chunk in ${over} rows`);
  process.exitCode = 1;
}
