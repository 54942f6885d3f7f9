/** The folders of src/web, in dependency order: a folder uses itself and those before it. rolldown refuses circles of files. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ts = createRequire(import.meta.url)("typescript-5");
const WEB = fileURLToPath(new URL("../../src/web", import.meta.url));

/** What a build writes, `wasm`, may be used by all. */
const FOLDERS = ["wasm", "common", "bridge", "fetch", "codecs", "labels", "sparse", "healpix", "conventions", "stores", "class", "load", "levels", "views", "adapters"];

test("folders of src/web use only those before them", () => {
  const files = readdirSync(WEB, { recursive: true }).filter((path) => path.endsWith(".js"));
  const found = files.flatMap((path) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(WEB, path), "utf8"), true, true);
    const own = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith("."));
    return own.map((name) => [path, relative(WEB, join(WEB, dirname(path), name))]);
  });
  assert.ok(found.length > 200, `the search found ${found.length} imports`);
  assert.deepEqual([...new Set(files.map((path) => dirname(path)))].sort(), FOLDERS.filter((name) => name !== "wasm").sort());
  const places = (path) => FOLDERS.indexOf(path.split("/")[0]);
  assert.deepEqual(found.filter(([path, other]) => places(other) > places(path)), []);
});
