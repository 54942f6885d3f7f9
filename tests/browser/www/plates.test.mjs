/** The explorer's plates and scale bars of OME-Zarr, without a page: which wells a plate has, and how long a bar is. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { siteModule } from "../support/site-modules.mjs";

const { plateIn } = await siteModule("view/plate.js");
const { roundBelow } = await siteModule("view/figure/ruler.js");

const names = (...list) => list.map((name) => ({ name }));

test("wells stand where the metadata put them, by their numbers or by their paths", () => {
  const plate = { rows: names("A", "B"), columns: names("1", "2", "3"), wells: [{ path: "A/1", rowIndex: 0, columnIndex: 0 }, { path: "B/3" }, { rowIndex: 0 }, "A/2"] };
  for (const attrs of [{ plate }, { ome: { plate } }]) {
    const found = plateIn(attrs);
    assert.deepEqual([found.rows, found.columns], [["A", "B"], ["1", "2", "3"]]);
    assert.deepEqual([...found.wells], [["0/0", "A/1"], ["1/2", "B/3"]]);
  }
});

test("what is no plate has no wells", () => {
  for (const attrs of [{}, { plate: [] }, { plate: { rows: names("A"), columns: [], wells: [] } }, { plate: { rows: names("A"), columns: names("1") } }, { ome: { multiscales: [] } }]) assert.equal(plateIn(attrs), undefined);
});

test("a scale bar is 1, 2 or 5 times a power of ten long, and no longer than it may be", () => {
  for (const [most, long] of [[10, 10], [9.99, 5], [4.99, 2], [1.99, 1], [0.0031, 0.002], [730, 500], [1e6, 1e6], [0.1, 0.1]]) assert.ok(Math.abs(roundBelow(most) / long - 1) < 1e-9, `${most}: ${roundBelow(most)}`);
});
