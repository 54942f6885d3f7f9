/**
 * Every array of the oracle, read over HTTP in a page, equals what zarr-python reads. Its chunks are
 * fetched once and kept; the tests of stores and of Node read without a cache.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "./support/chromium.mjs";
import { oracle } from "./support/paths.mjs";

const entries = [...(await oracle("index.json")), ...(await oracle("index-filters.json"))];

describe("arrays over HTTP", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const entry of entries) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const failures = await page.run(async ({ RectilinearArray, support }, entry) => {
        const bytes = new Uint8Array(await (await fetch(`/data/${entry.expected}`)).arrayBuffer());
        const url = new URL(`/data/${entry.path}`, location.href).href;
        return support.compareEntry(RectilinearArray, url, entry, bytes, { cacheBytes: 1 << 24 });
      }, entry);
      assert.deepEqual(failures, []);
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
