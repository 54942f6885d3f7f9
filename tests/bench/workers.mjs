/** Compares reads with two workers and with none, and the longest tasks of the calling thread. */

import { quantile } from "../../www/src/bench/reads.js";
import { openPage } from "./support/browsers.mjs";
import { processorCounter } from "./support/processors.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";
import { DATA, columns, writeData } from "./support/table.mjs";
import { lastTab, longestTask } from "./support/tasks.mjs";

/** Rounds of each row. */
const ENOUGH = enough(8000, 5, 31);

/** Number of reads whose tasks are traced. */
const TRACED = 5;

/** Arrays of `data.py`, and the goal for the time without workers over that with two. */
const ROWS = [{ name: "512-zstd", goal: 1.7 }, { name: "512-gzip", goal: 1.7 }, { name: "512-blosc-zstd-bitshuffle" }];

/** In the page: opens an array from a `Map` with no workers and with two, which are running when this returns. */
async function load({ RectilinearArray }, name) {
  const places = await (await fetch(`/bench/${name}.json`)).json();
  const values = await (await fetch(`/bench/${name}.bin`)).arrayBuffer();
  const store = new Map(Object.entries(places).map(([key, [start, stop]]) => [key, new Uint8Array(values.slice(start, stop))]));
  const open = (workers) => RectilinearArray.open(store, { cacheBytes: 0, workers });
  const arrays = (globalThis.arrays = { none: await open(0), two: await open(2) });
  const [expected, ...others] = [await arrays.none.get(), await arrays.two.get(), await arrays.two.get(), await arrays.two.get()];
  for (const { data } of others) {
    if (!data.every((value, item) => value === expected.data[item])) throw new Error(`${name}: reads with and without workers gave different values`);
  }
}

/** In the page: times a read, in milliseconds. */
async function read(_, who) {
  const started = performance.now();
  await globalThis.arrays[who].get();
  return performance.now() - started;
}

async function measure(page, processorTime, name) {
  // Each row gets a new page, so that it does not hold the memory of the one before.
  await page.renew();
  await page.run(load, name);
  const found = await inTurn(["none", "two"], ENOUGH, async (who) => {
    const before = await processorTime();
    const ms = await page.run(read, who);
    return { ms, processors: (await processorTime()) - before };
  });
  const took = {};
  for (const [who, rounds] of Object.entries(found)) {
    // Tracing takes time, so traced reads are not timed.
    const longest = await longestTask(await lastTab(page), async () => {
      for (let round = 0; round < TRACED; round++) await page.run(read, who);
    });
    took[who] = { clock: rounds.map(({ ms }) => ms), processors: rounds.reduce((sum, { processors }) => sum + processors, 0), longest };
  }
  return took;
}

function line({ name, goal }, { none, two }) {
  const medians = [none, two].map(({ clock }) => median(clock));
  const quickest = quantile(none.clock, 0) / quantile(two.clock, 0);
  const ratios = [medians[0] / medians[1], quickest, (2 * none.processors) / two.processors];
  const faster = [...ratios.map((ratio) => ratio.toFixed(2)), goal?.toFixed(1) ?? ""];
  const tasks = [none, two].map(({ longest }) => longest.map((ms) => ms.toFixed(1)).join(" / "));
  return `  ${name.padEnd(28)}${columns(medians.map((ms) => ms.toFixed(1)), 9)}${columns(faster, 12)}${columns(tasks, 20)}`;
}

/** Prints the table, of all rows or those whose names contain one of these words. */
export async function workers(words = []) {
  writeData();
  const page = await openPage({ "/bench": DATA });
  try {
    const processorTime = await processorCounter(page.browser, { pages: true });
    console.log(`\nReads of 64 MiB float32 from a Map with no workers and with two, ${await page.browser.version()}`);
    console.log("  (in turn in one page: medians in ms; how many times as fast with two by the medians, by the quickest rounds, and");
    console.log("  at best, by processor time, if both processors had nothing else to do; and the calling thread's longest");
    console.log("  task in ms, elapsed / processor time, where 50 and 8 are the goals)");
    const heads = columns(["medians", "quickest", "processors", "goal"], 12) + columns(["task, none", "task, two"], 20);
    console.log(`  ${"".padEnd(28)}${columns(["none", "two"], 9)}${heads}`);
    for (const row of ROWS.filter(({ name }) => !words.length || words.some((word) => name.includes(word)))) {
      console.log(line(row, await measure(page, processorTime, row.name)));
    }
  } finally {
    await page.close();
  }
}
