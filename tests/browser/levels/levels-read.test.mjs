/** Reads of boxes of pyramids: what they choose, request, select and refuse, in Node. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import proj4 from "proj4";

import { levelsOf, made } from "../support/levels.mjs";

/** Lambert's equal-area projection of Europe. */
const WKT = 'PROJCS["ETRS89 / LAEA",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,298.257222101],TOWGS84[0,0,0,0,0,0,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Lambert_Azimuthal_Equal_Area"],PARAMETER["latitude_of_center",52],PARAMETER["longitude_of_center",10],PARAMETER["false_easting",4321000],PARAMETER["false_northing",3210000],UNIT["metre",1]]';

const CODECS = [{ name: "bytes", configuration: { endian: "little" } }];

/** A grid of the Earth in degrees, of edges of ten degrees, with its number in each pixel, in chunks of 9 x 9. */
function earth(west = -180, more = {}) {
  const grid = { name: "regular", configuration: { chunk_shape: [9, 9] } };
  const files = made({ "spatial:transform": [10, 0, west, 0, -10, 90], "spatial:dimensions": ["y", "x"], "proj:code": "OGC:CRS84" }, { t: { shape: [18, 36], dimension_names: ["y", "x"], chunk_grid: grid, ...more } });
  for (const row of [0, 1]) {
    for (const col of [0, 1, 2, 3]) {
      const values = Float32Array.from({ length: 81 }, (_, i) => (9 * row + Math.floor(i / 9)) * 36 + 9 * col + (i % 9));
      files.set(`/t/c/${row}/${col}`, new Uint8Array(values.buffer));
    }
  }
  return files;
}

/** A store of one array of numbers. */
function one(values, { shape, type = "float32", names = ["y", "x"], attributes = {}, group = {} }) {
  const files = made({ "spatial:transform": [1, 0, 0, 0, -1, shape[names.indexOf("y")]], "spatial:dimensions": ["y", "x"], ...group }, { t: { shape, dimension_names: names, data_type: type, attributes, codecs: CODECS } });
  files.set(`/t/c/${shape.map(() => 0).join("/")}`, new Uint8Array(values.buffer));
  return files;
}

/** Chunks among what was asked for. */
const chunksOf = (asked) => asked.filter((key) => key.includes("/c/")).toSorted();

const levelsFrom = async (files) => (await levelsOf(files, { variable: "t" })).levels;

