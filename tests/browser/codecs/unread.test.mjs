/** Metadata in the open: the document and codecs of every array, its stored chunks, and arrays whose codecs or data type nobody has. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import * as zarrita from "zarrita";

import * as adapters from "../../../pkg/adapters.js";
import * as installed from "../../../pkg/node.js";
import { openPage } from "../support/chromium.mjs";
import * as support from "../support/index.mjs";

const bytes = { name: "bytes", configuration: { endian: "little" } };
const nobodys = { name: "nobody.wrote-this", configuration: { level: 3 } };
const zstd = { name: "zstd", configuration: { level: 1, checksum: false } };
const sharded = (...codecs) => ({ name: "sharding_indexed", configuration: { chunk_shape: [2], codecs, index_codecs: [bytes] } });

/** An array of six int16 in chunks of four, whose document is in an order of its own. */
const document = (codecs, more) => ({
  codecs,
  fill_value: 7,
  shape: [6],
  zarr_format: 3,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
  chunk_key_encoding: { name: "default" },
  node_type: "array",
  dimension_names: ["x"],
  data_type: "int16",
  attributes: { units: "m", "1": [1.5, null] },
  ...more,
});
const zarray = { shape: [6], chunks: [4], dtype: ">i2", zarr_format: 2, fill_value: null, order: "C", filters: [{ id: "mine", x: 1 }], compressor: { id: "zlib", level: 2 } };

/** In a page or here: an array from these documents and the chunks `[1, 2, 3]` at the first place; what `ask` says of it. */
async function about({ RectilinearArray, support }, { documents, ask, options }) {
  const encode = (value) => new TextEncoder().encode(JSON.stringify(value));
  const store = new Map(Object.entries(documents).map(([key, value]) => [key, encode(value)]));
  for (const key of ["/c/0", "/0"]) store.set(key, Uint8Array.of(1, 2, 3));
  const array = await RectilinearArray.open(store, options);
  return new Function("array", "support", "store", "encode", "RectilinearArray", `return (async () => { ${ask} })()`)(array, support, store, encode, RectilinearArray);
}

/** Properties of an array that are known without reading it. */
const HEADER = `const { shape, dtype, fillValue, dimensionNames, attrs, chunkGrid, innerChunkGrid, metadata, codecs } = array;
  return { shape, dtype, fillValue, dimensionNames, attrs, chunks: chunkGrid.shape, hasInner: innerChunkGrid !== undefined, text: JSON.stringify(metadata), codecs,
    encoded: [[...await array.getEncoded([0])], await array.getEncoded([1]) ?? null], plan: array.plan().requests };`;

/** How each read of values ends. */
const READS = `const fail = async (work) => { const { name, message, feature } = await support.rejection(work); return [name, message, feature].join("; "); };
  const errors = [() => array.get(), () => array.get([0]), () => array.getChunk([0]), () => array.getPoints([[1]]), () => array.prefetch(), () => array.sel({ x: 0 }),
    () => array.stream().next(), () => RectilinearArray.concat([array, array], 0)].map(fail);
  return [...new Set(await Promise.all(errors))];`;

const v3 = (codecs, more) => ({ "/zarr.json": document(codecs, more) });

