/** Selections that fit no array reject with a SelectionError naming the axis. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

// The array is 9 by 10 by 6.
const BAD = [
  { selection: [9], axis: 0 },
  { selection: [null, -11], axis: 1 },
  { selection: [null, null, 6], axis: 2 },
  { selection: [null, null, null, 0] },
  { selection: [{ start: 0, stop: 4, step: 0 }], axis: 0 },
  { selection: [null, 1.5], axis: 1 },
  { selection: [0, 0, "2"], axis: 2 },
  { selection: [{ start: 0.5, stop: 4, step: null }], axis: 0 },
  { selection: [null, [3, 10]], axis: 1, mentions: ["entry 1", "10", "-10 to 9"] },
  { selection: [[0, -10]], axis: 0, mentions: ["entry 1", "-10"] },
  { selection: [[0, 1.5]], axis: 0, mentions: ["entry 1", "1.5"] },
  { selection: [null, null, [0, null]], axis: 2, mentions: ["entry 1"] },
  { selection: [null, [1, true]], axis: 1, mentions: ["entry 1", "true"] },
  { selection: [[true, 1]], axis: 0, mentions: ["entry 1", "boolean"] },
  { selection: [[true, false]], axis: 0, mentions: ["2 booleans", "length 9"] },
  { selection: [[[0, 1], [2, 3]]], axis: 0, mentions: ["entry 0", "getPoints"] },
  { selection: [{ begin: 3 }], axis: 0, mentions: ["slice(start, stop)", "begin"] },
  { selection: [null, {}], axis: 1, mentions: ["slice(start, stop)"] },
  { selection: { time: 0 }, mentions: ['"time"', "no dimension names"] },
  { selection: "y", mentions: ["expected a list"] },
  { selection: 3, mentions: ["expected a list"] },
];

const BAD_POINTS = [
  { points: [[0, 0, 0], [0, 10, 0]], axis: 1, mentions: ["point 1", "10"] },
  { points: [[0, 0]], mentions: ["point 0", "2 coordinates", "3 axes"] },
  { points: [[0, 0, 0], 5], mentions: ["point 1", "5"] },
  { points: [[0, 0, 0.5]], mentions: ["point 0", "entry 2", "0.5"] },
  { points: [[0, 0, [1]]], mentions: ["point 0", "entry 2"] },
  { points: null, mentions: ["list of points"] },
];

const BAD_NAMES = [
  { names: ["y", "x", null], selection: { time: 0 }, mentions: ['"time"', '"y", "x", null'] },
  { names: ["y", "x", null], selection: { y: 0, null: 0 }, mentions: ['"null"', '"y", "x", null'] },
  { names: ["y", "x", "x"], selection: { x: 0 }, mentions: ["more than one axis", '"y", "x", "x"'] },
  { names: ["y", "x", null], selection: { x: [0, 12] }, axis: 1, mentions: ["entry 1", "12"] },
  { names: ["y", "x", null], selection: { start: 0, stop: 4, step: null }, mentions: ['put it in a list, [slice(start, stop)]'] },
];

describe("selections that do not fit", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  const get = (selection) =>
    page.run(async ({ RectilinearArray, support }, selection) => {
      const array = await RectilinearArray.open(`${location.origin}/data/rectilinear-mixed.zarr`);
      return support.rejection(() => array.get(selection));
    }, selection);

  function check(error, { axis, mentions = [] }) {
    assert.equal(error?.name, "SelectionError", JSON.stringify(error));
    assert.ok(error.isError);
    assert.equal(error.axis, axis);
    for (const word of mentions) assert.ok(error.message.includes(word), `no ${word} in: ${error.message}`);
  }

  for (const bad of BAD) {
    test(JSON.stringify(bad.selection), async () => check(await get(bad.selection), bad));
  }

  for (const bad of BAD_POINTS) {
    test(`getPoints(${JSON.stringify(bad.points)})`, async () => {
      const error = await page.run(async ({ RectilinearArray, support }, points) => {
        const array = await RectilinearArray.open(`${location.origin}/data/rectilinear-mixed.zarr`);
        return support.rejection(() => array.getPoints(points));
      }, bad.points);
      check(error, bad);
    });
  }

  for (const bad of BAD_NAMES) {
    test(`${JSON.stringify(bad.selection)} of ${JSON.stringify(bad.names)}`, async () => {
      const error = await page.run(async ({ RectilinearArray, support }, { names, selection }) => {
        const store = support.edited("/data/rectilinear-mixed.zarr", { dimension_names: names });
        const array = await RectilinearArray.open(store);
        return support.rejection(() => array.get(selection));
      }, bad);
      check(error, bad);
    });
  }

  for (const coords of [[2, 0, 0], [0, 0], [0, 0, 0, 0], [-1, 0, 0], [0, 0.5, 0]]) {
    test(`getChunk(${JSON.stringify(coords)})`, async () => {
      const error = await page.run(async ({ RectilinearArray, support }, coords) => {
        const array = await RectilinearArray.open(`${location.origin}/data/rectilinear-mixed.zarr`);
        return support.rejection(() => array.getChunk(coords));
      }, coords);
      assert.equal(error?.name, "SelectionError", JSON.stringify(error));
    });
  }

  test("a grid that getChunk does not know is refused", async () => {
    const names = await page.run(async ({ RectilinearArray, support }) => {
      const array = await RectilinearArray.open(`${location.origin}/data/sharded-mixed.zarr`);
      const { shape } = array.innerChunkGrid;
      const asked = [[[0, 0], { grid: "outer" }], [[0, 0], { grid: 1 }], [shape, { grid: "inner" }], [shape.map((count) => count - 1), {}], [[0, 0], { grid: null }], [[0, 0], { grid: "stored" }]];
      return Promise.all(asked.map(async ([coords, options]) => (await support.rejection(() => array.getChunk(coords, options)))?.name ?? "none"));
    });
    assert.deepEqual(names, ["TypeError", "TypeError", "SelectionError", "SelectionError", "none", "none"]);
  });

  test("slice() makes what get takes", async () => {
    const made = await page.run(({ slice }) => [slice(5), slice(1, 4), slice(null, 4, 2), slice(2, null), slice(null)]);
    assert.deepEqual(made, [
      { start: null, stop: 5, step: null },
      { start: 1, stop: 4, step: null },
      { start: null, stop: 4, step: 2 },
      { start: 2, stop: null, step: null },
      { start: null, stop: null, step: null },
    ]);
  });

  test("undefined is the whole axis, as a missing item is", async () => {
    const shape = await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open(`${location.origin}/data/rectilinear-mixed.zarr`);
      return (await array.get(undefined)).shape;
    });
    assert.deepEqual(shape, [9, 10, 6]);
  });
});
