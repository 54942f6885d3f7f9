/** Zonal statistics of arrays without coordinates, by a transform: as of those that have coordinates, in Node. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "../support/in-node.mjs";

const { RectilinearArray } = await imported("node.js");
const { zonal } = await imported("answers.js");

const [ROWS, COLUMNS] = [6, 8];
const CELLS = Float64Array.from({ length: 2 * ROWS * COLUMNS }, (_, i) => (i * 37) % 91);
const text = (value) => new TextEncoder().encode(JSON.stringify(value));
const floats = (numbers) => new Uint8Array(Float64Array.from(numbers).buffer);
const document = (shape, dimension_names, attributes = {}) => text({
  zarr_format: 3, node_type: "array", shape, data_type: "float64", fill_value: 0, dimension_names, attributes,
  chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
});

/** The array, beside coordinates where there are some: values along rows and columns, and their attributes. */
async function arrayOf(t, coordinates) {
  const [ys, xs, attributes] = coordinates ?? [];
  const names = ["time", attributes?.[0].units ? "lat" : "y", attributes?.[0].units ? "lon" : "x"];
  const files = new Map([["/v/zarr.json", document([2, ROWS, COLUMNS], names)], ["/v/c/0/0/0", floats(CELLS)]]);
  for (const [nth, values] of (coordinates ? [ys, xs] : []).entries()) {
    files.set(`/${names[nth + 1]}/zarr.json`, document([values.length], [names[nth + 1]], attributes[nth]));
    files.set(`/${names[nth + 1]}/c/0`, floats(values));
  }
  const array = await RectilinearArray.open(files, { path: "v" });
  t.after(() => array.free());
  return array;
}

const along = (count, first, step) => Array.from({ length: count }, (_, i) => first + step * (i + 0.5));
const ring = (...corners) => ({ type: "Polygon", coordinates: [[...corners, corners[0]]] });
const FEATURE = ring([3.2, 41.1], [12.4, 42.2], [9.7, 50.3], [4.1, 48.8]);
const STATS = ["mean", "sum", "count", "std", "min", "max"];
const near = (found, wanted, tolerance) => {
  for (const name of STATS) wanted[name].data.forEach((value, i) => assert.ok(Math.abs(found[name].data[i] - value) <= tolerance * Math.max(1, Math.abs(value)), `${name}: ${found[name].data[i]} and ${value}`));
};

test("a grid of degrees by its transform is that of its latitudes and longitudes, weighted by area or not", async (t) => {
  const transform = [2, 0, 0, 0, -2.5, 54];
  const bare = await arrayOf(t);
  const full = await arrayOf(t, [along(ROWS, 54, -2.5), along(COLUMNS, 0, 2), [{ units: "degrees_north" }, { units: "degrees_east" }]]);
  for (const options of [{}, { weights: "area" }, { selection: [1, null, null] }]) {
    near(await zonal(bare, FEATURE, { stats: STATS, transform, ...options }), await zonal(full, FEATURE, { stats: STATS, ...options }), 1e-12);
  }
  const { mean } = await zonal(bare, FEATURE, { transform });
  assert.deepEqual([mean.shape, mean.dimensions], [[1, 2], ["feature", "time"]]);
});

test("a projected grid by its transform is that of its x and y", async (t) => {
  const project = ([lon, lat]) => [lon * 111e3 * Math.cos((lat * Math.PI) / 180), lat * 111e3];
  const transform = [100e3, 0, 200e3, 0, -200e3, 5_700_000];
  const bare = await arrayOf(t);
  const full = await arrayOf(t, [along(ROWS, 5_700_000, -200e3), along(COLUMNS, 200e3, 100e3), [{ standard_name: "projection_y_coordinate" }, { standard_name: "projection_x_coordinate" }]]);
  near(await zonal(bare, FEATURE, { stats: STATS, transform, project, tolerance: 1e-6 }), await zonal(full, FEATURE, { stats: STATS, project, tolerance: 0.1 }), 1e-6);
});

test("a transform that turns the grid gives the cells of the turned one", async (t) => {
  const bare = await arrayOf(t);
  const straight = [100e3, 0, 200e3, 0, -200e3, 5_700_000];
  const [a, , c, , e, f] = straight;
  // Rows along x and columns along y, of the array with its axes the other way round, are the same cells.
  const flipped = Float64Array.from({ length: ROWS * COLUMNS }, (_, i) => CELLS[(i % ROWS) * COLUMNS + Math.floor(i / ROWS)]);
  const turnedArray = await RectilinearArray.open(new Map([["/v/zarr.json", document([COLUMNS, ROWS], ["x", "y"])], ["/v/c/0/0", floats(flipped)]]), { path: "v" });
  t.after(() => turnedArray.free());
  const project = ([lon, lat]) => [lon * 111e3, lat * 111e3];
  const wanted = await zonal(bare, FEATURE, { stats: STATS, transform: straight, project, selection: [0, null, null] });
  near(await zonal(turnedArray, FEATURE, { stats: STATS, transform: [0, a, c, e, 0, f], project }), wanted, 1e-9);
});

test("transforms that are none are refused, with what one is", async (t) => {
  const bare = await arrayOf(t);
  const refused = (transform, more) => zonal(bare, FEATURE, { transform, ...more }).then(() => "nothing", ({ name, message }) => `${name}: ${message}`);
  for (const transform of [[1, 2, 3], "abcdef", [1, 0, 0, 0, NaN, 0], [1, 1, 0, 1, 1, 0], 7]) assert.match(await refused(transform), /^SelectionError: zonal: the option transform must be six numbers/);
  assert.match(await refused([1, 0.5, 0, 0.5, -1, 50]), /^SelectionError: zonal: the transform turns the grid of degrees; pass project too/);
  assert.match(await refused([1, 0, 0, 0, -1, 50], { selection: [null, 0, null] }), /^SelectionError: zonal: the selection along y must be a slice/);
});
