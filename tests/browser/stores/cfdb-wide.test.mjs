/**
 * Files of cfdb's with many variables: the group opens with every one of them, however its index is looked at. Every
 * count is read over HTTP in Node, the fewest and the most in a page.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";

import { imported } from "../support/in-node.mjs";
import { startNetwork } from "../support/network.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = join(NEIGHBOURS, "cfdb");
const COUNTS = Array.from({ length: 118 }, (_, nth) => nth + 4);

/** A file of cfdb's whose document names only the first `count` variables: the rest of the document is blanks. */
function narrowed(file, count) {
  const copy = Buffer.from(file);
  const start = copy.lastIndexOf('{"dataset_type"');
  const end = copy.indexOf('"format_version":1}', start) + '"format_version":1}'.length;
  const { variables, ...rest } = JSON.parse(copy.subarray(start, end).toString());
  const kept = Object.fromEntries(Object.entries(variables).slice(0, count));
  copy.write(JSON.stringify({ ...rest, variables: kept }).padEnd(end - start), start);
  return copy;
}

/** Of each file's group: the members with their attributes, the values of the last one, and the requests of `Group.open`. */
async function open({ Group }, { name, counts, host }) {
  const found = [];
  for (const count of counts) {
    const requests = [];
    try {
      const options = { workers: 0, onRequest: ({ bytes }) => requests.push(bytes) };
      const group = await Group.open(`${host}/${name}-${count}.cfdb`, options);
      const opening = requests.length;
      const members = group.tree().map(({ path, attrs }) => [path, attrs.number ?? null]);
      const last = await group.array(members.at(-1)[0]);
      found.push({ members, values: [...(await last.get()).data], requests: opening });
    } catch ({ name, message }) {
      found.push({ error: `${count}: ${name}: ${message}` });
    }
  }
  return found;
}

/** Checks what was found in files of so many variables. */
function areRight(found, counts) {
  assert.deepEqual(found.flatMap(({ error }) => error ?? []), []);
  for (const [nth, { members, values }] of found.entries()) {
    const numbers = Array.from({ length: counts[nth] - 1 }, (_, number) => number);
    const wanted = numbers.map((number) => [`v${String(number).padStart(3, "0")}`, number % 2 ? number : null]);
    assert.deepEqual(members, [["n", null], ...wanted]);
    assert.deepEqual(values, [numbers.at(-1), numbers.at(-1) + 1]);
  }
  // The head, two buckets or the table, the document, the table, and all attributes, whose blocks lie side by side.
  assert.ok(found.at(-1).requests <= 6, `${found.at(-1).requests} requests`);
}

describe("files of cfdb's with many variables", () => {
  let network;
  let hosts;
  let zarr;
  before(async () => {
    network = await startNetwork(new Map());
    hosts = [network.near, network.far];
    zarr = await imported("node.js");
  });
  after(() => network?.close());

  for (const name of ["default", "12007", "reindexed"]) {
    test(`4 to 121 of them, in a file whose index is ${name}`, async () => {
      const file = gunzipSync(await readFile(join(SETS, `wide-${name}.cfdb.gz`)));
      for (const host of hosts) host.files = new Map(COUNTS.map((count) => [`/${name}-${count}.cfdb`, narrowed(file, count)]));
      areRight(await open(zarr, { name, counts: COUNTS, host: network.far.url }), COUNTS);
      const few = [COUNTS[0], COUNTS.at(-1)];
      areRight(await network.run(open, { name, counts: few, host: network.near.url }), few);
    });
  }
});
