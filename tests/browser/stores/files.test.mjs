/** Original files over HTTP and from a picker: values as netCDF4, tifffile and GDAL read them, in as few requests as they take. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";

import { openPage } from "../support/chromium.mjs";
import { NGINX, hasNginx, startNginx } from "../support/nginx.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = { netcdf: join(NEIGHBOURS, "netcdf"), tiff: join(NEIGHBOURS, "tiff") };
const listed = async (set) => JSON.parse(await readFile(join(SETS[set], "index.json"), "utf8"));
const written = (set, name) => readFile(join(SETS[set], name));

/** Values that a page read of a file's arrays, and the requests that they took. */
async function read({ Group, support: _ }, { document, paths, options = {}, local = false }) {
  const requests = [];
  const onRequest = ({ key, range, status, bytes }) => requests.push({ key, range, status, bytes });
  try {
    const name = document.split("/").pop();
    const source = local ? new File([await (await fetch(document)).blob()], name) : new URL(document, location.href);
    const group = await Group.open(source, { workers: 0, onRequest, ...options });
    const opened = requests.splice(0);
    const found = [];
    for (const path of paths) {
      const array = await group.array(path);
      const { data } = await array.get(null);
      const isText = Array.isArray(data);
      const { shape, dtype, dimensionNames: names, attrs } = array;
      found.push({ path, shape, dtype, names, attrs, data: isText ? data : [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)] });
    }
    return { found, opened, requests, attrs: group.attrs };
  } catch ({ name, message }) {
    return { error: { name, message }, requests };
  }
}

/** What the oracle has of an array. */
async function expected(set, entry, { values: [start, length], dtype }) {
  const bytes = (await written(set, entry.values)).subarray(start, start + length);
  return dtype === "string" ? JSON.parse(bytes) : [...bytes];
}

async function assertEqual(set, entry, { error, found }) {
  assert.equal(error, undefined, `${entry.document}: ${error?.message}`);
  for (const { path, shape, dtype, names, data } of found) {
    const wanted = (entry.variables ?? entry.arrays)[path];
    const name = `${entry.document}: ${path}`;
    assert.deepEqual([shape, dtype, names], [wanted.shape, wanted.dtype, wanted.dimensions], name);
    assert.deepEqual(data, await expected(set, entry, wanted), name);
  }
}

