/** zarrita as one module for pages, with its codecs as modules that are imported on demand. */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

import { ROOT } from "../../browser/support/paths.mjs";

/** Output folder of the bundle. */
export const ZARRITA = join(ROOT, "target/bench-zarrita");

/** Bundles zarrita; returns its files by name. */
export async function bundledZarrita() {
  const entry = join(ROOT, "tests/node_modules/zarrita/dist/src/index.js");
  const lib = { entry, formats: ["es"], fileName: () => "zarrita.js" };
  const output = { outDir: ZARRITA, emptyOutDir: true, lib, rolldownOptions: { output: { chunkFileNames: "[name].js" } } };
  await build({ root: ROOT, configFile: false, logLevel: "silent", publicDir: false, build: output });
  return new Map(readdirSync(ZARRITA).map((name) => [name, readFileSync(join(ZARRITA, name))]));
}
