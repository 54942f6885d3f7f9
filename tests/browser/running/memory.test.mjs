/** WebAssembly's memory that a read takes, which never shrinks: staging buffers and chunks on their way, not the result. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchAlone, openPage } from "../support/chromium.mjs";
import { recordInstances } from "../support/instances.mjs";

const MIB = 2 ** 20;

describe("memory of a read of 64 MiB", () => {
  let page;
  before(async () => (page = await openPage(undefined, { browse: launchAlone, before: recordInstances })));
  after(() => page?.close());

  /**
   * MiB that the memory grows by while 4096 x 4096 float32 are read from a store, and the place of the first wrong item.
   * `innerShape` is that of the inner chunks where chunks are shards, which `gzip` compresses if it is set.
   */
  async function growth(form) {
    await page.renew();
    return page.run(
      async ({ RectilinearArray }, { chunkShape, innerShape, gzip, hold, MIB }) => {
        const shape = [4096, 4096];
        const little = { name: "bytes", configuration: { endian: "little" } };
        const inner = gzip ? [little, { name: "gzip", configuration: { level: 1 } }] : [little];
        const sharding = { name: "sharding_indexed", configuration: { chunk_shape: innerShape, codecs: inner, index_codecs: [little] } };
        const document = {
          zarr_format: 3,
          node_type: "array",
          shape,
          data_type: "float32",
          chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
          chunk_key_encoding: { name: "default" },
          codecs: innerShape ? [sharding] : inner,
          fill_value: -1,
        };
        const unit = innerShape ?? chunkShape;
        const items = new Uint8Array(new Float32Array(unit[0] * unit[1]).map((_, i) => i).buffer);
        const zipped = () => new Response(new Blob([items]).stream().pipeThrough(new CompressionStream("gzip"))).bytes();
        const chunk = gzip ? await zipped() : items;
        const edges = shape.map((extent, axis) => extent / chunkShape[axis]);
        const within = chunkShape.map((extent, axis) => extent / unit[axis]);
        // Every seventh chunk, or inner chunk of a shard, is not stored.
        const isStored = (i, j, width) => (i * width + j) % 7 !== 6;
        /** A shard: the inner chunks, one after the other, and their index. */
        const shard = () => {
          const index = new BigUint64Array(2 * within[0] * within[1]).fill(2n ** 64n - 1n);
          const parts = [];
          for (let i = 0; i < within[0]; i++) {
            for (let j = 0; j < within[1]; j++) {
              if (!isStored(i, j, within[1])) continue;
              index.set([BigInt(parts.length * chunk.length), BigInt(chunk.length)], 2 * (i * within[1] + j));
              parts.push(chunk);
            }
          }
          return new Blob([...parts, index]).arrayBuffer().then((bytes) => new Uint8Array(bytes));
        };
        const value = innerShape ? await shard() : chunk;
        const map = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
        for (let i = 0; i < edges[0]; i++) {
          for (let j = 0; j < edges[1]; j++) if (innerShape || isStored(i, j, edges[1])) map.set(`/c/${i}/${j}`, value);
        }
        const get = (key) => map.get(key);
        const getRange = (key, { offset, length, suffixLength }) => {
          const found = map.get(key);
          return suffixLength ? found?.slice(-suffixLength) : found?.slice(offset, offset + length);
        };
        const late = { get: async (key) => get(key), getRange: async (key, range) => getRange(key, range) };
        const stores = { map, store: { get }, ranges: { get, getRange }, late };
        const array = await RectilinearArray.open(stores[hold], { cacheBytes: 0, workers: 0 });
        const [{ memory }] = globalThis.instances;
        const before = memory.buffer.byteLength;
        const { data } = await array.get();
        const grown = (memory.buffer.byteLength - before) / MIB;
        const row = new Float32Array(shape[1]);
        let wrong = -1;
        for (let i = 0; i < shape[0] && wrong < 0; i++) {
          for (let j = 0; j < shape[1]; j += unit[1]) {
            const nth = [i, j].map((index, axis) => Math.floor((innerShape ? index % chunkShape[axis] : index) / unit[axis]));
            const block = row.subarray(j, j + unit[1]);
            if (isStored(...nth, (innerShape ? within : edges)[1])) for (let k = 0; k < unit[1]; k++) block[k] = (i % unit[0]) * unit[1] + k;
            else block.fill(-1);
          }
          wrong = row.findIndex((value, j) => value !== data[i * shape[1] + j]);
          if (wrong >= 0) wrong += i * shape[1];
        }
        return { grown, wrong };
      },
      { ...form, MIB },
    );
  }

  const large = [2048, 2048];
  for (const [about, form, most] of [
    ["chunks of 64 kB from a Map: staging buffers of 2 MiB", { chunkShape: [128, 128], hold: "map" }, 4],
    ["chunks of 1 MiB from a Map: staging buffers of 8 MiB", { chunkShape: [512, 512], hold: "map" }, 12],
    ["one chunk from a Map: the chunk, and staging buffers of 1 MiB", { chunkShape: [4096, 4096], hold: "map" }, 64 + 4],
    ["chunks of 64 kB from a store that answers one by one", { chunkShape: [128, 128], hold: "store" }, 24],
    ["chunks of 64 kB from a store that answers late", { chunkShape: [128, 128], hold: "late" }, 24],
    ["columns of 1 MiB, of which a row is the whole result", { chunkShape: [4096, 64], hold: "map" }, 4],
    ["shards of 16 MiB in a Map", { chunkShape: large, innerShape: [128, 128], hold: "map" }, 4],
    ["shards of 16 MiB from a store", { chunkShape: large, innerShape: [128, 128], hold: "ranges" }, 4],
    ["shards of 16 MiB from a store that answers late", { chunkShape: large, innerShape: [128, 128], hold: "late" }, 4],
    ["shards of gzip from a store", { chunkShape: large, innerShape: [256, 256], gzip: true, hold: "ranges" }, 4],
    ["shards of gzip from a store that answers late", { chunkShape: large, innerShape: [256, 256], gzip: true, hold: "late" }, 4],
    ["shards of 4 MiB from a store that answers late", { chunkShape: [512, 2048], innerShape: [128, 128], hold: "late" }, 4],
  ]) {
    test(about, async () => {
      const { grown, wrong } = await growth(form);
      assert.equal(wrong, -1);
      assert.ok(grown <= most, `${grown} MiB`);
    });
  }
});
