/** STAC: catalogs as publishers write them, which asset is opened and how, filters, pages, and what leads astray. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { ofItems, startBucket } from "../support/bucket.mjs";
import { item, startHost } from "../support/catalogs.mjs";
import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS, PACKAGE } from "../support/paths.mjs";
import { allow, listen, startSite } from "../support/server.mjs";

const { stac } = await import(join(PACKAGE, "stac-node.js"));
const { Group, slice } = await import(join(PACKAGE, "node.js"));
const { planetary, s3 } = await import(join(PACKAGE, "access.js"));

/** What an asset is opened as. */
const said = ({ key, kind, url, options }) => [key, kind, url, options];

describe("assets as publishers write them", () => {
  const HERE = { url: "https://host.example/stac/item.json" };
  const first = async (assets, more) => said((await stac(item("x", assets, more), HERE)).assets[0]);

  test("the best practice: a group, its version in the media type, and its root by a link", async () => {
    const links = [{ rel: "store", href: "../data/cube.zarr" }];
    const found = await stac(item("x", { r10m: { href: "../data/cube.zarr/measurements/r10m", type: "application/vnd.zarr; version=3; profile=multiscales", roles: ["data"], bands: [{ name: "blue" }, { name: "red" }] } }, { links }), HERE);
    assert.deepEqual(said(found.assets[0]), ["r10m", "zarr", "https://host.example/data/cube.zarr", { path: "measurements/r10m" }]);
    assert.deepEqual(found.assets[0].bands, ["blue", "red"]);
    assert.deepEqual([found.kind, found.id, found.title, found.datetime], ["item", "x", "Item x", "2024-06-01T12:00:00Z"]);
  });

  test("dynamical.org: Icechunk in a bucket whose region xarray's options state", async () => {
    const icechunk = {
      href: "s3://dynamical-noaa-gfs/noaa-gfs-forecast/v0.2.7.icechunk/",
      type: "application/x-icechunk",
      "xarray:storage_options": { anon: true, client_kwargs: { region_name: "us-west-2" } },
      "xarray:open_kwargs": { engine: "zarr", chunks: null },
    };
    const zarr = { href: "https://data.dynamical.org/noaa/gfs/latest.zarr", type: "application/x-zarr" };
    const found = await stac({ type: "Collection", stac_version: "1.1.0", id: "gfs", extent: { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [["2021-05-01T00:00:00Z", null]] } }, links: [], assets: { zarr, icechunk } });
    assert.deepEqual(found.assets.map(said), [
      ["icechunk", "icechunk", "https://dynamical-noaa-gfs.s3.us-west-2.amazonaws.com/noaa-gfs-forecast/v0.2.7.icechunk/", { format: "icechunk" }],
      ["zarr", "zarr", "https://data.dynamical.org/noaa/gfs/latest.zarr", {}],
    ]);
    assert.deepEqual([found.kind, found.datetime, found.bbox], ["collection", "2021-05-01T00:00:00Z/..", [-180, -90, 180, 90]]);
  });

  test("Icechunk by a field, with the media type of Zarr", async () => {
    assert.deepEqual(await first({ d: { href: "https://h.example/repo", type: "application/vnd.zarr; version=3", "icechunk:branch": "live" } }), ["d", "icechunk", "https://h.example/repo", { format: "icechunk", branch: "live" }]);
    assert.deepEqual(await first({ d: { href: "https://h.example/repo", type: "application/vnd.zarr" } }, { properties: { "icechunk:tag": "v1" } }), ["d", "icechunk", "https://h.example/repo", { format: "icechunk", tag: "v1" }]);
  });

  test("NASA VEDA: a version, and storage by reference", async () => {
    const storage = { "storage:schemes": { aws: { type: "aws-s3", platform: "https://{bucket}.s3.{region}.amazonaws.com", bucket: "veda", region: "us-west-2", anonymous: true } } };
    const asset = (version, roles) => ({ href: "s3://veda/run/", type: "application/vnd.zarr+icechunk", roles, version, "storage:refs": ["aws"] });
    const found = await stac(item("x", { old: asset("1CECHNKREP0F1RSTCMT0", ["data", "references", "virtual"]), new: asset("main", ["data", "references", "virtual", "latest-version"]) }, { top: storage }), HERE);
    assert.deepEqual(found.assets.map(said), [
      ["new", "icechunk", "https://veda.s3.us-west-2.amazonaws.com/run/", { format: "icechunk", branch: "main" }],
      ["old", "icechunk", "https://veda.s3.us-west-2.amazonaws.com/run/", { format: "icechunk", snapshot: "1CECHNKREP0F1RSTCMT0" }],
    ]);
  });

  test("addresses with steps (ZEP 8)", async () => {
    for (const [href, options] of [
      ["https://h.example/x.icechunk|icechunk://tag.v5/rlus/|zarr3", { path: "rlus", format: "icechunk", tag: "v5" }],
      ["https://h.example/x.icechunk|icechunk:@branch.main/a/b", { path: "a/b", format: "icechunk", branch: "main" }],
      ["https://h.example/x.icechunk/|icechunk://1CECHNKREP0F1RSTCMT0/a|zarr3:b", { path: "a/b", format: "icechunk", snapshot: "1CECHNKREP0F1RSTCMT0" }],
    ]) {
      const [, kind, url, found] = await first({ d: { href, type: "application/vnd.zarr+icechunk" } });
      assert.deepEqual([kind, url.replace(/\/$/, ""), found], ["icechunk", "https://h.example/x.icechunk", options]);
    }
    const [asset] = (await stac(item("x", { d: { href: "https://h.example/x.n5|n5", type: "application/vnd.zarr" } }), HERE)).assets;
    await assert.rejects(asset.open(), { name: "UnsupportedError", message: /the step "n5"/ });
  });

  test("EOPF: a product, its groups and its arrays", async () => {
    const type = "application/vnd+zarr";
    const root = "https://objects.example/S2A.zarr";
    const found = await stac(item("x", { SR_10m: { href: `${root}/measurements/reflectance/r10m`, type, roles: ["data"] }, B02_10m: { href: `${root}/measurements/reflectance/r10m/b02`, type, roles: ["data"] }, product: { href: root, type, roles: ["data", "metadata"] }, product_metadata: { href: `${root}/.zmetadata`, type: "application/json", roles: ["metadata"] } }), HERE);
    assert.deepEqual(found.assets.map(({ key, url, path }) => [key, url, path]).slice(0, 3), [
      ["product", root, ""],
      ["SR_10m", root, "measurements/reflectance/r10m"],
      ["B02_10m", root, "measurements/reflectance/r10m/b02"],
    ]);
  });

  test("Planetary Computer: https before abfs, the account from a field, kerchunk by its roles", async () => {
    const assets = {
      "zarr-abfs": { href: "abfs://daymet-zarr/daily/hi.zarr", type: "application/vnd+zarr", roles: ["data", "zarr", "abfs"] },
      index: { href: "abfs://nasa/Reference/index.json", type: "application/json", roles: ["references"] },
      list: { href: "abfs://nasa/list.json", type: "application/json", roles: ["metadata"] },
    };
    const found = await stac(item("x", assets, { properties: { "msft:storage_account": "daymeteuwest" } }), HERE);
    assert.deepEqual(found.assets.map(said), [
      ["zarr-abfs", "zarr", "https://daymeteuwest.blob.core.windows.net/daymet-zarr/daily/hi.zarr", {}],
      ["index", "kerchunk", "https://daymeteuwest.blob.core.windows.net/nasa/Reference/index.json", { format: "kerchunk" }],
      ["list", "other", "https://daymeteuwest.blob.core.windows.net/nasa/list.json", {}],
    ]);
  });

  test("an alternate address, and a group that xarray's options name", async () => {
    const asset = { href: "s3://us-west-2.opendata.source.coop/a/p/x.zarr", alternate: { web: { href: "https://data.source.coop/a/p/x.zarr" } }, "xarray:open_kwargs": { group: "/0" } };
    assert.deepEqual(await first({ d: asset }), ["d", "zarr", "https://data.source.coop/a/p/x.zarr", { path: "0" }]);
  });

  test("an access that knows the bucket decides its address", async () => {
    const access = s3({ endpoint: "https://minio.example" });
    const found = await stac(item("x", { d: { href: "s3://b/x.zarr", type: "application/vnd.zarr" } }), { ...HERE, access });
    assert.equal(found.assets[0].url, "https://minio.example/b/x.zarr");
  });

  test("media types with parameters, and files that are no Zarr", async () => {
    const kinds = { "application/vnd.zarr;version=2": "zarr", "application/x-zarr": "zarr", "application/icechunk": "icechunk", "application/vnd.zarr+kerchunk": "kerchunk", "application/x-netcdf": "netcdf", "application/netcdf": "netcdf", "application/x-hdf5": "hdf5", "image/tiff; application=geotiff; profile=cloud-optimized": "tiff", "image/png": "other", "text/html": "other" };
    for (const [type, kind] of Object.entries(kinds)) assert.equal((await first({ d: { href: "https://h.example/d", type } }))[1], kind, type);
    for (const [name, kind] of Object.entries({ "a.zarr": "zarr", "a.ozx": "zip", "a.zarr.zip": "zip", "a.parq": "kerchunk", "a.nc": "netcdf", "a.tif": "tiff", "a.bin": "other" })) assert.equal((await first({ d: { href: name } }))[1], kind, name);
  });

  test("keys of buckets are literal, a host of one's own is the endpoint, and an account may be in a table's options", async () => {
    assert.equal((await first({ d: { href: "s3://b/my data/\u00e9%2F.zarr" } }))[2], "https://b.s3.amazonaws.com/my%20data/%C3%A9%252F.zarr");
    const own = { "storage:schemes": { own: { type: "custom-s3", platform: "https://minio.example" } } };
    assert.equal((await first({ d: { href: "s3://b/x.zarr", "storage:refs": ["own"] } }, { top: own }))[2], "https://minio.example/b/x.zarr");
    const table = { href: "abfs://c/x.zarr", "table:storage_options": { account_name: "acc" } };
    assert.equal((await first({ d: table }))[2], "https://acc.blob.core.windows.net/c/x.zarr");
    const found = await stac(item("x", { d: table }), { ...HERE, access: planetary() });
    assert.equal(found.assets[0].url, "https://acc.blob.core.windows.net/c/x.zarr");
    assert.deepEqual(await first({ d: { href: "https://h.example/data|zarr3:a" } }), ["d", "zarr", "https://h.example/data", { path: "a" }]);
  });

  test("an entry that is malformed makes no other asset, and no document, unreadable", async () => {
    const good = { href: "https://h.example/x.zarr" };
    const odd = { href: "https://h.example/y.zarr", bands: {}, roles: 5, "xarray:open_kwargs": { group: 1 }, "xarray:storage_options": { endpoint_url: "minio" } };
    const worse = { href: "s3://b/z.zarr", "xarray:storage_options": { client_kwargs: { region_name: ["a"], endpoint_url: "no url" } } };
    const found = await stac(item("x", { worse, odd, good, none: null, number: { href: 5 } }, { properties: { "storage:region": ["a"] } }), HERE);
    assert.deepEqual(found.assets.map(({ key }) => key).sort(), ["good", "odd", "worse"]);
    assert.deepEqual((await stac(item("x", { d: { ...good, bands: ["b", { name: "c" }, null] } }), HERE)).assets[0].bands, ["b", "c"]);
    await assert.rejects(found.assets.find(({ key }) => key === "worse").open(), { name: "InvalidMetadataError", message: /"worse".*malformed/ });
  });

  test("variables and dimensions for a menu, of the asset or of its item", async () => {
    const cube = { "cube:dimensions": { time: { type: "temporal" } }, "cube:variables": { t2m: { type: "data", dimensions: ["time"], unit: "K" } } };
    const found = await stac(item("x", { d: { href: "a.zarr", type: "application/vnd.zarr" } }, { properties: cube }), HERE);
    assert.equal(found.assets[0].variables.t2m.unit, "K");
    assert.equal(found.assets[0].dimensions.time.type, "temporal");
  });
});

