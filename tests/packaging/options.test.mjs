/** Options and selections of a kind that a call does not take are refused: they would have no effect, or read the whole array. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, test } from "node:test";

import { PACKAGE } from "../browser/support/paths.mjs";

const { Group, RectilinearArray, decoder, slice } = await import(join(PACKAGE, "node.js"));
const { Levels } = await import(join(PACKAGE, "levels-node.js"));
const { zipStore } = await import(join(PACKAGE, "stores.js"));
const { asRegularStore, fetchHandler, toZarrita } = await import(join(PACKAGE, "adapters.js"));
const { sparse, ragged, table } = await import(join(PACKAGE, "sparse.js"));
const { healpix } = await import(join(PACKAGE, "healpix.js"));

const bytes = (value) => new TextEncoder().encode(JSON.stringify(value));

const array = (name, shape, dimensions) => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: "int16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
  chunk_key_encoding: { name: "default" },
  fill_value: 7,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  dimension_names: dimensions,
  attributes: {},
});

const STORE = new Map([
  ["/zarr.json", bytes({ zarr_format: 3, node_type: "group", attributes: { title: "a", big: 1 } })],
  ["/t/zarr.json", bytes(array("t", [4, 3], ["time", "x"]))],
  ["/time/zarr.json", bytes(array("time", [4], ["time"]))],
  ["/time/c/0", new Uint8Array(Int16Array.of(0, 1, 2, 3).buffer)],
]);

class Labels {}

describe("what a call does not take", () => {
  let t;
  let time;
  let group;
  before(async () => {
    group = await Group.open(STORE);
    [t, time] = await Promise.all([group.array("t"), group.array("time")]);
  });

  /** Values that hold no fields by name. */
  const STRANGERS = {
    "a Map": new Map([["time", 1]]),
    "a Set": new Set([1]),
    "an iterable": { *[Symbol.iterator]() { yield 1; } },
    "a proxy of an iterable": new Proxy({}, { has: (_, key) => key === Symbol.iterator }),
    "a date": new Date(0),
    "a promise": Promise.resolve({ time: 1 }),
    "an object of a class without fields": new Labels(),
    "a boxed number": new Number(1),
    "a typed array": Int32Array.of(1),
    "a text": "time",
  };

  for (const [name, value] of Object.entries(STRANGERS)) {
    test(`a selection that is ${name}`, async () => {
      const refused = { name: "SelectionError" };
      await assert.rejects(t.get(value), refused);
      await assert.rejects(t.prefetch(value), refused);
      await assert.rejects(t.decodeTime(value), refused);
      await assert.rejects(t.stream(value).next(), refused);
      await assert.rejects(t.sel(value), refused);
      assert.throws(() => t.plan(value), refused);
    });
    test(`options that are ${name}`, async () => {
      const refused = { name: "TypeError", message: /^the options of \w+(\.open)? must be a plain object with fields of its own, not \[object \w+\]$/ };
      for (const call of [t.get(null, value), t.sel({}, value), t.refresh(value), group.array("t", value), RectilinearArray.open(STORE, value), Levels.open(group, value), zipStore("http://a.invalid", value)]) {
        await assert.rejects(call, refused);
      }
    });
  }

  for (const value of [new Set([1]), new Map(), Promise.resolve(1), {}, new Labels(), { begin: 1 }]) {
    test(`an axis of ${value.constructor.name}`, async () => {
      await assert.rejects(t.get([value]), { name: "SelectionError", axis: 0 });
      await assert.rejects(t.get({ time: value }), { name: "SelectionError", axis: 0 });
      await assert.rejects(t.sel({ time: value }), { name: "SelectionError", axis: 0 });
    });
  }

  test("plain objects of every making select", async () => {
    class Query {
      time = 1;
    }
    for (const query of [{ time: 1 }, Object.assign(Object.create(null), { time: 1 }), new Query()]) {
      assert.deepEqual((await t.get(query)).shape, [3]);
      assert.deepEqual((await t.sel(query)).shape, [3]);
    }
    assert.deepEqual((await t.get({})).shape, [4, 3]);
    assert.deepEqual((await t.sel({ time: slice(null, null) })).shape, [4, 3]);
  });

  test("a slice alone, and a list for sel, are told what to do", async () => {
    await assert.rejects(time.get(slice(3)), /put it in a list/);
    await assert.rejects(t.sel([1, 2]), { name: "SelectionError", message: /^selection: sel expects a plain object/ });
  });

  const unknown = (name, more = /./) => ({ name: "TypeError", message: new RegExp(`has no option ${name}\\b.*${more.source}`) });

  test("an unknown option", async () => {
    await assert.rejects(t.get(null, { dtype: "float32" }), unknown("dtype", /it has int64, as/));
    await assert.rejects(t.get(null, { cacheBytes: 5 }), unknown("cacheBytes", /an option of open/));
    await assert.rejects(t.get(null, { onprogress: () => {} }), unknown("onprogress", /did you mean onProgress/));
    await assert.rejects(t.get(null, { as: "float32", scale: { factr: 2 } }), /scale has no option factr; it has factor, offset$/);
    await assert.rejects(t.get(null, { texture: { format: "r32float", width: 2 } }), /texture has no option width/);
    await assert.rejects(t.get(null, { as: "float32", scale: [2, 1] }), /the options of scale must be a plain object.*, not \[object Array\]$/);
    await assert.rejects(t.getPoints([[0, 0]], { sgnal: 1 }), unknown("sgnal"));
    await assert.rejects(t.getChunk([0, 0], { grids: "inner" }), unknown("grids", /grid/));
    await assert.rejects(t.stream(null, { method: "nearest" }).next(), unknown("method"));
    await assert.rejects(t.prefetch(null, { cache: 1 }), unknown("cache"));
    await assert.rejects(t.getEncoded([0, 0], { as: "uint8" }), unknown("as"));
    await assert.rejects(t.decodeTime(null, { as: "float32" }), unknown("as", /it has signal, onProgress, order/));
    await assert.rejects(t.refresh({ force: true }), unknown("force"));
    await assert.rejects(t.sel({ time: 1 }, { tolerence: 1 }), unknown("tolerence", /tolerance/));
    await assert.rejects(RectilinearArray.open(STORE, { cache: 5 }), unknown("cache"));
    await assert.rejects(Group.open(STORE, { header: {} }), unknown("header", /headers/));
    await assert.rejects(group.array("t", { headers: {} }), unknown("headers", /an option of open/));
    await assert.rejects(Levels.open(group, { varible: "t" }), unknown("varible", /variable/));
    await assert.rejects(zipStore("http://a.invalid", { concurrency: 3 }), unknown("concurrency"));
    await assert.rejects(sparse(group, "", { forma: "csr" }), unknown("forma"));
    await assert.rejects(table(group, "", { dim: "time" }), unknown("dim"));
    await assert.rejects(ragged(time, { offset: [0] }), unknown("offset", /offsets/));
    await assert.rejects(healpix(group, "t", { level: 3 }), unknown("level"));
    assert.throws(() => asRegularStore(group, { chunkshape: [1] }), { name: "TypeError", message: "asRegularStore has no option chunkshape; did you mean chunkShape?" });
    for (const call of [asRegularStore, fetchHandler]) assert.throws(() => call(group, { kept: new Map() }), (error) => /has no option kept; it has/.test(error.message) && !/it has.*kept/.test(error.message));
    await assert.rejects(toZarrita({ extendArray() {}, defineArrayExtension() {} }, t, { geozar: true }), { name: "TypeError", message: /^toZarrita has no option geozar; it has / });
    assert.throws(() => fetchHandler(group, { bass: "https://a.invalid" }), unknown("bass", /base/));
    assert.throws(() => decoder("my.codec", () => {}, { overide: true }), unknown("overide"));
  });

  test("names that a page added to all objects are no options", async () => {
    Object.prototype.added = true;
    try {
      assert.deepEqual((await t.get([0], {})).shape, [3]);
      assert.deepEqual((await t.get([0], { as: "float32" })).shape, [3]);
    } finally {
      delete Object.prototype.added;
    }
  });

  test("an object whose fields are those of its prototype", async () => {
    await assert.rejects(t.get(null, Object.create({ as: "float32" })), /must be a plain object with fields of its own, not \[object Object\]$/);
  });

  test("absent options have any name", async () => {
    assert.deepEqual((await t.get([0], { dtype: undefined, signal: null })).shape, [3]);
  });

  test("a view's chunk shapes in a Map", () => assert.throws(() => asRegularStore(group, { chunkShape: new Map([["t", [1, 1]]]) }), /chunkShape takes/));
});