for (const engine of ["Chromium", "Node"]) {
  describe(`arrays that are not decoded, in ${engine}`, () => {
    let page;
    before(async () => void (page = engine === "Chromium" ? await openPage() : { run: (body, args) => body({ ...installed, support }, args), close() {} }));
    after(() => page?.close());
    const said = (documents, ask, options) => page.run(about, { documents, ask, options });

    test("an array with a codec that nobody has opens, and shows all but its values", async () => {
      const wanted = document([bytes, nobodys]);
      const found = await said({ "/zarr.json": wanted }, HEADER);
      assert.deepEqual([found.shape, found.dtype, found.fillValue, found.dimensionNames, found.chunks], [[6], "int16", 7, ["x"], [2]]);
      assert.deepEqual(found.attrs, wanted.attributes);
      assert.equal(found.text, JSON.stringify(wanted));
      assert.deepEqual(found.codecs, [{ ...bytes, here: true }, { ...nobodys, here: false }]);
      assert.deepEqual(found.encoded, [[1, 2, 3], null]);
      assert.deepEqual(found.plan, [{ key: "c/0" }, { key: "c/1" }]);
      const [error, ...others] = await said({ "/zarr.json": wanted }, READS);
      assert.deepEqual(others, []);
      assert.match(error, /^UnsupportedError; codec "nobody.wrote-this" .*found at \/codecs\/1;.*\(in zarr.json\); codec "nobody.wrote-this"$/);
    });

    test("so does one with a data type that nobody has", async () => {
      const found = await said(v3([bytes], { data_type: { name: "quaternion", configuration: { of: "float8" } }, fill_value: [1, 0, 0, 0] }), HEADER);
      assert.deepEqual([found.dtype, found.fillValue, found.chunks, found.encoded[0]], ["quaternion", [1, 0, 0, 0], [2], [1, 2, 3]]);
      const [error, ...others] = await said(v3([bytes], { data_type: "quaternion" }), READS);
      assert.deepEqual(others, []);
      assert.match(error, /data type "quaternion".*found at \/data_type/);
    });

    test("so do shards with such a codec in their chunks or their index, and one that the second module refuses", async () => {
      const index = { ...sharded(bytes), configuration: { ...sharded(bytes).configuration, index_codecs: [bytes, nobodys] } };
      for (const [codecs, here] of [[[sharded(bytes, nobodys)], [false]], [[index], [true]], [[{ name: "numcodecs.delta", configuration: { dtype: "<i2" } }, bytes, nobodys], [true, true, false]]]) {
        const found = await said(v3(codecs), HEADER);
        assert.deepEqual(found.codecs, codecs.map((codec, nth) => ({ ...codec, here: here[nth] })));
        assert.deepEqual([found.hasInner, found.encoded[0]], [false, [1, 2, 3]]);
        const errors = await said(v3(codecs), READS);
        assert.equal(errors.length, 1);
        assert.match(errors[0], /nobody.wrote-this/);
      }
    });

    test("Zarr v2 lists its filters and its compressor as they are stored, and its attributes in the document", async () => {
      const documents = { "/.zarray": zarray, "/.zattrs": { _ARRAY_DIMENSIONS: ["y"] } };
      const found = await said(documents, HEADER);
      assert.equal(found.text, JSON.stringify({ ...zarray, attributes: { _ARRAY_DIMENSIONS: ["y"] } }));
      assert.deepEqual([found.dtype, found.fillValue, found.dimensionNames], ["int16", null, ["y"]]);
      assert.deepEqual(found.codecs, [{ name: "mine", configuration: { x: 1 }, here: false }, { name: "zlib", configuration: { level: 2 }, here: true }]);
      assert.deepEqual(found.encoded, [[1, 2, 3], null]);
      const typed = await said({ "/.zarray": { ...zarray, dtype: "<f16", fill_value: 0, filters: null } }, HEADER);
      assert.deepEqual([typed.dtype, typed.fillValue, typed.codecs.length], ["<f16", 0, 1]);
      const struct = await said({ "/.zarray": { ...zarray, dtype: [[["long", "a"], "<i2"]], fill_value: null, filters: null } }, HEADER);
      assert.deepEqual([struct.dtype, struct.fillValue], ['[[["long","a"],"<i2"]]', null]);
    });

    test("names alone, codecs that may be skipped, and shards are listed as codecs", async () => {
      const skipped = { ...nobodys, must_understand: false };
      const found = await said(v3([bytes, skipped]), `return [array.codecs, (await support.rejection(() => array.get())).name]`);
      assert.deepEqual(found, [[{ ...bytes, here: true }, { ...nobodys, here: false }], "CodecError"]);
      const shards = await said(v3([sharded(bytes, "crc32c")]), `return array.codecs`);
      assert.deepEqual(shards, [{ ...sharded(bytes, "crc32c"), here: true }]);
      assert.deepEqual(await said(v3(["vlen-utf8"], { data_type: "string", fill_value: "" }), `return array.codecs`), [{ name: "vlen-utf8", configuration: {}, here: true }]);
    });

    test("codecs are here by each name by which they are decoded", async () => {
      const ask = `return [array.codecs.map(({ here }) => here), (await support.rejection(() => array.get()))?.feature]`;
      const text = (name) => v3([name], { data_type: /utf8$/.test(name) ? "string" : "bytes", fill_value: "" });
      for (const prefix of ["", "numcodecs.", "virtual_tiff.", "other."]) {
        const isOurs = prefix !== "other.";
        const refused = (name, isHere) => (isHere ? undefined : `codec "${name}"`);
        const one = async (documents, name, isHere, others = []) => {
          const [here, feature] = await said(documents, ask);
          assert.deepEqual([here.toSorted(), feature ?? undefined], [[isHere, ...others].toSorted(), refused(name, isHere)], name);
        };
        for (const id of ["imagecodecs_lzw", "imagecodecs_zstd", "imagecodecs_jpeg2k"]) await one(v3([bytes, prefix + id]), prefix + id, isOurs, [true]);
        await one(v3([`${prefix}HorizontalDeltaCodec`, bytes], { shape: [6, 1], chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 1] } }, dimension_names: null }), `${prefix}HorizontalDeltaCodec`, isOurs, [true]);
        await one(v3([`${prefix}ChunkyCodec`]), `${prefix}ChunkyCodec`, isOurs);
        for (const id of ["vlen-utf8", "vlen-bytes"]) await one(text(prefix + id), prefix + id, ["", "numcodecs."].includes(prefix));
      }
      const older = (id, dtype) => ({ "/.zarray": { ...zarray, dtype, fill_value: null, filters: null, compressor: { id } } });
      for (const [id, isHere, dtype = "<i2"] of [["vlen-utf8", true, "|O"], ["vlen-bytes", true, "|O"], ["imagecodecs_lzw", true], ["imagecodecs_lzma", true], ["lz4", true], ["gribberish", false], ["numcodecs.lz4", false]]) {
        const [here, feature] = await said(older(id, dtype), ask);
        assert.deepEqual([here, feature ?? undefined], [[isHere], isHere ? undefined : `codec "numcodecs.${id}"`], id);
      }
    });

    test("damaged metadata stay an error of opening", async () => {
      for (const [more, codecs] of [[{}, [nobodys, { name: 5 }]], [{ shape: [-1] }, [nobodys]], [{ chunk_grid: { name: "hexagons" } }, [nobodys]], [{}, []]]) {
        await assert.rejects(said(v3(codecs, more), "return 0"), /invalid Zarr metadata|not supported/);
      }
    });

    test("an array whose codecs become known is read after a refresh, and the other way round", async () => {
      const ask = `const before = (await support.rejection(() => array.get())).name;
        store.set("/c/0", new Uint8Array(Int16Array.of(1, 2, 3, 4).buffer));
        store.set("/zarr.json", encode({ ...array.metadata, codecs: [${JSON.stringify(bytes)}] }));
        const isChanged = await array.refresh();
        const values = [...(await array.get()).data];
        store.set("/zarr.json", encode({ ...array.metadata, codecs: ["gone"] }));
        await array.refresh();
        return [before, isChanged, values, array.codecs, (await support.rejection(() => array.get())).name];`;
      const found = await said(v3([bytes, nobodys]), ask);
      assert.deepEqual(found, ["UnsupportedError", true, [1, 2, 3, 4, 7, 7], [{ name: "gone", configuration: {}, here: false }], "UnsupportedError"]);
    });

    test("a joined array has no document and no codecs of its own, and gives the stored chunks of its parts", async () => {
      const ask = `const joined = await RectilinearArray.concat([array, array], 0);
        return [joined.metadata === undefined, joined.codecs, [...await joined.getEncoded([0])], await joined.getEncoded([1]) ?? null, [...await joined.getEncoded([2])]];`;
      assert.deepEqual(await said(v3([bytes]), ask), [true, [], [1, 2, 3], null, [1, 2, 3]]);
    });

    test("stored chunks are copies, whole shards in a sharded array, and nothing else is accepted than a chunk", async () => {
      const ask = `const first = await array.getEncoded([0]);
        first.fill(9);
        const errors = [[2], [0, 0], "x", [-3]].map(async (coords) => (await support.rejection(() => array.getEncoded(coords))).name);
        const signal = AbortSignal.abort(new Error("enough"));
        return [[...await array.getEncoded([0])], await Promise.all(errors), (await support.rejection(() => array.getEncoded([0], { signal }))).message];`;
      for (const codecs of [[bytes], [sharded(bytes)], [bytes, nobodys], [bytes, zstd]]) {
        assert.deepEqual(await said(v3(codecs), ask), [[1, 2, 3], ["SelectionError", "SelectionError", "SelectionError", "SelectionError"], "enough"]);
      }
    });

    test("a freed array says so", async () => {
      const ask = `array.free(); return [(await support.rejection(() => array.getEncoded([0]))).name, (await support.rejection(async () => array.codecs)).name, (await support.rejection(async () => array.metadata)).name];`;
      assert.deepEqual(await said(v3([bytes]), ask), ["FreedError", "FreedError", "FreedError"]);
    });
  });
}

