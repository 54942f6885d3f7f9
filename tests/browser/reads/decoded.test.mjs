/** Packed and masked arrays read as numbers of another type equal what xarray and numpy make of them, in every way of reading. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS, oracle } from "../support/paths.mjs";

const entries = await oracle("decoded.json");
const singles = JSON.parse(await readFile(join(NEIGHBOURS, "cf/singles.json"), "utf8"));
const packed = JSON.parse(await readFile(join(NEIGHBOURS, "cf/packed.json"), "utf8"));

describe("items as other numbers", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const entry of entries) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const failures = await page.run(async ({ RectilinearArray, support }, entry) => {
        const classes = { float16: "Float16Array", float32: "Float32Array", float64: "Float64Array", uint64: "BigUint64Array" };
        for (const name of ["int8", "int16", "int32"]) classes[name] = `I${name.slice(1)}Array`;
        for (const name of ["uint8", "uint16", "uint32"]) classes[name] = `U${name.slice(1)}Array`;
        const failures = [];
        for (const { options: given, dtype, values, range } of entry.reads) {
          // The oracle masks the fill value too where no attributes are asked for.
          const isByFill = !given.decode && given.mask === undefined && given.as?.startsWith("float");
          const options = isByFill ? { ...given, mask: "fill" } : given;
          const bytes = Uint8Array.from(atob(values), (letter) => letter.charCodeAt(0));
          const expected = new globalThis[classes[dtype]](bytes.buffer);
          const asked = { ...options, minmax: true };
          const expect = (what, got, wanted) => {
            const [a, b] = [got, wanted].map((list) => list && Array.from(list, String).join());
            if (a !== b) failures.push(`${JSON.stringify(options)} ${what}: got ${a}, expected ${b}`);
          };
          // A Map is read past the queue.
          const files = new Map([...support.filesOf(entry)].map(([key, value]) => [`/${key}`, value]));
          for (const source of [support.storeOf(entry), files]) {
            const array = await RectilinearArray.open(source, { path: "x" });
            const whole = await array.get(null, asked);
            expect("class", [whole.data.constructor.name], [classes[dtype]]);
            expect("whole", whole.data, expected);
            expect("range", whole.range, range ?? undefined);
            const column = await array.get([{ start: null, stop: null, step: -2 }, 3], asked);
            expect("every other item of a column", column.data, expected.filter((_, i) => i % 10 === 3 && Math.floor(i / 10) % 2).reverse());
            const points = await array.getPoints([[11, 9], [0, 0], [5, 4]], asked);
            expect("points", points.data, [expected[119], expected[0], expected[54]]);
            const put = new expected.constructor(expected.length);
            let [least, greatest] = [Infinity, -Infinity];
            for await (const part of array.stream(null, asked)) {
              part.data.forEach((value, i) => {
                const [row, at] = [Math.floor(i / part.shape[1]), i % part.shape[1]];
                put[(part.start[0] + row) * 10 + part.start[1] + at] = value;
              });
              if (part.range) [least, greatest] = [Math.min(least, part.range[0]), Math.max(greatest, part.range[1])];
            }
            expect("stream", put, expected);
            expect("ranges of the stream", least <= greatest ? [least, greatest] : undefined, range ?? undefined);
            const one = typeof expected[0] === "bigint" ? 1n : 1;
            const around = new expected.constructor(expected.length + 5).fill(one);
            const out = around.subarray(2, 2 + expected.length);
            const filled = await array.get(null, { ...options, out });
            expect("out is the data", [filled.data === out], [true]);
            expect("in place", around, [one, one, ...expected, one, one, one]);
          }
        }
        return failures;
      }, entry);
      assert.deepEqual(failures, []);
    });
  }

  /** Result of one read of an array in a store of one chunk, or the error. */
  const read = (document, chunk, options, how = "get") =>
    page.run(
      async ({ RectilinearArray, support }, { document, chunk, options, how }) => {
        const whole = {
          zarr_format: 3,
          node_type: "array",
          chunk_grid: { name: "regular", configuration: { chunk_shape: document.shape } },
          chunk_key_encoding: { name: "default" },
          codecs: [{ name: "bytes", configuration: { endian: "little" } }],
          fill_value: 0,
          ...document,
        };
        const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(whole))]]);
        if (chunk) store.set("/c/0", new Uint8Array(chunk));
        const array = await RectilinearArray.open(store);
        const asked = { ...options, ...(options.out && { out: new globalThis[options.out[0]](options.out[1]) }) };
        let found;
        const error = await support.rejection(async () => {
          if (how === "stream") for await (const part of array.stream(null, asked)) found = part;
          else found = await array.get(null, asked);
        });
        if (error) return { name: error.name, message: error.message };
        const of = (data) => [data.constructor.name, ...Array.from(data, String)];
        const isByField = found.data.constructor === Object;
        const data = isByField ? Object.entries(found.data).map(([name, data]) => [name, ...of(data)]) : of(found.data);
        return { data, ...(found.range && { range: found.range }) };
      },
      { document, chunk, options, how },
    );

  const bytes = (array) => [...new Uint8Array(array.buffer)];
  const int16 = (values, more) => [{ shape: [values.length], data_type: "int16", ...more }, bytes(new Int16Array(values))];

  test("what does not fit is named, and never wrapped", async () => {
    const small = await read(...int16([1, 300, -1]), { as: "uint8" });
    assert.equal(small.name, "RangeError");
    assert.match(small.message, /^item 1 is 300, which uint8 cannot hold/);
    const floats = [{ shape: [3], data_type: "float64" }, bytes(new Float64Array([-1.9, 2.9, NaN]))];
    assert.match((await read(...floats, { as: "int8" })).message, /^item 2 is NaN, which int8 cannot hold/);
    const whole = [{ shape: [2], data_type: "float64" }, bytes(new Float64Array([-1.9, 2.9]))];
    assert.deepEqual((await read(...whole, { as: "int8" })).data, ["Int8Array", "-1", "2"]);
    const fill = await read({ shape: [2], data_type: "int16", fill_value: -5 }, null, { as: "uint16" });
    assert.match(fill.message, /^item 0 is -5, which uint16/);
  });

  test("what the CF conventions do not speak of stays as it is", async () => {
    const attributes = { _FillValue: 1, scale_factor: 0.5 };
    const classOf = async (document, chunk) => (await read({ attributes, ...document }, chunk, { decode: "cf" })).data[0];
    assert.equal(await classOf({ shape: [1], data_type: "string", codecs: [{ name: "vlen-utf8" }], fill_value: "" }), "Array");
    assert.equal(await classOf({ shape: [1], data_type: "complex64", fill_value: [0, 0] }), "Float32Array");
    assert.equal(await classOf({ shape: [2], data_type: "bool", fill_value: false, attributes: { _FillValue: 1 } }), "Uint8Array");
    const unit = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };
    assert.equal(await classOf({ shape: [2], data_type: unit }), "BigInt64Array");
    const fields = [{ name: "a", data_type: "int16" }];
    const struct = { shape: [1], data_type: { name: "struct", configuration: { fields } }, fill_value: "AAA=", attributes };
    assert.deepEqual((await read(struct, null, { decode: "cf", fields: "a" })).data, ["Int16Array", "0"]);
    assert.deepEqual((await read({ shape: [1], data_type: "int64" }, null, { decode: "cf", int64: "number" })).data, ["Float64Array", "0"]);
  });

  test("decoding in another type, and with a mask and a scale of one's own", async () => {
    const array = int16([0, 1, 2, 3], { attributes: { scale_factor: 10, _FillValue: 3 } });
    const data = async (options) => (await read(...array, { decode: "cf", ...options })).data.join();
    assert.equal(await data({}), "Float64Array,0,10,20,NaN");
    assert.equal(await data({ decode: false }), "Int16Array,0,1,2,3");
    assert.equal(await data({ mask: 2 }), "Float64Array,0,10,NaN,30");
    assert.equal(await data({ scale: false }), "Float32Array,0,1,2,NaN");
    assert.equal(await data({ mask: false, scale: false }), "Int16Array,0,1,2,3");
    assert.equal(await data({ mask: false, as: "int8" }), "Int8Array,0,10,20,30");
    assert.equal((await read(...array, { decode: "cf", as: "int8" })).name, "RangeError");
    assert.deepEqual((await read(...array, { decode: "cf", texture: { format: "r8unorm", range: [0, 20] } })).data.join(), "Uint8Array,0,128,255,0");
  });

  for (const entry of packed) {
    test(`every packing of ${entry.dtype} in Zarr v${entry.zarr_format}, fill value ${entry.fill_value}`, async () => {
      const failures = await page.run(async ({ RectilinearArray }, { zarr_format, dtype, fill_value, items, rows }) => {
        const classes = { bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, float16: Float16Array, float32: Float32Array, float64: Float64Array };
        const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const utf8 = (text) => new TextEncoder().encode(text);
        const stored = bytes(items);
        const { BYTES_PER_ELEMENT: size } = classes[dtype];
        const shape = [stored.length / size];
        const open = (attributes) => {
          const files = new Map([[zarr_format === 2 ? "/0" : "/c/0", stored]]);
          if (zarr_format === 2) {
            const name = `${size > 1 ? "<" : "|"}${dtype[0]}${size}`;
            files.set("/.zarray", utf8(JSON.stringify({ zarr_format, shape, chunks: shape, dtype: name, fill_value, order: "C", filters: null, compressor: null })));
            files.set("/.zattrs", utf8(attributes));
          } else {
            const document = {
              zarr_format, shape, fill_value, node_type: "array", data_type: dtype,
              chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
              chunk_key_encoding: { name: "default" },
              codecs: [{ name: "bytes", configuration: { endian: "little" } }],
            };
            // As text: to JavaScript, 2.0 is 2.
            files.set("/zarr.json", utf8(`${JSON.stringify(document).slice(0, -1)},"attributes":${attributes}}`));
          }
          return RectilinearArray.open(files);
        };
        const failures = [];
        for (const [attributes, found] of rows) {
          const [name, values] = typeof found === "number" ? rows[found][1] : found;
          const expected = new classes[name](bytes(values).buffer);
          const array = await open(attributes);
          const numbers = Array.from(expected, Number);
          const floats = Float32Array.from(expected, Number);
          const [least, most] = [-100, 300];
          const level = (number) => (Number.isNaN(number) ? 0 : Math.floor(Math.min(255, Math.max(0, (number - least) * (255 / (most - least)) + 0.5))));
          const wanted = [
            [{}, expected],
            [{ int64: "number" }, /64/.test(name) ? Float64Array.from(numbers) : expected],
            [{ as: "float32" }, floats],
            [{ as: "float64" }, Float64Array.from(numbers)],
            [{ texture: { format: "r32float" } }, floats],
            [{ texture: { format: "r8unorm", range: [least, most], rowAlignment: 1 } }, Uint8Array.from(numbers, level)],
          ];
          for (const [options, data] of wanted) {
            const got = await array.get(null, { decode: "cf", ...options }).then(({ data }) => data, (error) => [error]);
            // Numbers beyond 2^53 have words of their own.
            if (options.int64 && got[0] instanceof Error && /2\^53/.test(got[0].message) && numbers.some((number) => Math.abs(number) > 2 ** 53)) continue;
            const said = [got, data].map((list) => `${list.constructor.name} ${Array.from(list, (item) => (Object.is(item, -0) ? "-0" : String(item)))}`);
            if (said[0] !== said[1]) failures.push(`${attributes} ${JSON.stringify(options)}: got ${said[0]}, expected ${said[1]}`);
          }
          array.free();
        }
        return failures;
      }, entry);
      assert.deepEqual(failures, []);
    });
  }

  test("int64 of a whole scale_factor is exact, and what it cannot hold is refused", async () => {
    const attributes = { scale_factor: 4 };
    const wide = (values) => [{ shape: [values.length], data_type: "int64", attributes }, bytes(new BigInt64Array(values))];
    assert.deepEqual((await read(...wide([2n ** 60n + 1n, -1n]), { decode: "cf" })).data, ["BigInt64Array", String(2n ** 62n + 4n), "-4"]);
    const large = await read(...wide([1n, 2n ** 61n]), { decode: "cf" });
    assert.match(`${large.name}: ${large.message}`, /^RangeError: item 1 is 9\.223372036854776e\+18, which int64 cannot hold/);
    assert.match((await read(...wide([1n, 2n ** 61n]), { decode: "cf", as: "float64" })).message, /^item 1 is 9\.223372036854776e\+18, which int64 cannot hold/);
    assert.match((await read(...wide([2n ** 52n]), { decode: "cf", int64: "number" })).message, /beyond 2\^53/);
    assert.deepEqual((await read(...wide([3n]), { decode: "cf", int64: "number" })).data, ["Float64Array", "12"]);
    const floats = [{ shape: [2], data_type: "float32", attributes }, bytes(new Float32Array([1.5, NaN]))];
    const refused = await read(...floats, { decode: "cf" });
    assert.match(`${refused.name}: ${refused.message}`, /^RangeError: item 1 is NaN, which int64 cannot hold/);
    assert.deepEqual((await read(...floats, { decode: "cf", as: "float32" })).data, ["Float32Array", "4", "NaN"]);
    assert.deepEqual((await read(...floats, { as: "float32" })).data, ["Float32Array", "6", "NaN"]);
    const edge = [{ shape: [1], data_type: "float64", attributes: { scale_factor: 1 } }, bytes(new Float64Array([2 ** 63]))];
    assert.match((await read(...edge, { decode: "cf" })).message, /which int64 cannot hold/);
  });

  test("attributes that say something else are refused at their place", async () => {
    for (const [name, value] of Object.entries({ scale_factor: "ten", add_offset: [1, 2], missing_value: { a: 1 }, _FillValue: true, _Unsigned: 1 })) {
      const { name: error, message } = await read(...int16([1], { attributes: { [name]: value } }), { decode: "cf" });
      assert.equal(error, "InvalidMetadataError");
      assert.ok(message.includes(`/attributes/${name}`), message);
    }
  });

  test("a mask and a scale of one's own", async () => {
    const array = int16([0, 1, 2, 3], { attributes: { scale_factor: 10, _FillValue: 3 } });
    const data = async (options) => (await read(...array, { as: "float32", ...options })).data.slice(1).join();
    assert.equal(await data({}), "0,10,20,NaN");
    assert.equal(await data({ mask: "fill" }), "NaN,10,20,NaN");
    assert.equal(await data({ mask: 2 }), "0,10,NaN,30");
    assert.equal(await data({ mask: [2, 1] }), "0,NaN,NaN,30");
    assert.equal(await data({ mask: "attributes" }), "0,10,20,NaN");
    assert.equal(await data({ mask: false, scale: { offset: 0.5 } }), "0.5,1.5,2.5,3.5");
    assert.equal(await data({ scale: { factor: 2, offset: 1 } }), "1,3,5,NaN");
    assert.equal(await data({ as: "int32" }), "0,1,2,3");
    assert.equal(await data({ as: "int32", scale: { factor: 100 } }), "0,100,200,300");
  });

  test("the range of numbers as they are, and of fields", async () => {
    const plain = await read(...int16([5, -2, 9]), { minmax: true });
    assert.deepEqual(plain, { data: ["Int16Array", "5", "-2", "9"], range: [-2, 9] });
    const fields = ["a", "b"].map((name) => ({ name, data_type: name === "a" ? "int16" : "float32" }));
    const struct = { shape: [2], data_type: { name: "struct", configuration: { fields } }, fill_value: "AAAAAAAA" };
    const items = new DataView(new ArrayBuffer(12));
    [1, 7].forEach((value, i) => (items.setInt16(6 * i, value, true), items.setFloat32(6 * i + 2, value / 2, true)));
    const both = await read(struct, bytes(items), { fields: ["a", "b"], as: "float64", minmax: true });
    assert.deepEqual(both.data, [["a", "Float64Array", "1", "7"], ["b", "Float64Array", "0.5", "3.5"]]);
    assert.deepEqual(both.range, { a: [1, 7], b: [0.5, 3.5] });
    const wide = [{ shape: [1], data_type: "int64" }, bytes(new BigInt64Array([3n]))];
    assert.equal((await read(...wide, { minmax: true })).name, "UnsupportedError");
    assert.deepEqual((await read(...int16([-9, 5]), { as: "int8", scale: { factor: 0.5 }, minmax: true })).range, [-4, 2]);
    for (const data_type of ["complex64", "complex_bfloat16"]) {
      assert.equal((await read({ shape: [2], data_type, fill_value: [0, 0] }, null, { minmax: true })).name, "UnsupportedError");
    }
    assert.deepEqual((await read(...wide, { minmax: true, int64: "number" })).range, [3, 3]);
  });

  test("an array of another kind or length is refused", async () => {
    const refused = async (out, options) => {
      const { name, message } = await read(...int16([1, 2, 3]), { out, ...options });
      return `${name}: ${message}`;
    };
    assert.equal(await refused(["Uint16Array", 3]), "TypeError: the option out must be of class Int16Array, not Uint16Array");
    assert.equal(await refused(["Float32Array", 4], { as: "float32" }), "RangeError: the option out must have 3 items, not 4");
    assert.match(await refused(["Array", 3]), /^TypeError: the option out must be of class Int16Array/);
    assert.match((await read(...int16([1]), { out: ["Int16Array", 1] }, "stream")).message, /stream/);
    const text = { shape: [1], data_type: "string", codecs: [{ name: "vlen-utf8" }], fill_value: "" };
    assert.match((await read(text, null, { out: ["Uint8Array", 1] })).message, /the option out cannot hold string/);
  });

  test("a texture has rows that begin where they shall", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const shape = [5, 7];
      const document = {
        zarr_format: 3,
        node_type: "array",
        shape,
        data_type: "int16",
        chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[2, 3], [4, 3]] } },
        chunk_key_encoding: { name: "default" },
        codecs: [{ name: "bytes", configuration: { endian: "big" } }],
        fill_value: -1,
        attributes: { scale_factor: 0.5 },
      };
      const stored = (row, column) => (row * 7 + column) % 11;
      const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
      for (const [i, j] of [[0, 0], [0, 1], [1, 0]]) {
        const [rows, columns] = [[2, 3][i], [4, 3][j]];
        const view = new DataView(new ArrayBuffer(2 * rows * columns));
        for (let r = 0; r < rows; r++) {
          for (let c = 0; c < columns; c++) view.setInt16(2 * (r * columns + c), stored(2 * i + r, 4 * j + c));
        }
        store.set(`/c/${i}/${j}`, new Uint8Array(view.buffer));
      }
      const array = await RectilinearArray.open(store);
      const value = (row, column) => (row >= 2 && column >= 4 ? NaN : stored(row, column) / 2);
      const half = (bits) => (bits === 0x7e00 ? NaN : new Float16Array(new Uint16Array([bits]).buffer)[0]);
      const level = (number) => (Number.isNaN(number) ? 0 : Math.min(255, Math.max(0, Math.round((number - 1) * 85))));
      const wrong = [];
      for (const [texture, name, bytes, of, expected] of [
        [{ format: "r32float" }, "Float32Array", 28, (item) => item, value],
        [{ format: "r32float", rowAlignment: 256 }, "Float32Array", 256, (item) => item, value],
        [{ format: "r16float", rowAlignment: 8 }, "Uint16Array", 16, half, value],
        [{ format: "r8unorm", range: [1, 4] }, "Uint8Array", 8, (item) => item, (row, column) => level(value(row, column))],
        [{ format: "r8unorm", range: [1, 4], rowAlignment: 1 }, "Uint8Array", 7, (item) => item, (row, column) => level(value(row, column))],
      ]) {
        const { data, width, height, bytesPerRow, stride, range } = await array.get(null, { texture, mask: "fill", minmax: true });
        const seen = [data.constructor.name, width, height, bytesPerRow, stride[0] * data.BYTES_PER_ELEMENT, data.byteLength, ...range];
        const wanted = [name, 7, 5, bytes, bytes, 5 * bytes, 0, 5];
        if (`${seen}` !== `${wanted}`) wrong.push(`${JSON.stringify(texture)}: ${seen}`);
        for (let row = 0; row < 5; row++) {
          for (let column = 0; column < 7; column++) {
            const item = of(data[row * stride[0] + column]);
            if (!Object.is(item, expected(row, column))) wrong.push(`${JSON.stringify(texture)} ${row} ${column}: ${item}`);
          }
        }
      }
      const line = await array.get([1], { texture: { format: "r32float", rowAlignment: 64 } });
      const out = new Float32Array(5 * 64);
      await array.get(null, { texture: { format: "r32float", rowAlignment: 256 }, out });
      const parts = [];
      for await (const { bytesPerRow, height } of array.stream(null, { texture: { format: "r8unorm", range: [0, 1] } })) {
        parts.push([bytesPerRow, height]);
      }
      const names = [];
      for (const texture of [
        {},
        { format: "r8unorm" },
        { format: "r8unorm", range: [2, 1] },
        { format: "r32float", range: [0, 1] },
        { format: "r32float", rowAlignment: 3 },
      ]) {
        names.push((await support.rejection(() => array.get(null, { texture })))?.name);
      }
      names.push((await support.rejection(() => array.get(null, { texture: { format: "r32float" }, as: "float32" })))?.name);
      return { wrong, line: [line.data.length, line.height, line.bytesPerRow], out: out[64], parts, names };
    });
    assert.deepEqual(found.wrong, []);
    assert.deepEqual(found.line, [16, 1, 64]);
    assert.equal(found.out, 3.5);
    assert.deepEqual(found.parts, [[4, 2], [4, 2], [4, 3], [4, 3]]);
    assert.deepEqual(found.names, new Array(6).fill("TypeError"));
  });

  test("options that mean nothing are refused", async () => {
    const names = async (options) => (await read(...int16([1]), options)).name;
    for (const options of [
      { as: "int64" },
      { as: 3 },
      { mask: 3 },
      { scale: false },
      { as: "float32", mask: "all" },
      { as: "float32", scale: 2 },
      { as: "float32", scale: { factor: "2" } },
      { as: "uint8", mask: 0 },
      { minmax: 1 },
      { decode: "xarray" },
    ]) {
      assert.equal(await names(options), "TypeError", JSON.stringify(options));
    }
    const text = { shape: [1], data_type: "string", codecs: [{ name: "vlen-utf8" }], fill_value: "" };
    assert.equal((await read(text, null, { as: "float32" })).name, "UnsupportedError");
    const attributes = { scale_factor: "ten" };
    assert.equal((await read(...int16([1], { attributes }), { as: "float32" })).name, "InvalidMetadataError");
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});

describe("items of netCDF files that float32 numbers unpack", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const { format, file, variables } of singles) {
    test(`${format}: values and types of xarray`, async () => {
      const names = Object.keys(variables).filter((name) => name.includes("float32"));
      assert.ok(names.length > 40, `${names.length} variables`);
      const found = await page.run(async ({ Group }, { file, names }) => {
        const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        const group = await Group.open(new File([bytes], "packed.nc"));
        const read = async (name) => {
          const { data } = await (await group.array(name)).get(null, { decode: "cf" });
          return [name, data.constructor.name, [...data].map(String)];
        };
        return Promise.all(names.map(read));
      }, { file, names });
      for (const [name, type, data] of found) {
        const [wanted, items] = variables[name];
        assert.equal(type, `F${wanted.slice(1)}Array`, name);
        const { buffer } = Uint8Array.from(Buffer.from(items, "base64"));
        assert.deepEqual(data, [...new globalThis[type](buffer)].map(String), name);
      }
    });
  }
});
