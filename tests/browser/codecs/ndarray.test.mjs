/** Arrays whose items are arrays (`ndarray`): what the reference package wrote, in Chromium and in Node, and items of one shape. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import * as zarrita from "zarrita";

import * as adapters from "../../../pkg/adapters.js";
import * as installed from "../../../pkg/node.js";
import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const cases = JSON.parse(await readFile(join(NEIGHBOURS, "ndarrays.json"), "utf8"));

/** Here or in the page: opens a case from a `Map` and reads it; items are their class and their bytes in base64. */
async function read({ RectilinearArray }, { document, chunks }, selection) {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const base64 = (item) => btoa(String.fromCharCode(...new Uint8Array(item.buffer, item.byteOffset, item.byteLength)));
  const store = new Map(Object.entries(chunks).map(([key, text]) => [`/${key}`, bytes(text)]));
  store.set("/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
  const array = await RectilinearArray.open(store);
  const { data, shape } = await array.get(selection);
  const loaded = globalThis.document ? performance.getEntriesByType("resource").some(({ name }) => /_rare_bg\.wasm$/.test(name)) : true;
  return { dtype: array.dtype, itemShape: array.itemShape, fill: base64(array.fillValue), shape, items: Array.from(data, base64), classes: [...new Set(data.map((item) => item.constructor.name))], loaded };
}

const fixed = (dtype, chunk) => ({
  document: {
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: { name: "ndarray", configuration: { dtype, shape: [2, 3] } },
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default" },
    fill_value: Buffer.from(Int16Array.of(1, 2, 3, 4, 5, 6).buffer).toString("base64"),
    codecs: [{ name: "bytes", configuration: { endian: "big" } }],
  },
  chunks: { "c/1": Buffer.from(chunk).toString("base64") },
});

for (const engine of ["Chromium", "Node"]) {
  describe(`arrays of arrays, in ${engine}`, () => {
    let page;
    let run = (body, ...args) => body(installed, ...args);
    before(async () => {
      if (engine === "Node") return;
      page = await openPage();
      run = (body, ...args) => page.run({ toString: () => `(zarr, args) => (${body})(zarr, ...args)` }, args);
    });
    after(() => page?.close());

    for (const found of cases) {
      test(`${found.name} reads as zarr-vlen-ndarray reads it`, async () => {
        const whole = await run(read, found);
        assert.deepEqual(whole, { dtype: "ndarray", itemShape: found.itemShape, fill: found.fill, shape: [5, 3], items: found.items, classes: [found.class], loaded: true });
        const part = await run(read, found, [{ start: 1, stop: 5 }, 2]);
        assert.deepEqual(part.items, [1, 2, 3, 4].map((row) => found.items[3 * row + 2]));
      });
    }
  });
}

test("items of one shape are elements in a row", async () => {
  const stored = Int16Array.from({ length: 12 }, (_, nth) => nth - 6);
  const swapped = Buffer.from(stored.buffer.slice(0)).swap16();
  const { document, chunks } = fixed("int16", swapped);
  const store = new Map([["/zarr.json", Buffer.from(JSON.stringify(document))], ["/c/1", Buffer.from(chunks["c/1"], "base64")]]);
  const array = await installed.RectilinearArray.open(store);
  assert.deepEqual([array.dtype, array.itemShape, array.fillValue], ["ndarray", [2, 3], Int16Array.of(1, 2, 3, 4, 5, 6)]);
  assert.deepEqual((await array.get([{ start: 1 }])).data, Int16Array.from([1, 2, 3, 4, 5, 6, ...stored]));
});

test("an item that many places share is one array, however long it is", async () => {
  const { document } = fixed("int16", []);
  const fill = Buffer.alloc(1 << 20, 7).toString("base64");
  const many = { ...document, shape: [1 << 16], data_type: { name: "ndarray", configuration: { dtype: "int16", shape: [null, 2] } }, fill_value: fill, codecs: ["vlen-ndarray"], chunk_grid: { name: "regular", configuration: { chunk_shape: [1 << 12] } } };
  const array = await installed.RectilinearArray.open(new Map([["/zarr.json", Buffer.from(JSON.stringify(many))]]));
  const { data } = await array.get();
  assert.equal(data.length, 1 << 16);
  assert.equal(new Set(data).size, 1);
  assert.equal(data[0].length, 1 << 19);
});

test("views refuse them and name get, and zarrita's arrays hold them as objects", async () => {
  const [{ document, chunks, items }] = cases;
  const store = new Map(Object.entries(chunks).map(([key, text]) => [`/${key}`, Buffer.from(text, "base64")]));
  store.set("/zarr.json", Buffer.from(JSON.stringify(document)));
  const array = await installed.RectilinearArray.open(store);
  const refused = () => adapters.asRegularStore(array).get("/zarr.json");
  await assert.rejects(async () => refused(), { name: "UnsupportedError", feature: "ndarray", message: /get\(\)/ });
  const held = await adapters.toZarrita(zarrita, array);
  const { data } = await zarrita.get(held);
  assert.deepEqual(Array.from(data, (item) => Buffer.from(item.buffer, item.byteOffset, item.byteLength).toString("base64")), items);
});

test("a damaged chunk names its key, the codec and the item", async () => {
  const { document } = fixed("int16", []);
  const ragged = { ...document, data_type: { name: "ndarray", configuration: { dtype: "int16", shape: [null, 2] } }, fill_value: "", codecs: ["vlen-ndarray"] };
  const chunk = Uint8Array.of(2, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4, 2, 0, 0, 0, 5, 6);
  const array = await installed.RectilinearArray.open(new Map([["/zarr.json", Buffer.from(JSON.stringify(ragged))], ["/c/0", chunk]]));
  await assert.rejects(array.get(), { name: "CodecError", key: "c/0", message: /vlen-ndarray.*item 1, which ends within a step/s });
});
