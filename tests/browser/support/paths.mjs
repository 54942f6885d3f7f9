/** Paths of the repository. */

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { unpacked } from "./archives.mjs";

export const ROOT = resolve(import.meta.dirname, "../../..");
/** The built package; RECTILINEAR_PACKAGE names another build to test. */
export const PACKAGE = process.env.RECTILINEAR_PACKAGE ?? join(ROOT, "pkg");
/** The modules of src/web beside what the build wrote, before they are joined to the package. */
export const BUILT = join(ROOT, "target/web");
const UNPACKED = unpacked(ROOT);
/** The oracle's fixtures. */
export const FIXTURES = join(UNPACKED, "fixtures");
/** The fixtures of tests/neighbours. */
export const NEIGHBOURS = join(UNPACKED, "neighbours");
/** The package's dependency. */
export const ZIP_JS = join(ROOT, "tests/node_modules/@zip.js/zip.js");
export const SUPPORT = import.meta.dirname;

/** A list of the oracle: "index.json" or "broken.json". */
export async function oracle(name, directory = FIXTURES) {
  return JSON.parse(await readFile(join(directory, name), "utf8"));
}
