/** Ranges that lie near each other travel together: within a read, across the reads of one moment, and no farther than told. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { startNetwork } from "../support/network.mjs";
import { indexSize, written } from "../support/written.mjs";

/** One shard of 16 x 16 tiles of 16 x 16 items: a tile has 1024 bytes, a row of tiles 16 KiB. */
const TILES = { shape: [256, 256], chunks: [256, 256], inner: [16, 16] };
const TILE = 1024;
const ROW = 16 * TILE;
const INDEX = `bytes=-${indexSize(256)}`;

const bytes = (start, stop) => `bytes=${start}-${stop - 1}`;
/** The range of so many tiles from this one on. */
const tiles = (row, column, count = 1) => bytes(row * ROW + column * TILE, row * ROW + (column + count) * TILE);

/** Five by four tiles in the middle of the shard. */
const BLOCK = [4, 5, 6, 7].flatMap((row) => [3, 4, 5, 6, 7].map((column) => [row, column]));

describe("joined requests", () => {
  let network;
  let near;
  before(async () => ({ near } = network = await startNetwork(written("tiles", TILES))));
  afterEach(() => network.settle());
  after(() => network?.close());

  /** The ranges asked for by one `get` for each of these tiles, all at once, after their index; values are checked. */
  async function ranges(wanted, options = {}) {
    const isRight = await network.run(
      async ({ RectilinearArray, slice }, { wanted, options }) => {
        const array = await RectilinearArray.open("/near/tiles", options);
        const edges = (nth) => slice(nth * 16, nth * 16 + 16);
        const regions = await Promise.all(wanted.map(([row, column]) => array.get([edges(row), edges(column)])));
        const value = ([row, column], at) => (row * 16 + (at >> 4)) * 256 + column * 16 + (at & 15);
        return regions.every(({ data }, nth) => data.length === 256 && data.every((item, at) => item === value(wanted[nth], at)));
      },
      { wanted, options },
    );
    assert.equal(isRight, true);
    const [index, ...rest] = near.asked().map(([range]) => range);
    assert.equal(index, INDEX);
    return rest;
  }

  /** Requests of one `get` of rows and columns. */
  async function rangesOfOne(rows, columns, options) {
    const first = await network.run(
      async ({ RectilinearArray, slice }, { rows, columns, options }) => {
        const array = await RectilinearArray.open("/near/tiles", options);
        return (await array.get([slice(...rows), slice(...columns)])).data[0];
      },
      { rows, columns, options },
    );
    assert.equal(first, rows[0] * 256 + columns[0]);
    return near.asked().slice(1).map(([range]) => range);
  }

  test("twenty neighbouring tiles, a read each, are an index and one range", async () => {
    // A row of tiles begins 11 KiB after the one above ends, which is nearer than 32 KiB.
    assert.deepEqual(await ranges(BLOCK), [bytes(4 * ROW + 3 * TILE, 7 * ROW + 8 * TILE)]);
  });

  test("without a gap they are one range for each row of tiles", async () => {
    assert.deepEqual((await ranges(BLOCK, { coalesceGap: 0 })).sort(), [4, 5, 6, 7].map((row) => tiles(row, 3, 5)).sort());
  });

  test("one read of all of them asks for the same", async () => {
    const found = await rangesOfOne([64, 128], [48, 128], { coalesceGap: 0 });
    assert.deepEqual(found.sort(), [4, 5, 6, 7].map((row) => tiles(row, 3, 5)).sort());
  });

  test("coalesceGap is the most bytes between two ranges that travel together", async () => {
    const apart = [[0, 0], [0, 3]];
    assert.deepEqual(await ranges(apart, { coalesceGap: 2 * TILE }), [tiles(0, 0, 4)]);
    near.reset();
    assert.deepEqual((await ranges(apart, { coalesceGap: 2 * TILE - 1 })).sort(), [tiles(0, 0), tiles(0, 3)].sort());
  });

  test("coalesceMax is the most bytes of a request that joins some", async () => {
    const read = (coalesceMax) => rangesOfOne([32, 48], [0, 64], { coalesceMax });
    assert.deepEqual((await read(2 * TILE)).sort(), [tiles(2, 0, 2), tiles(2, 2, 2)].sort());
    near.reset();
    assert.deepEqual((await read(2 * TILE - 1)).sort(), [0, 1, 2, 3].map((column) => tiles(2, column)).sort());
  });

  test("the same tile wanted by several reads is in one range once", async () => {
    assert.deepEqual(await ranges([[1, 1], [1, 2], [1, 1], [1, 2], [1, 1]]), [tiles(1, 1, 2)]);
  });

  test("reads of different moments do not wait for each other", async () => {
    await ranges([[0, 0]]);
    near.reset();
    const values = await network.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open("/near/tiles");
      const early = array.get([0, 0]);
      await early;
      return [(await early).data[0], (await array.get([0, 16])).data[0]];
    });
    assert.deepEqual(values, [0, 16]);
    assert.deepEqual(near.asked().map(([range]) => range), [INDEX, tiles(0, 0), tiles(0, 1)]);
  });
});