describe("original files", () => {
  let page;
  before(async () => {
    page = await openPage({ "/netcdf": SETS.netcdf, "/tiff": SETS.tiff });
  });
  after(() => page?.close());

  for (const set of ["netcdf", "tiff"]) {
    test(`files of ${set}, over HTTP`, async () => {
      // All of them are read natively.
      const entries = (await listed(set)).filter((_, nth) => nth % 6 === 0);
      for (const entry of entries) {
        const paths = Object.keys(entry.variables ?? entry.arrays);
        await assertEqual(set, entry, await page.run(read, { document: `/${set}/${entry.document}`, paths }));
      }
    });
  }

  test("a File of a picker", async () => {
    for (const [set, name] of [["netcdf", "by-hand.nc"], ["netcdf", "streamed-2.nc"], ["tiff", "pyramid-0.tif"]]) {
      const entry = (await listed(set)).find(({ document }) => document === name);
      const paths = Object.keys(entry.variables ?? entry.arrays);
      await assertEqual(set, entry, await page.run(read, { document: `/${set}/${name}`, paths, local: true }));
    }
  });

  test("attributes, and the place of a GeoTIFF's levels", async () => {
    const entry = (await listed("tiff")).find(({ attributes, arrays }) => attributes["proj:code"] && Object.keys(arrays).length > 2);
    const found = await page.run(
      async (_, source) => {
        const { Levels } = await import("rectilinear-zarr/levels");
        const levels = await Levels.open(source);
        return { kind: levels.kind, code: levels.crs.code, levels: levels.map(({ shape, transform, path }) => ({ shape, transform, path })) };
      },
      `/tiff/${entry.document}`,
    );
    assert.equal(found.kind, "multiscales");
    assert.equal(found.code, entry.attributes["proj:code"]);
    assert.deepEqual(found.levels.map(({ path }) => path), Object.keys(entry.arrays));
    assert.deepEqual(found.levels[0].transform, entry.attributes.transform);
  });

  test("an image of OME-TIFF has its axes", async () => {
    const found = await page.run(async () => {
      const { Levels } = await import("rectilinear-zarr/levels");
      const { kind, axes, channels, length } = await Levels.open("/tiff/ome-levels.ome.tif");
      return { kind, axes: axes.map(({ name }) => name), channels: channels.length, length };
    });
    assert.deepEqual(found, { kind: "ome", axes: ["t", "c", "z", "y", "x"], channels: 2, length: 2 });
  });

  test("a member in one address", async () => {
    const entry = (await listed("netcdf")).find(({ document }) => document === "by-hand.nc");
    const [path] = Object.keys(entry.variables);
    const found = await page.run(async ({ RectilinearArray, Group }, path) => {
      const [array, named, whole] = await Promise.all([
        RectilinearArray.open(`/netcdf/by-hand.nc/${path}`),
        RectilinearArray.open(`/netcdf/by-hand.nc/${path}`, { format: "netcdf" }),
        Group.open("/netcdf/by-hand.nc"),
      ]);
      const missing = await RectilinearArray.open("/netcdf/by-hand.nc/none").then(() => undefined, ({ name, message }) => `${name}: ${message}`);
      const { data } = await array.get(null);
      return { shape: array.shape, same: JSON.stringify(named.shape) === JSON.stringify(array.shape), data: [...new Uint8Array(data.buffer)], members: whole.tree().length, missing };
    }, path);
    assert.deepEqual(found.shape, entry.variables[path].shape);
    assert.deepEqual(found.data, await expected("netcdf", entry, entry.variables[path]));
    assert.ok(found.same && found.members > 0);
    assert.match(found.missing, /^NotFoundError.*none/);
  });

  test("a file whose name says nothing, and one that is nothing", async () => {
    const found = await page.run(async ({ Group }) => {
      const bytes = await (await fetch("/netcdf/by-hand.nc")).arrayBuffer();
      const said = (source, options) => Group.open(source, options).then((group) => Object.keys(group.tree()).length, ({ name, message }) => `${name}: ${message}`);
      return {
        unnamed: await said(new Blob([bytes])),
        other: await said(new File([bytes], "download (1)")),
        nothing: await said(new File(["hello"], "hello.bin")),
        zip: await said(new File(["PK\x03\x04 and more"], "a.dat")),
        format: await said(new File([bytes], "a.nc"), { format: "icechunk" }),
        empty: await said(new File([], "a.nc")),
      };
    });
    assert.ok(found.unnamed > 0 && found.other > 0, JSON.stringify(found));
    assert.match(found.nothing, /^TypeError.*"hello.bin".*"netcdf", "hdf5", "tiff"/);
    assert.match(found.zip, /^TypeError.*format: "zip"/);
    assert.match(found.format, /^TypeError.*"icechunk"/);
    assert.match(found.empty, /^InvalidMetadataError.*a\.nc.*empty/);
  });

  test("what is not such a file", async () => {
    const missing = await page.run(read, { document: "/netcdf/none.nc", paths: [] });
    assert.equal(missing.error.name, "NotFoundError");
    const other = await page.run(read, { document: "/netcdf/index.json", paths: [], options: { format: "netcdf" } });
    assert.equal(other.error.name, "InvalidMetadataError");
    assert.match(other.error.message, /check the address/);
  });
});

/** A TIFF of 400 by 400 bytes in one strip, whose directory lies after its pixels. */
function longTiff() {
  const tags = [[256, 400], [257, 400], [258, 8], [259, 1], [262, 1], [273, 8], [277, 1], [278, 400], [279, 160_000]];
  const directory = Buffer.alloc(2 + 12 * tags.length + 4);
  directory.writeUInt16LE(tags.length);
  tags.forEach(([tag, value], nth) => {
    const at = 2 + 12 * nth;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(4, at + 2);
    directory.writeUInt32LE(1, at + 4);
    directory.writeUInt32LE(value, at + 8);
  });
  return Buffer.concat([Buffer.from([0x49, 0x49, 42, 0, ...new Uint8Array(new Uint32Array([160_008]).buffer)]), Buffer.alloc(160_000, 7), directory]);
}

const skip = (await hasNginx()) ? false : `${NGINX} cannot be run: install nginx, or set NGINX_PROGRAM to its path`;

