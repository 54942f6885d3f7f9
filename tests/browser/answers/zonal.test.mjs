/** Zonal statistics through the package: values that exactextract gives, requests of the chunks that polygons touch, errors. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

/** In the page: a store of x(time, lat, lon), 2 x 4 x 4 cells of one degree with the north on top, in chunks of 2 x 2. */
const storeOf = `(options = {}) => {
  const { west = 0, names = ["lat", "lon"], units = ["degrees_north", "degrees_east"], hole } = options;
  const text = (value) => new TextEncoder().encode(JSON.stringify(value));
  const floats = (numbers) => new Uint8Array(Float64Array.from(numbers).buffer);
  const document = (shape, chunk, names, attributes = {}) => text({
    zarr_format: 3, node_type: "array", shape, data_type: "float64", fill_value: 7, dimension_names: names, attributes,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } }, chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  });
  const [y, x] = names;
  const store = new Map([
    ["/zarr.json", text({ zarr_format: 3, node_type: "group" })],
    ["/x1/zarr.json", document([2, 4, 4], [1, 2, 2], ["time", y, x], hole === undefined ? {} : { _FillValue: hole })],
    ["/" + y + "/zarr.json", document([4], [4], [y], units[0] ? { units: units[0] } : {})],
    ["/" + y + "/c/0", floats([3.5, 2.5, 1.5, 0.5])],
    ["/" + x + "/zarr.json", document([4], [4], [x], units[1] ? { units: units[1] } : {})],
    ["/" + x + "/c/0", floats([0.5, 1.5, 2.5, 3.5].map((lon) => west + lon))],
  ]);
  for (const time of [0, 1]) for (const row of [0, 1]) for (const column of [0, 1]) {
    const cell = (i) => 4 * (2 * row + (i >> 1)) + 2 * column + (i & 1) + 100 * time;
    store.set(["/x1/c", time, row, column].join("/"), floats([0, 1, 2, 3].map(cell)));
  }
  return store;
}`;

const polygon = (...ring) => ({ type: "Polygon", coordinates: [ring] });
const box = (west, south, east, north) => polygon([west, south], [east, south], [east, north], [west, north], [west, south]);

