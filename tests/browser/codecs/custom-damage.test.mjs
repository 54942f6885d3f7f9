/** Custom codecs that do wrong, at every place where they stand: what they harm is their own read. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import * as installed from "../../../pkg/node.js";
import * as tools from "../support/custom-codecs.mjs";
import { openPage } from "../support/chromium.mjs";

const plain = tools.ITEMS;

/** In the page or here: what a codec can answer that is no chunk of six int16. */
const WRONG = {
  toString: () => `{
    "too little": () => new Int16Array(5),
    "too much": () => new Int16Array(7),
    "bytes that are too few": () => new Uint8Array(11),
    "another class": () => new Float32Array(6),
    "nothing": () => null,
    "a list": () => [1, 2, 3, 4, 5, 6],
    "a detached buffer": () => { const items = new Int16Array(6); structuredClone(items.buffer, { transfer: [items.buffer] }); return items; },
    "an exception": () => { throw new RangeError("not today"); },
    "a rejected promise": () => Promise.reject(new RangeError("not today")),
    "a promise of too little": async () => new Int16Array(5),
    "a promise of another class": async () => new Float32Array(6),
    "a promise of a detached buffer": async () => { const items = new Int16Array(6); structuredClone(items.buffer, { transfer: [items.buffer] }); return items; },
    "another shape": () => ({ data: new Int16Array(6), shape: [6, 1], stride: [1, 1] }),
    "strides that reach too far": () => ({ data: new Int16Array(6), shape: [2, 3], stride: [1000, 1] }),
    "a thenable that rejects": () => ({ then: (_, fail) => fail(new RangeError("not today")) }),
  }`,
};

