/** Zonal statistics of curvilinear grids and of HEALPix: corners as xarray infers them, areas, shares, ids in any order. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { areasOf, cornersBetween, cornersOf } from "../../../src/web/answers/curvilinear.js";
import { openPage } from "../support/chromium.mjs";

/** Breaks between values along one axis of a grid of rows, as xarray's `_infer_interval_breaks` makes them. */
function breaks(grid, isAlongRows) {
  const across = isAlongRows ? grid : grid[0].map((_, i) => grid.map((row) => row[i]));
  const made = across.map((values) => {
    const halves = values.slice(1).map((value, i) => (value - values[i]) / 2);
    return [values[0] - halves[0], ...halves.map((half, i) => values[i] + half), values.at(-1) + halves.at(-1)];
  });
  return isAlongRows ? made : made[0].map((_, i) => made.map((row) => row[i]));
}

/** A grid of numbers by a function of row and column. */
const gridOf = (rows, columns, number) => Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => number(row, column)));

test("corners between middles are xarray's, across 180 degrees too", () => {
  for (const [rows, columns, east, turn] of [[5, 7, 10, 0], [2, 2, 0, 0], [6, 4, 178, 0], [6, 4, 176, 1]]) {
    const latitudes = gridOf(rows, columns, (row, column) => 40 + 3 * row - 0.7 * column + 0.1 * row * column);
    const longitudes = gridOf(rows, columns, (row, column) => east + 2 * column + 0.5 * row + 0.05 * column * column);
    // Some writers have longitudes from -180 to 180.
    const written = longitudes.flat().map((longitude) => (turn && longitude > 180 ? longitude - 360 : longitude));
    const [ys, xs] = [latitudes, longitudes].map((grid) => breaks(breaks(grid, true), false));
    const found = cornersBetween(latitudes.flat(), written, rows, columns);
    for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
      [[0, 0], [0, 1], [1, 1], [1, 0]].forEach(([down, right], corner) => {
        const at = 8 * (row * columns + column) + 2 * corner;
        const away = found[at] - xs[row + down][column + right];
        assert.ok(Math.abs(away - 360 * Math.round(away / 360)) < 1e-9, `${row} ${column} ${corner}: ${found[at]}`);
        assert.ok(Math.abs(found[at + 1] - ys[row + down][column + right]) < 1e-9, `${row} ${column} ${corner}: ${found[at + 1]}`);
      });
    }
  }
  assert.throws(() => cornersBetween([1, 2], [1, 2], 1, 2), { name: "SelectionError", message: /corners of 1 x 2 cells/ });
  assert.throws(() => cornersBetween([], [], 4096, 4096), { name: "SelectionError", message: /16777216 cells .* 2\^22/ });
  // Where nothing tells how the grid goes on, no cell has corners.
  assert.ok(cornersBetween([1, NaN, 3, 4], [1, 2, 3, 4], 2, 2).every(Number.isNaN));
});

test("cells beside some without a middle have the corners that they have without gaps", () => {
  const [rows, columns] = [9, 11];
  const isGap = (row, column) => (row === 4 && column === 5) || (row < 2 && column > 8) || (row === 7 && column > 1 && column < 7) || column === 0;
  for (const [name, bend, bound] of [["even", 0, 1e-9], ["bent", 0.01, 0.03]]) {
    const latitudes = gridOf(rows, columns, (row, column) => 40 + row + 0.3 * column + bend * row * row).flat();
    const longitudes = gridOf(rows, columns, (row, column) => 175 + column - 0.2 * row + bend * column * row).flat().map((longitude) => (longitude > 180 ? longitude - 360 : longitude));
    const whole = cornersBetween(latitudes, longitudes, rows, columns);
    const missing = (values, which) => values.map((value, cell) => (isGap(Math.floor(cell / columns), cell % columns) && cell % 3 !== which ? NaN : value));
    const found = cornersBetween(missing(latitudes, 0), missing(longitudes, 1), rows, columns);
    for (let cell = 0; cell < rows * columns; cell++) {
      for (let at = 8 * cell; at < 8 * cell + 8; at++) {
        if (isGap(Math.floor(cell / columns), cell % columns)) assert.ok(Number.isNaN(found[at]), `${name} ${cell}`);
        else assert.ok(Math.abs(found[at] - whole[at] - 360 * Math.round((found[at] - whole[at]) / 360)) < bound, `${name} ${cell}: ${found[at]}, not ${whole[at]}`);
      }
    }
    // Neighbours meet in the same corners, so that they leave no gap between them.
    const corner = (row, column, nth) => found.slice(8 * (row * columns + column) + 2 * nth, 8 * (row * columns + column) + 2 * nth + 2);
    for (let row = 0; row < rows - 1; row++) for (let column = 0; column < columns; column++) {
      if (isGap(row, column) || isGap(row + 1, column)) continue;
      for (const [below, above] of [[3, 0], [2, 1]]) {
        const [[x, y], [nextX, nextY]] = [corner(row, column, below), corner(row + 1, column, above)];
        assert.ok(Math.abs(x - nextX - 360 * Math.round((x - nextX) / 360)) < 1e-9 && Math.abs(y - nextY) < 1e-9, `${name} ${row} ${column}`);
      }
    }
  }
});

