/** The options of `open` that shape requests: fetch, headers, and statuses that mean missing. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { pageAndOrigin } from "../support/opened.mjs";
import { answer } from "../support/origin.mjs";

describe("options over HTTP", () => {
  let page;
  let origin;
  let url;
  pageAndOrigin((opened) => {
    ({ page, origin } = opened);
    url = `${origin.url}/rectilinear-lists.zarr`;
  });

  test("options that are undefined are absent ones", async () => {
    const names = ["path", "zarrFormat", "signal", "fetch", "headers", "credentials", "missingStatuses", "concurrency"];
    names.push("retries", "cacheBytes", "workers", "maxChunkBytes", "onRequest");
    const value = await page.run(
      async ({ RectilinearArray }, { url, names }) => {
        const options = Object.fromEntries(names.map((name) => [name, undefined]));
        const array = await RectilinearArray.open(url, options);
        return (await array.get([0, 0], { signal: undefined, onProgress: undefined })).data[0];
      },
      { url, names },
    );
    assert.equal(value, 1);
  });

  test("headers go with every request", async () => {
    await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url, { headers: { Authorization: "Bearer abc", "X-Extra": "1" } });
      await array.get();
    }, url);
    const gets = origin.requests.filter(({ method }) => method === "GET");
    assert.equal(gets.length, 13);
    for (const { headers } of gets) {
      assert.equal(headers.authorization, "Bearer abc");
      assert.equal(headers["x-extra"], "1");
    }
  });

  test("a Headers object will do", async () => {
    await page.run(async ({ RectilinearArray }, url) => {
      await RectilinearArray.open(url, { headers: new Headers([["X-Extra", "2"]]) });
    }, url);
    assert.equal(origin.requests.findLast(({ method }) => method === "GET").headers["x-extra"], "2");
  });

  test("a fetch of one's own gets every request, and may answer it", async () => {
    const seen = await page.run(async ({ RectilinearArray }, url) => {
      const seen = [];
      const fetch = async (request) => {
        seen.push([request instanceof Request, request.url, request.headers.get("X-Extra")]);
        if (request.url.endsWith("c/0/0")) return new Response(new Int32Array(10).fill(7));
        return globalThis.fetch(request);
      };
      const array = await RectilinearArray.open(url, { fetch, headers: { "X-Extra": "3" } });
      const { data } = await array.get([0, { start: 0, stop: 11, step: null }]);
      return { seen, data: [...data] };
    }, url);
    assert.deepEqual(seen.data, [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 11]);
    const expected = ["zarr.json", "c/0/0", "c/0/1"].map((key) => [true, `${url}/${key}`, "3"]);
    assert.deepEqual(seen.seen.sort(), expected.sort());
  });

  test("a fetch of one's own that throws is a StoreError", async () => {
    const error = await page.run(async ({ RectilinearArray, support }, url) => {
      const fetch = () => Promise.reject(new Error("no signature"));
      return support.rejection(() => RectilinearArray.open(url, { fetch, retries: 0 }));
    }, url);
    assert.equal(error.name, "StoreError", error.message);
    assert.match(error.message, /no signature/);
  });

  test("missingStatuses: a bucket that says 403 for what it lacks", async () => {
    origin.intercept = answer(/c\/1\/2$/, 403);
    const value = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url, { missingStatuses: [403, 404] });
      return (await array.get([1, 12])).data[0];
    }, url);
    assert.equal(value, 0);
  });

  test("missingStatuses: 403 on all metadata is a NotFoundError", async () => {
    origin.intercept = answer(/./, 403);
    const error = await page.run(
      ({ RectilinearArray, support }, url) =>
        support.rejection(() => RectilinearArray.open(url, { missingStatuses: [403, 404] })),
      url,
    );
    assert.equal(error.name, "NotFoundError", error.message);
  });
});