for (const engine of ["Chromium", "Node"]) {
  describe(`custom codecs that do wrong, in ${engine}`, () => {
    let page;
    before(async () => void (page = engine === "Chromium" ? await openPage() : undefined));
    after(() => page?.close());
    const NAMES = ["x", "y"];
    const run = async (body) => {
      const text = `async (zarr) => { const { RectilinearArray, codecs, document, older, storeOf, shardOf, bytesOf, read, told, little } = zarr; const wrong = ${WRONG}; return (${body})(zarr); }`;
      if (!page) return JSON.parse(JSON.stringify((await new Function(`return ${text}`)()({ ...installed, ...tools })) ?? null));
      return page.run({ toString: () => `async (zarr) => (${text})({ ...zarr, ...await import("/support/custom-codecs.mjs") })` });
    };
    afterEach(() => run(`async ({ codecs }) => ${JSON.stringify(NAMES)}.forEach(codecs.delete)`));

    /** The errors must be those of the codec and of the chunk. */
    const checked = (errors, codec, [key, coords]) => {
      for (const [what, error] of Object.entries(errors)) {
        assert.equal(error.name, "CodecError", `${what}: ${JSON.stringify(error)}`);
        assert.deepEqual([error.codec, error.key, error.coords], [codec, key, coords], what);
        assert.match(error.message, /does not decode: codec [xy] got/, what);
        if (/exception|rejected|rejects/.test(what)) assert.equal(error.cause, "RangeError: not today", what);
      }
      assert.equal(Object.keys(errors).length, 15);
    };

    test("from arrays to arrays: a CodecError with its chunk", async () => {
      const errors = await run(`async () => {
        const errors = {};
        for (const [what, give] of Object.entries(wrong)) {
          codecs.set("x", () => ({ fromConfig: () => ({ kind: "array_to_array", decode: give }) }));
          errors[what] = await read(await RectilinearArray.open(storeOf(document(["x", little]), bytesOf())));
        }
        return errors;
      }`);
      checked(errors, "x", ["c/0/0", [0, 0]]);
    });

    test("in an inner chunk of a shard: a CodecError, and the other inner chunks are read", async () => {
      const found = await run(`async () => {
        const [errors, others] = [{}, []];
        const sharded = { name: "sharding_indexed", configuration: { chunk_shape: [2, 3], codecs: ["x"], index_codecs: [little] } };
        const grid = { shape: [4, 3], chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 3] } } };
        const shard = shardOf([Uint8Array.of(0), Uint8Array.of(1)]);
        for (const [what, give] of Object.entries(wrong)) {
          codecs.set("x", () => ({ fromConfig: () => ({ kind: "array_to_bytes", decode: ([isGood]) => (isGood ? new Int16Array(6).fill(4) : give()) }) }));
          const array = await RectilinearArray.open(storeOf(document([sharded], grid), shard));
          const [all, other] = await Promise.all([read(array), read(array, [{ start: 2, stop: 4 }])]);
          errors[what] = all;
          others.push(other, await read(array, [3]));
        }
        return [errors, others];
      }`);
      checked(found[0], "x", ["c/0/0", [0, 0, 0, 0]]);
      assert.deepEqual(found[1], Array.from({ length: 30 }, (_, nth) => Array(nth % 2 ? 3 : 6).fill(4)));
    });

    test("as a filter of Zarr v2: a CodecError by its id", async () => {
      const errors = await run(`async () => {
        const errors = {};
        for (const [what, give] of Object.entries(wrong)) {
          codecs.set("x", () => ({ fromConfig: () => ({ kind: "array_to_array", decode: give }) }));
          errors[what] = await read(await RectilinearArray.open(storeOf(older({ filters: [{ id: "x" }] }), bytesOf())));
        }
        return errors;
      }`);
      checked(errors, "x", ["0.0", [0, 0]]);
    });

    test("in one chunk: reads of other chunks that are under way at the same time end well, and so do other arrays", async () => {
      const found = await run(`async () => {
        const results = [];
        for (const give of Object.values(wrong)) {
          codecs.set("y", () => ({ fromConfig: () => ({ kind: "array_to_bytes", decode: async ([isGood]) => (isGood ? new Int16Array(6).fill(5) : give()) }) }));
          const store = storeOf(document(["y"], { shape: [6, 3] }), Uint8Array.of(1), 3).set("/c/1/0", Uint8Array.of(0));
          const [array, apart] = [await RectilinearArray.open(store), await RectilinearArray.open(storeOf(document([little]), bytesOf()))];
          const reads = [read(array), read(array, [0]), read(array, [5]), read(apart), array.getChunk([2, 0]).then(({ data }) => data.length)];
          const [bad, ...good] = await Promise.all(reads);
          results.push([[bad.name, bad.key, bad.coords], ...good]);
        }
        return results;
      }`);
      assert.equal(found.length, 15);
      for (const result of found) assert.deepEqual(result, [["CodecError", "c/1/0", [1, 0]], [5, 5, 5], [5, 5, 5], plain, 6]);
    });

    test("that never answer: every kind of read ends with its signal, and other reads do not wait for it", async () => {
      const found = await run(`async () => {
        codecs.set("y", () => ({ fromConfig: () => ({ kind: "array_to_bytes", decode: ([isGood]) => (isGood ? new Int16Array(6).fill(5) : new Promise(() => {})) }) }));
        const store = storeOf(document(["y"], { shape: [4, 3] }), Uint8Array.of(1), 2).set("/c/1/0", Uint8Array.of(0));
        const array = await RectilinearArray.open(store);
        const streamed = async (options) => { for await (const part of array.stream(null, options)) void part; };
        const calls = [(o) => array.get(null, o), (o) => array.getChunk([1, 0], o), (o) => array.getPoints([[3, 0]], o), (o) => array.prefetch([3], o), streamed, (o) => array.get([[0, 3]], o)];
        const controllers = calls.map(() => new AbortController());
        const ends = calls.map((call, nth) => call({ signal: controllers[nth].signal }).then(() => "an end", ({ message }) => message));
        const good = [await read(array, [0]), [...(await array.getPoints([[1, 2]])).data]];
        const results = [];
        for (const [nth, controller] of controllers.entries()) {
          controller.abort(new Error("enough of " + nth));
          results.push(await ends[nth]);
        }
        return [results, good, await read(array, [1])];
      }`);
      assert.deepEqual(found, [Array.from({ length: 6 }, (_, nth) => `enough of ${nth}`), [[5, 5, 5], [5]], [5, 5, 5]]);
    });
  });
}
