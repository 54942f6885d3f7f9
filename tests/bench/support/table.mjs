/** What the benchmarks share: the data, and how rows of a table are written. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { ROOT } from "../../browser/support/paths.mjs";

/** Where `data.py` writes. */
export const DATA = join(ROOT, "target/bench");

/** Modules that the benchmark's page has too. */
export const READS = join(ROOT, "www/src/bench");

/** Modules of benches that run in pages. */
export const PAGE = join(import.meta.dirname, "../page");

/** Where the oracle's Python is. */
export const PYTHON = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");

/** Has zarr-python write the arrays that are not there yet. */
export function writeData() {
  execFileSync(PYTHON, ["-W", "ignore", join(import.meta.dirname, "data.py"), DATA], { stdio: "inherit" });
}

/** Values one after the other, each right in its column. */
export const columns = (values, width) => values.map((value) => value.padStart(width)).join("");

/** The names that are among these words, else those that have one of them in it; all names where no word picks any. */
export function picked(names, words) {
  const exact = names.filter((name) => words.includes(name));
  const parts = names.filter((name) => words.some((word) => name.includes(word)));
  return [exact, parts, names].find((found) => found.length);
}
