/** Views of adapters in xarray: it reads the same from the store of a view as from the store that is shown. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { diskStore } from "../support/disk.mjs";
import { NEIGHBOURS, PACKAGE, ROOT } from "../support/paths.mjs";

const run = promisify(execFile);
const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const SETS = join(NEIGHBOURS, "cf");

const load = (file) => import(pathToFileURL(join(PACKAGE, file)).href);
const { Group, RectilinearArray } = await load("node.js");
const { asRegularStore } = await load("adapters.js");

/** Prints, for each folder, each variable with its dimensions, its values as text, and the attributes that are left. */
const READ = `
import json, sys, warnings, xarray as xr
warnings.simplefilter("ignore")
found = []
for folder in sys.argv[1:]:
    with xr.open_zarr(folder, consolidated=False, chunks=None) as whole:
        names = sorted(map(str, whole.variables))
        found.append({n: [list(whole[n].dims), [str(v) for v in whole[n].transpose(*sorted(whole[n].dims)).values.ravel()]] for n in names})
print(json.dumps(found))
`;

/** A store in memory of documents and chunks by key. */
const put = (documents) => new Map(Object.entries(documents).map(([key, value]) => [key, value instanceof Uint8Array ? value : new TextEncoder().encode(JSON.stringify(value))]));

/** Keys of the chunks of an array of the view. */
function* chunkKeys(shape, chunks, format) {
  const counts = shape.map((extent, axis) => Math.ceil(extent / chunks[axis]));
  const total = counts.reduce((a, b) => a * b, 1);
  for (let nth = 0; nth < total; nth++) {
    let rest = nth;
    const coords = counts.map((_, axis) => counts.slice(axis + 1).reduce((a, b) => a * b, 1)).map((step) => [Math.floor(rest / step), (rest %= step)][0]);
    yield format === 2 ? coords.join(".") || "0" : ["c", ...coords].join("/");
  }
}

