/** Pyramids as the field's writers write them: levels, coordinate systems, windows and faults, in Node. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";

import { SETS, bare, edited, filesOf, levelsOf, made, opened, Group, Levels } from "../support/levels.mjs";

/** The nodes of one consolidated document, each in a document of its own. */
function bareOf(files) {
  const document = JSON.parse(new TextDecoder().decode(files.get("/zarr.json")));
  const nodes = Object.entries(document.consolidated_metadata.metadata);
  delete document.consolidated_metadata;
  return new Map([["", document], ...nodes].map(([path, node]) => [`${path && `/${path}`}/zarr.json`, new TextEncoder().encode(JSON.stringify(node))]));
}

const transforms = (levels) => levels.map(({ transform }) => transform);
const paths = (levels) => levels.map(({ path }) => path);
const attributesOf = async (name) => JSON.parse(await readFile(join(SETS, name), "utf8")).attributes;

/** The value of the one pixel of a window. */
async function pixelAt(levels, point, resolution) {
  const { level, selection } = levels.window([...point, ...point], { resolution });
  const array = await levels.array(level.index);
  const { data } = await array.get(selection);
  return { level: level.path, selection, values: [...data] };
}

describe("levels of GeoZarr", () => {
  test("by topozarr, without a request beyond the group's", async () => {
    const { levels, opening } = await levelsOf("topozarr.zarr");
    assert.deepEqual(opening, []);
    assert.equal(levels.kind, "multiscales");
    assert.equal(levels.crs.code, "EPSG:32633");
    assert.equal(levels.crs.wktVersion, 2);
    const { path, variables, shape, transform, resolution, bounds, from } = levels[1];
    assert.deepEqual({ path, variables, shape, transform, resolution, bounds, from }, {
      path: "1", variables: ["band"], shape: [300, 400], transform: [20, 0, 500000, 0, -20, 5000000], resolution: [20, 20],
      bounds: [500000, 4994000, 508000, 5000000], from: "spatial:transform of the layout entry",
    });
    assert.deepEqual([25, 9, 1000, 20.1, 19.7, 20].map((size) => levels.at(size).path), ["1", "0", "2", "1", "0", "1"]);
    assert.equal(levels.at(14, { round: "nearest" }).path, "0");
    assert.equal(levels.at(15, { round: "nearest" }).path, "1");
    const point = [502010, 4998990];
    assert.deepEqual(await pixelAt(levels, point, 10), { level: "0", selection: { y: { start: 101, stop: 102, step: null }, x: { start: 201, stop: 202, step: null } }, values: [101201] });
    assert.deepEqual((await pixelAt(levels, point, 25)).values, [100700.5]);
    assert.deepEqual((await (await levels.array(2, "band")).get([0, 0])).data[0], 1501.5);
    assert.deepEqual(levels.map(({ index }) => index), [0, 1, 2]);
  });

  test("windows are whole pixels, clipped to the level", async () => {
    const { levels } = await levelsOf("topozarr.zarr");
    const { level, selection, transform, bounds } = levels.window([499000, 4999955, 500045, 4999990], { resolution: 20 });
    assert.equal(level.path, "1");
    assert.deepEqual(selection, { y: { start: 0, stop: 3, step: null }, x: { start: 0, stop: 3, step: null } });
    assert.deepEqual(transform, [20, 0, 500000, 0, -20, 5000000]);
    assert.deepEqual(bounds, [500000, 4999940, 500060, 5000000]);
    assert.equal(levels.window([0, 0, 1, 1]), undefined);
    for (const bbox of [[1, 2, 3], null, undefined, 5, {}, "box!"]) assert.throws(() => levels.window(bbox), { name: "TypeError", message: /bbox of four numbers/ });
    assert.throws(() => levels.window([5, 0, 1, 1]), { name: "TypeError", message: /four numbers/ });
    assert.throws(() => levels.at(0), TypeError);
  });

  test("by topozarr without transforms, then without a box", async () => {
    const files = await filesOf("topozarr.zarr");
    const expected = transforms((await levelsOf(files)).levels);
    const without = (names) => edited(files, ({ attributes }) => {
      for (const node of [attributes, ...(attributes.multiscales?.layout ?? [])]) {
        delete node["spatial:transform"];
        if (names.includes("bbox") && node["spatial:bbox"]) node["spatial:bbox"] = [0, 0, 0, 0];
      }
    });
    const boxed = await levelsOf(without([]));
    assert.deepEqual(transforms(boxed.levels), expected);
    assert.deepEqual(boxed.levels.map(({ from }) => from), ["spatial:bbox of the group and shape", "spatial:bbox and shape of the source level", "spatial:bbox and shape of the source level"]);
    const located = await levelsOf(without(["bbox"]));
    assert.deepEqual(transforms(located.levels), expected);
    assert.deepEqual(located.levels.map(({ from }) => from), ["coordinates", "scales from the source level (coordinates)", "scales from the source level (scales from the source level (coordinates))"]);
    assert.deepEqual(located.opening, ["0/y/c/0", "0/x/c/0"]);
  });

  test("without consolidated metadata: none where the layout says all, else one document a level", async () => {
    const files = bare(await filesOf("topozarr.zarr"));
    const whole = await levelsOf(files);
    assert.deepEqual(whole.opening, []);
    assert.deepEqual(whole.levels[1].shape, [300, 400]);
    assert.equal(whole.levels[1].variables, undefined);
    await assert.rejects(whole.levels.array(1), /name a variable/);
    assert.equal((await (await whole.levels.array(1, "band")).get([50, 100])).data[0], 100700.5);
    const shapeless = edited(files, ({ attributes }) => attributes.multiscales?.layout.forEach((entry) => delete entry["spatial:shape"]));
    const named = await levelsOf(shapeless, { variable: "band" });
    assert.deepEqual(named.opening.toSorted(), ["0/band/zarr.json", "1/band/zarr.json", "2/band/zarr.json"]);
    assert.deepEqual(named.levels[2].shape, [150, 200]);
    const unnamed = await levelsOf(shapeless);
    assert.deepEqual(unnamed.opening.toSorted(), ["0/zarr.json", "1/zarr.json", "2/zarr.json"]);
  });

  test("of EOPF's Sentinel-2: no transforms, boxes of zeros, copied attributes", async () => {
    const { levels, opening } = await levelsOf("eopf.zarr");
    assert.deepEqual(opening, []);
    assert.deepEqual(paths(levels), ["r10m", "r20m", "r60m", "r120m", "r360m", "r720m"]);
    assert.deepEqual(levels[5].shape, [152, 152]);
    assert.deepEqual(levels[5].resolution, [722.3684210526316, 722.3684210526316]);
    assert.deepEqual(levels[3].transform, [120, 0, 699960, 0, -120, 4700040]);
    assert.equal(levels.crs.code, "EPSG:32632");
    assert.equal(levels.crs.wktVersion, 1);
    assert.deepEqual(levels.map(({ variables }) => variables.includes("b05")), [false, true, true, true, true, true]);
    // A band whose copies of attributes are of another level.
    const other = await levelsOf("eopf.zarr", { variable: "b08" });
    assert.deepEqual(transforms(other.levels), transforms(levels));
    // Without STAC's attributes on the arrays of coarser levels, the scales remain.
    const scaled = edited(await filesOf("eopf.zarr"), ({ attributes }, path) => {
      if (!path.startsWith("r10m/")) for (const name of ["transform", "bbox", "shape"]) delete attributes[`proj:${name}`];
    });
    const found = (await levelsOf(scaled)).levels;
    assert.deepEqual(transforms(found).map((numbers) => numbers.map(Math.fround)), transforms(levels).map((numbers) => numbers.map(Math.fround)));
    assert.match(found[5].from, /^scales from the source level/);
  });

  test("with transforms that are rounded", async () => {
    const files = edited(await filesOf("eopf.zarr"), ({ attributes }) => {
      if (!attributes.multiscales) return;
      attributes["spatial:bbox"] = [699960, 4590240, 809760, 4700040];
      attributes.multiscales.layout[5]["spatial:transform"] = [720, 0, 699960, 0, -720, 4700040];
      attributes.multiscales.layout[4]["spatial:transform"] = [360, 0, 699960, 0, -360, 4700040];
    });
    const { levels } = await levelsOf(files);
    assert.equal(levels[5].resolution[0], 722.3684210526316);
    assert.match(levels[5].from, /^spatial:bbox of the group and shape \(spatial:transform of the layout entry is 0\.498 pixels off\)$/);
    assert.equal(levels[4].from, "spatial:transform of the layout entry");
  });

  test("a box of something else does not move a transform", async () => {
    // The specification's own example: 10,980 pixels of 10 m in a box of 100 km.
    const layout = [{ asset: "0", "spatial:shape": [10980, 10980], "spatial:transform": [10, 0, 500000, 0, -10, 5000000] },
      { asset: "1", derived_from: "0", transform: { scale: [2, 2] }, "spatial:shape": [5490, 5490], "spatial:transform": [20, 0, 500000, 0, -20, 5000000] },
      { asset: "2", derived_from: "1", transform: { scale: [2, 2] }, "spatial:shape": [2745, 2745], "spatial:transform": [39, 0, 500000, 0, -39, 5000000] }];
    const of = async (bbox) => (await levelsOf(made({ multiscales: { layout }, "proj:code": "EPSG:32633", "spatial:bbox": bbox }))).levels.map(({ resolution }) => resolution[0]);
    assert.deepEqual(await of([500000, 4900000, 600000, 5000000]), [10, 20, 100000 / 2745], "the last one contradicts its scale");
    assert.deepEqual(await of([500000, 4890200, 609800, 5000000]), [10, 20, 40]);
  });

  test("in a group inside of a store, consolidated above it or not at all", async () => {
    const whole = await filesOf("topozarr.zarr");
    const inside = (files) => new Map([...files].map(([key, bytes]) => [`/a/b${key}`, bytes]));
    for (const [files, count] of [[inside(whole), 0], [inside(bare(whole)), 0]]) {
      const { group, asked } = await opened(files, { path: "a/b" });
      const levels = await Levels.open(group);
      assert.deepEqual([levels[2].path, levels[2].transform[0], asked.length], ["2", 40, count]);
      assert.equal((await (await levels.array(levels[1], "band")).get([50, 100])).data[0], 100700.5);
    }
    const broken = edited(inside(whole), ({ attributes }) => attributes.multiscales?.layout.pop() && (attributes.multiscales.layout = []));
    const { group } = await opened(broken, { path: "a/b" });
    await assert.rejects(Levels.open(group), { name: "InvalidMetadataError", key: "a/b/zarr.json" });
  });

  test("a variable that a level lacks, without consolidated metadata", async () => {
    const { levels } = await levelsOf(edited(bareOf(await filesOf("eopf.zarr")), () => {}), { variable: "b05" });
    assert.deepEqual(levels.map(({ shape }) => shape[0]), [10980, 5490, 1830, 915, 305, 152]);
    assert.deepEqual(levels[1].transform, [20, 0, 699960, 0, -20, 4700040]);
    await assert.rejects(levels.array(0), { name: "NotFoundError" });
  });

  test("rows cut off are no rounding: scales that agree are kept", async () => {
    const layout = [
      { asset: "0", "spatial:transform": [10, 0, 0, 0, -10, 110], "spatial:shape": [11, 11] },
      { asset: "1", derived_from: "0", transform: { scale: [4, 4] }, "spatial:shape": [2, 2], "spatial:transform": [40, 0, 0, 0, -40, 110] },
      { asset: "2", derived_from: "0", transform: { scale: [2, 2] }, "spatial:shape": [5, 5] },
    ];
    const { levels } = await levelsOf(made({ multiscales: { layout }, "proj:code": "EPSG:3857", "spatial:bbox": [0, 0, 110, 110] }));
    assert.deepEqual(levels.map(({ resolution }) => resolution[0]), [10, 20, 40]);
  });

  test("of the specification's examples", async () => {
    const dem = await levelsOf(made(await attributesOf("spec-dem.json")));
    assert.deepEqual(paths(dem.levels), ["dem_10m_superres", "dem_30m", "dem_90m", "dem_270m"]);
    assert.equal(dem.levels[0].shape, undefined);
    assert.throws(() => dem.levels.window([0, 0, 1, 1]), { name: "UnsupportedError" });
    const arrays = Object.fromEntries([64, 32, 16].map((size, i) => [`${i}/data`, { shape: [size, size] }]));
    const { levels } = await levelsOf(made(await attributesOf("spec-arrays.json"), arrays));
    assert.equal((await levels.array(1)).path, "1/data");
    assert.deepEqual(transforms(levels), [[1, 0, 0, 0, 1, 0], [2, 0, 0, 0, 2, 0], [4, 0, 0, 0, 4, 0]]);
    assert.deepEqual(levels.crs, {});
  });

  test("by GDAL: a base array, groups of overviews, and _CRS", async () => {
    const { levels } = await levelsOf("gdal.zarr");
    assert.deepEqual(levels.map(({ path, shape, resolution }) => [path, shape, resolution[0]]), [["data", [100, 200], 10], ["ovr_2x", [50, 100], 20], ["ovr_4x", [25, 50], 40]]);
    assert.equal(levels.crs.code, "EPSG:32633");
    assert.equal(levels.crs.from, "_CRS");
    const opened = await Promise.all([levels.array(0), levels.array(1), levels.array(0, "data"), levels.array(2, "data")]);
    assert.deepEqual(opened.map(({ path }) => path), ["data", "ovr_2x/data", "data", "ovr_4x/data"]);
  });

  test("cells named by their centres, three dimensions, and a declared order of axes", async () => {
    const attributes = { "spatial:transform": [10, 0, 5, 0, -10, 25], "spatial:registration": "node", "spatial:dimensions": ["north", "east"] };
    const arrays = { t: { shape: [4, 7, 3], dimension_names: ["east", "time", "north"] } };
    const { levels } = await levelsOf(made(attributes, arrays), { variable: "t" });
    assert.deepEqual(levels[0].transform, [10, 0, 0, 0, -10, 30]);
    assert.deepEqual(levels[0].shape, [3, 4]);
    assert.deepEqual(levels.window([0, 0, 12, 12]).selection, { north: { start: 1, stop: 3, step: null }, east: { start: 0, stop: 2, step: null } });
    const boxed = { "spatial:bbox": [5, 5, 35, 25], "spatial:registration": "node", "spatial:dimensions": ["north", "east"] };
    assert.deepEqual((await levelsOf(made(boxed, arrays), { variable: "t" })).levels[0].transform, [10, 0, 0, 0, -10, 30]);
  });

  test("turned grids", async () => {
    const { levels } = await levelsOf(made({ "spatial:transform": [0, 10, 100, 10, 0, 200] }, { t: { shape: [4, 6] } }), { variable: "t" });
    assert.deepEqual(levels[0].bounds, [100, 200, 140, 260]);
    assert.deepEqual(levels.window([110, 200, 120, 219]).selection, [{ start: 1, stop: 2, step: null }, { start: 0, stop: 2, step: null }]);
  });
});

