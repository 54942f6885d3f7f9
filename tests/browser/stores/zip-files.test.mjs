/** Original files in zips that store them: by addresses that lead into the zip, and by a path; read in parts, without extraction. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS, PACKAGE, ROOT } from "../support/paths.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");

/** Files of the fixtures, one of each kind. */
const FILES = { netcdf: "netcdf/by-hand.nc", hdf5: "hdf5/netcdf-00.nc", tiff: "tiff/pyramid-0.tif" };

/** Zips of files of the fixtures, and a folder that is called as one. */
const WRITE = `
import pathlib, shutil, sys, zipfile
directory, *files = map(pathlib.Path, sys.argv[1:])
files = dict(zip(["era/first file.nc", "second.nc", "scene.tif"], files))
with zipfile.ZipFile(directory / "months.zip", "w", zipfile.ZIP_STORED) as out:
    for name, file in files.items():
        # More than a file's own first bytes lie before the next one.
        out.writestr("padding-" + name.replace("/", "-") + ".bin", bytes(100_000))
        out.write(file, name)
    out.write(files["second.nc"], "packed.nc", zipfile.ZIP_DEFLATED)
(directory / "folder.zip").mkdir()
shutil.copy(files["second.nc"], directory / "folder.zip/second.nc")
`;

describe("original files in zips", () => {
  let directory;
  let page;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-zip-files-"));
    const files = Object.values(FILES).map((file) => join(NEIGHBOURS, file));
    await promisify(execFile)(python, ["-c", WRITE, directory, ...files]);
    page = await openPage({ "/zips": directory, ...Object.fromEntries(Object.keys(FILES).map((set) => [`/${set}`, join(NEIGHBOURS, set)])) });
  });
  after(async () => {
    await page?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  /** All arrays of a group as text, and what was asked for. */
  const read = (address, options = {}, blob = false) =>
    page.run(
      async ({ Group }, { address, options, blob }) => {
        const requests = [];
        const { fetch: plain } = globalThis;
        const fetch = async (request) => {
          const response = await plain(request);
          requests.push([request.method, new URL(request.url).pathname, request.headers.get("range"), (await response.clone().arrayBuffer()).byteLength]);
          return response;
        };
        try {
          const source = blob ? await (await plain(address)).blob() : address;
          const group = await Group.open(source, blob ? options : { ...options, fetch });
          const found = {};
          for (const { path, kind } of group.tree()) {
            if (kind === "array") {
              const { data } = await (await group.array(path)).get();
              found[path] = String(ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data);
            }
          }
          return { found, requests };
        } catch ({ name, message }) {
          return { error: { name, message } };
        }
      },
      { address, options, blob },
    );

  for (const [what, kind, address, options] of [
    ["NetCDF-3, with a blank in its name", "netcdf", "/zips/months.zip/era/first%20file.nc", {}],
    ["NetCDF-4, with a query", "hdf5", "/zips/months.zip/second.nc?token=1", {}],
    ["TIFF", "tiff", "/zips/months.zip/scene.tif", {}],
    ["a path in the options", "hdf5", "/zips/months.zip", { path: "second.nc" }],
    ["the format of the file", "hdf5", "/zips/months.zip/second.nc", { format: "hdf5" }],
    ["a folder that is called as a zip", "hdf5", "/zips/folder.zip/second.nc", {}],
  ]) {
    test(`by address: ${what}`, async () => {
      const { found, requests, error } = await read(address, options);
      assert.equal(error, undefined, error?.message);
      const whole = await read(`/${FILES[kind]}`);
      assert.deepEqual(found, whole.found);
      assert.ok(Object.keys(found).length > 0);
      if (address.includes("months")) {
        for (const [, pathname] of requests) assert.equal(pathname, "/zips/months.zip");
        const bytes = requests.reduce((sum, [method, , , length]) => sum + (method === "GET" ? length : 0), 0);
        const { size } = await page.run(async (_, address) => ({ size: (await (await fetch(address)).blob()).size }), "/zips/months.zip");
        assert.ok(requests.every(([method, , range]) => method === "HEAD" || range), JSON.stringify(requests));
        assert.ok(bytes < size, `${bytes} of ${size} bytes`);
      }
    });
  }

  test("an array of a file by an address that leads to it", async () => {
    const found = await page.run(async ({ RectilinearArray, Group }, address) => {
      const group = await Group.open(address);
      const [{ path }] = group.tree().filter(({ kind }) => kind === "array");
      const array = await RectilinearArray.open(`${address}/${path}`);
      return [array.shape, (await group.array(path)).shape];
    }, "/zips/months.zip/second.nc");
    assert.deepEqual(found[0], found[1]);
  });

  test("a Blob of a zip, with a path", async () => {
    const { found, error } = await read("/zips/months.zip", { format: "zip", path: "second.nc" }, true);
    assert.equal(error, undefined, error?.message);
    assert.deepEqual(found, (await read(`/${FILES.hdf5}`)).found);
  });

  test("what is compressed, and what is not there, is refused by name", async () => {
    const packed = await read("/zips/months.zip/packed.nc");
    assert.equal(packed.error?.name, "UnsupportedError");
    assert.match(packed.error.message, /months\.zip: packed\.nc is compressed.*zip -0/);
    const other = await read("/zips/months.zip/third.nc");
    assert.equal(other.error?.name, "NotFoundError");
    assert.match(other.error.message, /no file "third\.nc".*"era\/first file\.nc"/s);
    const badly = await read("/zips/months.zip/100%/second.nc");
    assert.equal(badly.error?.name, "StoreError");
    assert.match(badly.error.message, /months\.zip: the path in it is badly encoded.*%25/);
    const whole = await read("/zips/months.zip");
    assert.equal(whole.error?.name, "NotFoundError");
    assert.match(whole.error.message, /no Zarr.*"second\.nc".*\{ path \}/s);
  });
});

test("without zip.js, a zip says what to install", async () => {
  const alone = await mkdtemp(join(tmpdir(), "rectilinear-alone-"));
  try {
    await cp(PACKAGE, alone, { recursive: true });
    const { zipStore } = await import(pathToFileURL(join(alone, "stores.js")));
    await assert.rejects(zipStore(new Blob(["PK"])), { name: "UnsupportedError", message: /@zip\.js\/zip\.js.*install it, or name .*import map/ });
  } finally {
    await rm(alone, { recursive: true, force: true });
  }
});