test("a version that is no branch is opened as a tag", async () => {
  const site = await startSite({ "/n": NEIGHBOURS });
  try {
    const asset = (version) => item("x", { d: { href: `${site.url}/n/icechunk/v2`, type: "application/vnd.zarr+icechunk", version } });
    const repository = await Group.open(`${site.url}/n/icechunk/v2`, { format: "icechunk" });
    const { tags } = await repository.refs();
    const [tag] = Object.keys(tags ?? {});
    assert.ok(tag, JSON.stringify(await repository.refs()));
    const { assets } = await stac(asset(tag));
    assert.deepEqual(assets[0].options, { format: "icechunk", branch: tag });
    const group = await assets[0].open();
    group.free();
    repository.free();
  } finally {
    await site.close();
  }
});

describe("what assets open as", () => {
  let site;
  before(async () => (site = await startSite({ "/n": NEIGHBOURS })));
  after(() => site?.close());
  const [{ store }] = JSON.parse(readFileSync(join(NEIGHBOURS, "icechunk/index.json"), "utf8")).sets ?? [{ store: "v2" }];

  for (const [key, file, type] of [
    ["netcdf", "netcdf/by-hand.nc", "application/netcdf"],
    ["netcdf", "hdf5/netcdf-00.nc", "application/x-netcdf"],
    ["hdf5", "hdf5/random-084.h5", "application/x-hdf5"],
    ["tiff", "tiff/gdal-000.tif", "image/tiff; application=geotiff; profile=cloud-optimized"],
  ]) {
    test(`an original file, as ${type}: ${file}, behind an address without an ending`, async () => {
      const { assets } = await stac(item("x", { d: { href: `${site.url}/n/${file}?download=1`, type } }), { url: "https://h.example/item.json" });
      assert.deepEqual([assets[0].kind, assets[0].options], [key, { format: key }]);
      const opened = await assets[0].open();
      const names = opened.tree().filter(({ kind }) => kind === "array").map(({ path }) => path);
      assert.ok(names.length > 0);
      const array = await opened.array(names[0]);
      assert.ok((await array.get(array.shape.map(() => 0))).data.length > 0);
      array.free();
      opened.free();
    });
  }

  test("a file of another kind is refused, by its type", async () => {
    const [asset] = (await stac(item("x", { d: { href: `${site.url}/x.laz`, type: "application/vnd.laszip" } }), { url: "https://h.example/item.json" })).assets;
    await assert.rejects(asset.open(), { name: "UnsupportedError", message: /"d".*item.json.*no data of a format that is read.*laszip/ });
  });

  test("a group, an array, a band, Icechunk and kerchunk", async () => {
    const type = "application/vnd.zarr; version=3";
    const assets = {
      group: { href: `${site.url}/data/in-a-group.zarr`, type },
      array: { href: `${site.url}/data/codec-zstd.zarr`, type },
      repository: { href: `${site.url}/n/icechunk/stores/${store}`, type: "application/icechunk" },
      references: { href: `${site.url}/n/kerchunk/single.json`, type: "application/vnd.zarr+kerchunk" },
    };
    const found = await stac(item("x", assets), { url: "https://h.example/item.json" });
    const byKey = Object.fromEntries(found.assets.map((asset) => [asset.key, asset]));
    const group = await byKey.group.open();
    const same = await Group.open(byKey.group.url, byKey.group.options);
    assert.deepEqual(group.attrs, same.attrs);
    const array = await byKey.array.open();
    assert.ok((await array.get([slice(0, 1)])).data.length > 0);
    const references = await byKey.references.open();
    const names = references.tree().filter(({ kind }) => kind === "array").map(({ path }) => path);
    const band = await byKey.references.open({ band: names[0] });
    assert.deepEqual(band.shape, (await references.array(names[0])).shape);
    await assert.rejects(byKey.references.open({ band: "none" }), { name: "NotFoundError" });
    for (const opened of [group, same, array, references, band]) opened.free();
  });
});

