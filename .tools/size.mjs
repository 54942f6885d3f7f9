// Prints what the built package weighs: raw, and as gzip and brotli would send it. Fails where gzip's is over the budget.
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

// Bytes of gzip that load at once. The JavaScript's is the goal. The WebAssembly's is what it has come to and less than 1 %, to be
// lowered with each step towards the goal, which is 90,000.
const BUDGET = { js: 12_000, wasm: 320_000 };

const directory = new URL("../pkg/", import.meta.url);
const row = (name, ...sizes) => console.log(name.padEnd(28) + sizes.map((size) => size.toLocaleString("en").padStart(12)).join(""));

row("bytes", "raw", "gzip -9", "brotli -11");
const total = [0, 0, 0];
const gzipped = new Map();
for (const name of readdirSync(directory).filter((name) => /\.(wasm|js)$/.test(name)).sort().reverse()) {
  const bytes = readFileSync(new URL(name, directory));
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  row(name, ...sizes);
  sizes.forEach((size, i) => (total[i] += size));
  gzipped.set(name, sizes[1]);
}
row("all", ...total);

// What index.js imports, and so on; what is imported by a call loads when it is wanted.
const atOnce = new Set(["index.js"]);
for (const name of atOnce) {
  const text = readFileSync(new URL(name, directory), "utf8");
  for (const [, other] of text.matchAll(/^(?:import|export) [^;]*?from "\.\/([^"]+)"/gm)) atOnce.add(other);
}
const sum = (names) => [...names].reduce((bytes, name) => bytes + gzipped.get(name), 0);
const loaded = { js: sum(atOnce), wasm: gzipped.get("rectilinear_zarr_bg.wasm") };

row("\nloads on demand", "gzip -9");
for (const part of ["rare", "systems"]) row(part, gzipped.get(`rectilinear_zarr_${part}_bg.wasm`));
row("\nloads at once", "gzip -9", "budget");
for (const [kind, budget] of Object.entries(BUDGET)) {
  row(kind, loaded[kind], budget);
  if (loaded[kind] > budget) {
    console.error(`the .${kind} is over the budget in .tools/size.mjs: what made it grow, and must that load at once?`);
    process.exitCode = 1;
  }
}
