// Joins the JavaScript of a package: node .tools/bundle.mjs DIRECTORY. Each import in a file is a round trip on a page
// without a bundler, and small files compress badly. Entries keep their names. What the main entry needs at once is in
// `rectilinear_zarr.js`; what loads later keeps files of its own.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";

import { atOnce, inAll } from "./downloads.mjs";
import { minified } from "./minify-web.mjs";
import { notices } from "./notices.mjs";

const require = createRequire(new URL("../tests/package.json", import.meta.url));
const { rolldown } = await import(require.resolve("rolldown"));

const [directory] = process.argv.slice(2).map((path) => resolve(path));
const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));

/** Files that programs name: those of the manifest, and the script of workers. */
const targets = Object.values(exports).flatMap((target) => (typeof target === "string" ? target : Object.values(target)));
const entries = new Set([...targets.filter((path) => path.endsWith(".js")).map((path) => basename(path, ".js")), "decode-worker"]);
const input = Object.fromEntries([...entries].map((name) => [name, join(directory, `${name}.js`)]));

const here = new URL(`file://${directory}/`);

/** Modules that start workers, for pages only. */
const PAGE = ["index.js", "workers.js"];
/** Modules that the main entry needs at once, and other entries too. */
const first = new Set(atOnce(here).filter((name) => !PAGE.includes(name)));
const modules = readdirSync(directory).filter((name) => name.endsWith(".js") && !name.startsWith("inlined"));
const needs = new Map(modules.map((name) => [name, new Set(atOnce(here, name))]));
const isEntry = (name) => entries.has(basename(name, ".js"));
const reached = new Map([...entries].map((name) => [name, new Set(inAll(here, `${name}.js`))]));

/** Modules that one entry alone needs, at once and with what it loads later: in one file, as small files compress badly. */
function sharedParts(entry) {
  const own = needs.get(`${entry}.js`);
  const isOwn = (name) => !isEntry(name) && !first.has(name) && [...reached].every(([other, names]) => other === entry || !names.has(name));
  const isLater = (name) => modules.some((module) => !own.has(module) && needs.get(module).has(name));
  return new Set([...own].filter((name) => isOwn(name) && isLater(name)));
}

const parts = [...entries].map((entry) => ({ name: `${entry}-parts`, names: sharedParts(entry) })).filter(({ names }) => names.size > 1);
const beside = new Set(parts.flatMap(({ names }) => [...names].flatMap((name) => [...needs.get(name)].filter((other) => !names.has(other) && !first.has(other)))));
const groups = [
  { name: "rectilinear_zarr", test: (id) => id.startsWith("\0") || first.has(basename(id)), priority: 2 },
  { name: "page", test: (id) => PAGE.includes(basename(id)), priority: 1 },
  ...parts.map(({ name, names }) => ({ name, test: (id) => names.has(basename(id)) })),
  // A group takes what its modules import, unless another group has it: what other entries share stays apart.
  ...[...beside].map((module) => ({ name: basename(module, ".js"), test: (id) => basename(id) === module, priority: 1 })),
];

const bundle = await rolldown({
  input,
  // What is not of the package, and modules as text.
  external: (id, importer) => importer !== undefined && (!/^[./]/.test(id) || id.includes("inlined")),
  preserveEntrySignatures: "strict",
});
const { output } = await bundle.generate({
  format: "es",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  minifyInternalExports: false,
  codeSplitting: { groups },
});
const isText = (name) => name.startsWith("inlined");
for (const name of readdirSync(directory).filter((name) => name.endsWith(".js") && !isText(name))) rmSync(join(directory, name));
for (const { fileName, code } of output) writeFileSync(join(directory, fileName), minified(fileName, code));
// What ships says whose code is in it.
writeFileSync(join(directory, "THIRD-PARTY-NOTICES"), notices());
console.log(`joined the JavaScript: ${output.length} files, of which a page loads ${atOnce(here).length} at once`);
