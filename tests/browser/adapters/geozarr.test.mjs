/** GeoZarr's attributes in views: as rioxarray and topozarr write them, and as OpenLayers needs them to draw. */

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { launchDrawing } from "../support/chromium.mjs";
import { FaultyHost } from "../support/faults.mjs";
import { Group, Levels, bare, edited, filesOf, opened } from "../support/levels.mjs";
import { PACKAGE } from "../support/paths.mjs";
import { openViewers } from "../support/viewers.mjs";
import { servingWorker } from "../support/worker.mjs";

const { asRegularStore } = await import(pathToFileURL(join(PACKAGE, "adapters.js")).href);

/** Attributes of a node in a store. */
async function attrsOf(files, path = "", options = { geozarr: true }) {
  const group = await Group.open(files);
  const bytes = await asRegularStore(group, options).get(`${path && `/${path}`}/zarr.json`);
  return JSON.parse(new TextDecoder().decode(bytes));
}

const isGeo = (name) => /^(?:spatial|proj):|^zarr_conventions$/.test(name);
const withoutGeo = (attributes, isMeant = isGeo) => Object.fromEntries(Object.entries(attributes).filter(([name]) => !isMeant(name)));
const geoOf = (attributes) => Object.fromEntries(Object.entries(attributes).filter(([name]) => /^spatial:(?:transform|shape|bbox|dimensions)$/.test(name)));

/** Takes away where data lie, and leaves CF's coordinates and the system, which this writer states nowhere else. */
const plain = (files) =>
  edited(files, (document) => {
    document.attributes = withoutGeo(document.attributes ?? {}, (name) => isGeo(name) && !name.startsWith("proj:"));
  });

describe("GeoZarr's attributes", () => {
  test("of CF's coordinates are those that rioxarray writes", async () => {
    const files = await filesOf("rioxarray.zarr");
    const { attributes: written } = await attrsOf(files, "", {});
    assert.ok(written["spatial:transform"]);
    const stripped = plain(files);
    assert.equal((await attrsOf(stripped, "", {})).attributes["spatial:transform"], undefined);
    for (const source of [stripped, bare(stripped)]) {
      const band = await attrsOf(source, "band");
      assert.deepEqual(geoOf(band.attributes), geoOf(written));
      assert.equal(band.attributes["proj:code"], "EPSG:32633");
    }
    const { attributes } = await attrsOf(stripped);
    assert.deepEqual(geoOf(attributes), geoOf(written));
    const uuids = (list) => list.map(({ uuid }) => uuid).sort();
    assert.deepEqual(uuids(attributes.zarr_conventions), uuids(written.zarr_conventions));
  });

  test("of a pyramid are topozarr's, where only its scales and coordinates are left", async () => {
    const files = await filesOf("topozarr.zarr");
    const { attributes: written } = await attrsOf(files, "", {});
    const stripped = edited(files, (document) => {
      document.attributes = withoutGeo(document.attributes ?? {});
      for (const entry of document.attributes.multiscales?.layout ?? []) for (const name of Object.keys(entry)) if (isGeo(name)) delete entry[name];
    });
    const { attributes, consolidated_metadata } = await attrsOf(stripped);
    assert.deepEqual(geoOf(attributes), geoOf(written));
    const shown = attributes.multiscales.layout.map(({ asset, derived_from, transform, ...entry }) => ({ asset, derived_from, transform, ...geoOf(entry) }));
    const expected = written.multiscales.layout.map(({ asset, derived_from, transform, ...entry }) => ({ asset, derived_from, transform, ...geoOf(entry) }));
    assert.deepEqual(shown.map(({ "spatial:bbox": box, ...entry }) => (assert.equal(box.length, 4), entry)), expected.map(({ "spatial:bbox": _, ...entry }) => entry));
    const member = consolidated_metadata.metadata["1/band"].attributes;
    assert.deepEqual(member["spatial:transform"], written.multiscales.layout[1]["spatial:transform"]);
    assert.deepEqual((await attrsOf(stripped, "1/band")).attributes, member);
  });

  for (const name of ["cf.zarr", "earth.zarr", "eopf.zarr", "gdal.zarr", "ndpyramid.zarr", "ndpyramid-web.zarr", "tile-matrix-set.zarr"]) {
    test(`${name}: levels of the view lie where those of the store do`, async () => {
      const files = await filesOf(name);
      const { group } = await opened(files);
      const levels = await Levels.open(group);
      const view = asRegularStore(group, { geozarr: true, zarrFormat: 3 });
      const shown = await Levels.open(await Group.open(view));
      const places = (list) => list.map(({ shape, transform, bounds }) => ({ shape, transform, bounds }));
      assert.deepEqual(places(shown), places(levels));
      assert.equal(shown.crs.code, levels.crs.code ?? "EPSG:4326");
      assert.ok(shown.every(({ from }) => from.startsWith("spatial:transform")), shown.map(({ from }) => from).join());
    });
  }

  test("are none for OME-Zarr, for uneven coordinates, and for groups without a grid", async () => {
    for (const name of ["ome-0.4.zarr", "ome-0.5.zarr"]) {
      const group = await Group.open(await filesOf(name));
      const [view, same] = [{ geozarr: true }, {}].map((options) => asRegularStore(group, { zarrFormat: 3, ...options }));
      const [found, expected] = await Promise.all([view, same].map((store) => store.get("/zarr.json")));
      assert.deepEqual(found, expected);
    }
    const files = await filesOf("earth.zarr");
    const key = [...files.keys()].find((name) => /^\/lat\/c\/0$/.test(name));
    const uneven = new Map(files).set(key, new Uint8Array(Float64Array.from({ length: 36 }, (_, nth) => 90 - nth * nth / 10).buffer));
    const { codecs } = JSON.parse(new TextDecoder().decode(files.get("/lat/zarr.json")));
    const raw = edited(uneven, (document, path) => {
      if (path === "lat" && document.shape) Object.assign(document, { codecs: codecs.filter(({ name }) => name === "bytes") });
    });
    assert.equal((await attrsOf(raw)).attributes["spatial:transform"], undefined);
    const empty = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { a: 1 } }))]]);
    assert.deepEqual((await attrsOf(empty)).attributes, { a: 1 });
  });
});