describe("levels of other conventions", () => {
  test("rioxarray's, with WKT 1 where WKT 2 is meant", async () => {
    const { levels } = await levelsOf("rioxarray.zarr");
    assert.equal(levels.kind, "single");
    assert.match(levels.crs.wkt, /^PROJCS\[/);
    assert.equal(levels.crs.wktVersion, 1);
    assert.deepEqual(levels[0].transform, [10, 0, 0, 0, -10, 30]);
    assert.equal(levels[0].from, "spatial:transform of the group");
  });

  test("CF's grid mapping with GDAL's GeoTransform, in Zarr v2", async () => {
    const { levels } = await levelsOf("cf.zarr");
    assert.deepEqual(levels[0].transform, [10, 0, 0, 0, -10, 30]);
    assert.equal(levels[0].from, "GeoTransform");
    assert.deepEqual([levels.crs.code, levels.crs.gridMapping, levels.crs.from], ["EPSG:32633", "transverse_mercator", "grid_mapping"]);
    assert.equal((await (await levels.array(0)).get([2, 3])).data[0], 2003);
  });

  test("coordinates only", async () => {
    const { levels, opening } = await levelsOf("earth.zarr");
    assert.deepEqual(levels[0].transform, [5, 0, 0, 0, -5, 90]);
    assert.deepEqual(levels[0].bounds, [0, -90, 360, 90]);
    assert.deepEqual(levels.crs, {}, "a system is never guessed");
    assert.deepEqual(levels.axes, [{ name: "time" }, { name: "lat", type: "space", unit: "degrees_north" }, { name: "lon", type: "space", unit: "degrees_east" }]);
    assert.deepEqual(opening.toSorted(), ["lat/c/0", "lon/c/0"]);
  });

  test("arrays of coordinates and bounds are no variables", async () => {
    const files = made({}, { lon: { shape: [4, 6] }, t: { shape: [4, 6], attributes: { coordinates: "lat lon" } }, lat: { shape: [4, 6], attributes: { bounds: "edges" } }, edges: { shape: [4, 6, 4] } });
    const documents = Object.fromEntries([...files].map(([key, bytes]) => [key.slice(1).replace(/\/?zarr\.json$/, ""), JSON.parse(new TextDecoder().decode(bytes))]));
    const { "": root, ...metadata } = documents;
    root.consolidated_metadata = { kind: "inline", must_understand: false, metadata };
    files.set("/zarr.json", new TextEncoder().encode(JSON.stringify(root)));
    const { levels } = await levelsOf(files);
    assert.deepEqual(levels[0].variables, ["t"]);
    assert.equal((await levels.array(0)).path, "t");
  });

  test("windows across the seam", async () => {
    const { levels } = await levelsOf("earth.zarr");
    const columns = (bbox) => levels.window(bbox).selection.lon;
    const across = levels.window([-10, 40, 10, 50]);
    assert.deepEqual(across.selection, { lat: { start: 8, stop: 10, step: null }, lon: [70, 71, 0, 1] });
    assert.deepEqual([across.transform, across.bounds], [[5, 0, -10, 0, -5, 50], [-10, 40, 10, 50]]);
    const west = levels.window([-20, 40, -10, 50]);
    assert.deepEqual([west.selection.lon, west.bounds], [{ start: 68, stop: 70, step: null }, [-20, 40, -10, 50]]);
    assert.deepEqual(columns([170, 0, -170, 10]), { start: 34, stop: 38, step: null });
    assert.deepEqual(columns([350, 0, 365, 10]), [70, 71, 0]);
    assert.deepEqual(columns([-180, -90, 180, 90]), { start: 0, stop: 72, step: null });
  });

  test("OME-Zarr 0.4 and 0.5", async () => {
    for (const [name, documents] of [["ome-0.4.zarr", 10], ["ome-0.5.zarr", 5]]) {
      const { levels, opening } = await levelsOf(name);
      assert.equal(levels.kind, "ome");
      assert.equal(opening.length, documents, "the documents of each level's array");
      assert.equal(levels.length, 5);
      assert.deepEqual(levels[2].scale, [1, 1, 4, 4]);
      assert.deepEqual(levels[2].translation, [0, 0, 1.5, 1.5]);
      assert.deepEqual(levels[2].transform, [4, 0, -0.5, 0, 4, -0.5]);
      assert.deepEqual(new Set(levels.map(({ bounds }) => bounds.join())).size, 1);
      assert.deepEqual(levels.axes.map(({ name: axis, type }) => [axis, type]), [["c", "channel"], ["z", "space"], ["y", "space"], ["x", "space"]]);
      assert.deepEqual(levels.channels.map(({ label, color }) => [label, color]), [["red", "FF0000"], ["green", "00FF00"]]);
      assert.deepEqual(levels.channels[0].window, { min: 0, max: 255, start: 0, end: 200 });
      const { level, selection } = levels.window([1.6, 1.6, 5, 5], { resolution: 4 });
      const { shape } = await (await levels.array(level.index)).get(selection);
      assert.deepEqual([level.path, shape], ["s2", [2, 3, 2, 2]]);
    }
  });

  test("OME-Zarr of Zarr v2 opens without its levels' attributes where nobody wants them", async () => {
    const files = await filesOf("ome-0.4.zarr");
    const json = (value) => new TextEncoder().encode(JSON.stringify(value));
    const names = ["c", "z", "row", "column"]; // others than the image's axes have
    for (const level of ["s0", "s2"]) files.set(`/${level}/.zattrs`, json({ _ARRAY_DIMENSIONS: names, scale_factor: 0.5 }));
    const [whole, alone] = await Promise.all([levelsOf(files), levelsOf(files, { attrs: false })]);
    assert.deepEqual(alone.opening.sort(), ["s0", "s1", "s2", "s3", "s4"].map((level) => `${level}/.zarray`));
    assert.deepEqual(alone.levels.map((level) => ({ ...level })), whole.levels.map((level) => ({ ...level })));
    for (const name of ["kind", "axes", "channels", "crs"]) assert.deepEqual(alone.levels[name], whole.levels[name]);
    const [packed, stored] = await Promise.all([whole, alone].map(({ levels }) => levels.array(2)));
    assert.deepEqual([packed.dimensionNames, packed.attrs.scale_factor], [names, 0.5]);
    assert.deepEqual([stored.dimensionNames, stored.attrs], [undefined, {}]);
    const [half, values] = await Promise.all([packed, stored].map((array) => array.get([0, 1, 2, null], { decode: "cf" })));
    assert.deepEqual([...half.data], [...values.data].map((value) => value / 2));
    const { level, selection } = alone.levels.window([1.6, 1.6, 5, 5], { resolution: 4 });
    const { shape } = await (await alone.levels.array(level.index)).get(selection);
    assert.deepEqual([level.path, shape], ["s2", [2, 3, 2, 2]]);
    // What a pyramid is its group's attributes say, which are read; those of other pyramids' arrays are, too.
    const opened = await Levels.open({ get: (key) => files.get(key) }, { attrs: false });
    assert.equal(opened.kind, "ome");
    const [own, others] = await Promise.all([{}, { attrs: false }].map(async (options) => (await levelsOf("cf.zarr", options)).opening));
    assert.deepEqual(others, own);
    await assert.rejects(levelsOf(files, { attrs: 0 }), { name: "TypeError", message: /attrs/ });
  });

  test("OME-Zarr 0.6", async () => {
    const attributes = await attributesOf("spec-ome-0.6.json");
    const arrays = Object.fromEntries([16, 8, 4].map((size, i) => [`s${i}`, { shape: [1, 1, size, size, size] }]));
    for (const version of ["0.6rc0", "0.6", "0.6.dev4"]) {
      const { levels } = await levelsOf(made({ ...attributes, ome: { ...attributes.ome, version } }, arrays));
      assert.equal(levels[1].resolution[1], 1);
      assert.equal(levels[1].translation[3], 0.25);
      assert.deepEqual(levels[1].transform, [1, 0, -0.25, 0, 1, -0.25]);
      assert.deepEqual(levels.axes.map(({ name, unit }) => [name, unit])[3], ["y", "micrometer"]);
    }
    const turned = structuredClone(attributes);
    turned.ome.multiscales[0].datasets[1].coordinateTransformations[0].transformations.push({ type: "rotation", rotation: [] });
    await assert.rejects(levelsOf(made(turned, arrays)), { name: "UnsupportedError", feature: "rotation" });
  });

  test("OME-Zarr: the multiscale's own scale comes after the datasets'", async () => {
    const axes = [{ name: "y", type: "space", unit: "micrometer" }, { name: "x", type: "space", unit: "micrometer" }];
    const datasets = [{ path: "0", coordinateTransformations: [{ type: "scale", scale: [2, 2] }, { type: "translation", translation: [1, 3] }] }];
    const coordinateTransformations = [{ type: "scale", scale: [10, 10] }];
    const { levels } = await levelsOf(made({ ome: { version: "0.5", multiscales: [{ axes, datasets, coordinateTransformations }] } }, { 0: { shape: [4, 4] } }));
    assert.deepEqual(levels[0].transform, [20, 0, 20, 0, 20, 0]);
  });

  test("ndpyramid's, whose first dataset is the coarsest", async () => {
    const { levels } = await levelsOf("ndpyramid.zarr");
    assert.equal(levels.kind, "ndpyramid");
    assert.deepEqual(paths(levels), ["2", "1", "0"]);
    assert.deepEqual(levels.map(({ resolution }) => resolution[0]), [1, 2, 4]);
    assert.equal(levels.crs.code, "EPSG:32633");
    const web = (await levelsOf("ndpyramid-web.zarr")).levels;
    assert.equal(web.crs.code, "EPSG:3857");
    assert.ok(Math.abs(web[0].bounds[0] + Math.PI * 6378137) < 1);
  });

  test("a tile matrix set, listed or known by name", async () => {
    const { levels } = await levelsOf("tile-matrix-set.zarr");
    assert.equal(levels.kind, "tile_matrix_set");
    assert.deepEqual(levels.map(({ path, shape, transform }) => [path, shape[0], transform]), [
      ["0", 1024, [10, 0, 300000, 0, -10, 5100000]], ["1", 512, [20, 0, 300000, 0, -20, 5100000]], ["2", 256, [40, 0, 300000, 0, -40, 5100000]],
    ]);
    assert.equal(levels.crs.code, "EPSG:32632");
    const limits = { 0: {}, 1: {} };
    const named = (set) => levelsOf(made({ multiscales: { tile_matrix_set: set, tile_matrix_limits: limits } }, { "0/t": { shape: [256, 256] }, "1/t": { shape: [512, 512] } }), { variable: "t" });
    const { levels: web } = await named("WebMercatorQuad");
    assert.deepEqual(web.map(({ path, shape }) => [path, shape]), [["1", [512, 512]], ["0", [256, 256]]]);
    assert.ok(Math.abs(web[0].bounds[2] - 20037508.342789244) < 1e-6);
    for (const name of ["Elsewhere", "constructor"]) await assert.rejects(named(name), { name: "UnsupportedError", feature: `tile matrix set ${name}` });
  });
});

describe("integers beyond 2^53, which attributes have as bigints", () => {
  const [large, huge] = [2 ** 60, 2 ** 62];
  const image = (list) => ({ ome: { version: "0.5", multiscales: [{ axes: ["y", "x"].map((name) => ({ name, type: "space" })), datasets: [{ path: "0", coordinateTransformations: list }] }] } });
  const grid = { 0: { shape: [4, 4] } };
  const crs = (GeoTransform) => ({ t: { shape: [4, 4], dimension_names: ["y", "x"], attributes: { grid_mapping: "crs" } }, crs: { shape: [], attributes: { GeoTransform } } });
  const transform = [large, 0, huge, 0, -large, -huge];
  const cases = {
    "spatial:transform": [{ "spatial:transform": transform }, { t: { shape: [4, 4] } }],
    "spatial:bbox": [{ "spatial:bbox": [huge, -huge - 4 * large, huge + 4 * large, -huge] }, { t: { shape: [4, 4] } }],
    "GeoTransform": [{}, crs([huge, large, 0, -huge, 0, -large])],
    "scale and translation of OME-Zarr": [image([{ type: "scale", scale: [-large, large] }, { type: "translation", translation: [-huge - large / 2, huge + large / 2] }]), grid],
    "a tile matrix": [{ multiscales: { tile_matrix_set: { tileMatrices: [{ id: "0", cellSize: large, pointOfOrigin: [huge, -huge] }] } } }, grid],
  };
  for (const [name, [attributes, arrays]] of Object.entries(cases)) {
    test(name, async () => {
      const { levels } = await levelsOf(made(attributes, arrays), { variable: arrays.t && "t" });
      assert.deepEqual(levels[0].transform, transform);
    });
  }

  test("scales from level to level", async () => {
    const layout = [{ asset: "0", "spatial:transform": [1, 0, 0, 0, 1, 0] }, { asset: "1", derived_from: "0", transform: { scale: [large, large], translation: [0, huge] } }];
    const { levels } = await levelsOf(made({ multiscales: { layout } }, { 0: { shape: [4, 4] }, 1: { shape: [4, 4] } }));
    assert.deepEqual(levels[1].transform, [large, 0, huge, 0, large, 0]);
  });

  test("factor and offset of the CF conventions, in the types of xarray.decode_cf", async () => {
    const packed = { shape: [1], data_type: "int16", fill_value: 3 };
    for (const [attributes, value] of [[{ scale_factor: large }, 3n * 2n ** 60n], [{ add_offset: large, scale_factor: 2 }, large]]) {
      const { group } = await opened(made({}, { t: { ...packed, attributes } }));
      assert.deepEqual([...(await (await group.array("t")).get(null, { decode: "cf" })).data], [value]);
    }
  });
});

describe("damaged pyramids", () => {
  const entry = (asset, more) => ({ asset, ...more });
  const derived = (asset, from) => entry(asset, { derived_from: from, transform: { scale: [2, 2] } });
  const layouts = (layout) => ({ multiscales: { layout } });
  const matrices = (matrix) => ({ multiscales: { tile_matrix_set: { tileMatrices: [{ id: "0", pointOfOrigin: [0, 0], ...matrix }] } } });
  const axes = ["y", "x"];
  const cases = {
    "a circle of sources": [layouts([derived("0", "1"), derived("1", "0")]), "/multiscales/layout/0/derived_from", /circle/],
    "a level that derives from itself": [layouts([entry("0"), derived("1", "1")]), "/multiscales/layout/1/derived_from", /circle/],
    "a source that is a large number": [layouts([entry("0"), derived("1", [2 ** 60])]), "/multiscales/layout/1/derived_from", /no level.*1152921504606847000/],
    "an unknown source": [layouts([derived("1", "0")]), "/multiscales/layout/0/derived_from", /no level/],
    "a transform of five numbers": [layouts([entry("0", { "spatial:transform": [1, 0, 0, 0, 1] })]), "/multiscales/layout/0/spatial:transform", /expected 6 numbers/],
    "a transform onto a line": [layouts([entry("0", { "spatial:transform": [0, 0, 0, 0, 1, 0] })]), "/multiscales/layout/0/spatial:transform", /line/],
    "a layout of no entries": [layouts([]), "/multiscales/layout", /at least one/],
    "a path upwards": [layouts([entry("../0")]), "/multiscales/layout/0/asset", /below the group/],
    "a scale of 0": [layouts([entry("0"), { ...derived("1", "0"), transform: { scale: [0, 2] } }]), "/multiscales/layout/1/transform/scale", /above 0/],
    "a scale that is no list": [layouts([entry("0", { transform: { scale: 2 } })]), "/multiscales/layout/0/transform/scale", /each axis/],
    "a shape of fractions": [layouts([entry("0", { "spatial:shape": [2.5, 3] })]), "/multiscales/layout/0/spatial:shape", /whole numbers/],
    "a box of five numbers": [{ ...layouts([entry("0")]), "spatial:bbox": [0, 0, 1, 1, 1] }, "/spatial:bbox", /4 or 6/],
    "a level that is no object": [layouts([null]), "/multiscales/layout/0", /object/],
    "an image that is no object": [{ multiscales: [null] }, "/multiscales", /image/],
    "OME with an axis that is no name": [{ ome: { multiscales: [{ axes: ["y", null], datasets: [{ path: "0" }] }] } }, "/ome/multiscales/0/axes", /names/],
    "OME with transformations that are no list": [
      { ome: { multiscales: [{ coordinateSystems: [{ name: "a", axes }], datasets: [{ path: "0", coordinateTransformations: {} }] }] } },
      "/ome/multiscales/0/datasets/0/coordinateTransformations", /list/,
    ],
    "a group's transform of text": [{ ...layouts([entry("0")]), "spatial:transform": "1 0 0" }, "/spatial:transform", /expected 6/],
    "multiscales without an image": [{ multiscales: [] }, "/multiscales", /at least one/],
    "multiscales of text": [{ multiscales: "yes" }, "/multiscales", /layout/],
    "OME without datasets": [{ ome: { version: "0.5", multiscales: [{ axes }] } }, "/ome/multiscales/0/datasets", /at least one/],
    "OME with a scale for each but one axis": [
      { ome: { version: "0.5", multiscales: [{ axes, datasets: [{ path: "0", coordinateTransformations: [{ type: "scale", scale: [1] }] }] }] } },
      "/ome/multiscales/0/datasets/0/coordinateTransformations/0/scale", /expected 2 numbers/,
    ],
    "OME with a transformation that is no object": [
      { ome: { multiscales: [{ axes, datasets: [{ path: "0", coordinateTransformations: [null] }] }] } },
      "/ome/multiscales/0/datasets/0/coordinateTransformations/0/type", /type of a transformation/,
    ],
    "OME with a list for the name of an axis": [{ ome: { multiscales: [{ axes: [{ name: ["y"] }, "x"], datasets: [{ path: "0" }] }] } }, "/ome/multiscales/0/axes", /names/],
    "OME with a dataset that is no object": [{ ome: { multiscales: [{ axes, datasets: [null] }] } }, "/ome/multiscales/0/datasets/0/path", /path/],
    "a dataset that is null": [{ multiscales: [{ datasets: [null] }] }, "/multiscales/0/datasets/0/path", /path/],
    "a dataset that is a number": [{ multiscales: [{ datasets: [{ path: "0" }, 1] }] }, "/multiscales/0/datasets/1/path", /path/],
    "a dataset that is a text": [{ multiscales: [{ datasets: ["0"] }] }, "/multiscales/0/datasets/0/path", /path/],
    "a transform that overflows": [layouts([entry("0", { "spatial:transform": [10, 1e308, 0, 0, -10, 0] })]), "/multiscales/layout/0/spatial:transform", /expected 6 numbers/],
    "a box that overflows": [{ ...layouts([entry("0")]), "spatial:bbox": [-1e308, -1e308, 1e308, 1e308] }, "/spatial:bbox", /expected 4/],
    "a shape beyond all integers": [layouts([entry("0", { "spatial:shape": [2, 1e200] })]), "/multiscales/layout/0/spatial:shape", /whole numbers/],
    "a scale that overflows": [layouts([entry("0"), { ...derived("1", "0"), transform: { scale: [2, 1e308] } }]), "/multiscales/layout/1/transform/scale", /each axis/],
    "scales that overflow together": [
      layouts([entry("0", { "spatial:transform": [1e200, 0, 0, 0, -10, 0] }), { ...derived("1", "0"), transform: { scale: [2, 1e200] } }]),
      "/multiscales/layout/1", /Infinity,.* by scales/,
    ],
    "scales that shrink to nothing": [
      layouts([entry("0", { "spatial:transform": [1e-200, 0, 0, 0, -10, 0] }), { ...derived("1", "0"), transform: { scale: [2, 1e-200] } }]),
      "/multiscales/layout/1", /\[0,.* by scales/,
    ],
    "OME with a scale that overflows": [
      { ome: { multiscales: [{ axes, datasets: [{ path: "0", coordinateTransformations: [{ type: "scale", scale: [1, 1e308] }] }] }] } },
      "/ome/multiscales/0/datasets/0/coordinateTransformations/0/scale", /expected 2 numbers/,
    ],
    "OME with scales that overflow together": [
      { ome: { multiscales: [{ axes, coordinateTransformations: [{ type: "scale", scale: [1, 1e200] }], datasets: [{ path: "0", coordinateTransformations: [{ type: "scale", scale: [1, 1e200] }] }] }] } },
      "/ome/multiscales/0/datasets/0/coordinateTransformations", /together/,
    ],
    "a matrix whose cells are no numbers": [matrices({ cellSize: true }), "/multiscales/tile_matrix_set/tileMatrices/0/cellSize", /above 0/],
    "a matrix whose scale is a text": [matrices({ scaleDenominator: "5" }), "/multiscales/tile_matrix_set/tileMatrices/0/scaleDenominator", /above 0/],
    "a matrix whose origin overflows": [matrices({ cellSize: 1, pointOfOrigin: [1e308, 0] }), "/multiscales/tile_matrix_set/tileMatrices/0/pointOfOrigin", /two numbers/],
    "ndpyramid without a path": [{ multiscales: [{ datasets: [{}] }] }, "/multiscales/0/datasets/0/path", /path/],
    "a matrix without an origin": [{ multiscales: { tile_matrix_set: { tileMatrices: [{ id: "0", cellSize: 1 }] } } }, "/multiscales/tile_matrix_set/tileMatrices/0/pointOfOrigin", /two numbers/],
  };
  for (const [name, [attributes, pointer, message]] of Object.entries(cases)) {
    test(name, async () => {
      const { group } = await opened(made(attributes));
      await assert.rejects(Levels.open(group), { name: "InvalidMetadataError", path: `/attributes${pointer}`, key: "zarr.json", message });
    });
  }

  test("an EPSG code that is neither a number nor a text is none", async () => {
    const { levels } = await levelsOf(made({ "proj:epsg": [4326] }, { t: { shape: [2, 2] } }), { variable: "t" });
    assert.deepEqual(levels.crs, {});
  });

  test("an array's transform, in its own document", async () => {
    const files = made({}, { t: { shape: [2, 2], attributes: { "proj:transform": [1, 2, 3] } } });
    const { group } = await opened(files);
    await assert.rejects(Levels.open(group, { variable: "t" }), { name: "InvalidMetadataError", key: "t/zarr.json", path: "/attributes/proj:transform" });
  });

  test("an array without pixels has no extent", async () => {
    const attributes = { "spatial:bbox": [0, 0, 1, 1], "proj:code": "EPSG:4326" };
    const { levels } = await levelsOf(made(attributes, { t: { shape: [0, 3], dimension_names: ["y", "x"] } }), { variable: "t" });
    assert.deepEqual([levels[0].from, levels[0].shape], ["pixels", [0, 3]]);
    assert.equal(levels.window([0, 0, 1, 1]), undefined);
    assert.ok((await levels.tile(0, 0, 0, { size: 2 })).data.every(Number.isNaN));
  });

  test("a group without arrays", async () => {
    const { group } = await opened(made({}));
    await assert.rejects(Levels.open(group), { name: "NotFoundError", message: /option variable/ });
    await assert.rejects(Levels.open(group, { variable: "t" }), { name: "NotFoundError", message: /"t"/ });
    await assert.rejects(levelsOf("earth.zarr", { variable: "u" }), { name: "NotFoundError", path: "u" });
  });

  test("an array that comes after another level was refused is let go of", async () => {
    const list = ["0", "1"].map((path, n) => ({ path, coordinateTransformations: [{ type: "scale", scale: [2 ** n, 2 ** n] }] }));
    const axes = ["y", "x"].map((name) => ({ name, type: "space" }));
    const files = made({ ome: { version: "0.5", multiscales: [{ axes, datasets: list }] } }, { 0: { shape: [4, 4] }, 1: { shape: [2, 2] } });
    let arrive;
    const late = new Promise((resolve) => (arrive = resolve));
    const get = (key) => (key.includes("1/") ? Promise.reject(new Error("refused")) : key.includes("0/") ? late.then(() => files.get(key)) : files.get(key));
    const group = await Group.open({ get });
    const live = new Set();
    const { array: opening, hold: holding } = Object.getPrototypeOf(group);
    const watched = (array) => {
      const [hold, free] = [array.hold.bind(array), array.free.bind(array)];
      live.add(array);
      return Object.assign(array, { hold: () => watched(hold()), free: () => (live.delete(array), free()) });
    };
    const arrayOf = async function (...given) {
      return watched(await opening.apply(this, given));
    };
    group.hold = () => Object.assign(holding.call(group), { array: arrayOf });
    await assert.rejects(Levels.open(group), { message: /refused/ });
    arrive();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(live.size, 0);
    group.free();
  });
});
