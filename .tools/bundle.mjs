// Joins the JavaScript of a package: node .tools/bundle.mjs DIRECTORY. Each import in a file is a round trip on a page
// without a bundler, and small files compress badly. Entries keep their names. What the main entry needs at once is in
// `rectilinear_zarr.js`; what loads later keeps files of its own.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";

import { atOnce } from "./downloads.mjs";
import { minified } from "./minify-web.mjs";

const require = createRequire(new URL("../tests/package.json", import.meta.url));
const { rolldown } = await import(require.resolve("rolldown"));

const [directory] = process.argv.slice(2).map((path) => resolve(path));
const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));

/** Files that programs name: those of the manifest, and the worker's script. */
const targets = Object.values(exports).flatMap((target) => (typeof target === "string" ? target : Object.values(target)));
const entries = new Set([...targets.filter((path) => path.endsWith(".js")).map((path) => basename(path, ".js")), "worker"]);
const input = Object.fromEntries([...entries].map((name) => [name, join(directory, `${name}.js`)]));

/** Modules that start workers, for pages only. */
const PAGE = ["index.js", "workers.js"];
/** Modules that the main entry needs at once, and other entries too. */
const first = new Set(atOnce(new URL(`file://${directory}/`)).filter((name) => !PAGE.includes(name)));
const groups = [
  { name: "rectilinear_zarr", test: (id) => id.startsWith("\0") || first.has(basename(id)), priority: 2 },
  { name: "page", test: (id) => PAGE.includes(basename(id)), priority: 1 },
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
console.log(`joined the JavaScript: ${output.length} files, of which a page loads ${atOnce(new URL(`file://${directory}/`)).length} at once`);
