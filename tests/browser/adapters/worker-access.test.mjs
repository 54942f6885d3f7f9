/** The ready-made Service Worker with keys to a bucket: pages hold them, and are asked again when they end. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { ofItems, startBucket } from "../support/bucket.mjs";
import { openPage } from "../support/chromium.mjs";
import { servingWorker, stopWorkers } from "../support/worker.mjs";

const SECRET = "secret/of+this";

describe("a Service Worker with the option access", () => {
  let session = 1;
  let bucket;
  let page;
  before(async () => {
    const keys = { AKID: { secretAccessKey: SECRET, get sessionToken() { return `session-${session}`; } } };
    bucket = await startBucket(ofItems(8), { keys });
    page = await openPage({ "/pkg": servingWorker });
  });
  after(async () => {
    await page?.close();
    await bucket?.close();
  });

  /** Shows the bucket's array below `/shown/n/`; `sessions` are what the page's function gives, one after the other. */
  const show = (sessions, by = "query") =>
    page.run(async (_, { endpoint, secretAccessKey, sessions, by }) => {
      const [{ registerViews }, { s3 }] = await Promise.all([import("rectilinear-zarr/adapters"), import("rectilinear-zarr/access")]);
      globalThis.asked = 0;
      const credentials = () => {
        const sessionToken = sessions[Math.min(globalThis.asked++, sessions.length - 1)];
        if (!sessionToken) throw new Error("the keys' server is down");
        return { accessKeyId: "AKID", secretAccessKey, sessionToken };
      };
      const other = s3({ endpoint: "https://elsewhere.example" });
      const access = [other, s3({ endpoint, region: "eu-test-1", by, credentials })];
      await registerViews("/pkg/service-worker.js", [{ source: "s3://private/run/n", access: access.slice(1), scope: "/shown/n", retries: 0, chunkShape: [1] }, { source: `${endpoint}/private/run`, access, scope: "/shown/run", retries: 0, chunkShape: { n: [1] } }], { scope: "/" });
    }, { endpoint: bucket.url, secretAccessKey: SECRET, sessions, by });
  const ask = (url) =>
    page.run(async (_, url) => {
      const response = await fetch(url, { cache: "no-store" });
      const bytes = await response.arrayBuffer();
      return { status: response.status, text: new TextDecoder().decode(bytes), item: bytes.byteLength === 4 ? new Int32Array(bytes)[0] : undefined, asked: globalThis.asked };
    }, url);

  for (const by of ["query", "headers"]) {
    test(`reads by keys that a page gives, signed in the ${by}, and the worker's URL has none of them`, async () => {
      session = 1;
      await show(["session-1"], by);
      const { status, text } = await ask("/shown/n/zarr.json");
      assert.equal(status, 200, text);
      assert.deepEqual((await ask("/shown/n/c/5")).item, 5);
      assert.deepEqual((await ask("/shown/run/n/c/7")).item, 7);
      const script = await page.run(() => navigator.serviceWorker.controller.scriptURL);
      assert.doesNotMatch(decodeURIComponent(script), /AKID|secret|session/);
    });
  }

  test("keys that end are asked for again, and all chunks come", async () => {
    session = 2;
    const { item, asked } = await ask("/shown/n/c/3");
    assert.deepEqual([item, asked > 0], [undefined, true], "the page still gives the old ones");
    await show(["session-2", "session-3"]);
    assert.equal((await ask("/shown/n/c/3")).item, 3);
    session = 3;
    const found = await page.run(async () => {
      const all = await Promise.all([0, 1, 2, 4, 5, 6].map(async (n) => new Int32Array(await (await fetch(`/shown/n/c/${n}`, { cache: "no-store" })).arrayBuffer())[0]));
      return { all, asked: globalThis.asked };
    });
    assert.deepEqual(found, { all: [0, 1, 2, 4, 5, 6], asked: 2 });
  });

  test("a worker that the browser has restarted asks the page", async () => {
    session = 4;
    await show(["session-4"]);
    assert.equal((await ask("/shown/n/c/1")).item, 1);
    await stopWorkers(page);
    const { item, asked } = await ask("/shown/n/c/2");
    assert.deepEqual([item, asked], [2, 2]);
  });

  test("a function of credentials that fails is an answer in words", async () => {
    await show([undefined]);
    const { status, text } = await ask("/shown/n/zarr.json");
    assert.equal(status, 502);
    assert.match(text, /the page gives no keys for .*\/private\/run\/n.*: the keys' server is down/);
  });

  test("an access that is none is refused in the page", async () => {
    const error = await page.run(async ({ support }) => {
      const { registerViews } = await import("rectilinear-zarr/adapters");
      return support.rejection(() => registerViews("/pkg/service-worker.js", [{ source: "s3://private/run/n", access: {} }], { scope: "/" }));
    });
    assert.equal(error.name, "TypeError");
    assert.match(error.message, /rectilinear-zarr\/access/);
  });
});
