/** Rows of small chunks from stores with promises: each is requested once, and no more at once than `concurrency`. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";

import { PACKAGE } from "../support/paths.mjs";

const { RectilinearArray } = await import(join(PACKAGE, "node.js"));

const CHUNKS = 512;

/** A row of chunks of 2 x 4 bytes, of which the n-th is full of n, modulo 256. */
function chunks() {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [2, 4 * CHUNKS],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 4] } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes" }],
    fill_value: 0,
  };
  const files = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
  for (let nth = 0; nth < CHUNKS; nth++) files.set(`/c/0/${nth}`, new Uint8Array(8).fill(nth));
  return files;
}

/** Values of columns from `start` on. */
function columns(start, stop) {
  const row = Uint8Array.from({ length: stop - start }, (_, i) => (start + i) >> 2);
  return Uint8Array.of(...row, ...row);
}

/** Selection of columns. */
const from = (start, stop) => [null, { start, stop }];

const whole = columns(0, 4 * CHUNKS);
const later = () => new Promise((resolve) => setTimeout(resolve));
const numberOf = (key) => Number(key.split("/").at(-1));

/** How a store gives a value: by name, what `get` makes of it. */
const WAYS = {
  "a promise": async (value) => value,
  "a promise after some microtasks": async (value) => {
    for (let turns = 0; turns < 9; turns++) await undefined;
    return value;
  },
  "a promise for every other value": (value, nth) => (nth % 2 ? value : Promise.resolve(value)),
  "an object that has then": (value) => ({ then: (resolve) => resolve(value) }),
  "a promise, and late for every 50th value": async (value, nth) => {
    if (nth % 50 === 49) await later();
    return value;
  },
};

describe("a store", () => {
  for (const [how, way] of Object.entries(WAYS)) {
    for (const concurrency of [1, 5, 24]) {
      test(`that gives ${how} is called once for each value, ${concurrency} at once`, async () => {
        const files = chunks();
        let [inFlight, most] = [0, 0];
        const calls = [];
        const get = (key) => {
          calls.push(key);
          const answer = way(files.get(key), numberOf(key));
          if (typeof answer?.then !== "function") return answer;
          most = Math.max(most, ++inFlight);
          return { then: (resolve, reject) => answer.then((value) => (inFlight--, resolve(value)), reject) };
        };
        const requests = [];
        const array = await RectilinearArray.open({ get }, { concurrency, cacheBytes: 0, onRequest: ({ key }) => requests.push(`/${key}`) });
        const [all, some] = await Promise.all([array.get(), array.get(from(1000, 1100))]);
        assert.deepEqual(all.data, whole);
        assert.deepEqual(some.data, columns(1000, 1100));
        assert.equal(calls.length, CHUNKS + 1);
        assert.equal(new Set(calls).size, CHUNKS + 1);
        assert.deepEqual(requests.toSorted(), calls.toSorted());
        assert.equal(most, concurrency);
        assert.equal(inFlight, 0);
      });
    }
  }

  for (const [what, fail] of [["throws", (error) => { throw error; }], ["rejects", (error) => Promise.reject(error)]]) {
    test(`that ${what} for a value fails the reads of that value only`, async () => {
      const files = chunks();
      const get = (key) => (key === "/c/0/400" ? fail(new Error("no luck")) : Promise.resolve(files.get(key)));
      const array = await RectilinearArray.open({ get }, { concurrency: 3, cacheBytes: 0 });
      const [all, beside] = [array.get(), array.get(from(1604, 4 * CHUNKS))];
      await assert.rejects(all, { name: "StoreError", key: "/c/0/400" });
      assert.deepEqual((await beside).data, columns(1604, 4 * CHUNKS));
      assert.deepEqual((await array.get(from(0, 1600))).data, columns(0, 1600));
    });
  }
});