test("areas of cells are those on the sphere", () => {
  const box = (west, south, east, north) => cornersOf([south, south, north, north], [west, east, east, west]);
  const exact = (west, south, east, north) => ((east - west) * Math.PI) / 180 * (Math.sin((north * Math.PI) / 180) - Math.sin((south * Math.PI) / 180));
  for (const sides of [[0, 0, 90, 90], [10, -40, 12, -39], [-20, 60, 30, 90]]) {
    const [area] = areasOf(box(...sides));
    assert.ok(Math.abs(area / exact(...sides) - 1) < 1e-12, `${sides}: ${area}`);
  }
  assert.ok(Math.abs(areasOf(box(170, 0, 190, 10))[0] - areasOf(cornersOf([0, 0, 10, 10], [170, -170, -170, 170]))[0]) < 1e-15);
  // A quad and its mirror, and the sum of two that it is cut into.
  const quad = cornersOf([10, 12, 20, 17], [0, 9, 11, -1]);
  const halves = [cornersOf([10, 12, 20, 10], [0, 9, 11, 0]), cornersOf([10, 20, 17, 10], [0, 11, -1, 0])].map((half) => areasOf(half)[0]);
  assert.ok(Math.abs(areasOf(quad)[0] - halves[0] - halves[1]) < 1e-12);
  assert.equal(areasOf(new Float64Array(8).fill(NaN))[0], 0);
});

/** In the page: stores of one array of float64 in chunks, with arrays beside it. */
const storeOf = `(arrays) => {
  const text = (value) => new TextEncoder().encode(JSON.stringify(value));
  const store = new Map([["/zarr.json", text({ zarr_format: 3, node_type: "group" })]]);
  for (const [name, { shape, chunks = shape, names, attributes = {}, data_type = "float64", item }] of Object.entries(arrays)) {
    store.set("/" + name + "/zarr.json", text({ zarr_format: 3, node_type: "array", shape, data_type, fill_value: 0, dimension_names: names, attributes, chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }] }));
    const counts = shape.map((length, axis) => Math.ceil(length / chunks[axis]));
    const all = (lengths) => lengths.reduce((found, length) => found.flatMap((at) => Array.from({ length }, (_, i) => [...at, i])), [[]]);
    const Items = { float64: Float64Array, int32: Int32Array }[data_type];
    for (const chunk of all(counts)) {
      store.set(["/" + name + "/c", ...chunk].join("/"), new Uint8Array(Items.from(all(chunks), (within) => item(...within.map((index, axis) => chunk[axis] * chunks[axis] + index))).buffer));
    }
  }
  return store;
}`;

