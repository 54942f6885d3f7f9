/** Counts requests and kB of one row of a sparse matrix of a million rows, from cold, beside those of zarrita. Runs in Node. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as zarrita from "zarrita";

import { PACKAGE } from "../browser/support/paths.mjs";
import { files, listen } from "../browser/support/server.mjs";
import { DATA, PYTHON, columns } from "./support/table.mjs";

const HOME = join(DATA, "sparse");
const ROW = 765_432;

/** Most requests of ours for one row of chunks without shards, the opening included. */
const MOST = 4;

/** Writes the data once, with zarr-python. */
function write() {
  const done = join(HOME, "done");
  const script = join(import.meta.dirname, "support/sparse_data.py");
  const text = readFileSync(script, "utf8");
  if (existsSync(done) && readFileSync(done, "utf8") === text) return;
  mkdirSync(HOME, { recursive: true });
  execFileSync(PYTHON, ["-W", "ignore", script, HOME], { stdio: "inherit" });
  writeFileSync(done, text);
}

/** The row by this package. */
async function ours(url) {
  const { Group } = await import(join(PACKAGE, "node.js"));
  const { sparse } = await import(join(PACKAGE, "sparse.js"));
  const { data, indices } = await (await sparse(await Group.open(url), "X")).row(ROW);
  return [data.length, indices[0]];
}

/** Opens the arrays by zarrita. */
async function arraysOf(url) {
  const store = await zarrita.withConsolidatedMetadata(new zarrita.FetchStore(url), { format: "v3" });
  const root = await zarrita.open.v3(store, { kind: "group" });
  return Promise.all(["indptr", "indices", "data"].map((name) => zarrita.open.v3(root.resolve(`X/${name}`), { kind: "array" })));
}

/** The row by zarrita, with pointers read first. */
async function byHand(url) {
  const [indptr, indices, data] = await arraysOf(url);
  const [start, stop] = Array.from((await zarrita.get(indptr, [zarrita.slice(ROW, ROW + 2)])).data, Number);
  const [found, values] = await Promise.all([indices, data].map((array) => zarrita.get(array, [zarrita.slice(start, stop)])));
  return [values.data.length, found.data[0]];
}

/** The row out of the whole arrays, which Vitessce reads of a CSR matrix. */
async function whole(url) {
  const [indptr, indices, data] = (await Promise.all((await arraysOf(url)).map((array) => zarrita.get(array)))).map((region) => region.data);
  const [start, stop] = [Number(indptr[ROW]), Number(indptr[ROW + 1])];
  return [data.subarray(start, stop).length, indices[start]];
}

const READERS = { ours, "zarrita, by hand": byHand, "zarrita, whole arrays": whole };

/** Prints the table. */
export async function sparse() {
  write();
  console.log(`\none row of a CSR matrix of 1,000,000 rows, from cold\n${"".padEnd(34)}${columns(["requests", "kB"], 12)}`);
  for (const name of ["plain", "sharded"]) {
    const serve = files(join(HOME, `${name}.zarr`));
    let bytes = 0;
    const host = await listen((request, response) => {
      for (const method of ["write", "end"]) {
        const send = response[method];
        response[method] = (part, ...rest) => {
          if (part?.length && request.method !== "HEAD") bytes += part.length;
          return send.call(response, part, ...rest);
        };
      }
      serve(request, response);
    });
    const results = [];
    for (const [reader, read] of Object.entries(READERS)) {
      host.requests.length = 0;
      bytes = 0;
      results.push(JSON.stringify(await read(host.url)));
      const { length } = host.requests;
      console.log(`${name.padEnd(10)}${reader.padEnd(24)}${columns([String(length), (bytes / 1000).toFixed(0)], 12)}`);
      if (reader === "ours" && name === "plain" && length > MOST) throw new Error(`ours takes ${length} requests, more than ${MOST}`);
    }
    await host.close();
    if (new Set(results).size !== 1) throw new Error(`readers differ: ${results.join(" ")}`);
  }
}
