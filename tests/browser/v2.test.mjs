/** Arrays of Zarr v2, over HTTP in a page: what zarr-python reads of them, by bytes or by elements. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "./support/chromium.mjs";
import { oracle } from "./support/paths.mjs";

const entries = await oracle("index-v2.json");

describe("arrays of Zarr v2", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const entry of entries) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const failures = await page.run(async ({ RectilinearArray, support }, entry) => {
        const url = new URL(`/data/${entry.path}`, location.href).href;
        if (entry.class) return support.compareElements(RectilinearArray, url, entry);
        const bytes = new Uint8Array(await (await fetch(`/data/${entry.expected}`)).arrayBuffer());
        return support.compareEntry(RectilinearArray, url, entry, bytes, { cacheBytes: 1 << 24 });
      }, entry);
      assert.deepEqual(failures, []);
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