describe("catalogs", () => {
  const days = Array.from({ length: 30 }, (_, n) => `2024-06-${String(n + 1).padStart(2, "0")}`);
  const features = days.map((day, n) => item(day, {}, { properties: { datetime: `${day}T00:00:00Z` }, top: { bbox: [n, 0, n + 1, 1] } }));
  let host;
  before(async () => {
    const collection = (id, links) => ({ type: "Collection", stac_version: "1.0.0", id, title: `The ${id}`, license: "CC-BY-4.0", providers: [{ name: "P" }], extent: { spatial: { bbox: [[0, 0, 30, 1]] }, temporal: { interval: [["2024-06-01T00:00:00Z", "2024-06-30T00:00:00Z"]] } }, links });
    const searched = ({ bbox, datetime, limit, from }) => {
      const [west, , east] = bbox ?? [-180, 0, 180];
      const [start, end] = (datetime ?? "../..").split("/").map((side, nth) => (side === ".." ? [-Infinity, Infinity][nth] : +new Date(side)));
      const isWithin = (x0, x1) => (west <= east ? x0 <= east && x1 >= west : x0 <= east || x1 >= west);
      const all = features.filter(({ bbox: [x0, , x1], properties }) => isWithin(x0, x1) && +new Date(properties.datetime) >= start && +new Date(properties.datetime) <= end);
      const size = Math.min(limit, 4);
      return { page: all.slice(from, from + size), next: from + size < all.length ? from + size : undefined };
    };
    const documents = {
      "/catalog.json": { type: "Catalog", stac_version: "1.0.0", id: "root", description: "d", links: [{ rel: "self", href: "https://elsewhere.example/catalog.json" }, { rel: "child", href: "./days/collection.json", title: "Days" }] },
      "/days/collection.json": collection("days", days.map((day) => ({ rel: "item", href: `./${day}.json` }))),
      ...Object.fromEntries(features.map((feature) => [`/days/${feature.id}.json`, { ...feature, assets: { d: { href: "./data.zarr" } } }])),
      "/circle.json": { type: "Catalog", stac_version: "1.0.0", id: "circle", links: [{ rel: "child", href: "./round.json" }] },
      "/round.json": { type: "Catalog", stac_version: "1.0.0", id: "round", links: [{ rel: "child", href: "./circle.json" }] },
      "/api": { type: "Catalog", stac_version: "1.0.0", id: "api", conformsTo: [], links: [{ rel: "data", href: "./collections" }, { rel: "search", href: "./search", method: "POST" }, { rel: "search", href: "./search", method: "GET" }] },
      "/post": { type: "Catalog", stac_version: "1.0.0", id: "api", conformsTo: [], links: [{ rel: "search", href: "./search", method: "POST" }] },
      "/collections": ({ url }) => ({ collections: [collection(url.searchParams.has("page") ? "two" : "one", [{ rel: "items", href: `${url.origin}/search` }])], links: url.searchParams.has("page") ? [] : [{ rel: "next", href: "./collections?page=2" }] }),
      "/search": ({ url, body }) => {
        const query = Object.fromEntries(url.searchParams);
        const asked = body || { ...query, bbox: query.bbox?.split(",").map(Number), limit: Number(query.limit), from: Number(query.from ?? 0) };
        const { page, next } = searched({ from: 0, ...asked });
        const links = [];
        if (next !== undefined && body) links.push({ rel: "next", href: "./search", method: "POST", body: { from: next }, merge: true });
        if (next !== undefined && !body) {
          url.searchParams.set("from", next);
          links.push({ rel: "next", href: url.href });
        }
        return { type: "FeatureCollection", features: page, links };
      },
      "/endless": () => ({ type: "FeatureCollection", features: [], links: [{ rel: "next", href: "./endless?again" }] }),
      "/page.html": "<html>",
      "/other.json": { type: "Topology" },
      "/large.json": (_, response) => {
        response.writeHead(200);
        for (let n = 0; n < 11; n++) response.write(" ".repeat(1 << 20));
        response.end("{}");
      },
      "/old.json": { id: "old", stac_version: "0.6.0", links: [] },
    };
    host = await startHost(documents);
  });
  after(() => host?.close());

  test("a static catalog: children, items in order, and links by the document's own address", async () => {
    const root = await stac(`${host.url}/catalog.json`);
    assert.deepEqual([root.kind, root.id, root.url], ["catalog", "root", `${host.url}/catalog.json`]);
    const [days_] = await root.children();
    assert.deepEqual([days_.kind, days_.title, days_.license, days_.providers[0].name], ["collection", "The days", "CC-BY-4.0", "P"]);
    const items = await days_.items();
    assert.deepEqual(items.map(({ id }) => id), days);
    assert.equal(items[3].assets[0].url, `${host.url}/days/data.zarr`);
    assert.deepEqual((await root.items({ limit: 3 })).map(({ id }) => id), days.slice(0, 3));
  });

  test("a limit spares requests of a static catalog", async () => {
    const since = host.requests.length;
    assert.equal((await (await stac(`${host.url}/days/collection.json`)).items({ limit: 2 })).length, 2);
    assert.ok(host.requests.length - since <= 9, `${host.requests.length - since} requests`);
  });

  for (const [what, path] of [["static catalog", "/catalog.json"], ["search by GET", "/api"], ["search by POST", "/post"]]) {
    test(`filters by place and time: ${what}`, async () => {
      const root = await stac(`${host.url}${path}`);
      const ids = async (options) => (await root.items(options)).map(({ id }) => id);
      assert.deepEqual(await ids({ bbox: [3.5, 0, 6.5, 1] }), days.slice(3, 7));
      assert.deepEqual(await ids({ datetime: "2024-06-10/2024-06-12" }), days.slice(9, 12));
      assert.deepEqual(await ids({ datetime: "2024-06-10" }), days.slice(9, 10));
      assert.deepEqual(await ids({ datetime: [null, new Date("2024-06-02T00:00:00Z")] }), days.slice(0, 2));
      assert.deepEqual(await ids({ datetime: "2024-06-28T00:00:00Z/.." }), days.slice(27));
      assert.deepEqual(await ids({ bbox: [28, 0, 2, 1] }), [...days.slice(0, 3), ...days.slice(27)]);
      assert.equal((await ids({ limit: 7 })).length, 7);
      assert.equal((await ids()).length, 30, "over all pages");
    });
  }

  test("an API's collections, page by page, and their items", async () => {
    const collections = await (await stac(`${host.url}/api`)).children();
    assert.deepEqual(collections.map(({ id }) => id), ["one", "two"]);
    assert.equal((await collections[1].items()).length, 30);
  });

  test("an answer of a search, its pages included", async () => {
    const found = await stac(`${host.url}/search?limit=4`);
    assert.equal(found.kind, "items");
    assert.deepEqual((await found.items()).map(({ id }) => id), days);
  });

  test("an answer that breaks off is an error of the host", async () => {
    const site = await listen((request, response) => {
      allow(request, response);
      response.writeHead(200, { "Content-Length": "100" });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    });
    await assert.rejects(stac(`${site.url}/x.json`), { name: "StoreError", key: `${site.url}/x.json`, message: /broke off/ });
    await site.close();
  });

  test("a document of before version 1.0", async () => {
    assert.equal((await stac(`${host.url}/old.json`)).kind, "catalog");
  });

  for (const [what, path, name, message] of [
    ["a circle of catalogs", "/circle.json", "InvalidMetadataError", /in a circle/],
    ["pages without an end", "/endless", "InvalidMetadataError", /in a circle/],
    ["no JSON", "/page.html", "InvalidMetadataError", /not JSON/],
    ["another document", "/other.json", "InvalidMetadataError", /no catalog, collection or item of STAC/],
    ["a document of 11 MiB", "/large.json", "UnsupportedError", /more than 10 MiB/],
    ["no document", "/nothing.json", "NotFoundError", /status 404/],
  ]) {
    test(`${what} is an error that names the address`, async () => {
      await assert.rejects(async () => (await stac(`${host.url}${path}?token=hidden`)).items(), (error) => {
        assert.equal(error.name, name);
        assert.match(error.message, message);
        assert.ok(error.message.startsWith(host.url), error.message);
        assert.doesNotMatch(error.message, /hidden/);
        return true;
      });
    });
  }

  test("other schemes, wrong filters and options say what is wrong", async () => {
    await assert.rejects(stac("file:///catalog.json"), { name: "UnsupportedError", message: /https: and http:/ });
    const [file, relative] = (await stac(item("x", { d: { href: "file:///data/x.zarr" }, e: { href: "x.zarr" } }))).assets;
    await assert.rejects(file.open(), { name: "UnsupportedError", message: /leads to "file:\/\/\/data\/x\.zarr"/ });
    await assert.rejects(relative.open(), { name: "UnsupportedError", message: /relative.*option url/ });
    const root = await stac(`${host.url}/catalog.json`);
    await assert.rejects(root.items({ bbox: [1, 2, 3] }), { name: "TypeError", message: /option bbox/ });
    for (const datetime of ["june", new Date("june"), [null, new Date("june")]]) {
      await assert.rejects(root.items({ datetime }), { name: "TypeError", message: /option datetime/ });
    }
    await assert.rejects(root.items({ limit: 0 }), { name: "TypeError", message: /option limit/ });
    await assert.rejects(root.items({ where: 1 }), { name: "TypeError", message: /no option where/ });
  });

  test("headers go to the catalog's own origin only", async () => {
    const other = await startHost({ "/search": () => ({ type: "FeatureCollection", features: [], links: [] }) });
    const home = await startHost({ "/api": { type: "Catalog", stac_version: "1.0.0", id: "api", conformsTo: [], links: [{ rel: "search", href: `${other.url}/search` }] } });
    await (await stac(`${home.url}/api`, { headers: { "x-key": "secret" } })).items();
    assert.equal(home.requests[0].headers["x-key"], "secret");
    assert.equal(other.requests[0].headers["x-key"], undefined);
    await Promise.all([home.close(), other.close()]);
  });

  test("headers follow no redirect to another origin, and no address or error has what an access signed or a user's password", async () => {
    const other = await startHost({ "/item.json": item("x", {}) });
    const home = await startHost({ "/item.json": (_, response) => response.writeHead(302, { Location: `${other.url}/item.json` }).end() });
    const found = await stac(`${home.url}/item.json`, { headers: { "x-key": "secret" } });
    assert.equal(found.url, `${other.url}/item.json`);
    assert.equal(home.requests[0].headers["x-key"], "secret");
    assert.equal(other.requests[0].headers["x-key"], undefined);
    const access = s3({ endpoint: other.url, credentials: { accessKeyId: "AKID", secretAccessKey: "s" } });
    assert.equal((await stac(`${other.url}/item.json`, { access })).url, `${other.url}/item.json`);
    const { host: place } = new URL(other.url);
    await assert.rejects(stac(`http://user:hidden@${place}/item.json`), (error) => error.name === "UnsupportedError" && !/hidden/.test(`${error.message}${error.cause}`));
    await Promise.all([home.close(), other.close()]);
  });

  test("redirects are followed as fetch does: a POST becomes a GET, and neither circles nor other schemes lead on", async () => {
    const search = { type: "FeatureCollection", features: [item("one", {})], links: [{ rel: "next", method: "POST", href: "/search", body: { token: "2" } }] };
    const to = (status, Location) => (_, response) => response.writeHead(status, { Location }).end();
    const site = await startHost({
      "/first": search,
      "/search": to(303, "/second"),
      "/second": { ...search, features: [item("two", {})], links: [] },
      "/circle": to(302, "/circle"),
      "/away": to(302, "ftp://host.example/item.json"),
    });
    const headers = { "x-key": "secret" };
    const items = await (await stac(`${site.url}/first`, { headers })).items();
    assert.deepEqual(items.map(({ id }) => id), ["one", "two"]);
    assert.deepEqual(site.requests.slice(-2).map(({ method, url, body, headers }) => [method, url, body, headers["x-key"]]), [
      ["POST", "/search", '{"token":"2"}', "secret"],
      ["GET", "/second", "", "secret"],
    ]);
    site.requests.length = 0;
    await assert.rejects(stac(`${site.url}/circle`, { headers }), { name: "StoreError", status: 302, message: `${site.url}/circle: the host redirects more than 20 times` });
    assert.equal(site.requests.length, 21);
    await assert.rejects(stac(`${site.url}/away`, { headers }), { name: "StoreError", message: /away: the host redirects to an address that is not http: or https:$/ });
    await site.close();
  });

  test("children that differ by their query, an API without a search, and an answer without items", async () => {
    const catalog = (id, links) => ({ type: "Catalog", stac_version: "1.0.0", id, links });
    const site = await startHost({
      "/s": ({ url }) => catalog(url.searchParams.get("c"), url.searchParams.get("c") === "root" ? [{ rel: "child", href: "/s?c=a" }] : [{ rel: "item", href: "/i.json" }]),
      "/i.json": item("one", {}),
      "/api": { ...catalog("api", [{ rel: "data", href: "/collections" }]), conformsTo: [] },
      "/collections": ({ url }) => ({ collections: [{ type: "Collection", stac_version: "1.0.0", id: "c", extent: {}, links: [{ rel: "items", href: `${url.origin}/items` }] }], links: [] }),
      "/items": { type: "FeatureCollection", features: [item("two", {})], links: [] },
      "/wrong": { type: "FeatureCollection", features: [], links: [{ rel: "next", href: "/other" }] },
      "/other": { message: "no" },
    });
    const ids = async (path) => (await (await stac(`${site.url}${path}`)).items()).map(({ id }) => id);
    assert.deepEqual(await ids("/s?c=root"), ["one"]);
    assert.deepEqual(await ids("/api"), ["two"]);
    await assert.rejects(ids("/wrong"), { name: "InvalidMetadataError", message: /\/other/ });
    await site.close();
  });

  test("an abort ends a list", async () => {
    const root = await stac(`${host.url}/catalog.json`);
    await assert.rejects(root.items({ signal: AbortSignal.abort(new Error("enough")) }), { message: "enough" });
  });
});

