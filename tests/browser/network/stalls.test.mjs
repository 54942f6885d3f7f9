/** Reads of many shards, and reads beside a stream that nobody takes from, come to an end whatever the concurrency. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

/** Runs in the page: a store with shards of `inner` bytes each, uncompressed and one byte an inner chunk. */
function shardStore(shards, inner) {
  const bytes = { name: "bytes", configuration: { endian: "little" } };
  const sharding = { chunk_shape: [1], codecs: [bytes], index_codecs: [bytes] };
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [shards * inner],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [inner] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "sharding_indexed", configuration: sharding }],
  };
  const shard = new Uint8Array(inner * 17);
  const view = new DataView(shard.buffer);
  for (let i = 0; i < inner; i++) {
    shard[i] = i;
    view.setBigUint64(inner + 16 * i, BigInt(i), true);
    view.setBigUint64(inner + 16 * i + 8, 1n, true);
  }
  const value = (key) => (key.endsWith("zarr.json") ? new TextEncoder().encode(JSON.stringify(document)) : shard);
  const soon = () => new Promise((done) => setTimeout(done, 1));
  return {
    async get(key) {
      await soon();
      return value(key).slice();
    },
    async getRange(key, { offset, length, suffixLength }) {
      await soon();
      return suffixLength ? value(key).slice(-suffixLength) : value(key).slice(offset, offset + length);
    },
  };
}

describe("nothing stalls", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const [shards, inner, concurrency] of [[40, 1000, 24], [2, 2000, 1], [70, 16, 4]]) {
    test(`${shards} shards of ${inner} inner chunks, ${concurrency} requests at once`, async () => {
      const wrong = await page.run(
        `async ({ RectilinearArray }, { shards, inner, concurrency }) => {
          const store = (${shardStore})(shards, inner);
          const array = await RectilinearArray.open(store, { concurrency, coalesceGap: 0 });
          const { data } = await array.get();
          return data.findIndex((value, i) => value !== (i % inner) % 256);
        }`,
        { shards, inner, concurrency },
      );
      assert.equal(wrong, -1);
    });
  }

  test("a read inside a stream's loop, and one beside a stream that is left alone", async () => {
    const values = await page.run(`async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open((${shardStore})(30, 64), { concurrency: 2, cacheBytes: 0 });
      const idle = array.stream();
      await idle.next();
      const values = [(await array.get([5])).data[0]];
      for await (const part of array.stream([{ start: 0, stop: 3, step: null }])) {
        values.push((await array.get([64 * 29 + part.start[0]])).data[0]);
      }
      await idle.return();
      return values.sort();
    }`);
    assert.deepEqual(values, [0, 1, 2, 5]);
  });

  test("an abort right after a stream's first step is its own to hear of", async () => {
    const heard = await page.run(`async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open((${shardStore})(2, 4));
      const controller = new AbortController();
      const first = array.stream(null, { signal: controller.signal }).next();
      controller.abort("enough");
      return first.catch((reason) => reason);
    }`);
    assert.equal(heard, "enough");
    assert.deepEqual(page.errors, []);
  });
});
