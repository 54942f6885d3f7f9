/** Arrays beyond any memory: metadata answer at once, and what cannot be read is refused, not attempted. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

/** zarr.json of an int32 array with these `chunk_shapes`, without any chunk. */
const metadata = (shape, chunkShapes) => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: "int32",
  chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: chunkShapes } },
  chunk_key_encoding: { name: "default" },
  fill_value: 7,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
});

describe("limits", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  /** Run `body(array, support)` on an array held in a store that has only metadata. */
  const on = (document, body) =>
    page.run(
      `async ({ RectilinearArray, support }, document) => {
        const bytes = new TextEncoder().encode(JSON.stringify(document));
        const array = await RectilinearArray.open({ get: (key) => (key === "/zarr.json" ? bytes : undefined) });
        return (${body})(array, support);
      }`,
      document,
    );

  test("10^9 chunks from a short zarr.json", async () => {
    const document = metadata([10 ** 9 + 3], [[3, [1, 10 ** 9]]]);
    assert.ok(JSON.stringify(document).length < 1000);
    const found = await on(document, async (array, support) => ({
      shape: array.chunkGrid.shape,
      runs: array.chunkGrid.runs(0),
      at: array.chunkGrid.chunkAt([500_000_000]),
      bounds: array.chunkGrid.bounds([10 ** 9]),
      part: [...(await array.get([{ start: -2, stop: null, step: null }])).data],
      sizes: await support.rejection(() => array.writeChunkSizes),
    }));
    assert.deepEqual(found.shape, [10 ** 9 + 1]);
    assert.deepEqual(found.runs, [
      { edge: 3, count: 1 },
      { edge: 1, count: 10 ** 9 },
    ]);
    assert.deepEqual(found.at, { coords: [499_999_998], within: [0] });
    assert.deepEqual(found.bounds, { start: [10 ** 9 + 2], stop: [10 ** 9 + 3] });
    assert.deepEqual(found.part, [7, 7]);
    assert.equal(found.sizes?.name, "RangeError");
  });

  test("a result of 4 * 10^18 bytes is refused", async () => {
    const error = await on(metadata([10 ** 9, 10 ** 9], [1000, 1000]), (array, support) =>
      support.rejection(() => array.get()),
    );
    assert.ok(error?.isError, "it was attempted");
    assert.match(error.name, /^(SelectionError|UnsupportedError|RangeError)$/);
  });

  test("chunks of 4 * 10^18 bytes that are not stored read as fill values, as much of them as is selected", async () => {
    const found = await on(metadata([10 ** 9 + 1, 10 ** 9], [[10 ** 9, 1], [10 ** 9]]), async (array, support) => {
      const { requests } = array.plan([0, 0]);
      const parts = [];
      for await (const { data, shape } of array.stream([{ start: 0, stop: 3 }, { start: 7, stop: 9 }])) parts.push([...data], shape);
      return {
        requests,
        one: (await array.get([0, 0])).data,
        row: [...(await array.get([5, { start: 10, stop: 14 }])).data],
        strided: [...(await array.get([{ start: 0, stop: null, step: 4 * 10 ** 8 }, { start: -3, stop: null, step: -(4 * 10 ** 8) }])).data],
        points: [...(await array.getPoints([[0, 0], [10 ** 9, 5], [77, 10 ** 9 - 1]])).data],
        parts,
        empty: (await array.get([0, { start: 0, stop: 0, step: null }])).shape,
        chunk: await support.rejection(() => array.getChunk([0, 0])),
        all: await support.rejection(() => array.get()),
        streamed: await support.rejection(async () => {
          for await (const part of array.stream()) return part;
        }),
      };
    });
    assert.deepEqual(Object.values(found.one), [7]);
    assert.deepEqual(found.row, [7, 7, 7, 7]);
    assert.deepEqual(found.strided, new Array(9).fill(7));
    assert.deepEqual(found.points, [7, 7, 7]);
    assert.deepEqual(found.parts, [[7, 7, 7, 7, 7, 7], [3, 2]]);
    assert.deepEqual(found.empty, [0]);
    assert.deepEqual(found.requests.map(({ range }) => range), [[0, 2]]);
    // What is selected is bounded all the same.
    for (const error of [found.chunk, found.all, found.streamed]) {
      assert.match(error?.name, /^(SelectionError|UnsupportedError|RangeError)$/);
      assert.match(error.message, /select less|result/);
    }
  });

  test("prefetch of a missing chunk of 4 * 10^12 bytes keeps that it is missing", async () => {
    const document = metadata([10 ** 12], [10 ** 12]);
    const found = await page.run(async ({ RectilinearArray }, document) => {
      const bytes = new TextEncoder().encode(JSON.stringify(document));
      const asked = [];
      const get = (key) => (asked.push(key), key === "/zarr.json" ? bytes : undefined);
      const array = await RectilinearArray.open({ get }, { cacheBytes: 1 << 20 });
      await array.prefetch([{ start: 5, stop: 9 }]);
      const { data } = await array.get([{ start: 10 ** 12 - 2, stop: null }]);
      return { data: [...data], asked };
    }, document);
    assert.deepEqual(found, { data: [7, 7], asked: ["/zarr.json", "/c/0"] });
  });

  test("a stored chunk that is too large is refused by name, wherever it is stored and however it is read", async () => {
    const found = await page.run(async ({ RectilinearArray, support }, document) => {
      const bytes = new TextEncoder().encode(JSON.stringify(document));
      const chunk = new Uint8Array(400);
      const stores = [
        new Map([["/zarr.json", bytes], ["/c/0", chunk]]),
        { get: (key) => ({ "/zarr.json": bytes, "/c/0": chunk })[key] },
        {
          get: (key) => ({ "/zarr.json": bytes, "/c/0": chunk })[key],
          getRange: (key, range) => (key === "/c/0" ? chunk.subarray(range.offset ?? 0, (range.offset ?? 0) + (range.length ?? 1)) : undefined),
        },
      ];
      const errors = [];
      for (const store of stores) {
        const array = await RectilinearArray.open(store, { maxChunkBytes: 399, workers: 0, cacheBytes: 1 << 20 });
        const after = await array.get([{ start: 100, stop: 102 }]);
        errors.push(
          await support.rejection(() => array.get([0])),
          await support.rejection(() => array.get([{ start: 0, stop: null, step: 60 }])),
          await support.rejection(() => array.getPoints([[3], [170]])),
          await support.rejection(() => array.getChunk([0])),
          await support.rejection(() => array.prefetch()),
          await support.rejection(async () => {
            for await (const part of array.stream()) void part;
          }),
          { name: "UnsupportedError", message: `maxChunkBytes ${after.data.join()}` },
        );
      }
      return errors.map(({ name, message }) => [name, message]);
    }, metadata([200], [100]));
    assert.equal(found.length, 21);
    for (const [name, message] of found) {
      assert.equal(name, "UnsupportedError", message);
      assert.match(message, /maxChunkBytes/);
    }
    assert.equal(found[6][1], "maxChunkBytes 7,7");
  });

  test("a rank of 40", async () => {
    const ones = new Array(40).fill(1);
    const found = await on(metadata(ones, ones), async (array) => {
      const { data, shape } = await array.get();
      return { data: [...data], rank: shape.length };
    });
    assert.deepEqual(found, { data: [7], rank: 40 });
  });

  test("a codec that no index can have is refused by name, as the first read of a page, without blocking the main thread", async () => {
    const little = { name: "bytes", configuration: { endian: "little" } };
    for (const [codec, name] of [["numcodecs.lzma", "UnsupportedError"], ["numcodecs.pcodec", "UnsupportedError"], ["numcodecs.bz2", "InvalidMetadataError"], ["gzip", "InvalidMetadataError"], ["nobody.wrote-this", "UnsupportedError"]]) {
      await page.renew();
      const index = { chunk_shape: [3], codecs: [little], index_codecs: [little, codec] };
      const chunk_grid = { name: "regular", configuration: { chunk_shape: [6] } };
      const document = { ...metadata([6], [6]), chunk_grid, codecs: [{ name: "sharding_indexed", configuration: index }] };
      const found = await page.run(async ({ RectilinearArray, support }, document) => {
        const bytes = new TextEncoder().encode(JSON.stringify(document));
        return support.rejection(async () => (await RectilinearArray.open({ get: (key) => (key === "/zarr.json" ? bytes : new Uint8Array(56)) })).get());
      }, document);
      assert.equal(found.name, name, found.message);
      assert.match(found.message, name === "UnsupportedError" ? new RegExp(`codec "${codec}"`) : /index_codecs/);
    }
    // Closing the page checks that its main thread was never blocked.
  });

  test("an attribute called __proto__ is an attribute", async () => {
    const attributes = '{"__proto__":{"units":"K"},"inner":{"__proto__":1}}';
    const document = JSON.stringify(metadata([1], [1])).replace("{", `{"attributes":${attributes},`);
    // As text: a page takes what it is given for code, where such a name sets the prototype.
    const found = await page.run(async ({ RectilinearArray }, document) => {
      const bytes = new TextEncoder().encode(document);
      const { attrs } = await RectilinearArray.open({ get: (key) => (key === "/zarr.json" ? bytes : undefined) });
      const isPlain = Object.getPrototypeOf(attrs) === Object.prototype && attrs.units === undefined;
      return { text: JSON.stringify(attrs), isPlain };
    }, document);
    assert.deepEqual(found, { text: attributes, isPlain: true });
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