describe("zonal statistics", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  const run = (body, args) => page.run(`async (zarr, args) => {
    const { zonal } = await import("rectilinear-zarr/answers");
    const storeOf = ${storeOf};
    return (${body})({ ...zarr, zonal, storeOf }, args);
  }`, args);

  test("are those of exactextract, feature by feature and time by time", async () => {
    const features = {
      type: "FeatureCollection",
      features: [
        { type: "Feature", id: "square", geometry: box(0.5, 0.5, 1.5, 1.5) },
        { type: "Feature", geometry: polygon([0.25, 0.25], [3.25, 0.75], [1.5, 3.5], [0.25, 0.25]) },
        { type: "Feature", geometry: box(0.5, 0.5, 2.75, 2.75) },
        { type: "Feature", geometry: box(10, 10, 11, 11) },
      ],
    };
    const found = await run(async ({ Group, zonal, storeOf }, features) => {
      const array = await (await Group.open(storeOf())).array("x1");
      const stats = ["count", "sum", "mean", "std", "mode", "minority", "variety", "min", "max"];
      const answers = await zonal(array, features, { stats });
      return { shape: answers.mean.shape, dimensions: answers.mean.dimensions, ids: answers.mean.coordinates.feature, data: Object.fromEntries(stats.map((name) => [name, Array.from(answers[name].data, String)])) };
    }, features);
    assert.deepEqual([found.shape, found.dimensions, found.ids], [[4, 2], ["feature", "time"], ["square", 1, 2, 3]]);
    const near = (name, at, right) => assert.ok(Math.abs(found.data[name][at] - right) < 1e-6 * Math.max(1, Math.abs(right)), `${name} ${at}: ${found.data[name][at]}, not ${right}`);
    near("mean", 0, 10.5);
    near("mean", 1, 110.5);
    near("count", 2, 4.5625);
    near("mean", 2, 9.243439900771364);
    near("sum", 2, 42.1731946678);
    near("sum", 3, 42.1731946678 + 456.25);
    for (const [name, right] of Object.entries({ mode: 9, minority: 12, variety: 9, min: 4, max: 14 })) near(name, 4, right);
    assert.ok(Math.abs(found.data.std[4] - 3.0388) < 1e-4);
    assert.deepEqual(["count", "sum", "mean", "min"].map((name) => found.data[name][6]), ["0", "0", "NaN", "NaN"]);
  });

  test("ask for the chunks that a feature touches, each once for all features", async () => {
    const found = await run(async ({ Group, zonal, storeOf }, features) => {
      const asked = [];
      const store = storeOf();
      const readable = { get: (key) => (/x1\/c/.test(key) && asked.push(key), store.get(key)) };
      const array = await (await Group.open(readable, { cacheBytes: 0 })).array("x1");
      const progress = [];
      const { mean } = await zonal(array, { type: "FeatureCollection", features }, { selection: { time: [1, 0, 1] }, onProgress: ({ share, answer }) => progress.push([share, answer().mean.data.length]) });
      return { asked: asked.sort(), mean: Array.from(mean.data), shape: mean.shape, last: progress.at(-1) };
    }, [box(0.2, 0.2, 0.4, 0.4), box(0.5, 0.5, 1.5, 1.5), box(2.5, 0.5, 3.5, 0.9)].map((geometry) => ({ type: "Feature", geometry })));
    assert.deepEqual(found.asked, ["/x1/c/0/1/0", "/x1/c/0/1/1", "/x1/c/1/1/0", "/x1/c/1/1/1"]);
    assert.deepEqual(found.shape, [3, 3]);
    assert.deepEqual(found.mean.map((value) => Math.round(value * 1e6) / 1e6), [112, 12, 112, 110.5, 10.5, 110.5, 114.5, 14.5, 114.5]);
    assert.deepEqual(found.last, [1, 9]);
  });

  test("leave out missing cells, take fill values of missing chunks, go across 180 degrees, and read where a selection begins", async () => {
    const found = await run(async ({ Group, zonal, storeOf, slice }, { square, across }) => {
      const open = async (store) => (await Group.open(store)).array("x1");
      const masked = await zonal(await open(storeOf({ hole: 9 })), square, { stats: ["mean", "count"], selection: [0] });
      const store = storeOf();
      store.delete("/x1/c/0/1/0");
      const filled = await zonal(await open(store), square, { stats: "mean", selection: [0] });
      const wrapped = await zonal(await open(storeOf({ west: 178 })), across, { stats: ["mean"], selection: [0] });
      const part = await zonal(await open(storeOf()), square, { selection: [0, slice(1, 4), slice(1, 4)], stats: ["mean", "count"] });
      const weighted = await zonal(await open(storeOf()), square, { selection: [0], weights: { data: [0, 0, 1, 3], dimensions: ["lat"] } });
      return [masked.mean.data[0], masked.count.data[0], filled.mean.data[0], wrapped.mean.data[0], part.mean.data[0], part.count.data[0], weighted.mean.data[0], masked.mean.shape.length];
    }, { square: box(0.5, 0.5, 1.5, 1.5), across: polygon([179.5, 0.5], [-179.5, 0.5], [-179.5, 1.5], [179.5, 1.5], [179.5, 0.5]) });
    const right = [(8 + 12 + 13) / 3, 0.75, 7, (9 + 10 + 13 + 14) / 4, 11, 0.5, (8 + 9 + 3 * 12 + 3 * 13) / 8, 1];
    right.forEach((value, i) => assert.ok(Math.abs(found[i] - value) < 1e-9, `${i}: ${found[i]}, not ${value}`));
  });

  test("of a feature of 10^6 vertices leave the page its turns, and end with an abort", async () => {
    const found = await run(async ({ Group, zonal, storeOf }) => {
      const array = await (await Group.open(storeOf())).array("x1");
      const count = 999_999;
      // Long thin rays, which lie beside thousands of others: by boxes of edges, most of them would have to be compared.
      const ring = Array.from({ length: count }, (_, i) => {
        const [angle, away] = [(2 * Math.PI * i) / count, 1 + 0.5 * ((i * 0.618033988749895) % 1)];
        return [2 + away * Math.cos(angle), 2 + away * Math.sin(angle)];
      });
      let area = 0;
      ring.forEach(([x, y], i) => {
        const [u, v] = ring[(i + 1) % count];
        area += ((x - 2) * (v - 2) - (u - 2) * (y - 2)) / 2;
      });
      const star = { type: "Polygon", coordinates: [ring] };
      let turns = 0;
      const timer = setInterval(() => turns++, 5);
      const { data } = (await zonal(array, star, { stats: "count" })).count;
      clearInterval(timer);
      const controller = new AbortController();
      // In the first turn that the page has.
      setTimeout(() => controller.abort(new Error("enough")), 0);
      const ended = await zonal(array, star, { stats: "count", signal: controller.signal }).then(() => "read", ({ message }) => message);
      return { off: Math.abs(data[0] - area), turns, ended };
    });
    assert.ok(found.off < 1e-8, `${found.off}`);
    assert.ok(found.turns > 5, `${found.turns} turns`);
    assert.equal(found.ended, "enough");
  });

  test("of a feature of 10^6 vertices that crosses itself everywhere are refused, with turns for the page before", async () => {
    const found = await run(async ({ Group, zonal, storeOf }) => {
      const array = await (await Group.open(storeOf())).array("x1");
      const part = (i, by) => (i * by) % 1;
      const ring = Array.from({ length: 999_999 }, (_, i) => [4 * part(i, 0.618033988749895), 4 * part(i, 0.414213562373095)]);
      const small = { type: "Polygon", coordinates: [ring.slice(0, 3)] };
      await zonal(array, small, { stats: "count" });
      let turns = 0;
      const timer = setInterval(() => turns++, 5);
      const message = await zonal(array, { type: "Polygon", coordinates: [ring] }, { stats: "count" }).then(() => "read", (error) => error.message);
      clearInterval(timer);
      return { turns, message };
    });
    assert.match(found.message, /feature 0: a ring crosses itself too often/);
    // The page has one after the ring is sorted, after its edges are in buckets and after the first of these; timers run in some.
    assert.ok(found.turns > 0, `${found.turns} turns`);
  });

  test("take features through a projection, and name what is wrong with features, grids and options", async () => {
    const found = await run(async ({ Group, zonal, storeOf }, { square, line }) => {
      const open = async (options) => (await Group.open(storeOf(options))).array("x1");
      const projected = await open({ names: ["y", "x"], units: [] });
      const through = await zonal(projected, square, { selection: [0], project: ([lon, lat]) => [lon + 1, lat + 1] });
      const array = await open();
      const calls = {
        project: () => zonal(projected, square),
        line: () => zonal(array, line),
        text: () => zonal(array, JSON.stringify(square)),
        statistic: () => zonal(array, square, { stats: ["average"] }),
        option: () => zonal(array, square, { statistics: ["mean"] }),
        dropped: () => zonal(array, square, { selection: [null, 0] }),
        step: () => zonal(array, square, { selection: [null, { start: 0, stop: 4, step: 2 }] }),
        weights: () => zonal(array, square, { weights: { data: [1, 2], dimensions: ["lat"] } }),
        degrees: () => zonal(array, { type: "Polygon", coordinates: [[[0, 0], [1, 95], [2, 0], [0, 0]]] }),
        none: () => zonal(array, square, { stats: [] }),
        far: () => zonal(projected, square, { project: ([lon, lat]) => [lon * 1e306, lat * 1e306] }),
        tolerance: () => zonal(projected, square, { project: (place) => place, tolerance: -1 }),
        array: () => zonal(undefined, square),
      };
      const told = { through: through.mean.data[0] };
      for (const [name, call] of Object.entries(calls)) told[name] = await call().then(() => "nothing", ({ name, message }) => `${name}: ${message}`);
      const controller = new AbortController();
      controller.abort(new Error("enough"));
      told.abort = await zonal(array, square, { signal: controller.signal }).catch(({ message }) => message);
      return told;
    }, { square: box(0.5, 0.5, 1.5, 1.5), line: { type: "LineString", coordinates: [[0, 0], [1, 1]] } });
    // Moved by one cell to the east and to the north.
    assert.ok(Math.abs(found.through - 7.5) < 1e-9, found.through);
    const expected = {
      project: /SelectionError: zonal: the grid is in the coordinates y and x of a projection; pass project/,
      line: /SelectionError: zonal: feature 0: its geometry is a LineString/,
      text: /SelectionError: zonal: GeoJSON is expected as an object/,
      statistic: /UnsupportedError: .*"average".*of zones there are count/,
      option: /TypeError: zonal has no option statistics/,
      dropped: /SelectionError: zonal: the selection along lat must be a slice with step 1/,
      step: /SelectionError: zonal: the selection along lat must be a slice with step 1/,
      weights: /SelectionError: zonal: the weights must lie along lat and lon, with 4 and 4 items/,
      degrees: /SelectionError: .*feature 0/,
      none: /SelectionError: zonal: the list of statistics is empty/,
      far: /SelectionError: .*feature 0: ring 0 of polygon 0 has the vertex .*must be finite, and less than 10\^100/,
      tolerance: /SelectionError: zonal: the option tolerance must be a number above 0, not -1/,
      array: /TypeError: zonal expects an opened array/,
      abort: /^enough$/,
    };
    for (const [name, pattern] of Object.entries(expected)) assert.match(found[name], pattern);
  });
});
