/** What zonal statistics take: features of GeoJSON, and edges of cells from coordinates. Pure functions, in Node. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { featuresOf } from "../../../src/web/answers/geojson.js";
import { edgesOf } from "../../../src/web/answers/cell-edges.js";

const square = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]];
const polygon = (...rings) => ({ type: "Polygon", coordinates: rings });
const feature = (geometry, more) => ({ type: "Feature", properties: {}, geometry, ...more });
const collection = (...features) => ({ type: "FeatureCollection", features });
const plain = ({ numbers, ...lists }) => ({ vertices: numbers.length / 2, ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]])) });

test("features of every kind become rings, polygons and ids", () => {
  const multi = { type: "MultiPolygon", coordinates: [[square, square], [square]] };
  const nested = { type: "GeometryCollection", geometries: [polygon(square), { type: "GeometryCollection", geometries: [multi] }] };
  const found = featuresOf(collection(feature(polygon(square), { id: "FR" }), feature(multi), feature(nested, { id: 7 })));
  assert.deepEqual(plain(found), { vertices: 40, rings: [5, 10, 15, 20, 25, 30, 35, 40], polygons: [1, 3, 4, 5, 7, 8], features: [1, 3, 6], ids: ["FR", 1, 7] });
  // Heights are left out.
  assert.deepEqual([...featuresOf(polygon([[1, 2, 99], [3, 4, 99], [5, 6, 99]])).numbers], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(plain(featuresOf(feature(polygon(square)))), plain(featuresOf(polygon(square))));
  assert.deepEqual(plain(featuresOf(collection())), { vertices: 0, rings: [], polygons: [], features: [], ids: [] });
});

test("edges that a projection bends are followed", () => {
  // A circle around the pole, in metres: the edge along a parallel is an arc.
  const project = ([lon, lat]) => [(90 - lat) * Math.cos((lon * Math.PI) / 180), (90 - lat) * Math.sin((lon * Math.PI) / 180)];
  const sector = polygon([[0, 60], [120, 60], [120, 80], [0, 80], [0, 60]]);
  const { numbers } = featuresOf(sector, { project, tolerance: 0.01 });
  let area = 0;
  for (let i = 0; i + 3 < numbers.length; i += 2) area += (numbers[i] * numbers[i + 3] - numbers[i + 2] * numbers[i + 1]) / 2;
  assert.ok(Math.abs(Math.abs(area) / ((Math.PI / 3) * (900 - 100)) - 1) < 1e-3, `${area}`);
  assert.ok(numbers.length > 40 && numbers.length < 400, `${numbers.length}`);
  assert.equal(featuresOf(sector, { project, tolerance: Infinity }).numbers.length, 10);
});

test("mistakes in features are named", () => {
  const within = (depth) => (depth === 0 ? polygon(square) : { type: "GeometryCollection", geometries: [within(depth - 1)] });
  assert.equal(featuresOf(within(4)).features.length, 1);
  const cases = [
    ["{}", /not as text/],
    [null, /expected a FeatureCollection.*null/],
    [{ type: "Topology" }, /"Topology"/],
    [{ type: "FeatureCollection" }, /list of features/],
    [collection({ type: "Polygon" }), /feature 0 is no Feature, but "Polygon"/],
    [collection(feature(polygon(square)), feature({ type: "LineString", coordinates: square }, { id: "road" })), /feature 1 \("road"\): its geometry is a LineString/],
    [feature({ type: "Point", coordinates: [0, 0] }), /feature 0: its geometry is a Point/],
    [feature(null), /feature 0: it has no geometry, but null/],
    [feature(polygon()), /feature 0: the coordinates of a polygon are a list of rings/],
    [feature({ type: "MultiPolygon", coordinates: [] }), /feature 0 is empty/],
    [feature({ type: "GeometryCollection", geometries: [] }), /feature 0 is empty/],
    [within(6), /feature 0: geometry collections lie within each other more than 4 deep/],
    [feature({ type: "MultiPolygon", coordinates: [[square], [square, [[0, 0], [1, NaN], [2, 2]]]] }), /feature 0: polygon 1, ring 1, position 1 must be two finite numbers, and is \[1,null\]/],
    [polygon([[0, 0], ["1", 0], [2, 2]]), /ring 0, position 1/],
    [polygon(7), /ring 0 is a list of positions, not 7/],
    [polygon(Array.from({ length: 1_000_001 }, (_, i) => [i / 1e6, i % 2])), /more than 10\^6 vertices/],
    [collection(...new Array(10_001).fill(feature(polygon(square)))), /10001 features/],
    [{ ...collection(), crs: { properties: { name: "urn:ogc:def:crs:EPSG::3857" } } }, /EPSG::3857.*pass project/],
  ];
  for (const [geojson, message] of cases) assert.throws(() => featuresOf(geojson), { name: "SelectionError", message }, String(message));
  for (const name of ["urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:EPSG::4326", "EPSG:4326"]) {
    assert.deepEqual(featuresOf({ ...collection(), crs: { properties: { name } } }).ids, []);
  }
  assert.throws(() => featuresOf(polygon(square), { project: () => [Infinity, 0] }), /feature 0: ring 0, position 0 .*has no place in the grid/);
});

test("edges come from bounds, else lie between the values", () => {
  assert.deepEqual([...edgesOf("x", [0, 1, 3])], [-0.5, 0.5, 2, 4]);
  assert.deepEqual([...edgesOf("lat", [90, 45, 0, -45, -90], { isLatitude: true })], [90, 67.5, 22.5, -22.5, -67.5, -90]);
  assert.deepEqual([...edgesOf("x", [0, 1, 3], { bounds: [-1, 0.5, 0.5, 2.5, 2.5, 3.5] })], [-1, 0.5, 2.5, 3.5]);
  // Bounds of falling coordinates are written either way.
  assert.deepEqual([...edgesOf("y", [3, 1], { bounds: [2, 4, 0, 2] })], [4, 2, 0]);
  assert.deepEqual([...edgesOf("y", [3, 1], { bounds: [4, 2, 2, 0] })], [4, 2, 0]);
  assert.deepEqual([...edgesOf("y", [3], { bounds: [2, 4] })], [2, 4]);
  const single = Float32Array.from({ length: 3600 }, (_, i) => -179.95 + i / 10);
  const edges = edgesOf("lon", single);
  assert.ok(Math.abs(edges[0] + 180) < 1e-5 && Math.abs(edges[3600] - 180) < 1e-4);
});

test("coordinates without cells are named", () => {
  for (const [values, options, message] of [
    [[1], {}, /along x are not known: it has 1 values and no bounds/],
    [[], { bounds: [] }, /it has 0 values/],
    [[0, NaN], {}, /value 1 is NaN/],
    [[0, 1, 1], {}, /must rise or fall/],
    [[0, 1, 0], {}, /must rise or fall/],
    [[0, 1], { bounds: [0, 1] }, /2 bounds in place of 4/],
    [[0, 1], { bounds: [0, 0.4, 0.6, 1] }, /bounds of cell 0 end at 0.4/],
    [[80, 88, 95, 99], { isLatitude: true }, /cell 2 reaches from 90 to 90/],
  ]) assert.throws(() => edgesOf("x", values, options), { name: "SelectionError", message }, String(message));
});
