// What pages download of the package: the files that each kind of page loads until it has a first value. A browser test
// compares this with what such pages ask for.
import { readFileSync } from "node:fs";

/** The module that every page loads. */
const MAIN = "rectilinear_zarr_bg.wasm";

/**
 * Pages by what they read, all by URL: the codec of the chunk, or that it is metadata alone; the files that they load beside
 * what `index.js` imports; and the goal in bytes of gzip for all.
 */
export const PAGES = [
  { page: "zstd", modules: [MAIN], goal: 205_000 },
  { page: "uncompressed", modules: [MAIN], goal: 205_000 },
  { page: "blosc", modules: [MAIN] },
  { page: "gzip", modules: [MAIN] },
  { page: "metadata", modules: [MAIN], goal: 205_000 },
];

/** What `index.js` imports in the package in this directory, itself, and so on; what is imported by a call is no part of it. */
export function atOnce(directory) {
  const names = new Set(["index.js"]);
  for (const name of names) {
    const text = readFileSync(new URL(name, directory), "utf8");
    for (const [, other] of text.matchAll(/(?:^|;)(?:import|export)\b[^;"]*\bfrom ?"\.\/([^"]+)"/gm)) names.add(other);
  }
  return [...names];
}

/** The names of the files that a page loads of the package in this directory. */
export const filesOf = ({ modules }, directory) => [...atOnce(directory), ...modules].sort();