describe("zonal statistics", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  const run = (body, args) => page.run(`async (zarr, args) => {
    const { zonal } = await import("rectilinear-zarr/answers");
    const storeOf = ${storeOf};
    return (${body})({ ...zarr, zonal, storeOf }, args);
  }`, args);

  test("of a curvilinear grid: cells with corners, between middles or of bounds, in part and across 180 degrees", async () => {
    const found = await run(async ({ Group, zonal, storeOf }) => {
      const found = {};
      for (const [name, east] of [["plain", 10], ["across", 176]]) {
        // A grid that is turned: steps of (1, 0.5) along x, and of (-0.5, 1) along y.
        const lon = (y, x) => {
          const degrees = east + x - 0.5 * y;
          return degrees > 180 ? degrees - 360 : degrees;
        };
        const lat = (y, x) => 20 + 0.5 * x + y;
        const corner = (y, x, nth) => [[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]][nth].map((away, axis) => away + [y, x][axis]);
        const made = (hasBounds) => storeOf({
          t: { shape: [2, 6, 8], chunks: [1, 3, 4], names: ["time", "y", "x"], attributes: { coordinates: "lon2 lat2" }, item: (t, y, x) => 100 * t + 8 * y + x },
          lat2: { shape: [6, 8], names: ["y", "x"], attributes: { units: "degrees_north", ...(hasBounds && { bounds: "lat_vertices" }) }, item: lat },
          lon2: { shape: [6, 8], names: ["y", "x"], attributes: { units: "degrees_east", ...(hasBounds && { bounds: "lon_vertices" }) }, item: lon },
          ...(hasBounds && {
            lat_vertices: { shape: [6, 8, 4], names: ["y", "x", "nv"], item: (y, x, nth) => lat(...corner(y, x, nth)) },
            lon_vertices: { shape: [6, 8, 4], names: ["y", "x", "nv"], item: (y, x, nth) => lon(...corner(y, x, nth)) },
          }),
        });
        const ring = (y, x) => [0, 1, 2, 3, 0].map((nth) => [lon(...corner(y, x, nth)), lat(...corner(y, x, nth))]);
        const feature = (coordinates) => ({ type: "Feature", geometry: { type: "Polygon", coordinates } });
        const [a, b, c] = ring(2, 3);
        // One cell; half of it; two cells.
        const features = [feature([ring(2, 3)]), feature([[a, b, c, a]]), { type: "Feature", geometry: { type: "MultiPolygon", coordinates: [[ring(5, 7)], [ring(0, 0)]] } }];
        for (const hasBounds of [false, true]) {
          const asked = [];
          const store = made(hasBounds);
          const array = await (await Group.open({ get: (key) => (/^\/t\/c/.test(key) && asked.push(key), store.get(key)) }, { cacheBytes: 0 })).array("t");
          const whole = await zonal(array, { type: "FeatureCollection", features }, { stats: ["count", "mean"] });
          const touched = asked.length;
          const part = await zonal(array, features[0], { stats: ["count", "mean"], selection: { time: 1, y: { start: 1, stop: 5, step: null }, x: { start: 2, stop: 7, step: null } } });
          const area = await zonal(array, { type: "FeatureCollection", features }, { stats: ["mean", "count"], weights: "area", selection: [0] });
          const given = await zonal(array, features[2], { weights: { data: Array.from({ length: 48 }, (_, i) => (i === 0 ? 3 : 1)), shape: [6, 8], dimensions: ["y", "x"] }, selection: [0] });
          found[`${name} ${hasBounds}`] = { count: [...whole.count.data], mean: [...whole.mean.data], touched, part: [part.count.data[0], part.mean.data[0]], area: [...area.mean.data], given: given.mean.data[0], dimensions: whole.mean.dimensions };
        }
      }
      return found;
    });
    const near = (own, right, bound = 1e-9) => own.forEach((value, i) => assert.ok(Math.abs(value - right[i]) < bound, `${own}, not ${right}`));
    for (const { count, mean, touched, part, area, given, dimensions } of Object.values(found)) {
      assert.deepEqual(dimensions, ["feature", "time"]);
      near(count, [1, 1, 0.5, 0.5, 2, 2]);
      near(mean, [19, 119, 19, 119, 23.5, 123.5]);
      // Cells (2, 3), (5, 7) and (0, 0) are in two of the four chunks of each time.
      assert.equal(touched, 4);
      near(part, [1, 119]);
      // The cell that lies further north is smaller.
      near(area.slice(0, 2), [19, 19]);
      assert.ok(area[2] < 23.5 && area[2] > 21, `${area}`);
      near([given], [47 / 4]);
    }
  });

  test("of HEALPix: nested, ring and some cells alike, areas of boxes, cells at points, and errors", { timeout: 120_000 }, async () => {
    const found = await run(async ({ Group, zonal, storeOf }) => {
      const { healpix } = await import("rectilinear-zarr/healpix");
      const level = 3;
      const cells = 12 * 4 ** level;
      const mapping = (order) => ({ shape: [], names: [], attributes: { grid_mapping_name: "healpix", healpix_nside: 2 ** level, healpix_order: order }, item: () => 0 });
      const field = (nested) => Math.sin(nested) * 10;
      const nested = await Group.open(storeOf({ t: { shape: [2, cells], chunks: [1, 64], names: ["time", "cell"], attributes: { grid_mapping: "crs" }, item: (t, cell) => 100 * t + field(cell) }, crs: mapping("nested") }));
      const plain = await nested.array("t");
      const grid = await healpix(nested, "t");
      // The ring order, from the grid's own conversion by points: the nested cell at the middle of each ring cell.
      const rings = await healpix(await Group.open(storeOf({ t: { shape: [cells], chunks: [64], names: ["cell"], attributes: { grid_mapping: "crs" }, item: () => 0 }, crs: mapping("ring") })), "t");
      const atRing = Array.from({ length: cells }, (_, id) => grid.cellAt(...rings.centre(id)));
      const ringGroup = await Group.open(storeOf({ t: { shape: [cells], chunks: [64], names: ["cell"], attributes: { grid_mapping: "crs" }, item: (id) => field(atRing[id]) }, crs: mapping("ring") }));
      const ids = Array.from({ length: cells }, (_, i) => (i * 5) % cells).filter((id) => id % 4 > 0);
      const someGroup = await Group.open(storeOf({
        t: { shape: [ids.length], chunks: [100], names: ["cells"], item: (i) => field(ids[i]) },
        cells: { shape: [ids.length], names: ["cells"], data_type: "int32", attributes: { grid_name: "healpix", level, indexing_scheme: "nested" }, item: (i) => ids[i] },
      }));
      const box = (west, south, east, north) => ({ type: "Feature", geometry: { type: "Polygon", coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] } });
      const sides = [[10, 5, 80, 60], [150, -40, 230, 20], [-180, -90, 180, 90]];
      const features = { type: "FeatureCollection", features: sides.map((side) => box(...side)) };
      const stats = ["count", "mean"];
      const of = async (source, options) => {
        const { count, mean } = await zonal(source, features, { stats, ...options });
        return { count: [...count.data], mean: [...mean.data], dimensions: mean.dimensions };
      };
      // Points at equal areas in the first box.
      const [west, south, east, north] = sides[0];
      const sine = (degrees) => Math.sin((degrees * Math.PI) / 180);
      let [sum, points] = [0, 0];
      for (let i = 0; i < 300; i++) for (let j = 0; j < 300; j++) {
        const latitude = (Math.asin(sine(south) + ((j + 0.5) / 300) * (sine(north) - sine(south))) * 180) / Math.PI;
        sum += field(grid.cellAt(west + ((i + 0.5) / 300) * (east - west), latitude));
        points += 1;
      }
      const told = {};
      for (const [name, call] of Object.entries({
        weights: () => zonal(grid, features, { weights: { data: [1, 2], dimensions: ["time"] } }),
        cell: () => zonal(grid, features, { selection: { cell: 7 } }),
        none: async () => zonal(await (await Group.open(storeOf({ t: { shape: [7, 5], names: ["a", "b"], item: () => 0 } }))).array("t"), features),
      })) told[name] = await call().then(() => "nothing", ({ name, message }) => `${name}: ${message}`);
      return {
        plain: await of(plain, { selection: [0] }),
        grid: await of(grid),
        area: await of(grid, { selection: { time: 0 }, weights: "area" }),
        ring: await of(await ringGroup.array("t")),
        some: await of(await someGroup.array("t")),
        half: await of(plain, { selection: { time: 0, cell: ids } }),
        weighted: await of(plain, { selection: { time: 0 }, weights: { data: Array.from({ length: cells }, (_, id) => (id % 4 > 0 ? 2 : 0)), dimensions: ["cell"] } }),
        exact: sides.map(([west, south, east, north]) => (((east - west) / 360) * (sine(north) - sine(south))) / 2 * cells),
        atPoints: sum / points,
        all: Array.from({ length: cells }, (_, id) => field(id)).reduce((sum, value) => sum + value, 0) / cells,
        told,
      };
    });
    const near = (own, right, bound) => own.forEach((value, i) => assert.ok(Math.abs(value - right[i]) <= bound * Math.max(1, Math.abs(right[i])), `${own}, not ${right}`));
    const { plain, grid, ring, some, half, weighted, area } = found;
    assert.deepEqual([plain.dimensions, grid.dimensions], [["feature"], ["feature", "time"]]);
    near(plain.count, found.exact, 1e-6);
    near(plain.mean.slice(2), [found.all], 1e-12);
    near(plain.mean.slice(0, 1), [found.atPoints], 2e-3);
    near(grid.mean, plain.mean.flatMap((mean) => [mean, mean + 100]), 1e-12);
    near(ring.count, plain.count, 1e-12);
    near(ring.mean, plain.mean, 1e-12);
    near(area.mean, plain.mean, 1e-12);
    // Some cells in another order, stored so or selected so, and by weights.
    near(half.count, some.count, 1e-12);
    near(half.mean, some.mean, 1e-12);
    near(weighted.mean, some.mean, 1e-12);
    assert.ok(some.count.every((count, i) => count < plain.count[i]));
    assert.match(found.told.weights, /SelectionError: zonal: the weights must lie along cell/);
    assert.match(found.told.cell, /SelectionError: zonal: the selection takes one cell along cell/);
    assert.match(found.told.none, /SelectionError: zonal: no two axes of a, b have coordinates/);
  });

  test("and reduce select by labels", async () => {
    const found = await run(async ({ Group, zonal, storeOf, slice }) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const array = await (await Group.open(storeOf({
        t: { shape: [60, 4, 6], chunks: [10, 2, 3], names: ["time", "lat", "lon"], item: (t, y, x) => 100 * t + 6 * y + x },
        time: { shape: [60], names: ["time"], attributes: { units: "days since 2024-01-01" }, item: (t) => t },
        lat: { shape: [4], names: ["lat"], attributes: { units: "degrees_north" }, item: (y) => 10 * y },
        lon: { shape: [6], names: ["lon"], attributes: { units: "degrees_east" }, item: (x) => 60 * x },
      }))).array("t");
      const world = { type: "Polygon", coordinates: [[[-30, -5], [150, -5], [150, 35], [-30, 35], [-30, -5]]] };
      const same = async (sel, selection, options) => {
        const [one, other] = [await reduce(array, "mean", { over: "time", sel, ...options }), await reduce(array, "mean", { over: "time", selection })];
        return [one.data.join() === other.data.join(), one.shape.join(), JSON.stringify(one.coordinates) === JSON.stringify(other.coordinates)];
      };
      const told = {};
      for (const [name, call] of Object.entries({
        both: () => reduce(array, "mean", { sel: { lat: 10 }, selection: [0] }),
        none: () => reduce(array, "mean", { sel: { lat: 11 } }),
        method: () => reduce(array, "mean", { method: "nearest" }),
        kind: () => reduce(array, "mean", { sel: ["2024-01"] }),
      })) told[name] = await call().then(() => "nothing", ({ name, message }) => `${name}: ${message}`);
      return {
        month: await same({ time: "2024-02" }, [slice(31, 60)]),
        near: await same({ lat: 11, lon: -60 }, [null, 1, 5], { method: "nearest", wrap: 360 }),
        zone: [(await zonal(array, world, { sel: { time: "2024-01-03" } })).mean.data[0], (await zonal(array, world, { selection: { time: 2 } })).mean.data[0]],
        told,
      };
    });
    assert.deepEqual([found.month, found.near], [[true, "4,6", true], [true, "", true]]);
    assert.equal(found.zone[0], found.zone[1]);
    assert.match(found.told.both, /SelectionError: the options selection and sel select both/);
    assert.match(found.told.none, /SelectionError: selection on axis 1 \(lat\): there is no label 11/);
    assert.match(found.told.method, /SelectionError: the option method is for labels/);
    assert.match(found.told.kind, /SelectionError: the option sel is an object of labels/);
  });
});