test("the Planetary Computer's signatures: one for each container, again before it ends", async () => {
  const asked = [];
  const service = (request) => {
    asked.push(new URL(request.url).pathname);
    const body = { token: `sig=of-${asked.length}`, "msft:expiry": new Date(Date.now() + (asked.length === 1 ? 59_000 : 3_600_000)).toISOString() };
    return Promise.resolve(new Response(JSON.stringify(body)));
  };
  const access = planetary({ fetch: service });
  const signed = async (path) => new URL((await access(new Request(`https://daymet.blob.core.windows.net/${path}`))).url).search;
  assert.deepEqual(await Promise.all(["a/1", "a/2", "b/1"].map(signed)), ["?sig=of-1", "?sig=of-1", "?sig=of-2"]);
  assert.equal(await signed("b/2"), "?sig=of-2");
  assert.deepEqual(asked, ["/api/sas/v1/token/daymet/a", "/api/sas/v1/token/daymet/b"]);
  assert.equal((await access(new Request("https://elsewhere.example/x"))).url, "https://elsewhere.example/x");
  const signedBefore = "https://daymet.blob.core.windows.net/c/1?sv=1&sig=own";
  assert.equal((await access(new Request(signedBefore))).url, signedBefore);
  const unknown = planetary({ fetch: async () => new Response("", { status: 404 }) });
  assert.equal((await unknown(new Request("https://archive.blob.core.windows.net/a/1"))).url, "https://archive.blob.core.windows.net/a/1");
  for (const answer of [new Response("", { status: 403 }), new Response("<html>")]) {
    const refused = planetary({ fetch: async () => answer.clone() });
    await assert.rejects(refused(new Request("https://daymet.blob.core.windows.net/a/1")), { name: "StoreError", message: /gives no signature/ });
  }
});

