/** Common parts of the benchmarks: the data, and rows of tables. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { ROOT } from "../../browser/support/paths.mjs";

/** Output folder of `data.py`. */
export const DATA = join(ROOT, "target/bench");

/** Modules shared with the benchmark's page. */
export const READS = join(ROOT, "www/src/bench");

/** Modules of benches that run in pages. */
export const PAGE = join(import.meta.dirname, "../page");

/** Python of the oracle. */
export const PYTHON = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");

/** Writes missing arrays with zarr-python. */
export function writeData() {
  execFileSync(PYTHON, ["-W", "ignore", join(import.meta.dirname, "data.py"), DATA], { stdio: "inherit" });
}

/** Values in right-aligned columns. */
export const columns = (values, width) => values.map((value) => value.padStart(width)).join("");

/** Picks names that equal a word, else names that contain one, else all names. */
export function picked(names, words) {
  const exact = names.filter((name) => words.includes(name));
  const parts = names.filter((name) => words.some((word) => name.includes(word)));
  return [exact, parts, names].find((found) => found.length);
}
