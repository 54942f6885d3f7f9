// Lists the files of the package that each kind of page loads before its first value. A browser test compares the lists
// with the requests of such pages.
import { readFileSync } from "node:fs";

/** First part of the main module, which every page loads. */
const MAIN = "rectilinear_zarr_bg.wasm";

/** A later part of the main module, which pages load where they need it. */
export const later = (part) => `rectilinear_zarr_${part}_bg.wasm`;

/**
 * Kinds of pages: the codec of the chunk that they read by URL, or what is read; the later parts of the main module that
 * they load first, in addition to `index.js` and its imports; and the goal for all files in bytes of gzip.
 */
export const PAGES = [
  { page: "zstd", parts: [], goal: 215_000 },
  { page: "uncompressed", parts: [], goal: 215_000 },
  { page: "metadata", parts: [], goal: 215_000 },
  { page: "rectilinear chunks", parts: ["grids"], goal: 225_000 },
  { page: "zstd in shards", parts: ["grids"], goal: 225_000 },
  { page: "blosc", parts: ["codecs"], goal: 225_000 },
  { page: "gzip", parts: ["codecs"], goal: 225_000 },
  { page: "Zarr v2, blosc", parts: ["codecs", "opening"] },
];

const STATIC = /(?:^|[;}])(?:import|export)\b[^;"]*\bfrom ?"\.\/([^"]+)"/gm;
const DYNAMIC = /\bimport\("\.\/([^"]+)"\)/g;

/** Names of these files and of what their imports lead to, in the package in this directory, but for those left out. */
function imported(directory, entries, patterns, isLeftOut = () => false) {
  const names = new Set(entries);
  for (const name of names) {
    const text = readFileSync(new URL(name, directory), "utf8");
    const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, other]) => other));
    for (const other of found) if (!isLeftOut(other)) names.add(other);
  }
  return [...names];
}

/** Names of an entry, by default `index.js`, and of its static imports, in the package in this directory. */
export const atOnce = (directory, entry = "index.js") => imported(directory, [entry], [STATIC]);

/** Names of a module and of all that it imports at once and later, but for what the main entry loads at once. */
export function inAll(directory, name) {
  const there = new Set(atOnce(directory));
  return imported(directory, [name], [STATIC, DYNAMIC], (other) => there.has(other));
}

/** Names of the files that a page loads from the package in this directory. */
export const filesOf = ({ parts }, directory) => [...atOnce(directory), MAIN, ...parts.map(later)].sort();
