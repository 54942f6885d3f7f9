/** Values that are kept, and for how long: refresh() after an append, the cache that arrays share, the cache beyond the page. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { allow, listen } from "../support/server.mjs";

/** One axis of days in chunks of five, in which each append writes the last chunk anew. */
function archive(days) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [days],
    data_type: "int32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [5] } },
    chunk_key_encoding: { name: "default" },
    fill_value: -1,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  };
  const files = { "/a/zarr.json": Buffer.from(JSON.stringify(document)) };
  for (let chunk = 0; chunk * 5 < days; chunk++) {
    const values = Int32Array.from({ length: 5 }, (_, i) => (chunk * 5 + i < days ? chunk * 5 + i : -9));
    files[`/a/c/${chunk}`] = Buffer.from(values.buffer);
  }
  return files;
}

describe("what is kept", () => {
  let page;
  let origin;
  let files;
  let keeping;
  let url;
  let tests = 0;
  before(async () => {
    page = await openPage();
    // A host that answers conditional requests.
    origin = await listen((request, response) => {
      if (allow(request, response)) return;
      const bytes = files[request.url.replace(/^\/\d+/, "")];
      if (!bytes) return response.writeHead(404).end();
      const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
      response.setHeader("Cache-Control", keeping).setHeader("ETag", etag);
      if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
      response.writeHead(200).end(bytes);
    });
  });
  beforeEach(() => {
    files = archive(7);
    keeping = "max-age=3600";
    origin.requests.length = 0;
    // What the browser keeps of one test is not another's.
    url = `${origin.url}/${++tests}/a`;
  });
  after(() => Promise.all([page?.close(), origin?.close()]));

  test("after an append refresh() sees it, and no stale edge chunk", async () => {
    await page.run(async ({ RectilinearArray }, url) => {
      globalThis.array = await RectilinearArray.open(url);
      globalThis.early = [...(await globalThis.array.get()).data];
    }, url);
    files = archive(9);
    const found = await page.run(async () => {
      const { array, early } = globalThis;
      const unchanged = [...(await array.get()).data];
      const changed = await array.refresh();
      const late = [...(await array.get()).data];
      return { early, unchanged, changed, shape: array.shape, late, again: await array.refresh() };
    });
    const days = (count) => Array.from({ length: count }, (_, day) => day);
    assert.deepEqual(found, {
      early: days(7),
      unchanged: days(7),
      changed: true,
      shape: [9],
      late: days(9),
      again: false,
    });
    // The chunk that did not change was asked for again with a condition, and not sent again.
    const first = origin.requests.filter(({ url }) => url.endsWith("/a/c/0"));
    assert.equal(first.length, 2);
    assert.ok(first[1].headers["if-none-match"]);
  });

  test("a chunk that was rewritten under the same metadata is seen after refresh()", async () => {
    const value = await page.run(async ({ RectilinearArray }, url) => {
      globalThis.array = await RectilinearArray.open(url);
      return (await globalThis.array.get([0])).data[0];
    }, url);
    assert.equal(value, 0);
    files["/a/c/0"] = Buffer.from(Int32Array.of(77, 1, 2, 3, 4).buffer);
    const after = await page.run(async () => {
      const changed = await globalThis.array.refresh();
      return [changed, (await globalThis.array.get([0])).data[0]];
    });
    assert.deepEqual(after, [false, 77]);
  });

  test("a refresh that fails leaves the array as it was", async () => {
    const found = await page.run(async ({ RectilinearArray }, url) => {
      globalThis.array = await RectilinearArray.open(url);
      return globalThis.array.shape;
    }, url);
    files = {};
    const error = await page.run(async ({ support }) => support.rejection(() => globalThis.array.refresh()));
    assert.equal(error.name, "NotFoundError");
    assert.deepEqual(await page.run(async () => globalThis.array.shape), found);
  });

  test("persist keeps bytes beyond the page's life, until refresh()", async () => {
    keeping = "no-store";
    const read = () =>
      page.run(async ({ RectilinearArray }, url) => {
        globalThis.array = await RectilinearArray.open(url, { persist: "archive" });
        const region = await globalThis.array.get();
        // What is kept is written in nobody's way; wait for it.
        const cache = await caches.open("archive");
        while ((await cache.keys()).length < 2) await new Promise((done) => setTimeout(done, 5));
        return [...region.data];
      }, url);
    assert.deepEqual(await read(), [0, 1, 2, 3, 4, 5, 6]);
    files = { ...archive(9), "/a/zarr.json": files["/a/zarr.json"] };
    await page.renew();
    assert.deepEqual(await read(), [0, 1, 2, 3, 4, 5, 6]);
    assert.equal(origin.requests.filter(({ url }) => url.includes("/c/")).length, 2);
    files = archive(9);
    const late = await page.run(async () => {
      await globalThis.array.refresh();
      return [...(await globalThis.array.get()).data];
    });
    assert.deepEqual(late, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("persist keeps no list of references, which may be another one after the page", async () => {
    keeping = "no-store";
    const listed = (days) => {
      const all = archive(days);
      const chunks = Object.keys(all).filter((path) => path.includes("/c/")).map((path) => [path.slice("/a/".length), [path.slice(1)]]);
      return { ...all, "/list.json": Buffer.from(JSON.stringify({ version: 1, refs: { "zarr.json": String(all["/a/zarr.json"]), ...Object.fromEntries(chunks) } })) };
    };
    const read = () =>
      page.run(async ({ RectilinearArray }, list) => {
        const array = await RectilinearArray.open(list, { persist: "lists" });
        const { data } = await array.get();
        const cache = await caches.open("lists");
        while ((await cache.keys()).length < 2) await new Promise((done) => setTimeout(done, 5));
        return { length: data.length, kept: (await cache.keys()).filter(({ url }) => url.includes(".json")).length };
      }, url.replace(/a$/, "list.json"));
    files = listed(7);
    assert.deepEqual(await read(), { length: 7, kept: 0 });
    files = listed(9);
    await page.renew();
    assert.deepEqual(await read(), { length: 9, kept: 0 });
  });
});
