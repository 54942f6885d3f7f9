/** Original files over HTTP and from a picker: values as netCDF4, tifffile and GDAL read them, in as few requests as they take. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

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

  test("what is not such a file", async () => {
    const missing = await page.run(read, { document: "/netcdf/none.nc", paths: [] });
    assert.equal(missing.error.name, "NotFoundError");
    const other = await page.run(read, { document: "/netcdf/index.json", paths: [], options: { format: "netcdf" } });
    assert.equal(other.error.name, "InvalidMetadataError");
    assert.match(other.error.message, /check the address/);
  });
});

const skip = (await hasNginx()) ? false : `${NGINX} cannot be run: install nginx, or set NGINX_PROGRAM to its path`;

describe("original files on nginx", { skip }, () => {
  let nginx;
  let page;
  before(async () => {
    nginx = await startNginx(
      new Map([
        ["/data/plain", await written("netcdf", "by-hand.nc")],
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

  test("a file of HDF5 is refused by name, whatever its name says", async () => {
    const { error } = await page.run(read, { document: "/data/new.nc", paths: [] });
    assert.equal(error.name, "UnsupportedError");
    assert.match(error.message, /HDF5/);
  });
});
