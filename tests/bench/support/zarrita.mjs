/** zarrita as one module for pages, and its codecs, which it imports when it needs them. */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

import { ROOT } from "../../browser/support/paths.mjs";

/** Where it is bundled to. */
export const ZARRITA = join(ROOT, "target/bench-zarrita");

/** Bundles zarrita; its files by name. */
export async function bundledZarrita() {
  const entry = join(ROOT, "tests/node_modules/zarrita/dist/src/index.js");
  const lib = { entry, formats: ["es"], fileName: () => "zarrita.js" };
  const output = { outDir: ZARRITA, emptyOutDir: true, lib, rolldownOptions: { output: { chunkFileNames: "[name].js" } } };
  await build({ root: ROOT, configFile: false, logLevel: "silent", publicDir: false, build: output });
  return new Map(readdirSync(ZARRITA).map((name) => [name, readFileSync(join(ZARRITA, name))]));
}
