/** `asRegularStore` as a store: what it asks for, what readers share, what it refuses. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { gate, on } from "../support/faults.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { written } from "../support/written.mjs";

const ARRAYS = { even: { shape: [64, 64], chunks: [16, 16], gzip: true }, sharded: { shape: [64, 64], chunks: [64, 64], inner: [16, 16], gzip: true } };

/** A group of an array that can be shown and one that cannot. */
function mixed() {
  const files = new Map([...written("mixed/good", ARRAYS.even)]);
  const good = JSON.parse(files.get("/mixed/good/zarr.json"));
  const bad = { ...good, data_type: "variable_length_bytes", fill_value: "", codecs: [{ name: "vlen-bytes" }] };
  const consolidated_metadata = { kind: "inline", must_understand: false, metadata: { bad, good, unknown: { ...good, data_type: "int1000" } } };
  return files.set("/mixed/zarr.json", Buffer.from(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata })));
}

describe("asRegularStore", () => {
  let network;
  let near;
  before(async () => {
    network = await startNetwork(new Map([...Object.entries(ARRAYS).flatMap(([name, layout]) => [...written(name, layout)]), ...mixed()]));
    ({ near } = network);
    await network.run(async ({ RectilinearArray }) => {
      const { asRegularStore } = await import("rectilinear-zarr/adapters");
      globalThis.opened = async (name, options) => asRegularStore(await RectilinearArray.open(`/near/${name}`), options);
      globalThis.text = async (store, key) => new TextDecoder().decode(await store.get(key));
    });
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  test("chunks are cut from the array's, padded, and found by their keys alone", async () => {
    const found = await network.run(async () => {
      const store = await globalThis.opened("even", { chunkShape: [24, 40] });
      const items = async (key) => {
        const bytes = await store.get(key);
        return bytes && [...new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)];
      };
      const inside = await items("/c/1/0");
      const edge = await items("/c/2/1");
      const outside = ["/c/3/0", "/c/0/2", "/c/0", "/c/0/0/0", "/c/00/0", "/c/-1/0", "/c"];
      const others = ["/0/0", "/.zarray", "/x/c/0/0", "/x/zarr.json", "c/0/0", ""];
      const none = await Promise.all([...outside, ...others].map((key) => store.get(key)));
      return { inside, edge, none };
    });
    const at = (row, column) => (row < 64 && column < 64 ? row * 64 + column : 0);
    const box = (row, column) => Array.from({ length: 24 * 40 }, (_, nth) => at(row + Math.floor(nth / 40), column + (nth % 40)));
    assert.deepEqual(found.inside, box(24, 0));
    assert.deepEqual(found.edge, box(48, 40));
    assert.deepEqual(found.none.filter((value) => value !== null && value !== undefined), []);
  });

  test("ranges are cut from the chunk", async () => {
    const found = await network.run(async () => {
      const store = await globalThis.opened("even");
      const whole = [...(await store.get("/c/1/1"))];
      const ranges = [{ offset: 0, length: 4 }, { offset: 100, length: 10 }, { suffixLength: 8 }, { offset: 1020, length: 100 }, { offset: 5000, length: 1 }];
      const parts = await Promise.all(ranges.map((range) => store.getRange("/c/1/1", range)));
      const expected = [whole.slice(0, 4), whole.slice(100, 110), whole.slice(-8), whole.slice(1020), []];
      return { parts: parts.map((part) => [...part]), expected, none: (await store.getRange("/c/9/9", ranges[0])) === undefined };
    });
    assert.deepEqual(found.parts, found.expected);
    assert.ok(found.none);
  });

  test("the chunks of the array that its own overlap are asked for once", async () => {
    await network.run(async () => {
      const store = await globalThis.opened("even", { chunkShape: [10, 64] });
      for (const row of [0, 1, 2, 3, 4, 5, 6]) await store.get(`/c/${row}/0`);
    });
    assert.equal(near.asked().length, 16);
  });

  /** Begin reads of the chunk 0/0 under these names, of one store, once the host holds what they ask for. */
  async function begin(...names) {
    const held = gate();
    near.rules = [on(/\/c\//, held)];
    await network.run(async (_, names) => {
      const store = await globalThis.opened("even");
      const read = (name) => {
        const controller = new AbortController();
        const bytes = store.get("/c/0/0", { signal: controller.signal });
        return [name, { controller, end: bytes.catch((error) => (error === controller.signal.reason ? "reason" : String(error))) }];
      };
      globalThis.reads = Object.fromEntries(names.map(read));
      globalThis.again = (name) => Object.assign(globalThis.reads, Object.fromEntries([read(name)]));
    }, names);
    await until(() => held.held > 0);
    return held;
  }
  const abort = (...names) => network.run((_, names) => names.forEach((name) => globalThis.reads[name].controller.abort(new Error(name))), names);
  const end = (...names) =>
    network.run(async (_, names) => {
      const ends = await Promise.all(names.map((name) => globalThis.reads[name].end));
      return ends.map((bytes) => (typeof bytes === "string" ? bytes : bytes.length));
    }, names);
  const aborted = () => near.log.filter(({ aborted }) => aborted).length;

  test("two readers of a chunk share one read, and neither sees what the other makes of it", async () => {
    const held = await begin("one", "other");
    held.open();
    const first = await network.run(async () => {
      const [one, other] = await Promise.all([globalThis.reads.one.end, globalThis.reads.other.end]);
      one.fill(255);
      return [...other.subarray(0, 8)];
    });
    assert.deepEqual(first, [0, 0, 0, 0, 1, 0, 0, 0]);
    assert.equal(near.asked().length, 1);
  });

  test("one of two readers leaves, the other gets its bytes, and nothing is aborted", async () => {
    const held = await begin("stays", "leaves");
    await abort("leaves");
    assert.deepEqual(await end("leaves"), ["reason"]);
    held.open();
    assert.deepEqual(await end("stays"), [1024]);
    assert.equal(aborted(), 0);
  });

  test("reads without a signal make no AbortController of their own, and a reader with one leaves alone", async () => {
    const found = await network.run(async ({ RectilinearArray, support }) => {
      const { asRegularStore } = await import("rectilinear-zarr/adapters");
      const keys = Array.from({ length: 16 }, (_, nth) => `c/${nth >> 2}/${nth & 3}`);
      const array = await RectilinearArray.open(await support.fetchFiles("/near/even", ["zarr.json", ...keys]));
      const store = asRegularStore(array);
      const { AbortController } = globalThis;
      let made = 0;
      globalThis.AbortController = class extends AbortController {
        constructor() {
          super();
          made += 1;
        }
      };
      try {
        const sizes = await Promise.all(keys.map(async (key) => (await store.get(`/${key}`)).length));
        const stored = await Promise.all(keys.map((_, nth) => array.getEncoded([nth >> 2, nth & 3])));
        const controller = new AbortController();
        const [stays, leaves] = [{}, { signal: controller.signal }].map((options) => store.get("/c/0/0", options));
        controller.abort("reason");
        return { made, sizes, stored: stored.every(Boolean), left: await leaves.catch((reason) => reason), kept: (await stays).length };
      } finally {
        globalThis.AbortController = AbortController;
      }
    });
    const { made, ...others } = found;
    assert.deepEqual(others, { sizes: Array(16).fill(1024), stored: true, left: "reason", kept: 1024 });
    // Requests that are sent together to the store have one, at most.
    assert.ok(made < 8, `${made} controllers`);
  });

  test("when the last reader has left the request is aborted, and who comes then reads anew", async () => {
    const held = await begin("one", "other");
    await abort("one", "other");
    await network.run(() => void globalThis.again("later"));
    assert.deepEqual(await end("one", "other"), ["reason", "reason"]);
    await until(() => aborted() === 1);
    held.open();
    assert.deepEqual(await end("later"), [1024]);
  });

  test("a group's store leaves out what cannot be shown, and says why where it is asked for", async () => {
    const found = await network.run(async ({ Group, support }) => {
      const { asRegularStore } = await import("rectilinear-zarr/adapters");
      const store = asRegularStore(await Group.open("/near/mixed"));
      const document = JSON.parse(await globalThis.text(store, "/zarr.json"));
      const refused = await support.rejection(() => store.get("/bad/zarr.json"));
      const listed = document.consolidated_metadata.metadata;
      return { names: Object.keys(listed), good: listed.good, own: JSON.parse(await globalThis.text(store, "/good/zarr.json")), refused };
    });
    assert.deepEqual(found.names, ["good"]);
    assert.deepEqual(found.good, found.own);
    assert.equal(found.refused.name, "UnsupportedError");
    assert.equal(found.refused.feature, "variable_length_bytes");
    assert.deepEqual(near.log.map(({ path }) => path), ["/mixed/zarr.json"]);
  });

  test("chunk shapes: by rank, by a function, and none that fits no array", async () => {
    const found = await network.run(async ({ Group, support }) => {
      const { asRegularStore } = await import("rectilinear-zarr/adapters");
      const group = await Group.open("/near/mixed");
      const shapeOf = async (options) => {
        const document = JSON.parse(await globalThis.text(asRegularStore(group, options), "/good/zarr.json"));
        return document.chunk_grid.configuration.chunk_shape;
      };
      const shapes = [];
      for (const chunkShape of [undefined, [8, 32], [5], ({ shape }) => [shape[0], 2], () => undefined]) shapes.push(await shapeOf({ chunkShape }));
      const refused = (chunkShape) => support.rejection(() => globalThis.opened("even", { chunkShape }));
      const wrong = await Promise.all([[16], [0, 16], [1.5, 2], [16, 16, 16]].map(refused));
      const other = await support.rejection(async () => asRegularStore("https://host/run.zarr"));
      return { shapes, wrong: wrong.map(({ name }) => name), other: other.name };
    });
    assert.deepEqual(found.shapes, [[16, 16], [8, 32], [16, 16], [64, 2], [16, 16]]);
    assert.deepEqual(found.wrong, ["RangeError", "RangeError", "RangeError", "RangeError"]);
    assert.equal(found.other, "TypeError");
  });

  test("chunk shapes of its choice are near the array's, and of a size for tiles", async () => {
    // Extents, edges along each axis, the data type, and the shape that is chosen.
    const cases = [
      // Days by months, uneven bands, whole rows: months are kept, bands become tiles, of which the array has not one.
      [[366, 180, 360], [[31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], [24, 42, 60, 54], [360]], "int16", [31, 180, 360]],
      // A year and one-day appends: most days lie in the year, which is more than a tile takes.
      [[395, 8, 8], [[365, [1, 30]], [8], [8]], "int16", [365, 8, 8]],
      [[395, 721, 1440], [[365, [1, 30]], [103], [206]], "float32", [46, 103, 206]],
      // Uneven axes of a map: the nearest multiple of 256, halved by whole tiles.
      [[10980, 10980], [[[1000, 10], 980], [900, 1100, [1280, 7], 20]], "uint16", [1000, 1280]],
      [[10980, 10980], [[[1000, 10], 980], [900, 1100, [1280, 7], 20]], "float32", [1000, 768]],
      [[4000, 4000], [[90, [100, 39], 10], [400, [600, 6]]], "uint8", [256, 512]],
      // Even axes keep their edge, the last chunk being shorter or longer than the array.
      [[62, 300], [[31], [128]], "uint8", [31, 128]],
      [[70, 300], [[31, 31, 20], [100, 200]], "uint8", [31, 256]],
      // One axis has no tiles: a coordinate is one chunk up to 4 MiB, and a chromosome is cut.
      [[90], [[[1, 40], 50]], "int32", [90]],
      [[2 ** 20], [[2 ** 19, 2 ** 19 + 1]], "int32", [2 ** 20]],
      [[2 ** 20 + 1], [[2 ** 19, 2 ** 19 + 1]], "int32", [2 ** 19 + 1]],
      [[4e8], [[248956422, 151043578]], "uint8", [3889945]],
      [[0, 5], [[3], [2]], "uint8", [1, 2]],
      [[], [], "uint8", []],
    ];
    const found = await network.run(
      async ({ RectilinearArray }, cases) => {
        const { asRegularStore } = await import("rectilinear-zarr/adapters");
        return Promise.all(
          cases.map(async ([shape, edges, data_type]) => {
            const chunk_shapes = edges.map((axis) => (axis.length === 1 ? axis[0] : axis));
            const uneven = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes } };
            const chunk_grid = shape.length > 0 ? uneven : { name: "regular", configuration: { chunk_shape: [] } };
            const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
            const kind = { zarr_format: 3, node_type: "array", chunk_key_encoding: { name: "default" }, codecs };
            const document = { ...kind, shape, data_type, chunk_grid, fill_value: 0 };
            const array = await RectilinearArray.open(new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]));
            return JSON.parse(await globalThis.text(asRegularStore(array), "/zarr.json")).chunk_grid.configuration.chunk_shape;
          }),
        );
      },
      cases,
    );
    assert.deepEqual(found, cases.map(([, , , expected]) => expected));
  });

  test("what is appended is there after refresh(), in chunks of the shape that there was", async () => {
    const found = await network.run(async ({ RectilinearArray }) => {
      const { asRegularStore } = await import("rectilinear-zarr/adapters");
      const files = new Map();
      const write = (rows) => {
        const chunk_grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[3, [1, rows - 3]], 2] } };
        const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
        const kind = { zarr_format: 3, node_type: "array", chunk_key_encoding: { name: "default" }, codecs };
        const document = { ...kind, shape: [rows, 2], data_type: "uint8", chunk_grid, fill_value: 0 };
        files.set("/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
        files.set("/c/0/0", Uint8Array.of(0, 1, 2, 3, 4, 5));
        for (let row = 3; row < rows; row++) files.set(`/c/${row - 2}/0`, Uint8Array.of(2 * row, 2 * row + 1));
      };
      write(4);
      const array = await RectilinearArray.open(files);
      const store = asRegularStore(array, { chunkShape: [3, 2] });
      const look = async () => {
        const { shape, chunk_grid } = JSON.parse(await globalThis.text(store, "/zarr.json"));
        const chunks = await Promise.all([1, 2].map(async (row) => [...((await store.get(`/c/${row}/0`)) ?? [])]));
        return { shape, chunkShape: chunk_grid.configuration.chunk_shape, chunks };
      };
      const before = await look();
      write(8);
      await array.refresh();
      return [before, await look()];
    });
    assert.deepEqual(found, [
      { shape: [4, 2], chunkShape: [3, 2], chunks: [[6, 7, 0, 0, 0, 0], []] },
      { shape: [8, 2], chunkShape: [3, 2], chunks: [[6, 7, 8, 9, 10, 11], [12, 13, 14, 15, 0, 0]] },
    ]);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(network.page.errors, []));
});
