/** Of a shard only the index and the inner chunks that a selection meets are asked for; other stores still answer right. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { pageAndOrigin } from "../support/opened.mjs";
import { pathOf } from "../support/origin.mjs";
import { FIXTURES, oracle } from "../support/paths.mjs";

const entries = Object.fromEntries((await oracle("index.json")).map((entry) => [entry.name, entry]));

/** Where the stored inner chunks of a shard of `count` lie, by an index with its checksum at the end. */
async function placesOf(name, key, count) {
  const shard = await readFile(join(FIXTURES, `${name}.zarr`, key));
  const at = shard.length - 16 * count - 4;
  return Array.from({ length: count }, (_, nth) => {
    const [offset, length] = [0, 8].map((part) => Number(shard.readBigUInt64LE(at + 16 * nth + part)));
    return [offset, offset + length];
  });
}

const header = ([start, stop]) => `bytes=${start}-${stop - 1}`;

/** Rows 3 and 7 of columns 4 and 11: in sharded-zstd, of one shard the inner chunks (0, 0), (0, 2), (2, 0), (2, 2). */
const CORNERS = [{ start: 3, stop: 8, step: 4 }, { start: 4, stop: 12, step: 7 }];
const MET = [0, 2, 6, 8];

describe("shards over HTTP", () => {
  let page;
  let origin;
  pageAndOrigin((opened) => ({ page, origin } = opened));

  /** The error with which a read of one item of a shard rejects. */
  const refused = () =>
    page.run(async ({ RectilinearArray, support }, url) => {
      const array = await RectilinearArray.open(url);
      return support.rejection(() => array.get([2, 3]));
    }, `${origin.url}/sharded-zstd.zarr`);

  /** Requests below an array, as [key, range], without the document; the origin is another than the page's. */
  const asked = () =>
    origin.requests
      .filter(({ url }) => !url.endsWith("zarr.json"))
      .map((request) => [
        pathOf(request).replace(/^\/[^/]+\//, ""),
        request.method === "GET" ? request.headers.range : request.method,
      ]);

  /** Read `selections` one after the other; their bytes as hexadecimal digits. */
  const read = (name, selections, options = {}) =>
    page.run(
      async ({ RectilinearArray, support }, { url, selections, options }) => {
        const array = await RectilinearArray.open(url, options);
        const found = [];
        for (const selection of selections) {
          found.push(support.crc32(support.bytesOf((await array.get(selection)).data, array.dtype)));
        }
        return found;
      },
      { url: `${origin.url}/${name}.zarr`, selections, options: { coalesceGap: 0, cacheBytes: 0, ...options } },
    );

  test("inner chunks that share their bytes are asked for once", async () => {
    const places = await placesOf("sharded-deduplicated-zstd", "c/0/0", 4);
    assert.deepEqual(places.slice(0, 2), places.slice(2));
    origin.requests.length = 0;
    const { data } = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      return { data: [...(await array.get([{ start: 0, stop: 4 }, { start: 0, stop: 3 }])).data] };
    }, `${origin.url}/sharded-deduplicated-zstd.zarr`);
    assert.deepEqual(data.slice(0, 6), data.slice(6));
    assert.deepEqual(asked().filter(([, range]) => range === header(places[0])), [["c/0/0", header(places[0])]]);
  });

  test("the shard's length and its index, then the inner chunks that the selection meets", async () => {
    const places = await placesOf("sharded-zstd", "c/1/1", 9);
    await read("sharded-zstd", [CORNERS]);
    const [length, index, ...inner] = asked();
    assert.deepEqual(length, ["c/1/1", "HEAD"]);
    assert.deepEqual(index, ["c/1/1", "bytes=297-445"]);
    assert.deepEqual(inner.sort(), MET.map((nth) => ["c/1/1", header(places[nth])]).sort());
  });

  test("getChunk reads the inner chunk that a part of a stream names, and no other", async () => {
    for (const name of ["sharded-nested-rectilinear", "sharded-rectilinear", "sharded-mixed", "sharded-3d", "sharded-transposed-other-way", "rectilinear-mixed"]) {
      const wrong = await page.run(async ({ RectilinearArray, support }, { url, name }) => {
        const array = await RectilinearArray.open(url);
        const wrong = [];
        let parts = 0;
        for await (const { coords, data, shape, start, stop } of array.stream()) {
          parts += 1;
          const chunk = await array.getChunk(coords, { grid: "inner" });
          const [part, read] = [{ data, shape }, chunk].map(({ data, shape }) => `${shape}: ${support.crc32(support.bytesOf(data, array.dtype))}`);
          const bounds = (array.innerChunkGrid ?? array.chunkGrid).bounds(coords);
          if (part !== read || `${bounds.start} ${bounds.stop}` !== `${start} ${stop}`) wrong.push(`${coords}: ${part}, ${read}`);
        }
        const count = (array.innerChunkGrid ?? array.chunkGrid).shape.reduce((product, length) => product * length, 1);
        return [...wrong, ...(parts === count ? [] : [`${parts} parts of ${count} in ${name}`])];
      }, { url: `${origin.url}/${name}.zarr`, name });
      assert.deepEqual(wrong, []);
    }
    origin.requests.length = 0;
    const places = await placesOf("sharded-zstd", "c/1/1", 9);
    const shapes = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url, { coalesceGap: 0, cacheBytes: 0 });
      const { coords } = array.innerChunkGrid.chunkAt([7, 11]);
      return [await array.getChunk(coords, { grid: "inner" }), await array.getChunk([1, 1])].map(({ shape }) => shape);
    }, `${origin.url}/sharded-zstd.zarr`);
    assert.deepEqual(shapes, [[2, 3], [6, 9]]);
    assert.deepEqual(asked().slice(0, 3).map(([, range]) => range), ["HEAD", "bytes=297-445", header(places[8])]);
  });

  test("an index is asked for once, however often its shard is read", async () => {
    const [first, , again] = await read("sharded-zstd", [CORNERS, [4, 7], CORNERS]);
    assert.equal(first, again);
    const ranges = asked().map(([, range]) => range);
    assert.equal(ranges.filter((range) => range === "bytes=297-445").length, 1);
    assert.equal(ranges.length, 2 + 4 + 1 + 4);
  });

  test("cacheBytes keeps inner chunks", async () => {
    await read("sharded-zstd", [CORNERS, CORNERS, [7, 11]], { cacheBytes: 1 << 20 });
    assert.equal(asked().length, 6);
  });

  test("an index at the start is asked for by its place", async () => {
    await read("sharded-index-start", [[0, 0]]);
    assert.deepEqual(asked()[0], ["c/0/0", "bytes=0-67"]);
    assert.equal(asked().length, 2);
  });

  test("an index within a shard is asked for within the inner chunk that it belongs to", async () => {
    const places = await placesOf("sharded-nested-rectilinear", "c/1/1", 9);
    await read("sharded-nested-rectilinear", [[15, 11]]);
    const [start, stop] = places[8];
    const requests = asked();
    assert.equal(requests.length, 5);
    assert.deepEqual(requests.slice(0, 3), [
      ["c/1/1", "HEAD"],
      ["c/1/1", "bytes=1152-1300"],
      // 32 bytes, because this index has no checksum.
      ["c/1/1", header([stop - 32, stop])],
    ]);
    for (const [key, range] of requests.slice(2)) {
      const [from, to] = range.replace("bytes=", "").split("-").map(Number);
      assert.ok(key === "c/1/1" && from >= start && to < stop, range);
    }
  });

  test("an inner chunk that is not stored is not asked for; a shard that is not stored is, by each read", async () => {
    const [hole, shard] = await read("sharded-holes", [[4, 6], [0, 0]]);
    assert.equal(hole, shard);
    assert.deepEqual(asked(), [["c/1/1", "HEAD"], ["c/1/1", "bytes=72-140"], ["c/0/0", "HEAD"]]);
    // Once by a range too, until HEAD was seen to be right.
    await read("sharded-holes", [[0, 0], [1, 1], [0, 5]]);
    assert.deepEqual(asked().slice(3).map(([, range]) => range), ["HEAD", "bytes=0-0", "HEAD", "HEAD"]);
  });

  test("a shard that is compressed whole is asked for whole", async () => {
    await read("sharded-compressed", [[2, 3]]);
    assert.deepEqual(asked(), [["c/1/1", undefined]]);
  });

  test("onRequest tells the ranges", async () => {
    const places = await placesOf("sharded-zstd", "c/1/1", 9);
    const infos = await page.run(async ({ RectilinearArray }, url) => {
      const infos = [];
      const array = await RectilinearArray.open(url, { onRequest: (info) => infos.push(info) });
      await array.get([2, 3]);
      return infos.map(({ ms, ...info }) => ({ ...info, took: ms >= 0 }));
    }, `${origin.url}/sharded-zstd.zarr`);
    const [start, stop] = places[0];
    assert.deepEqual(infos.slice(1), [
      // The length, by HEAD.
      { key: "c/1/1", method: "HEAD", status: 206, bytes: 0, took: true },
      { key: "c/1/1", method: "GET", range: [297, 446], status: 206, bytes: 148, took: true },
      { key: "c/1/1", method: "GET", range: [start, stop], status: 206, bytes: stop - start, took: true },
    ]);
    assert.equal(infos[0].key, "zarr.json");
  });

  test("onProgress counts inner chunks", async () => {
    const progress = (name) =>
      page.run(async ({ RectilinearArray }, url) => {
        let last;
        const array = await RectilinearArray.open(url);
        await array.get(null, { onProgress: (progress) => (last = progress) });
        return [last.chunks, last.totalChunks];
      }, `${origin.url}/${name}.zarr`);
    assert.deepEqual(await progress("sharded-zstd"), [20, 20]);
    assert.deepEqual(await progress("sharded-compressed"), [6, 6]);
  });

  test("a host that ignores ranges gives a whole shard, which is used for all that is wanted of it", async () => {
    const names = ["sharded-zstd", "sharded-nested-rectilinear", "sharded-index-big-crc32c-start"];
    for (const name of names) {
      origin.requests.length = 0;
      origin.intercept = (request) => {
        delete request.headers.range;
        return false;
      };
      assert.deepEqual(await read(name, [null]), [entries[name].crc32], name);
      const gets = asked().filter(([, range]) => range !== "HEAD").map(([key]) => key);
      assert.deepEqual(gets, [...new Set(gets)], name);
    }
  });

  test("a host that ignores ranges is asked for a shard once by each read, also once its index is known", async () => {
    origin.intercept = (request) => {
      delete request.headers.range;
      return false;
    };
    const [first, second] = await read("sharded-zstd", [CORNERS, CORNERS]);
    assert.equal(first, second);
    assert.deepEqual(asked(), [["c/1/1", "HEAD"], ["c/1/1", "bytes=297-445"], ["c/1/1", undefined]]);
    origin.requests.length = 0;
    await read("sharded-zstd", [CORNERS, CORNERS], { cacheBytes: 1 << 20 });
    assert.deepEqual(asked(), [["c/1/1", "HEAD"], ["c/1/1", "bytes=297-445"]]);
  });

  test("a shard that is gone once its index was read is an error that tells the range", async () => {
    let requests = 0;
    origin.intercept = (request, response) => {
      if (request.url.endsWith("zarr.json") || ++requests <= 2) return false;
      response.writeHead(416).end();
      return true;
    };
    const error = await refused();
    assert.equal(error.name, "StoreError");
    assert.equal(error.status, 416);
    assert.equal(error.range.length, 2);
  });

  test("a host that answers a range with too few bytes is named, and nothing is decoded", async () => {
    origin.intercept = (request, response) => {
      // The length and the index are right.
      if (!/^bytes=\d+-\d+$/.test(request.headers.range) || request.headers.range === "bytes=297-445") return false;
      response.writeHead(206).end("short");
      return true;
    };
    const error = await refused();
    assert.equal(error.name, "StoreError");
    assert.match(error.message, /5 bytes came/);
  });

  test("two reads at once of one shard agree", async () => {
    const same = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      const [a, b] = await Promise.all([array.get(), array.get()]);
      return a.data.join() === b.data.join();
    }, `${origin.url}/sharded-zstd.zarr`);
    assert.equal(same, true);
  });
});

