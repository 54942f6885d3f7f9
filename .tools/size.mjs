// Prints the size of the built package, raw and compressed by gzip and brotli: of each file, of all, and of the
// downloads of pages. Fails where a gzip size is over its budget.
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { PAGES, atOnce, filesOf, inAll } from "./downloads.mjs";
import { ZARRITA, peers } from "./peers.mjs";

// Budgets of gzip bytes that every page loads before a first value, the first part of the main module among them. The
// sum of both is the goal.
const BUDGET = { js: 22_150, wasm: 209_500 };

// Budgets of gzip bytes of the modules that are loaded on demand.
const ON_DEMAND = { opening: 49_600, virtual: 22_500, codecs: 17_500, grids: 11_100, calls: 80_500, answers: 44_600, zones: 69_800, rare: 229_900, systems: 142_600, files: 66_900, hdf5: 95_000, grib: 35_000, hdf5filters: 55_000, jpeg2000: 79_500, lzma: 45_200, pcodec: 47_300, zfp: 45_500 };

// Budgets of gzip bytes of a function of an entry, by the module that its first call loads: all that it may load.
const FUNCTIONS = { "sparse-matrix.js": 8_000, "sparse-ragged.js": 8_000, "sparse-table.js": 8_000 };

// Budgets of gzip bytes of entries that pages import beside the main one, with their static imports.
const ENTRIES = { "access.js": 5_000, "answers.js": 20_600, "healpix.js": 8_200, "levels.js": 9_000, "stac.js": 11_300 };

const directory = new URL("../pkg/", import.meta.url);
const row = (name, ...sizes) => console.log(name.padEnd(28) + sizes.map((size) => size.toLocaleString("en").padStart(12)).join(""));

row("bytes", "raw", "gzip -9", "brotli -11");
const total = [0, 0, 0];
const weights = new Map();
for (const name of readdirSync(directory).filter((name) => /\.(wasm|js)$/.test(name)).sort().reverse()) {
  const bytes = readFileSync(new URL(name, directory));
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  row(name, ...sizes);
  sizes.forEach((size, i) => (total[i] += size));
  weights.set(name, sizes);
}
row("all", ...total);

// Sums the sizes of these files, in gzip and in brotli.
const sum = (names) => [1, 2].map((nth) => names.reduce((bytes, name) => bytes + weights.get(name)[nth], 0));

// Prints a size and its budget, and fails if the size is larger.
const check = (name, size, budget, question) => {
  row(name, size, budget);
  if (size <= budget) return;
  console.error(`${name} is over the budget in .tools/size.mjs: ${question}`);
  process.exitCode = 1;
};

row("\ndownload to a first value", "gzip -9", "brotli -11", "goal, gzip");
for (const page of PAGES) row(`${page.page}, by URL`, ...sum(filesOf(page, directory)), page.goal ?? "");
row(`\nfirst value by zarrita ${ZARRITA}`, "gzip -9", "brotli -11");
for (const { codec, sizes } of await peers()) row(codec, ...sizes);

row("\nloads on demand", "gzip -9", "budget");
for (const [part, budget] of Object.entries(ON_DEMAND)) {
  check(part, sum([`rectilinear_zarr_${part}_bg.wasm`])[0], budget, "what made the module grow?");
}
row("\nloads with a function", "gzip -9", "budget");
for (const [name, budget] of Object.entries(FUNCTIONS)) {
  check(name, sum(inAll(directory, name))[0], budget, "what made it grow?");
}
row("\nloads with its entry", "gzip -9", "budget");
for (const [entry, budget] of Object.entries(ENTRIES)) {
  // What the main entry loads is there already.
  const names = atOnce(directory, entry).filter((name) => !atOnce(directory).includes(name));
  check(entry, sum(names)[0], budget, "what made it grow, and must that load with the entry?");
}
row("\nloads at once", "gzip -9", "budget");
const loaded = { js: sum(atOnce(directory))[0], wasm: sum(["rectilinear_zarr_bg.wasm"])[0] };
for (const [kind, budget] of Object.entries(BUDGET)) {
  check(kind, loaded[kind], budget, "what made it grow, and must that load at once?");
}
