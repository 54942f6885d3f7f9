/** Selections that fit no array reject with a SelectionError naming the axis. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "./support/chromium.mjs";

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

  for (const { selection, axis } of BAD) {
    test(JSON.stringify(selection), async () => {
      const error = await get(selection);
      assert.equal(error?.name, "SelectionError", JSON.stringify(error));
      assert.ok(error.isError);
      if (axis !== undefined) assert.equal(error.axis, axis);
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
