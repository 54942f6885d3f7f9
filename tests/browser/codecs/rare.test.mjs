/** The module with the codecs that few arrays need: loaded once, and only for those that need it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

const bytes = { name: "bytes", configuration: { endian: "little" } };
const delta = { name: "numcodecs.delta", configuration: { dtype: "<i4" } };
const shards = {
  name: "sharding_indexed",
  configuration: { chunk_shape: [4], codecs: [delta, bytes], index_codecs: [bytes], index_location: "start" },
};

const document = (codecs, options) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [4],
  data_type: "int32",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs,
  ...options,
});

/** In the page: arrays opened and read at once from a store that counts, and the modules that have been loaded by then. */
async function read({ RectilinearArray }, documents) {
  const stored = new Uint8Array(Int32Array.of(1, 2, 3, 4).buffer);
  const shard = new Uint8Array(32);
  new BigUint64Array(shard.buffer, 0, 2).set([16n, 16n]);
  shard.set(stored, 16);
  const asked = [];
  const answers = documents.map(async (document) => {
    const text = new TextEncoder().encode(JSON.stringify(document));
    const chunk = document.codecs[0].name === "sharding_indexed" ? shard : stored;
    const values = { "/zarr.json": text, "/c/0": chunk };
    const store = { get: async (key) => (asked.push(key), values[key]) };
    try {
      return [...(await (await RectilinearArray.open(store)).get()).data];
    } catch ({ name, message, path, feature }) {
      return { name, message, path, feature };
    }
  });
  const found = await Promise.all(answers);
  const names = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname.split("/").pop());
  return { found, asked: asked.sort(), modules: names.filter((name) => name.endsWith(".wasm") && !/_(calls|codecs|grids|opening)_bg/.test(name)).sort() };
}

describe("the second module", () => {
  let page;
  before(async () => void (page = await openPage()));
  after(() => page?.close());

  const [main, rare] = ["rectilinear_zarr_bg.wasm", "rectilinear_zarr_rare_bg.wasm"];

  test("is not loaded for an array that does without", async () => {
    const { found, modules } = await page.run(read, [document([bytes])]);
    assert.deepEqual(found, [[1, 2, 3, 4]]);
    assert.deepEqual(modules, [main]);
  });

  test("is loaded once for all that need it, and metadata are read once", async () => {
    const documents = [document([delta, bytes]), document([delta, bytes]), document([shards])];
    const { found, asked, modules } = await page.run(read, documents);
    assert.deepEqual(found, [[1, 3, 6, 10], [1, 3, 6, 10], [1, 3, 6, 10]]);
    assert.equal(asked.filter((key) => key === "/zarr.json").length, 3);
    assert.deepEqual(modules, [main, rare]);
  });

  test("refuses at open what it cannot decode, in the words of the whole", async () => {
    const wrong = { ...delta, configuration: { dtype: "<U3" } };
    const unknown = { name: "nobody.wrote-this" };
    const { found } = await page.run(read, [document([wrong, bytes]), document([delta, bytes, unknown])]);
    assert.equal(found[0].path, "/codecs/0/configuration/dtype");
    assert.match(found[0].message, /zarr\.json/);
    assert.equal(found[1].name, "UnsupportedError");
    assert.match(found[1].message, /nobody\.wrote-this/);
  });

  test("says which chunk is damaged", async () => {
    const { found } = await page.run(read, [document([delta, bytes, { name: "numcodecs.bz2", configuration: { level: 1 } }])]);
    assert.equal(found[0].name, "CodecError");
    assert.match(found[0].message, /c\/0/);
  });
});
