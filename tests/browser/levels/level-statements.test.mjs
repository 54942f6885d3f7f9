/**
 * The same statements on the place of levels, wherever they stand: in the layout, on arrays or on groups, with
 * consolidated metadata or without, with the variable named or not. In Node.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Levels, levelsOf, made, opened } from "../support/levels.mjs";

const PLACE = { "spatial:transform": [10, 0, 500000, 0, -10, 5000000] };
const CRS = { "proj:code": "EPSG:32633" };
const NAMES = { "spatial:dimensions": ["northing", "easting"] };
const encoded = (document) => new TextEncoder().encode(JSON.stringify(document));
const decoded = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** Adds groups by path, and a copy of all documents to the root if asked for. */
function completed(files, groups, isConsolidated) {
  for (const [path, attributes] of Object.entries(groups)) files.set(`/${path}/zarr.json`, encoded({ zarr_format: 3, node_type: "group", attributes }));
  if (!isConsolidated) return files;
  const documents = [...files].filter(([key]) => key.endsWith("zarr.json")).map(([key, bytes]) => [key.slice(1).replace(/\/?zarr\.json$/, ""), decoded(bytes)]);
  const { "": root, ...metadata } = Object.fromEntries(documents);
  return files.set("/zarr.json", encoded({ ...root, consolidated_metadata: { kind: "inline", must_understand: false, metadata } }));
}

/** The stores of one level: a group "0" with an array "v", its array alone, or the array "0" itself. */
const SHAPES = {
  "a group": { asset: "0", array: "0/v", group: "0", variables: [undefined, "v"] },
  "an array in a group": { asset: "0/data", array: "0/data", group: "0", variables: [undefined, "", "data"] },
  "an array": { asset: "0", array: "0", variables: [undefined, ""] },
};

describe("statements on levels, wherever they stand", () => {
  for (const [what, { asset, array, group, variables }] of Object.entries(SHAPES)) {
    const places = ["entry", "array", ...(group ? ["group"] : [])];
    for (const place of places) for (const system of [...places, "root"]) for (const isConsolidated of [true, false]) for (const variable of variables) {
      test(`${what}: the transform on the ${place}, the system on the ${system}, ${isConsolidated ? "" : "not "}consolidated, variable ${JSON.stringify(variable)}`, async (t) => {
        // Without consolidated metadata and without a name, the arrays of a group are not known.
        if (!isConsolidated && what === "a group" && variable === undefined && [place, system].includes("array")) return t.skip("nothing names the array");
        // A system is read of the layout's own entry neither by the conventions nor here.
        if (system === "entry") return t.skip("no convention has it");
        const of = (where) => ({ ...(place === where && PLACE), ...(system === where && CRS) });
        const attributes = { ...of("root"), ...NAMES, multiscales: { layout: [{ asset, ...of("entry") }] } };
        const files = made(attributes, { [array]: { shape: [3, 2, 4], dimension_names: ["easting", "time", "northing"], attributes: of("array") } });
        const { levels } = await levelsOf(completed(files, group ? { [group]: of("group") } : {}, isConsolidated), { variable });
        assert.deepEqual(levels[0].transform, PLACE["spatial:transform"]);
        assert.equal(levels.crs.code, "EPSG:32633");
        const named = what === "a group" && variable === undefined ? "v" : undefined;
        assert.equal((await levels.array(0, named)).path, array);
        if (isConsolidated || variable !== undefined || what !== "a group") {
          assert.deepEqual(levels[0].shape, [4, 3]);
          assert.deepEqual(levels.axes.map(({ name }) => name), ["easting", "time", "northing"]);
          assert.deepEqual(levels.window([500000, 4999961, 500010, 4999970]).selection, { northing: { start: 3, stop: 4, step: null }, easting: { start: 0, stop: 1, step: null } });
        }
      });
    }
  }

  test("an array's own system comes before that of the group around it, and that before the pyramid's", async () => {
    const codes = async (array, group, root) => {
      const of = (code) => (code ? { "proj:code": code } : {});
      const files = made({ ...of(root), multiscales: { layout: [{ asset: "0/data", ...PLACE }] } }, { "0/data": { shape: [4, 3], attributes: of(array) } });
      return Promise.all([true, false].map(async (isConsolidated) => (await levelsOf(completed(new Map(files), { 0: of(group) }, isConsolidated))).levels.crs.code));
    };
    assert.deepEqual(await codes("EPSG:1", "EPSG:2", "EPSG:3"), ["EPSG:1", "EPSG:1"]);
    assert.deepEqual(await codes(undefined, "EPSG:2", "EPSG:3"), ["EPSG:2", "EPSG:2"]);
    assert.deepEqual(await codes(undefined, undefined, "EPSG:3"), ["EPSG:3", "EPSG:3"]);
  });
});

