/**
 * The source files whose functions run in one `get` of a zstd chunk by URL: `make walk`. A build without optimisation is
 * run in Node against a host, so nothing is guessed. Prints the files and their number, and fails where it is over MOST.
 */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { ROOT } from "../browser/support/paths.mjs";
import { startSite } from "../browser/support/server.mjs";

const MOST = 60;

const walk = join(ROOT, "target/walk");
const base = `${pathToFileURL(walk).href}/`;
const at = (name) => import(base + name);

/** The file of a Rust path: the longest one that names a module. */
function rustFile([crate, ...names]) {
  const folder = crate === "rectilinear_zarr_kernels" ? "src/kernels" : "src";
  for (let length = names.length; length > 0; length--) {
    const path = [folder, ...names.slice(0, length)].join("/");
    const found = [`${path}.rs`, `${path}/mod.rs`].find((file) => existsSync(join(ROOT, file)));
    if (found) return found;
  }
  return `${folder}/lib.rs`;
}

const functions = JSON.parse(await readFile(join(walk, "functions.json"), "utf8"));
const [{ RectilinearArray }, { numbers }] = await Promise.all([at("load/node.js"), at("wasm/ran.js")]);
const site = await startSite();
const session = new Session();
session.connect();
const files = new Set();
try {
  const array = await RectilinearArray.open(`${site.url}/data/codec-zstd.zarr`, { workers: 0 });
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  numbers.clear();
  const { data } = await array.get([0, 0, 0]);
  const ran = [...numbers];
  const { result } = await session.post("Profiler.takePreciseCoverage");
  if (data.length !== 1) throw new Error("the get gave no value");
  for (const number of ran) files.add(rustFile(functions[number]));
  for (const { url, functions: called } of result) {
    const path = url.slice(base.length);
    const isOurs = url.startsWith(base) && !path.startsWith("wasm/");
    if (isOurs && called.some(({ functionName, ranges }) => functionName && ranges[0].count > 0)) files.add(`src/web/${path}`);
  }
} finally {
  session.disconnect();
  await site.close();
}

const rooms = {};
for (const file of [...files].sort()) {
  console.log(file);
  const room = file.split("/")[1];
  rooms[room] = (rooms[room] ?? 0) + 1;
}
console.log(Object.entries(rooms).map(([room, count]) => `${room} ${count}`).join(", "));
console.log(`one get of a zstd chunk by URL passes ${files.size} files, at most ${MOST}`);
if (files.size > MOST) process.exitCode = 1;
