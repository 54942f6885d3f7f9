/** Arrays on HEALPix grids, as xdggs, xarray and zarr-python write them: one answer from every style of metadata. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = join(NEIGHBOURS, "healpix");
const json = async (name) => JSON.parse(await readFile(join(SETS, name), "utf8"));
const [oracle, parents] = await Promise.all(["oracle.json", "parents.json"].map(json));

/** Calls on the grid of an array, in the page: what they give, or their error, and the keys that were asked for. */
async function calls({ Group }, { store, variable = "t", options, list }) {
  const { healpix } = await import("rectilinear-zarr/healpix");
  const keys = [];
  const plain = (value) => {
    if (typeof value === "bigint") return `${value}n`;
    if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(value, plain);
    return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)])) : value;
  };
  const given = (value) => (typeof value === "string" && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : Array.isArray(value) ? value.map(given) : value);
  try {
    const url = new URL(`/sets/${store}`, location.href).href;
    const group = await Group.open(url, { onRequest: ({ key }) => keys.push(key.split(`${store}/`).pop()), workers: 0, cacheBytes: 0 });
    const grid = await healpix(group, variable, options);
    const opened = keys.splice(0);
    const { level, scheme, ellipsoid, dimension, axis, size, coordinate, from } = grid;
    const results = [];
    for (const [name, ...args] of list ?? []) {
      try {
        const values = (region) => ({ ...region, data: Array.from(region.data) });
        const call = name === "read" ? async ([method, ...more]) => values(await grid.array.get(await grid[method](...more.map(given)))) : (more) => grid[name](...more.map(given));
        const found = await call(args);
        results.push(plain(name === "sel" ? { ...values(found), sum: undefined } : found));
      } catch (error) {
        results.push({ error: error.name, message: error.message, path: error.path, key: error.key, axis: error.axis });
      }
    }
    grid.free();
    group.free();
    return { grid: { level, scheme, ellipsoid, dimension, axis, size, coordinate: coordinate ?? null, from }, opened, keys, results };
  } catch ({ name, message, path, key, feature, axis }) {
    return { error: { name, message, path, key, feature, axis }, keys };
  }
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const count = (runs) => sum(runs.map(([from, to]) => to - from));

