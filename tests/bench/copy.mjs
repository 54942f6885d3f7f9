/** Compares the time of a whole read of uncompressed chunks with that of a plain copy of the same bytes. */

import { quantile } from "../../www/src/bench/reads.js";
import { openPage } from "./support/browsers.mjs";
import { READS } from "./support/table.mjs";

/**
 * In the page: times reads and copies in turn; returns the times of each round and their ratio.
 *
 * @param {{ RectilinearArray: any }} zarr the package
 * @param {{ side: number, chunk: number, rounds: number }} size of the square array and its square chunks, in items
 */
async function copyRatio({ RectilinearArray }, { side, chunk, rounds }) {
  const { stored } = await import("/reads/data.js");
  const whole = new Float32Array(side * side).map((_, item) => item);
  const bytes = new Uint8Array(whole.buffer);
  const store = await stored(whole, [side, side], { edge: chunk, codec: "uncompressed" });
  const array = await RectilinearArray.open(store, { workers: 0 });

  const timed = async (work) => {
    const started = performance.now();
    const result = await work();
    return { ms: performance.now() - started, result };
  };
  const rows = [];
  for (let round = 0; round < rounds + 3; round++) {
    const read = await timed(() => array.get());
    const copy = await timed(() => new Uint8Array(bytes));
    const data = read.result.data;
    const at = Math.floor(Math.random() * data.length);
    if (data.length !== whole.length || data[at] !== whole[at] || copy.result.length !== bytes.length) {
      throw new Error(`the read has a wrong length, or a wrong value at ${at}`);
    }
    // The first rounds are not counted: they compile code and grow memory.
    if (round >= 3) rows.push({ ours: read.ms, copy: copy.ms, ratio: read.ms / copy.ms });
  }
  return rows;
}

/** Prints the table. */
export async function copy() {
  const page = await openPage({ "/reads": READS });
  try {
    const version = await page.browser.version();
    console.log(`\nWhole reads of 64 MiB float32 from an in-memory store, ${version}, no workers`);
    console.log("  (a plain copy is one new Uint8Array of the same bytes; medians of rounds in turn; the goal is a ratio of 2)");
    for (const chunk of [4096, 1024, 512, 128]) {
      const rows = await page.run(copyRatio, { side: 4096, chunk, rounds: 25 });
      const part = (field, part) => quantile(rows.map((row) => row[field]), part);
      const [ours, copy] = ["ours", "copy"].map((field) => part(field, 0.5).toFixed(1));
      const [low, ratio, high] = [0.25, 0.5, 0.75].map((nth) => part("ratio", nth).toFixed(2));
      const of = `${chunk} x ${chunk}`.padStart(13);
      console.log(`  ${of} read ${ours.padStart(6)} ms   plain copy ${copy.padStart(6)} ms   ratio ${ratio} (quartiles ${low} to ${high})`);
    }
  } finally {
    await page.close();
  }
}
