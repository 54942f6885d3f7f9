/** Custom codecs: the names that are theirs, and what they are told of the array. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import * as installed from "../../../pkg/node.js";
import * as tools from "../support/custom-codecs.mjs";
import { openViewers } from "../support/viewers.mjs";
import * as theirs from "../viewers/codecs.mjs";

const plain = tools.ITEMS;

for (const engine of ["Chromium", "Node"]) {
  describe(`custom codecs and their arrays, in ${engine}`, () => {
    let page;
    let run = async (body, args) => JSON.parse(JSON.stringify((await body({ ...installed, ...tools, theirs }, args)) ?? null));
    before(async () => {
      if (engine === "Node") return;
      page = await openViewers(["codecs"]);
      run = (body, args) => {
        const call = `async (zarr, args) => (${body})({ ...zarr, ...await import("/support/custom-codecs.mjs"), theirs: await import("/viewers/codecs.js") }, args)`;
        return page.run({ toString: () => call }, args);
      };
    });
    after(() => page?.close());
    afterEach(() => run(({ codecs }) => ["x", "zlib", "lz4", "numcodecs.imagecodecs_lzw", "numcodecs.imagecodecs_x"].forEach(codecs.delete)));

    test("zarrita's whole registry leaves text to this package, by each of the names of its codecs", async () => {
      const found = await run(async ({ RectilinearArray, theirs: { registry }, document, older, storeOf }) => {
        const chunk = Uint8Array.of(6, 0, 0, 0, ...["a", "b", "c", "d", "e", "f"].flatMap((letter) => [1, 0, 0, 0, letter.charCodeAt(0)]));
        const text = { data_type: "string", fill_value: "" };
        const arrays = [document(["vlen-utf8"], text), document(["numcodecs.vlen-utf8"], text), older({ dtype: "|O", fill_value: "", filters: [{ id: "vlen-utf8" }] })];
        const read = async (document, options) => (await (await RectilinearArray.open(storeOf(document, chunk), options)).get()).data.join("");
        return Promise.all(arrays.flatMap((array) => [read(array), read(array, { codecs: registry })]));
      });
      assert.deepEqual(found, Array(6).fill("abcdef"));
    });

    test("built-in codecs are refused by all of their names", async () => {
      const names = [
        ...["lz4", "zlib", "delta", "rawgrib", "zstd", "numcodecs.zstd", "bytes", "vlen-utf8", "numcodecs.vlen-utf8", "numcodecs.vlen-bytes"],
        ...["imagecodecs_lzw", "numcodecs.imagecodecs_lzw", "virtual_tiff.imagecodecs_lzw", "ChunkyCodec", "virtual_tiff.ChunkyCodec", "numcodecs.HorizontalDeltaCodec"],
      ];
      const theirs = ["imagecodecs_x", "numcodecs.vlen-x", "virtual_tiff.vlen-utf8", "virtual_tiff.x"];
      const found = await run(({ codecs }, names) => {
        const set = (name) => {
          try {
            codecs.set(name, () => ({}));
            return codecs.delete(name);
          } catch (error) {
            return error.name;
          }
        };
        return names.map(set);
      }, [...names, ...theirs]);
      assert.deepEqual(found, [...names.map(() => "TypeError"), ...theirs.map(() => true)]);
    });

    test("codecs of the page replace them in Zarr v2 by id, and serve every name of a codec of imagecodecs", async () => {
      const found = await run(async ({ RectilinearArray, codecs, decoder, document, older, storeOf, bytesOf, read, little }) => {
        const flip = (bytes) => bytes.map((byte) => byte ^ 0x5a);
        const one = async (document) => read(await RectilinearArray.open(storeOf(document, flip(bytesOf()))));
        decoder("zlib", flip, { override: true });
        decoder("numcodecs.imagecodecs_lzw", flip, { override: true });
        decoder("numcodecs.imagecodecs_x", flip);
        const results = [await one(older({ compressor: { id: "zlib", level: 1 } })), codecs.has("zlib")];
        for (const name of ["imagecodecs_lzw", "numcodecs.imagecodecs_lzw", "imagecodecs_x", "numcodecs.imagecodecs_x"]) {
          results.push(await one(document([little, name])));
        }
        for (const id of ["imagecodecs_lzw", "imagecodecs_x"]) results.push(await one(older({ compressor: { id } })));
        codecs.delete("zlib");
        return [...results, (await one(older({ compressor: { id: "zlib", level: 1 } }))).codec];
      });
      assert.deepEqual(found, [plain, true, plain, plain, plain, plain, plain, plain, "numcodecs.zlib"]);
    });

    test("what a codec is told of the array behind codecs of ours is what their module finds", async () => {
      const codec = (name, configuration) => ({ name, configuration });
      const order = codec("transpose", { order: [1, 0] });
      const numbers = { dtype: "<f4", scale: 1, offset: 0 };
      const cases = [
        [[order], {}, "int16", [3, 2]],
        [[codec("transpose", { order: "F" })], {}, "int16", [3, 2]],
        [[codec("reshape", { shape: [6] })], {}, "int16", [6]],
        [[codec("reshape", { shape: [[0, 1]] })], {}, "int16", [6]],
        [[order, codec("reshape", { shape: [1, [0], -1] })], {}, "int16", [1, 3, 2]],
        [[codec("cast_value", { data_type: "uint32" })], {}, "uint32", [2, 3]],
        [[codec("numcodecs.astype", { encode_dtype: "|u1", decode_dtype: "<f8" })], { data_type: "float64" }, "uint8", [2, 3]],
        [[codec("numcodecs.astype", { encode_dtype: "h" })], { data_type: "float64" }, "int16", [2, 3]],
        [[codec("numcodecs.astype", { encode_dtype: "bool" }), order], { data_type: "uint8" }, "bool", [3, 2]],
        [[codec("numcodecs.fixedscaleoffset", { ...numbers, astype: "<i2" })], { data_type: "float32" }, "int16", [2, 3]],
        [[codec("numcodecs.fixedscaleoffset", numbers)], { data_type: "float32" }, "float32", [2, 3]],
        [[codec("numcodecs.delta", { dtype: "<i2", astype: ">i8" })], {}, "int64", [2, 3]],
        [[codec("numcodecs.quantize", { digits: 2, dtype: "<f8", astype: "<f4" })], { data_type: "float64" }, "float32", [2, 3]],
        [[codec("numcodecs.categorize", { labels: ["a"], dtype: "O" })], { data_type: "string", fill_value: "" }, "uint8", [2, 3]],
        [[codec("numcodecs.log_bins", { low: 1, high: 9 })], { data_type: "float32" }, "uint8", [2, 3]],
        [[codec("numcodecs.packbits", {})], { data_type: "bool", fill_value: false }, "uint8", [2]],
        [[codec("cfdb.packed", { data_type: "int8", offset: 0 })], {}, "int8", [2, 3]],
      ];
      const told = async ({ RectilinearArray, document, storeOf, shardOf, little }, cases) => {
        const one = async ([list, more], around = (codecs) => codecs) => {
          const metas = [];
          const fromConfig = (_, { dataType, shape }) => (metas.push([dataType, shape]), { kind: "array_to_bytes", decode: () => 0 });
          const array = await RectilinearArray.open(storeOf(document(around([...list, "x"]), more), shardOf([Uint8Array.of(1)])), { codecs: new Map([["x", () => ({ fromConfig })]]) });
          return [metas, (await array.get().catch(({ name }) => name))];
        };
        const sharded = (codecs) => [{ name: "sharding_indexed", configuration: { chunk_shape: [2, 3], codecs, index_codecs: [little] } }];
        return Promise.all(cases.flatMap((each) => [one(each), one(each, sharded)]));
      };
      const found = await run(told, cases);
      const wanted = cases.flatMap(([, , ...meta]) => Array(2).fill([[meta], "CodecError"]));
      assert.deepEqual(found, wanted);
    });

    test("custom codecs from arrays to arrays follow built-in ones that change the type", async () => {
      const found = await run(async ({ RectilinearArray, decoder, document, older, storeOf, bytesOf, read, little }) => {
        decoder("x", (items) => ({ ...items, data: items.data.map((item) => -item) }), { kind: "array_to_array" });
        const stored = bytesOf([-1, 2, -3, -4, -5, 6]);
        const one = async (document) => read(await RectilinearArray.open(storeOf(document, stored)));
        const [floats, scale] = [{ data_type: "float64" }, { scale: 1, offset: 0, dtype: "<f8", astype: "<i2" }];
        return Promise.all([
          one(document([{ name: "numcodecs.astype", configuration: { encode_dtype: "<i2", decode_dtype: "<f8" } }, "x", little], floats)),
          one(document([{ name: "numcodecs.fixedscaleoffset", configuration: scale }, "x", little], floats)),
          one(document([{ name: "cast_value", configuration: { data_type: "int16" } }, "x", little], floats)),
          one(older({ dtype: "<f8", filters: [{ id: "astype", encode_dtype: "<i2", decode_dtype: "<f8" }, { id: "x" }] })),
          one(older({ dtype: "<f8", filters: [{ id: "fixedscaleoffset", ...scale }, { id: "x" }] })),
        ]);
      });
      assert.deepEqual(found, Array(5).fill(plain));
    });
  });
}
