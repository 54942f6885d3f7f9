/** Custom codecs in workers: by a worker file of the page, and by address. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { withHelpers } from "../support/with-helpers.mjs";

/** Chunks of the array in each read: enough for workers to start. */
const [CHUNKS, EDGE] = [12, 512];

/** In the page: what decoded, an array of chunks that are all the same, and a function that starts workers. */
const HELPERS = `
  const { spyOnWorkers, until } = await import("/support/gzipped.mjs");
  const spied = spyOnWorkers();
  const decodedBy = {};
  new BroadcastChannel("decoded").onmessage = ({ data }) => (decodedBy[data] = (decodedBy[data] ?? 0) + 1);
  const start = () => new Worker("/support/worker-file.mjs", { type: "module" });
  const here = {};
  const flip = (bytes) => bytes.map((byte) => byte ^ 0x5a);
  /** Registers a codec of the page, which counts what it decodes. */
  const onPage = (decoder, name, decode, options) => decoder(name, (...given) => ((here[name] = (here[name] ?? 0) + 1), decode(...given)), options);
  const [edge, count] = [${EDGE}, ${CHUNKS}];
  const little = { name: "bytes", configuration: { endian: "little" } };
  const values = Float32Array.from({ length: edge * edge }, (_, i) => 7 + i % 3);
  const flipped = (values, step = 0x5a) => new Uint8Array(values.slice().buffer).map((byte) => byte ^ step);
  function storeOf(codecs, chunk, chunks = count) {
    const chunk_grid = { name: "regular", configuration: { chunk_shape: [edge, edge] } };
    const document = { zarr_format: 3, node_type: "array", shape: [chunks * edge, edge], data_type: "float32", chunk_grid, chunk_key_encoding: { name: "default" }, fill_value: 0, codecs };
    const bytes = new TextEncoder().encode(JSON.stringify(document));
    return { get: (key) => (key === "/zarr.json" ? bytes : key.startsWith("/c/") ? (typeof chunk === "function" ? chunk(Number(key.split("/")[2])) : chunk) : undefined) };
  }
  const differs = (data) => data.findIndex((value, i) => value !== 7 + (i % (edge * edge)) % 3);
  const quiet = (options) => ({ cacheBytes: 0, ...options });
`;

/* global decodedBy, differs, edge, flip, flipped, here, little, onPage, quiet, spied, start, storeOf, until, values */

