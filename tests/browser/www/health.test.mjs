/** The explorer on the data and their host: what attributes say, sizes as zarr-python has them, and what the host answers. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";

import { startExplorer } from "../support/explorer.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");
const SCREENSHOTS = join(ROOT, "target/screenshots");

/** A store with attributes at three levels, and zarr-python's own figures for its arrays. */
const WRITE = `import json, sys
import numpy as np, zarr
out = sys.argv[1] + "/facts.zarr"
root = zarr.create_group(out, attributes={
    "title": "A field of numbers", "institution": "Institute of Fields", "license": "CC-BY-4.0", "Conventions": "CF-1.12, ACDD-1.3",
    "citation": "Field, F. (2024): Numbers, https://doi.org/10.1234/abc.5(6).", "references": "doi:10.9999/other",
    "time_coverage_start": "2024-01-01T00:00:00Z", "time_coverage_end": "2024-12-31T18:00:00Z",
    "geospatial_lat_min": -10, "geospatial_lat_max": "20.5", "geospatial_lon_min": 0, "geospatial_lon_max": 15.0,
})
inner = root.create_group("inner", attributes={"institution": "Institute within", "multiscales": [{"datasets": [{"path": "0"}]}]})
values = (np.arange(6 * 40 * 50) % 97).astype("int16").reshape(6, 40, 50)
def put(group, name, dims, values=values, **more):
    array = group.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=dims, **more)
    array[...] = values
    return array
made = {
    "inner/field": put(inner, "field", ["time", "y", "x"], chunks=(1, 20, 50), fill_value=-1, attributes={"license": "https://example.org/licence", "units": "m", "proj:code": "EPSG:32632"}),
    "sharded": put(root, "sharded", ["time", "y", "x"], chunks=(1, 10, 10), shards=(2, 20, 50), compressors=zarr.codecs.BloscCodec(cname="lz4")),
    "one": put(root, "one", ["a", "b"], values[0], chunks=(40, 50)),
}
gaps = root.create_array("gaps", shape=(4, 4), chunks=(2, 2), dtype="uint8", fill_value=3)
gaps[:2, :2] = 9
bare = zarr.create_group(sys.argv[1] + "/bare.zarr")
put(bare, "lat", ["lat"], np.linspace(-80, 80, 9), attributes={"units": "degrees_north"})
put(bare, "lon", ["lon"], np.arange(-180.0, 180, 60), attributes={"units": "degrees_east"})
put(bare, "time", ["time"], np.arange(3), attributes={"units": "days since 2001-02-27"})
put(bare, "v", ["time", "lat", "lon"], np.arange(162.0).reshape(3, 9, 6))
zarr.consolidate_metadata(out)
print(json.dumps({path: {"stored": array.nbytes_stored() - len((array.store_path / "zarr.json").store.root.joinpath(path, "zarr.json").read_bytes()), "decoded": array.nbytes} for path, array in made.items()}))
`;

/** Bytes as the page says them. */
const said = (n) => (n < 1000 ? `${n} B` : `${Number((n / 1000).toPrecision(3))} kB`);

