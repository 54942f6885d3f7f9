/** What the addresses and names of a catalog leave open: bands that are parts of arrays, accounts of Azure, and catalogs without an end. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { item, startHost } from "../support/catalogs.mjs";
import { PACKAGE } from "../support/paths.mjs";

const { stac } = await import(join(PACKAGE, "stac-node.js"));
const { azure } = await import(join(PACKAGE, "access.js"));

const HERE = { url: "https://host.example/stac/item.json" };
const CATALOG = { type: "Catalog", stac_version: "1.0.0", id: "c", description: "d" };

describe("bands that are parts of an array", () => {
  const little = { name: "bytes", configuration: { endian: "little" } };
  const arrayOf = (shape, dataType, names, codecs = [little]) => ({
    zarr_format: 3, node_type: "array", shape, data_type: dataType, dimension_names: names, fill_value: dataType === "string" ? "" : 0, codecs,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" },
  });
  /** The one chunk of texts, as vlen-utf8 stores it. */
  const texts = (list) => Buffer.concat([Uint32Array.of(list.length), ...list.flatMap((text) => [Uint32Array.of(text.length), Buffer.from(text)])].map((part) => Buffer.from(part.buffer ?? part, part.byteOffset, part.byteLength)));
  const file = (bytes) => (_, response) => response.end(Buffer.from(bytes.buffer ?? bytes, bytes.byteOffset, bytes.byteLength));
  const group = (attributes = {}) => ({ zarr_format: 3, node_type: "group", attributes });
  const NAMES = ["blue", "green", "red"];
  let host;
  let asset;
  before(async () => {
    const values = Int16Array.from({ length: 12 }, (_, n) => n);
    const level = (path) => ({
      [`${path}/zarr.json`]: group(),
      [`${path}/reflectance/zarr.json`]: arrayOf([3, 2, 2], "int16", ["band", "y", "x"]),
      [`${path}/reflectance/c/0/0/0`]: file(values),
      [`${path}/band/zarr.json`]: arrayOf([3], "string", ["band"], ["vlen-utf8"]),
      [`${path}/band/c/0`]: file(texts(NAMES)),
    });
    host = await startHost({
      ...level("/cube.zarr"),
      ...level("/pyramid.zarr/r10m"),
      "/pyramid.zarr/zarr.json": group({ multiscales: { layout: [{ asset: "r10m" }, { asset: "r20m" }] } }),
      "/cube.zarr/plain/zarr.json": arrayOf([2, 2], "int16", ["z", "x"]),
      "/cube.zarr/plain/c/0/0": file(values.slice(0, 4)),
      "/cube.zarr/nameless/zarr.json": arrayOf([2, 2], "int16", undefined),
      "/cube.zarr/wave/zarr.json": arrayOf([3, 2], "int16", ["nm", "x"]),
      "/cube.zarr/wave/c/0/0": file(values.slice(0, 6)),
      "/cube.zarr/nm/zarr.json": arrayOf([3], "float32", ["nm"]),
      "/cube.zarr/nm/c/0": file(Float32Array.of(442.5, 560, 665)),
    });
    const type = "application/vnd.zarr; version=3";
    const top = { properties: { "cube:dimensions": { z: { type: "ordinal", values: ["low", "high"] } } } };
    const { assets } = await stac(item("x", { cube: { href: `${host.url}/cube.zarr`, type }, pyramid: { href: `${host.url}/pyramid.zarr`, type } }, top), HERE);
    asset = (key) => assets.find((each) => each.key === key);
  });
  after(() => host?.close());

  for (const [key, band, selection, data] of [
    ["cube", "reflectance[band=green]", [1, null, null], [4, 5, 6, 7]],
    ["pyramid", "reflectance[band=red]", [2, null, null], [8, 9, 10, 11]],
    ["cube", 'reflectance[band="blue"]', [0, null, null], [0, 1, 2, 3]],
    ["cube", "plain[z=high]", [1, null], [2, 3]],
    ["cube", "wave[nm=560]", [1, null], [2, 3]],
    ["cube", "wave[nm=442.5]", [0, null], [0, 1]],
    ["cube", "plain", [null, null], [0, 1, 2, 3]],
  ]) {
    test(`${band} of the asset ${key} is an array and a selection`, async () => {
      const { array, selection: found } = await asset(key).openBand(band);
      assert.deepEqual(found, selection);
      assert.deepEqual([...(await array.get(found)).data], data);
      array.free();
    });
  }

  for (const [band, message] of [
    ["reflectance[band=nir]", /no label "nir" along "band"; the labels are blue, green, red$/],
    ["reflectance[time=2024]", /no dimension "time"; it has "band", "y", "x"$/],
    ["nameless[band=blue]", /no dimension "band"; it has none with a name/],
    ["plain[x=0]", /no labels along "x".*open\(\{ band: "plain" \}\)/],
    ["none[band=blue]", /none/],
    ["reflectance[band", /./],
  ]) {
    test(`${band} is an error that says what is there`, async () => {
      await assert.rejects(asset("cube").openBand(band), { name: "NotFoundError", message });
    });
  }

  test("open names what a part is, and opens a band that is an array", async () => {
    await assert.rejects(asset("cube").open({ band: "reflectance[band=red]" }), { name: "UnsupportedError", message: /"reflectance\[band=red\]" is a part of the array "reflectance", at index 2 of its dimension "band".*openBand/ });
    const array = await asset("cube").open({ band: "reflectance" });
    assert.deepEqual(array.shape, [3, 2, 2]);
    array.free();
  });
});

