/** Whole reads from memory, ours and zarrita's in turn in one page, by codec and chunk size. */

import { join } from "node:path";
import { build } from "vite";

import { ROWS, quantile } from "../../www/src/bench/reads.js";
import { openPage } from "../browser/support/chromium.mjs";
import { ROOT } from "../browser/support/paths.mjs";
import { DATA, READS, columns, writeData } from "./table.mjs";

/** Time that each row may take, and its least and most rounds. */
const ENOUGH = { ms: Number(process.env.BENCH_MS ?? 8000), least: 5, most: 31 };

/** In the page: an array of `data.py` as a `Map`, opened by both, and one read of each compared. */
async function load(zarr, { name, selection }) {
  const [zarrita, { bothReaders, difference }] = await Promise.all([import("/zarrita/zarrita.js"), import("/reads/reads.js")]);
  const places = await (await fetch(`/bench/${name}.json`)).json();
  const values = await (await fetch(`/bench/${name}.bin`)).arrayBuffer();
  const value = ([key, [start, stop]]) => [key, new Uint8Array(values.slice(start, stop))];
  const store = new Map(Object.entries(places).map(value));
  globalThis.readers = await bothReaders(zarr, zarrita, store, selection);
  const differs = difference(await globalThis.readers.ours(), await globalThis.readers.theirs());
  if (differs) throw new Error(`${name}: ${differs}`);
}

/** In the page: how long a read takes, in milliseconds. */
async function read(_, who) {
  const started = performance.now();
  await globalThis.readers[who]();
  return performance.now() - started;
}

/**
 * Milliseconds that the processors have spent on Chromium's pages, in all of their threads: what other programs take is
 * not in it. Other browsers do not tell.
 */
async function processorTime(session) {
  if (!session) return NaN;
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
}

/** Reads by both in turn, and what each read took: milliseconds on the clock, and of the processors. */
async function measure(page, session, row) {
  // A page of its own for each row: what one array took, the next need not hold.
  await page.renew();
  await page.run(load, row);
  const [ours, theirs] = [{ clock: [], processors: 0 }, { clock: [], processors: 0 }];
  const started = performance.now();
  const rounds = () => ours.clock.length;
  while (rounds() < ENOUGH.least || (rounds() < ENOUGH.most && performance.now() - started < ENOUGH.ms)) {
    for (const [who, took] of Object.entries({ ours, theirs })) {
      const before = await processorTime(session);
      took.clock.push(await page.run(read, who));
      took.processors += (await processorTime(session)) - before;
    }
  }
  await page.run(() => void delete globalThis.readers);
  return { ours, theirs };
}

function line({ name, selection, goal }, { ours, theirs }) {
  const [ms, peer] = [ours, theirs].map(({ clock }) => quantile(clock, 0.5));
  const quickest = quantile(theirs.clock, 0) / quantile(ours.clock, 0);
  const ratios = [peer / ms, quickest, theirs.processors / ours.processors, goal];
  const title = `${name}${selection ? ` ${JSON.stringify(selection)}` : ""}`.padEnd(42);
  const [times, faster] = [[ms, peer].map((value) => value.toFixed(1)), ratios.map((ratio) => (ratio ? ratio.toFixed(2) : ""))];
  return `  ${title}${columns(times, 9)}${columns(faster, 12)}`;
}

/** zarrita as one module for the page, and its codecs, which it imports when it needs them. */
async function bundled() {
  const entry = join(ROOT, "tests/node_modules/zarrita/dist/src/index.js");
  const outDir = join(ROOT, "target/bench-zarrita");
  const lib = { entry, formats: ["es"], fileName: () => "zarrita.js" };
  const output = { outDir, emptyOutDir: true, lib, rolldownOptions: { output: { chunkFileNames: "[name].js" } } };
  await build({ root: ROOT, configFile: false, logLevel: "silent", publicDir: false, build: output });
  return outDir;
}

/** Print the table, as measured in Chromium or in the browser that `browse` starts; `names` picks rows whose name has one of them. */
export async function decode(names = [], browse = undefined) {
  writeData();
  const page = await openPage({ "/bench": DATA, "/zarrita": await bundled(), "/reads": READS }, { browse });
  try {
    const version = await page.browser.version();
    const session = browse ? undefined : await page.browser.target().createCDPSession();
    console.log(`\nReads of 64 MiB float32 from a Map, no workers, no cache, beside zarrita 0.7.5, ${version}`);
    console.log("  (in turn in one page: medians in ms, and how many times as fast ours is by the medians, by the quickest");
    console.log("  rounds, and by the time of the processors, which is what a machine that others use has to show)");
    const heads = columns(["medians", "quickest", "processors", "goal"], 12);
    console.log(`  ${"".padEnd(42)}${columns(["ours", "zarrita"], 9)}${heads}`);
    for (const row of ROWS.filter(({ name }) => !names.length || names.some((part) => name.includes(part)))) {
      console.log(line(row, await measure(page, session, row)));
    }
  } finally {
    await page.close();
  }
}
