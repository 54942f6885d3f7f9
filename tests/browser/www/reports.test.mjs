/** What the explorer writes to files without a page: reports on the health of data, and places of tables. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { siteModule } from "../support/site-modules.mjs";

const { reportOf } = await siteModule("view/health/report.js");
const { csvOf } = await siteModule("take/files.js");

test("a report has each fact, what it lacks and what adds it, as text and as JSON", () => {
  const groups = [["The host, https://h", [{ name: "CORS", words: "allows every page", state: "good" }, { name: "ETag", words: "cannot be read", state: "lacks", remedy: "Access-Control-Expose-Headers: ETag" }]], ["The store", [{ name: "Format", words: "Zarr v3" }]]];
  const { text, json } = reportOf({ address: "https://h/s.zarr/t", path: "t", at: "2026-11-28T12:00:00Z", groups });
  assert.equal(text, `Health of https://h/s.zarr/t
Path: t
Asked: 2026-11-28T12:00:00Z

The host, https://h
- CORS: allows every page
- ETag: lacks: cannot be read
  add: Access-Control-Expose-Headers: ETag

The store
- Format: Zarr v3
`);
  const { address, groups: [host, store] } = JSON.parse(json);
  assert.equal(address, "https://h/s.zarr/t");
  assert.deepEqual(host.facts[1], { name: "ETag", words: "cannot be read", state: "lacks", remedy: "Access-Control-Expose-Headers: ETag" });
  assert.deepEqual(store.facts, [{ name: "Format", words: "Zarr v3", state: null, remedy: null }]);
  assert.equal(JSON.parse(reportOf({ path: "", at: "", groups: [] }).json).address, null);
});

test("a table of an array that is georeferenced without coordinates says x and y of the middles of its cells", () => {
  const dataset = { axes: [{ name: "y" }, { name: "x" }], usual: [0, 1], name: "v", decoder: {}, georeference: { transform: [10, 0, 500_000, 0, -10, 7_000_000] } };
  const values = Float64Array.of(1, 2);
  const shown = [{ axis: 0, step: 1, count: 1 }, { axis: 1, step: 1, count: 2 }];
  assert.equal(csvOf(dataset, { shown, source: { level: 0 } }, values, false), "y\\x,500005,500015\n6999995,1,2\n");
  // Of a level whose cells are four of the array's, positions are those of the middles already.
  const taken = [{ axis: 0, step: 4, count: 1, first: 2 }, { axis: 1, step: 4, count: 2, first: 2 }];
  assert.equal(csvOf(dataset, { shown, taken, source: { level: 2 } }, values, false), "y\\x,500020,500060\n6999980,1,2\n");
  const turned = { ...dataset, georeference: { transform: [10, 1, 500_000, 1, -10, 7_000_000] } };
  assert.equal(csvOf(turned, { shown, source: { level: 0 } }, values, false), "y\\x,0,1\n0,1,2\n");
});
