/** Writes the examples of the README, the documentation and the shipped types as TypeScript files, for `tsc` to check: `make test-types`. */

import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";

import { nameOf, snippets } from "./snippets.mjs";

const types = new URL("../../src/types/", import.meta.url);
const target = new URL("examples/", import.meta.url);

/** The `@example` blocks of doc comments. */
function documented(text) {
  return [...text.matchAll(/@example\n(.*?)(?=\n\s*\*\/|\n\s*\* @)/gs)].map(([, block]) => block.replaceAll(/^\s*\* ?/gm, ""));
}

/** Exports of the package's entries that examples use. */
const EXPORTS = {
  "rectilinear-zarr": ["RectilinearArray", "Group", "codecs", "decoder", "slice"],
  "rectilinear-zarr/stores": ["directoryStore", "zipStore"],
  "rectilinear-zarr/levels": ["Levels", "scene"],
  "rectilinear-zarr/adapters": ["asRegularStore", "fetchHandler", "registerViews", "toZarrita"],
  "rectilinear-zarr/access": ["azure", "gcs", "list", "planetary", "s3"],
  "rectilinear-zarr/stac": ["stac"],
  "rectilinear-zarr/answers": ["reduce", "series", "zonal"],
  "rectilinear-zarr/sparse": ["ragged", "sparse", "table"],
  "rectilinear-zarr/healpix": ["healpix"],
};

/** Doc examples name what the package exports without importing it. */
function whole(code) {
  if (/^(?:import|export) /m.test(code)) return code;
  const imports = Object.entries(EXPORTS).map(([entry, names]) => {
    const used = names.filter((name) => code.includes(name));
    return used.length > 0 ? `import { ${used.join(", ")} } from "${entry}";\n` : "";
  });
  return `${imports.join("")}${code}\nexport {};\n`;
}

/** The examples of the shipped types, by name. */
async function ofTypes() {
  const names = (await readdir(types, { recursive: true })).filter((name) => name.endsWith(".d.ts")).sort();
  const examples = await Promise.all(
    names.map(async (name) =>
      documented(await readFile(new URL(name, types), "utf8")).map((code, nth) => [`types-${basename(name, ".d.ts")}-${nth}`, code]),
    ),
  );
  return examples.flat();
}

const pages = await snippets();
const examples = {
  "README.md": pages.filter(({ page }) => page === "README.md").map((snippet) => [nameOf(snippet), snippet.code]),
  "the documentation": pages.filter(({ page }) => page !== "README.md").map((snippet) => [nameOf(snippet), snippet.code]),
  "the types": await ofTypes(),
};
for (const [where, found] of Object.entries(examples)) {
  if (found.length === 0) throw new Error(`no examples found in ${where}: the patterns or the texts have changed`);
}

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
await Promise.all(Object.values(examples).flat().map(([name, code]) => writeFile(new URL(`${name}.ts`, target), whole(code))));
console.log(Object.entries(examples).map(([where, { length }]) => `${length} examples of ${where}`).join(", "));
