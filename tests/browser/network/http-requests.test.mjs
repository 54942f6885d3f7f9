/** Requests of reads: how many, how much at once, and the events that callers have of them. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { pageAndOrigin } from "../support/opened.mjs";
import { answer, pathOf } from "../support/origin.mjs";

describe("requests over HTTP", () => {
  let page;
  let origin;
  let url;
  pageAndOrigin((opened) => {
    ({ page, origin } = opened);
    url = `${origin.url}/rectilinear-lists.zarr`;
  });

  test("a selection asks for the chunks that it meets, once each, and for nothing else", async () => {
    await page.run(async ({ RectilinearArray }, url) => {
      await (await RectilinearArray.open(url)).get([{ start: 0, stop: 2, step: null }, 12]);
    }, url);
    const asked = origin.requests.map((request) => pathOf(request).replace("/rectilinear-lists.zarr/", ""));
    assert.deepEqual(asked.sort(), ["c/0/2", "c/1/2", "zarr.json"]);
  });

  test("stale chunks past the extent are never asked for", async () => {
    await page.run(async ({ RectilinearArray }, url) => {
      await (await RectilinearArray.open(url)).get();
    }, `${origin.url}/shrunk-chunks-stale.zarr`);
    const asked = origin.requests.map((request) => pathOf(request).replace("/shrunk-chunks-stale.zarr/", ""));
    assert.deepEqual(asked.sort(), ["c/0/0", "c/0/1", "zarr.json"]);
  });

  test("cacheBytes keeps decoded chunks, and what was missing, for the next read", async () => {
    origin.intercept = answer(/c\/1\/2$/, 404);
    const same = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url, { cacheBytes: 1 << 20 });
      const first = await array.get();
      const second = await array.get();
      return first.data !== second.data && first.data.join() === second.data.join();
    }, url);
    assert.equal(same, true);
    assert.equal(origin.requests.length, 13);
  });

  test("maxChunkBytes refuses a larger chunk, of which two bytes are asked for", async () => {
    const error = await page.run(async ({ RectilinearArray, support }, url) => {
      const array = await RectilinearArray.open(url, { maxChunkBytes: 287 });
      await array.get([0]);
      // One chunk alone: a refusal aborts its neighbours' requests, which may not have come yet.
      return support.rejection(() => array.get([1, 14]));
    }, url);
    assert.equal(error.name, "UnsupportedError", error.message);
    assert.match(error.message, /maxChunkBytes/);
    const large = origin.requests.filter(({ url }) => url.endsWith("c/1/3"));
    assert.deepEqual(large.map(({ headers }) => headers.range), ["bytes=0-1"]);
  });

  test("concurrency bounds the requests in flight", async () => {
    const flying = [];
    let most = 0;
    origin.intercept = (request, response) => {
      if (request.url.endsWith("zarr.json")) return false;
      most = Math.max(most, flying.push(response));
      // Twelve chunks come in four rounds; one too many would arrive while a round waits.
      if (flying.length === 3) setTimeout(() => flying.splice(0).forEach((each) => each.writeHead(404).end()), 20);
      return true;
    };
    await page.run(async ({ RectilinearArray }, url) => {
      await (await RectilinearArray.open(url, { concurrency: 3 })).get();
    }, url);
    assert.equal(most, 3);
  });

  test("onProgress counts the chunks that a selection meets", async () => {
    const seen = await page.run(async ({ RectilinearArray }, url) => {
      const seen = [];
      const array = await RectilinearArray.open(url);
      await array.get([0], { onProgress: (progress) => seen.push(progress) });
      return seen;
    }, url);
    assert.deepEqual(seen.at(-1), { chunks: 4, totalChunks: 4, bytes: 22 * 4 });
    assert.deepEqual(seen.map(({ chunks }) => chunks), seen.map(({ chunks }) => chunks).sort((a, b) => a - b));
  });

  test("onRequest tells of every request", async () => {
    origin.intercept = answer(/c\/1\/2$/, 404);
    const infos = await page.run(async ({ RectilinearArray }, url) => {
      const infos = [];
      const array = await RectilinearArray.open(url, { onRequest: (info) => infos.push(info) });
      await array.get([{ start: 0, stop: 2, step: null }, 12]);
      return infos;
    }, url);
    const byKey = Object.fromEntries(infos.map((info) => [info.key.replace(/^.*?(zarr\.json|c\/.*)$/, "$1"), info]));
    assert.deepEqual(Object.keys(byKey).sort(), ["c/0/2", "c/1/2", "zarr.json"]);
    assert.equal(byKey["c/0/2"].status, 200);
    assert.equal(byKey["c/0/2"].bytes, 12);
    assert.equal(byKey["c/1/2"].status, 404);
    assert.ok(byKey["c/0/2"].ms >= 0);
  });

  test("onRequest tells the status of a request that was refused", async () => {
    origin.intercept = answer(/c\/1\/2$/, 403);
    const infos = await page.run(async ({ RectilinearArray, support }, url) => {
      const infos = [];
      const array = await RectilinearArray.open(url, { onRequest: (info) => infos.push(info) });
      await support.rejection(() => array.get([1, 12]));
      return infos;
    }, url);
    // What comes after it tells the refusal from a missing chunk.
    assert.deepEqual(infos.slice(0, 2).map(({ key, status }) => [key, status]), [["zarr.json", 200], ["c/1/2", 403]]);
  });

  test("an onRequest that throws fails no read", async () => {
    const value = await page.run(async ({ RectilinearArray }, url) => {
      const onRequest = () => {
        throw new Error("broken listener");
      };
      return (await (await RectilinearArray.open(url, { onRequest })).get([0, 0])).data[0];
    }, url);
    assert.equal(value, 1);
  });
});