describe("what a console shows", () => {
  test("arrays and groups", async () => {
    const { inspect } = await import("node:util");
    const group = await Group.open(STORE);
    const t = await group.array("t");
    assert.equal(String(t), 'RectilinearArray {"path":"t","zarrFormat":3,"dtype":"int16","shape":[4,3],"dimensionNames":["time","x"],"chunks":[4,3]}');
    assert.match(inspect(t), /^RectilinearArray \{[^]*dtype: 'int16'[^]*\}$/);
    assert.match(inspect({ t }), /dtype: 'int16'/);
    assert.deepEqual(JSON.parse(JSON.stringify({ t, group })), {
      t: { path: "t", zarrFormat: 3, dtype: "int16", shape: [4, 3], dimensionNames: ["time", "x"], chunks: [4, 3] },
      group: { path: "", zarrFormat: 3, attributes: ["title", "big"] },
    });
    assert.equal(Object.prototype.toString.call(group), "[object Group]");
    assert.match(inspect(t.chunkGrid), /^ChunkGrid \{ shape: \[ 1, 1 \], isRegular: true \}$/);
    assert.deepEqual([Object.keys(t), Object.keys(group)], [[], []]);
    t.free();
    assert.equal(String(t), "RectilinearArray (freed)");
    assert.equal(inspect(t), "RectilinearArray (freed)");
    assert.throws(() => JSON.stringify(t), { name: "FreedError" });
  });

  test("an object of new says how to open", async () => {
    await assert.rejects(new RectilinearArray("https://a.invalid").get(), { name: "TypeError", message: /not made by new: use await RectilinearArray\.open/ });
    assert.throws(() => new Group("https://a.invalid").path, /await Group\.open/);
  });

  test("small floats are numbers", async () => {
    const metadata = { ...array("f", [2]), data_type: "float8_e4m3fn", fill_value: 0, codecs: [{ name: "bytes" }] };
    const f = await RectilinearArray.open(new Map([["/zarr.json", bytes(metadata)]]));
    assert.deepEqual(["number", "float8_e4m3fn", "string"].map((type) => f.is(type)), [true, true, false]);
    assert.ok((await f.get()).data instanceof Float32Array);
  });

  test("chunks of several lengths are shown by their runs", async () => {
    const metadata = { ...array("v", [70]), chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[[24, 2], 22]] } } };
    const v = await RectilinearArray.open(new Map([["/zarr.json", bytes(metadata)]]));
    assert.match(String(v), /"chunks":\["2 x 24, 22"\]/);
  });

  test("a data type is asked by is", async () => {
    const t = await RectilinearArray.open(STORE, { path: "t" });
    assert.deepEqual(["int16", "number", "uint16", "bigint", "string", "toString"].map((type) => t.is(type)), [true, true, false, false, false, false]);
  });
});