describe("axes of levels whose layout states transform and shape", () => {
  /** A pyramid of one array of axes in this order, whose items are 10 times the row's and once the column's number. */
  function grid(names, { dimensions, on = "root", isConsolidated, more = {}, coordinates = {} }) {
    const sizes = { time: 1, band: 1, ...Object.fromEntries(names.filter((name) => !["time", "band"].includes(name)).map((name) => [name, /^(?:x|east|u)/.test(name) ? 2 : 4])) };
    const shape = names.map((name) => sizes[name]);
    const stated = { "spatial:dimensions": dimensions };
    const layout = [{ asset: "0", "spatial:transform": [10, 0, 0, 0, -10, 40], "spatial:shape": [4, 2], ...(on === "entry" && stated) }];
    const arrays = { 0: { shape, dimension_names: names, attributes: on === "array" ? stated : {} }, ...coordinates };
    const files = made({ ...CRS, multiscales: { layout }, ...(on === "root" && stated), ...more }, arrays);
    const values = new Float32Array(8);
    const [row, column] = [names.findIndex((name) => sizes[name] === 4), names.findIndex((name) => sizes[name] === 2)];
    for (let y = 0; y < 4; y++) for (let x = 0; x < 2; x++) values[row < column ? y * 2 + x : x * 4 + y] = 10 * y + x;
    files.set(`/0/c/${shape.map(() => 0).join("/")}`, new Uint8Array(values.buffer));
    return completed(files, {}, isConsolidated);
  }

  const orders = [["y", "x"], ["x", "y"], ["y", "x", "band"], ["time", "northing", "easting"], ["easting", "northing"], ["time", "x", "y"]];
  for (const names of orders) for (const isConsolidated of [true, false]) for (const on of ["root", "entry", "array", "nowhere"]) for (const variable of [undefined, ""]) {
    test(`[${names}], their names on the ${on}, ${isConsolidated ? "" : "not "}consolidated, variable ${JSON.stringify(variable)}`, async () => {
      const dimensions = names.filter((name) => /^(?:y|north)/.test(name)).concat(names.filter((name) => /^(?:x|east)/.test(name)));
      const { levels } = await levelsOf(grid(names, { dimensions, on, isConsolidated }), { variable });
      const { data } = await levels.tile(0, 0, 0, { project: ([lon, lat]) => [(lon + 180) / 9, 40 + (lat - 85.0511287798066) / 4.25], size: 2, mask: false });
      const { selection } = levels.window([0, 0, 20, 40]);
      const region = await (await levels.array(0)).get(selection);
      assert.equal(region.data.length, 8);
      // The two pixels of the west lie in the second column, one row below the other.
      assert.equal(data[0] % 10, 1);
      assert.ok(data[0] < data[2], String(data));
      const corner = levels.window([11, 31, 19, 39]);
      assert.deepEqual([...(await (await levels.array(0)).get(corner.selection)).data], [1]);
    });
  }

  test("names that only the coordinates' attributes explain", async () => {
    const axis = (name, letter, size) => ({ [name]: { shape: [size], dimension_names: [name], attributes: { axis: letter } } });
    const coordinates = { ...axis("up", "Y", 4), ...axis("u", "X", 2) };
    for (const isConsolidated of [true, false]) {
      const { levels } = await levelsOf(grid(["u", "up"], { on: "nowhere", isConsolidated, coordinates }));
      assert.deepEqual(levels.window([11, 31, 19, 39]).selection, { up: { start: 0, stop: 1, step: null }, u: { start: 1, stop: 2, step: null } });
    }
  });

  test("a tile of a variable whose axes are in another order", async () => {
    const files = completed(made({ ...CRS, ...PLACE, "spatial:dimensions": ["y", "x"] }, { a: { shape: [4, 2], dimension_names: ["y", "x"] }, b: { shape: [1, 2, 4], dimension_names: ["time", "x", "y"] } }), {}, true);
    files.set("/b/c/0/0/0", new Uint8Array(Float32Array.from([1, 1, 1, 1, 2, 2, 2, 2]).buffer));
    const { levels } = await levelsOf(files, { variable: "a" });
    const { data } = await levels.tile(0, 0, 0, { variable: "b", project: ([lon, lat]) => [500010 + lon / 18, 4999980 + lat / 5], size: 2 });
    assert.deepEqual([...data], [1, 2, 1, 2]);
  });

  test("units of coordinates count without consolidated metadata too", async () => {
    const axis = (units, size) => ({ shape: [size], attributes: { units } });
    const arrays = { t: { shape: [4, 8], dimension_names: ["lat", "lon"] }, lat: { ...axis("degrees_north", 4), dimension_names: ["lat"] }, lon: { ...axis("degrees_east", 8), dimension_names: ["lon"] } };
    const attributes = { "spatial:transform": [45, 0, 0, 0, -45, 90] };
    for (const isConsolidated of [true, false]) {
      const { levels } = await levelsOf(completed(made(attributes, arrays), {}, isConsolidated), { variable: "t" });
      assert.deepEqual(levels.window([-45, 0, 45, 45]).selection.lon, [7, 0]);
      assert.equal(levels.axes[1].unit, "degrees_east");
    }
  });

  test("degrees without units are refused with a way out", async () => {
    const arrays = { t: { shape: [4, 8], dimension_names: ["lat", "lon"] } };
    const { levels } = await levelsOf(made({ "spatial:transform": [45, 0, -180, 0, -45, 90] }, arrays), { variable: "t" });
    await assert.rejects(levels.tile(0, 0, 0), { name: "UnsupportedError", message: /`project: \(p\) => p`/ });
    assert.equal((await levels.tile(0, 0, 0, { project: (point) => point, size: 4, mask: false })).data[0], 0);
  });

  test("a grid mapping that only `coordinates` names", async () => {
    for (const isConsolidated of [true, false]) for (const on of ["array", "group"]) {
      const named = { coordinates: "spatial_ref other" };
      const arrays = { "0/t": { shape: [4, 8], dimension_names: ["lat", "lon"], attributes: on === "array" ? named : {} }, "0/spatial_ref": { shape: [], attributes: { grid_mapping_name: "latitude_longitude" } } };
      const files = made({ multiscales: [{ datasets: [{ path: "0" }], type: "reduce", metadata: {} }], ...{ "spatial:transform": [45, 0, -180, 0, -45, 90] } }, arrays);
      const { levels } = await levelsOf(completed(files, { 0: on === "group" ? named : {} }, isConsolidated), { variable: "t" });
      assert.equal(levels.crs.gridMapping, "latitude_longitude");
      assert.equal((await levels.tile(0, 0, 0, { size: 2, mask: false })).data[0], 0);
    }
  });

  test("a level of arrays that was not looked at, and a group", async () => {
    const layout = ["0", "1"].map((asset) => ({ asset, ...PLACE, "spatial:shape": [4, 3] }));
    const files = made({ ...CRS, ...NAMES, multiscales: { layout } }, { 0: { shape: [4, 3] }, "1/v": { shape: [4, 3] } });
    const { levels, opening } = await levelsOf(completed(files, { 1: {} }, false));
    assert.deepEqual(opening, []);
    assert.equal((await levels.array(0)).path, "0");
    assert.equal((await levels.array(1, "v")).path, "1/v");
    await assert.rejects(levels.array(1), { name: "TypeError", message: /name a variable/ });
    await assert.rejects(levels.array(1, "w"), { name: "NotFoundError" });
  });
});

