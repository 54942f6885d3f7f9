/** Reductions in workers: statistics cross in place of chunks, and are the same to the bit; faults, aborts, and who joins. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { withHelpers } from "../support/with-helpers.mjs";

/** In the page: 12 chunks of 64 x 512 float32 with missing items, as two shapes of them, and bytes that cross. */
const HELPERS = `
  const { RectilinearArray, support } = _;
  const { spyOnWorkers, until } = await import("/support/gzipped.mjs");
  const { encoded } = await import("/support/encoded.mjs");
  const { reduce } = await import("rectilinear-zarr/answers");
  const spied = spyOnWorkers();
  /** Bytes of answers, where \`listen\` hears each worker. */
  const crossed = { bytes: 0, messages: 0 };
  const listen = () => {
    for (const worker of spied.workers) {
      if (worker.isHeard) continue;
      worker.isHeard = true;
      worker.addEventListener("message", ({ data }) => Array.isArray(data) && (crossed.bytes += data[0].length, crossed.messages++));
    }
  };
  const [times, rows, columns] = [12, 64, 512];
  const json = (value) => new TextEncoder().encode(JSON.stringify(value));
  const document = (shape, chunk_shape, data_type, dimension_names, more) => ({ zarr_format: 3, node_type: "array", shape, data_type, fill_value: 0, dimension_names, attributes: {}, chunk_grid: { name: "regular", configuration: { chunk_shape } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "gzip", configuration: { level: 1 } }], ...more });
  const value = (time, i) => ((time * 7919 + i * 104729) % 10007) / 7 - 400;
  const make = async (kind) => {
    const store = new Map([["/zarr.json", json({ zarr_format: 3, node_type: "group" })]]);
    const attributes = kind === "packed" ? { scale_factor: 0.01, add_offset: 3, _FillValue: -7 } : { _FillValue: -1e9 };
    const Items = kind === "packed" ? Int16Array : Float32Array;
    store.set("/t/zarr.json", json(document([times, rows, columns], [1, rows, columns], kind === "packed" ? "int16" : "float32", ["time", "lat", "lon"], { attributes })));
    for (let time = 0; time < times; time++) {
      const items = Items.from({ length: rows * columns }, (_, i) => (i % 13 === time ? (kind === "packed" ? -7 : -1e9) : value(time, i)));
      store.set("/t/c/" + time + "/0/0", await encoded(items.buffer, "gzip"));
    }
    for (const [name, count, units, at] of [["lat", rows, "degrees_north", (i) => i - 31.5], ["lon", columns, "degrees_east", (i) => i / 2], ["time", times, "days since 2024-01-15", (i) => 30 * i]]) {
      store.set("/" + name + "/zarr.json", json(document([count], [count], "float64", [name], { attributes: { units }, codecs: [{ name: "bytes", configuration: { endian: "little" } }] })));
      store.set("/" + name + "/c/0", new Uint8Array(Float64Array.from({ length: count }, (_, i) => at(i)).buffer));
    }
    return store;
  };
  /** The array, once a worker is ready, of a store that answers later. */
  const opened = async (store, options = {}) => {
    const array = await RectilinearArray.open({ get: async (key) => store.get(key) }, { path: "t", workers: 2, cacheBytes: 0, ...options });
    const before = spied.answered;
    if (array && options.workers !== 0) await until(async () => (await array.get(), spied.answered > before));
    listen();
    return array;
  };
  const bits = (answer) => Array.from(new BigUint64Array(Float64Array.from(answer.data, Number).buffer)).join();
`;

