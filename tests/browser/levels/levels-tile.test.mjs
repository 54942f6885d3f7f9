/** Tiles of pyramids give what rasterio resamples: across the seam, with missing pixels, by a projection, aborted. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import proj4 from "proj4";

import { Levels, SETS, filesOf, levelsOf, made, opened } from "../support/levels.mjs";

const tiles = JSON.parse(await readFile(join(SETS, "tiles.json"), "utf8"));

/** Bilinear values of a slope of 1000 a row differ by what proj4's and PROJ's transverse Mercator differ: 0.1 mm. */
const TOLERANCE = { "earth.zarr": 1e-5, "ndpyramid-web.zarr": 1e-5, "topozarr.zarr": 0.05 };

describe("tiles equal rasterio's", () => {
  for (const { store, zxy, values, ...options } of tiles) {
    test(`${store} ${zxy.join("/")} ${JSON.stringify(options)}`, async () => {
      const { levels } = await levelsOf(store);
      const project = store === "topozarr.zarr" ? { project: proj4(levels.crs.wkt).forward } : {};
      const { data, width, height } = await levels.tile(...zxy, { ...options, ...project });
      assert.deepEqual([data.constructor, data.length, width, height], [Float32Array, values.length, options.size, options.size]);
      const off = values.flatMap((value, i) => (Number.isNaN(data[i]) === (value === null) && !(Math.abs(data[i] - value) > TOLERANCE[store]) ? [] : [[i, data[i], value]]));
      assert.deepEqual(off, []);
    });
  }
});

