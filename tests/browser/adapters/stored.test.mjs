/** Chunks that are stored as they are shown: handed over as stored where that is the same, read where it is not. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openZarrita } from "../support/viewers.mjs";

describe("chunks that are stored as they are shown", () => {
  let page;
  before(async () => {
    page = await openZarrita();
    await page.run(({ RectilinearArray }) => {
      const document = (fields) => ({
        zarr_format: 3,
        node_type: "array",
        shape: [4, 4],
        data_type: "int16",
        chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 4] } },
        chunk_key_encoding: { name: "default" },
        codecs: [{ name: "bytes", configuration: { endian: "little" } }],
        fill_value: 7,
        ...fields,
      });
      // A store of an array and its chunks; `asked` lists the keys of chunks that were requested.
      globalThis.made = (fields, chunks, { inMap = true, documentKey = "/zarr.json" } = {}) => {
        const whole = documentKey === "/zarr.json" ? document(fields) : fields;
        const files = new Map([[documentKey, new TextEncoder().encode(JSON.stringify(whole))], ...Object.entries(chunks)]);
        const asked = [];
        const get = (key) => {
          if (files.has(key) ? key !== documentKey : /\/c\//.test(key)) asked.push(key);
          return files.get(key);
        };
        return { source: inMap ? files : { get }, asked, files };
      };
      // Values by zarrita of the store that is shown, and of the store itself.
      globalThis.both = async (source, options) => {
        const { asRegularStore, zarr } = globalThis;
        const array = await RectilinearArray.open(source);
        // zarrita gives the items of a Fortran array as they are stored.
        const read = async (store) => {
          const { data, shape, stride } = await zarr.get(await zarr.open(store, { kind: "array" }));
          return Array.from(data, (_, nth) => Number(data[Math.floor(nth / shape[1]) * stride[0] + (nth % shape[1]) * stride[1]]));
        };
        return { shown: await read(asRegularStore(array, options)), direct: await read(source) };
      };
    });
  });
  after(() => page?.close());

  test("what is found of an array holds until it is refreshed: other chunks, and items in another order of bytes", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { asRegularStore, made } = globalThis;
      const bytes = Uint8Array.from({ length: 32 }, (_, nth) => nth);
      const { source } = made({}, { "/c/0/0": bytes.slice(0, 16), "/c/1/0": bytes.slice(16) });
      const array = await RectilinearArray.open(source);
      const store = asRegularStore(array);
      const look = async () => [[...(await store.get("/c/0/0"))], [...(await store.get("/c/1/0"))]].map((items) => items.join(" "));
      const looks = [await look()];
      const change = async (fields, chunks) => {
        const { source: newer } = made(fields, chunks);
        source.clear();
        for (const [key, value] of newer) source.set(key, value);
        await array.refresh();
        looks.push(await look());
      };
      const one = { chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 4] } } };
      await change(one, { "/c/0/0": bytes });
      await change({ ...one, codecs: [{ name: "bytes", configuration: { endian: "big" } }] }, { "/c/0/0": bytes });
      return looks;
    });
    const items = (from, turn) => Array.from({ length: 16 }, (_, nth) => from + (nth ^ turn)).join(" ");
    const plain = [items(0, 0), items(16, 0)];
    assert.deepEqual(found, [plain, plain, [items(0, 1), items(16, 1)]]);
  });

  const rising = Array.from({ length: 16 }, (_, nth) => nth);

  test("bytes in a Map are handed over without a copy, and equal chunks of an uneven grid too", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { asRegularStore, made } = globalThis;
      const bytes = (from, length) => new Uint8Array(Int16Array.from({ length }, (_, nth) => from + nth).buffer);
      const regular = made({}, { "/c/0/0": bytes(0, 8), "/c/1/0": bytes(8, 8) });
      const chunk_grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[2, 1, 1], [4]] } };
      const uneven = made({ chunk_grid }, { "/c/0/0": bytes(0, 8), "/c/1/0": bytes(8, 4), "/c/2/0": bytes(12, 4) });
      const results = [];
      for (const { source, files } of [regular, uneven]) {
        const store = asRegularStore(await RectilinearArray.open(source), { chunkShape: [2, 4] });
        const chunks = [await store.get("/c/0/0"), await store.get("/c/1/0")];
        const isOwn = chunks.map((chunk, row) => chunk === files.get(`/c/${row}/0`));
        results.push({ isOwn, items: chunks.flatMap((chunk) => [...new Int16Array(chunk.buffer, chunk.byteOffset, 8)]) });
      }
      return results;
    });
    assert.deepEqual(found, [
      { isOwn: [true, true], items: rising },
      { isOwn: [true, false], items: rising },
    ]);
  });

  test("bytes of another source are a copy, and of a Map they are aligned for any type", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { asRegularStore, made } = globalThis;
      const odd = new Uint8Array(17);
      odd.set(new Uint8Array(Int16Array.from({ length: 8 }, (_, nth) => nth).buffer), 1);
      const results = [];
      for (const inMap of [true, false]) {
        const { source } = made({ shape: [2, 4] }, { "/c/0/0": odd.subarray(1) }, { inMap });
        const store = asRegularStore(await RectilinearArray.open(source));
        const first = await store.get("/c/0/0");
        const items = [...new Int16Array(first.buffer, first.byteOffset, 8)];
        first.fill(255);
        const again = await store.get("/c/0/0");
        results.push({ items, again: [...new Int16Array(again.buffer, again.byteOffset, 8)] });
      }
      return results;
    });
    const eight = rising.slice(0, 8);
    assert.deepEqual(found, [{ items: eight, again: eight }, { items: eight, again: eight }]);
  });

  test("a missing chunk is full of the fill value, of one or several elements, and is requested once", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { asRegularStore, made } = globalThis;
      const results = [];
      for (const fields of [{}, { data_type: "complex64", fill_value: [1, -2] }, { data_type: "float32", fill_value: "NaN" }]) {
        const { source, asked } = made(fields, {}, { inMap: false });
        const chunk = await asRegularStore(await RectilinearArray.open(source, { cacheBytes: 0 })).get("/c/1/0");
        const Elements = fields.data_type ? Float32Array : Int16Array;
        results.push({ items: [...new Elements(chunk.buffer)].map(String), asked });
      }
      return results;
    });
    const asked = ["/c/1/0"];
    const filled = (length, ...items) => Array.from({ length }, (_, nth) => items[nth % items.length]);
    assert.deepEqual(found, [
      { items: filled(8, "7"), asked },
      { items: filled(16, "1", "-2"), asked },
      { items: filled(8, "NaN"), asked },
    ]);
  });

  test("what is stored in another way than it is shown is read: values are those that zarrita reads itself", async () => {
    const found = await page.run(async () => {
      const { both, made } = globalThis;
      const bytes = (Elements, ...items) => new Uint8Array(Elements.from(items).buffer);
      const swapped = (chunk) => chunk.map((_, at) => chunk[at ^ 1]);
      const [low, high] = [bytes(Int16Array, 0, 1, 2, 3, 4, 5, 6, 7), bytes(Int16Array, 8, 9, 10, 11, 12, 13, 14, 15)];
      const v2 = { zarr_format: 2, shape: [4, 4], chunks: [2, 4], dtype: "<i2", order: "C", fill_value: 7, compressor: null, filters: null, dimension_separator: "." };
      const inV2 = (fields, chunks) => made({ ...v2, ...fields }, chunks, { documentKey: "/.zarray" });
      const stores = {
        "big endian": made({ codecs: [{ name: "bytes", configuration: { endian: "big" } }] }, { "/c/0/0": swapped(low), "/c/1/0": swapped(high) }),
        "Zarr v2": inV2({}, { "/0.0": low, "/1.0": high }),
        "Zarr v2, big endian": inV2({ dtype: ">i2" }, { "/0.0": swapped(low), "/1.0": swapped(high) }),
        "Zarr v2, Fortran order": inV2({ order: "F" }, { "/0.0": low, "/1.0": high }),
        "past the end": made({ shape: [3, 3] }, { "/c/0/0": low, "/c/1/0": high }),
        missing: made({}, { "/c/1/0": high }),
      };
      return Promise.all(Object.entries(stores).map(async ([name, { source }]) => [name, await both(source)]));
    });
    for (const [name, { shown, direct }] of found) assert.deepEqual(shown, direct, name);
    assert.equal(found.length, 6);
  });

  test("past the array's end a chunk has the fill value, whatever is stored there", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { asRegularStore, made } = globalThis;
      const bytes = new Uint8Array(Int16Array.from({ length: 8 }, (_, nth) => nth).buffer);
      const edge = made({ shape: [1, 3] }, { "/c/0/0": bytes });
      const chunk = await asRegularStore(await RectilinearArray.open(edge.source), { chunkShape: [2, 4] }).get("/c/0/0");
      return [...new Int16Array(chunk.buffer)];
    });
    assert.deepEqual(found, [0, 1, 2, 7, 7, 7, 7, 7]);
  });

  test("a chunk of the wrong length is the error of a read, and an abort rejects with its reason", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const { asRegularStore, made } = globalThis;
      const { source } = made({}, { "/c/0/0": new Uint8Array(5) });
      const short = await support.rejection(async () => asRegularStore(await RectilinearArray.open(source)).get("/c/0/0"));
      let asked;
      const late = { get: (key) => (key === "/zarr.json" ? source.get(key) : (asked?.(), new Promise(() => {}))) };
      const controller = new AbortController();
      const store = asRegularStore(await RectilinearArray.open(late));
      const waiting = new Promise((done) => (asked = done));
      const reading = store.get("/c/0/0", { signal: controller.signal });
      await waiting;
      controller.abort("enough");
      return { short: short.name, reason: await reading.catch((reason) => reason) };
    });
    assert.deepEqual(found, { short: "CodecError", reason: "enough" });
  });

  test("getEncoded gives a Map's own bytes with copy: false alone, and refuses what is neither true nor false", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const { source, files } = globalThis.made({}, { "/c/0/0": new Uint8Array(16) });
      const array = await RectilinearArray.open(source);
      const own = files.get("/c/0/0");
      const isOwn = [];
      for (const copy of [false, true, undefined, null]) isOwn.push((await array.getEncoded([0, 0], { copy })) === own);
      const { name, message } = await support.rejection(() => array.getEncoded([0, 0], { copy: "no" }));
      return { isOwn, name, message };
    });
    assert.deepEqual(found, { isOwn: [true, false, false, false], name: "TypeError", message: 'the option copy must be true or false, not "no"' });
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
