/** Stores of every kind, asked in batches: whatever way a value comes, the read gives what it gives from a Map. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";

import { FIXTURES, PACKAGE } from "../support/paths.mjs";

const { RectilinearArray } = await import(join(PACKAGE, "node.js"));

/** The files of a fixture, by key. */
async function filesOf(name) {
  const root = join(FIXTURES, name);
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const files = found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return new Map(await Promise.all(files.map(async (file) => [file.slice(root.length), Uint8Array.from(await readFile(file))])));
}

/** A part of a value, as `getRange` is asked for it. */
function part(value, { offset, length, suffixLength }) {
  if (!value) return undefined;
  return suffixLength === undefined ? value.subarray(offset, offset + length) : value.subarray(value.length - suffixLength);
}

const isOdd = (key) => key.charCodeAt(key.length - 1) % 2 === 1;
const later = (value) => new Promise((resolve) => setTimeout(resolve, 0, value));
const shared = (value) => {
  const bytes = new Uint8Array(new SharedArrayBuffer(value.length + 3), 3);
  bytes.set(value);
  return bytes;
};

/** How a value is given: by name, what `get` makes of it. */
const WAYS = {
  "at once": (value) => value,
  "with a promise": async (value) => value,
  "with a promise that takes a turn": later,
  "with a promise now and then": (value, key) => (isOdd(key) ? value : later(value)),
  "with an object that has then": (value) => ({ then: (resolve) => resolve(value) }),
  "as an ArrayBuffer": (value) => value?.slice().buffer,
  "as a Buffer": (value) => value && Buffer.from(value),
  "as a view of shared memory": (value) => value && shared(value),
  "as null where there is none": (value) => value ?? null,
};

/** A store that gives values that way, with and without parts. */
function stores(files, way) {
  const get = (key) => way(files.get(key), key);
  return { "get alone": { get }, "get and getRange": { get, getRange: (key, range) => way(part(files.get(key), range), key) } };
}

const OPTIONS = [{}, { workers: 0, cacheBytes: 0 }, { cacheBytes: 1 << 12 }, { concurrency: 1 }];
const SELECTIONS = { "float64-regular.zarr": [null, [{ start: 1, stop: 6 }, { start: 0, stop: null, step: 2 }], [3, null], [[5, 0, 2], null]] };
const ARRAYS = ["float64-regular.zarr", "rectilinear-mixed.zarr", "codec-zstd.zarr", "sharded-mixed.zarr", "sharded-nested.zarr", "blosc-blocks.zarr", "empty-chunks-dropped.zarr"];

describe("stores of every kind", () => {
  for (const name of ARRAYS) {
    for (const [how, way] of Object.entries(WAYS)) {
      test(`${name} ${how}`, async () => {
        const files = await filesOf(name);
        const fromMap = await RectilinearArray.open(files, { workers: 0, cacheBytes: 0 });
        for (const selection of SELECTIONS[name] ?? [null]) {
          const expected = await fromMap.get(selection);
          for (const [kind, store] of Object.entries(stores(files, way))) {
            for (const options of OPTIONS) {
              let [requests, chunks] = [0, 0];
              const array = await RectilinearArray.open(store, { ...options, onRequest: () => requests++ });
              const silent = await RectilinearArray.open(store, options);
              const onProgress = (progress) => (chunks = progress);
              const reads = [array.get(selection, { onProgress }), silent.get(selection), silent.get(selection, { order: "center" })];
              for (const { data, shape } of await Promise.all(reads)) assert.deepEqual([shape, data], [expected.shape, expected.data], `${kind} ${JSON.stringify(options)}`);
              assert.deepEqual((await silent.get(selection)).data, expected.data, "again");
              assert.ok(requests > 0, "requests are told");
              assert.equal(chunks.chunks, chunks.totalChunks);
            }
          }
        }
      });
    }
  }
});

/** 64 chunks of four bytes, of which the n-th is full of n. */
function chunks() {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [256],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes" }],
    fill_value: 0,
  };
  const files = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
  for (let nth = 0; nth < 64; nth++) files.set(`/c/${nth}`, new Uint8Array(4).fill(nth));
  return files;
}

const whole = Uint8Array.from({ length: 256 }, (_, i) => i >> 2);