describe("tiles", () => {
  test("choose the level by the size of their pixels", async () => {
    const { levels } = await levelsOf("topozarr.zarr");
    const project = proj4("EPSG:4326", levels.crs.wkt).forward;
    const read = async (z, x, y) => (await levels.tile(z, x, y, { project, size: 256 })).level.path;
    // Metres of a pixel at 45 degrees: 13.5, 27, 108.
    assert.deepEqual([await read(13, 4437, 2942), await read(12, 2218, 1471), await read(10, 554, 367)], ["0", "1", "2"]);
  });

  test("outside of the data are empty, and cost no request", async () => {
    const { levels, asked } = await levelsOf("ndpyramid.zarr");
    asked.length = 0;
    const project = proj4(levels.crs.wkt).forward;
    const { data, selection, bounds } = await levels.tile(3, 6, 1, { project, size: 4 });
    assert.ok(data.every(Number.isNaN));
    assert.equal(selection, undefined);
    assert.ok(bounds[2] > bounds[0] && bounds[3] > bounds[1]);
    assert.deepEqual(asked, []);
  });

  test("select other axes, and open an array once", async () => {
    const { levels, asked } = await levelsOf("earth.zarr");
    asked.length = 0;
    const [first, second] = await Promise.all([0, 1].map((time) => levels.tile(2, 1, 1, { select: { time }, size: 8, mask: "attributes" })));
    assert.deepEqual([first, second].map(({ selection: [time, rows] }) => [time, rows.start]), [[0, 5], [1, 5]]);
    const off = first.data.filter((value, i) => !(Math.abs(second.data[i] - value - 1) < 1e-5) && !Number.isNaN(value));
    assert.equal(off.length, 0);
    assert.deepEqual(asked.filter((key) => key.endsWith(".json")), []);
    await assert.rejects(levels.tile(2, 1, 1), { name: "TypeError", message: /select.*axis time/ });
    await assert.rejects(levels.tile(2, 1, 1, { select: { time: 9 } }), { name: "SelectionError" });
  });

  test("take null as absent, and names of axes that the array or the pyramid has", async () => {
    const options = { select: { time: 1, level: null, lat: undefined }, size: 8, variable: null, method: null, grid: null, level: null, project: null, maxPixels: null, signal: null, mask: null };
    const { levels } = await levelsOf("earth.zarr", { variable: null });
    const { data } = await levels.tile(2, 1, 1, { select: { time: 1 }, size: 8 });
    assert.deepEqual((await levels.tile(2, 1, 1, options)).data, data);
    assert.deepEqual((await levels.tile(2, 1, 1, { select: [1, null, null], size: 8 })).data, data);
    assert.equal(levels.at(5, { round: null }).index, 0);
    assert.equal(levels.window([0, 0, 10, 10], { resolution: null, round: null }).level.index, 0);
    await assert.rejects(levels.tile(2, 1, 1, { select: { time: 1, height: 0 } }), { name: "TypeError", message: /"height", which neither/ });
    await assert.rejects(levels.tile(2, 1, 1, { select: { toString: 0, time: 1 } }), { name: "TypeError", message: /"toString"/ });

    const axes = ["t", "c", "y", "x"].map((name) => ({ name, type: { t: "time", c: "channel" }[name] ?? "space" }));
    const image = { ome: { version: "0.5", multiscales: [{ axes, datasets: [{ path: "0", coordinateTransformations: [{ type: "scale", scale: [1, 1, 45, 45] }, { type: "translation", translation: [0, 0, -67.5, -157.5] }] }] }] } };
    for (const more of [{}, { dimension_names: [null, null, null, null] }, { dimension_names: ["t", "c", "y", "x"] }]) {
      const files = made(image, { 0: { shape: [1, 3, 4, 8], ...more } });
      files.set("/0/c/0/0/0/0", new Uint8Array(Float32Array.from({ length: 96 }, (_, i) => Math.floor(i / 32)).buffer));
      const { levels: nameless } = await levelsOf(files);
      const read = async (select) => (await nameless.tile(0, 0, 0, { select, size: 2, project: (p) => p })).data[0];
      assert.deepEqual([await read({ c: 1 }), await read({ c: 2, t: 0 }), await read([null, 1, null, null]), await read([0, 2])], [1, 2, 1, 2]);
      await assert.rejects(read({ z: 1 }), { name: "TypeError", message: /"z"/ });
      await assert.rejects(read({ t: 0 }), { name: "TypeError", message: /axis c$/ });
    }

    const { levels: mixed } = await levelsOf(made({ "spatial:bbox": [-180, -90, 180, 90], "proj:code": "OGC:CRS84", "spatial:dimensions": ["lat", "lon"] },
      { t: { shape: [2, 2, 4], dimension_names: ["time", "lat", "lon"] }, flat: { shape: [2, 4], dimension_names: ["lat", "lon"] } }), { variable: "t" });
    assert.deepEqual((await mixed.tile(0, 0, 0, { variable: "flat", select: { time: 1 }, size: 2 })).selection.length, 2, "a name that only the pyramid's other variables have");
  });

  test("ask for nothing after an abort", async () => {
    const { levels, asked } = await levelsOf(made({ "spatial:bbox": [-180, -90, 180, 90], "proj:code": "OGC:CRS84" }, { t: { shape: [2, 4], dimension_names: ["lat", "lon"] } }), { variable: "t" });
    asked.length = 0;
    const controller = new AbortController();
    const reading = levels.tile(0, 0, 0, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await assert.rejects(reading, /enough/);
    assert.deepEqual(asked, []);
  });

  test("by a projection that wraps longitudes itself, and gives no place for some pixels", async () => {
    const { levels } = await levelsOf("earth.zarr");
    const options = { select: { time: 0 }, size: 16, method: "bilinear" };
    const plain = await levels.tile(0, 0, 0, options);
    const wrapped = await levels.tile(0, 0, 0, { ...options, project: ([lon, lat]) => [(lon + 540) % 360, lat] });
    assert.deepEqual([...wrapped.data.slice(0, 8)], [...plain.data.slice(8, 16)], "half the Earth further");
    const half = await levels.tile(0, 0, 0, { ...options, project: ([lon, lat]) => (lon < 0 ? [NaN, NaN] : [lon, lat]) });
    assert.deepEqual([half.data[100], half.data[104]], [NaN, plain.data[104]]);
  });

  test("and windows of a region across the meridian of 180 degrees", async () => {
    const attributes = { "spatial:transform": [10, 0, 170, 0, -10, 20], "proj:code": "EPSG:4326", "spatial:dimensions": ["y", "x"] };
    const files = made(attributes, { t: { shape: [2, 2], dimension_names: ["y", "x"] } });
    files.set("/t/c/0/0", new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer));
    const { levels } = await levelsOf(files, { variable: "t" });
    const read = async (x) => [...(await levels.tile(0, x, 0, { grid: "own", size: 18 })).data].flatMap((value, i) => (Number.isNaN(value) ? [] : [[i, value]]));
    assert.deepEqual(await read(0), [[7 * 18, 2], [8 * 18, 4]], "175 degrees west");
    assert.deepEqual(await read(1), [[7 * 18 + 17, 1], [8 * 18 + 17, 3]], "175 degrees east");
    const columns = (bbox) => [levels.window(bbox)?.selection.x, levels.window(bbox)?.bounds];
    assert.deepEqual(columns([-180, 0, -170, 10]), [{ start: 1, stop: 2, step: null }, [-180, 0, -170, 10]]);
    assert.deepEqual(columns([175, 0, -175, 10]), [{ start: 0, stop: 2, step: null }, [170, 0, 190, 10]]);
    assert.deepEqual(columns([-180, 0, 180, 10]), [{ start: 0, stop: 2, step: null }, [170, 0, 190, 10]]);
    assert.deepEqual(columns([0, 0, 10, 10]), [undefined, undefined]);
  });

  test("of arrays whose columns come before their rows", async () => {
    const attributes = { "spatial:bbox": [-180, -90, 180, 90], "proj:code": "OGC:CRS84", "spatial:dimensions": ["lat", "lon"] };
    const files = made(attributes, { t: { shape: [4, 2], dimension_names: ["lon", "lat"], fill_value: -1 } });
    files.set("/t/c/0/0", new Uint8Array(Float32Array.of(10, 11, 20, 21, 30, 31, 40, 41).buffer));
    const { levels } = await levelsOf(files, { variable: "t" });
    const { data, crs } = await levels.tile(0, 1, 0, { grid: "own", size: 2 });
    assert.deepEqual([[...data], crs], [[30, 40, 31, 41], "OGC:CRS84"]);
  });

  test("of Web Mercator pixels are the pixels themselves", async () => {
    const half = Math.PI * 6378137;
    const attributes = { "spatial:transform": [half, 0, -half, 0, -half, half], "proj:code": "EPSG:3857", "spatial:dimensions": ["y", "x"] };
    const files = made(attributes, { t: { shape: [2, 2], dimension_names: ["y", "x"], fill_value: 0 } });
    files.set("/t/c/0/0", new Uint8Array(Float32Array.of(1, 2, 0, 4).buffer));
    const { levels } = await levelsOf(files, { variable: "t" });
    const read = async (options) => [...(await levels.tile(0, 0, 0, { size: 2, ...options })).data];
    assert.deepEqual(await read({}), [1, 2, 0, 4], "the fill value of v3 is data");
    assert.deepEqual(await read({ mask: "fill" }), [1, 2, NaN, 4]);
    assert.deepEqual(await read({ grid: "own", mask: false, scale: { factor: 2 } }), [2, 4, 0, 8]);
    assert.deepEqual(await read({ method: "bilinear", mask: "fill" }), [1, 2, NaN, 4]);
  });

  test("by areas are the boxes that read gives", async () => {
    const { levels } = await levelsOf("earth.zarr");
    for (const method of ["average", "mode"]) {
      const { data, bounds } = await levels.tile(1, 1, 0, { select: { time: 0 }, size: 8, method });
      const box = await levels.read({ bbox: bounds, crs: "EPSG:3857", width: 8, height: 8, selection: { time: 0 }, method, as: "float32" });
      assert.ok(data.some((value) => !Number.isNaN(value)));
      assert.deepEqual(data, box.data, method);
    }
  });

  test("are aborted, and refuse what they cannot do", async () => {
    const { levels } = await levelsOf("earth.zarr");
    const reason = new Error("enough");
    await assert.rejects(levels.tile(0, 0, 0, { signal: AbortSignal.abort(reason), select: { time: 0 } }), reason);
    const slow = new Map(await filesOf("earth.zarr"));
    let release;
    const held = new Promise((done) => (release = done));
    const { group } = await opened(slow);
    group.free();
    const { Group } = await import("../support/levels.mjs");
    const waiting = await Group.open({ get: async (key) => (key.startsWith("/t/c") ? held : slow.get(key)) });
    const late = await Levels.open(waiting);
    const controller = new AbortController();
    const reading = late.tile(0, 0, 0, { signal: controller.signal, select: { time: 0 } });
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(reading, reason);
    release();
    await assert.rejects(Levels.open(waiting, { signal: AbortSignal.abort(reason) }), reason);
    const utm = (await levelsOf("topozarr.zarr")).levels;
    await assert.rejects(utm.tile(0, 0, 0), { name: "UnsupportedError", message: /option project/ });
    await assert.rejects(utm.tile(13, 4437, 2942, { project: proj4(utm.crs.wkt).forward, maxPixels: 100 }), { name: "RangeError", message: /maxPixels/ });
    for (const [zxy, options, name] of [[[1, 2, 0], {}, "RangeError"], [[1, 0, -1], {}, "RangeError"], [[0.5, 0, 0], {}, "RangeError"],
      [[0, 0, 0], { method: "cubic" }, "TypeError"], [[0, 0, 0], { size: 1 }, "TypeError"], [[0, 0, 0], { grid: "other" }, "TypeError"], [[0, 0, 0], { level: 3 }, "RangeError"]]) {
      await assert.rejects(levels.tile(...zxy, { select: { time: 0 }, ...options }), { name });
    }
  });

  test("outlive the group that was passed, and end with free", async () => {
    const { levels, group } = await levelsOf("earth.zarr");
    group.free();
    assert.equal((await levels.tile(0, 0, 0, { select: { time: 0 }, size: 4 })).data.length, 16);
    levels.free();
    assert.throws(() => levels.free(), { name: "FreedError" });
    await assert.rejects(levels.array(0), { name: "FreedError" });
  });
});
