/**
 * Compares reads of original files over a network, 80 ms away at 50 Mbit/s: HDF5 with h5wasm, which reads by synchronous
 * requests in a worker, and TIFF with geotiff.js.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

import { FaultyHost, link, slow } from "../browser/support/faults.mjs";
import { ROOT } from "../browser/support/paths.mjs";
import { cold } from "./files_cold.mjs";
import { openPage } from "./support/browsers.mjs";
import { writeCube, writePyramid } from "./support/original_files.mjs";
import { median } from "./support/rounds.mjs";
import { PAGE, picked } from "./support/table.mjs";

const DATA = join(ROOT, "target/bench/files");
const GEOTIFF = join(ROOT, "target/bench-geotiff");
const H5WASM = join(ROOT, "tests/node_modules/h5wasm/dist/esm");
const [LATENCY, MBIT, ROUNDS] = [80, 50, 5];

const TASKS = [
  { file: "cube.nc", what: "open, 20 variables", task: "open" },
  { file: "cube.nc", what: "one plane of 180 x 360", task: "plane", wanted: 200 },
  { file: "cube.nc", what: "one series of 365 days", task: "series", wanted: [90, 200] },
  { file: "pyramid.tif", what: "open, four levels", task: "open" },
  { file: "pyramid.tif", what: "a window of 1024 x 1024", task: "window", wanted: [1500, 1500, 2524, 2524] },
  { file: "pyramid.tif", what: "the coarsest level", task: "coarsest" },
];
/** Pages that begin with nothing, for which code is fetched too. */
const COLD = [
  { file: "cube.nc", what: "a cold page with a plane", peer: "h5wasm" },
  { file: "pyramid.tif", what: "a cold page with a window", peer: "geotiff" },
];
const PEERS = { "cube.nc": "h5wasm", "pyramid.tif": "geotiff" };

/** Files of the data by path; they are written once. */
async function data() {
  const script = readFileSync(join(import.meta.dirname, "support/original_files.mjs"), "utf8");
  const done = join(DATA, "done");
  if (!existsSync(done) || readFileSync(done, "utf8") !== script) {
    rmSync(DATA, { recursive: true, force: true });
    mkdirSync(DATA, { recursive: true });
    await writeCube(join(DATA, "cube.nc"));
    writeFileSync(join(DATA, "pyramid.tif"), writePyramid());
    writeFileSync(done, script);
  }
  return new Map(Object.keys(PEERS).map((name) => [`/${name}`, readFileSync(join(DATA, name))]));
}

/** Bundles geotiff.js as one module for pages. */
async function bundledGeotiff() {
  const lib = { entry: join(ROOT, "tests/node_modules/geotiff/dist-module/geotiff.js"), formats: ["es"], fileName: () => "geotiff.js" };
  await build({ root: ROOT, configFile: false, logLevel: "silent", publicDir: false, build: { outDir: GEOTIFF, emptyOutDir: true, lib } });
}

/** Requests that fetch bytes, or ask for a length. */
const counts = (log) => ({ requests: log.length, bytes: log.reduce((all, { went, sent }) => all + (went || sent || 0), 0) });

/** Opens and reads once; what is counted begins with the read, unless opening is what is measured. */
async function once({ page, host }, reader, { file, task, wanted }) {
  const url = new URL(`/near/${file}`, page.site.url).href;
  const run = async (_, job) => (await import("/bench/files.mjs")).begin(job);
  host.log = [];
  const opened = await page.run(run, { reader, url });
  const log = host.log;
  if (task === "open") return { ...opened, ...counts(log) };
  host.log = [];
  const read = await page.run(async (_, job) => (await import("/bench/files.mjs")).read(job), { task, wanted });
  return { ...read, ...counts(host.log) };
}

const column = (value, width = 9) => String(value).padStart(width);
const size = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(2)} MB`);

/** Rules of the network; a link is shared by the requests of one host. */
const network = () => [slow(LATENCY), link((MBIT / 8) * 1e6), (exchange) => (exchange.extra["Accept-Ranges"] = "bytes")];

/** Prints requests, bytes and time of each task. */
export async function files(words = []) {
  const names = picked([...TASKS, ...COLD].map(({ what }) => what), words);
  const chosen = (tasks) => tasks.filter(({ what }) => names.includes(what));
  const bytes = await data();
  console.log(`\nOriginal files, ${LATENCY} ms away at ${MBIT} Mbit/s, medians of rounds in turn`);
  if (chosen(TASKS).length) await warm(chosen(TASKS), bytes);
  if (chosen(COLD).length) await cold(chosen(COLD), bytes, network());
}

/** Prints the tasks of a page whose code is there. */
async function warm(tasks, bytes) {
  const host = new FaultyHost(bytes);
  await bundledGeotiff();
  const page = await openPage({ "/near": host.handle, "/bench": PAGE, "/h5wasm": H5WASM, "/geotiff": GEOTIFF });
  host.rules = network();
  try {
    console.log(`${" ".repeat(59)} requests       bytes       ms   time to ours`);
    for (const task of tasks) {
      const readers = ["ours", PEERS[task.file]];
      const found = readers.map(() => []);
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [nth, reader] of readers.entries()) found[nth].push(await once({ page, host }, reader, task));
      }
      const sums = new Set(found.flat().map(({ sum }) => sum));
      if (sums.size > 1) throw new Error(`${task.what}: the readers read different values, with the sums ${[...sums]}`);
      // The first round is not counted: it loads and compiles code.
      const rows = found.map((runs) => ({ ...runs.at(-1), ms: Math.round(median(runs.slice(1).map(({ ms }) => ms))) }));
      for (const [nth, row] of rows.entries()) {
        const name = nth ? "".padEnd(36) : `${task.file}: ${task.what}`.padEnd(36);
        console.log(`  ${name} ${readers[nth].padEnd(20)}${column(row.requests)}${column(size(row.bytes), 12)}${column(row.ms)}   ${nth ? `${(row.ms / rows[0].ms).toFixed(2)}x` : ""}`);
      }
    }
  } finally {
    await page.close();
  }
}
