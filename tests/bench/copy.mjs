/** What a whole read of uncompressed chunks costs beside a plain copy of the same bytes. */

import { openPage } from "../browser/support/chromium.mjs";

/**
 * In the page.
 *
 * @param {{ RectilinearArray: any }} zarr the package
 * @param {{ side: number, chunk: number, rounds: number }} size of the square array and its square chunks, in items
 */
async function copyRatio({ RectilinearArray }, { side, chunk, rounds }) {
  const whole = new Float32Array(side * side).map((_, item) => item);
  const bytes = new Uint8Array(whole.buffer);
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [side, side],
    data_type: "float32",
    chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [chunk, chunk] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  };
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
  for (let row = 0; row < side; row += chunk) {
    for (let column = 0; column < side; column += chunk) {
      const part = new Float32Array(chunk * chunk);
      for (let line = 0; line < chunk; line++) {
        const from = (row + line) * side + column;
        part.set(whole.subarray(from, from + chunk), line * chunk);
      }
      store.set(`/c/${row / chunk}/${column / chunk}`, new Uint8Array(part.buffer));
    }
  }
  const array = await RectilinearArray.open(store);

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
      throw new Error(`wrong value at ${at}`);
    }
    // The first rounds compile and grow memory.
    if (round >= 3) rows.push({ ours: read.ms, copy: copy.ms, ratio: read.ms / copy.ms });
  }
  const quantile = (field, part) => rows.map((row) => row[field]).sort((a, b) => a - b)[Math.floor(part * rounds)];
  return {
    ours: quantile("ours", 0.5),
    copy: quantile("copy", 0.5),
    ratio: quantile("ratio", 0.5),
    low: quantile("ratio", 0.25),
    high: quantile("ratio", 0.75),
  };
}

/** Print the table. */
export async function copy() {
  const page = await openPage();
  try {
    const version = await page.browser.version();
    console.log(`\nWhole reads of 64 MiB float32 from an in-memory store, ${version}, no workers`);
    console.log("  (a plain copy is one new Uint8Array of the same bytes; medians of rounds in turn; the goal is a ratio of 2)");
    for (const chunk of [4096, 1024, 512, 128]) {
      const { ours, copy, ratio, low, high } = await page.run(copyRatio, { side: 4096, chunk, rounds: 25 });
      console.log(
        `  ${String(chunk).padStart(5)} x ${String(chunk).padEnd(5)} read ${ours.toFixed(1).padStart(6)} ms   ` +
          `plain copy ${copy.toFixed(1).padStart(6)} ms   ratio ${ratio.toFixed(2)} (quartiles ${low.toFixed(2)} to ${high.toFixed(2)})`,
      );
    }
  } finally {
    await page.close();
  }
}
