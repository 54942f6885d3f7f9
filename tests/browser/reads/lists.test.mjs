/** Selections by name, by every kind of list, and of points: what they select, and that each chunk is asked for once. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

describe("lists, names and points", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  test("dimensions by name are those of their axes, and the others are whole", async () => {
    const [byName, byAxis] = await page.run(async ({ RectilinearArray, support, slice }) => {
      const store = support.edited("/data/rectilinear-mixed.zarr", { dimension_names: ["y", "x", null] });
      const array = await RectilinearArray.open(store);
      const regions = [await array.get({ x: [7, 0, 7] }), await array.get([null, [7, 0, 7]])];
      regions.push(await array.get({ x: 2, y: slice(1, 5) }), await array.get([slice(1, 5), 2]));
      regions.push(await array.get({}), await array.get({ x: null, y: undefined }));
      const plain = ({ data, shape, stride }) => ({ data: [...data], shape, stride });
      return [0, 1].map((which) => regions.map(plain).filter((_, i) => i % 2 === which));
    });
    assert.deepEqual(byName.map(({ shape }) => shape), [[9, 3, 6], [4, 6], [9, 10, 6]]);
    assert.deepEqual(byName, byAxis);
  });

  test("typed arrays of every kind and bigints are lists of integers", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open(`${location.origin}/data/rectilinear-mixed.zarr`);
      const classes = [Int8Array, Int16Array, Int32Array, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Float32Array, Float64Array];
      const lists = [[5, 2, 5], [5n, 2n, 5n], BigInt64Array.of(5n, 2n, -4n), BigUint64Array.of(5n, 2n, 5n)];
      lists.push(...classes.map((of) => of.of(5, 2, 5)), Int32Array.of(0, 0, -4, -7, -4).subarray(2));
      const read = async (list) => (await array.get([list, 1, 1n])).data.join();
      return { all: await Promise.all(lists.map(read)), one: await read([5]), other: await read([2]) };
    });
    assert.equal(new Set(found.all).size, 1);
    assert.equal(found.all[0], [found.one, found.other, found.one].join());
  });

  test("each chunk is asked for once, whatever the order and the repeats", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const store = support.edited("/data/rectilinear-mixed.zarr", {});
      const array = await RectilinearArray.open(store, { cacheBytes: 0 });
      const asked = async (read) => {
        store.keys.length = 0;
        const progress = [];
        const region = await read({ onProgress: ({ chunks, totalChunks }) => progress.push([chunks, totalChunks]) });
        return { keys: [...store.keys].sort(), last: progress.at(-1), shape: region.shape };
      };
      return [
        await asked((options) => array.get([[8, 0, 8, 1, 3], 9, [0, 5, 0]], options)),
        await asked((options) => array.getPoints([[8, 9, 0], [0, 0, 0], [8, 9, 0], [7, 8, -6]], options)),
        await asked((options) => array.get([[], null, [1, 2]], options)),
        await asked((options) => array.getPoints([], options)),
      ];
    });
    assert.deepEqual(found, [
      { keys: ["/c/0/2/0", "/c/0/2/3", "/c/1/2/0", "/c/1/2/3"], last: [4, 4], shape: [5, 3] },
      { keys: ["/c/0/0/0", "/c/1/2/0"], last: [2, 2], shape: [4] },
      { keys: [], shape: [0, 10, 2] },
      { keys: [], shape: [0] },
    ]);
  });

  test("of shards, only the inner chunks that hold a point are asked for", async () => {
    const ranges = await page.run(async ({ RectilinearArray }) => {
      const asked = [];
      const onRequest = ({ range }) => asked.push(range);
      const array = await RectilinearArray.open(`${location.origin}/data/sharded-regular.zarr`, { onRequest });
      asked.length = 0;
      await array.getPoints([[0, 0], [9, 11], [1, 2], [0, 0]]);
      return asked.length;
    });
    // Two indexes, and an inner chunk of each shard.
    assert.equal(ranges, 4);
  });

  test("an aborted read of points rejects with the signal's reason", async () => {
    const reason = await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open(`${location.origin}/data/rectilinear-mixed.zarr`);
      const controller = new AbortController();
      const reading = array.getPoints([[0, 0, 0], [8, 9, 5]], { signal: controller.signal });
      controller.abort(new Error("enough"));
      return reading.then(() => null, (error) => error.message);
    });
    assert.equal(reason, "enough");
  });

  test("a hundred thousand points and a list of as many", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open(`${location.origin}/data/rectilinear-mixed.zarr`);
      const whole = (await array.get()).data;
      const at = (n) => [(n * 7) % 9, (n * 3) % 10, (n * 5) % 6];
      const points = Array.from({ length: 100_000 }, (_, n) => at(n));
      const { data } = await array.getPoints(points);
      const wrong = points.filter(([i, j, k], n) => data[n] !== whole[(i * 10 + j) * 6 + k]).length;
      const rows = Int32Array.from(points, ([i]) => i);
      const listed = (await array.get([rows, 4, 2])).data;
      return { wrong, differing: rows.filter((i, n) => listed[n] !== whole[(i * 10 + 4) * 6 + 2]).length };
    });
    assert.deepEqual(found, { wrong: 0, differing: 0 });
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
