/**
 * Measures WebAssembly's memory on the page's thread after reads of 64 MiB with the defaults. It never shrinks, so its
 * size is its peak. The cache grows it too, and may do so only in a second read of the same chunks.
 */

import { ROWS as ALL } from "./decode.mjs";
import { openPage } from "./support/browsers.mjs";
import { SOURCES, openSources, startStore, valuesOf } from "./support/sources.mjs";
import { DATA, columns, picked, writeData } from "./support/table.mjs";
import { watchWasm } from "./support/wasm.mjs";

const MIB = 2 ** 20;

/** Maximum memory after any of the reads, in MiB. */
const MOST = 24;

/** Numbers of consecutive reads of one array after which the memory is measured. */
const AFTER = [1, 3];

/** Arrays that are read: those with large chunks, and shards. */
const ROWS = ALL.filter(({ name, selection }) => !selection && /^(512|shards)-/.test(name)).map(({ name }) => name);

/** In the page: total bytes of WebAssembly's memories after each of these reads. */
const measure = `async ({ RectilinearArray }, { source, after }) => {
  const sources = await (${openSources})();
  const array = await RectilinearArray.open(sources[source]);
  const found = [];
  for (let nth = 1; nth <= after.at(-1); nth++) {
    await array.get();
    if (after.includes(nth)) found.push([...globalThis.wasm.memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
  }
  if (!found[0]) throw new Error("no WebAssembly memory was recorded");
  return found;
}`;

/** Prints the table; `words` select rows and sources by their names. */
export async function memory(words = []) {
  writeData();
  let over = 0;
  console.log("\nMemory of WebAssembly on the page's thread after whole reads of 64 MiB float32 with the defaults, in MiB");
  console.log(`  (a new page for each; the memories of workers are not counted; the goal is at most ${MOST} MiB)`);
  console.log(`  ${"".padEnd(36)}${columns(AFTER.map((nth) => (nth === 1 ? "one read" : `${nth} reads`)), 12)}`);
  for (const row of picked(ROWS, words)) {
    const page = await openPage({}, { start: () => startStore(valuesOf(DATA, row)), before: watchWasm });
    try {
      for (const source of picked(SOURCES, words)) {
        await page.renew();
        const found = await page.run(measure, { source, after: AFTER });
        const isOver = found.some((bytes) => bytes > MOST * MIB);
        const text = columns(found.map((bytes) => (bytes / MIB).toFixed(1)), 12);
        console.log(`  ${`${row} ${source}`.padEnd(36)}${text}${isOver ? "  too much" : ""}`);
        over += isOver;
      }
    } finally {
      await page.close();
    }
  }
  if (!over) return;
  console.log(`  more than ${MOST} MiB in ${over} rows`);
  process.exitCode = 1;
}
