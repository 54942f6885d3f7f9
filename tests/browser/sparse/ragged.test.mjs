/** Ragged arrays: the features of xarray's CF data sets, by attributes or by what is given; damaged layouts. In Node. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";

import { NEIGHBOURS } from "../support/paths.mjs";
import { RectilinearArray, made, opened, ragged, vector } from "../support/sparse.mjs";

const from = (start, count, step = 1.5) => Array.from({ length: count }, (_, nth) => (start + nth) * step);

/** An array of `length` items in chunks of two, and other arrays beside it. */
async function contents(length, ...others) {
  const values = vector("v", "float64", from(0, length), { dimension: "obs" });
  return made(values, ...others);
}

describe("ragged arrays of CF", () => {
  test("contiguous: counts are found by sample_dimension", async () => {
    const { group, keys } = await opened("ragged.zarr");
    const v = await group.array("contiguous/v");
    const tracks = await ragged(v, { group });
    assert.equal(tracks.length, 4);
    assert.deepEqual(await tracks.at(1), Float64Array.of(3, 4.5, 6, 7.5));
    assert.deepEqual(await tracks.at(-1), Float64Array.from(from(9, 6)));
    assert.deepEqual(await tracks.slice(1, 3), { offsets: Int32Array.of(0, 4, 7), data: Float64Array.from(from(2, 7)), shape: [7] });
    assert.deepEqual((await tracks.slice(null)).offsets, Int32Array.of(0, 2, 6, 9, 15));
    assert.deepEqual((await tracks.slice(2, 2)), { offsets: Int32Array.of(0), data: new Float64Array(0), shape: [0] });
    assert.deepEqual(await tracks.at(0, { as: "float32" }), Float32Array.of(0, 1.5));
    assert.deepEqual([...new Set(keys)], ["/zarr.json", "/contiguous/row_size/c/0", "/contiguous/v/c/0"]);
  });

  test("indexed: the index is found by instance_dimension, and its features by the dimension's length", async () => {
    const { group } = await opened("ragged.zarr");
    const tracks = await ragged(await group.array("indexed/v"), { group });
    assert.equal(tracks.length, 5);
    assert.deepEqual(await tracks.at(1), Float64Array.of(3, 6, 7.5));
    assert.deepEqual(await tracks.at(0), Float64Array.of(0, 1.5, 10.5));
    assert.deepEqual(await tracks.at(4), new Float64Array(0));
    assert.deepEqual(await tracks.slice(1, 4), { offsets: Int32Array.of(0, 3, 4, 5), data: Float64Array.of(3, 6, 7.5, 4.5, 9), shape: [5] });
  });

  test("row sizes without attributes, as clouddrift has them, of contents with two axes", async () => {
    const { group } = await opened("ragged.zarr");
    const inner = await group.group("rowsize");
    const tracks = await ragged(await group.array("rowsize/position"), { group: inner });
    assert.equal(tracks.length, 5);
    assert.deepEqual(await tracks.at(1), Float64Array.from(from(4, 8, 1)));
    assert.deepEqual(await tracks.slice(2, 4), { offsets: Int32Array.of(0, 0, 3), data: Float64Array.from(from(12, 6, 1)), shape: [3, 2] });
  });

  test("what is given agrees with what is found", async () => {
    const { group } = await opened("ragged.zarr");
    const [v, sizes, w, index] = await Promise.all(["contiguous/v", "contiguous/row_size", "indexed/v", "indexed/trajectory"].map((path) => group.array(path)));
    for (const layout of [{ counts: sizes }, { counts: [2, 4, 3, 6] }, { offsets: [0, 2, 6, 9, 15] }, { offsets: BigInt64Array.of(0n, 2n, 6n, 9n, 15n) }]) {
      assert.deepEqual(await (await ragged(v, layout)).at(2), Float64Array.from(from(6, 3)));
    }
    for (const layout of [{ index }, { index: [0, 0, 1, 2, 1, 1, 3, 0] }]) {
      const tracks = await ragged(w, layout);
      assert.deepEqual([tracks.length, [...(await tracks.at(1))]], [4, [3, 6, 7.5]]);
    }
  });

  test("of stored offsets those of the features are read", async () => {
    const group = await contents(2000, vector("offsets", "int64", from(0, 1001, 2), { chunk: 100 }));
    const offsets = await group.array("offsets");
    const asked = [];
    const { get } = offsets;
    offsets.get = (selection, options) => (selection[0].stop !== 0 && asked.push(selection[0]), get.call(offsets, selection, options));
    const tracks = await ragged(await group.array("v"), { offsets });
    assert.equal(tracks.length, 1000);
    assert.deepEqual(await tracks.at(555), Float64Array.of(1110 * 1.5, 1111 * 1.5));
    assert.deepEqual(asked.map((selection) => (ArrayBuffer.isView(selection) ? [...selection] : [selection.start, selection.stop])), [[0, 1000], [555, 557]]);
  });

  test("an awkward array of AnnData is its offsets and its contents", async () => {
    const { group } = await opened("small.zarr");
    const lists = await group.group("neighbours");
    const neighbours = await ragged(await lists.array("node1-data"), { offsets: await lists.array("node0-offsets") });
    assert.deepEqual([neighbours.length, await neighbours.at(1), await neighbours.at(2)], [3, new BigInt64Array(0), BigInt64Array.of(3n, 4n, 5n)]);
  });

  test("elements without a feature belong to none", async () => {
    const group = await contents(5, vector("index", "int32", [1, -9, 0, 1, -9], { attributes: { _FillValue: -9 } }));
    const tracks = await ragged(await group.array("v"), { index: await group.array("index") });
    assert.deepEqual([tracks.length, [...(await tracks.at(1))]], [2, [0, 4.5]]);
  });
});