describe("custom codecs in workers", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());
  const run = async (body, args) => {
    await page.renew();
    return page.run(withHelpers(HELPERS, body), args);
  };

  test("a worker file's codecs decode there: at once, by promises, to items, and in shards", async () => {
    const found = await run(async ({ RectilinearArray, decoder }) => {
      onPage(decoder, "my.flip", flip);
      onPage(decoder, "my.late", async (bytes) => flip(bytes));
      onPage(decoder, "my.items", ([first], { configuration: { step }, shape }) => Float32Array.from({ length: shape[0] * shape[1] }, (_, i) => first + step * (i % 3)), { kind: "array_to_bytes" });
      const negate = ({ data, ...about }) => ({ ...about, data: data.map((item) => -item) });
      onPage(decoder, "my.negate", negate, { kind: "array_to_array" });
      const transpose = { name: "transpose", configuration: { order: [1, 0] } };
      const turned = flipped(values.map((_, i) => -values[(i % edge) * edge + Math.floor(i / edge)]));
      const items = { name: "my.items", configuration: { step: 1 } };
      const stored = flipped(values);
      const shard = new Uint8Array(16 + stored.length);
      new BigUint64Array(shard.buffer, 0, 2).set([16n, BigInt(stored.length)]);
      shard.set(stored, 16);
      const inner = { chunk_shape: [edge, edge], codecs: [little, "my.flip"], index_codecs: [little], index_location: "start" };
      const results = {};
      for (const [what, codecs, chunk] of [
        ["my.flip", [little, "my.flip"], stored],
        ["my.late", [little, "my.late"], stored],
        ["my.items", [items], Uint8Array.of(7)],
        ["my.negate", ["my.negate", transpose, little, "my.flip"], turned],
        ["negated last", [transpose, "my.negate", little, "my.flip"], turned],
        ["shards", [{ name: "sharding_indexed", configuration: inner }], shard],
      ]) {
        const name = what.startsWith("my.") ? what : "my.flip";
        const array = await RectilinearArray.open(storeOf(codecs, chunk), quiet({ workers: start }));
        const before = decodedBy[name] ?? 0;
        await until(async () => (differs((await array.get()).data) === -1 && (decodedBy[name] ?? 0) > before));
        const [there, alone] = [decodedBy[name], here[name] ?? 0];
        const reads = await Promise.all([array.get(), array.get()]);
        // What a channel tells may come after the answers that it is about.
        await until(() => decodedBy[name] > there);
        results[what] = [...reads.map(({ data }) => differs(data)), decodedBy[name] > there, (here[name] ?? 0) - alone < 2 * 12];
      }
      return { results, workers: spied.workers.length > 0 };
    });
    for (const [what, result] of Object.entries(found.results)) assert.deepEqual(result, [-1, -1, true, true], what);
    assert.equal(found.workers, true);
  });

  test("arrays that are opened with one function share its workers, apart from the package's", async () => {
    const found = await run(async ({ RectilinearArray, decoder }) => {
      onPage(decoder, "my.flip", flip);
      const pong = [];
      const mine = [];
      const listened = () => {
        const worker = start();
        mine.push(worker);
        worker.addEventListener("message", ({ data }) => pong.push(data?.hello ?? data));
        worker.postMessage("ping");
        return worker;
      };
      const open = (workers) => RectilinearArray.open(storeOf([little, "my.flip"], flipped(values)), quiet({ workers }));
      const [one, two, three] = [await open(listened), await open(listened), await open(2)];
      await until(async () => (await one.get(), decodedBy["my.flip"] > 0));
      const after = mine.length;
      const data = [(await two.get()).data, (await three.get()).data];
      await until(() => pong.includes("pong") && pong.includes("page"));
      const all = spied.workers.length;
      [one, two].forEach((array) => array.free());
      return { same: data.map(differs), isShared: mine.length === after, all: all === after, ended: spied.ended === mine.length };
    });
    // Workers that a number asks for do not have the codec, so none is started.
    assert.deepEqual(found, { same: [-1, -1], isShared: true, all: true, ended: true });
  });

  test("a codec with an address is imported by workers of the package", async () => {
    const found = await run(async ({ RectilinearArray, codecs }) => {
      codecs.set("my.url", new URL("/support/url-codec.mjs", location.href));
      const configured = { name: "my.url", configuration: { step: 0x33 } };
      const store = storeOf([little, configured], flipped(values, 0x33));
      const none = await RectilinearArray.open(store, quiet({ workers: 0 }));
      const alone = differs((await none.get()).data);
      const before = { ...decodedBy };
      const array = await RectilinearArray.open(store, quiet({ workers: 2 }));
      await until(async () => (differs((await array.get()).data) === -1 && decodedBy["url in worker"] > 0));
      return { alone, before: before["url in worker"] ?? 0, again: differs((await array.get()).data), workers: spied.workers.length };
    });
    assert.deepEqual(found, { alone: -1, before: 0, again: -1, workers: 2 });
  });

  test("what a codec does wrong in a worker is the error that it is on the page, with its cause", async () => {
    const found = await run(async ({ RectilinearArray, decoder, support: _ }) => {
      onPage(decoder, "my.flip", flip);
      // The page takes its time, so that workers are first.
      onPage(decoder, "my.wrong", () => new Promise((_, fail) => setTimeout(() => fail(new RangeError("not today")), 200)));
      const good = await RectilinearArray.open(storeOf([little, "my.flip"], flipped(values)), quiet({ workers: start }));
      await until(async () => (await good.get(), decodedBy["my.flip"] > 0));
      const array = await RectilinearArray.open(storeOf([little, "my.wrong"], flipped(values)), quiet({ workers: start }));
      let error;
      await until(async () => ((error = await array.get().catch((error) => error)), decodedBy["my.wrong"] > 0));
      const { name, message, key, cause } = error;
      return { name, message, key, cause: String(cause), there: decodedBy["my.wrong"] > 0, good: differs((await good.get()).data) };
    });
    assert.deepEqual([found.name, found.cause, found.there, found.good], ["CodecError", "RangeError: not today", true, -1]);
    assert.match(found.key, /^c\/\d+\/0$/);
    assert.match(found.message, /my\.wrong.*not today/);
  });

  test("one that never answers there ends with the signal of its read, and harms no other read", async () => {
    const found = await run(async ({ RectilinearArray, decoder }) => {
      const hangs = { now: true };
      onPage(decoder, "my.flip", flip);
      onPage(decoder, "my.hung", (bytes) => (bytes[0] === 0x5a && hangs.now ? new Promise(() => {}) : flip(bytes)));
      const good = await RectilinearArray.open(storeOf([little, "my.flip"], flipped(values)), quiet({ workers: start }));
      await until(async () => (await good.get(), decodedBy["my.flip"] > 0));
      // The first item of the fourth chunk begins with zero, which the codec waits for.
      const odd = flipped(values);
      odd[0] = 0x5a;
      const even = flipped(values);
      even[0] = 0x5b;
      const array = await RectilinearArray.open(storeOf([little, "my.hung"], (nth) => (nth === 3 ? odd : even)), quiet({ workers: start }));
      const controller = new AbortController();
      const pending = array.get(null, { signal: controller.signal }).catch((error) => error.message);
      await until(() => decodedBy["my.hung"] > 0);
      const rows = (nth) => [{ start: nth * edge, stop: (nth + 1) * edge, step: null }];
      const meanwhile = [differs((await good.get()).data), (await array.get(rows(1))).data.length];
      controller.abort(new Error("enough"));
      return { ended: await pending, meanwhile, after: [(await array.get(rows(5))).data.length, differs((await good.get()).data)] };
    });
    assert.deepEqual(found, { ended: "enough", meanwhile: [-1, EDGE * EDGE], after: [EDGE * EDGE, -1] });
  });

  for (const [what, make, words] of [
    ["throws", () => { throw new Error("no workers today"); }, /no workers today/],
    ["returns nothing", () => undefined, /returned undefined; expected a Worker/],
    ["returns something else", () => ({ postMessage() {} }), /expected a Worker/],
    ["starts a file that does not exist", () => new Worker("/support/nowhere.mjs", { type: "module" }), null],
    ["starts a file without the import, which never answers", () => new Worker(URL.createObjectURL(new Blob([""])), { type: "module" }), null],
    ["starts a file that lacks the codec", () => new Worker(URL.createObjectURL(new Blob([`import "${globalThis.location?.origin}/pkg/worker.js";`], { type: "text/javascript" })), { type: "module" }), null],
  ]) {
    test(`the page decodes where the function ${what}`, async () => {
      const found = await run(
        async ({ RectilinearArray, decoder }, { make }) => {
          const reported = [];
          addEventListener("error", (event) => (event.preventDefault(), reported.push(event.message)));
          onPage(decoder, "my.flip", flip);
          const array = await RectilinearArray.open(storeOf([little, "my.flip"], flipped(values)), quiet({ workers: (0, eval)(make) }));
          const found = [];
          for (let round = 0; round < 3; round++) {
            found.push(differs((await array.get()).data));
            await new Promise((done) => setTimeout(done, 100));
          }
          return { found, reported, here: here["my.flip"] };
        },
        { make: `(${make})` },
      );
      assert.deepEqual(found.found, [-1, -1, -1]);
      assert.equal(found.here, 3 * CHUNKS);
      if (words) assert.match(found.reported.join("\n"), words);
      else assert.deepEqual(found.reported, []);
      if (words) assert.equal(found.reported.length, 1);
      page.errors.splice(0);
    });
  }

  test("the option takes no other values", async () => {
    const found = await run(async ({ RectilinearArray, support }) => {
      const store = storeOf([little], new Uint8Array(values.buffer));
      return Promise.all(["/support/worker-file.mjs", {}, 65, -1].map((workers) => support.rejection(() => RectilinearArray.open(store, { workers }))));
    });
    for (const { name, message } of found) {
      assert.equal(name, "TypeError");
      assert.match(message, /"auto", an integer from 0 to 64 or a function that starts a worker/);
    }
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
