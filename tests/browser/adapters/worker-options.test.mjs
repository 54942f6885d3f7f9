/** The ready-made Service Worker with options: in its query, handed over by pages, after restarts, and under load. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";

import { FaultyHost, gate, on, status } from "../support/faults.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";
import { listen } from "../support/server.mjs";
import { openViewers } from "../support/viewers.mjs";
import { registerViews, registerWorker, servingWorker, shapesStored, stopWorkers } from "../support/worker.mjs";
import { written } from "../support/written.mjs";

const ICECHUNK = join(NEIGHBOURS, "icechunk");
const json = (document) => Buffer.from(JSON.stringify(document));
const kind = { zarr_format: 3, node_type: "array", chunk_key_encoding: { name: "default" }, fill_value: 0, codecs: [{ name: "bytes", configuration: { endian: "little" } }] };
const regular = (chunk_shape) => ({ name: "regular", configuration: { chunk_shape } });

/** Files of an array of one axis in chunks of four. */
function growing(length) {
  const files = new Map([["/growing/zarr.json", json({ ...kind, shape: [length], data_type: "uint8", chunk_grid: regular([4]) })]]);
  for (let at = 0; at < length; at += 4) files.set(`/growing/c/${at / 4}`, Buffer.from([at, at + 1, at + 2, at + 3]));
  return files;
}

const many = written("many", { shape: [64, 64], chunks: [4, 4], gzip: true });
const packed = new Map([
  ["/packed/zarr.json", json({ ...kind, shape: [2], data_type: "int16", chunk_grid: regular([1]), attributes: { scale_factor: 0.5, _FillValue: 9 } })],
  ["/packed/c/0", Buffer.from([9, 0])],
]);