describe("the convention stac of groups", () => {
  const group = (attributes) => JSON.stringify({ zarr_format: 3, node_type: "group", attributes });
  const bytes = (text) => new TextEncoder().encode(text);
  const addressOf = ({ url, path }) => (path ? `${url}/${path}` : url);
  const embedded = item("inside", { d: { href: "child.zarr", type: "application/vnd.zarr" } });

  test("an object, the key of one, and a link", async () => {
    const host = await startHost({ "/a.zarr/zarr.json": group({ "stac:item": embedded }), "/a.zarr/in/zarr.json": group({ "stac:key": "stac.json" }), "/a.zarr/in/stac.json": embedded, "/b.zarr/zarr.json": group({ "stac:link": { href: "../item.json" } }), "/item.json": embedded });
    try {
      for (const [address, path, url] of [["a.zarr", undefined, "a.zarr/child.zarr"], ["a.zarr", "in", "a.zarr/in/child.zarr"], ["a.zarr/in", undefined, "a.zarr/in/child.zarr"], ["b.zarr", undefined, "child.zarr"]]) {
        const opened = await Group.open(`${host.url}/${address}`, { path });
        const found = await stac(opened);
        assert.deepEqual([found.id, addressOf(found.assets[0])], ["inside", `${host.url}/${url}`]);
        opened.free();
      }
      const parent = await Group.open(`${host.url}/a.zarr`);
      const child = await parent.group("in");
      assert.equal(addressOf((await stac(child)).assets[0]), `${host.url}/a.zarr/in/child.zarr`);
      for (const opened of [parent, child]) opened.free();
    } finally {
      await host.close();
    }
  });

  test("of a private group: its document and its data are read with what the group was opened with", async () => {
    const KEYS = { accessKeyId: "AKID", secretAccessKey: "secret/of+this" };
    const objects = ofItems(3);
    objects.set("run/zarr.json", bytes(group({ "stac:key": "stac.json" })));
    objects.set("run/stac.json", bytes(JSON.stringify(item("inside", { d: { href: "n", type: "application/vnd.zarr", "zarr:node_type": "array" } }))));
    const bucket = await startBucket(objects);
    try {
      const opened = await Group.open("s3://private/run", { access: s3({ endpoint: bucket.url, region: "eu-test-1", credentials: KEYS }), signal: AbortSignal.timeout(60_000) });
      const found = await stac(opened);
      const array = await found.assets[0].open();
      assert.deepEqual([...(await array.get()).data], [0, 1, 2]);
      assert.deepEqual(bucket.refused, []);
      for (const each of [array, opened]) each.free();
    } finally {
      await bucket.close();
    }
  });

  test("the key of one in a store, and a group without any", async () => {
    const store = new Map([["/zarr.json", bytes(group({ "stac:key": "stac.json" }))], ["/stac.json", bytes(JSON.stringify(embedded))], ["/none/zarr.json", bytes(group({}))]]);
    const opened = await Group.open(store);
    assert.equal((await stac(opened)).id, "inside");
    const none = await opened.group("none");
    await assert.rejects(stac(none), { name: "NotFoundError", message: /stac:item/ });
    for (const each of [opened, none]) each.free();
  });
});

test("a page reads a catalog and opens what it leads to", async () => {
  const page = await openPage();
  const host = await startHost({ "/item.json": item("x", { d: { href: `${page.site.url}/data/codec-zstd.zarr`, type: "application/vnd.zarr" } }) });
  try {
    const found = await page.run(async (_, url) => {
      const { stac: read } = await import("/pkg/stac.js");
      const { assets } = await read(url);
      const array = await assets[0].open();
      return { kind: assets[0].kind, count: (await array.get()).data.length };
    }, `${host.url}/item.json`);
    assert.equal(found.kind, "zarr");
    assert.ok(found.count > 0);
    assert.deepEqual(page.errors, []);
  } finally {
    await page.close();
    await host.close();
  }
});
