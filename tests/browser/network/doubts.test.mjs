/** Hosts that say one thing and mean another: what they say is not taken for data, or for its absence. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { allow, listen } from "../support/server.mjs";

const bytes = { name: "bytes", configuration: { endian: "little" } };

function documentOf(length, chunk, codecs) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [length],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [chunk] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs,
  };
  return Buffer.from(JSON.stringify(document));
}

/** A shard of four inner chunks of one item each, in this order in the file. */
function shard(values, order) {
  const index = Buffer.alloc(64);
  const data = Buffer.alloc(4);
  order.forEach((place, nth) => {
    data[place] = values[nth];
    index.writeBigUInt64LE(BigInt(place), 16 * nth);
    index.writeBigUInt64LE(1n, 16 * nth + 8);
  });
  return Buffer.concat([data, index]);
}

const SHARDED = [{ name: "sharding_indexed", configuration: { chunk_shape: [1], codecs: [bytes], index_codecs: [bytes] } }];

describe("hosts in doubt", () => {
  let page;
  let origin;
  let files;
  let intercept;
  before(async () => {
    page = await openPage();
    origin = await listen((request, response) => {
      if (allow(request, response) || intercept(request, response)) return;
      const value = files[request.url];
      if (!value) return response.writeHead(404).end();
      response.setHeader("Cache-Control", "no-store").setHeader("Last-Modified", new Date(value.date ?? 0).toUTCString());
      const [, from, to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
      if (from === undefined) return response.writeHead(200, { "Content-Length": value.length }).end(value);
      response.writeHead(206).end(value.subarray(Number(from), to === "" ? undefined : Number(to) + 1));
    });
  });
  beforeEach(() => {
    intercept = () => false;
    files = {};
  });
  after(() => Promise.all([page?.close(), origin?.close()]));

  for (const status of [403, 404]) {
    test(`a host that answers ${status} to HEAD alone is not believed that a shard is missing`, async () => {
      files = { "/zarr.json": documentOf(4, 4, SHARDED), "/c/0": shard([7, 8, 9, 10], [0, 1, 2, 3]) };
      intercept = (request, response) => request.method === "HEAD" && Boolean(response.writeHead(status).end());
      const found = await page.run(async ({ RectilinearArray }, url) => {
        const array = await RectilinearArray.open(url, { missingStatuses: [403, 404] });
        return [...(await array.get()).data];
      }, origin.url);
      assert.deepEqual(found, [7, 8, 9, 10]);
    });
  }

  test("an HTML page in place of a chunk is no data, although parts of it are as long as those asked for", async () => {
    files = { "/zarr.json": documentOf(100_000, 100_000, [bytes]) };
    intercept = (request, response) => {
      if (!request.url.startsWith("/c/")) return false;
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end("<!doctype html>".padEnd(100_000, " "));
      return true;
    };
    const error = await page.run(async ({ RectilinearArray, support }, url) => {
      const array = await RectilinearArray.open(url);
      return support.rejection(() => array.get([{ start: 0, stop: 16, step: null }]));
    }, origin.url);
    assert.equal(error.name, "StoreError");
    assert.match(error.message, /HTML/);
  });

  test("a chunk of another length than declared is not read in parts by a host that sends it whole", async () => {
    files = { "/zarr.json": documentOf(100_000, 100_000, [bytes]), "/c/0": Buffer.alloc(60_000, 1) };
    intercept = (request) => {
      delete request.headers.range;
      return false;
    };
    const error = await page.run(async ({ RectilinearArray, support }, url) => {
      const array = await RectilinearArray.open(url);
      return support.rejection(() => array.get([{ start: 0, stop: 16, step: null }]));
    }, origin.url);
    assert.equal(error.name, "CodecError");
    assert.deepEqual([error.got, error.expected], [60_000, 100_000]);
  });

  test("one array's refresh() does not let another read a rewritten shard by its old index", async () => {
    for (const name of ["a", "b"]) files[`/${name}/zarr.json`] = documentOf(4, 4, SHARDED);
    files["/zarr.json"] = Buffer.from('{"zarr_format": 3, "node_type": "group"}');
    files["/b/c/0"] = shard([1, 2, 3, 4], [0, 1, 2, 3]);
    await page.run(async ({ Group }, url) => {
      const group = await Group.open(url);
      globalThis.arrays = await Promise.all([group.array("a"), group.array("b")]);
      await globalThis.arrays[1].get([0]);
    }, origin.url);
    files["/b/c/0"] = Object.assign(shard([1, 2, 3, 4], [3, 2, 1, 0]), { date: 1e12 });
    const found = await page.run(async () => {
      const [a, b] = globalThis.arrays;
      await a.refresh();
      return (await b.get([1])).data[0];
    });
    assert.equal(found, 2);
  });
});
