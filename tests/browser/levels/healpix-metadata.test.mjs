/** Metadata of HEALPix grids, right and damaged: each fault is named with its document and field; run in Node. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";

import { PACKAGE } from "../support/paths.mjs";

const { Group } = await import(join(PACKAGE, "node.js"));
const { healpix } = await import(join(PACKAGE, "healpix.js"));

const DGGS = { name: "healpix", refinement_level: 2, indexing_scheme: "nested", spatial_dimension: "cells", coordinate: "cell_ids", compression: "none" };
const WGS84 = { name: "WGS84", semi_major_axis: 6378137, inverse_flattening: 298.257223563 };

const bytes = (document) => new TextEncoder().encode(JSON.stringify(document));

/** An array of one axis, with values of its type if given. */
function array(path, { attributes = {}, values, dtype = "float32", shape = [values?.length ?? 20], dimension = "cells" } = {}) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: dtype,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape.map((edge) => Math.max(edge, 1)) } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    dimension_names: shape.length === 1 ? [dimension] : shape.map((_, axis) => `${dimension}${axis}`),
    attributes,
  };
  const data = values && [[`/${path}/c/${shape.map(() => 0).join("/")}`, new Uint8Array(values.buffer)]];
  return [[`/${path}/zarr.json`, bytes(document)], ...(data ?? [])];
}

const group = (path, attributes = {}) => [[`${path}/zarr.json`, bytes({ zarr_format: 3, node_type: "group", attributes })]];
const ids = (from, count) => BigInt64Array.from({ length: count }, (_, i) => BigInt(from + i));

/** A group with an array `t` of 20 cells, and their ids. */
function store({ dggs = DGGS, root = dggs && { dggs }, of = {}, values = ids(40, 20), coordinate = { values, dtype: "int64" }, more = [] } = {}) {
  return new Map([...group("", root ?? {}), ...array("t", of), ...(coordinate ? array("cell_ids", coordinate) : []), ...more]);
}

async function open(files, variable = "t", options = {}) {
  return healpix(await Group.open(files), variable, options);
}

/** Name, pointer and key of the error that a call ends with. */
async function failed(call) {
  try {
    await call();
  } catch ({ name, path, key, feature, message }) {
    return { name, path, key, feature, message };
  }
  return assert.fail("the call succeeded");
}

const changed = (changes) => {
  const dggs = { ...DGGS, ...changes };
  for (const [name, value] of Object.entries(changes)) if (value === undefined) delete dggs[name];
  return dggs;
};

