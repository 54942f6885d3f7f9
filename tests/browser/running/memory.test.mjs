/** WebAssembly's memory that a read takes, which never shrinks: the bands and the chunks in flight, not the result. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchAlone, openPage } from "../support/chromium.mjs";
import { recordInstances } from "../support/instances.mjs";

const MIB = 2 ** 20;

describe("memory of a read of 64 MiB", () => {
  let page;
  before(async () => (page = await openPage(undefined, { browse: launchAlone, before: recordInstances })));
  after(() => page?.close());

  /** MiB that the memory grows by while 4096 x 4096 float32 in chunks of a shape are read from a store. */
  async function growth(chunkShape, hold) {
    await page.renew();
    return page.run(
      async ({ RectilinearArray }, { chunkShape, hold, MIB }) => {
        const shape = [4096, 4096];
        const document = {
          zarr_format: 3,
          node_type: "array",
          shape,
          data_type: "float32",
          chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
          chunk_key_encoding: { name: "default" },
          codecs: [{ name: "bytes", configuration: { endian: "little" } }],
          fill_value: -1,
        };
        const chunk = new Uint8Array(new Float32Array(chunkShape[0] * chunkShape[1]).map((_, i) => i).buffer);
        const map = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
        const edges = shape.map((extent, axis) => extent / chunkShape[axis]);
        // Every seventh chunk is not stored.
        const stored = (i, j) => (i * edges[1] + j) % 7 !== 6;
        for (let i = 0; i < edges[0]; i++) {
          for (let j = 0; j < edges[1]; j++) if (stored(i, j)) map.set(`/c/${i}/${j}`, chunk);
        }
        const store = hold === "map" ? map : { get: (key) => map.get(key) };
        const array = await RectilinearArray.open(store, { cacheBytes: 0 });
        const [{ memory }] = globalThis.instances;
        const before = memory.buffer.byteLength;
        const { data } = await array.get();
        const grown = (memory.buffer.byteLength - before) / MIB;
        const expected = (at) => {
          const [row, column] = [Math.floor(at / shape[1]), at % shape[1]];
          if (!stored(Math.floor(row / chunkShape[0]), Math.floor(column / chunkShape[1]))) return -1;
          return (row % chunkShape[0]) * chunkShape[1] + (column % chunkShape[1]);
        };
        const wrong = data.findIndex((value, at) => value !== expected(at));
        return { grown, wrong };
      },
      { chunkShape, hold, MIB },
    );
  }

  for (const [about, chunkShape, hold, most] of [
    ["chunks of 64 kB from a Map: a band of 2 MiB", [128, 128], "map", 4],
    ["chunks of 1 MiB from a Map: a band of 8 MiB", [512, 512], "map", 12],
    ["one chunk from a Map: the chunk, and bands of 1 MiB", [4096, 4096], "map", 64 + 4],
    ["chunks of 64 kB from a store that answers one by one", [128, 128], "store", 24],
  ]) {
    test(about, async () => {
      const { grown, wrong } = await growth(chunkShape, hold);
      assert.equal(wrong, -1);
      assert.ok(grown <= most, `${grown} MiB`);
    });
  }
});
