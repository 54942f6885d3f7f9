/** Sources of the benchmarks, each with the same store: in the page, and as files on nginx. */

import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

import { startNginx } from "../../browser/support/nginx.mjs";
import { PAGE, READS } from "./table.mjs";

/** Names of sources: a `Map`, a store with synchronous methods, one with asynchronous methods, and a URL. */
export const SOURCES = ["map", "sync", "async", "url"];

/** Folder of an earlier package that decode and panning measure too, from BEFORE; empty for none. */
export const BEFORE = process.env.BEFORE ? resolve(process.env.BEFORE) : "";

/** Values of an array of `data.py`, by key. */
export function valuesOf(folder, name) {
  const places = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const bytes = readFileSync(join(folder, `${name}.bin`));
  return new Map(Object.entries(places).map(([key, [start, stop]]) => [key, bytes.subarray(start, stop)]));
}

/**
 * Starts nginx with a page, the benchmark's modules, the earlier package at /before, zarrita's files if given, and an
 * array's values at /store.
 */
export async function startStore(values, zarrita = []) {
  const files = new Map([...values].map(([key, bytes]) => [`/store${key}`, bytes]));
  files.set("/reads/reads.js", readFileSync(join(READS, "reads.js")));
  for (const name of readdirSync(PAGE)) files.set(`/bench/${name}`, readFileSync(join(PAGE, name)));
  if (BEFORE) {
    for (const entry of readdirSync(BEFORE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
      const path = join(entry.parentPath, entry.name);
      files.set(`/before${path.slice(BEFORE.length)}`, readFileSync(path));
    }
  }
  for (const [name, bytes] of zarrita) files.set(`/zarrita/${name}`, bytes);
  let at = 0;
  const places = [...values].map(([key, bytes]) => [key, at, (at += bytes.length)]);
  files.set("/places.json", Buffer.from(JSON.stringify(places)));
  files.set("/values.bin", Buffer.concat([...values.values()]));
  return startNginx(files);
}

/** Opens the store at /store as each of the sources. Runs in the page. */
export async function openSources() {
  const [places, values] = await Promise.all([
    fetch("/places.json").then((response) => response.json()),
    fetch("/values.bin").then((response) => response.arrayBuffer()),
  ]);
  const map = new Map(places.map(([key, start, stop]) => [key, new Uint8Array(values.slice(start, stop))]));
  const part = (value, range) => {
    if (!value) return undefined;
    if (range.suffixLength !== undefined) return value.subarray(value.length - range.suffixLength);
    return value.subarray(range.offset, range.offset + range.length);
  };
  const sync = { get: (key) => map.get(key), getRange: (key, range) => part(map.get(key), range) };
  const async = { get: async (key) => map.get(key), getRange: async (key, range) => part(map.get(key), range) };
  return { map, sync, async, url: `${location.origin}/store` };
}