describe("shards in a store", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  /** Read an array out of a Map; the checksum, and what the store was asked. */
  const read = (name, selection, hasRanges) =>
    page.run(
      async ({ RectilinearArray, support }, { name, keys, selection, hasRanges }) => {
        const files = await support.fetchFiles(`/data/${name}.zarr`, keys);
        const calls = [];
        const store = {
          async get(key) {
            calls.push([key]);
            return files.get(key);
          },
        };
        const getRange = async (key, range) => {
          calls.push([key, range]);
          const bytes = files.get(key);
          if (range.suffixLength !== undefined) return bytes?.slice(-range.suffixLength);
          return bytes?.slice(range.offset, range.offset + range.length);
        };
        const array = await RectilinearArray.open(hasRanges ? { ...store, getRange } : store);
        const region = await array.get(selection);
        return { crc32: support.crc32(support.bytesOf(region.data, array.dtype)), calls: calls.slice(1) };
      },
      { name, keys: ["zarr.json", "c/0/0", "c/0/1", "c/1/0", "c/1/1"], selection, hasRanges },
    );

  test("getRange is asked for the index and the inner chunks", async () => {
    const places = await placesOf("sharded-zstd", "c/1/1", 9);
    const { calls } = await read("sharded-zstd", CORNERS, true);
    assert.deepEqual(calls[0], ["/c/1/1", { suffixLength: 148 }]);
    // They lie so near each other that one request brings them all.
    const met = MET.map((nth) => places[nth]);
    const [first, last] = [Math.min(...met.map(([start]) => start)), Math.max(...met.map(([, stop]) => stop))];
    assert.deepEqual(calls.slice(1), [["/c/1/1", { offset: first, length: last - first }]]);
  });

  test("a store without getRange is asked for each shard once", async () => {
    const { calls } = await read("sharded-zstd", CORNERS, false);
    assert.deepEqual(calls, [["/c/1/1"]]);
  });

  for (const hasRanges of [true, false]) {
    test(`shards in shards are read ${hasRanges ? "by" : "without"} ranges`, async () => {
      const { crc32 } = await read("sharded-nested-rectilinear", null, hasRanges);
      assert.equal(crc32, entries["sharded-nested-rectilinear"].crc32);
    });
  }
});