describe("scales for axes in another order than the array's", () => {
  const level = (asset, rows, columns, more) => ({ asset, "spatial:shape": [rows, columns], ...more });
  const scaled = (scale) => ({ derived_from: "0", transform: { scale, translation: [0, 0, 0] } });
  const arrays = { 0: { shape: [2, 331, 251], dimension_names: ["time", "y", "x"] }, 1: { shape: [2, 165, 125], dimension_names: ["time", "y", "x"] } };
  const box = [4000000, 3000000 - 33100, 4025100, 3000000];
  for (const scale of [[2, 2, 1], [1, 2, 2]]) {
    for (const isStated of [true, false]) {
      test(`[${scale}], the transform ${isStated ? "stated" : "not stated"}`, async () => {
        const place = (size) => ({ "spatial:transform": [size, 0, 4000000, 0, -size, 3000000] });
        const layout = [level("0", 331, 251, place(100)), level("1", 165, 125, { ...scaled(scale), ...(isStated && place(200)) })];
        const files = made({ ...CRS, "spatial:bbox": box, "spatial:dimensions": ["y", "x"], multiscales: { layout } }, arrays);
        for (const isConsolidated of [true, false]) {
          const { levels } = await levelsOf(completed(new Map(files), {}, isConsolidated));
          assert.deepEqual(levels[1].transform, [200, 0, 4000000, 0, -200, 3000000], levels[1].from);
        }
      });
    }
  }
});

