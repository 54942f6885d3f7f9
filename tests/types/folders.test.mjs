/** The files of src/web: which folder may use which, and that each file is used. rolldown refuses circles of files. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ts = createRequire(import.meta.url)("typescript-5");
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WEB = join(ROOT, "src/web");

/** In dependency order: a folder uses itself and those before it. A build writes the JavaScript of `wasm`. */
const FOLDERS = ["wasm", "common", "bridge", "fetch", "codecs", "labels", "sparse", "healpix", "conventions", "stores", "access", "class", "load", "stac", "answers", "levels", "views", "adapters"];

const files = readdirSync(WEB, { recursive: true }).filter((path) => path.endsWith(".js"));

/** Pairs of a file and a file that it imports. */
const imports = files.flatMap((path) => {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(WEB, path), "utf8"), true, true);
  const own = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith("."));
  return own.map((name) => [path, join(dirname(path), name)]);
});

test("folders of src/web use only those before them", () => {
  assert.ok(imports.length > 200, `the search found ${imports.length} imports`);
  assert.deepEqual([...new Set(files.map((path) => dirname(path)))].sort(), FOLDERS.filter((name) => name !== "wasm").sort());
  const place = (path) => FOLDERS.indexOf(path.split("/")[0]);
  assert.deepEqual(imports.filter(([path, other]) => place(other) > place(path)), []);
});

test("each file of src/web is an entry, or is imported by another one or by Rust", () => {
  const found = (path, pattern) => [...readFileSync(join(ROOT, path), "utf8").matchAll(pattern)].map(([, name]) => name);
  const entries = found(".tools/bundle.mjs", /^ {2}"(\w+\/[\w-]+\.js)",$/gm);
  const rust = readdirSync(join(ROOT, "src/js"), { recursive: true }).filter((path) => path.endsWith(".rs"));
  const bound = rust.flatMap((path) => found(join("src/js", path), /raw_module = "\.\.\/([^"]+)"/g));
  assert.ok(entries.length > 10 && bound.length > 10, "the search found entries, and files that Rust imports");
  const used = new Set([...entries, ...bound, ...imports.map(([, other]) => other)]);
  assert.deepEqual(files.filter((path) => !used.has(path)), []);
});
