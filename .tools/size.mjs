// Prints what the built package weighs: raw, and as gzip and brotli would send it.
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

const directory = new URL("../pkg/", import.meta.url);
const row = (name, ...sizes) => console.log(name.padEnd(28) + sizes.map((size) => size.toLocaleString("en").padStart(12)).join(""));

row("bytes", "raw", "gzip -9", "brotli -11");
const total = [0, 0, 0];
for (const name of readdirSync(directory).filter((name) => /\.(wasm|js)$/.test(name)).sort().reverse()) {
  const bytes = readFileSync(new URL(name, directory));
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  row(name, ...sizes);
  sizes.forEach((size, i) => (total[i] += size));
}
row("all", ...total);
