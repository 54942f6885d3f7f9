/** Writes the examples of the README, the documentation and the shipped types as TypeScript files, for `tsc` to check: `make test-types`. */

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

/** The files of a directory, by name. */
async function texts(directory, ending) {
  const names = (await readdir(new URL(directory, root))).filter((name) => name.endsWith(ending)).sort();
  return Promise.all(names.map((name) => readFile(new URL(directory + name, root), "utf8")));
}

const examples = {
  readme: fenced(await readFile(new URL("README.md", root), "utf8")),
  docs: (await texts("www/docs/", ".md")).flatMap(fenced),
  types: (await texts("src/types/", ".d.ts")).flatMap(documented),
};
for (const [where, found] of Object.entries(examples)) {
  if (found.length === 0) throw new Error(`no examples found in ${where}: the patterns or the texts have changed`);
}

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
const files = Object.entries(examples).flatMap(([where, found]) => found.map((code, nth) => [`${where}-${nth}.ts`, code]));
await Promise.all(files.map(([name, code]) => writeFile(new URL(name, target), whole(code))));
console.log(Object.entries(examples).map(([where, { length }]) => `${length} examples of the ${where}`).join(", "));
