/** Faults that may pass are tried again, as late as the host asks; what would be the same again is not. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { cut, first, on, status, wrongLength } from "../support/faults.mjs";
import { startNetwork } from "../support/network.mjs";
import { written } from "../support/written.mjs";

/** Timers may be a little early by another clock. */
const EARLY = 20;

const chunk = (rule) => on(/\/c\//, rule);

describe("repeated requests", () => {
  let network;
  let near;
  before(async () => {
    network = await startNetwork(new Map([
      ...written("plain", { shape: [16, 16], chunks: [4, 4] }),
      ...written("sharded", { shape: [16, 16], chunks: [16, 16], inner: [4, 4] }),
    ]));
    ({ near } = network);
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  /** The items of a selection, or the error. */
  const read = (name, selection, options = {}) =>
    network.run(
      async ({ RectilinearArray, support }, { name, selection, options }) => {
        let data;
        const error = await support.rejection(async () => {
          ({ data } = await (await RectilinearArray.open(`/near/${name}`, options)).get(selection));
        });
        return error ?? [...data];
      },
      { name, selection, options },
    );
  /** Milliseconds from each answer to the next request's start. */
  const gaps = () => {
    const log = near.log.filter(({ path }) => !path.endsWith("zarr.json"));
    return log.slice(1).map(({ start }, nth) => start - log[nth].answered);
  };

  for (const [what, fault] of [
    ["500", status(500)],
    ["503", status(503)],
    ["429", status(429)],
    ["a connection cut in the middle of the body", cut(7)],
    ["a connection cut before it", cut(0)],
    ["a body shorter than declared", wrongLength(10)],
  ]) {
    test(`${what}, and then the bytes`, async () => {
      near.rules = [chunk(first(1, fault))];
      assert.deepEqual(await read("plain", [5, 5]), [85]);
      assert.equal(near.asked().length, 2);
    });
  }

  test("faults of the document, of an index and of an inner chunk", async () => {
    near.rules = [first(1, status(502)), chunk(first(1, status(500))), on(/\/c\//, first(3, (exchange) => exchange.range?.includes("=-") || cut(3)(exchange)))];
    const all = Array.from({ length: 256 }, (_, at) => at);
    assert.deepEqual(await read("sharded", null), all);
  });

  test("each wait is longer than the one before, give or take a half", async () => {
    near.rules = [chunk(first(3, status(500)))];
    assert.deepEqual(await read("plain", [0, 1]), [1]);
    const waits = gaps();
    assert.equal(waits.length, 3);
    waits.forEach((wait, nth) => assert.ok(wait >= 100 * 2 ** nth - EARLY, `waits of ${waits} ms`));
  });

  for (const [how, header] of [["seconds", () => "1"], ["a date", () => new Date(Date.now() + 2000).toUTCString()]]) {
    test(`Retry-After in ${how} is heeded`, async () => {
      near.rules = [chunk(first(1, (exchange) => status(429, { "Retry-After": header() })(exchange)))];
      assert.deepEqual(await read("plain", [0, 1]), [1]);
      assert.ok(gaps()[0] >= 1000 - EARLY, `waited ${gaps()} ms`);
    });
  }

  test("a host that asks for more than a minute is not asked again", async () => {
    near.rules = [chunk(status(429, { "Retry-After": "61" }))];
    const error = await read("plain", [0, 0]);
    assert.deepEqual([error.name, error.status, near.asked().length], ["StoreError", 429, 1]);
  });

  for (const [options, requests] of [[{ retries: 0 }, 1], [{ retries: 1 }, 2], [{}, 4]]) {
    test(`${requests} failures are enough with ${JSON.stringify(options)}`, async () => {
      near.rules = [chunk(status(500))];
      const error = await read("plain", [0, 0], options);
      assert.deepEqual([error.name, error.status, near.asked().length], ["StoreError", 500, requests]);
      assert.match(error.key, /c\/0\/0$/);
    });
  }

  for (const code of [400, 401, 403, 405, 410, 416]) {
    test(`${code} is not asked for again`, async () => {
      near.rules = [chunk(status(code))];
      const error = await read("plain", [0, 0]);
      assert.deepEqual([error.name, error.status, near.asked().length], ["StoreError", code, 1]);
    });
  }

  test("404 is the fill value, at once", async () => {
    near.rules = [chunk(status(404))];
    assert.deepEqual(await read("plain", [5, 5]), [0]);
    assert.equal(near.asked().length, 1);
  });

  test("a body longer than declared is not taken for the chunk", async () => {
    near.rules = [chunk(wrongLength(-10))];
    const error = await read("plain", [0, 0], { retries: 0 });
    assert.ok(["StoreError", "CodecError"].includes(error.name), JSON.stringify(error));
    near.rules = [on(/\/c\//, (exchange) => exchange.range && wrongLength(-10)(exchange))];
    const ranged = await read("sharded", [0, 0], { retries: 0 });
    assert.ok(["StoreError", "CodecError"].includes(ranged.name), JSON.stringify(ranged));
  });

  test("a fetch of the caller's is asked again, with a request of its own", async () => {
    const found = await network.run(async ({ RectilinearArray }) => {
      const asked = [];
      const flaky = (request) => {
        asked.push(request);
        if (asked.length % 2 === 1) throw new TypeError("flaky");
        return fetch(request);
      };
      const array = await RectilinearArray.open("/near/sharded", { fetch: flaky });
      const { data } = await array.get([9, 9]);
      const seen = asked.map(({ url, headers, cache }) => [url.replace(/.*\/near\/sharded/, ""), headers.get("range"), cache]);
      return { value: data[0], distinct: new Set(asked).size, seen };
    });
    assert.deepEqual([found.value, found.distinct], [9 * 16 + 9, 6]);
    const expected = [["/zarr.json", null, "default"], ["/c/0/0", "bytes=-260", "no-store"], ["/c/0/0", "bytes=640-703", "no-store"]];
    assert.deepEqual(found.seen, expected.flatMap((request) => [request, request]));
  });
});