describe("OME-Zarr's transformations beside the datasets", () => {
  const axes = ["y", "x"].map((name) => ({ name, type: "space" }));
  const system = (name) => ({ name, axes });
  const others = {
    scale: { scale: [10, 10] }, translation: { translation: [5, 5] }, affine: { affine: [[0, 1, 3], [1, 0, 4]] }, rotation: { rotation: [[0, -1], [1, 0]] },
    mapAxis: { mapAxis: [1, 0] }, sequence: { transformations: [] }, displacements: { path: "field" }, byDimension: { transformations: [] }, identity: {},
  };
  const side = { objects: (name) => ({ name }), texts: (name) => name };
  const image = (list, input) => ({ ome: { version: "0.6rc0", multiscales: [{
    coordinateSystems: [system("stage"), system("intrinsic")], coordinateTransformations: list,
    datasets: [1, 2].map((size, i) => ({ path: `${i}`, coordinateTransformations: [{ type: "scale", scale: [size / 2, size / 2], input, output: "intrinsic" }] })),
  }] } });
  for (const [type, parameters] of Object.entries(others)) for (const [form, of] of Object.entries(side)) for (const isBack of [false, true]) {
    test(`0.6: ${type} ${isBack ? "into" : "from"} the levels' system, sides as ${form}`, async () => {
      const [input, output] = isBack ? ["stage", "intrinsic"] : ["intrinsic", "stage"];
      const attributes = image([{ type, ...parameters, input: of(input), output: of(output) }], of("0"));
      const { levels } = await levelsOf(made(attributes, { 0: { shape: [4, 4] }, 1: { shape: [2, 2] } }));
      assert.deepEqual(levels.map(({ transform }) => transform), [[0.5, 0, -0.25, 0, 0.5, -0.25], [1, 0, -0.5, 0, 1, -0.5]]);
      assert.match(levels[0].from, /to intrinsic$/);
      const from = isBack ? `inverse of ${type} to intrinsic` : `${type} from intrinsic`;
      assert.deepEqual(levels.systems.map(({ name, from }) => [name, from]), [["stage", from], ["intrinsic", "the datasets"]]);
      assert.deepEqual(levels.axes.map(({ name }) => name), ["y", "x"]);
    });
  }

  test("up to 0.5 they follow those of each dataset, and other types are refused", async () => {
    const of = (list) => made({ ome: { version: "0.5", multiscales: [{ axes, coordinateTransformations: list, datasets: [{ path: "0", coordinateTransformations: [{ type: "scale", scale: [2, 2] }] }] }] } }, { 0: { shape: [4, 4] } });
    const { levels } = await levelsOf(of([{ type: "scale", scale: [10, 10] }]));
    assert.deepEqual([levels[0].resolution, levels.systems], [[20, 20], []]);
    await assert.rejects(levelsOf(of([{ type: "affine", affine: [] }])), { name: "UnsupportedError", feature: "affine" });
    await assert.rejects(levelsOf(of([{ type: "scale", path: "factors" }])), { name: "UnsupportedError", feature: "scale in an array of its own" });
  });

  test("a dataset's second transformation leads to another system", async () => {
    const { ome } = image([], { path: "0" });
    ome.multiscales[0].datasets.forEach(({ coordinateTransformations: list }) => list.push({ type: "scale", scale: [7, 7], input: { name: "intrinsic" }, output: { name: "stage" } }));
    const { levels } = await levelsOf(made({ ome }, { 0: { shape: [4, 4] }, 1: { shape: [2, 2] } }));
    assert.deepEqual(levels.map(({ resolution }) => resolution[0]), [0.5, 1]);
  });
});

