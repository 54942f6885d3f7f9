/** 64-bit integers and times as numbers: exact, or a RangeError that names the first one that is not. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

describe('int64: "number"', () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  /** Reads 64-bit items that a store of one chunk holds. */
  const read = (dtype, items, options) =>
    page.run(
      async ({ RectilinearArray, support }, { dtype, items, options }) => {
        const document = {
          zarr_format: 3,
          node_type: "array",
          shape: [items.length],
          data_type: dtype,
          chunk_grid: { name: "regular", configuration: { chunk_shape: [items.length] } },
          chunk_key_encoding: { name: "default" },
          codecs: [{ name: "bytes", configuration: { endian: "little" } }],
          fill_value: 0,
        };
        const chunk = new Uint8Array(BigUint64Array.from(items, (item) => BigInt.asUintN(64, BigInt(item))).buffer);
        const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))], ["/c/0", chunk]]);
        const array = await RectilinearArray.open(store);
        let found;
        const error = await support.rejection(async () => (found = await array.get(null, options)));
        if (error) return error;
        return { class: found.data.constructor.name, values: Array.from(found.data, String), fill: typeof array.fillValue };
      },
      { dtype, items, options },
    );

  const time = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };
  const least = String(-(2n ** 63n));
  const numbers = { int64: "number" };

  for (const dtype of ["int64", "uint64", time]) {
    const name = dtype.name ?? dtype;
    const edge = ["0", "1", "4294967296", "9007199254740991", "9007199254740992"];
    if (dtype !== "uint64") edge.push("-1", "-9007199254740992");

    test(`${name} up to 2^53`, async () => {
      assert.deepEqual(await read(dtype, edge, numbers), { class: "Float64Array", values: edge, fill: "bigint" });
    });

    test(`${name} beyond 2^53`, async () => {
      const beyond = dtype === "uint64" ? "18446744073709551615" : "-9007199254740993";
      const error = await read(dtype, [...edge, beyond, "9007199254740995"], numbers);
      assert.equal(error.name, "RangeError");
      assert.ok(error.message.includes(`item ${edge.length} is ${beyond},`), error.message);
      const exact = await read(dtype, [...edge, beyond], { int64: "bigint" });
      assert.equal(exact.values.at(-1), beyond);
    });
  }

  test("not a time is NaN, and the least int64 is no number", async () => {
    assert.deepEqual((await read(time, ["1", least], numbers)).values, ["1", "NaN"]);
    assert.equal((await read("int64", [least], numbers)).name, "RangeError");
  });

  test("more than one piece, and other types as they are", async () => {
    const many = Array.from({ length: 140_000 }, (_, i) => String(i - 70_000));
    assert.deepEqual((await read("int64", many, numbers)).values, many);
    const error = await read("int64", many.with(139_999, "9007199254740993"), numbers);
    assert.ok(error.message.includes("item 139999 is 9007199254740993,"), error.message);
    assert.equal((await read("float64", ["0"], numbers)).class, "Float64Array");
  });

  test("null stands for no option, here and for the others of a read", async () => {
    const absent = { int64: null, minmax: null, out: null, fields: null, texture: null, decode: null };
    assert.deepEqual(await read("int64", ["3"], absent), { class: "BigInt64Array", values: ["3"], fill: "bigint" });
  });

  test("nothing else is an answer", async () => {
    assert.equal((await read("int64", ["0"], { int64: "float" })).name, "TypeError");
    assert.equal((await read("int64", ["0"], { fields: 3 })).name, "TypeError");
    assert.equal((await read("int64", ["0"], { fields: "a" })).name, "SelectionError");
  });
});