describe("addresses of Azure without an account", () => {
  for (const href of ["az://c/x.zarr", "abfs://c/x.zarr", "abfss://c"]) {
    test(`${href}: the error says what to set, and an access or the catalog sets it`, async () => {
      const { assets } = await stac(item("x", { d: { href, type: "application/vnd.zarr" } }), HERE);
      await assert.rejects(assets[0].open(), { name: "UnsupportedError", message: /"d".*item\.json leads to "(az|abfss?):\/\/c.*names its storage account.*azure\(\{ account \}\).*"xarray:storage_options".*"account_name"/ });
      const own = await stac(item("x", { d: { href, type: "application/vnd.zarr" } }), { ...HERE, access: azure({ account: "acc" }) });
      assert.match(own.assets[0].url, /^https:\/\/acc\.blob\.core\.windows\.net\/c/);
      const stated = await stac(item("x", { d: { href, type: "application/vnd.zarr", "xarray:storage_options": { account_name: "other" } } }), HERE);
      assert.match(stated.assets[0].url, /^https:\/\/other\.blob\.core\.windows\.net\/c/);
    });
  }
});

describe("catalogs without an end", () => {
  let host;
  let count = 0;
  before(async () => {
    const day = (n) => ({ rel: "item", href: `/day?n=${n}` });
    host = await startHost({
      // Each has new children, so that neither a circle nor the depth ends it.
      "/wide": ({ url }) => ({ ...CATALOG, links: url.searchParams.has("n") ? [] : Array.from({ length: 5000 }, (_, n) => ({ rel: "child", href: `/wide?n=${n}` })) }),
      "/days": { ...CATALOG, links: Array.from({ length: 1500 }, (_, n) => day(n)) },
      "/day": ({ url }) => item(url.searchParams.get("n"), {}),
      "/pages": () => ({ type: "FeatureCollection", features: [], links: [{ rel: "next", href: `/pages?n=${count++}` }] }),
      "/api": { ...CATALOG, conformsTo: [], links: [{ rel: "data", href: "/collections" }] },
      "/collections": () => ({ collections: [], links: [{ rel: "next", href: `/collections?n=${count++}` }] }),
    });
  });
  after(() => host?.close());
  const counted = async (call) => {
    const since = host.requests.length;
    const error = await call().then((found) => assert.fail(`${found.length} found`), (error) => error);
    return { error, requests: host.requests.length - since };
  };

  for (const [path, call] of [["/wide", "items"], ["/pages", "items"], ["/api", "children"], ["/api", "items"], ["/days", "items"]]) {
    test(`${call} of ${path} end with an error that names the catalog, and the option that raises the bound`, async () => {
      const root = await stac(`${host.url}${path}`);
      const { error, requests } = await counted(() => root[call]({ maxDocuments: 40, limit: 1000 }));
      assert.equal(error.name, "UnsupportedError");
      assert.equal(error.message, `${host.url}${path}: 40 documents of the catalog were fetched, and there are more; give a smaller limit, the address of a catalog below, or a larger option maxDocuments`);
      assert.equal(requests, 40);
    });
  }

  test("by default at 2,000 documents", async () => {
    const { error, requests } = await counted(async () => (await stac(`${host.url}/pages`)).items());
    assert.match(error.message, /2000 documents/);
    assert.equal(requests, 2001);
  });

  test("no link of a document is passed over, and what comes within the bound is given", async () => {
    const days = await stac(`${host.url}/days`);
    assert.equal((await days.items({ limit: Infinity })).length, 1500);
    assert.equal((await days.items({ limit: 10, maxDocuments: 10 })).length, 10);
    await assert.rejects(days.items({ maxDocuments: 0 }), { name: "TypeError", message: /option maxDocuments/ });
  });
});
