/** Bytes, lists and addresses of another realm, such as a frame, `vm` or jsdom, are no instances of this realm's classes. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";

import { PACKAGE } from "../browser/support/paths.mjs";

const { RectilinearArray, decoder } = await import(join(PACKAGE, "node.js"));

const document = (codecs = []) =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 9,
    codecs: [{ name: "bytes" }, ...codecs],
    dimension_names: ["x"],
    attributes: {},
  });

/** Values of another realm. */
const other = (code, values = {}) => runInNewContext(code, values);

/** A store of another realm's answers: `form` makes one of a list of numbers. */
const storeOf = (form, isLate, codecs) => {
  const lists = { "/zarr.json": [...new TextEncoder().encode(document(codecs))], "/c/0": [1, 2], "/c/1": [3, 4] };
  const get = (key) => (lists[key] ? other(form, { list: lists[key] }) : undefined);
  return { get: isLate ? async (key) => get(key) : get };
};

describe("values of another realm", () => {
  const forms = {
    "a Uint8Array": "Uint8Array.from(list)",
    "an ArrayBuffer": "Uint8Array.from(list).buffer",
    "a part of a larger buffer": "new Uint8Array(Uint8Array.from([0, 0, ...list, 0]).buffer, 2, list.length)",
  };
  for (const [name, form] of Object.entries(forms)) {
    for (const isLate of [false, true]) {
      test(`${name}, ${isLate ? "late" : "at once"}`, async () => {
        const array = await RectilinearArray.open(storeOf(form, isLate));
        assert.deepEqual((await array.get()).data, Uint8Array.of(1, 2, 3, 4));
      });
    }
  }

  test("a Map", async () => {
    const entries = [["/zarr.json", document()], ["/c/0", "\x01\x02"], ["/c/1", "\x03\x04"]];
    const store = other("new Map(entries.map(([key, text]) => [key, Uint8Array.from([...text], (letter) => letter.charCodeAt(0))]))", { entries });
    assert.deepEqual((await (await RectilinearArray.open(store)).get()).data, Uint8Array.of(1, 2, 3, 4));
  });

  test("what is not bytes is refused", async () => {
    for (const form of ["Int8Array.from(list)", "new DataView(Uint8Array.from(list).buffer)", "({ [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 2 })", "new SharedArrayBuffer(2)"]) {
      await assert.rejects(RectilinearArray.open(storeOf(form)), { name: "StoreError", message: /expected a Uint8Array/ });
    }
  });

  test("a codec's bytes", async () => {
    decoder("test.realm", (bytes) => other("Uint8Array.from(list, (byte) => byte + 1)", { list: [...bytes] }));
    const array = await RectilinearArray.open(storeOf("Uint8Array.from(list)", false, [{ name: "test.realm" }]));
    assert.deepEqual((await array.get()).data, Uint8Array.of(2, 3, 4, 5));
  });

  test("selections and out", async () => {
    const array = await RectilinearArray.open(storeOf("Uint8Array.from(list)"));
    for (const code of ["[[3, 0]]", "[Int32Array.of(3, 0)]", "[BigInt64Array.of(3n, 0n)]", "[BigUint64Array.of(3n, 0n)]", "({ x: [3, 0] })", "({ x: { start: 3, stop: null, step: -3 } })"]) {
      assert.deepEqual((await array.get(other(code))).data, Uint8Array.of(4, 1), code);
    }
    await assert.rejects(array.get(other("[new DataView(new ArrayBuffer(8))]")), { name: "SelectionError" });
    await assert.rejects(array.get(other("new Map([['x', 1]])")), { name: "SelectionError" });
    const out = other("new Uint8Array(4)");
    assert.equal((await array.get(null, { out })).data, out);
    assert.deepEqual([...out], [1, 2, 3, 4]);
  });

  test("an address", async () => {
    const url = other("({ get [Symbol.toStringTag]() { return 'URL'; }, href: 'http://127.0.0.1:1/a' })");
    await assert.rejects(RectilinearArray.open(url, { retries: 0 }), { name: "StoreError" });
  });
});