describe("data and host", () => {
  let directory;
  let explorer;
  let sizes;
  let user;
  const hosts = {};

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-health-"));
    const run = promisify(execFile);
    sizes = JSON.parse((await run(python, ["-W", "ignore", "-c", WRITE, directory])).stdout);
    await run(python, ["-W", "ignore", join(ROOT, "tests/oracle/explorer.py"), directory]);
    explorer = await startExplorer({ "/made": directory, "/cells": join(NEIGHBOURS, "healpix") }, { watches: true });
    const serve = files(directory);
    const withHeaders = (headers, prepare = () => {}) => listen((request, response) => {
      if (allow(request, response)) return;
      prepare(request);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      serve(request, response);
    });
    hosts.bare = await withHeaders({});
    hosts.whole = await withHeaders({}, (request) => delete request.headers.range);
    hosts.good = await withHeaders({ ETag: '"1"', "Access-Control-Expose-Headers": "ETag, Content-Range, Content-Length", "Timing-Allow-Origin": "*" });
    hosts.shy = await listen((request, response) => {
      if (request.headers.range === "bytes=0-0") return response.destroy();
      if (!allow(request, response)) serve(request, response);
    });
    // What hosts answer to a key that is missing: a bucket that may not be listed, a page for all, no header of CORS.
    const absent = (answer) => listen((request, response) => {
      if (/asks-for-what-is-missing/.test(request.url)) return answer(request, response);
      if (!allow(request, response)) serve(request, response);
    });
    const shared = (response, status, type) => response.writeHead(status, { "access-control-allow-origin": "*", "content-type": type }).end("<p>");
    hosts.bucket = await absent((_, response) => shared(response, 403, "application/xml"));
    hosts.pages = await absent((_, response) => shared(response, 200, "text/html"));
    hosts.silent = await absent((_, response) => response.writeHead(404).end());
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await explorer?.close();
    await Promise.all(Object.values(hosts).map(({ close }) => close()));
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const at = (path, host = `${explorer.site.url}/made`) => `url=${host}/${path}`;
  const origin = () => user.page.$$eval("#origin div", (list) => Object.fromEntries(list.map((each) => [...each.children].map(({ textContent }) => textContent))));
  /** The panel's facts by name: words, state and remedy. */
  const facts = () => user.page.$$eval("#health dt", (list) => Object.fromEntries(list.map((name) => {
    const value = name.nextElementSibling;
    return [name.textContent, { words: [...value.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(""), state: value.dataset.state, remedy: value.querySelector("code")?.textContent }];
  })));
  const openPanel = async () => {
    await user.page.$eval("#health summary", (summary) => summary.click());
    await user.says("#health", /The host[^]*How hosts are set up/);
    return facts();
  };

  test("the header has what the array's attributes say, then those of the groups above it", async () => {
    await user.show(at("facts.zarr/inner/field"));
    assert.deepEqual(await origin(), {
      Dataset: "A field of numbers", Institution: "Institute within", Licence: "https://example.org/licence", DOI: "10.1234/abc.5(6)",
      Time: "2024-01-01 to 2024-12-31T18:00:00Z", Area: "10° S to 20.5° N, 0° to 15° E",
    });
    assert.deepEqual(await user.page.$$eval("#origin a", (list) => list.map(({ href }) => href)), ["https://example.org/licence", "https://doi.org/10.1234/abc.5(6)"]);
    await user.page.click('[data-path="one"]');
    await user.says("#title", /^one$/);
    await user.settled();
    assert.deepEqual(Object.values(await origin()).slice(1, 3), ["Institute of Fields", "CC-BY-4.0"]);
    await user.show(at("bare.zarr/v")); // which has no attributes, but coordinates
    assert.deepEqual(await origin(), { Time: "27 Feb 2001 to 1 Mar 2001", Area: "90° S to 90° N, all longitudes" });
    await user.show(at("store.zarr/gaps"));
    assert.deepEqual(await origin(), { Dataset: "Made for the explorer" });
    await user.show(at("facts.zarr/nothing"));
    assert.equal(await user.page.$eval("#origin", (element) => element.checkVisibility()), false);
    assert.deepEqual(user.problems, []);
  });

  test("the stored size is zarr-python's once all chunks were read, and says so far before", async () => {
    await user.show(at("facts.zarr/one"));
    const { Stored, Decoded, Chunks, Codecs } = await openPanel();
    const { stored, decoded } = sizes.one;
    assert.equal(Stored.words, `${said(stored)} for ${said(decoded)} decoded, ${Number((decoded / stored).toPrecision(3))} : 1 (all 1 chunk)`);
    assert.equal(Decoded.words, said(decoded));
    assert.equal(Chunks.words, "40 × 50, 1 chunk");
    assert.equal(Codecs.words, "bytes, zstd 0");

    await user.show(at("facts.zarr/inner/field"));
    assert.match((await openPanel()).Stored.words, /^\d+ B for 4 kB decoded, .* : 1 \(2 of 12 chunks so far\)$/);
    for (let step = 1; step < 6; step++) {
      await user.page.click('[aria-label="Next step, time"]');
      await user.page.waitForSelector(`#view[aria-busy="false"][data-at="${step}"]`);
    }
    await user.says("#health", /all 12 chunks/);
    const field = sizes["inner/field"];
    assert.equal((await facts()).Stored.words, `${said(field.stored)} for ${said(field.decoded)} decoded, ${Number((field.decoded / field.stored).toPrecision(3))} : 1 (all 12 chunks)`);

    await user.show(at("facts.zarr/gaps"));
    assert.match((await openPanel()).Stored.words, /\(all 4 chunks, 3 of them not stored\)$/);
    assert.deepEqual(user.problems, []);
  });

  test("of shards it is what was read for them, but for their indexes", async () => {
    const from = explorer.site.requests.length;
    await user.show(at("facts.zarr/sharded"));
    const { Stored, Shards, Chunks, Codecs } = await openPanel();
    assert.equal(Codecs.words, "sharding_indexed (bytes, blosc lz4 5)");
    assert.equal(Chunks.words, "1 × 10 × 10, 120 chunks");
    assert.equal(Shards.words, "2 × 20 × 50, 6 shards");
    const ranges = explorer.site.requests.slice(from).filter(({ url }) => url.includes("/sharded/c/")).map(({ headers }) => /^bytes=(\d+)-(\d+)$/.exec(headers.range)).filter((range) => range && range[2] !== "0");
    const read = ranges.reduce((sum, [, first, last]) => sum + Number(last) - Number(first) + 1, 0);
    assert.ok(read > 0);
    assert.equal(Stored.words, `${said(read)} were read, with what lies between parts, for 4 kB decoded, ${Number((4000 / read).toPrecision(3))} : 1 (20 of 120 chunks so far)`);
    assert.deepEqual(user.problems, []);
  });

  test("conventions and consolidated metadata are found, or what to do about them", async () => {
    await user.show(at("facts.zarr/inner/field"));
    const { Format, Metadata, Conventions } = await openPanel();
    assert.equal(Format.words, "Zarr v3");
    assert.deepEqual([Metadata.words, Metadata.state], ["consolidated: one document lists the store", "good"]);
    assert.equal(Conventions.words, "GeoZarr proj, ndpyramid multiscales, CF-1.12, ACDD-1.3");
    await user.show(at("pyramid.zarr/0"));
    const image = await openPanel();
    assert.equal(image.Conventions.words, "OME-Zarr 0.5");
    assert.deepEqual([image.Metadata.state, image.Metadata.remedy], ["lacks", 'zarr.consolidate_metadata("pyramid.zarr")']);
    await user.show(at("store.zip"));
    assert.equal((await openPanel()).Metadata.words, "listed by the zip");
    await user.show("url=data/sun.icechunk");
    const snapshot = await openPanel();
    assert.equal(snapshot.Metadata.words, "part of the format");
    assert.match(snapshot.Stored.words, /^unknown so far/); // its chunks lie in the manifest
    assert.deepEqual(user.problems, []);
  });

  test("the host is asked when the panel is opened, once, for one byte of a chunk", async () => {
    await user.show(at("facts.zarr/inner/field"));
    await user.page.waitForNetworkIdle({ idleTime: 2000, timeout: 60_000 });
    const from = explorer.site.requests.length;
    const { CORS, Ranges, "Content-Length": length, ETag, "HTTP version": version } = await openPanel();
    const asked = explorer.site.requests.slice(from).filter(({ url }) => url.startsWith("/made/"));
    assert.deepEqual(asked.map(({ url, method, headers }) => [method, headers.range, /\/inner\/field\/c\/0\/[01]\/(0|rectilinear-zarr-asks-for-what-is-missing)$/.test(url)]), [["GET", "bytes=0-0", true], ["GET", undefined, true]]);
    assert.deepEqual([CORS.state, Ranges.state, length.state, ETag.state], ["good", "good", "good", "lacks"]);
    assert.equal(ETag.remedy, "ETag: …");
    assert.deepEqual([version.state, version.remedy], ["lacks", "http2 on;"]);
    assert.match(version.words, /^HTTP\/1\.1:/);
    await user.page.$eval("#health summary", (summary) => summary.click());
    await openPanel();
    await user.page.click('[data-path="one"]');
    await user.says("#title", /^one$/);
    await user.says("#health", /40 × 50, 1 chunk/);
    assert.equal(explorer.site.requests.slice(from).filter(({ headers }) => headers.range === "bytes=0-0").length, 1);
    const link = await user.page.$eval("#health a", ({ href }) => href);
    assert.ok((await fetch(link)).ok, link);
    assert.deepEqual(user.problems, []);
  });

  test("hosts of other origins: what they do not expose, and the header that would", async () => {
    const judged = async (host) => {
      await user.show(at("facts.zarr/inner/field", hosts[host].url));
      const { CORS, Ranges, "Content-Length": length, ETag, "HTTP version": version, Answer } = await openPanel();
      return Object.fromEntries(Object.entries({ CORS, Ranges, length, ETag, version, Answer }).flatMap(([name, fact]) => (fact ? [[name, [fact.state, fact.remedy]]] : [])));
    };
    const expose = "Access-Control-Expose-Headers: ETag, Content-Range, Content-Length";
    assert.deepEqual(await judged("bare"), { CORS: ["good", undefined], Ranges: ["lacks", expose], length: ["good", undefined], ETag: ["lacks", expose], version: ["unknown", "Timing-Allow-Origin: *"] });
    assert.deepEqual(await judged("whole"), { CORS: ["good", undefined], Ranges: ["lacks", "Accept-Ranges: bytes"], length: ["good", undefined], ETag: ["lacks", expose], version: ["unknown", "Timing-Allow-Origin: *"] });
    assert.deepEqual(await judged("good"), { CORS: ["good", undefined], Ranges: ["good", undefined], length: ["good", undefined], ETag: ["good", undefined], version: ["lacks", "http2 on;"] });
    assert.deepEqual(await judged("shy"), { Answer: ["lacks", "Access-Control-Allow-Origin: *"] });
    assert.deepEqual(user.problems, []);
  });

  test("a key that is missing is asked for: 404, 403, a page of HTML, and an answer that the page may not see", async () => {
    const missing = async (host) => {
      await user.show(at("facts.zarr/inner/field", hosts[host].url));
      const { "Missing keys": { state, words, remedy } } = await openPanel();
      return [state, /404|403|HTML|CORS/.exec(words)?.[0], remedy];
    };
    assert.deepEqual(await missing("good"), ["good", "404", undefined]);
    assert.deepEqual(await missing("bucket"), ["lacks", "403", "s3:ListBucket"]);
    assert.deepEqual(await missing("pages"), ["lacks", "HTML", undefined]);
    assert.deepEqual(await missing("silent"), ["lacks", "CORS", 'add_header Access-Control-Allow-Origin "*" always;']);
    assert.deepEqual(user.problems, []);
  });

  test("of texts no size is guessed", async () => {
    await user.show(at("store.zarr/odd/station"));
    const { Decoded, Stored } = await openPanel();
    assert.equal(Decoded.words, "not known: the items have no fixed length");
    assert.match(Stored.words, /^\d+ B \(all 1 chunk\)$/);
    assert.deepEqual(user.problems, []);
  });

  test("of cells of a sphere the size is that of the cells", async () => {
    await user.show(`url=${explorer.site.url}/cells/whole-nested.zarr/t`);
    const { Decoded, Stored } = await openPanel();
    const { data_type: type, shape } = JSON.parse(await readFile(join(NEIGHBOURS, "healpix/whole-nested.zarr/t/zarr.json"), "utf8"));
    assert.equal(Decoded.words, said(shape.reduce((a, b) => a * b) * (type === "float32" ? 4 : 8)));
    assert.match(Stored.words, /decoded/);
    assert.deepEqual(user.problems, []);
  });

  for (const [name, width, height, scheme] of [["wide", 1280, 800, "light"], ["narrow", 390, 844, "dark"]]) {
    test(`axe finds nothing in the open panel, ${name} and ${scheme}`, async () => {
      await user.page.setViewport({ width, height });
      await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await user.show(at("facts.zarr/inner/field", hosts.bare.url));
      await openPanel();
      assert.ok(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
      await user.page.screenshot({ path: join(SCREENSHOTS, `health-${name}-${scheme}.png`), fullPage: true });
      await user.page.evaluate(axe);
      const found = await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.length} of ${nodes[0].html.slice(0, 160)}`));
      assert.deepEqual(found, []);
      assert.deepEqual(user.problems, []);
    });
  }
});
