/** Writes the examples of the README and of the shipped types as TypeScript files, for `tsc` to check: `make test-types`. */

import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";

const root = new URL("../../", import.meta.url);
const target = new URL("examples/", import.meta.url);

/** The code blocks of a Markdown text that are JavaScript or TypeScript. */
function fenced(text) {
  return [...text.matchAll(/^```(?:js|ts)\n(.*?)^```/gms)].map(([, code]) => code);
}

/** The `@example` blocks of doc comments. */
function documented(text) {
  return [...text.matchAll(/@example\n(.*?)(?=\n\s*\*\/|\n\s*\* @)/gs)].map(([, block]) => block.replaceAll(/^\s*\* ?/gm, ""));
}

/** What the package's entries export that examples use. */
const EXPORTS = {
  "rectilinear-zarr": ["RectilinearArray", "Group", "slice"],
  "rectilinear-zarr/stores": ["directoryStore", "zipStore"],
  "rectilinear-zarr/adapters": ["asRegularStore", "fetchHandler", "toZarrita"],
};

/** Doc examples name what the package exports without importing it. */
function whole(code) {
  if (code.includes("import ")) return code;
  const imports = Object.entries(EXPORTS).map(([entry, names]) => {
    const used = names.filter((name) => code.includes(name));
    return used.length > 0 ? `import { ${used.join(", ")} } from "${entry}";\n` : "";
  });
  return `${imports.join("")}${code}\nexport {};\n`;
}

const readme = fenced(await readFile(new URL("README.md", root), "utf8"));
const pages = (await readdir(new URL("src/js/", root))).filter((name) => name.endsWith(".d.ts")).sort();
const declared = pages.map((name) => readFile(new URL(`src/js/${name}`, root), "utf8"));
const types = (await Promise.all(declared)).flatMap(documented);
if (readme.length === 0 || types.length === 0) throw new Error("no examples found: the patterns or the texts have changed");

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
await Promise.all([
  ...readme.map((code, nth) => writeFile(new URL(`readme-${nth}.ts`, target), whole(code))),
  ...types.map((code, nth) => writeFile(new URL(`types-${nth}.ts`, target), whole(code))),
]);
console.log(`${readme.length} examples of the README, ${types.length} of the types`);
