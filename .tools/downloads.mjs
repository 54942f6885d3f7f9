// Lists the files of the package that each kind of page loads until it has a first value. A browser test compares the lists
// with the requests of such pages.
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

/** The names of `index.js` and of all that it imports in the package in this directory; imports by a call are not followed. */
export function atOnce(directory) {
  const names = new Set(["index.js"]);
  for (const name of names) {
    const text = readFileSync(new URL(name, directory), "utf8");
    for (const [, other] of text.matchAll(/(?:^|[;}])(?:import|export)\b[^;"]*\bfrom ?"\.\/([^"]+)"/gm)) names.add(other);
  }
  return [...names];
}

/** The names of the files that a page loads of the package in this directory. */
export const filesOf = ({ modules }, directory) => [...atOnce(directory), ...modules].sort();