describe("original files on nginx", { skip }, () => {
  let nginx;
  let page;
  before(async () => {
    nginx = await startNginx(
      new Map([
        ["/data/plain", await written("netcdf", "by-hand.nc")],
        ["/data/empty.nc", Buffer.alloc(0)],
        ["/data/page.tif", Buffer.from("<!DOCTYPE html><title>Sign in</title>")],
        ["/data/page.h5", Buffer.from("\n <html><body>Not here</body></html>")],
        ["/data/cut.nc", (await written("netcdf", "by-hand.nc")).subarray(0, 40)],
        ["/data/by-hand.nc", await written("netcdf", "by-hand.nc")],
        ["/data/long.tif", longTiff()],
        ["/data/index.h5", gunzipSync(await readFile(join(NEIGHBOURS, "hdf5/index-earliest.h5.gz")))],
        ["/data/long-header.nc", await written("netcdf", "long-header.nc")],
        ["/data/scene.tif", await written("tiff", "pyramid-0.tif")],
        ["/data/new.nc", Buffer.concat([Buffer.from("\x89HDF\r\n\x1a\n", "latin1"), Buffer.alloc(2000)])],
      ]),
    );
    page = await openPage({}, { start: () => nginx });
  });
  after(() => page?.close());

  test("a file whose name says nothing is known by its first bytes", async () => {
    const entry = (await listed("netcdf")).find(({ document }) => document === "by-hand.nc");
    await assertEqual("netcdf", entry, await page.run(read, { document: "/data/plain", paths: ["a", "b", "c"] }));
  });

  test("opening takes one request, and a level one more for each stretch of tiles", async () => {
    const { error, opened, requests } = await page.run(read, { document: "/data/scene.tif", paths: ["2"] });
    assert.equal(error, undefined);
    assert.deepEqual(opened.map(({ range, status }) => [range, status]), [[[0, 65_536], 206]]);
    assert.ok(requests.length <= 2, JSON.stringify(requests));
  });

  test("a page, an empty file and nothing are named by the file's address", async () => {
    for (const [document, kind, words] of [
      ["/data/none.nc", "NotFoundError", /none\.nc/],
      ["/data/none.h5", "NotFoundError", /none\.h5/],
      ["/data/empty.nc", "InvalidMetadataError", /empty\.nc.*the file is empty/],
      ["/data/page.tif", "InvalidMetadataError", /page\.tif.*a page in place of the file/],
      ["/data/page.h5", "InvalidMetadataError", /page\.h5.*a page in place of the file/],
      ["/data/cut.nc", "InvalidMetadataError", /cut\.nc.*ends after/],
    ]) {
      for (const options of [{}, { format: "netcdf" }]) {
        const { error } = await page.run(read, { document, paths: [], options });
        assert.equal(error?.name, kind, `${document}: ${error?.message}`);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /zarr\.json|\.zgroup/);
      }
    }
  });

  test("a file of NetCDF-3 loads one module, and its first bytes come once", async () => {
    await page.renew();
    const found = await page.run(async ({ Group }) => {
      const url = new URL("/data/by-hand.nc", location.href).href;
      const group = await Group.open(url);
      const entries = performance.getEntriesByType("resource");
      const modules = entries.map(({ name }) => /zarr_?(\w*)_bg\.wasm$/.exec(name)?.[1]).filter(Boolean);
      return { members: group.tree().length, modules, requests: entries.filter(({ name }) => name === url).length };
    });
    assert.ok(found.members > 0);
    assert.ok(found.modules.includes("files") && !found.modules.includes("hdf5"), `${found.modules}`);
    assert.equal(found.requests, 1);
  });

  test("the structure of a file is kept with `persist`", async () => {
    const open = async ({ Group }, document) => {
      const requests = [];
      const group = await Group.open(document, { persist: "files-test", onRequest: ({ range }) => requests.push(range) });
      const values = [];
      for (const { path, shape } of group.tree().filter(({ kind, shape }) => kind === "array" && shape.every(Boolean)).slice(0, 4)) {
        const array = await group.array(path);
        for (const indices of [shape.map(() => 0), shape.map((length) => length - 1)]) values.push(String((await array.get(indices)).data));
      }
      // What is kept is written in nobody's way: wait until nothing more is.
      const cache = await caches.open("files-test");
      for (let [count, before] = [0, -1]; count > before || count === 0; [count, before] = [(await cache.keys()).length, count]) await new Promise((done) => setTimeout(done, 300));
      return { requests, values };
    };
    for (const document of ["/data/long.tif", "/data/index.h5", "/data/long-header.nc"]) {
      const first = await page.run(open, document);
      await page.renew();
      const again = await page.run(open, document);
      assert.ok(first.requests.length > 2, `${document}: ${JSON.stringify(first.requests)}`);
      assert.deepEqual(again.requests, [[0, 65_536]], document);
      assert.deepEqual(again.values, first.values, document);
    }
    await page.run(() => caches.delete("files-test"));
  });

  test("what `persist` keeps of a file is for its version alone", async () => {
    const found = await page.run(async ({ Group }, source) => {
      const url = "https://data.example/versions.tif";
      const first = new Uint8Array(await (await fetch(source)).arrayBuffer());
      const changed = (change) => {
        const bytes = first.slice();
        change(bytes);
        return bytes;
      };
      const pixels = changed((bytes) => bytes.fill(9, 8, 160_008));
      const versions = {
        first: [first, { ETag: '"1"' }],
        // The first 64 KiB are those of the first version.
        "another ETag": [changed((bytes) => bytes.fill(9, 100_000, 160_008)), { ETag: '"2"' }],
        "another date": [changed((bytes) => bytes.fill(8, 100_000, 160_008)), { "Last-Modified": "Sun, 29 Nov 2026 10:00:00 GMT" }],
        "other first bytes": [pixels, {}],
        // The structure lies where that of the first version does, and says that rows begin later.
        "another structure": [changed((bytes) => bytes.set([108], bytes.length - 4 - 12 * 4 + 8)).fill(3, 8, 108), { ETag: '"3"' }],
      };
      const read = async ([bytes, headers]) => {
        const ranges = [];
        const answer = async (request) => {
          const [, start, last] = /(\d+)-(\d+)/.exec(request.headers.get("Range")).map(Number);
          const body = bytes.slice(start, last + 1);
          ranges.push([start, start + body.length]);
          return new Response(body, { status: 206, headers: { ...headers, "Content-Range": `bytes ${start}-${start + body.length - 1}/${bytes.length}` } });
        };
        const group = await Group.open(url, { persist: "versions", fetch: answer });
        const { data } = await (await group.array("0")).get();
        await new Promise((done) => setTimeout(done, 200));
        return { head: data[0], tail: data[159_999 - 100], count: ranges.length };
      };
      await caches.delete("versions");
      const said = {};
      for (const [name, version] of [...Object.entries(versions), ...Object.entries(versions)]) (said[name] ??= []).push(await read(version));
      await caches.delete("versions");
      return said;
    }, "/data/long.tif");
    for (const [name, head, tail] of [["first", 7, 7], ["another ETag", 7, 9], ["another date", 7, 8], ["other first bytes", 9, 9], ["another structure", 7, 7]]) {
      const [cold, warm] = found[name];
      assert.deepEqual([cold.head, cold.tail, warm.head, warm.tail], [head, tail, head, tail], name);
      assert.ok(cold.count > 1, `${name}: ${JSON.stringify(cold)}`);
      assert.equal(warm.count, 1, `${name}: ${JSON.stringify(warm)}`);
    }
  });

  test("what `persist` keeps of a file is not mixed with that of another version where refresh() reads it anew", async () => {
    const found = await page.run(async ({ Group }, source) => {
      const first = new Uint8Array(await (await fetch(source)).arrayBuffer());
      let [bytes, tag] = [first, '"1"'];
      const answer = async (request) => {
        const [, start, last] = /(\d+)-(\d+)/.exec(request.headers.get("Range")).map(Number);
        const body = bytes.slice(start, last + 1);
        return new Response(body, { status: 206, headers: { ETag: tag, "Content-Range": `bytes ${start}-${start + body.length - 1}/${bytes.length}` } });
      };
      await caches.delete("anew");
      const group = await Group.open("https://data.example/anew.tif", { persist: "anew", fetch: answer });
      const array = await group.array("0");
      const before = (await array.get([399])).data[0];
      [bytes, tag] = [first.slice().fill(9, 100_000, 160_008), '"2"'];
      await array.refresh();
      const after = (await array.get([399])).data[0];
      await new Promise((done) => setTimeout(done, 200));
      const kept = (await (await caches.open("anew")).keys()).length;
      await caches.delete("anew");
      return { before, after, kept };
    }, "/data/long.tif");
    assert.deepEqual({ before: found.before, after: found.after }, { before: 7, after: 9 });
    assert.ok(found.kept > 0);
  });

  test("a file of HDF5 is refused by name, whatever its name says", async () => {
    const { error } = await page.run(read, { document: "/data/new.nc", paths: [] });
    assert.equal(error.name, "UnsupportedError");
    assert.match(error.message, /HDF5/);
  });
});