describe("a store with promises", () => {
  for (const step of [0, 5]) {
    test(`has no more calls in flight than concurrency says, whoever reads, and where each look at the clock takes ${step} ms`, async (t) => {
      const files = chunks();
      let [inFlight, most, ms] = [0, 0, performance.now()];
      let fill;
      const full = new Promise((done) => (fill = done));
      const get = async (key) => {
        most = Math.max(most, ++inFlight);
        if (inFlight === 5) fill();
        // The first calls wait for each other, however long each takes to come.
        if (key.startsWith("/c/")) await full;
        await later();
        inFlight--;
        return files.get(key);
      };
      const array = await RectilinearArray.open({ get }, { concurrency: 5, cacheBytes: 0 });
      if (step > 0) t.mock.method(performance, "now", () => (ms += step));
      const [first, second, part] = await Promise.all([array.get(), array.get(), array.get([{ start: 9, stop: 100 }])]);
      assert.deepEqual([first.data, second.data, part.data], [whole, whole, whole.slice(9, 100)]);
      assert.equal(most, 5);
      assert.equal(inFlight, 0);
    });
  }

  test("is asked once for a chunk that several reads want at one time", async () => {
    const files = chunks();
    const asked = [];
    const array = await RectilinearArray.open({ get: (key) => (asked.push(key), later(files.get(key))) }, { cacheBytes: 0 });
    await Promise.all([array.get(), array.get(), array.get([{ start: 9, stop: 100 }])]);
    assert.equal(asked.length, new Set(asked).size);
  });

  test("is asked once for each chunk where it begins to answer with promises in the middle of a row", async () => {
    const files = chunks();
    for (const first of [0, 1, 7, 31, 32, 63]) {
      const asked = [];
      const get = (key) => {
        asked.push(key);
        const nth = Number(key.split("/").at(-1));
        return nth >= first ? later(files.get(key)) : files.get(key);
      };
      const array = await RectilinearArray.open({ get }, { cacheBytes: 0 });
      assert.deepEqual((await array.get()).data, whole);
      assert.deepEqual(asked.slice(1).sort(), [...files.keys()].slice(1).sort(), `from ${first} on`);
    }
  });

  test("goes on for who still waits when another one aborts, and is told when nobody does", async () => {
    const files = chunks();
    const signals = new Map();
    const open = [];
    const get = (key, { signal }) => {
      if (key === "/zarr.json") return files.get(key);
      signals.set(key, signal);
      return new Promise((resolve, reject) => {
        open.push(() => resolve(files.get(key)));
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    };
    const array = await RectilinearArray.open({ get }, { concurrency: 64 });
    const [one, other] = [new AbortController(), new AbortController()];
    const aborted = array.get([{ start: 0, stop: 8 }], { signal: one.signal });
    const kept = array.get([{ start: 4, stop: 12 }], { signal: other.signal });
    await later();
    one.abort(new Error("enough"));
    await assert.rejects(aborted, /enough/);
    assert.deepEqual([...signals].map(([key, signal]) => [key, signal.aborted]), [["/c/0", true], ["/c/1", false], ["/c/2", false]]);
    open.forEach((settle) => settle());
    assert.deepEqual((await kept).data, whole.subarray(4, 12));
    const late = array.get([{ start: 40, stop: 44 }], { signal: other.signal });
    await later();
    other.abort();
    await assert.rejects(late, { name: "AbortError" });
    assert.equal(signals.get("/c/10").aborted, true);
  });

  test("fails a read by the key that failed, at once, and no other read", async () => {
    const files = chunks();
    let release;
    const held = new Promise((resolve) => (release = resolve));
    const get = (key) => {
      if (key === "/c/7") return Promise.reject(new Error("the disk is on fire"));
      return key === "/c/0" ? held.then(() => files.get(key)) : later(files.get(key));
    };
    const array = await RectilinearArray.open({ get });
    const fine = array.get([{ start: 0, stop: 24 }]);
    // The first chunk never comes before the failure is told.
    await assert.rejects(array.get(), { name: "StoreError", key: "/c/7" });
    release();
    assert.deepEqual((await fine).data, whole.subarray(0, 24));
    assert.deepEqual((await array.get([{ start: 32, stop: null }])).data, whole.subarray(32));
  });
});

describe("a row of chunks of a store with promises", () => {
  /** A store whose calls wait until `open` lets them go, and which notes who was aborted. */
  const held = (files) => {
    const calls = new Map();
    const get = (key, { signal }) => {
      if (key === "/zarr.json") return files.get(key);
      return new Promise((resolve, reject) => {
        calls.set(key, { signal, open: () => resolve(files.get(key)) });
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    };
    return { get, calls };
  };

  /** Waits until a store was called so many times. */
  const called = async (calls, times) => {
    for (let turns = 0; calls.size < times && turns < 1000; turns++) await later();
    assert.equal(calls.size, times);
  };

  test("is parted where another read wants some of it: an abort drops the other chunks alone, queued or in flight", async () => {
    const { get, calls } = held(chunks());
    const array = await RectilinearArray.open({ get }, { concurrency: 8, cacheBytes: 0 });
    const controller = new AbortController();
    const aborted = array.get(null, { signal: controller.signal });
    await called(calls, 8);
    calls.get("/c/0").open();
    await called(calls, 9);
    assert.deepEqual([...calls.keys()], Array.from({ length: 9 }, (_, nth) => `/c/${nth}`));
    // Two chunks in flight, and two that are queued.
    const [front, back] = [array.get([{ start: 12, stop: 20 }]), array.get([{ start: 40, stop: 48 }])];
    await later();
    controller.abort(new Error("enough"));
    await assert.rejects(aborted, /enough/);
    await called(calls, 11);
    const states = [...calls].map(([key, { signal }]) => `${key.slice(3)}${signal.aborted ? " aborted" : ""}`);
    assert.deepEqual(states, ["0", "1 aborted", "2 aborted", "3", "4", "5 aborted", "6 aborted", "7 aborted", "8 aborted", "10", "11"]);
    for (const { open } of calls.values()) open();
    assert.deepEqual((await front).data, whole.subarray(12, 20));
    assert.deepEqual((await back).data, whole.subarray(40, 48));
  });

  test("is decoded as one, and each of its chunks is kept: any part of it is read again without a call", async () => {
    const files = chunks();
    files.delete("/c/9");
    const expected = whole.map((value) => (value === 9 ? 0 : value));
    const asked = [];
    const array = await RectilinearArray.open({ get: async (key) => (asked.push(key), files.get(key)) });
    // A part that lies in the middle of what comes later.
    await array.get([{ start: 80, stop: 96 }]);
    assert.deepEqual((await array.get()).data, expected);
    assert.equal(asked.length, 65);
    for (let start = 0; start < 256; start += 4) {
      assert.deepEqual((await array.get([{ start, stop: start + 4 }])).data, expected.subarray(start, start + 4));
    }
    assert.deepEqual((await array.get([{ start: 13, stop: 111 }])).data, expected.subarray(13, 111));
    assert.deepEqual((await array.get()).data, expected);
    assert.deepEqual(asked.slice(1).sort(), Array.from({ length: 64 }, (_, nth) => `/c/${nth}`).sort());
  });

  test("fails with the key of the chunk that failed, and only the reads that want that chunk", async () => {
    const files = chunks();
    const get = async (key) => {
      await later();
      if (key === "/c/21") throw new Error("no luck");
      return files.get(key);
    };
    const array = await RectilinearArray.open({ get }, { cacheBytes: 0 });
    const [all, beside, other] = [array.get(), array.get([{ start: 88, stop: 256 }]), array.get([{ start: 80, stop: 88 }])];
    await Promise.all([all, other].map((read) => assert.rejects(read, { name: "StoreError", key: "/c/21" })));
    assert.deepEqual((await beside).data, whole.subarray(88));
  });

  test("has each of its requests reported once, but those that nobody waits for any more", async () => {
    const { get, calls } = held(chunks());
    const reported = [];
    const array = await RectilinearArray.open({ get }, { concurrency: 4, onRequest: (request) => reported.push(request) });
    const controller = new AbortController();
    const aborted = array.get(null, { signal: controller.signal });
    for (let nth = 0; nth < 4; nth++) {
      await called(calls, 4 + nth);
      calls.get(`/c/${nth}`).open();
    }
    await called(calls, 8);
    controller.abort();
    await assert.rejects(aborted, { name: "AbortError" });
    await later();
    const said = reported.slice(1).map(({ key, method, bytes, ms, range }) => [key, method, bytes, ms >= 0, range]);
    assert.deepEqual(said, [0, 1, 2, 3].map((nth) => [`c/${nth}`, "GET", 4, true, undefined]));
  });

  test("gives right values to many reads that overlap, abort and fail, and asks for no chunk twice at one time", async () => {
    let seed = 7;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    for (const options of [{ concurrency: 3, cacheBytes: 0 }, { concurrency: 24 }, { concurrency: 64, cacheBytes: 256 }]) {
      const files = chunks();
      const [inFlight, broken] = [new Set(), new Set()];
      let most = 0;
      const get = async (key, { signal }) => {
        assert.ok(!inFlight.has(key), `${key} is asked for again while it is on its way`);
        inFlight.add(key);
        most = Math.max(most, inFlight.size);
        signal.addEventListener("abort", () => inFlight.delete(key));
        for (let turns = random(4); turns > 0; turns--) await later();
        inFlight.delete(key);
        if (broken.has(key)) throw new Error("no luck");
        return files.get(key);
      };
      const array = await RectilinearArray.open({ get }, options);
      for (let round = 0; round < 40; round++) {
        broken.clear();
        if (round % 4 === 3) broken.add(`/c/${random(64)}`);
        const reads = Array.from({ length: 1 + random(6) }, async () => {
          for (let turns = random(3); turns > 0; turns--) await later();
          const start = random(256);
          const stop = start + 1 + random(256 - start);
          const controller = new AbortController();
          const isAborted = random(4) === 0;
          if (isAborted) setTimeout(() => controller.abort(), random(4));
          const touched = [...broken].some((key) => Number(key.slice(3)) >= start >> 2 && Number(key.slice(3)) <= (stop - 1) >> 2);
          const read = random(5) ? array.get([{ start, stop }], { signal: controller.signal }) : array.get([{ start, stop }], { signal: controller.signal, order: "center" });
          try {
            assert.deepEqual((await read).data, whole.subarray(start, stop));
          } catch (error) {
            if (isAborted && error.name === "AbortError") return;
            assert.equal(error.name, "StoreError", error.stack);
            assert.ok(touched && broken.has(error.key), `${error.key} failed a read from ${start} to ${stop}`);
          }
        });
        await Promise.all(reads);
      }
      await later();
      assert.ok(most <= options.concurrency, `${most} in flight`);
      assert.equal(inFlight.size, 0);
    }
  });

  test("is read in pieces where its chunks are, whatever the gap", async () => {
    const metadata = JSON.parse(new TextDecoder().decode(chunks().get("/zarr.json")));
    Object.assign(metadata, { shape: [8, 64], chunk_grid: { name: "regular", configuration: { chunk_shape: [8, 8] } } });
    const files = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
    for (let nth = 0; nth < 8; nth++) files.set(`/c/0/${nth}`, Uint8Array.from({ length: 64 }, (_, i) => i + nth));
    const selection = [{ start: 2, stop: 3 }, null];
    const expected = (await (await RectilinearArray.open(files)).get(selection)).data;
    for (const way of ["at once", "with a promise"]) {
      const store = stores(files, WAYS[way])["get and getRange"];
      for (const coalesceGap of [0, 16, 1024]) {
        const array = await RectilinearArray.open(store, { coalesceGap, workers: 0, cacheBytes: 0 });
        assert.deepEqual((await array.get(selection)).data, expected, `${way}, ${coalesceGap}`);
      }
    }
  });
});

describe("a store that fails", () => {
  for (const [what, get, message] of [
    ["throws", () => { throw new Error("no luck"); }, /no luck/],
    ["rejects", async () => { throw new Error("no luck"); }, /no luck/],
    ["answers with text", () => "bytes", /answered with/],
    ["answers with a promise of a number", async () => 7, /answered with/],
    ["has a then that throws", () => ({ get then() { throw new Error("no luck"); } }), /no luck/],
  ]) {
    test(`${what}: a StoreError by name`, async () => {
      const files = chunks();
      const array = await RectilinearArray.open({ get: (key) => (key === "/c/3" ? get() : files.get(key)) });
      const error = await array.get().then(() => undefined, (error) => error);
      assert.deepEqual([error?.name, error?.key], ["StoreError", "/c/3"]);
      assert.match(error.message, message);
      assert.deepEqual((await array.get([{ start: 0, stop: 12 }])).data, whole.subarray(0, 12));
    });
  }

  test("a getRange that gives fewer bytes than asked for is a StoreError", async () => {
    const files = await filesOf("sharded-mixed.zarr");
    const getRange = (key, range) => part(files.get(key), range)?.subarray(1);
    const array = await RectilinearArray.open({ get: (key) => files.get(key), getRange });
    await assert.rejects(array.get(), { name: "StoreError" });
  });

  test("bytes that were transferred after they were kept are asked for again", async () => {
    const files = chunks();
    const given = [];
    const get = (key) => {
      const bytes = files.get(key)?.slice();
      if (key !== "/zarr.json") given.push(bytes);
      return bytes;
    };
    const array = await RectilinearArray.open({ get });
    const read = () => array.get([{ start: 0, stop: 8 }]);
    await read();
    assert.equal(given.length, 2);
    await read();
    assert.equal(given.length, 2, "they are kept");
    structuredClone(given[0], { transfer: [given[0].buffer] });
    assert.deepEqual((await read()).data, whole.subarray(0, 8));
    assert.equal(given.length, 3);
  });

  test("a progress listener that throws ends its read, and no other", async () => {
    const files = chunks();
    const array = await RectilinearArray.open({ get: async (key) => files.get(key) });
    const fine = array.get();
    const onProgress = () => {
      throw new Error("stop");
    };
    await assert.rejects(array.get(null, { onProgress }), /stop/);
    assert.deepEqual((await fine).data, whole);
  });
});
