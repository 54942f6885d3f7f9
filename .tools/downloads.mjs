// Lists the files of the package that each kind of page loads before its first value. A browser test compares the lists
// with the requests of such pages.
import { readFileSync } from "node:fs";

/** Module that every page loads. */
const MAIN = "rectilinear_zarr_bg.wasm";

/**
 * Kinds of pages: the codec of the chunk that they read by URL, or `metadata`; the files that they load in addition to
 * `index.js` and its imports; and the goal for all files in bytes of gzip.
 */
export const PAGES = [
  { page: "zstd", modules: [MAIN], goal: 205_000 },
  { page: "uncompressed", modules: [MAIN], goal: 205_000 },
  { page: "blosc", modules: [MAIN] },
  { page: "gzip", modules: [MAIN] },
  { page: "metadata", modules: [MAIN], goal: 205_000 },
];

/** Names of `index.js` and of its static imports, in the package in this directory. */
export function atOnce(directory) {
  const names = new Set(["index.js"]);
  for (const name of names) {
    const text = readFileSync(new URL(name, directory), "utf8");
    for (const [, other] of text.matchAll(/(?:^|[;}])(?:import|export)\b[^;"]*\bfrom ?"\.\/([^"]+)"/gm)) names.add(other);
  }
  return [...names];
}

/** Names of the files that a page loads from the package in this directory. */
export const filesOf = ({ modules }, directory) => [...atOnce(directory), ...modules].sort();