describe("the Service Worker's options", () => {
  const host = new FaultyHost(new Map([...many, ...packed, ...growing(4)]));
  /** Answers only requests with this token. */
  let token = "one";
  const guarded = (request, response) => {
    if (request.headers["x-token"] === token) return host.handle(request, response);
    response.writeHead(401).end("no");
  };
  let page;
  before(async () => {
    page = await openViewers(["zarrita"], { "/pkg": servingWorker, "/near": host.handle, "/secret": guarded, "/ice": ICECHUNK });
  });
  afterEach(() => host.reset());
  after(() => page?.close());

  const register = (sources) => registerViews(page, sources);
  const ask = (url) =>
    page.run(async (_, url) => {
      const response = await fetch(url, { cache: "no-store" });
      return { status: response.status, body: [...new Uint8Array(await response.arrayBuffer())] };
    }, url);
  const documentOf = async (url) => JSON.parse(Buffer.from((await ask(url)).body).toString());

  const stop = () => stopWorkers(page);

  test("options in the query count for all sources, or for one each", async () => {
    await registerWorker(page, [
      ["source", "/near/packed"], ["source", "/ice/v2"],
      ["scope", "/shown/packed"], ["scope", "/shown/ice"],
      ["decode", "cf"], ["as", "float32"], ["zarrFormat", "2"], ["zarrFormat", "3"],
      ["missingStatuses", "403,404"], ["tag", ""], ["tag", "v1"],
    ]);
    host.rules = [on(/\/c\/1$/, status(403))];
    const { dtype, fill_value } = await documentOf("/shown/packed/.zarray");
    // No item is missing that is not NaN already.
    assert.deepEqual([dtype, fill_value], ["<f4", "NaN"]);
    assert.deepEqual((await documentOf("/shown/packed/.zattrs")), {});
    const { status: found, body } = await ask("/shown/packed/0");
    assert.equal(found, 200);
    assert.deepEqual([...new Float32Array(Uint8Array.from(body).buffer)].map(String), ["NaN", "0"]);
    const wind = await page.run(async ({ RectilinearArray }) => {
      const zarr = await import("/viewers/zarrita.js");
      const shown = await zarr.open(new zarr.FetchStore(new URL("/shown/ice/surface/wind", location.href)), { kind: "array" });
      const options = { path: "surface/wind", tag: "v1" };
      const direct = await (await RectilinearArray.open(new URL("/ice/v2", location.href), options)).get(null, { decode: "cf", as: "float32" });
      const masked = await (await RectilinearArray.open(new URL("/ice/v2", location.href), { path: "surface/wind" })).get(null, { as: "float32", mask: "fill" });
      const text = ({ data }) => [...data].join();
      return { same: text(await zarr.get(shown)) === text(direct), differs: text(masked) !== text(direct) };
    });
    assert.deepEqual(wind, { same: true, differs: true });
  });

  test("headers are handed over, and asked for again after the worker's restart", async () => {
    const source = "/secret/many";
    const { state, error } = await register([{ source, headers: { "x-token": "one" }, chunkShape: [8, 8] }, { source: "/near/packed", scope: "/shown/other", decode: "cf" }]);
    assert.equal(error, null);
    assert.match(state, /activat/);
    const url = await page.run(() => navigator.serviceWorker.controller.scriptURL);
    assert.ok(!url.includes("x-token") && !url.includes("=one"), url);
    assert.deepEqual((await documentOf("/secret/many/zarr.json")).chunk_grid.configuration.chunk_shape, [8, 8]);
    assert.equal((await documentOf("/shown/other/zarr.json")).data_type, "float64");
    const before = await ask("/secret/many/c/0/1");
    assert.deepEqual([before.status, before.body.slice(0, 4)], [200, [8, 0, 0, 0]]);
    await stop();
    const again = await ask("/secret/many/c/1/1");
    assert.deepEqual([again.status, again.body.slice(0, 4)], [200, [8, 2, 0, 0]]);
  });

  test("other headers are taken at the next call", async () => {
    token = "two";
    const { error } = await register([{ source: "/secret/many", headers: { "x-token": "two" }, chunkShape: [8, 8] }, { source: "/near/packed", scope: "/shown/other", decode: "cf" }]);
    assert.equal(error, null);
    assert.equal((await ask("/secret/many/zarr.json")).status, 200);
    const chunk = await ask("/secret/many/c/3/3");
    assert.equal(chunk.status, 200);
  });

  test("a source that is shown twice has its own headers at each scope", async () => {
    const source = "/secret/many";
    const { error } = await register([{ source, headers: { "x-token": token }, as: "float32", scope: "/shown/first" }, { source, retries: 0, scope: "/shown/second" }]);
    assert.equal(error, null);
    assert.equal((await documentOf("/shown/first/zarr.json")).data_type, "float32");
    const second = await ask("/shown/second/zarr.json");
    assert.equal(second.status, 502);
    assert.match(Buffer.from(second.body).toString(), /401/);
  });

  test("what no page hands over is an answer in words", async () => {
    await registerWorker(page, [["source", "/near/many"], ["scope", "/shown/alone"], ["handed", "true"]]);
    await page.renew();
    const { status: found, body } = await ask("/shown/alone/zarr.json");
    assert.equal(found, 502);
    assert.match(Buffer.from(body).toString(), /StoreError: no open page handed over .*registerViews/);
  });

  test("of many requests that no page aborts the newest go first, so many at a time", async () => {
    const { error } = await register([{ source: "/near/many", scope: "/shown/many" }]);
    assert.equal(error, null);
    await documentOf("/shown/many/zarr.json");
    const held = gate();
    host.rules = [held];
    host.log = [];
    const COUNT = 200;
    const elsewhere = await listen((_, response) => response.end());
    await page.run(() => void (globalThis.begun = new Promise((tell) => Object.assign(globalThis, { tell }))));
    const ending = page.run(async (_, { count, elsewhere }) => {
      // One request after the other, as by a page that pans.
      const ends = [];
      for (let nth = 0; nth < count; nth++) {
        ends.push(fetch(`/shown/many/c/${nth >> 4}/${nth & 15}`).then((response) => response.status));
        await new Promise((done) => setTimeout(done, 2));
      }
      // The worker hears of requests in their order, and lets through those to other hosts.
      await fetch(elsewhere, { mode: "no-cors" });
      globalThis.tell();
      return Promise.all(ends);
    }, { count: COUNT, elsewhere: elsewhere.url });
    await page.run(() => globalThis.begun);
    host.rules = [];
    held.open();
    const statuses = await ending;
    await elsewhere.close();
    assert.deepEqual([...new Set(statuses)], [200]);
    const order = host.log.map(({ path }) => /c\/(\d+)\/(\d+)$/.exec(path)).map(([, row, column]) => 16 * Number(row) + Number(column));
    assert.equal(order.length, COUNT);
    assert.ok(order.indexOf(COUNT - 1) < order.indexOf(40), `asked for in the order ${order}`);
    assert.ok(order.indexOf(40) > 100, `asked for in the order ${order}`);
  });

  test("after a restart chunks have the shape that the page knows, and another page learns the new one", async () => {
    const { error } = await register([{ source: "/near/growing", scope: "/shown/growing" }]);
    assert.equal(error, null);
    const shapeOf = async () => {
      const { shape, chunk_grid } = await documentOf("/shown/growing/zarr.json");
      return [shape, chunk_grid.configuration.chunk_shape];
    };
    assert.deepEqual(await shapeOf(), [[4], [4]]);
    await shapesStored(page, 1);
    await stop();
    for (const [key, bytes] of growing(12)) host.files.set(key, bytes);
    assert.deepEqual(await shapeOf(), [[12], [4]]);
    assert.deepEqual((await ask("/shown/growing/c/2")).body, [8, 9, 10, 11]);
    const old = (await page.browser.pages()).at(-1);
    await stop();
    await page.another();
    for (const tab of await page.browser.pages()) if (tab === old) await tab.close();
    await stop();
    for (const [key, bytes] of growing(16)) host.files.set(key, bytes);
    assert.deepEqual(await shapeOf(), [[16], [16]]);
    // The same without a restart, for a page that registers the worker again.
    for (const [key, bytes] of growing(20)) host.files.set(key, bytes);
    await register([{ source: "/near/growing", scope: "/shown/growing" }]);
    assert.deepEqual(await shapeOf(), [[20], [16]]);
    const last = (await page.browser.pages()).at(-1);
    await page.another();
    await last.close();
    await register([{ source: "/near/growing", scope: "/shown/growing" }]);
    assert.deepEqual(await shapeOf(), [[20], [20]]);
  });

  test("a source that is shown twice has chunks of its own at each scope", async () => {
    const { error } = await register(["growing", "packed"].map((path) => ({ source: "/near", path, scope: `/shown/by-path/${path}` })));
    assert.equal(error, null);
    const shapes = [];
    for (const path of ["growing", "packed"]) shapes.push((await documentOf(`/shown/by-path/${path}/zarr.json`)).chunk_grid.configuration.chunk_shape);
    assert.deepEqual(shapes, [[20], [2]]);
  });

  test("functions, and scopes that do not hold the page, are refused", async () => {
    const found = await page.run(async ({ support }) => {
      const { registerViews } = await import("rectilinear-zarr/adapters");
      const one = await support.rejection(() => registerViews("/pkg/service-worker.js", [{ source: "/near/many", resolveUrl: () => undefined }]));
      const other = await support.rejection(() => registerViews("/pkg/service-worker.js", [{ source: "/near/many" }], { scope: "/elsewhere/" }));
      const others = { base: "https://a.invalid", signal: new AbortController().signal, kept: new Map() };
      const more = [];
      for (const [name, value] of Object.entries(others)) more.push(await support.rejection(() => registerViews("/pkg/service-worker.js", [{ source: "/near/many", [name]: value }])));
      return [one, other, ...more];
    });
    assert.deepEqual(found.map(({ name }) => name), Array(5).fill("TypeError"));
    for (const [nth, name] of ["base", "signal", "kept"].entries()) assert.match(found[nth + 2].message, new RegExp(`^a source of registerViews has no option ${name}\\b`));
    assert.match(found[0].message, /resolveUrl/);
    assert.match(found[1].message, /elsewhere/);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
