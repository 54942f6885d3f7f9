/** Every array that TensorStore wrote reads as TensorStore reads it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "./support/chromium.mjs";
import { oracle } from "./support/paths.mjs";

const entries = await oracle("index-tensorstore.json");

describe("arrays of TensorStore", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const entry of entries) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const failures = await page.run(async ({ RectilinearArray, support }, entry) => {
        const url = new URL(`/data/${entry.path}`, location.href).href;
        // Types that no typed array holds as they are stored have their elements in the index.
        if ("class" in entry) return support.compareElements(RectilinearArray, url, entry);
        const bytes = new Uint8Array(await (await fetch(`/data/${entry.expected}`)).arrayBuffer());
        return support.compareEntry(RectilinearArray, url, entry, bytes);
      }, entry);
      assert.deepEqual(failures, []);
    });
  }
});
