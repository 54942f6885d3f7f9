/** The ready-made Service Worker: pages that it controls find regular arrays at the URLs of rectilinear ones. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { FaultyHost, gate, on } from "../support/faults.mjs";
import { until } from "../support/network.mjs";
import { oracle } from "../support/paths.mjs";
import { openViewers } from "../support/viewers.mjs";
import { registerViews, registerWorker, servingWorker } from "../support/worker.mjs";
import { written } from "../support/written.mjs";

const entries = (await oracle("index.json")).filter(({ name }) => ["rectilinear-lists", "pattern-months"].includes(name));
const [lists, months] = entries;

describe("the Service Worker", () => {
  const far = new FaultyHost(new Map(written("even", { shape: [64, 64], chunks: [16, 16], gzip: true })));
  let origin;
  let page;
  before(async () => {
    [page, origin] = await Promise.all([openViewers(["zarrita"], { "/pkg": servingWorker }), far.listen()]);
  });
  afterEach(() => far.reset());
  after(() => Promise.all([page?.close(), origin?.close()]));

  const read = (url, entry) =>
    page.run(
      async ({ support }, { url, entry }) => {
        const [zarr, { compareRegular }] = await Promise.all([import("/viewers/zarrita.js"), import("/support/regular.mjs")]);
        const failures = [];
        const error = await support.rejection(async () => {
          const array = await zarr.open(new zarr.FetchStore(new URL(url, location.href)), { kind: "array" });
          failures.push(...(await compareRegular(zarr, array, entry)));
        });
        return { failures, error };
      },
      { url, entry },
    );

  test("without it a client that takes only a URL reads no rectilinear array", async () => {
    assert.equal((await read(`/data/${lists.path}`, lists)).error?.name, "TypeError");
  });

  test("it takes over the page that registers it", async () => {
    const sources = [`/data/${lists.path}`, `/data/${months.path}`, `${origin.url}/even`];
    const scopes = [`/data/${lists.path}`, "/shown/months"];
    const state = await registerWorker(page, [...sources.map((source) => ["source", source]), ...scopes.map((scope) => ["scope", scope])]);
    assert.match(state, /activat/);
  });

  test("arrays are regular at their own URLs, and at others", async () => {
    assert.deepEqual(await read(`/data/${lists.path}`, lists), { failures: [], error: null });
    assert.deepEqual(await read("/shown/months", months), { failures: [], error: null });
    // What is shown elsewhere stays as it is.
    assert.equal((await read(`/data/${months.path}`, months)).error?.name, "TypeError");
  });

  test("another origin's are, too", async () => {
    const found = await page.run(async (_, url) => {
      const range = await fetch(`${url}/c/3/2`, { headers: { Range: "bytes=-4" } });
      const [none, head] = await Promise.all([fetch(`${url}/c/4/0`), fetch(`${url}/zarr.json`, { method: "HEAD" })]);
      const { codecs } = await (await fetch(`${url}/zarr.json`)).json();
      return { range: [range.status, ...new Uint8Array(await range.arrayBuffer())], none: none.status, head: head.status, codecs };
    }, `${origin.url}/even`);
    const last = 63 * 64 + 47;
    assert.deepEqual(found, { range: [206, last & 255, last >> 8, 0, 0], none: 404, head: 200, codecs: [{ name: "bytes", configuration: { endian: "little" } }] });
  });

  test("what lies elsewhere goes to the network", async () => {
    const statuses = await page.run(() => Promise.all(["/data/index.json", "/data/nowhere"].map(async (url) => (await fetch(url)).status)));
    assert.deepEqual(statuses, [200, 404]);
  });

  test("an abort is the page's own, and who asks after it is answered", async () => {
    const held = gate();
    far.rules = [on(/\/c\/0\/0$/, held)];
    const ending = page.run(async (_, url) => {
      globalThis.controller = new AbortController();
      const { signal } = globalThis.controller;
      return (await fetch(url, { signal }).catch((error) => error)).name;
    }, `${origin.url}/even/c/0/0`);
    await until(() => held.held === 1);
    await page.run(() => globalThis.controller.abort());
    assert.equal(await ending, "AbortError");
    held.open();
    const length = await page.run(async (_, url) => (await (await fetch(url)).arrayBuffer()).byteLength, `${origin.url}/even/c/0/0`);
    assert.equal(length, 1024);
    // Chromium 148 tells no worker of it, so what was asked for came and was kept.
    assert.equal(far.asked().length, 1);
  });

  test("a parameter that cannot be read is an answer in words, and other sources are shown", async () => {
    await registerWorker(page, [["source", `${origin.url}/even`], ["source", `${origin.url}/even`], ["scope", "/shown/bad"], ["scope", "/shown/good"], ["as", "{bad"], ["as", "float32"]]);
    const found = await page.run(() =>
      Promise.all(["bad", "good"].map(async (scope) => {
        const response = await fetch(`/shown/${scope}/zarr.json`);
        return [response.status, await response.text()];
      })),
    );
    assert.deepEqual(found.map(([status]) => status), [502, 200]);
    assert.match(found[0][1], /TypeError: the parameter as .*\{bad/);
    assert.match(found[1][1], /float32/);
  });

  test("of scopes that lie in each other the deepest counts, in whatever order they are given", async () => {
    const [outer, inner] = [`${origin.url}/even`, `/data/${lists.path}`].map((source, nth) => ({ source, scope: `/shown/outer${["", "/inner"][nth]}` }));
    const { error } = await registerViews(page, [outer, inner, { ...outer, scope: "/shown/outer/in" }]);
    assert.equal(error, null);
    const shapeOf = (scope) => page.run(async (_, scope) => (await (await fetch(`${scope}/zarr.json`)).json()).shape, scope);
    assert.deepEqual([await shapeOf("/shown/outer"), await shapeOf("/shown/outer/inner"), await shapeOf("/shown/outer/in")], [[64, 64], lists.shape, [64, 64]]);
  });

  test("wrong options are refused in the page, before a worker is registered", async () => {
    const source = `${origin.url}/even`;
    const url = () => page.run(() => navigator.serviceWorker.controller?.scriptURL);
    const before = await url();
    const wrong = [[{ source, as: "int64" }], [{ source, times: "x" }], [{}], [{ source: 5 }], [{ source, scope: 5 }], [{ source }, { source, zarrFormat: 4 }], source];
    for (const sources of wrong) {
      const { error } = await registerViews(page, sources);
      assert.equal(error?.name, "TypeError", JSON.stringify(sources));
      assert.match(error.message, /the option (as|times|source|scope|zarrFormat) |list of sources/);
    }
    assert.equal(await url(), before);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