describe("reductions in workers", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  /** Runs in a page of its own, whose workers are its own. */
  async function run(body, args) {
    await page.renew();
    return page.run(withHelpers(HELPERS, body), args);
  }

  /* global bits, crossed, make, opened, reduce, spied, support, until */

  test("are the same to the bit as without workers, and send statistics in place of chunks", { timeout: 120_000 }, async () => {
    const found = await run(async (_) => {
      const how = ["mean", "std", "min", "argmax", "histogram", "sum", "count"];
      const asked = [
        {},
        { over: "time" },
        { over: ["lat", "lon"], weights: "area" },
        { by: "time.season", over: ["time", "lat"] },
        { skipna: false, over: ["time", "lon"] },
        { selection: { lat: { start: 60, stop: 3, step: -2 }, lon: { start: 5, stop: 500, step: null } } },
        { selection: { time: [5, 1, 7] }, decode: false },
        { by: { labels: Array.from({ length: 512 }, (_, i) => i % 5), dimension: "lon" } },
      ];
      const differing = [];
      const shares = {};
      for (const kind of ["plain", "packed"]) {
        const store = await make(kind);
        const [alone, array] = [await opened(store, { workers: 0 }), await opened(store)];
        for (const options of asked) {
          const more = { ...options, bins: 9, range: [-300, 300] };
          const right = await reduce(alone, how, more);
          const start = { ...crossed };
          let own = await reduce(array, how, more);
          // This thread decodes too, and may have decoded all of so few chunks.
          await until(async () => crossed.messages > start.messages || ((own = await reduce(array, how, more)), false));
          for (const name of how) if (bits(own[name]) !== bits(right[name])) differing.push(`${kind} ${JSON.stringify(options)} ${name}`);
          // Before a job comes back, its bytes are those of the chunk or of statistics.
          if (crossed.messages > start.messages) (shares[JSON.stringify(options)] ??= []).push((crossed.bytes - start.bytes) / (crossed.messages - start.messages));
        }
      }
      return { differing, shares, workers: spied.workers.length };
    });
    assert.deepEqual(found.differing, []);
    assert.equal(found.workers, 2);
    const { shares } = found;
    // A chunk has 128 KiB as float32, and 64 KiB packed; statistics of all its items have some hundred bytes, and a message
    // may have those of all twelve.
    assert.ok(shares["{}"].length === 2 && shares["{}"].every((bytes) => bytes < 12 * 1000), JSON.stringify(shares));
    // A map of each item's mean is as large as the chunk, which crosses then.
    assert.ok(shares['{"over":"time"}'].every((bytes) => bytes >= 65_536), JSON.stringify(shares));
  });

  test("chunks that are damaged fail as without workers, and the next reduction is right", async () => {
    const found = await run(async (_) => {
      const store = await make("plain");
      const [alone, array] = [await opened(store, { workers: 0 }), await opened(store)];
      const right = bits(await reduce(alone, "mean"));
      const good = store.get("/t/c/7/0/0");
      const bad = good.slice();
      bad[bad.length >> 1] ^= 0xff;
      store.set("/t/c/7/0/0", bad);
      const [one, other] = [await support.rejection(() => reduce(array, "mean")), await support.rejection(() => reduce(alone, "mean"))];
      store.set("/t/c/7/0/0", good);
      return { same: one.message === other.message, name: one.name, message: one.message, again: bits(await reduce(array, "mean")) === right };
    });
    assert.equal(found.name, "CodecError");
    assert.match(found.message, /c\/7\/0\/0/);
    assert.deepEqual([found.same, found.again], [true, true]);
  });

  test("items that do not fit their type are named as without workers", async () => {
    const found = await run(async (_) => {
      const store = await make("plain");
      const [alone, array] = [await opened(store, { workers: 0 }), await opened(store)];
      const told = async (array) => (await support.rejection(() => reduce(array, "mean", { as: "uint8", decode: false }))).message.replace(/item \d+ is \S+/, "an item");
      return [await told(alone), await told(array)];
    });
    assert.match(found[0], /which uint8 cannot hold/);
    assert.equal(found[1], found[0]);
  });

  test("an abort ends them, a worker that ends is replaced, and reads at the same time get chunks", async () => {
    const found = await run(async (_) => {
      const store = await make("plain");
      // The last chunk comes after the abort, whatever else is fast.
      let last = Promise.resolve();
      const waiting = { get: async (key) => (key.endsWith("/c/11/0/0") && (await last), store.get(key)) };
      const [alone, array] = [await opened(store, { workers: 0 }), await opened(waiting)];
      const [right, whole] = [bits(await reduce(alone, "mean")), (await alone.get()).data];
      const controller = new AbortController();
      let release;
      last = new Promise((done) => (release = done));
      let sent = spied.sent;
      const aborted = reduce(array, "mean", { signal: controller.signal }).catch((reason) => reason);
      await until(() => spied.sent > sent);
      controller.abort("enough");
      const reason = await aborted;
      release();
      // Each chunk is wanted by reads that want it itself, and by two reductions.
      const [one, data, other] = await Promise.all([reduce(array, "mean"), array.get(), reduce(array, "mean")]);
      sent = spied.sent;
      const reading = reduce(array, "mean");
      await until(() => spied.sent > sent);
      spied.workers[0].dispatchEvent(new ErrorEvent("error", { message: "unreachable", cancelable: true }));
      const after = await reading;
      return { reason, same: [bits(one) === right, bits(other) === right, bits(after) === right, data.data.every((item, i) => Object.is(item, whole[i]))], workers: spied.workers.length };
    });
    assert.equal(found.reason, "enough");
    assert.deepEqual(found.same, [true, true, true, true]);
    assert.equal(found.workers, 3);
  });

  test("a worker that was ready before the first reduction gets the part that reduces", async () => {
    const found = await run(async (_) => {
      const store = await make("plain");
      const array = await opened(store);
      // `opened` has had answers of chunks; the part for answers loads now.
      const start = { ...crossed };
      await until(async () => (await reduce(array, "mean"), crossed.messages > start.messages));
      return (crossed.bytes - start.bytes) / (crossed.messages - start.messages);
    });
    assert.ok(found < 2000, `${found} bytes a message`);
  });
});