describe("arrays on HEALPix grids", () => {
  let page;
  before(async () => (page = await openPage({ "/sets": SETS })));
  after(() => page?.close());

  const run = async (store, list, more) => {
    const found = await page.run(calls, { store, list, ...more });
    assert.equal(found.error, undefined, found.error?.message);
    return found;
  };
  const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-8, `${found} is ${wanted}`);

  const STYLES = { xdggs: "xdggs", cf: "cf", zarr: "dggs" };
  for (const [style, from] of Object.entries(STYLES)) {
    for (const ellipsoid of ["sphere", "WGS84", "v2"]) {
      test(`${style}, ${ellipsoid}: one answer`, async () => {
        const list = [["cellAt", 11.6, 48.1], ["centre", 40], ["cells"], ["indexOf", 43], ["indexOf", 60], ["read", "within", 11, 1], ["sel", { cells: [59, 40] }], ["cellAt", 45, 41.8103149]];
        const { grid, opened, keys, results } = await run(`${style}-${ellipsoid}.zarr`, list);
        const isSphere = ellipsoid === "sphere";
        assert.deepEqual({ ...grid, ellipsoid: undefined }, { level: 2, scheme: "nested", ellipsoid: undefined, dimension: "cells", axis: 0, size: 20, coordinate: "cell_ids", from });
        assert.deepEqual(grid.ellipsoid, isSphere ? { semiMajorAxis: 6370997, flattening: 0 } : { name: "WGS84", semiMajorAxis: 6378137, flattening: 1 / 298.257223563 });
        const [munich, centre, cells, at, missing, within, sel, edge] = results;
        assert.equal(munich, 10);
        assert.equal(centre[0], 202.5);
        near(centre[1], isSphere ? 30 : 30.11125172);
        assert.deepEqual(cells, Array.from({ length: 20 }, (_, i) => 40 + i));
        assert.deepEqual([at, missing, edge], [3, -1, isSphere ? 12 : 3]);
        assert.deepEqual([within.data, within.shape], [[4.5, 5.5, 6.5, 7.5], [4]]);
        assert.deepEqual(sel.data, [19.5, 0.5]);
        if (ellipsoid !== "v2") assert.deepEqual(opened, ["zarr.json"]);
        // The ids are read once, whichever calls need them.
        assert.equal(keys.filter((key) => key.startsWith("cell_ids/") && !/zarr|zattrs/.test(key)).length, 1);
      });
    }
  }

  test("ids as ranges and as cells of several levels, as xdggs compresses them", async () => {
    const wanted = [...Array.from({ length: 16 }, (_, i) => 16 + i), ...Array.from({ length: 20 }, (_, i) => 40 + i), 64];
    for (const store of ["ranges.zarr", "compacted.zarr"]) {
      const { results } = await run(store, [["cells"], ["read", "within", 1, 0], ["indexOf", 39], ["sel", { cells: 64 }], ["read", "select", [41, 64, 16]]]);
      assert.deepEqual(results[0], wanted);
      assert.deepEqual(results[1].data, Array.from({ length: 16 }, (_, i) => i + 0.5));
      assert.equal(results[2], -1);
      assert.deepEqual(results[3].data, [36.5]);
      assert.deepEqual(results[4].data, [17.5, 36.5, 0.5]);
    }
  });

  test("one parent of a rectilinear store reads one chunk", async () => {
    const { grid, opened, keys, results } = await run("parents.zarr", [["cellAt", 11.6, 48.1], ["indexOf", 2773]]);
    assert.deepEqual(opened, ["zarr.json"]);
    assert.deepEqual([grid.size, parents.chunks, Math.min(...parents.edges), Math.max(...parents.edges)], [33012, 170, 6, 256]);
    assert.deepEqual(results, [2773, 2585]);
    assert.deepEqual(keys, ["cell_ids/c/0"]);
    const reads = await run("parents.zarr", [["sel", { cells: 2773 }], ["sel", { cells: 29784 }], ["cellAt", -60, -10], ["read", "within", 40, 2], ["within", 10, 2]]);
    const [munich, amazon, cell, parent, place] = reads.results;
    assert.deepEqual([munich.data, munich.selection, amazon.data, cell], [[773.5], { cells: 2585 }, [784.5], 29784]);
    assert.deepEqual([parent.data.length, sum(parent.data)], [8, 3935]);
    assert.deepEqual(place.cells, { start: 2372, stop: 2628, step: null });
    const chunks = reads.keys.filter((key) => key.startsWith("t/"));
    assert.equal(chunks.length, 3, "one chunk for each read");
    assert.equal(chunks[0], "t/c/10");
    assert.equal(reads.keys.length, 4);
    const start = sum(parents.edges.slice(0, 10));
    assert.deepEqual([start, parents.edges[10]], [2372, 256]);
  });

  test("shuffled ids, those of the rings and of zuniq give the same cells", async () => {
    const zuniqOf = (cell, level) => `${(2n * BigInt(cell) + 1n) << BigInt(2 * (29 - level))}n`;
    const box = oracle.boxes.find(({ level, ellipsoid }) => level === 3 && ellipsoid === "sphere");
    const cells = { "shuffled.zarr": [(cell) => cell, "nested"], "zuniq.zarr": [zuniqOf, "zuniq"] };
    for (const [store, [id, scheme]] of Object.entries(cells)) {
      const list = [["read", "within", id(20, 2), 2], ["read", "select", [id(419, 4), id(300, 4)]], ["read", "box", [...box.box]], ["indexOf", id(299, 4)], ["parent", id(333, 4), 2], ["read", "within", id(1, 0), 0], ["within", id(20, 2), 2]];
      const { grid, results } = await run(store, list);
      assert.deepEqual([grid.scheme, grid.level, grid.size], [scheme, 4, 120]);
      const sorted = (values) => [...values].sort((a, b) => a - b);
      assert.deepEqual(sorted(results[0].data), Array.from({ length: 16 }, (_, i) => 320 + i));
      assert.deepEqual(results[1].data, [419, 300]);
      assert.deepEqual(results.slice(3, 5), [-1, id(20, 2)]);
      assert.deepEqual(sorted(results[5].data), Array.from({ length: 120 }, (_, i) => 300 + i));
      const listed = results[6].cells;
      if (store === "shuffled.zarr") assert.deepEqual([listed.length, listed], [16, sorted(listed)], "indices rise, for one pass through the chunks");
      else assert.deepEqual(listed, { start: 20, stop: 36, step: null });
    }
    const ring = await run("ring.zarr", [["cells"], ["cellAt", 45, 10], ["read", "box", [-180, -90, 180, 90]]]);
    assert.equal(ring.grid.scheme, "ring");
    assert.equal(ring.results[2].data.length, 120);
    const inside = await run("ring.zarr", [["read", "select", ring.results[0].slice(5, 7)], ["parent", ring.results[0][20], 2], ["centre", ring.results[0][20]]]);
    assert.deepEqual(inside.results[0].data, [305, 306]);
    const nested = await run("shuffled.zarr", [["centre", 320], ["centre", 20]]);
    assert.deepEqual(inside.results[2], nested.results[0]);
    const within = await run("ring.zarr", [["read", "within", inside.results[1], 2]]);
    assert.deepEqual([...within.results[0].data].sort((a, b) => a - b), Array.from({ length: 16 }, (_, i) => 320 + i));
  });

  test("a whole globe needs no ids", async () => {
    for (const scheme of ["nested", "ring"]) {
      const list = [["cellAt", 11.6, 48.1], ["centre", 17], ["read", "within", 3, 0], ["cells", { cells: { start: 3, stop: 5, step: null } }], ["read", "box", [0, -90, 360, 90]]];
      const { grid, keys, results } = await run(`whole-${scheme}.zarr`, list);
      assert.deepEqual([grid.coordinate, grid.axis, grid.size, grid.from], [null, 1, 192, "dggs"]);
      const [cell, , within, cells, all] = results;
      const { data } = (await run(`whole-${scheme}.zarr`, [["sel", { cells: cell }]])).results[0];
      assert.deepEqual(data, [10.5, 1010.5], scheme);
      assert.deepEqual([...within.data.slice(0, 16)].sort((a, b) => a - b), Array.from({ length: 16 }, (_, i) => 48.5 + i));
      assert.deepEqual(cells, [3, 4]);
      assert.deepEqual(all.shape, [2, 192]);
      assert.ok(keys.every((key) => key.startsWith("t/c/")));
    }
  });

  test("easygems' older metadata", async () => {
    const whole = await run("easygems.zarr", [["sel", { cells: 12287 }], ["read", "within", 11, 0]]);
    assert.deepEqual({ ...whole.grid, ellipsoid: undefined }, { level: 5, scheme: "nested", ellipsoid: undefined, dimension: "cell", axis: 0, size: 12288, coordinate: null, from: "easygems" });
    assert.deepEqual([whole.results[0].data, whole.results[1].shape], [[11], [1024]]);
    const part = await run("easygems-part.zarr", [["sel", { cells: 2050 }], ["indexOf", 2099], ["sel", { cells: [2047] }]]);
    assert.deepEqual([part.grid.coordinate, part.results[0].data, part.results[0].coordinates, part.results[1]], ["cell", [2], { cell: 2050 }, 51]);
    assert.equal(part.results[2].error, "SelectionError");
  });

  test("boxes take the cells that healpix-geo takes", async () => {
    for (const level of [3, 4, 5]) {
      const boxes = oracle.boxes.filter((entry) => entry.level === level);
      const WGS84 = { semi_major_axis: 6378137, inverse_flattening: 298.257223563 };
      const found = await page.run(
        async ({ Group }, { level, boxes, ellipsoid }) => {
          const { healpix } = await import("rectilinear-zarr/healpix");
          const text = (document) => new TextEncoder().encode(JSON.stringify(document));
          const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
          const shape = [12 * 4 ** level];
          const array = { zarr_format: 3, node_type: "array", shape, data_type: "int32", chunk_grid: { name: "regular", configuration: { chunk_shape: [64] } }, chunk_key_encoding: { name: "default" }, fill_value: 0, codecs, dimension_names: ["cells"], attributes: {} };
          const group = await Group.open(new Map([["/zarr.json", text({ zarr_format: 3, node_type: "group" })], ["/t/zarr.json", text(array)]]));
          const grid = await healpix(group, "t", { dggs: { name: "healpix", refinement_level: level, indexing_scheme: "nested", spatial_dimension: "cells", ...(ellipsoid && { ellipsoid }) } });
          return Promise.all(boxes.map(async ({ box }) => Array.from(await grid.cells(await grid.box(box)))));
        },
        { level, boxes, ellipsoid: level === 4 ? WGS84 : undefined },
      );
      boxes.forEach(({ box, cells }, i) => {
        const listed = cells.flatMap(([from, to]) => Array.from({ length: to - from }, (_, nth) => from + nth));
        assert.deepEqual(found[i], listed, `${box} at level ${level}`);
      });
      assert.ok(sum(boxes.map(({ cells }) => count(cells))) > 100);
    }
  });

  test("boxes around the globe, at the seam, at the poles and without area", async () => {
    const boxes = [[-180, -90, 180, 90], [0, 85, 360, 90], [359, -1, 1, 1], [180, 0, -180, 0], [11.6, 48.1, 11.6, 48.1], [0, 90, 0, 90]];
    const { results } = await run("whole-nested.zarr", boxes.map((box) => ["box", box]));
    assert.deepEqual(results[0].cells, { start: 0, stop: 192, step: null });
    assert.deepEqual(results[1].cells, [15, 31, 47, 63]);
    assert.equal(results[2].cells.length, 4, JSON.stringify(results[2]));
    assert.equal(results[3].cells.length, 4, JSON.stringify(results[3]));
    assert.deepEqual(results[4].cells, { start: 10, stop: 11, step: null });
    assert.deepEqual(results[5].cells, [15, 63]);
  });

  test("labels of other dimensions, and cells by label", async () => {
    const { results } = await run("whole-nested.zarr", [["sel", { cells: [10, 0], time: 1 }], ["sel", { time: 1 }], ["sel", { cells: 10, height: 2 }], ["sel", { cells: 192 }]]);
    assert.deepEqual([results[0].data, results[0].shape], [[1010.5, 1000.5], [2]]);
    assert.deepEqual(results.slice(1).map(({ error }) => error), ["SelectionError", "SelectionError", "RangeError"]);
  });

  test("bad calls say what is wrong", async () => {
    const list = [
      ["cellAt", 0, 90.001],
      ["cellAt", null, 0],
      ["cellAt", 0, 0, 25],
      ["cellAt", 0, 0, 1.5],
      ["centre", 192],
      ["centre", -1],
      ["centre", 1.5],
      ["parent", 5, 3],
      ["children", 12, 0],
      ["within", 0, 3],
      ["box", [0, 10, 10, 0]],
      ["box", [0, 0, 10]],
      ["box", [0, -91, 10, 0]],
      ["box", 5],
      ["select", "7"],
      ["children", 5, 1],
    ];
    const { results } = await run("whole-nested.zarr", list);
    const errors = results.map(({ error }) => error);
    const R = "RangeError";
    assert.deepEqual(errors, [R, R, R, R, R, R, "TypeError", R, R, R, R, "TypeError", R, "TypeError", "TypeError", undefined]);
    assert.match(results[0].message, /a latitude up to 90 degrees, got 0 and 90.001/);
    assert.match(results[4].message, /level 2 has no cell 192 in the scheme nested, but 192 others/);
    assert.deepEqual(results[15], [20, 21, 22, 23]);
    const zuniq = await run("zuniq.zarr", [["centre", 40], ["centre", "40n"], ["centre", "1459166279268040704n"], ["centre", "1459166279268040704n", 2]]);
    assert.deepEqual(zuniq.results.slice(0, 3).map(({ error }) => error), ["TypeError", R, R]);
    assert.match(zuniq.results[2].message, /level 4 has no cell 1459166279268040704 in the scheme zuniq/);
    assert.deepEqual(zuniq.results[3][0], 202.5);
  });

  test("what is not read is refused by its name", async () => {
    const refused = async (store, more) => (await page.run(calls, { store, ...more })).error;
    const h3 = await refused("h3.zarr");
    assert.deepEqual([h3.name, h3.feature], ["UnsupportedError", "the grid h3"]);
    const mixed = await refused("mixed.zarr");
    assert.deepEqual([mixed.name, mixed.feature], ["UnsupportedError", "an axis with cells of several levels"]);
    const coordinate = await refused("xdggs-sphere.zarr", { variable: "nothing" });
    assert.equal(coordinate.name, "NotFoundError");
    const dggs = { name: "healpix", refinement_level: 2, indexing_scheme: "nested", spatial_dimension: "rows" };
    const other = await refused("xdggs-sphere.zarr", { options: { dggs } });
    assert.equal(other.name, "SelectionError");
    const aborted = await page.run(async ({ Group }) => {
      const { healpix } = await import("rectilinear-zarr/healpix");
      const group = await Group.open(new URL("/sets/xdggs-sphere.zarr", location.href).href);
      const failures = await Promise.allSettled([healpix(group, "t", { signal: AbortSignal.abort(new Error("enough")) }), healpix(group, 5), healpix("group", "t")]);
      return failures.map(({ reason }) => [reason.name, reason.message]);
    });
    assert.deepEqual(aborted.map(([name]) => name), ["Error", "TypeError", "TypeError"]);
    assert.equal(aborted[0][1], "enough");
  });
});