describe("OME-Zarr's doubtful statements", () => {
  const axes = ["y", "x"].map((name) => ({ name, type: "space" }));
  const scale = (factor, more) => ({ type: "scale", scale: [factor, factor], ...more });

  test("an empty list of coordinate systems states none, and the scale beside the datasets holds", async () => {
    for (const coordinateSystems of [[], null, undefined]) {
      const multiscales = [{ axes, coordinateSystems, coordinateTransformations: [scale(10)], datasets: [{ path: "0", coordinateTransformations: [scale(2)] }] }];
      const { levels } = await levelsOf(made({ ome: { version: "0.5", multiscales } }, { 0: { shape: [4, 4] } }));
      assert.deepEqual([levels[0].resolution, levels.systems], [[20, 20], []]);
    }
  });

  test("several transformations of a dataset to one system are refused", async () => {
    const ends = (input, output) => ({ input, output });
    const own = ends({ path: "0" }, { name: "a" });
    for (const [first, second] of [[own, own], [ends("0", "a"), ends("0", "a")], [ends("0", "a"), { output: "a" }], [own, ends({ path: "0" }, "a")]]) {
      const multiscales = [{ coordinateSystems: [{ name: "a", axes }], datasets: [{ path: "0", coordinateTransformations: [scale(2, first), { type: "translation", translation: [1, 1], ...second }] }] }];
      await assert.rejects(levelsOf(made({ ome: { version: "0.6", multiscales } }, { 0: { shape: [4, 4] } })), { name: "UnsupportedError", message: /datasets\/0\/coordinateTransformations\/1: several/ });
    }
  });
});