/** Opens an array along one axis whose items are arrays, of a document and its one chunk. */
async function openedItems(document, chunk, count) {
  const grid = { chunk_key_encoding: { name: "default" }, chunk_grid: { name: "regular", configuration: { chunk_shape: [count] } } };
  const whole = { zarr_format: 3, node_type: "array", ...document, shape: [count], ...grid };
  return RectilinearArray.open(new Map([["/zarr.json", Buffer.from(JSON.stringify(whole))], ...(chunk ? [["/c/0", chunk]] : [])]));
}

describe("items that are arrays", async () => {
  const cases = JSON.parse(await readFile(join(NEIGHBOURS, "ndarrays.json"), "utf8"));
  const TYPES = { bool: Uint8Array, int16: Int16Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array, complex64: Float32Array, complex128: Float64Array };
  // The reference's chunks of two by two are read as one of four.
  for (const { name, document, chunks, itemShape, items } of cases.filter(({ document, chunks }) => chunks["c/0/0"] && JSON.stringify(document.chunk_grid).includes("[2,2]") && document.codecs[0].name === "vlen-ndarray")) {
    test(`${name}: end to end, as zarr-vlen-ndarray wrote them`, async () => {
      const { dtype } = document.data_type.configuration;
      const typed = (text) => new TYPES[dtype](Uint8Array.from(Buffer.from(text, "base64")).buffer);
      const stored = [0, 1, 3, 4].map((nth) => typed(items[nth]));
      const array = await openedItems({ ...document, dimension_names: undefined }, Buffer.from(chunks["c/0/0"], "base64"), 4);
      const tracks = await ragged(array, { items: true });
      assert.equal(tracks.length, 4);
      for (const nth of [0, 1, 2, 3]) assert.deepEqual(await tracks.at(nth), stored[nth]);
      assert.deepEqual(await tracks.at(-1), stored[3]);
      const step = itemShape.slice(1).reduce((product, length) => product * length, dtype.startsWith("complex") ? 2 : 1);
      const lengths = stored.map(({ length }) => length / step);
      const all = await tracks.slice(null);
      assert.deepEqual([...all.offsets], [0, lengths[0], lengths[0] + lengths[1], lengths[0] + lengths[1] + lengths[2], lengths[0] + lengths[1] + lengths[2] + lengths[3]]);
      assert.deepEqual([all.data.constructor, [...all.data]], [TYPES[dtype], stored.flatMap((item) => [...item])]);
      assert.deepEqual(all.shape, [all.offsets[4], ...itemShape.slice(1)]);
      const some = await tracks.slice(1, -1);
      assert.deepEqual([...some.data], [...stored[1], ...stored[2]]);
      assert.deepEqual(await tracks.slice(2, 2), { offsets: Int32Array.of(0), data: new TYPES[dtype](0), shape: [0, ...itemShape.slice(1)] });
    });
  }

  test("the case of the proposal: three, none, one, none", async () => {
    const words = [4, 24, ...[0, 1, 2, 3, 4, 5].map((value) => new Uint32Array(Float32Array.of(value).buffer)[0]), 0, 8, ...[9, 9].map((value) => new Uint32Array(Float32Array.of(value).buffer)[0]), 0];
    const chunk = new Uint8Array(Uint32Array.from(words).buffer);
    const array = await openedItems({ data_type: { name: "ndarray", configuration: { dtype: "float32", shape: [null, 2] } }, fill_value: "", codecs: ["vlen-ndarray"] }, chunk, 4);
    assert.deepEqual(await (await ragged(array, { items: true })).slice(0), { offsets: Int32Array.of(0, 3, 3, 4, 4), data: Float32Array.of(0, 1, 2, 3, 4, 5, 9, 9), shape: [4, 2] });
  });

  test("the codec vlen-array of Zarr v2", async () => {
    const document = { zarr_format: 2, shape: [3], chunks: [3], dtype: "|O", filters: [{ id: "vlen-array", dtype: "<i4" }], compressor: null, fill_value: 0, order: "C" };
    const chunk = new Uint8Array(Int32Array.of(3, 8, 1, 2, 0, 4, 3).buffer);
    const array = await RectilinearArray.open(new Map([["/.zarray", Buffer.from(JSON.stringify(document))], ["/0", chunk]]));
    assert.deepEqual(await (await ragged(array, { items: true })).slice(null), { offsets: Int32Array.of(0, 2, 2, 3), data: Int32Array.of(1, 2, 3), shape: [3] });
  });

  test("what items share is not laid end to end beyond the limit, and other items are refused", async () => {
    const fill_value = Buffer.alloc(1 << 20, 7).toString("base64");
    const long = await openedItems({ data_type: { name: "ndarray", configuration: { dtype: "int16", shape: [null] } }, fill_value, codecs: ["vlen-ndarray"] }, undefined, 1 << 16);
    const tracks = await ragged(long, { items: true });
    await assert.rejects(tracks.slice(null), { name: "RangeError", message: /65536 items of "\/" takes 68719476736 bytes.*maxBytes/ });
    assert.equal((await tracks.slice(0, 3)).data.length, 3 << 19);
    await assert.rejects((await ragged(long, { items: true, maxBytes: 100 })).slice(0, 1), { name: "RangeError" });
    await assert.rejects(tracks.at(1 << 16), { name: "SelectionError" });
    await assert.rejects(tracks.at(0.5), { name: "SelectionError" });
    const v = await (await contents(5)).array("v");
    await assert.rejects(ragged(v, { items: true }), { name: "UnsupportedError", message: /no arrays of unequal length/ });
    await assert.rejects(ragged(v, { items: false }), { name: "TypeError", message: /items/ });
    const [{ document, chunks }] = cases;
    const plane = await RectilinearArray.open(new Map([["/zarr.json", Buffer.from(JSON.stringify(document))], ["/c/0/0", Buffer.from(chunks["c/0/0"], "base64")]]));
    await assert.rejects(ragged(plane, { items: true }), { name: "UnsupportedError", message: /2 axes/ });
  });
});

