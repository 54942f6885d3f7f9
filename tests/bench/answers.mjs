/**
 * Times means by URL beside `get` of the same selection, and beside zarrita with a loop: of all items, along each axis,
 * and the median of all, whose values are held. Then districts, a series, and memory (`answers/`).
 */

import { memory } from "./answers/memory.mjs";
import { series } from "./answers/series.mjs";
import { zones } from "./answers/zones.mjs";
import { launchUnwatched, openPage } from "./support/browsers.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";
import { startStore, valuesOf } from "./support/sources.mjs";
import { DATA, columns, picked, writeData } from "./support/table.mjs";
import { bundledZarrita } from "./support/zarrita.mjs";

const ENOUGH = enough(6000, 5, 24);

/** Arrays of `data.py`: 64 MiB of float32. */
const ROWS = ["512-zstd", "512-blosc-lz4-shuffle", "512-uncompressed", "shards-zstd"];

/** Goal for the time of a mean of all items over that of `get`. */
const GOAL = 1.05;

const READERS = ["get", "mean", "rows", "columns", "median", "zarrita"];

/** The same by two workers, whatever the policy for chunks would be. */
const BY_WORKERS = ["get by 2", "mean by 2"];

/** In the page: times one read of a newly opened array in milliseconds. The means of all items must agree. */
async function timed({ RectilinearArray }, who) {
  globalThis.gc?.();
  const [{ reduce }, zarrita] = await Promise.all([import("rectilinear-zarr/answers"), import("/zarrita/zarrita.js")]);
  const url = `${location.origin}/store`;
  const meanOf = (data) => {
    let sum = 0;
    for (let i = 0; i < data.length; i++) sum += data[i];
    return sum / data.length;
  };
  const started = performance.now();
  let mean;
  if (who === "zarrita") {
    const array = await zarrita.open(new zarrita.FetchStore(url), { kind: "array" });
    mean = meanOf((await zarrita.get(array)).data);
  } else {
    const [call, isByWorkers] = who.split(" by ");
    const array = await RectilinearArray.open(url, isByWorkers ? { workers: 2 } : {});
    const calls = {
      get: async () => (await array.get()).data,
      mean: () => reduce(array, "mean", { decode: false }),
      rows: () => reduce(array, "mean", { decode: false, over: 0 }),
      columns: () => reduce(array, "mean", { decode: false, over: 1 }),
      median: () => reduce(array, "median", { decode: false }),
    };
    const found = await calls[call]();
    mean = call === "mean" ? found.data[0] : undefined;
    array.free();
  }
  const ms = performance.now() - started;
  if (mean !== undefined) {
    globalThis.found ??= mean;
    if (Math.abs(mean / globalThis.found - 1) > 1e-5) throw new Error(`${who}: the mean is ${mean}, and was ${globalThis.found}`);
  }
  return ms;
}

/** Tables by the words that pick them, of which none is the name of a bench; other words pick rows. */
const TABLES = { means, zones, series: () => series(), peak: (_, peer) => memory(peer) };

/** Prints all tables, or those that the words name. */
export async function answers(words = []) {
  writeData();
  const peer = await bundledZarrita();
  const named = words.filter((word) => word in TABLES);
  const rows = words.filter((word) => !(word in TABLES));
  for (const [name, table] of Object.entries(TABLES)) if (named.length === 0 || named.includes(name)) await table(rows, peer);
}

/** Prints the table of means, of all rows or those that the words name. */
async function means(words, peer) {
  console.log("\nMeans of 64 MiB float32 by URL, defaults: medians in ms of a read into an array, of the mean of all items, along");
  console.log("  each axis, of the median of all, and of zarrita 0.7.5 with a loop; then the mean over get, and zarrita over the mean;");
  console.log("  then get and the mean of all items by two workers, and the mean over get");
  console.log(`  ${"".padEnd(26)}${columns([...READERS, "/ get", "x zarrita", ...BY_WORKERS, "/ get"], 11)}`);
  const rows = picked(ROWS, words);
  for (const name of rows) {
    const page = await openPage({}, { start: () => startStore(valuesOf(DATA, name), peer), browse: launchUnwatched, watches: false });
    try {
      // An array stays open, as in pages: the workers end with the last array.
      await page.run(async ({ RectilinearArray }) => void (globalThis.held = await RectilinearArray.open(`${location.origin}/store`)));
      const all = [...READERS, ...BY_WORKERS];
      for (const who of all) await page.run(timed, who);
      const found = await inTurn(all, ENOUGH, (who) => page.run(timed, who));
      const medians = Object.fromEntries(all.map((who) => [who, median(found[who])]));
      const ratios = [medians.mean / medians.get, medians.zarrita / medians.mean];
      const isMet = ratios[0] <= GOAL && ratios[1] >= 1;
      console.log(`  ${name.padEnd(26)}${columns([...READERS.map((who) => medians[who].toFixed(0)), ...ratios.map((ratio) => ratio.toFixed(2)), ...BY_WORKERS.map((who) => medians[who].toFixed(0)), (medians["mean by 2"] / medians["get by 2"]).toFixed(2)], 11)}  goals <= ${GOAL}, >= 1${isMet ? "" : ", missed"}`);
    } finally {
      await page.close();
    }
  }
}
