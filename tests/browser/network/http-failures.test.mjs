/** Errors on a page when the host says no, or says nothing. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { pageAndOrigin } from "../support/opened.mjs";
import { answer } from "../support/origin.mjs";
import { listen } from "../support/server.mjs";

describe("failures over HTTP", () => {
  let page;
  let origin;
  pageAndOrigin((opened) => ({ page, origin } = opened));

  /** Open and read `url` in the page with `retries: 0`; what it rejected with. */
  const read = (url, options = {}) =>
    page.run(
      ({ RectilinearArray, support }, { url, options }) =>
        support.rejection(async () => (await RectilinearArray.open(url, options)).get()),
      { url, options: { retries: 0, ...options } },
    );

  for (const status of [401, 403, 500]) {
    test(`${status} on the metadata is a StoreError`, async () => {
      origin.intercept = answer(/./, status);
      const error = await read(`${origin.url}/rectilinear-lists.zarr`);
      assert.equal(error.name, "StoreError", error.message);
      assert.equal(error.status, status);
      assert.match(error.key, /zarr\.json$/);
      assert.match(error.message, new RegExp(String(status)));
    });

    test(`${status} on a chunk is a StoreError naming the key`, async () => {
      origin.intercept = answer(/c\/1\/2$/, status);
      const error = await read(`${origin.url}/rectilinear-lists.zarr`);
      assert.equal(error.name, "StoreError", error.message);
      assert.equal(error.status, status);
      assert.match(error.key, /c\/1\/2$/);
      assert.match(error.message, /c\/1\/2/);
    });
  }

  test("403 says what to try: the address may be private, or missing objects say 403", async () => {
    origin.intercept = answer(/c\/1\/2$/, 403);
    const error = await read(`${origin.url}/rectilinear-lists.zarr`);
    assert.match(error.message, /missingStatuses/);
  });

  test("404 on all metadata is a NotFoundError naming the address", async () => {
    const error = await read(`${origin.url}/nothing-here.zarr`);
    assert.equal(error.name, "NotFoundError", error.message);
    assert.match(error.message, /nothing-here\.zarr/);
  });

  test("404 on a chunk is the fill value", async () => {
    origin.intercept = answer(/c\/1\/2$/, 404);
    const values = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      return [...(await array.get([1, null])).data];
    }, `${origin.url}/rectilinear-lists.zarr`);
    assert.deepEqual(values.slice(9, 16), [32, 33, 0, 0, 0, 37, 38]);
  });

  test("a closed port is a StoreError without a status, naming the address", async () => {
    // The port is held at one address of this machine, so that nobody listens on it at another.
    const held = await listen(() => {});
    const closed = held.url.replace("127.0.0.1", "127.0.0.2");
    const error = await read(`${closed}/x.zarr`);
    await held.close();
    assert.equal(error.name, "StoreError", error.message);
    assert.equal(error.status ?? null, null);
    assert.ok(error.message.includes(closed), error.message);
  });

  test("an origin without CORS headers is a StoreError that says CORS", async () => {
    const silent = await listen((_, response) => response.writeHead(200).end("{}"));
    const error = await read(`${silent.url}/x.zarr`);
    await silent.close();
    assert.equal(error.name, "StoreError", error.message);
    assert.match(error.message, /CORS/);
  });

  test("a connection cut in the middle of a chunk is an error", async () => {
    origin.intercept = (request, response) => {
      if (!request.url.endsWith("c/1/2")) return false;
      response.writeHead(200, { "Content-Length": "1000" });
      response.write("abc", () => response.destroy());
      return true;
    };
    const error = await read(`${origin.url}/rectilinear-lists.zarr`);
    assert.equal(error.name, "StoreError", error.message);
    assert.match(error.key, /c\/1\/2$/);
  });

  test("an array answers again once its host does", async () => {
    const url = `${origin.url}/rectilinear-lists.zarr`;
    origin.intercept = answer(/c\/1\/2$/, 500);
    await page.run(async ({ RectilinearArray, support }, url) => {
      globalThis.array = await RectilinearArray.open(url, { retries: 0 });
      return support.rejection(() => globalThis.array.get());
    }, url);
    origin.intercept = () => false;
    const value = await page.run(async () => (await globalThis.array.get([9, 12])).data[0]);
    assert.equal(value, 9 * 22 + 12 + 1);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
