/** Aborting and freeing: the caller's own reason comes back, and nobody else is hurt. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { until } from "../support/network.mjs";
import { pageAndOrigin } from "../support/opened.mjs";

/** Hold back the answers to requests that match, until `release` answers them all with `items`. */
function hold(pattern) {
  const held = [];
  const intercept = (request, response) => {
    if (!pattern.test(request.url) || intercept.open) return false;
    response.on("close", () => (intercept.closed += 1));
    held.push(response);
    return true;
  };
  intercept.held = () => held.length;
  intercept.open = false;
  intercept.closed = 0;
  intercept.release = async (items) => {
    await until(() => held.length > 0);
    for (const response of held) response.end(Buffer.from(Int32Array.from(items).buffer));
  };
  return intercept;
}

describe("aborts", () => {
  let page;
  let origin;
  let url;
  pageAndOrigin((opened) => {
    ({ page, origin } = opened);
    url = `${origin.url}/rectilinear-lists.zarr`;
  });

  test("before open", async () => {
    const found = await page.run(async ({ RectilinearArray }, url) => {
      const reason = { mine: true };
      const thrown = await RectilinearArray.open(url, { signal: AbortSignal.abort(reason) }).catch((e) => e);
      return thrown === reason;
    }, url);
    assert.equal(found, true);
  });

  test("during open", async () => {
    origin.intercept = hold(/zarr\.json/);
    const found = await page.run(async ({ RectilinearArray }, url) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      const thrown = await RectilinearArray.open(url, { signal: controller.signal }).catch((e) => e);
      return { same: thrown === controller.signal.reason, name: thrown.name };
    }, url);
    assert.deepEqual(found, { same: true, name: "AbortError" });
  });

  test("before get, with a reason that is no Error; the array stays usable", async () => {
    const found = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      const thrown = await array.get([0, 0], { signal: AbortSignal.abort("a word") }).catch((e) => e);
      return { thrown, after: (await array.get([0, 0])).data[0] };
    }, url);
    assert.deepEqual(found, { thrown: "a word", after: 1 });
  });

  test("during get; the request is dropped and the array stays usable", async () => {
    const holding = hold(/c\/1\/2/);
    origin.intercept = holding;
    await page.run(async ({ RectilinearArray }, url) => {
      globalThis.array = await RectilinearArray.open(url);
      globalThis.controller = new AbortController();
      globalThis.ending = globalThis.array.get(null, { signal: globalThis.controller.signal }).catch((e) => e);
    }, url);
    await until(() => holding.held() > 0);
    const found = await page.run(async () => {
      const reason = new Error("enough");
      globalThis.controller.abort(reason);
      return (await globalThis.ending) === reason;
    });
    assert.equal(found, true);
    await until(() => holding.closed === 1); // the request was dropped
    holding.open = true;
    const value = await page.run(async () => (await globalThis.array.get([9, 12])).data[0]);
    assert.equal(value, 9 * 22 + 12 + 1);
  });

  test("a timeout's reason", async () => {
    origin.intercept = hold(/c\/1\/2/);
    const name = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      return (await array.get(null, { signal: AbortSignal.timeout(50) }).catch((e) => e)).name;
    }, url);
    assert.equal(name, "TimeoutError");
  });

  test("one reader's abort does not fail another's read of the same chunk", async () => {
    const holding = hold(/c\/0\/0/);
    origin.intercept = holding;
    const first = await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      globalThis.second = array.get([0, 1]);
      return array.get([0, 0], { signal: controller.signal }).catch(() => "aborted");
    }, url);
    assert.equal(first, "aborted");
    await holding.release(new Array(10).fill(5));
    assert.equal(await page.run(async () => (await globalThis.second).data[0]), 5);
  });

  test("an abort after the end does nothing", async () => {
    const value = await page.run(async ({ RectilinearArray }, url) => {
      const controller = new AbortController();
      const array = await RectilinearArray.open(url, { signal: controller.signal });
      await array.get([0, 0], { signal: controller.signal });
      controller.abort();
      return (await array.get([0, 1])).data[0];
    }, url);
    assert.equal(value, 2);
  });

  test("free() during a get does not break it", async () => {
    const holding = hold(/c\/0\/1/);
    origin.intercept = holding;
    await page.run(async ({ RectilinearArray }, url) => {
      const array = await RectilinearArray.open(url);
      globalThis.region = array.get([0, { start: 8, stop: 12, step: null }]);
      globalThis.chunk = array.getChunk([0, 0]);
      array.free();
    }, url);
    await holding.release([11]);
    const found = await page.run(async () => [
      [...(await globalThis.region).data],
      [...(await globalThis.chunk).data].slice(0, 2),
    ]);
    assert.deepEqual(found, [[9, 10, 11, 12], [1, 2]]);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
