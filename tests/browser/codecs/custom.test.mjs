/** Custom codecs: zarrita's registry and numcodecs' classes as they are, functions, and codecs that do wrong. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import * as installed from "../../../pkg/node.js";
import * as tools from "../support/custom-codecs.mjs";
import * as support from "../support/index.mjs";
import { openViewers } from "../support/viewers.mjs";
import * as theirs from "../viewers/codecs.mjs";

const plain = tools.ITEMS;

/** In a page: what Node has by imports. */
const inPage = (page) => async (body, args) => {
  const call = `async (zarr, args) => (${body})({ ...zarr, ...await import("/support/custom-codecs.mjs"), theirs: await import("/viewers/codecs.js") }, args)`;
  return page.run({ toString: () => call }, args);
};

for (const engine of ["Chromium", "Node"]) {
  describe(`custom codecs, in ${engine}`, () => {
    let page;
    let run = async (body, args) => JSON.parse(JSON.stringify((await body({ ...installed, ...tools, support, theirs }, args)) ?? null));
    before(async () => {
      if (engine === "Node") return;
      page = await openViewers(["codecs"]);
      run = inPage(page);
    });
    after(() => page?.close());
    afterEach(() => run(({ codecs }) => ["x", "y", "z", "zstd", "bytes", "numcodecs.x"].forEach(codecs.delete)));

    test("zarrita's codecs are taken from its registry as they are, under other names", async () => {
      const found = await run(async ({ RectilinearArray, theirs: { registry }, document, storeOf, bytesOf, read, little }) => {
        const codecs = new Map([["x", registry.get("transpose")], ["y", registry.get("bytes")], ["z", registry.get("scale_offset")], ["c", registry.get("cast_value")]]);
        const one = async (list, chunk, more) => read(await RectilinearArray.open(storeOf(document(list, more), chunk), { codecs }));
        const transpose = { name: "x", configuration: { order: [1, 0] } };
        const floats = { data_type: "float32" };
        const stored = bytesOf([1, 4, -2, 5, 3, -6]);
        return Promise.all([
          one([transpose, little], stored),
          one([transpose, { name: "y", configuration: { endian: "little" } }], stored),
          one([{ name: "transpose", configuration: { order: [1, 0] } }, { name: "y", configuration: { endian: "big" } }, "crc32c"].slice(0, 2), stored.map((_, i) => stored[i ^ 1])),
          one([{ name: "z", configuration: { scale: 2, offset: 3 } }, { name: "y", configuration: { endian: "little" } }], bytesOf([-4, -10, 0, 2, 4, -18], Float32Array), floats),
          one([{ name: "c", configuration: { data_type: "int16" } }, little], bytesOf(), floats),
        ]);
      });
      assert.deepEqual(found, [plain, plain, plain, plain, plain]);
    });

    test("numcodecs' classes decode beside codecs of ours, in Zarr v3 and v2", async () => {
      const found = await run(async ({ RectilinearArray, theirs, document, older, storeOf, bytesOf, read, little }) => {
        const results = [];
        for (const [Codec, configuration] of [[theirs.Zstd, { level: 1 }], [theirs.LZ4, {}], [theirs.Blosc, { cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 }]]) {
          const encode = (bytes) => Codec.fromConfig(configuration).encode(bytes);
          const codecs = new Map([["x", async () => Codec]]);
          const x = { name: "x", configuration };
          const transpose = { name: "transpose", configuration: { order: [1, 0] } };
          const delta = { name: "numcodecs.delta", configuration: { dtype: "<i2" } };
          const turned = bytesOf([1, 4, -2, 5, 3, -6]);
          const one = async (document, chunk) => read(await RectilinearArray.open(storeOf(document, chunk), { codecs, cacheBytes: 0 }));
          const zstd = { name: "zstd", configuration: { level: 1, checksum: false } };
          const twice = theirs.Zstd.fromConfig({ level: 1 }).encode(await encode(bytesOf()));
          results.push(
            await one(document([little, x]), await encode(bytesOf())),
            await one(document([transpose, little, x]), await encode(turned)),
            await one(document([little, x, zstd]), await twice),
            await one(document([delta, little, x]), await encode(bytesOf([1, -3, 5, 1, 1, -11]))),
            await one(older({ compressor: { id: "x", ...configuration } }), await encode(bytesOf())),
            await one(older({ order: "F", compressor: { id: "x", ...configuration } }), await encode(turned)),
          );
        }
        const byPrefix = new Map([["numcodecs.x", () => theirs.Zstd]]);
        const chunk = await theirs.Zstd.fromConfig({ level: 1 }).encode(bytesOf());
        const array = await RectilinearArray.open(storeOf(older({ filters: [{ id: "x", level: 1 }] }), chunk), { codecs: byPrefix });
        results.push(await read(array), array.codecs);
        return results;
      });
      const listed = found.pop();
      assert.deepEqual(found, found.map(() => plain));
      assert.deepEqual(listed, [{ name: "x", configuration: { level: 1 }, here: true }]);
    });

    test("zarrita's whole registry serves what is not built in, and what is built in stays ours", async () => {
      const found = await run(async ({ RectilinearArray, theirs: { registry, LZ4 }, document, storeOf, bytesOf, read, little }) => {
        const chunk = await LZ4.fromConfig({ acceleration: 1 }).encode(bytesOf());
        const array = await RectilinearArray.open(storeOf(document([little, { name: "lz4", configuration: { acceleration: 1 } }]), chunk), { codecs: registry });
        const asked = [];
        const codecs = { get: (name) => void asked.push(name) };
        const ours = await RectilinearArray.open(storeOf(document([little]), bytesOf()), { codecs });
        return [await read(array), array.codecs.map(({ here }) => here), await read(ours), asked];
      });
      assert.deepEqual(found, [plain, [true, true], plain, []]);
    });

    test("a function is a codec, a typed array alone is in C order, and strides of any order are followed", async () => {
      const found = await run(async ({ RectilinearArray, codecs, decoder, document, storeOf, bytesOf, read, ITEMS }) => {
        const abouts = [];
        decoder("x", (bytes, about) => (abouts.push(about), Int16Array.from(bytes, (byte) => (byte << 24) >> 24)), { kind: "array_to_bytes" });
        const configured = { name: "x", configuration: { level: [1] } };
        const first = await RectilinearArray.open(storeOf(document([configured]), Uint8Array.from(ITEMS)));
        const results = [await read(first), abouts];
        const strided = async (data, stride, more) => {
          codecs.set("y", () => ({ fromConfig: () => ({ kind: "array_to_bytes", decode: async () => ({ data, shape: [2, 3], stride }) }) }));
          return read(await RectilinearArray.open(storeOf(document(["y"], more), new Uint8Array(1))));
        };
        const columns = [1, 4, -2, 5, 3, -6];
        results.push(
          await strided(Int16Array.from(columns), [1, 2]),
          await strided(Int16Array.from([...columns, 7, 8]), [1, 2]),
          await strided(bytesOf(columns), [1, 2]),
          await strided(new Int16Array([7]), [0, 0]),
          await strided(new Int16Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer, 0, 6), [3, 1]),
          await strided(Float64Array.from(columns), [1, 2], { data_type: "float64" }),
          await strided(BigInt64Array.from(columns.map(BigInt)), [1, 2], { data_type: "int64" }),
          await strided(Uint8Array.of(1, 0, 0, 1, 1, 0), [1, 2], { data_type: "bool", fill_value: false }),
        );
        return results;
      });
      const about = { configuration: { level: [1] }, dataType: "int16", shape: [2, 3], fillValue: 9, codecs: [{ name: "x", configuration: { level: [1] } }] };
      const zeros = [0, 0, 0, 0, 0, 0];
      assert.deepEqual(found, [plain, [about], plain, plain, plain, [7, 7, 7, 7, 7, 7], zeros, plain, plain, [1, 0, 1, 0, 1, 0]]);
    });

    test("each shape of chunks has an instance that knows it", async () => {
      const found = await run(async ({ RectilinearArray, codecs, document, storeOf, read }) => {
        const shapes = [];
        codecs.set("x", () => ({
          fromConfig: (_, { shape }) => (shapes.push(shape), { kind: "array_to_bytes", decode: ([byte]) => new Int16Array(shape[0] * shape[1]).fill(byte + shape[0]) }),
        }));
        const grid = { chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[1, 3], [2]] } }, shape: [4, 2] };
        const array = await RectilinearArray.open(storeOf(document(["x"], grid), Uint8Array.of(10), 2));
        return [await read(array), await read(array), shapes];
      });
      const values = [11, 11, 13, 13, 13, 13, 13, 13];
      assert.deepEqual(found, [values, values, [[1, 2], [3, 2]]]);
    });

    test("they decode inner chunks of shards, but no index and no text, which are refused by name", async () => {
      const found = await run(async ({ RectilinearArray, decoder, document, storeOf, shardOf, bytesOf, read, little }) => {
        decoder("x", (bytes) => bytes.map((byte) => byte ^ 0x5a));
        const flipped = (items) => bytesOf(items).map((byte) => byte ^ 0x5a);
        const sharded = (chunk_shape, codecs, index = [little]) => ({ name: "sharding_indexed", configuration: { chunk_shape, codecs, index_codecs: index } });
        const one = async (codecs, chunk, more) => {
          const array = await RectilinearArray.open(storeOf(document(codecs, more), chunk));
          return [await read(array), array.codecs.at(-1).here, array.innerChunkGrid?.shape ?? null];
        };
        const rows = [flipped([1, -2, 3]), flipped([4, 5, -6])];
        const nested = shardOf(rows.map((row) => shardOf([row])));
        const whole = shardOf(rows).map((byte) => byte ^ 0x5a);
        return [
          await one([sharded([1, 3], [little, "x"])], shardOf(rows)),
          await one([sharded([1, 3], [sharded([1, 3], [little, "x"])])], nested),
          await one([sharded([1, 3], [little, "x"]), "x"], whole),
          await one([sharded([1, 3], [little], [little, "x"])], shardOf(rows)),
          await one(["vlen-utf8", "x"], Uint8Array.of(6, 0, 0, 0, ...Array.from({ length: 6 }, () => [1, 0, 0, 0, 97]).flat()).map((byte) => byte ^ 0x5a), { data_type: "string", fill_value: "" }),
        ];
      });
      assert.deepEqual(found.slice(0, 2), [[plain, true, [2, 1]], [plain, true, [2, 1]]]);
      assert.equal(found[2][0].name, "UnsupportedError");
      assert.match(found[2][0].message, /"x"/);
      assert.equal(found[3][0].name, "UnsupportedError");
      assert.match(found[3][0].message, /codec "x".*index_codecs/);
      assert.deepEqual(found[4], [Array(6).fill(null), true, null]);
    });

    test("what is wrong with a result is a CodecError with its chunk, and harms no other read", async () => {
      const found = await run(async ({ RectilinearArray, codecs, document, storeOf, bytesOf, read, little, told }) => {
        let give;
        codecs.set("x", () => ({ fromConfig: () => ({ decode: (bytes) => give(bytes) }) }));
        codecs.set("y", () => ({ fromConfig: () => ({ kind: "array_to_bytes", decode: (bytes) => give(bytes) }) }));
        const detached = () => {
          const bytes = new Uint8Array(12);
          structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
          return bytes;
        };
        const never = [
          ["too little", (bytes) => bytes.subarray(1)],
          ["too much", (bytes) => new Uint8Array(bytes.length + 1)],
          ["another class", () => new Int32Array(3)],
          ["nothing", () => undefined],
          ["a list", () => [1, 2, 3, 4, 5, 6]],
          ["a detached buffer", detached],
          ["an exception", () => { throw new RangeError("not today"); }],
          ["a thrown text", () => { throw "a text"; }],
          ["a rejected promise", async () => { throw new RangeError("not today"); }],
          ["a promise of too little", async (bytes) => bytes.subarray(1)],
          ["another shape", () => ({ data: new Int16Array(6), shape: [3, 2], stride: [2, 1] })],
          ["strides that reach too far", () => ({ data: new Int16Array(6), shape: [2, 3], stride: [4, 1] })],
          ["strides that begin before", () => ({ data: new Int16Array(6), shape: [2, 3], stride: [-3, 1] })],
          ["strides that are none", () => ({ data: new Int16Array(6), shape: [2, 3], stride: ["a", 1] })],
        ];
        const results = [];
        for (const [what, wrong] of never) {
          for (const list of [[little, "x"], ["y"]]) {
            give = wrong;
            const array = await RectilinearArray.open(storeOf(document(list), bytesOf()));
            const errors = await Promise.all([array.get(), array.getChunk([0, 0]), array.get([0])].map((read) => read.then(() => undefined, told)));
            give = list.length === 1 ? (bytes) => bytes : (bytes) => bytes;
            const other = await RectilinearArray.open(storeOf(document([little]), bytesOf()));
            results.push([what, list.at(-1), errors, await read(array), await read(other)]);
          }
        }
        return results;
      });
      for (const [what, name, errors, again, other] of found) {
        for (const error of errors) {
          assert.equal(error.name, "CodecError", `${what}: ${JSON.stringify(error)}`);
          assert.deepEqual([error.codec, error.key, error.coords], [name, "c/0/0", [0, 0]], what);
          assert.match(error.message, /chunk \[0, 0\] \(c\/0\/0\) does not decode: codec [xy] got/);
          if (/exception|rejected/.test(what)) assert.deepEqual([error.cause, /not today/.test(error.got)], ["RangeError: not today", true]);
          if (/thrown text/.test(what)) assert.equal(error.cause, "a text");
        }
        assert.deepEqual([again, other], [plain, plain], what);
      }
    });

    test("one that never answers ends with the signal of its read, and others go on", async () => {
      const found = await run(async ({ RectilinearArray, codecs, document, storeOf, bytesOf, read, little, told }) => {
        let calls = 0;
        let answers = false;
        codecs.set("x", () => ({ fromConfig: () => ({ decode: (bytes) => (calls++, answers ? bytes : new Promise(() => {})) }) }));
        const array = await RectilinearArray.open(storeOf(document([little, "x"], { shape: [4000, 3] }), bytesOf(), 2000));
        const controller = new AbortController();
        const pending = [array.get(null, { signal: controller.signal }), array.getChunk([1, 0], { signal: controller.signal })].map((read) => read.catch(told));
        for (let waits = 0; waits < 1000 && calls === 0; waits++) await new Promise((done) => setTimeout(done, 50));
        const under = calls;
        controller.abort(new Error("enough"));
        const errors = (await Promise.all(pending)).map(({ message }) => message);
        answers = true;
        return [under, errors, (await array.get([{ start: 0, stop: 4, step: null }])).data.length, await read(array, [3])];
      });
      const [under, ...rest] = found;
      assert.ok(under >= 1 && under <= 600, `${under} chunks were given to the codec`);
      assert.deepEqual(rest, [["enough", "enough"], 12, [4, 5, -6]]);
    });

    test("codecs may keep and transfer the bytes that they are given", async () => {
      const found = await run(async ({ RectilinearArray, decoder, document, storeOf, bytesOf, read, little }) => {
        decoder("x", async (bytes) => new Uint8Array(structuredClone(bytes.buffer, { transfer: [bytes.buffer] })));
        const array = await RectilinearArray.open(storeOf(document([little, "x"]), bytesOf()));
        return [await read(array), await read(array), [...(await array.getEncoded([0, 0]))].length];
      });
      assert.deepEqual(found, [plain, plain, 12]);
    });

    test("a loader that fails is asked again by the next open, and what fromConfig throws is said", async () => {
      const found = await run(async ({ RectilinearArray, codecs, document, storeOf, bytesOf, read, little, told }) => {
        let tries = 0;
        codecs.set("x", async () => {
          if (tries++ === 0) throw new TypeError("the network is down");
          return { fromConfig: () => ({ decode: (bytes) => bytes }) };
        });
        const open = () => RectilinearArray.open(storeOf(document([little, "x"]), bytesOf()));
        const first = await open().catch(told);
        const second = await read(await open());
        const failures = [];
        for (const entry of [{ fromConfig: () => { throw new RangeError("level 99"); } }, {}, null, { fromConfig: () => ({}) }, { fromConfig: () => ({ kind: "bytes_to_array", decode: (x) => x }) }]) {
          codecs.set("x", () => entry);
          failures.push(await open().catch(told));
        }
        return [first, second, failures];
      });
      const [first, second, failures] = found;
      assert.deepEqual([first.name, first.codec, first.cause], ["CodecError", "x", "TypeError: the network is down"]);
      assert.match(first.message, /codec "x" could not be loaded: the network is down/);
      assert.deepEqual(second, plain);
      assert.deepEqual(failures.map(({ name, codec }) => [name, codec]), failures.map(() => ["CodecError", "x"]));
      assert.match(failures[0].message, /level 99/);
      assert.equal(failures[0].cause, "RangeError: level 99");
      assert.match(failures[4].message, /bytes_to_array/);
    });

    test("a class, an entry or a module in place of a loader, and a codec without its kind, are refused with what to give", async () => {
      const found = await run(async ({ RectilinearArray, codecs, theirs: { Zstd }, document, storeOf, bytesOf, little, told }) => {
        const opened = (load, list) => RectilinearArray.open(storeOf(document(list), bytesOf()), { codecs: new Map([["x", load]]) }).then((array) => array.get()).catch(told);
        const entry = { fromConfig: () => ({ decode: (bytes) => bytes }) };
        const wrong = await Promise.all([Zstd, entry, "x.js", async () => ({ default: Zstd })].map((load) => opened(load, [little, "x"])));
        const set = [Zstd, entry, "x.js"].map((load) => {
          try {
            return codecs.set("x", load);
          } catch (error) {
            return told(error);
          }
        });
        return [wrong, set, await opened(() => entry, ["x"]), await opened(() => entry, [little, "nobody.has.it"])];
      });
      const [wrong, set, kindless, unknown] = found;
      assert.deepEqual(wrong.map(({ name, message }) => [name, /function that gives the codec, such as \(\) => Zstd|default export/.test(message)]), wrong.map(() => ["CodecError", true]));
      assert.match(wrong[3].message, /a module in place of the module's default export/);
      assert.deepEqual(set.map(({ name, message }) => [name, /a function that gives the codec, such as \(\) => Zstd, or the URL/.test(message)]), set.map(() => ["TypeError", true]));
      assert.deepEqual([kindless.name, /"x" is out of order: .*those of the page by their property kind/.test(kindless.message)], ["InvalidMetadataError", true]);
      assert.deepEqual([unknown.name, /"nobody.has.it" is not supported.*codecs\.set/.test(unknown.message)], ["UnsupportedError", true]);
    });

    test("whatever is thrown is a CodecError with its cause: values without a text, by a codec, a loader or a registry", async () => {
      const found = await run(async ({ RectilinearArray, codecs, document, storeOf, bytesOf, little }) => {
        const revoked = Proxy.revocable({}, {});
        revoked.revoke();
        const hidden = Object.defineProperty({}, "message", { get: () => { throw new Error("hidden"); } });
        const thrown = [Symbol("a symbol"), Object.create(null), hidden, revoked.proxy, null, undefined, { message: Symbol("inner") }];
        const results = [];
        const open = (options) => RectilinearArray.open(storeOf(document([little, "x"]), bytesOf()), options);
        for (const cause of thrown) {
          const fail = () => { throw cause; };
          const rejected = () => Promise.reject(cause);
          const entries = [fail, rejected].map((decode) => ({ fromConfig: () => ({ decode }) }));
          for (const load of [...entries.map((entry) => () => entry), fail, rejected, () => ({ fromConfig: fail })]) {
            codecs.set("x", load);
            const error = await open().then((array) => array.get()).catch((error) => error);
            results.push([error.name, error.codec, error.cause === cause]);
          }
          codecs.delete("x");
          const error = await open({ codecs: { get: fail } }).catch((error) => error);
          results.push([error.name, error.codec, error.cause === cause]);
        }
        return results;
      });
      assert.deepEqual(found, Array(7 * 6).fill(["CodecError", "x", true]));
    });

    test("the registry refuses built-in names but to replace them, and arrays that are open keep their codecs", async () => {
      const found = await run(async ({ RectilinearArray, codecs, decoder, document, older, storeOf, bytesOf, read, little }) => {
        const refused = [["zstd", () => ({})], ["numcodecs.zstd", () => ({})], [5, () => ({})], ["x", {}], ["x"]].map((args) => {
          try {
            return codecs.set(...args);
          } catch (error) {
            return error.name;
          }
        });
        const zstd = { name: "zstd", configuration: { level: 1, checksum: false } };
        const open = (document) => RectilinearArray.open(storeOf(document, bytesOf()));
        decoder("zstd", (bytes) => bytes, { override: true });
        const array = await open(document([little, zstd]));
        const was = codecs.has("zstd");
        const values = [await read(array), await read(await open(older({ compressor: { id: "zstd", level: 1 } })))];
        const gone = [codecs.delete("zstd"), codecs.has("zstd"), codecs.delete("zstd")];
        return [refused, was, values, await read(array), gone, (await read(await open(document([little, zstd])))).codec];
      });
      assert.deepEqual(found, [["TypeError", "TypeError", "TypeError", "TypeError", "TypeError"], true, [plain, plain], plain, [true, false, false], "zstd"]);
    });

    test("a registry that is none is a TypeError, and a group's arrays share the group's", async () => {
      const found = await run(async ({ RectilinearArray, Group, document, storeOf, bytesOf, read, little }) => {
        const store = storeOf({ zarr_format: 3, node_type: "group" }, bytesOf());
        const text = (value) => new TextEncoder().encode(JSON.stringify(value));
        store.set("/a/zarr.json", text(document([little, "x"]))).set("/a/c/0/0", bytesOf());
        const codecs = new Map([["x", () => ({ fromConfig: () => ({ decode: (bytes) => bytes }) })]]);
        const group = await Group.open(store, { codecs });
        const array = await group.array("a");
        const before = await read(array);
        await array.refresh();
        const errors = await Promise.all([5, {}, []].map((codecs) => RectilinearArray.open(store, { path: "a", codecs }).catch(({ name }) => name)));
        return [before, await read(array), errors, (await RectilinearArray.open(store, { path: "a" }).then(read)).name];
      });
      assert.deepEqual(found, [plain, plain, ["TypeError", "TypeError", "TypeError"], "UnsupportedError"]);
    });

    test("reads of all kinds, the cache, and workers beside them", async () => {
      const found = await run(async ({ RectilinearArray, decoder, document, storeOf, bytesOf, little }) => {
        let calls = 0;
        decoder("x", async (bytes) => (calls++, bytes));
        const results = [];
        for (const options of [{}, { workers: 2 }, { workers: 0, cacheBytes: 0 }]) {
          const array = await RectilinearArray.open(storeOf(document([little, "x"], { shape: [8, 3] }), bytesOf(), 4), options);
          const parts = [];
          for await (const part of array.stream()) parts.push(part.data.length);
          if (options.cacheBytes !== 0) await array.prefetch();
          const points = await array.getPoints([[1, 2], [7, 0]]);
          const joined = await RectilinearArray.concat([array, array], 0);
          results.push([parts, [...points.data], (await joined.get([{ start: 7, stop: 9, step: null }])).data.join(), (await array.get(null, { as: "float32" })).data.length]);
        }
        return [results, calls > 0];
      });
      const each = [[6, 6, 6, 6], [-6, 4], "4,5,-6,1,-2,3", 24];
      assert.deepEqual(found, [[each, each, each], true]);
    });
  });
}