describe("a store that answers and then hangs", () => {
  /** A store that answers some calls for chunks; later calls go to `calls`, and hang until they are ended there. */
  const hanging = (files, answered) => {
    const calls = [];
    let count = 0;
    const get = async (key, options) => {
      if (key === "/zarr.json" || count++ < answered) return files.get(key);
      return new Promise((resolve) => calls.push({ nth: numberOf(key), signal: options.signal, end: () => resolve(files.get(key)) }));
    };
    return { get, calls };
  };

  const called = async (calls, count) => {
    for (let turns = 0; calls.length < count && turns < 1000; turns++) await later();
    assert.equal(calls.length, count);
  };

  test("is called for another read's values once those in flight are aborted, and never for those that were queued", async () => {
    const { get, calls } = hanging(chunks(), 100);
    const array = await RectilinearArray.open({ get }, { concurrency: 4, cacheBytes: 0 });
    const controller = new AbortController();
    const aborted = array.get(null, { signal: controller.signal });
    await called(calls, 4);
    assert.deepEqual(calls.map(({ nth }) => nth), [100, 101, 102, 103]);
    // The first read wants them too.
    const [near, far] = [array.get(from(440, 444)), array.get(from(2040, 2048))];
    await later();
    controller.abort(new Error("enough"));
    await assert.rejects(aborted, /enough/);
    await called(calls, 7);
    assert.deepEqual(calls.map(({ signal }) => signal.aborted), [true, true, true, true, false, false, false]);
    assert.deepEqual(calls.slice(4).map(({ nth }) => nth), [110, 510, 511]);
    calls.slice(4).forEach(({ end }) => end());
    assert.deepEqual((await near).data, columns(440, 444));
    assert.deepEqual((await far).data, columns(2040, 4 * CHUNKS));
    assert.equal(calls.length, 7);
  });

  test("is called for another read in turn, however many values the first read waits for", async () => {
    const { get, calls } = hanging(chunks(), 100);
    const array = await RectilinearArray.open({ get }, { concurrency: 4, cacheBytes: 0 });
    const large = array.get(from(0, 1600));
    await called(calls, 4);
    const small = array.get(from(2040, 2048));
    let nth = 0;
    for (let rounds = 0; rounds < 5; rounds++) {
      await later();
      for (const end = calls.length; nth < end; nth++) calls[nth].end();
    }
    const places = [510, 511].map((nth) => calls.findIndex((call) => call.nth === nth));
    assert.ok(places.every((place) => place >= 0 && place < 10), `${places}`);
    assert.deepEqual((await small).data, columns(2040, 2048));
    while (nth < 302) {
      await later();
      for (; nth < calls.length; nth++) calls[nth].end();
    }
    assert.deepEqual((await large).data, columns(0, 1600));
  });

  test("fails a value whose promise throws from then, and is called for the others as before", async () => {
    const files = chunks();
    const broken = () => Object.assign(Promise.resolve(), { then: () => { throw new Error("no luck"); } });
    let [inFlight, most, count] = [0, 0, 0];
    const get = (key) => {
      if (key === "/zarr.json") return Promise.resolve(files.get(key));
      if (count++ < 20) return broken();
      most = Math.max(most, ++inFlight);
      return Promise.resolve().then(() => (inFlight--, files.get(key)));
    };
    const array = await RectilinearArray.open({ get }, { concurrency: 4, cacheBytes: 0 });
    while (count < 20) await assert.rejects(array.get(), { name: "StoreError" });
    assert.deepEqual((await array.get()).data, whole);
    assert.equal(most, 4);
  });

  test("is called for the next value when a call ends, in the order of the chunks", async () => {
    const { get, calls } = hanging(chunks(), 100);
    const array = await RectilinearArray.open({ get }, { concurrency: 4, cacheBytes: 0 });
    const read = array.get();
    for (let nth = 0; nth < CHUNKS - 100; nth++) {
      await called(calls, Math.min(nth + 4, CHUNKS - 100));
      calls[nth].end();
    }
    assert.deepEqual((await read).data, whole);
    assert.deepEqual(calls.map(({ nth }) => nth), Array.from({ length: CHUNKS - 100 }, (_, nth) => 100 + nth));
  });
});

describe("options of calls", () => {
  test("are of one call each: a store may keep their signal, or change them", async () => {
    const files = chunks();
    const seen = new Set();
    const own = new AbortController().signal;
    const get = async (key, options) => {
      const nth = numberOf(key);
      assert.ok(!("mark" in options), "the mark of another call");
      assert.deepEqual(Object.keys(options), ["signal"]);
      if (nth % 3 === 0) options.mark = nth;
      if (nth % 3 === 1) {
        assert.ok(!seen.has(options.signal), "the signal of another call");
        seen.add(options.signal);
      }
      if (nth % 7 === 3) delete options.signal;
      if (nth % 7 === 4) options.signal = own;
      if (nth % 7 === 3) assert.equal(options.signal, undefined);
      if (nth % 7 === 4) assert.equal(options.signal, own);
      return files.get(key);
    };
    const array = await RectilinearArray.open({ get }, { concurrency: 4, cacheBytes: 0 });
    assert.deepEqual((await array.get()).data, whole);
    assert.equal(seen.size, 171);
  });
});
