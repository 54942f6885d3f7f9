/** Every array of the oracle, in WebKit, and the file that its pages and their workers load the module from. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../browser/support/chromium.mjs";
import { readsTheOracle } from "../browser/support/oracle.mjs";
import { launch } from "../browser/support/webkit.mjs";

await readsTheOracle(launch);

describe("the module in one file", () => {
  let page;
  before(async () => (page = await openPage({}, { browse: launch })));
  after(() => page?.close());

  /** Names of the module's files that were asked for. */
  const files = () => page.site.requests.map(({ url }) => /\/(rectilinear_zarr_(?:\w+_)?bg\.wasm)$/.exec(url)?.[1]).filter(Boolean);

  test("a page loads it, and no part", async () => {
    const length = await page.run(async ({ RectilinearArray }) => (await (await RectilinearArray.open("/data/int16-regular.zarr")).get()).data.length);
    assert.ok(length > 0);
    assert.deepEqual(files(), ["rectilinear_zarr_whole_bg.wasm"]);
  });

  test("a worker of the page loads it, and no part", async () => {
    page.site.requests.length = 0;
    const length = await page.run(async () => {
      // Import maps do not reach workers.
      const code = `const { RectilinearArray } = await import("${location.origin}/pkg/index.js");
        const array = await RectilinearArray.open("${location.origin}/data/int16-regular.zarr");
        postMessage((await array.get()).data.length);`;
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
      return new Promise((done, fail) => {
        worker.onmessage = ({ data }) => done(data);
        worker.onerror = ({ message }) => fail(new Error(message));
      });
    });
    assert.ok(length > 0);
    assert.deepEqual(new Set(files()), new Set(["rectilinear_zarr_whole_bg.wasm"]));
  });
});
