/** What workers gain: the same reads with two of them and with none, and for how long the calling thread is held up. */

import { openPage } from "../browser/support/chromium.mjs";
import { quantile } from "../../www/src/bench/reads.js";
import { DATA, columns, writeData } from "./table.mjs";

/** Time that each row may take, and its least and most rounds of reads in turn. */
const ENOUGH = { ms: Number(process.env.BENCH_MS ?? 8000), least: 5, most: 31 };

/** What is read, of `data.py`, and how many times as fast two workers are meant to be. */
const ROWS = [
  { name: "512-zstd", goal: 1.7 },
  { name: "512-gzip", goal: 1.7 },
  { name: "512-blosc-zstd-bitshuffle" },
  { name: "32-gzip" },
];

/** In the page: an array's store as a `Map`, opened with no workers and with two, which are up and running after this. */
async function load({ RectilinearArray }, name) {
  const places = await (await fetch(`/bench/${name}.json`)).json();
  const values = await (await fetch(`/bench/${name}.bin`)).arrayBuffer();
  const store = new Map(Object.entries(places).map(([key, [start, stop]]) => [key, new Uint8Array(values.slice(start, stop))]));
  const open = (workers) => RectilinearArray.open(store, { cacheBytes: 0, workers });
  const arrays = (globalThis.arrays = { none: await open(0), two: await open(2) });
  const whole = [];
  for (const who of ["none", "two", "two", "two"]) whole.push((await arrays[who].get()).data);
  for (const data of whole) {
    if (!data.every((value, item) => value === whole[0][item])) throw new Error(`${name}: other values`);
  }
}

/** In the page: how long a read takes, and the longest time in it for which an event of the page would have waited. */
async function read(_, { who, isWatched }) {
  const { port1, port2 } = new MessageChannel();
  let [last, longest] = [performance.now(), 0];
  const tick = () => {
    const now = performance.now();
    [last, longest] = [now, Math.max(longest, now - last)];
  };
  port1.onmessage = () => {
    tick();
    port2.postMessage(0);
  };
  if (isWatched) port2.postMessage(0);
  const started = performance.now();
  await globalThis.arrays[who].get();
  const ms = performance.now() - started;
  if (isWatched) await new Promise((done) => setTimeout(done));
  tick();
  port1.close();
  return { ms, longest };
}

async function measure(page, name) {
  // A page of its own for each row: what one array took, the next need not hold.
  await page.renew();
  await page.run(load, name);
  const took = { none: { clock: [], held: [] }, two: { clock: [], held: [] } };
  const started = performance.now();
  const rounds = () => took.two.held.length;
  while (rounds() < ENOUGH.least || (rounds() < ENOUGH.most && performance.now() - started < ENOUGH.ms)) {
    for (const [who, { clock, held }] of Object.entries(took)) {
      clock.push((await page.run(read, { who })).ms);
      // What watches keeps a processor busy, so that is not timed.
      held.push((await page.run(read, { who, isWatched: true })).longest);
    }
  }
  return took;
}

/** Print the table, of those rows whose name has one of these words in it. */
export async function workers(words = []) {
  writeData();
  const page = await openPage({ "/bench": DATA });
  try {
    console.log(`\nReads of 64 MiB float32 from a Map with no workers and with two, ${await page.browser.version()}`);
    console.log("  (medians in ms; how many times as fast with two, by medians and by the quickest; and in ms, the longest that the");
    console.log("  calling thread kept an event waiting: in the median and in the worst read, goals 50 without workers, 8 with)");
    const heads = ["none", "two", "faster", "quickest", "goal", "held, none", "worst", "held, two", "worst"];
    console.log(`  ${"".padEnd(28)}${columns(heads, 11)}`);
    for (const { name, goal } of ROWS.filter(({ name }) => !words.length || words.some((word) => name.includes(word)))) {
      const { none, two } = await measure(page, name);
      const medians = [none, two].map(({ clock }) => quantile(clock, 0.5));
      const quickest = quantile(none.clock, 0) / quantile(two.clock, 0);
      const held = [none, two].flatMap(({ held }) => [quantile(held, 0.5), quantile(held, 1)]);
      const numbers = [...medians.map((ms) => ms.toFixed(1)), (medians[0] / medians[1]).toFixed(2), quickest.toFixed(2)];
      const goals = goal?.toFixed(2) ?? "";
      console.log(`  ${name.padEnd(28)}${columns([...numbers, goals, ...held.map((ms) => ms.toFixed(1))], 11)}`);
    }
  } finally {
    await page.close();
  }
}