describe("damaged ragged arrays", () => {
  const faults = {
    "counts that add up to less": [{ counts: [2, 2] }, "counts", "/1", /add up to 4, and there are 5 elements/],
    "counts that add up to more": [{ counts: [2, 4] }, "counts", "/1", /add up to 6/],
    "a negative count": [{ counts: [6, -1] }, "counts", "/1", /got -1/],
    "a count that is no integer": [{ counts: [2.5, 2.5] }, "counts", "/0", /got 2.5/],
    "offsets that fall": [{ offsets: [0, 4, 2, 5] }, "offsets", "/2", /2 is less than 4/],
    "offsets that lead beyond the contents": [{ offsets: [0, 4, 6] }, "offsets", "/2", /6 leads beyond the 5 elements/],
    "offsets without the last one": [{ offsets: [0, 2, 4] }, "offsets", "/2", /the last one is 4, and there are 5 elements; n rows or features have n \+ 1 of them/],
    "offsets without the first one": [{ offsets: [2, 5] }, "offsets", "/0", /expected 0, got 2/],
    "no offsets": [{ offsets: [] }, "offsets", "/0", /no pointer/],
    "an index of another length": [{ index: [0, 0, 1] }, "index", "/3", /3 entries, and there are 5 elements/],
    "a negative feature": [{ index: [0, 0, 1, -1, 0] }, "index", "/3", /got -1/],
    "a feature beyond the last one": [{ index: [0, 0, 1, 5, 0], length: 2 }, "index", "/3", /from 0 to 1, got 5/],
  };
  for (const [name, [layout, key, path, message]] of Object.entries(faults)) {
    test(name, async () => {
      const group = await contents(5);
      await assert.rejects(ragged(await group.array("v"), layout), { name: "InvalidMetadataError", key, path, message });
    });
    if (name === "no offsets" || layout.length || name.endsWith("integer")) continue;
    test(`${name}, stored`, async () => {
      const [[kind, list]] = Object.entries(layout);
      const group = await contents(5, vector("layout", "int32", list));
      const stored = async () => (await ragged(await group.array("v"), { [kind]: await group.array("layout") })).slice(null);
      await assert.rejects(stored, { name: "InvalidMetadataError", key: "layout", path, message });
    });
  }

  test("counts of two axes, and groups without a layout", async () => {
    const { group } = await opened("ragged.zarr");
    const [v, position] = [await group.array("contiguous/v"), await group.array("rowsize/position")];
    await assert.rejects(ragged(v, { counts: position }), { name: "InvalidMetadataError", key: "rowsize/position/zarr.json", path: "/shape/0" });
    const { group: points } = await opened("points-v3.zarr");
    await assert.rejects(ragged(await points.array("depth"), { group: points }), { name: "UnsupportedError", message: /sample_dimension "obs"/ });
    const bare = await contents(5);
    await assert.rejects(ragged(await bare.array("v"), { group: bare }), { name: "UnsupportedError", message: /not consolidated/ });
  });

  test("arguments that say nothing, and indices that are none", async () => {
    const group = await contents(5);
    const v = await group.array("v");
    for (const layout of [undefined, {}, { counts: 5 }, { index: "v" }]) await assert.rejects(ragged(v, layout), { name: "TypeError" });
    await assert.rejects(ragged([1, 2], { counts: [2] }), { name: "TypeError", message: /opened array/ });
    await assert.rejects(ragged(v, { index: [0, 0, 0, 0, 2 ** 40] }), { name: "RangeError", message: /features/ });
    await assert.rejects(ragged(v, { counts: await group.array("v"), maxBytes: 39 }), { name: "RangeError", message: /40 bytes/ });
    const tracks = await ragged(v, { counts: [2, 3] });
    for (const index of [2, -3]) await assert.rejects(tracks.at(index), { name: "SelectionError" });
    for (const index of [null, 0.5, [1]]) await assert.rejects(tracks.at(index), { name: "SelectionError" });
  });
});
