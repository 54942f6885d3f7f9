/** Files of cfdb's, over HTTP with ranges: values as cfdb reads them, in as few requests as they take. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = join(NEIGHBOURS, "cfdb");
const entries = JSON.parse(await readFile(join(SETS, "index.json"), "utf8"));
const documents = [...new Set(entries.map(({ document }) => document))];
const written = (name) => readFile(join(SETS, name));

/** Values that a page read of a file's variables, each in some selections, and the requests that each took. */
async function read({ Group, RectilinearArray, support: _ }, { document, paths, options = {}, selections = [null] }) {
  const requests = [];
  const onRequest = ({ range, status, bytes }) => requests.push({ range, status, bytes });
  const source = new URL(document, location.href);
  const found = [];
  try {
    const group = paths.length > 1 ? await Group.open(source, { workers: 0, onRequest, ...options }) : undefined;
    for (const path of paths) {
      const opening = group ? group.array(path) : RectilinearArray.open(source, { path, workers: 0, onRequest, ...options });
      const array = await opening;
      const opened = requests.splice(0);
      for (const selection of selections) {
        const { data } = await array.get(selection);
        const isText = Array.isArray(data);
        found.push({
          path,
          shape: array.shape,
          dtype: array.dtype,
          unit: array.timeUnit,
          names: array.dimensionNames,
          attrs: array.attrs,
          sizes: array.writeChunkSizes,
          data: isText ? data : [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
          opened,
          requests: requests.splice(0),
        });
      }
    }
    return { found, requests };
  } catch ({ name, message }) {
    return { error: { name, message }, found, requests };
  }
}

/** Number and bytes of requests. */
const sum = (requests) => [requests.length, requests.reduce((all, { bytes = 0 }) => all + bytes, 0)];

describe("files of cfdb's", () => {
  let page;
  before(async () => {
    page = await openPage({ "/sets": SETS });
  });
  after(() => page?.close());

  for (const document of documents) {
    test(`every variable of ${document}`, async () => {
      const wanted = entries.filter((entry) => entry.document === document);
      const { error, found, requests } = await page.run(read, { document: `/sets/${document}`, paths: wanted.map(({ path }) => path) });
      assert.equal(error, undefined);
      assert.ok(requests.every(({ status }) => status === 206));
      for (const [nth, { path, shape, dtype, dimensions, attributes, expected }] of wanted.entries()) {
        const { data, unit, names, attrs, ...rest } = found[nth];
        assert.deepEqual(rest.shape, shape, path);
        assert.deepEqual(names, dimensions, path);
        assert.equal(rest.dtype === "numpy.datetime64" ? `datetime64[${unit.unit}]` : rest.dtype, dtype, path);
        for (const [name, value] of Object.entries(attributes)) assert.deepEqual(attrs[name], value, `${path}: ${name}`);
        if (dtype === "string") assert.deepEqual(data, JSON.parse(await written(expected)), path);
        else assert.deepEqual(Buffer.from(data), await written(expected), path);
      }
    });
  }

  test("an array that begins below 0 is rectilinear", async () => {
    const { found } = await page.run(read, { document: "/sets/origins.cfdb", paths: ["x", "field"] });
    assert.deepEqual(found.map(({ sizes }) => sizes), [[[8, 16, 16, 16, 16, 2]], [[8, 16, 16, 16, 16, 2], [3, 8, 8, 6]]]);
  });

  test("the tree has everything, and the root where it lies on the earth", async () => {
    const opened = await page.run(async ({ Group }) => {
      const group = await Group.open("/sets/origins.cfdb");
      return { attrs: group.attrs, tree: group.tree().map(({ path, kind, shape, attrs }) => ({ path, kind, shape, attrs })) };
    });
    assert.deepEqual(opened, {
      attrs: { title: "coordinates with origins", crs: "EPSG:4326", "proj:code": "EPSG:4326" },
      tree: [
        { path: "cube", kind: "array", shape: [5, 25, 74], attrs: {} },
        { path: "field", kind: "array", shape: [74, 25], attrs: {} },
        { path: "time", kind: "array", shape: [5], attrs: { axis: "T", units: "days" } },
        { path: "x", kind: "array", shape: [74], attrs: { axis: "X" } },
        { path: "y", kind: "array", shape: [25], attrs: { axis: "Y" } },
      ],
    });
  });

  test("a short index is read at once, then one request for each chunk", async () => {
    const one = (chunk) => [[32 * chunk]];
    const { error, found } = await page.run(read, { document: "/sets/pruned.cfdb", paths: ["series"], selections: [one(3), one(4), null] });
    assert.equal(error, undefined);
    const [first, second, whole] = found;
    // The head, 997 buckets, and the document up to the index, which is what comes next.
    assert.deepEqual(first.opened.map(({ bytes }) => bytes), [200, 5982, 435]);
    assert.deepEqual([first, second].map(({ requests }) => sum(requests)), [[1, 192], [1, 193]]);
    // Neighbours come together; then what lies behind another block in a chain.
    assert.equal(whole.requests.length, 2);
  });

  test("buckets of a long index are looked at one by one at first, and then all at once", async () => {
    // 40 chunks of 32 values; the index has 12,007 buckets, 72 kB, at the file's end.
    const one = (chunk) => [[32 * chunk]];
    const { error, found } = await page.run(read, { document: "/sets/reindexed.cfdb", paths: ["series"], selections: [one(0), one(1), one(2), one(3), null] });
    assert.equal(error, undefined);
    // The head; two buckets that lie near enough to come together; the document, with what follows it.
    assert.equal(found[0].opened.length, 3);
    // A bucket and then the block with its value, and once more; the whole index, and from then on one request each.
    const bytes = found.map(({ requests }) => requests.map((request) => request.bytes));
    assert.deepEqual(bytes.slice(0, 4), [[6, 1194], [6, 210], [72_042, 192], [192]]);
    assert.equal(bytes[4].length, 1);
  });

  test("plan tells the requests that are known", async () => {
    const ranges = await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open("/sets/pruned.cfdb", { path: "series", cacheBytes: 0 });
      const requests = () => array.plan([[0, 32]]).requests.map(({ range: [start, stop] }) => stop - start);
      const before = requests();
      await array.get([[0, 32]]);
      return [before, requests()];
    });
    // Two neighbours as far as they may reach, and then their values alone.
    assert.deepEqual(ranges, [[383], [343]]);
  });
});
