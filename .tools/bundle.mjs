// Lays the package out with rolldown: node .tools/bundle.mjs WEB PACKAGE. WEB has the folders of src/web, and in `wasm` what
// the build wrote. Each import is a round trip on a page without a bundler, and small files compress badly, so modules are
// joined: entries keep their names, what the main entry needs at once is in `rectilinear_zarr.js`, and what loads later
// stays apart. All entries import the same files, so that a page has one instance of each module.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

import { notices } from "./notices.mjs";

const require = createRequire(new URL("../tests/package.json", import.meta.url));
const { rolldown } = await import(require.resolve("rolldown"));

const [web, directory] = process.argv.slice(2).map((path) => resolve(path));
const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));

/** Modules that programs name by the manifest, and the script of workers. The main entry is first: its modules keep the order in which it needs them. */
const ENTRIES = [
  "load/index.js",
  "load/node.js",
  "load/inline.js",
  "stores/stores.js",
  "adapters/adapters.js",
  "levels/levels.js",
  "levels/levels-node.js",
  "healpix/healpix.js",
  "sparse/sparse.js",
  "access/access.js",
  "answers/answers.js",
  "stac/stac.js",
  "stac/stac-node.js",
  "load/worker.js",
  "load/decode-worker.js",
  "adapters/service-worker.js",
];
const targets = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? target : Object.values(target)));
const scripts = [...new Set([...targets.filter((path) => path.endsWith(".js")).map((path) => basename(path)), "decode-worker.js"])].sort();
const entries = ENTRIES.map((path) => basename(path)).sort();
if (scripts.join() !== entries.join()) throw new Error(`the manifest names ${scripts}, and the entries are ${entries}`);

/** Packages that the manifest names, and this one itself, which a bundler or an import map finds. */
const packages = [manifest.name, ...Object.keys(manifest.dependencies)];

const at = (path) => join(web, path);

/** Modules that start workers. A worker's script must not import them: bundlers would find the script within itself. */
const PAGE = ["load/index.js", "load/workers.js"].map(at);

/** Modules that the main entry needs at once, in workers too. */
const first = new Set();

/** Modules that the entry of a folder needs at once, in one file each. What loads later, or another entry, imports some of them. */
const joined = { healpix: new Set(), access: new Set(), answers: new Set() };

/** Adds a module and what it needs at once, as far as `isPart` says so. */
function addNeeded(found, id, infoOf, isPart) {
  if (found.has(id) || !isPart(id)) return;
  found.add(id);
  for (const other of infoOf(id).importedIds) addNeeded(found, other, infoOf, isPart);
}

const layout = {
  name: "layout",
  buildEnd() {
    const infoOf = (id) => this.getModuleInfo(id);
    addNeeded(first, at("load/index.js"), infoOf, () => true);
    for (const id of PAGE) first.delete(id);
    for (const [folder, found] of Object.entries(joined)) {
      const entry = at(`${folder}/${folder}.js`);
      addNeeded(found, entry, infoOf, (id) => id.startsWith(at(`${folder}/`)));
      found.delete(entry);
    }
  },
};

/** The package is flat, so a file that is no entry has the folder of its module in its name: `sparse-matrix.js`. */
function chunkFileNames({ name, moduleIds }) {
  const id = moduleIds.find((id) => basename(id, ".js") === name && id.startsWith(web));
  const folder = id && basename(dirname(id));
  return folder === undefined || folder === "wasm" ? "[name].js" : `${folder}-[name].js`;
}

/** Some bundlers do not resolve an address in a template literal, which the minifier makes of every string. */
const quoted = (code) => code.replaceAll(/\b(import\(|new URL\()`([^`$]*)`/g, '$1"$2"');

const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((path) => [basename(path, ".js"), at(path)])),
  external: (id) => id.startsWith("node:") || packages.some((name) => id === name || id.startsWith(`${name}/`)),
  platform: "neutral",
  preserveEntrySignatures: "allow-extension",
  plugins: [layout],
  // No circle of imports, and nothing else that rolldown warns of.
  checks: { circularDependency: true },
  onLog(_, { message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.generate({
  format: "es",
  entryFileNames: "[name].js",
  chunkFileNames,
  minifyInternalExports: false,
  // Functions, classes and exports keep their names, for stack traces.
  minify: { mangle: { toplevel: false, keepNames: true }, compress: { keepNames: { function: true, class: true } } },
  comments: { annotation: true, legal: false, jsdoc: false },
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { name: "rectilinear_zarr", test: (id) => first.has(id) },
      ...Object.entries(joined).map(([folder, found]) => ({ name: `${folder}-parts`, test: (id) => found.has(id) })),
    ],
  },
});
for (const { fileName, code } of output) writeFileSync(join(directory, fileName), quoted(code));
// What ships says whose code is in it.
writeFileSync(join(directory, "THIRD-PARTY-NOTICES"), notices());
console.log(`joined the JavaScript: ${output.length} files`);