describe("coordinates that tell the axes, without consolidated metadata", () => {
  test("are looked up once for levels of the same dimensions", async () => {
    const layout = ["0", "1", "2"].map((asset, i) => ({ asset, ...(i > 0 && { derived_from: `${i - 1}`, transform: { scale: [2, 2] } }) }));
    const grids = Object.fromEntries([16, 8, 4].map((size, i) => [`${i}/t`, { shape: [size, 3, size], dimension_names: ["north", "band", "east"] }]));
    const axis = (name, standard_name) => ({ [name]: { shape: [16], dimension_names: [name.split("/").pop()], attributes: { standard_name } } });
    const found = { ...axis("0/north", "projection_y_coordinate"), ...axis("0/east", "projection_x_coordinate") };
    const attributes = { multiscales: { layout }, "spatial:bbox": [0, 0, 160, 160], "proj:code": "EPSG:32633" };
    for (const [arrays, expected, names] of [[{ ...grids, ...found }, [16, 16], 4], [grids, [3, 16], 6]]) {
      const { levels, opening } = await levelsOf(made(attributes, arrays), { variable: "t" });
      assert.deepEqual(levels[0].shape, expected);
      assert.deepEqual(levels[1].shape, expected.map((size) => (size === 16 ? 8 : size)));
      const looked = opening.filter((key) => /(?:north|east|band)\/zarr\.json$/.test(key));
      assert.equal(looked.length, names, looked.join(" "));
    }
  });
});

describe("groups that hold images", () => {
  const wells = ["A/1", "B/2"].map((path) => ({ path, rowIndex: 0, columnIndex: 0 }));
  const cases = {
    "a plate": [{ plate: { wells } }, /a plate of OME-Zarr, with the wells "A\/1", "B\/2"/],
    "a well": [{ well: { images: [{ path: "0" }, { path: "1" }] } }, /a well of OME-Zarr, with the images "0", "1"/],
    "labels": [{ labels: ["nuclei", "cells/0"] }, /a list of labels of OME-Zarr, with the label images "nuclei", "cells\/0"/],
    "a scene": [{ scene: { coordinateTransformations: [{ input: { path: "a", name: "p" }, output: { name: "world" } }, { input: { path: "b" }, output: { path: "a" } }] } }, /a scene of OME-Zarr, with the images "a", "b": open one of them, or all by scene\(\)/],
    "images of bioformats2raw": [{ "bioformats2raw.layout": 3 }, /a set of images, as bioformats2raw writes it.*"0", "1"/],
    "its plate": [{ "bioformats2raw.layout": 3, plate: { wells } }, /a plate of OME-Zarr/],
    "a series": [{ series: ["x", "y"] }, /with the images "x", "y"/],
    "many wells": [{ plate: { wells: Array.from({ length: 96 }, (_, i) => ({ path: `A/${i}` })) } }, /"A\/5" and 90 more/],
    "a damaged plate": [{ plate: { wells: "all" } }, /a plate of OME-Zarr/],
  };
  for (const [what, [attributes, message]] of Object.entries(cases)) for (const of of [(inner) => ({ ome: { version: "0.5", ...inner } }), (inner) => inner]) {
    test(`${what} ${JSON.stringify(Object.keys(of({})))}`, async () => {
      const { group } = await opened(made(of(attributes)));
      await assert.rejects(Levels.open(group), { name: "NotFoundError", message });
      await assert.rejects(Levels.open(group, { variable: "v" }), { name: "NotFoundError", message: /there is no array "v"/ });
    });
  }

  test("the list of bioformats2raw's images lies in the group OME", async () => {
    const files = completed(made({ "bioformats2raw.layout": 3 }), { OME: { ome: { series: ["b", "a"] } } }, false);
    await assert.rejects(levelsOf(files), { message: /with the images "b", "a"/ });
  });

  test("groups with levels below a group are named from consolidated metadata", async () => {
    const files = completed(made({}), { "r/a": { multiscales: { layout: [] } }, b: { ome: { multiscales: [] } }, c: { plate: "A1", well: 3 } }, true);
    await assert.rejects(levelsOf(files), { name: "NotFoundError", message: /open one of the groups with levels in the group, "(?:r\/a|b)", "(?:r\/a|b)", or name an array/ });
  });
});
