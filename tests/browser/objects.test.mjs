/** What zarr-python does not write and numcodecs does: objects, ragged arrays and base64, element by element. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "./support/chromium.mjs";
import { oracle } from "./support/paths.mjs";

const entries = await oracle("index-objects.json");

describe("objects", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const entry of entries) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const failures = await page.run(({ RectilinearArray, support }, entry) => {
        const url = new URL(`/data/${entry.path}`, location.href).href;
        return support.compareElements(RectilinearArray, url, entry);
      }, entry);
      assert.deepEqual(failures, []);
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
