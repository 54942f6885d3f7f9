/** Compares requests, bytes and time of reads over a network with those of zarrita. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";

import { FaultyHost, link, slow } from "../browser/support/faults.mjs";
import { ROOT } from "../browser/support/paths.mjs";
import { openPage } from "./support/browsers.mjs";
import { median } from "./support/rounds.mjs";
import { PAGE, PYTHON } from "./support/table.mjs";
import { ZARRITA, bundledZarrita } from "./support/zarrita.mjs";

const DATA = join(ROOT, "target/bench/network");
const LATENCY = 50;
const ROUNDS = 5;

/** Coordinates of a block of four rows of five tiles, from its first tile. */
const block = (row, column) => [0, 1, 2, 3].flatMap((down) => [0, 1, 2, 3, 4].map((across) => [row + down, column + across]));

const TASKS = [
  { what: "one 256x256 tile of a shard", task: "tiles", path: "tiles.zarr", wanted: [[5, 6]] },
  { what: "20 neighbour tiles at once", task: "tiles", path: "tiles.zarr", wanted: block(5, 6) },
  { what: "series, 365 zstd chunks", task: "series", path: "days.zarr", wanted: [90, 200] },
  { what: "series, 365 plain chunks", task: "series", path: "days-plain.zarr", wanted: [90, 200] },
  { what: "group of 50 arrays", task: "group", path: "group.zarr", wanted: Array.from({ length: 50 }, (_, nth) => `variable_${String(nth).padStart(2, "0")}`) },
];
const READERS = [["ours", "ours"], ["joining", "zarrita, coalescing"], ["plain", "zarrita, default"]];

/** Files of the data by path; zarr-python writes them once. */
function data() {
  const done = join(DATA, "done");
  const script = join(import.meta.dirname, "support/network_data.py");
  const text = readFileSync(script, "utf8");
  if (!existsSync(done) || readFileSync(done, "utf8") !== text) {
    rmSync(DATA, { recursive: true, force: true });
    execFileSync(PYTHON, ["-W", "ignore", script, DATA]);
    writeFileSync(done, text);
  }
  const files = readdirSync(DATA, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [file.slice(DATA.length).replaceAll(sep, "/"), readFileSync(file)];
  }));
}

/** Runs one task once: its time, and the requests and bytes that the host logged, without an array's `zarr.json`. */
async function once({ page, host }, job) {
  host.log = [];
  const url = new URL(`${host.url}/${job.path}`, page.site.url).href;
  const run = async (_, job) => (await import("/bench/readers.mjs")).measure(job);
  const { ms, sum } = await page.run(run, { ...job, url });
  const log = job.task === "group" ? host.log : host.log.filter(({ path }) => !path.endsWith("zarr.json"));
  return { ms, sum, requests: log.length, bytes: log.reduce((all, { sent }) => all + (sent ?? 0), 0) };
}

/** Medians of several rounds of each reader in turn. */
async function compare(place, task, readers, rounds) {
  const found = readers.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [nth, reader] of readers.entries()) found[nth].push(await once(place, { ...task, ...reader }));
  }
  const sums = new Set(found.flat().map(({ sum }) => sum));
  if (sums.size > 1) throw new Error(`${task.what}: the readers read different values, with the sums ${[...sums]}`);
  // The first round is not counted: it compiles code.
  return found.map((runs) => ({ ...runs[1], ms: median(runs.slice(1).map(({ ms }) => ms)) }));
}

const column = (value, width = 9) => String(value).padStart(width);
const size = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(2)} MB`);

/** Prints the comparison of all readers on one host. */
async function sideBySide(place) {
  console.log(`\n  ${place.name}, ${LATENCY} ms of latency`.padEnd(54) + "requests       bytes       ms   requests, bytes, time to ours");
  place.host.rules = [slow(LATENCY)];
  for (const task of TASKS) {
    const rows = await compare(place, task, READERS.map(([reader]) => ({ reader })), ROUNDS);
    const [ours] = rows;
    for (const [nth, row] of rows.entries()) {
      const ratios = ["requests", "bytes", "ms"].map((field) => `${(row[field] / ours[field]).toFixed(2)}x`);
      const name = nth ? " ".repeat(28) : task.what.padEnd(28);
      console.log(`  ${name} ${READERS[nth][1].padEnd(20)}${column(row.requests)}${column(size(row.bytes), 12)}${column(row.ms)}   ${nth ? ratios.join(" ") : ""}`);
    }
  }
}

/** Compares values of `coalesceGap` and `coalesceMax` on a link of 20 MB/s, for blocks of tiles in several places. */
async function sweep(place) {
  const [KIB, MIB] = [2 ** 10, 2 ** 20];
  const gaps = [0, 8, 32, 128, 1024].map((kib) => [`gap ${kib} KiB`, { coalesceGap: kib * KIB }]);
  const most = [1, 4, 16, 64].map((mib) => [`max ${mib} MiB`, { coalesceMax: mib * MIB }]);
  const settings = [...gaps, ...most];
  const readers = settings.map(([, options]) => ({ reader: "ours", options }));
  place.host.rules = [slow(LATENCY), link(20e6)];
  for (const [name, path] of [["256x256", "tiles.zarr"], ["64x64", "small-tiles.zarr"]]) {
    console.log(`\n  ${`20 tiles of ${name}, ${LATENCY} ms, 20 MB/s`.padEnd(38)} requests       bytes       ms   (sums over four blocks)`);
    const totals = settings.map(() => ({ requests: 0, bytes: 0, ms: 0 }));
    for (const at of [[5, 6], [0, 0], [10, 3], [3, 9]]) {
      const rows = await compare(place, { ...TASKS[1], path, wanted: block(...at) }, readers, 3);
      rows.forEach((row, nth) => Object.keys(totals[nth]).forEach((field) => (totals[nth][field] += row[field])));
    }
    totals.forEach(({ requests, bytes, ms }, nth) => {
      console.log(`  ${settings[nth][0].padEnd(38)}${column(requests)}${column(size(bytes), 12)}${column(ms)}`);
    });
  }
}

/** Prints the comparison, on the page's origin and on another one, and that of the options. */
export async function network() {
  await bundledZarrita();
  const files = data();
  const [near, far] = [new FaultyHost(files), new FaultyHost(files)];
  const page = await openPage({ "/near": near.handle, "/bench": PAGE, "/zarrita": ZARRITA });
  const origin = await far.listen();
  near.url = "/near";
  far.url = origin.url;
  try {
    console.log(`\nReads over HTTP/1.1 with this package and zarrita 0.7.5, medians of ${ROUNDS} rounds in turn, indexes not cached`);
    await sideBySide({ page, host: near, name: "Same origin" });
    await sideBySide({ page, host: far, name: "Another origin" });
    await sweep({ page, host: near });
  } finally {
    await page.close();
    await origin.close();
  }
}
