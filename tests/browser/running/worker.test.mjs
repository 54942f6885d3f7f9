/** In a module worker, where neither a document nor an import map is at hand. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

describe("in a worker", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  test("reads an array", async () => {
    const answer = await page.run(async () => {
      const script = `
        import { RectilinearArray, slice } from "${location.origin}/pkg/index.js";
        const array = await RectilinearArray.open("${location.origin}/data/rectilinear-lists.zarr");
        const { data } = await array.get([1, slice(9, 12)]);
        postMessage([...data]);`;
      const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      const worker = new Worker(url, { type: "module" });
      return new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve(message);
      });
    });
    assert.deepEqual(answer, [32, 33, 34]);
  });
});
