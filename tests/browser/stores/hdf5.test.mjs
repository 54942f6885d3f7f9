/** HDF5 and netCDF-4 files over HTTP and from a picker: values as h5py reads them, in few requests. */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";

const SET = join(NEIGHBOURS, "hdf5");
const FILTERS = join(NEIGHBOURS, "hdf5filters");

const written = async (name, set = SET) => {
  const bytes = await readFile(join(set, name));
  return name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
};

/** Values that a page read of a file's arrays, and the requests that opening and reading took. */
async function read({ Group }, { document, paths, local = false, workers = 0 }) {
  const requests = [];
  const onRequest = ({ range }) => requests.push(range);
  try {
    const source = local ? new File([await (await fetch(document)).blob()], document.split("/").pop()) : new URL(document, location.href);
    const group = await Group.open(source, { workers, onRequest });
    const opened = requests.splice(0).length;
    const found = [];
    for (const path of paths) {
      const array = await group.array(path);
      const { data } = await array.get(null);
      const isText = Array.isArray(data);
      found.push({ path, shape: array.shape, names: array.dimensionNames, data: isText ? data : [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)] });
    }
    return { found, opened, read: requests.length };
  } catch ({ name, message }) {
    return { error: { name, message } };
  }
}

async function assertEqual(entry, { error, found }, set = SET) {
  assert.equal(error, undefined, `${entry.path}: ${error?.message}`);
  const values = await written(entry.expected, set);
  for (const { path, shape, names, data } of found) {
    const wanted = entry.arrays.find((array) => array.path === path);
    const label = `${entry.path}: ${path}`;
    assert.deepEqual(shape, wanted.shape, label);
    if (wanted.dimensions) assert.deepEqual(names, wanted.dimensions, label);
    const bytes = values.subarray(wanted.at, wanted.at + wanted.length);
    assert.deepEqual(data, wanted.form === "texts" ? JSON.parse(bytes) : [...bytes], label);
  }
}

/** Paths of arrays whose items are numbers or text: of structs, lists and half floats the page has other values. */
const simple = ({ arrays }) => arrays.filter(({ form, path }) => ["items", "texts"].includes(form) && !/compound|gaps|opaque|fixed|utf8|bool|wind|letters|^c8|^c16|d\d|deep/.test(path)).map(({ path }) => path);