describe("xarray through a view", () => {
  let directory;
  before(async () => (directory = await mkdtemp(join(tmpdir(), "rectilinear-views-"))));
  after(() => rm(directory, { recursive: true, force: true }));

  /** Writes what a store shows of arrays into a folder. */
  async function copied(store, names, format, folder) {
    const documents = format === 2 ? [".zgroup", ".zattrs", ...names.flatMap((name) => [`${name}/.zarray`, `${name}/.zattrs`])] : ["zarr.json", ...names.map((name) => `${name}/zarr.json`)];
    const keys = [...documents];
    for (const name of names) {
      const text = new TextDecoder().decode(await store.get(`/${name}/${format === 2 ? ".zarray" : "zarr.json"}`));
      const { shape, chunks, chunk_grid } = JSON.parse(text);
      for (const key of chunkKeys(shape, chunks ?? chunk_grid.configuration.chunk_shape, format)) keys.push(`${name}/${key}`);
    }
    for (const key of keys) {
      const bytes = await store.get(`/${key}`);
      assert.ok(bytes, `the view has the key ${key}`);
      await mkdir(dirname(join(folder, key)), { recursive: true });
      await writeFile(join(folder, key), bytes);
    }
  }

  const OPTIONS = {
    "Zarr v2": { zarrFormat: 2, chunkShape: ({ shape }) => shape.map((edge) => Math.max(1, Math.ceil(edge / 2))) },
    "decoded values": { decode: "cf" },
    "decoded values as Zarr v2": { decode: "cf", zarrFormat: 2 },
    "another order of the axes": { dimensions: ["lon", "…", "time"], chunkShape: ({ shape }) => shape.map((edge) => Math.max(1, Math.ceil(edge / 3))) },
    "another order of the axes as Zarr v2": { dimensions: ["lon", "…"], zarrFormat: 2 },
  };

  for (const [nth, [about, options]] of Object.entries(OPTIONS).entries()) {
    test(`${about}`, async () => {
      const set = join(SETS, "daily.zarr");
      const group = await Group.open(diskStore(set));
      const names = ["t2m", "time", "lat", "lon"];
      const folder = join(directory, String(nth));
      await copied(asRegularStore(group, options), names, options.zarrFormat ?? 3, folder);
      const { stdout } = await run(python, ["-c", READ, set, folder], { maxBuffer: 1 << 26 });
      const [expected, found] = JSON.parse(stdout);
      for (const name of names) {
        assert.deepEqual(found[name][1], expected[name][1], name);
        assert.ok(expected[name][1].length > 0);
      }
      if (options.dimensions) assert.deepEqual(found.t2m[0], ["lon", ...(options.dimensions.includes("time") ? ["lat", "time"] : ["time", "lat"])]);
      else assert.deepEqual(found.t2m[0], ["time", "lat", "lon"]);
    });
  }

  test("Zarr v2 is shown as v2, with the missing values of v2", async () => {
    const shared = { zarr_format: 2, shape: [4], chunks: [3], order: "C", filters: null, compressor: null };
    const source = put({
      "/.zgroup": { zarr_format: 2 },
      "/a/.zarray": { ...shared, dtype: "<i2", fill_value: 7 },
      "/a/.zattrs": { _ARRAY_DIMENSIONS: ["x"], scale_factor: 0.5 },
      "/a/0": new Uint8Array(Int16Array.of(7, 0, 3).buffer),
      "/b/.zarray": { ...shared, dtype: "<i4", fill_value: null },
      "/b/.zattrs": { _ARRAY_DIMENSIONS: ["x"] },
      "/b/0": new Uint8Array(Int32Array.of(7, 0, 3).buffer),
      "/b/1": new Uint8Array(Int32Array.of(1, 0, 0).buffer),
    });
    // Text, as xarray writes it: without a fill value.
    const text = { ...shared, dtype: "|O", fill_value: null, filters: [{ id: "vlen-utf8" }] };
    source.set("/s/.zarray", new TextEncoder().encode(JSON.stringify({ ...text, chunks: [4] })));
    source.set("/s/.zattrs", source.get("/b/.zattrs")).set("/s/0", Uint8Array.of(4, ...new Array(15).fill(0), 1, 0, 0, 0, 65));
    const folders = [];
    for (const [nth, options] of [{}, { decode: "cf" }].entries()) {
      const store = asRegularStore(await Group.open(source), options);
      assert.equal(await store.get("/zarr.json"), undefined);
      folders.push(join(directory, `v2-${nth}`));
      await copied(store, ["a", "b", "s"], 2, folders[nth]);
    }
    const { stdout } = await run(python, ["-c", READ, ...folders]);
    const expected = { a: [["x"], ["nan", "0.0", "1.5", "nan"]], b: [["x"], ["7", "0", "3", "1"]], s: [["x"], ["", "", "", "A"]] };
    assert.deepEqual(JSON.parse(stdout), [expected, expected]);
  });

  test("Zarr v2 shown as v3 keeps the missing values of v2", async () => {
    const files = { "/.zgroup": { zarr_format: 2 } };
    const add = (name, dtype, items, fill_value, attrs) => {
      files[`/${name}/.zarray`] = { zarr_format: 2, shape: [3], chunks: [3], order: "C", filters: null, compressor: null, dtype, fill_value };
      files[`/${name}/.zattrs`] = { _ARRAY_DIMENSIONS: ["x"], ...attrs };
      files[`/${name}/0`] = new Uint8Array(items.buffer);
    };
    add("short", "<i2", Int16Array.of(7, 0, -9), -9);
    add("packed", "<i2", Int16Array.of(7, 0, -9), -9, { scale_factor: 0.5 });
    add("float", "<f4", Float32Array.of(1.5, 0, 2), 0);
    add("open", "<f4", Float32Array.of(1.5, 0, 2), null, { _FillValue: 2 });
    add("none", "<i4", Int32Array.of(1, 0, 2), null);
    add("nan", "<f8", Float64Array.of(1, NaN, 2), "NaN");
    add("truth", "|b1", Uint8Array.of(1, 0, 1), false);
    const names = Object.keys(files).filter((key) => key.endsWith(".zarray")).map((key) => key.split("/")[1]);
    const folders = [];
    for (const [nth, options] of [{}, { dimensions: ["x"] }, { geozarr: true }, { as: ({ dtype }) => (dtype === "int16" ? "float64" : undefined) }].entries()) {
      folders.push(join(directory, `v2-as-v3-${nth}`));
      await copied(asRegularStore(await Group.open(put(files)), { ...options, zarrFormat: 3 }), names, 3, folders[nth]);
    }
    const { stdout } = await run(python, ["-c", READ, ...folders]);
    const values = { short: "7.0 0.0 nan", packed: "3.5 0.0 nan", float: "1.5 nan 2.0", open: "1.5 0.0 nan", none: "1 0 2", nan: "1.0 nan 2.0", truth: "True nan True" };
    const expected = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, [["x"], text.split(" ")]]));
    for (const found of JSON.parse(stdout)) assert.deepEqual(found, expected);
  });

  test("Zarr v2 shown as v3 keeps the missing values of complex numbers, and shows missing text as it is", async () => {
    const files = { "/.zgroup": { zarr_format: 2 } };
    const add = (name, dtype, bytes, fill_value, filters = null) => {
      files[`/${name}/.zarray`] = { zarr_format: 2, shape: [3], chunks: [3], order: "C", filters, compressor: null, dtype, fill_value };
      files[`/${name}/.zattrs`] = { _ARRAY_DIMENSIONS: ["x"] };
      files[`/${name}/0`] = new Uint8Array(bytes.buffer);
    };
    const complex = (Floats) => Floats.of(1.5, -2, 0, 0, 3, 4);
    add("complex", "<c8", complex(Float32Array), [1.5, -2]);
    add("wide", "<c16", complex(Float64Array), [3, 4]);
    add("zero", "<c8", complex(Float32Array), [0, 0]);
    add("open", "<c8", complex(Float32Array), null);
    add("parts", "<c8", complex(Float32Array), ["NaN", 0]);
    const letters = (Items) => Items.from(["A", "\0", "b"].join(""), (letter) => letter.charCodeAt(0));
    add("text", "<U1", letters(Uint32Array), "b");
    add("empty", "<U1", letters(Uint32Array), "");
    add("none", "<U1", letters(Uint32Array), null);
    const utf8 = [{ id: "vlen-utf8" }];
    const items = Uint8Array.of(3, 0, 0, 0, 1, 0, 0, 0, 65, 0, 0, 0, 0, 1, 0, 0, 0, 98);
    add("long", "|O", items, "A", utf8);
    add("blank", "|O", items, "", utf8);
    add("null", "|O", items, null, utf8);
    const names = Object.keys(files).filter((key) => key.endsWith(".zarray")).map((key) => key.split("/")[1]);
    const folder = join(directory, "complex-v2");
    const source = put(files);
    for (const [key, bytes] of source) {
      await mkdir(dirname(join(folder, key)), { recursive: true });
      await writeFile(join(folder, key), bytes);
    }
    for (const format of [2, 3]) await copied(asRegularStore(await Group.open(source), { zarrFormat: format }), names, format, join(directory, `complex-as-v${format}`));
    const { stdout } = await run(python, ["-c", READ, folder, ...[2, 3].map((format) => join(directory, `complex-as-v${format}`))]);
    const [expected, ...found] = JSON.parse(stdout);
    const isMissing = (name, at) => /nan/.test(expected[name][1][at]);
    assert.deepEqual([isMissing("complex", 0), isMissing("wide", 2), isMissing("zero", 1), isMissing("text", 2), isMissing("long", 0)], [true, true, true, true, true]);
    const [older, newer] = found;
    assert.deepEqual(older, expected);
    // xarray opens no text of v3 that has `_FillValue`.
    for (const name of ["text", "empty", "none", "long", "blank", "null"]) expected[name] = [["x"], ["A", "", "b"]];
    assert.deepEqual(newer, expected);
  });

  test("a fill value of v2 that the type cannot hold marks nothing as missing", async () => {
    const document = { zarr_format: 2, shape: [3], chunks: [3], order: "C", filters: null, compressor: null, dtype: "<i2", fill_value: -999 };
    const source = put({ "/.zgroup": { zarr_format: 2 }, "/a/.zarray": document, "/a/.zattrs": { _ARRAY_DIMENSIONS: ["x"] }, "/a/0": new Uint8Array(Int16Array.of(5, 0, 1).buffer) });
    const folders = [];
    for (const format of [2, 3]) {
      folders.push(join(directory, `narrow-v${format}`));
      await copied(asRegularStore(await Group.open(source), { as: { a: "uint8" }, zarrFormat: format }), ["a"], format, folders.at(-1));
    }
    const { stdout } = await run(python, ["-c", READ, ...folders]);
    for (const found of JSON.parse(stdout)) assert.deepEqual(found, { a: [["x"], ["5", "0", "1"]] });
  });

  /** Metadata of an array of v3 of one chunk. */
  const arrayV3 = (shape, data_type, attributes, more) => {
    const chunk_grid = { name: "regular", configuration: { chunk_shape: shape } };
    const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
    return { zarr_format: 3, node_type: "array", shape, data_type, chunk_grid, chunk_key_encoding: { name: "default" }, codecs, fill_value: 0, attributes, ...more };
  };
  const groupV3 = { "/zarr.json": { zarr_format: 3, node_type: "group", attributes: {} } };

  test("missing values of 64 bits keep their digits", async () => {
    const [least, most, both] = [-(2n ** 63n), 2n ** 64n - 1n, 2n ** 63n - 1n];
    const items = (Elements, missing) => new Uint8Array(Elements.of(1n, missing, 3n).buffer);
    const document = (type, missing) => {
      const text = JSON.stringify(arrayV3([3], type, { _FillValue: "#", missing_value: ["#"] }, { dimension_names: ["x"] }));
      return new TextEncoder().encode(text.replaceAll('"#"', String(missing)));
    };
    const cases = [["least", "int64", BigInt64Array, least], ["most", "uint64", BigUint64Array, most], ["signed", "int64", BigInt64Array, both], ["even", "int64", BigInt64Array, 2n ** 60n]];
    const files = cases.flatMap(([name, type, Elements, missing]) => [[`/${name}/zarr.json`, document(type, missing)], [`/${name}/c/0`, items(Elements, missing)]]);
    const group = await Group.open(put({ ...groupV3, ...Object.fromEntries(files) }));
    for (const format of [2, 3]) {
      const store = asRegularStore(group, { zarrFormat: format });
      for (const [name, , , missing] of cases) {
        const documents = await Promise.all((format === 2 ? [".zarray", ".zattrs"] : ["zarr.json"]).map((one) => store.get(`/${name}/${one}`)));
        const text = documents.map((bytes) => new TextDecoder().decode(bytes)).join("");
        assert.equal(/"(?:fill_value|_FillValue)":(-?\d{2,})[,}]/.exec(text)[1], String(missing), text);
        assert.equal(/"missing_value":\[(-?\d+)\]/.exec(text)[1], String(missing), text);
      }
      const folder = join(directory, `large-v${format}`);
      await copied(store, cases.map(([name]) => name), format, folder);
      const { stdout } = await run(python, ["-c", READ, folder]);
      for (const [name] of cases) assert.deepEqual(JSON.parse(stdout)[0][name], [["x"], ["1.0", "nan", "3.0"]]);
    }
  });

  test("booleans, text and complex numbers stay what they are, and false, empty and 0 are not missing", async () => {
    const named = { dimension_names: ["x"] };
    const text = { ...named, fill_value: "", codecs: [{ name: "vlen-utf8" }] };
    const source = put({
      ...{ ...groupV3, "/b/zarr.json": arrayV3([3], "bool", {}, { ...named, fill_value: false }), "/b/c/0": Uint8Array.of(1, 0, 1) },
      ...{ "/c/zarr.json": arrayV3([2], "complex64", {}, { ...named, fill_value: [0, 0] }), "/c/c/0": new Uint8Array(Float32Array.of(0, 0, 1, 2).buffer) },
      ...{ "/s/zarr.json": arrayV3([2], "string", {}, text), "/s/c/0": Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 65) },
    });
    const folders = [];
    for (const [nth, options] of [{}, { decode: "cf" }].entries()) {
      for (const format of [2, 3]) {
        for (const name of ["b", "c", "s"]) {
          folders.push(join(directory, `kinds-${name}${nth}-v${format}`));
          await copied(asRegularStore(await Group.open(source), { ...options, zarrFormat: format }), [name], format, folders.at(-1));
        }
      }
    }
    const { stdout } = await run(python, ["-c", READ, ...folders]);
    const expected = [{ b: [["x"], ["True", "False", "True"]] }, { c: [["x"], ["0j", "(1+2j)"]] }, { s: [["x"], ["", "A"]] }];
    assert.deepEqual(JSON.parse(stdout), [expected, expected, expected, expected].flat());
  });

  test("a single value of v3 shown as v2 has no dimensions", async () => {
    const source = put({ ...groupV3, "/crs/zarr.json": arrayV3([], "int32", { crs_wkt: "…" }), "/crs/c": Uint8Array.of(5, 0, 0, 0) });
    const folder = join(directory, "single-v2");
    await copied(asRegularStore(await Group.open(source), { zarrFormat: 2 }), ["crs"], 2, folder);
    const { stdout } = await run(python, ["-c", READ, folder]);
    assert.deepEqual(JSON.parse(stdout), [{ crs: [[], ["5"]] }]);
  });

  test("a lone array of v2 is shown as v2, and as v3 where that is asked for", async () => {
    const shared = { zarr_format: 2, shape: [], chunks: [], order: "C", filters: null, compressor: null, dtype: "<i2", fill_value: 7 };
    const array = await RectilinearArray.open(new Map([["/.zarray", new TextEncoder().encode(JSON.stringify(shared))], ["/0", Uint8Array.of(5, 0)]]));
    assert.deepEqual([...(await asRegularStore(array).get("/0"))], [5, 0]);
    assert.equal(await asRegularStore(array).get("/c"), undefined);
    assert.deepEqual([...(await asRegularStore(array, { zarrFormat: 3 }).get("/c"))], [5, 0]);
    assert.equal(await asRegularStore(array, { zarrFormat: 3 }).get("/.zarray"), undefined);
  });
});