/** A plain store of xarray's kind: packed temperatures with CF's coordinates, in uneven chunks, consolidated. */
function xarrayFiles() {
  const json = (document) => Buffer.from(JSON.stringify(document));
  const kind = { zarr_format: 3, node_type: "array", chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }], fill_value: 0 };
  const regular = (chunk_shape) => ({ name: "regular", configuration: { chunk_shape } });
  const axis = (name, items, data_type, attributes) => [name, { ...kind, shape: [items.length], data_type, chunk_grid: regular([items.length]), dimension_names: [name], attributes }, items];
  const lat = Float64Array.from({ length: 18 }, (_, row) => 85 - 10 * row);
  const lon = Float64Array.from({ length: 36 }, (_, column) => -175 + 10 * column);
  const axes = [
    axis("lat", lat, "float64", { units: "degrees_north" }),
    axis("lon", lon, "float64", { units: "degrees_east" }),
    axis("time", BigInt64Array.of(0n, 31n, 60n), "int64", { units: "days since 2024-01-01", calendar: "proleptic_gregorian" }),
  ];
  const grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[2, 1], [10, 8], [20, 16]] } };
  const t2m = { ...kind, shape: [3, 18, 36], data_type: "int16", chunk_grid: grid, dimension_names: ["time", "lat", "lon"], attributes: { scale_factor: 0.5, add_offset: 100, _FillValue: -1 } };
  const files = new Map();
  const metadata = { t2m };
  for (const [name, document, items] of axes) {
    metadata[name] = document;
    files.set(`/run/${name}/c/0`, Buffer.from(items.buffer));
  }
  const starts = [[0, 2], [0, 10], [0, 20]];
  const stops = [[2, 3], [10, 18], [20, 36]];
  for (const t of [0, 1]) for (const y of [0, 1]) for (const x of [0, 1]) {
    const items = [];
    for (let i = starts[0][t]; i < stops[0][t]; i++) for (let j = starts[1][y]; j < stops[1][y]; j++) for (let k = starts[2][x]; k < stops[2][x]; k++) items.push(packedAt(i, j, k));
    files.set(`/run/t2m/c/${t}/${y}/${x}`, Buffer.from(Int16Array.from(items).buffer));
  }
  for (const [name, document] of Object.entries(metadata)) files.set(`/run/${name}/zarr.json`, json(document));
  return files.set("/run/zarr.json", json({ zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: { kind: "inline", must_understand: false, metadata } }));
}
const packedAt = (time, row, column) => (row === 4 && column === 5 ? -1 : time * 1000 + row * 36 + column);

describe("OpenLayers and a plain xarray store", () => {
  const host = new FaultyHost(xarrayFiles());
  let page;
  before(async () => (page = await openViewers(["openlayers"], { "/pkg": servingWorker, "/data2": host.handle }, { browse: launchDrawing })));
  after(() => page?.close());

  const cells = [[0, 0], [9, 19], [9, 20], [10, 19], [10, 20], [17, 35], [3, 12]];
  const look = (scope, time) =>
    page.run(
      async (_, { scope, places, time }) => {
        const { drawn } = await import("/viewers/openlayers.js");
        const view = await drawn({ url: `${location.origin}${scope}`, bands: ["t2m"], dimensions: { time } }, [18, 36]);
        const values = view.error === null ? view.values(places) : null;
        view.remove();
        return { error: view.error, values };
      },
      { scope, time, places: cells.map(([row, column]) => [-175 + 10 * column, 85 - 10 * row]) },
    );

  test("without the view's attributes nothing is drawn", async () => {
    const { error } = await look("/data2/run", 1);
    assert.match(error, /tile grid/);
  });

  test("is drawn where it lies, unpacked, at a time that is chosen by its label", async () => {
    await page.run(async () => {
      const { registerViews } = await import("rectilinear-zarr/adapters");
      await registerViews("/pkg/service-worker.js", [{ source: "/data2/run", scope: "/shown/run", geozarr: true, decode: { t2m: "cf" }, as: { t2m: "float32" }, times: "labels" }], { scope: "/" });
    });
    for (const [nth, label] of ["2024-01-01T00:00:00", "2024-02-01T00:00:00", "2024-03-01T00:00:00"].entries()) {
      const { error, values } = await look("/shown/run", label);
      assert.equal(error, null);
      assert.deepEqual(values, cells.map(([row, column]) => 100 + packedAt(nth, row, column) / 2));
    }
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