describe("metadata of HEALPix grids", () => {
  const DAMAGE = [
    ["no object", [], ""],
    ["no name", changed({ name: undefined }), "/name"],
    ["a name that is none", changed({ name: 5 }), "/name"],
    ["no level", changed({ refinement_level: null }), "/refinement_level"],
    ["a level as text", changed({ refinement_level: "2" }), "/refinement_level"],
    ["a large number in a list", changed({ refinement_level: [2 ** 60] }), "/refinement_level"],
    ["a broken level", changed({ refinement_level: 2.5 }), "/refinement_level"],
    ["a negative level", changed({ refinement_level: -1 }), "/refinement_level"],
    ["a level that no HEALPix has", changed({ refinement_level: 30 }), "/refinement_level"],
    ["no scheme", changed({ indexing_scheme: undefined }), "/indexing_scheme"],
    ["an unknown scheme", changed({ indexing_scheme: "spiral" }), "/indexing_scheme"],
    ["a scheme named as a member of all objects", changed({ indexing_scheme: "constructor" }), "/indexing_scheme"],
    ["a scheme named as their prototype", changed({ indexing_scheme: "__proto__" }), "/indexing_scheme"],
    ["an ellipsoid named as a member of all objects", changed({ ellipsoid: "constructor" }), "/ellipsoid"],
    ["no dimension", changed({ spatial_dimension: undefined }), "/spatial_dimension"],
    ["a coordinate that is no text", changed({ coordinate: 3 }), "/coordinate"],
    ["a coordinate that is not there", changed({ coordinate: "ids" }), "/coordinate"],
    ["an unknown compression", changed({ compression: "zip" }), "/compression"],
    ["ids that are no ranges", changed({ compression: "ranges" }), "/coordinate"],
    ["fewer cells than a globe", changed({ coordinate: undefined }), "/refinement_level"],
    ["an ellipsoid that is none", changed({ ellipsoid: 6 }), "/ellipsoid"],
    ["an ellipsoid by its name alone", changed({ ellipsoid: { name: "WGS84" } }), "/ellipsoid"],
    ["half an ellipsoid", changed({ ellipsoid: { semi_major_axis: 6378137 } }), "/ellipsoid"],
    ["an axis as text", changed({ ellipsoid: { ...WGS84, semi_major_axis: "long" } }), "/ellipsoid/semi_major_axis"],
    ["an axis of length 0", changed({ ellipsoid: { ...WGS84, semi_major_axis: 0 } }), "/ellipsoid"],
  ];
  for (const [what, dggs, pointer] of DAMAGE) {
    test(`${what} is named`, async () => {
      const ofGroup = await failed(() => open(store({ dggs })));
      assert.deepEqual([ofGroup.name, ofGroup.path, ofGroup.key], ["InvalidMetadataError", `/attributes/dggs${pointer}`, "zarr.json"], ofGroup.message);
      const ofArray = await failed(() => open(store({ dggs: null, of: { attributes: { dggs } } })));
      assert.deepEqual([ofArray.name, ofArray.path, ofArray.key], ["InvalidMetadataError", `/attributes/dggs${pointer}`, "t/zarr.json"], ofArray.message);
      const ofOption = await failed(() => open(store({ dggs: null }), "t", { dggs }));
      assert.deepEqual([ofOption.name, ofOption.path, ofOption.key], ["InvalidMetadataError", pointer, ""], ofOption.message);
    });
  }

  test("ids that do not fit are named when they are read", async () => {
    const wrong = {
      "an id beyond the level": BigInt64Array.from(ids(40, 20), (id, i) => (i === 3 ? 192n : id)),
      "a negative id": BigInt64Array.from(ids(40, 20), (id, i) => (i === 3 ? -1n : id)),
      "an id beyond 2^53": BigInt64Array.from(ids(40, 20), (id, i) => (i === 3 ? 2n ** 60n : id)),
      "a cell twice": BigInt64Array.from(ids(40, 20), (id, i) => (i === 3 ? 50n : id)),
    };
    for (const [what, values] of Object.entries(wrong)) {
      const grid = await open(store({ values }));
      const failures = [await failed(() => grid.indexOf(41)), await failed(() => grid.within(2, 0))];
      for (const { name, path, key, message } of failures) {
        assert.deepEqual([name, path, key], ["InvalidMetadataError", "/attributes/dggs/coordinate", "zarr.json"], what);
        assert.match(message, /at ind(ex|ices) 3/);
      }
    }
    const length = await failed(() => open(store({ values: ids(40, 19) })));
    assert.deepEqual([length.name, length.path], ["InvalidMetadataError", "/attributes/dggs/coordinate"]);
    const floats = await failed(() => open(store({ coordinate: { values: new Float64Array(20), dtype: "float64" } })));
    assert.deepEqual([floats.name, floats.path], ["InvalidMetadataError", "/attributes/dggs/coordinate"]);
    const zuniq = await open(store({ dggs: changed({ indexing_scheme: "zuniq" }) }));
    assert.equal((await failed(() => zuniq.indexOf(1459166279268040704n))).name, "InvalidMetadataError");
  });

  test("ranges and coarser cells that do not fit are named when they are read", async () => {
    const unit = 4 ** 27;
    const ranges = (...cells) => ({ values: BigInt64Array.from(cells, (cell) => BigInt(cell * unit)), shape: [cells.length / 2, 2], dtype: "int64", dimension: "range" });
    const right = await open(store({ dggs: changed({ compression: "ranges" }), coordinate: ranges(16, 32, 40, 44) }));
    assert.deepEqual(await right.within(1, 0), { cells: { start: 0, stop: 16, step: null } });
    assert.deepEqual(Array.from(await right.cells()), [...Array.from({ length: 16 }, (_, i) => 16 + i), 40, 41, 42, 43]);
    for (const cells of [[40, 44, 16, 32], [16, 32, 30, 34], [16, 32, 40, 43], [16, 32.5, 40, 43.5], [16, 32, 190, 194], [20, 20, 30, 50]]) {
      const grid = await open(store({ dggs: changed({ compression: "ranges" }), coordinate: ranges(...cells) }));
      assert.equal((await failed(() => grid.indexOf(41))).name, "InvalidMetadataError", String(cells));
    }
    const finer = { values: BigInt64Array.from([0n, 7n]), dtype: "int64", dimension: "compact" };
    const compacted = await open(store({ dggs: changed({ compression: "compacted" }), coordinate: finer }));
    assert.equal((await failed(() => compacted.cells())).name, "InvalidMetadataError");
  });

  test("other grids and levels are refused by name", async () => {
    const features = {
      "the grid rhealpix": changed({ name: "rhealpix" }),
      "HEALPix level 25": changed({ refinement_level: 25 }),
      "HEALPix level 29": changed({ refinement_level: 29 }),
      "the HEALPix indexing scheme nuniq": changed({ indexing_scheme: "nuniq" }),
      "an ellipsoid of flattening 0.5": changed({ ellipsoid: { semi_major_axis: 2, semi_minor_axis: 1 } }),
    };
    for (const [feature, dggs] of Object.entries(features)) {
      const found = await failed(() => open(store({ dggs })));
      assert.deepEqual([found.name, found.feature], ["UnsupportedError", feature], found.message);
    }
    const deep = changed({ indexing_scheme: "zuniq", refinement_level: null });
    const level26 = (2n * 5n + 1n) << 6n;
    const found = await failed(() => open(store({ dggs: deep, coordinate: { values: BigInt64Array.from({ length: 20 }, () => level26), dtype: "int64" } })));
    assert.deepEqual([found.name, found.feature], ["UnsupportedError", "HEALPix level 26"]);
    const none = await failed(() => open(store({ dggs: null, coordinate: null, of: { shape: [192] } })));
    assert.equal(none.name, "UnsupportedError");
    assert.match(none.message, /as many cells as level 2\); pass the option dggs, such as \{ name: "healpix", refinement_level: 2,/);
  });

  test("grid mappings: CF's, the older one, what damages them", async () => {
    const mapped = (attributes, more = {}, name = "crs") => store({ dggs: null, of: { attributes: { grid_mapping: name }, ...more }, coordinate: null, more: array("crs", { attributes, shape: [], dtype: "int8" }) });
    const cf = { grid_mapping_name: "healpix", refinement_level: 2, indexing_scheme: "ring" };
    const older = { grid_mapping_name: "healpix", healpix_nside: 4, healpix_order: "nest" };
    for (const [attributes, from, scheme] of [[cf, "cf", "ring"], [older, "easygems", "nested"], [{ ...older, healpix_nside: "4", healpix_order: "ring" }, "easygems", "ring"]]) {
      for (const name of ["crs", "healpix", "crs: cells other: x", undefined]) {
        const grid = await open(mapped(attributes, { shape: [192] }, name));
        assert.deepEqual([grid.from, grid.scheme, grid.level, grid.dimension, grid.coordinate], [from, scheme, 2, "cells", undefined]);
      }
    }
    const names = { "WGS 84": 1 / 298.257223563, GRS80: 1 / 298.257222101 };
    for (const [name, flattening] of Object.entries(names)) {
      assert.equal((await open(mapped({ ...cf, reference_ellipsoid_name: name }, { shape: [192] }))).ellipsoid.flattening, flattening);
    }
    assert.deepEqual((await open(mapped({ ...cf, earth_radius: 6371229 }, { shape: [192] }))).ellipsoid, { semiMajorAxis: 6371229, flattening: 0 });
    // An integer beyond 2^53 comes as a bigint.
    assert.deepEqual((await open(mapped({ ...cf, earth_radius: 2 ** 60 }, { shape: [192] }))).ellipsoid, { semiMajorAxis: 2 ** 60, flattening: 0 });
    const damage = [
      [{ ...cf, refinement_level: undefined }, "/attributes/refinement_level"],
      [{ ...cf, indexing_scheme: undefined }, "/attributes/indexing_scheme"],
      [{ ...cf, refinement_level: 3 }, "/attributes/refinement_level"],
      [{ ...cf, reference_ellipsoid_name: "Mars" }, "/attributes"],
      [{ ...cf, grid_mapping_name: 5 }, "/attributes/grid_mapping_name"],
      [{ ...older, healpix_nside: undefined }, "/attributes/healpix_nside"],
      [{ ...older, healpix_nside: "four" }, "/attributes/healpix_nside"],
      [{ ...older, healpix_nside: -4 }, "/attributes/healpix_nside"],
      [{ ...older, healpix_order: undefined }, "/attributes/healpix_order"],
    ];
    for (const [attributes, pointer] of damage) {
      const found = await failed(() => open(mapped(attributes, { shape: [192] })));
      assert.deepEqual([found.name, found.path, found.key], ["InvalidMetadataError", pointer, "crs/zarr.json"], found.message);
    }
    assert.equal((await failed(() => open(mapped({ ...older, healpix_nside: 12 }, { shape: [1728] })))).feature, "HEALPix with nside 12");
    assert.equal((await failed(() => open(mapped({ ...cf, grid_mapping_name: "latitude_longitude" })))).feature, "the grid latitude_longitude");
  });

  test("ids without attributes along an axis of the whole globe are read", async () => {
    const crs = array("crs", { attributes: { grid_mapping_name: "healpix", refinement_level: 0, indexing_scheme: "nested" }, shape: [], dtype: "int8" });
    const older = array("crs", { attributes: { grid_mapping_name: "healpix", healpix_nside: 1, healpix_order: "nest" }, shape: [], dtype: "int8" });
    const values = Float32Array.from({ length: 12 }, (_, i) => 100 + i);
    const of = (mapping, name, ids, dtype = "int64", dimension = name) => new Map([
      ...group(""), ...array("t", { values, dimension, attributes: { grid_mapping: "crs" } }), ...mapping, ...(ids ? array(name, { values: ids, dtype, dimension }) : []),
    ]);
    const falling = BigInt64Array.from({ length: 12 }, (_, i) => BigInt(11 - i));
    for (const mapping of [crs, older]) {
      for (const [name, dimension] of [["cell", "cell"], ["cells", "cells"], ["cell_ids", "cells"], ["value", "value"], ["healpix_index", "x"]]) {
        const grid = await open(of(mapping, name, falling, "int64", dimension));
        assert.equal(grid.coordinate, name);
        assert.deepEqual([...(await grid.array.get(await grid.select([5]))).data], [106]);
        assert.deepEqual([...(await grid.cells())].slice(0, 3), [11, 10, 9]);
        assert.deepEqual([...(await grid.sel({ cells: [5, 0] })).data], [106, 111]);
      }
      const rising = await open(of(mapping, "cell", Int32Array.from({ length: 12 }, (_, i) => i), "int32"));
      assert.deepEqual([...(await rising.sel({ cells: [5] })).data], [105]);
      const labels = await open(of(mapping, "value", Float64Array.from({ length: 12 }, (_, i) => i / 2), "float64"));
      assert.deepEqual([labels.coordinate, [...(await labels.array.get(await labels.select([5]))).data]], [undefined, [105]]);
      const none = await open(of(mapping, "cell"));
      assert.deepEqual([none.coordinate, [...(await none.sel({ cells: [5] })).data]], [undefined, [105]]);
      const wrong = await open(of(mapping, "cell", Int32Array.from({ length: 12 }, (_, i) => i * 2), "int32"));
      assert.equal((await failed(() => wrong.select([2]))).name, "InvalidMetadataError");
    }
  });

  test("a group's description holds for its own arrays only, and an array's own comes first", async () => {
    const inner = [...group("/inner"), ...array("inner/t"), ...array("inner/deep/t")];
    const other = array("u", { attributes: { dggs: changed({ ellipsoid: WGS84 }) } });
    const files = store({ more: [...inner, ...group("/inner/deep", { dggs: changed({ refinement_level: 3 }) }), ...other] });
    assert.equal((await failed(() => open(files, "inner/t"))).name, "UnsupportedError");
    // The ids are those of a group above.
    assert.deepEqual(await open(files, "inner/deep/t").then(({ level, coordinate }) => [level, coordinate]), [3, "cell_ids"]);
    assert.equal((await open(files, "u")).ellipsoid.name, "WGS84");
    assert.equal((await failed(() => open(files, "cell_ids/no"))).name, "NotFoundError");
  });

  test("labels of the dimension that are no ids are not taken for indices", async () => {
    const labels = array("cells", { values: Int32Array.from({ length: 20 }, (_, i) => 19 - i), dtype: "int32" });
    const grid = await open(store({ more: labels }));
    assert.match((await failed(() => grid.sel({ cells: 41 }))).message, /labels other than the ids; read by get and select/);
    assert.deepEqual(await grid.select([41, 59]), { cells: [1, 19] });
    const { data } = await (await open(store())).sel({ cells: [41] });
    assert.deepEqual(Array.from(data), [0]);
  });

  test("an array whose group has no document of its own", async () => {
    const v2 = (dtype, attributes) => ({ zarr_format: 2, shape: [192], chunks: [192], dtype, compressor: null, filters: null, fill_value: 0, order: "C", ...attributes });
    const files = new Map([
      ["/.zgroup", bytes({ zarr_format: 2 })],
      ["/a/t/.zarray", bytes(v2("<f4"))],
      ["/a/t/.zattrs", bytes({ _ARRAY_DIMENSIONS: ["value"], grid_mapping: "crs" })],
      ["/crs/.zarray", bytes({ ...v2("|i1"), shape: [1], chunks: [1] })],
      ["/crs/.zattrs", bytes({ _ARRAY_DIMENSIONS: ["crs"], grid_mapping_name: "healpix", healpix_nside: "4", healpix_order: "ring" })],
    ]);
    const grid = await open(files, "a/t");
    assert.deepEqual([grid.from, grid.level, grid.scheme, grid.dimension], ["easygems", 2, "ring", "value"]);
  });

  test("the attributes of older xdggs", async () => {
    const of = (attributes) => open(store({ dggs: null, coordinate: { values: ids(40, 20), dtype: "int64", attributes: { grid_name: "healpix", ...attributes } } }));
    for (const attributes of [{ nside: 4, nest: true }, { resolution: 2, indexing_scheme: "nested" }, { level: 2, indexing_scheme: "nested", ellipsoid: "WGS84" }]) {
      const grid = await of(attributes);
      assert.deepEqual([grid.from, grid.level, grid.scheme, grid.ellipsoid.name], ["xdggs", 2, "nested", attributes.ellipsoid]);
    }
    assert.equal((await of({ nside: 4, nest: false })).scheme, "ring");
    const found = await failed(() => of({ level: 2 }));
    assert.deepEqual([found.name, found.path, found.key], ["InvalidMetadataError", "/attributes/indexing_scheme", "cell_ids/zarr.json"]);
    assert.equal((await failed(() => of({ grid_name: "h3", level: 2 }))).feature, "the grid h3");
  });

  test("in Zarr v2, pointers are those of .zattrs", async () => {
    const files = new Map([
      ["/.zgroup", bytes({ zarr_format: 2 })],
      ["/.zattrs", bytes({ dggs: changed({ refinement_level: "x" }) })],
      ["/t/.zarray", bytes({ zarr_format: 2, shape: [20], chunks: [20], dtype: "<f4", compressor: null, filters: null, fill_value: 0, order: "C" })],
      ["/t/.zattrs", bytes({ _ARRAY_DIMENSIONS: ["cells"] })],
    ]);
    const found = await failed(() => open(files));
    assert.deepEqual([found.name, found.path, found.key], ["InvalidMetadataError", "/dggs/refinement_level", ".zattrs"]);
  });

  test("a failed read of ids is tried again; a freed grid says so", async () => {
    const files = store();
    let isDown = true;
    const host = { get: (key) => (isDown && key.startsWith("/cell_ids/c") ? Promise.reject(new Error("down")) : files.get(key)) };
    const grid = await open(host);
    assert.equal((await failed(() => grid.indexOf(41))).name, "StoreError");
    isDown = false;
    const found = await Promise.all([grid.indexOf(41), grid.indexOf(59), grid.cells({ cells: [19, 0] })]);
    assert.deepEqual([found[0], found[1], ...found[2]], [1, 19, 59, 40]);
    assert.equal((await failed(() => grid.cells({ cells: [20] }))).name, "SelectionError");
    grid.free();
    assert.equal((await failed(() => grid.free())).name, "FreedError");
    assert.equal((await failed(() => grid.sel({ cells: 41 }))).name, "FreedError");
    const [early, late] = [await open(store()), await open(store())];
    early.free();
    assert.equal((await failed(() => early.indexOf(41))).name, "FreedError");
    await Promise.all([late.indexOf(41), late.within(2, 0)]);
    late.free();
    assert.equal(await late.indexOf(41), 1, "ids that were read stay");
  });

  test("a list of too many cells is refused before it is made", async () => {
    const level = 14;
    const files = new Map([...group("", { dggs: changed({ refinement_level: level, coordinate: undefined, indexing_scheme: "ring" }) }), ...array("t", { shape: [12 * 4 ** level] })]);
    const grid = await open(files);
    assert.equal((await failed(() => grid.within(3, 0))).name, "RangeError");
    assert.equal((await failed(() => grid.children(3, 0))).name, "RangeError");
    assert.equal((await failed(() => grid.cells())).name, "RangeError");
    assert.equal((await failed(() => grid.box([0, 0, 200, 60]))).name, "RangeError");
    const deep = new Map([...group("", { dggs: changed({ refinement_level: 24, coordinate: undefined }) }), ...array("t", { shape: [12 * 4 ** 24] })]);
    const whole = await open(deep);
    assert.match((await failed(() => whole.box([0, 0, 100, 50]))).message, /more than 131072 ranges/);
    assert.deepEqual(await whole.within(3, 0), { cells: { start: 3 * 4 ** 24, stop: 4 ** 25, step: null } });
  });
});