describe("HDF5 and netCDF-4 files", () => {
  let page;
  let entries;
  before(async () => {
    page = await openPage({ "/hdf5": SET });
    entries = JSON.parse(await readFile(join(SET, "index.json"), "utf8"));
  });
  after(() => page?.close());

  test("values, over HTTP", async () => {
    const some = entries.filter(({ path }, nth) => /^(types-latest|masks-|groups-latest)/.test(path) && !path.endsWith(".gz") || (path.endsWith(".nc") && nth % 6 === 0));
    assert.ok(some.length > 8, `${some.length} files`);
    for (const entry of some) {
      const paths = simple(entry).slice(0, 12);
      await assertEqual(entry, await page.run(read, { document: `/hdf5/${entry.path}`, paths }));
    }
  });

  test("a File of a picker", async () => {
    const entry = entries.find(({ path }) => path === "netcdf-00.nc");
    await assertEqual(entry, await page.run(read, { document: `/hdf5/${entry.path}`, paths: simple(entry).slice(0, 5), local: true }));
  });

  test("a netCDF-4 file opens in few requests, and a value takes few more", async () => {
    const entry = entries.find(({ path }) => path === "netcdf-00.nc");
    const { opened, read: more, error } = await page.run(read, { document: `/hdf5/${entry.path}`, paths: ["lat"] });
    assert.equal(error, undefined);
    assert.ok(opened <= 5 && more <= 4, `${opened} and ${more} requests`);
  });

  test("filters of a module of their own, also in workers", async () => {
    const directory = await mkdtemp(join(tmpdir(), "rectilinear-hdf5-"));
    const filters = await openPage({ "/filters": directory });
    try {
      const list = JSON.parse(await readFile(join(FILTERS, "index.json"), "utf8"));
      for (const [nth, entry] of list.entries()) {
        await writeFile(join(directory, `${nth}.h5`), await written(entry.path, FILTERS));
        // Structs and booleans have other values in a page.
        const paths = entry.arrays.filter(({ shape, length }) => [1, 2, 4, 8].includes(length / shape.reduce((all, edge) => all * edge, 1))).map(({ path }) => path);
        assert.ok(paths.length > 25, `${entry.path}: ${paths.length} arrays`);
        await assertEqual(entry, await filters.run(read, { document: `/filters/${nth}.h5`, paths, workers: nth % 2 ? 2 : 0 }), FILTERS);
      }
    } finally {
      await filters.close();
      await rm(directory, { recursive: true });
    }
  });

  test("texts behind filters, whose references modules of the package decode first", async () => {
    const directory = await mkdtemp(join(tmpdir(), "rectilinear-hdf5-"));
    await writeFile(join(directory, "behind.h5"), await written("behind.h5.gz", join(ROOT, "tests/neighbours/fixtures")));
    const behind = await openPage({ "/behind": directory });
    try {
      const names = ["plain", "deflate", "zstd", "blosc", "blosclz", "bzip2", "lzf", "lz4", "bitshuffle"];
      const paths = names.map((name) => `texts/${name}`);
      const { error, found } = await behind.run(read, { document: "/behind/behind.h5", paths });
      assert.equal(error, undefined, error?.message);
      assert.equal(found[0].data[2], "word 2word 2");
      for (const { path, data } of found) assert.deepEqual(data, found[0].data, path);
      const refused = await behind.run(read, { document: "/behind/behind.h5", paths: ["texts/blosc2"] });
      assert.equal(refused.error?.name, "UnsupportedError");
      assert.match(refused.error.message, /hdf5\.blosc2/);
      const references = await behind.run(async ({ Group }) => {
        const group = await Group.open(new URL("/behind/behind.h5", location.href));
        const refused = ["texts/blosc2", "lists/blosc2"];
        return (await group.toReferences({ skip: [...refused, "texts/lzf", "texts/lz4", "lists/lzf", "lists/lz4"] })).refs;
      });
      const plain = references["texts/plain/c/2"];
      assert.match(plain, /^base64:/);
      assert.equal(references["texts/zstd/c/2"], plain);
    } finally {
      await behind.close();
      await rm(directory, { recursive: true });
    }
  });

  test("compounds with texts are objects, and no references are made to them", async () => {
    const directory = await mkdtemp(join(tmpdir(), "rectilinear-hdf5-"));
    await writeFile(join(directory, "compounds.h5"), await written("compounds.h5.gz", join(ROOT, "tests/neighbours/fixtures")));
    const compounds = await openPage({ "/compounds": directory });
    try {
      const found = await compounds.run(async ({ Group }) => {
        const group = await Group.open(new URL("/compounds/compounds.h5", location.href));
        const table = await (await group.array("table")).get([1]);
        const ports = await (await group.array("ports")).get([3]);
        const arrays = await group.array("arrays");
        const matrix = await arrays.get([2], { fields: ["matrix"] });
        const refused = await group.toReferences({ skip: ["references"] }).catch((error) => `${error.name}: ${error.message}`);
        return {
          table: table.data.map(({ name, n }) => [name, String(n)]),
          port: ports.data.map(({ name, lat, tags, sizes }) => ({ name, isNaN: Number.isNaN(lat), tags, sizes })),
          matrix: [...matrix.data.matrix],
          shape: arrays.fields.find(({ name }) => name === "matrix").shape,
          refused,
        };
      });
      assert.deepEqual(found.table, [0, 1, 2].map((column) => [`1${column}`, String(2n ** 60n + BigInt(column))]));
      assert.deepEqual(found.port, [{ name: "port 3", isNaN: true, tags: ["a", "bc"], sizes: [0, 1, 2] }]);
      assert.deepEqual([found.matrix, found.shape], [[2, 1, 2, 3], [2, 2]]);
      assert.match(String(found.refused), /UnsupportedError.*which are objects/);
    } finally {
      await compounds.close();
      await rm(directory, { recursive: true });
    }
  });

  test("what is not read is refused by its name, and its siblings open", async () => {
    const { error } = await page.run(read, { document: "/hdf5/links-latest.h5", paths: ["virtual"] });
    assert.equal(error?.name, "UnsupportedError");
    assert.match(error.message, /HDF5 virtual datasets/);
    const { found } = await page.run(read, { document: "/hdf5/links-latest.h5", paths: ["a/values"] });
    assert.deepEqual(found[0].data, [0, 0, 1, 0, 2, 0, 3, 0, 4, 0]);
  });
});