test("adapters refuse values that nobody decodes by name", async () => {
  const text = (value) => new TextEncoder().encode(JSON.stringify(value));
  const open = (more) => installed.RectilinearArray.open(new Map([["/zarr.json", text(document([bytes, nobodys], more))]]));
  const store = adapters.asRegularStore(await open());
  await assert.rejects(async () => (await store).get("/c/0"), /nobody.wrote-this/);
  await assert.rejects(async () => adapters.asRegularStore(await open({ data_type: "quaternion" })), { name: "UnsupportedError", message: /quaternion/ });
  await assert.rejects(async () => adapters.toZarrita(zarrita, await open({ data_type: "quaternion" })), { name: "UnsupportedError", message: /quaternion/ });
});

describe("stored chunks of a host", () => {
  let page;
  before(async () => void (page = await openPage()));
  after(() => page?.close());

  test("share the requests, the cache and the listener of reads", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const url = new URL("/data/rectilinear-single.zarr", location.href).href;
      const asked = [];
      const array = await RectilinearArray.open(url, { onRequest: ({ key, status }) => asked.push([key.split("/").slice(-3).join("/"), status]) });
      asked.length = 0;
      const coords = array.shape.map(() => 0);
      const [one, two, values] = await Promise.all([array.getEncoded(coords), array.getEncoded(coords), array.getChunk(coords)]);
      const whole = new Uint8Array(await (await fetch(`${url}/c/${coords.join("/")}`)).arrayBuffer());
      const after = await array.getEncoded(coords);
      const same = [one, two, after].every((bytes) => support.crc32(bytes) === support.crc32(whole));
      return { same, asked, length: whole.length, items: values.data.length };
    });
    assert.ok(found.same && found.length > 0 && found.items > 0, JSON.stringify(found));
    assert.equal(found.asked.length, 1);
    assert.deepEqual(found.asked[0][1], 200);
  });

  test("an abort ends the request, and an error of the host is that of a read", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const text = await (await fetch("/data/rectilinear-single.zarr/zarr.json")).arrayBuffer();
      let ended = false;
      const store = {
        get: async (key, { signal }) => {
          if (key === "/zarr.json") return new Uint8Array(text);
          if (key.endsWith("1")) throw new Error("the disk is gone");
          return new Promise((_, reject) => signal.addEventListener("abort", () => ((ended = true), reject(signal.reason))));
        },
      };
      const array = await RectilinearArray.open(store);
      const controller = new AbortController();
      const zeros = array.shape.map(() => 0);
      const pending = support.rejection(() => array.getEncoded(zeros, { signal: controller.signal }));
      setTimeout(() => controller.abort(new Error("enough")), 20);
      const { message } = await pending;
      const last = zeros.with(-1, 1);
      const [one, other] = await Promise.all([() => array.getEncoded(last), () => array.getChunk(last)].map(support.rejection));
      return { message, ended, errors: [one.name, one.message === other.message, one.key] };
    });
    assert.deepEqual([found.message, found.ended], ["enough", true]);
    assert.deepEqual(found.errors.slice(0, 2), ["StoreError", true]);
  });
});
