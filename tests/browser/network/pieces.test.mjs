/** Of chunks that are not compressed only the bytes that a selection needs are asked for, where that saves enough. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { ignoresRange, on } from "../support/faults.mjs";
import { startNetwork } from "../support/network.mjs";
import { written } from "../support/written.mjs";

/** Twelve planes of 64 KiB in one chunk; one plane of 1 MiB in another; 64 chunks of 4 KiB. */
const SERIES = { shape: [12, 128, 128], chunks: [12, 128, 128] };
const PLANE = { shape: [512, 512], chunks: [512, 512] };
const SMALL = { shape: [256, 256], chunks: [32, 32] };

const bytes = (start, length) => `bytes=${start}-${start + length - 1}`;
const slice = (start, stop) => ({ start, stop, step: null });

describe("pieces of uncompressed chunks", () => {
  let network;
  let near;
  const arrays = { series: SERIES, plane: PLANE, small: SMALL };
  before(async () => {
    network = await startNetwork(new Map(Object.entries(arrays).flatMap(([name, layout]) => [...written(name, layout)])));
    ({ near } = network);
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  /** Read selections one after the other; whether every item was its place in the array. */
  async function read(name, selections, options = {}) {
    const isRight = await network.run(
      async ({ RectilinearArray }, { name, selections, shape, options }) => {
        const array = await RectilinearArray.open(`/near/${name}`, options);
        const picks = (part, axis) => {
          if (part === null) return Array.from({ length: shape[axis] }, (_, at) => at);
          return typeof part === "number" ? [part] : Array.from({ length: part.stop - part.start }, (_, at) => part.start + at);
        };
        const places = (selection) =>
          selection.map(picks).reduce((outer, axis, nth) => outer.flatMap((place) => axis.map((at) => place * shape[nth] + at)), [0]);
        let isRight = true;
        for (const selection of selections) isRight &&= (await array.get(selection)).data.join() === places(selection).join();
        return isRight;
      },
      { name, selections, shape: arrays[name].shape, options },
    );
    assert.equal(isRight, true);
    return near.asked().map(([range]) => range);
  }

  test("a series through planes that are far apart is one item of each", async () => {
    const ranges = await read("series", [[null, 3, 5]]);
    const expected = Array.from({ length: 12 }, (_, plane) => bytes(plane * 65536 + (3 * 128 + 5) * 4, 4));
    assert.deepEqual(ranges.sort(), expected.sort());
  });

  test("a tile of a large chunk is one range from its first item to its last one", async () => {
    assert.deepEqual(await read("plane", [[slice(100, 116), slice(32, 48)]]), [bytes((100 * 512 + 32) * 4, 15 * 2048 + 64)]);
  });

  test("without a gap it is a range for each row", async () => {
    const ranges = await read("plane", [[slice(100, 104), slice(32, 48)]], { coalesceGap: 0 });
    const expected = [100, 101, 102, 103].map((row) => bytes((row * 512 + 32) * 4, 64));
    assert.deepEqual(ranges.sort(), expected.sort());
  });

  test("whole rows are one range", async () => {
    assert.deepEqual(await read("plane", [[slice(10, 20), null]], { coalesceGap: 0 }), [bytes(10 * 2048, 10 * 2048)]);
  });

  test("a chunk of which most is wanted comes whole, and so does a small one", async () => {
    assert.deepEqual(await read("plane", [[slice(0, 500), null]]), ["all"]);
    near.reset();
    assert.deepEqual(await read("small", [[40, 50]]), ["all"]);
  });

  test("a chunk that is kept is used, whole or in the same pieces", async () => {
    const options = { cacheBytes: 8 << 20 };
    assert.deepEqual(await read("plane", [[null, null], [slice(100, 116), slice(32, 48)]], options), ["all"]);
    near.reset();
    const tile = [slice(100, 116), slice(32, 48)];
    assert.equal((await read("plane", [tile, tile], options)).length, 1);
  });

  test("a host that ignores ranges is asked for a chunk in pieces once, and whole from then on", async () => {
    near.rules = [on(/c\//, ignoresRange)];
    const tile = [slice(100, 116), slice(32, 48)];
    const ranges = await read("plane", [tile, [3, 3], tile], { cacheBytes: 0 });
    assert.deepEqual(ranges, [bytes((100 * 512 + 32) * 4, 15 * 2048 + 64), "all", "all"]);
  });

  test("a host that ignores ranges does not send a chunk again for each of its pieces", async () => {
    near.rules = [on(/c\//, ignoresRange)];
    const [trial, others, ...more] = await read("series", [[null, 3, 5]]);
    const item = (plane) => plane * 65536 + (3 * 128 + 5) * 4;
    assert.deepEqual([trial, others, more], [bytes(item(0), 4), bytes(item(1), item(11) - item(1) + 4), []]);
  });
});