describe("a read of a box", () => {
  test("gives its pixels, its place and what it chose", async () => {
    const { levels, asked } = await levelsOf(earth(), { variable: "t" });
    asked.length = 0;
    const { data, shape, transform, bounds, level, method, selection } = await levels.read({ bbox: [0, 50, 20, 70], width: 2, height: 2, method: "nearest" });
    assert.deepEqual([[...data], data.constructor, shape, transform, bounds], [[90, 91, 126, 127], Float32Array, [2, 2], [10, 0, 0, 0, -10, 70], [0, 50, 20, 70]]);
    assert.deepEqual([level, method, selection], [levels[0], "nearest", [{ start: 2, stop: 4, step: null }, { start: 18, stop: 20, step: null }]]);
    assert.deepEqual(chunksOf(asked), ["t/c/0/2"]);
  });

  test("across the seam takes the columns at both ends and no others", async () => {
    for (const [west, keys, first] of [[-180, ["t/c/0/0", "t/c/0/3"], 35], [0, ["t/c/0/1", "t/c/0/2"], 17], [5, ["t/c/0/1", "t/c/0/2"], 17]]) {
      const { levels, asked } = await levelsOf(earth(west), { variable: "t" });
      asked.length = 0;
      const { data, bounds } = await levels.read({ bbox: [170, 50, -170, 60], crs: "EPSG:4326", width: 2, height: 1, method: "nearest" });
      assert.deepEqual([[...data], bounds], [[108 + first, 108 + ((first + 1) % 36)], [170, 50, 190, 60]]);
      assert.deepEqual(chunksOf(asked), keys);
      const wide = await levels.read({ bbox: [-540, -90, 540, 90], width: 108, height: 18, method: "nearest" });
      assert.deepEqual([...wide.data.slice(0, 36)], [...wide.data.slice(36, 72)], "three times around");
      // Values rise by one a column: between the last one and the first, bilinear ones fall.
      const seam = await levels.read({ bbox: [west - 10, 0, west + 10, 10], width: 8, height: 1, method: "bilinear" });
      const row = 8 * 36;
      assert.deepEqual([...seam.data].map((value) => value - row), [34.625, 34.875, 30.625, 21.875, 13.125, 4.375, 0.125, 0.375]);
    }
    const half = 20037508.342789244;
    const { levels } = await levelsOf(earth(), { variable: "t" });
    const { data } = await levels.read({ bbox: [half - 1e5, 0, half + 1e5, 1e5], crs: "EPSG:3857", width: 2, height: 1, method: "nearest" });
    assert.deepEqual([...data], [8 * 36 + 35, 8 * 36]);
  });

  test("of data with a gap at the seam reads both ends apart", async () => {
    // 34 of 36 columns, from -170 on.
    const files = earth(-170, { shape: [18, 34] });
    const { levels, asked } = await levelsOf(files, { variable: "t" });
    asked.length = 0;
    const { data, selection } = await levels.read({ bbox: [150, 80, 200, 90], width: 5, height: 1, method: "nearest", fill: -1 });
    assert.deepEqual([[...data], selection[1]], [[32, 33, -1, -1, 0], [32, 33, 0]]);
    assert.deepEqual(chunksOf(asked), ["t/c/0/0", "t/c/0/3"]);
    const mean = await levels.read({ bbox: [165, 80, 205, 90], width: 1, height: 1, method: "average" });
    assert.equal(mean.data[0], (33 * 0.5 + 0 + 1 * 0.5) / 2);
  });

  test("of a whole Earth in one pixel is its mean", async () => {
    const levels = await levelsFrom(earth());
    for (const crs of [undefined, "EPSG:4326"]) {
      const { data, method } = await levels.read({ bbox: [-180, -90, 180, 90], crs, width: 1, height: 1 });
      assert.deepEqual([[...data], method], [[323.5], "average"]);
    }
  });

  test("across the seam keeps other axes, before and after columns", async () => {
    for (const names of [["time", "y", "x", "band"], ["x", "time", "band", "y"], ["y", "band", "x", "time"]]) {
      const lengths = { time: 2, band: 3, y: 2, x: 36 };
      const shape = names.map((name) => lengths[name]);
      const values = new Float32Array(2 * 3 * 2 * 36);
      const weights = { time: 10000, band: 1000, y: 100, x: 1 };
      values.forEach((_, i) => {
        let rest = i;
        for (let axis = 3; axis >= 0; axis--) {
          values[i] += (rest % shape[axis]) * weights[names[axis]];
          rest = Math.floor(rest / shape[axis]);
        }
      });
      const files = one(values, { shape, names, group: { "spatial:transform": [10, 0, -180, 0, -10, 20], "proj:code": "OGC:CRS84" } });
      const { data, shape: found } = await (await levelsFrom(files)).read({ bbox: [170, 0, -170, 20], crs: "OGC:CRS84", width: 2, height: 2, method: "nearest" });
      const others = names.filter((name) => name !== "y" && name !== "x");
      const expected = [];
      for (let i = 0; i < lengths[others[0]]; i++) for (let j = 0; j < lengths[others[1]]; j++) for (const place of [35, 0, 135, 100]) expected.push(i * weights[others[0]] + j * weights[others[1]] + place);
      assert.deepEqual([found, [...data]], [[...others.map((name) => lengths[name]), 2, 2], expected], names.join());
    }
  });

  test("across the seam has its pixels however many columns each end has", async () => {
    // Three axes, so that columns, rows and planes have steps of their own.
    const shape = [2, 6, 72];
    const values = Float64Array.from({ length: 2 * 6 * 72 }, (_, i) => i);
    const group = { "spatial:transform": [5, 0, 0, 0, -5, 15], "proj:code": "OGC:CRS84" };
    const levels = await levelsFrom(one(values, { shape, type: "float64", names: ["t", "y", "x"], group }));
    for (let before = 1; before < 60; before++) {
      for (const after of [1, 2, 5, 11]) {
        const width = before + after;
        const bbox = [360 - 5 * before, -15, 360 + 5 * after, 15];
        const { data } = await levels.read({ bbox, crs: "OGC:CRS84", width, height: 6, method: "average" });
        const expected = Array.from({ length: 12 * width }, (_, i) => Math.floor(i / width) * 72 + ((72 - before + (i % width)) % 72));
        assert.deepEqual(Array.from(data, (value) => Number(value.toFixed(6))), expected, `${before} and ${after} columns`);
      }
    }
  });

  test("outside of the data is the fill, and reads nothing", async () => {
    const { levels, asked } = await levelsOf(one(new Float32Array(12), { shape: [3, 4] }), { variable: "t" });
    asked.length = 0;
    for (const method of ["nearest", "bilinear", "average", "mode"]) {
      const { data, selection } = await levels.read({ bbox: [100, 100, 110, 110], width: 2, height: 3, method, fill: -9 });
      assert.deepEqual([[...data], selection], [Array(6).fill(-9), undefined], method);
      const beside = await levels.read({ bbox: [4, 0, 8, 3], width: 4, height: 3, method });
      assert.ok(beside.data.every(Number.isNaN), method);
    }
    assert.deepEqual(asked, []); // the metadata are those that the levels were opened by
  });

  test("takes the level that fits", async () => {
    const layout = [1, 2, 4].map((scale, i) => ({ asset: String(i), "spatial:shape": [16 / scale, 16 / scale], "spatial:transform": [scale, 0, 0, 0, -scale, 16] }));
    const array = (size) => ({ shape: [size, size], dimension_names: ["y", "x"] });
    const files = made({ multiscales: { layout }, "spatial:dimensions": ["y", "x"], "proj:code": "EPSG:32633" }, { "0/t": array(16), "1/t": array(8), "2/t": array(4) });
    for (const i of [0, 1, 2]) {
      const size = 16 >> i;
      files.set(`/${i}/zarr.json`, new TextEncoder().encode(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {} })));
      files.set(`/${i}/t/c/0/0`, new Uint8Array(new Float32Array(size * size).fill(i).buffer));
    }
    const read = async (width, more) => {
      const { levels, asked } = await levelsOf(files, { variable: "t" });
      const { data, level } = await levels.read({ bbox: [0, 0, 16, 16], width, height: width, ...more });
      return [level.index, data[0], chunksOf(asked)];
    };
    assert.deepEqual(await read(16), [0, 0, ["0/t/c/0/0"]]);
    assert.deepEqual(await read(9), [0, 0, ["0/t/c/0/0"]]);
    assert.deepEqual(await read(8), [1, 1, ["1/t/c/0/0"]]);
    assert.deepEqual(await read(2), [2, 2, ["2/t/c/0/0"]]);
    assert.deepEqual(await read(2, { height: 8 }), [1, 1, ["1/t/c/0/0"]], "the direction that needs the finer one");
    assert.deepEqual(await read(2, { level: 0 }), [0, 0, ["0/t/c/0/0"]]);
    await assert.rejects(read(2, { level: 3 }), { name: "RangeError", message: /no level 3/ });
  });

  test("chooses the method by the data and the size", async () => {
    const chosen = async (files, size) => (await (await levelsFrom(files)).read({ bbox: [0, 0, 4, 4], width: size, height: size })).method;
    const numbers = one(new Float32Array(16), { shape: [4, 4] });
    assert.deepEqual([await chosen(numbers, 2), await chosen(numbers, 4), await chosen(numbers, 8)], ["average", "bilinear", "bilinear"]);
    for (const [type, attributes] of [["uint8", { flag_values: [0, 1] }], ["uint8", { flag_masks: [1, 2] }], ["bool", {}]]) {
      const classes = one(new Uint8Array(16), { shape: [4, 4], type, attributes });
      assert.deepEqual([await chosen(classes, 2), await chosen(classes, 4)], ["mode", "nearest"]);
    }
  });

  test("keeps the axes of the selection, in the array's order", async () => {
    const names = ["x", "band", "y", "time"];
    const shape = [4, 3, 2, 2];
    // x + 10 y + 100 band + 1000 time
    const values = Float32Array.from({ length: 48 }, (_, i) => Math.floor(i / 12) + 100 * (Math.floor(i / 4) % 3) + 10 * (Math.floor(i / 2) % 2) + 1000 * (i % 2));
    const levels = await levelsFrom(one(values, { shape, names }));
    const read = async (selection) => {
      const { data, shape } = await levels.read({ bbox: [0, 0, 4, 2], width: 4, height: 2, method: "nearest", selection });
      return [shape, [...data]];
    };
    const plane = (more) => [0, 1, 2, 3, 10, 11, 12, 13].map((value) => value + more);
    assert.deepEqual(await read({ band: 1, time: 1 }), [[2, 4], plane(1100)]);
    assert.deepEqual(await read([null, 2, null, null]), [[2, 2, 4], [...plane(200), ...plane(1200)]]);
    assert.deepEqual(await read({ band: { start: 1, stop: 3, step: null }, time: [1] }), [[2, 1, 2, 4], [...plane(1100), ...plane(1200)]]);
    assert.deepEqual((await read(undefined))[0], [3, 2, 2, 4]);
    await assert.rejects(read({ y: 0 }), { name: "TypeError", message: /follow from bbox/ });
    await assert.rejects(read({ depth: 0 }), { name: "TypeError", message: /"depth"/ });
    await assert.rejects(read({ band: 7 }), { name: "SelectionError" });
  });

  test("gives types with their fill, and refuses what they do not hold", async () => {
    const packed = one(Int16Array.of(10, 20, -1, 31), { shape: [2, 2], type: "int16", attributes: { scale_factor: 10, _FillValue: -1 } });
    const levels = await levelsFrom(packed);
    const read = (more) => levels.read({ bbox: [0, 0, 2, 2], width: 2, height: 2, method: "nearest", ...more });
    assert.deepEqual((await read()).data, Float32Array.of(100, 200, NaN, 310));
    assert.deepEqual((await read({ as: "float64", fill: -5 })).data, Float64Array.of(100, 200, -5, 310));
    assert.deepEqual((await read({ as: "uint16", fill: 9 })).data, Uint16Array.of(100, 200, 9, 310));
    assert.deepEqual((await read({ as: "int8", scale: false, mask: false })).data, Int8Array.of(10, 20, -1, 31));
    assert.deepEqual((await levels.read({ bbox: [0, 0, 2, 2], width: 1, height: 2, method: "average", as: "int16", scale: { factor: 1 } })).data, Int16Array.of(15, 31));
    await assert.rejects(read({ as: "uint8", fill: 0 }), { name: "RangeError", message: /row 1 and column 1 is 310, which uint8 does not hold/ });
    await assert.rejects(read({ as: "uint16" }), { name: "RangeError", message: /row 1 and column 0 is missing.*fill/ });
    const large = await levelsFrom(one(Int32Array.of(16777217, 1, 2, 3), { shape: [2, 2], type: "int32" }));
    assert.deepEqual((await large.read({ bbox: [0, 0, 2, 2], width: 2, height: 2, method: "nearest" })).data, Float64Array.of(16777217, 1, 2, 3));
  });

  test("takes systems in every spelling, and knows its own", async () => {
    const utm = { "spatial:transform": [10, 0, 500000, 0, -10, 5000000], "proj:code": "EPSG:32633" };
    const files = one(Float32Array.from({ length: 400 }, (_, i) => i), { shape: [20, 20], group: utm });
    const levels = await levelsFrom(files);
    const [lon, lat] = proj4("EPSG:32633").inverse([500105, 4999895]);
    const around = { bbox: [lon - 1e-5, lat - 1e-5, lon + 1e-5, lat + 1e-5], width: 1, height: 1, method: "nearest" };
    const middle = 10 * 20 + 10;
    const value = async (more) => (await levels.read({ ...around, ...more })).data[0];
    for (const crs of ["EPSG:4326", "OGC:CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84", "http://www.opengis.net/def/crs/EPSG/0/4326", { code: "EPSG:4326" }]) {
      assert.equal(await value({ crs, proj4 }), middle, String(crs));
      assert.equal(await value({ crs, project: proj4("EPSG:32633").forward }), middle);
    }
    const laea = "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +towgs84=0,0,0 +units=m";
    proj4.defs("TEST:3035", laea);
    const [x, y] = proj4("EPSG:4326", laea, [lon, lat]);
    for (const crs of [laea, "TEST:3035", WKT]) assert.equal(await value({ bbox: [x - 1, y - 1, x + 1, y + 1], crs, proj4 }), middle);
    const own = { bbox: [500100, 4999890, 500110, 4999900] };
    assert.equal(await value({ crs: "+proj=longlat +datum=WGS84 +no_defs", proj4 }), middle);
    for (const crs of [undefined, "EPSG:32633", "epsg:32633", levels.crs]) assert.equal(await value({ ...own, crs }), middle, "without proj4");

    await assert.rejects(value({ crs: "EPSG:4326" }), { name: "UnsupportedError", message: /option proj4/ });
    await assert.rejects(value({ crs: "EPSG:2056" }), { name: "UnsupportedError", message: /EPSG:2056 needs the option proj4/ });
    // Codes of a table that is handed in, or looked up when a code needs it, and for no other.
    const [laeaCode, asked] = ["EPSG:99035", []];
    const table = { [laeaCode]: laea };
    const lookUp = async (code) => (asked.push(code), table[code]);
    const there = [x - 1, y - 1, x + 1, y + 1];
    for (const epsg of [table, lookUp, (code) => table[code]]) {
      assert.equal(await value({ bbox: there, crs: laeaCode, proj4, epsg }), middle);
      assert.equal(await value({ bbox: there, crs: laeaCode, proj4, epsg, project: proj4("EPSG:32633").forward }), middle);
    }
    assert.equal(await value({ crs: "EPSG:4326", proj4, epsg: lookUp }), middle);
    assert.deepEqual(asked, [laeaCode, laeaCode]);
    await assert.rejects(value({ crs: "EPSG:2056", proj4, epsg: lookUp }), { name: "UnsupportedError", message: /does not know .*EPSG:2056.*option epsg/ });
    await assert.rejects(value({ crs: "EPSG:2056", proj4, epsg: () => 7 }), { name: "TypeError", message: /option epsg gives the definition of EPSG:2056 as .*, not 7/ });
    await assert.rejects(value({ crs: "EPSG:2056", proj4, epsg: async () => { throw new Error("offline"); } }), { message: "offline" });
    await assert.rejects(value({ crs: "EPSG:2056", proj4, epsg: "EPSG:2056" }), { name: "TypeError", message: /option epsg is a table/ });
    await assert.rejects(value({ crs: "EPSG:2056", proj4 }), { name: "UnsupportedError", message: /does not know the coordinate system EPSG:2056: define it first/ });
    for (const crs of ["", 4326, [1], {}]) await assert.rejects(value({ crs, proj4 }), { name: "TypeError", message: /option crs is a code/ });
    const unknown = await levelsFrom(one(new Float32Array(4), { shape: [2, 2] }));
    await assert.rejects(unknown.read({ ...around, crs: "EPSG:4326", proj4 }), { name: "UnsupportedError", message: /state no coordinate system.*project/ });
    assert.equal((await unknown.read({ bbox: [0, 0, 2, 2], crs: "EPSG:4326", width: 1, height: 1, project: (p) => p })).data[0], 0);
  });

  test("finds nothing far from the zone of a projection, and survives what does not project", async () => {
    const utm = { "spatial:transform": [1e5, 0, -5e6, 0, -1e5, 1e7], "proj:code": "EPSG:32633" };
    const levels = await levelsFrom(one(new Float32Array(1e4).fill(1), { shape: [100, 100], group: utm }));
    const { data } = await levels.read({ bbox: [-180, -90, 180, 90], crs: "EPSG:4326", width: 180, height: 90, method: "nearest", proj4 });
    // Places of the data, by what PROJ takes for the far end of a transverse Mercator: 15 degrees east, and 90 to each side.
    const columns = [...data.keys()].filter((i) => data[i] === 1).map((i) => 2 * (i % 180) - 179);
    assert.ok(columns.length > 1000 && columns.every((lon) => Math.abs(lon - 15) <= 90), `${Math.min(...columns)} to ${Math.max(...columns)}`);
    const throwing = Object.assign((from, to) => ({ ...proj4(from, to), forward: ([lon, lat]) => { if (lon < 15) throw new Error("no"); return proj4(from, to).forward([lon, lat]); } }), { defs: proj4.defs });
    const half = await levels.read({ bbox: [5, 0, 25, 40], crs: "EPSG:4326", width: 20, height: 4, method: "average", proj4: throwing });
    assert.deepEqual([...half.data.slice(0, 20)].map(Number.isNaN), Array.from({ length: 20 }, (_, i) => i < 10));
  });

  test("around a pole takes the level by its latitudes, not by the columns that meet there", async () => {
    const layout = [1, 2, 4].map((scale, i) => ({ asset: String(i), "spatial:shape": [180 / scale, 360 / scale], "spatial:transform": [scale, 0, -180, 0, -scale, 90] }));
    const arrays = Object.fromEntries(layout.map(({ asset, "spatial:shape": shape }) => [asset, { shape, dimension_names: ["y", "x"] }]));
    const { levels } = await levelsOf(made({ multiscales: { layout }, "spatial:dimensions": ["y", "x"], "proj:code": "EPSG:4326" }, arrays));
    const north = "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84 +units=m";
    for (const shift of [0, 1e4, 7e4]) {
      // 60 km are 0.54 degrees of latitude, and 240 km 2.16.
      for (const [width, path] of [[133, "0"], [33, "1"]]) {
        const { level, method } = await levels.read({ bbox: [-4e6 + shift, -4e6, 4e6 + shift, 4e6], crs: north, width, height: width, proj4, method: "bilinear" });
        assert.deepEqual([level.path, method], [path, "bilinear"], `${shift} ${width}`);
      }
    }
  });

  test("of an image keeps its rows in order", async () => {
    const axes = ["y", "x"].map((name) => ({ name, type: "space" }));
    const image = { ome: { version: "0.5", multiscales: [{ axes, datasets: [{ path: "0", coordinateTransformations: [{ type: "scale", scale: [2, 2] }] }] }] } };
    const files = made(image, { 0: { shape: [2, 2], dimension_names: ["y", "x"] } });
    files.set("/0/c/0/0", new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer));
    const { levels } = await levelsOf(files);
    const { data, transform } = await levels.read({ bbox: levels[0].bounds, width: 2, height: 2, method: "nearest" });
    assert.deepEqual([[...data], transform], [[1, 2, 3, 4], [2, 0, -1, 0, 2, -1]]);
    const bare = made({}, { t: { shape: [2, 2] } });
    bare.set("/t/c/0/0", new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer));
    const nowhere = await levelsFrom(bare);
    assert.deepEqual([...(await nowhere.read({ bbox: [0, 0, 2, 2], width: 2, height: 2, method: "nearest" })).data], [1, 2, 3, 4]);
    const empty = await levelsFrom(made({ "spatial:transform": [1, 0, 0, 0, -1, 2] }, { t: { shape: [3, 0, 0] } }));
    assert.deepEqual((await empty.read({ bbox: [0, 0, 2, 2], width: 1, height: 1, fill: 7 })).data, Float32Array.of(7, 7, 7));
  });

  test("refuses what it cannot do", async () => {
    const levels = await levelsFrom(earth());
    const fine = { bbox: [0, 0, 10, 10], width: 2, height: 2 };
    const refused = [
      [undefined, "TypeError", /width/], [{ width: 0 }, "TypeError", /width is a whole number.*not 0/], [{ height: 1.5 }, "TypeError", /height/], [{ width: "2" }, "TypeError", /width/],
      [{ bbox: undefined }, "TypeError", /bbox of four numbers/], [{ bbox: [0, 0, NaN, 1] }, "TypeError", /NaN/], [{ bbox: [0, 10, 10, 0] }, "TypeError", /bbox/], [{ bbox: [10, 0, 0, 10], crs: "EPSG:3857" }, "TypeError", /bbox/],
      [{ bbox: [0, 0, 0, 1] }, "TypeError", /no area/], [{ method: "cubic" }, "TypeError", /nearest, bilinear, average, mode, not cubic/], [{ as: "float16" }, "TypeError", /option as/], [{ as: "toString" }, "TypeError", /option as/],
      [{ as: "uint8", fill: 256 }, "TypeError", /fill.*uint8/], [{ as: "uint8", fill: NaN }, "TypeError", /fill/], [{ fill: "0" }, "TypeError", /fill/], [{ tolerance: 2 }, "TypeError", /tolerance/], [{ proj4: {} }, "TypeError", /proj4/],
      [{ project: () => [0, 0] }, "TypeError", /needs crs/], [{ maxPixels: 3, bbox: [0, 0, 20, 20] }, "RangeError", /needs 4 pixels of level 0/], [{ width: 1e5, height: 1e5 }, "RangeError", /ask for parts/],
      [{ size: 4 }, "TypeError", /no option size/], [{ selection: "t" }, "TypeError", /option selection/],
    ];
    for (const [more, name, message] of refused) await assert.rejects(levels.read(more && { ...fine, ...more }), { name, message }, JSON.stringify(more));
    const deep = await levelsFrom(made({ "spatial:transform": [1, 0, 0, 0, -1, 2], "spatial:dimensions": ["y", "x"] }, { t: { shape: [1e9, 2, 2], dimension_names: ["time", "y", "x"] } }));
    await assert.rejects(deep.read({ bbox: [0, 0, 2, 2], width: 2, height: 2 }), { name: "RangeError", message: /1000000000 x 2 x 2 values.*time with the option selection/ });
  });

  test("ends with an abort: before it begins, while it waits and while it works", async () => {
    const files = one(new Float32Array(1e6), { shape: [1000, 1000] });
    const reason = new Error("enough");
    const levels = await levelsFrom(files);
    const box = { bbox: [0, 0, 1000, 1000], width: 4000, height: 4000, method: "bilinear" };
    await assert.rejects(levels.read({ ...box, signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    const reading = levels.read({ ...box, signal: controller.signal });
    let turns = 0;
    const timer = setInterval(() => ++turns === 3 && controller.abort(reason), 1);
    await assert.rejects(reading, reason);
    clearInterval(timer);
    assert.equal(turns, 3, "the event loop goes on while a read works");

    let release;
    const held = new Promise((done) => (release = done));
    const { Group, Levels } = await import("../support/levels.mjs");
    const group = await Group.open({ get: async (key) => (key.startsWith("/t/c") ? held : files.get(key)) });
    const waiting = await Levels.open(group, { variable: "t" });
    const other = new AbortController();
    const late = waiting.read({ ...box, width: 2, height: 2, signal: other.signal });
    setTimeout(() => other.abort(reason), 20);
    await assert.rejects(late, reason);
    release();
  });
});
