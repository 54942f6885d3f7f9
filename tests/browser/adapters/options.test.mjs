/** Options of what adapters show: zarrita reads other types and decoded values as numpy and xarray have them. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { oracle } from "../support/paths.mjs";
import { openZarrita } from "../support/viewers.mjs";

const decoded = await oracle("decoded.json");
const objects = await oracle("index-objects.json");

/** Reads of the oracle that are what a view shows: with `as` alone, the fill value is not masked. */
const isShown = ({ decode, as, mask, scale }) => (decode ? true : as.startsWith("int") || (mask === "attributes" && scale === undefined));

/** Numbers that JSON lacks, as the oracle writes them, as text; large integers with all digits, as marked text. */
function spelled(_, value) {
  if (value?.number) return value.number;
  if (value?.bigint) return `#${value.bigint}#`;
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= 2 ** 64 ? `#${BigInt(value)}#` : value;
}

const textOf = (value) => JSON.stringify(value, spelled).replaceAll('"-0"', "-0.0").replace(/"#(-?\d+)#"/g, "$1");

/** Reads of the oracle with other signs than a view: what `_Unsigned` says holds for what is shown as integers, too. */
const isSigned = ({ about }) => /count as (?:un)?signed|The same, (?:packed|none)/.test(about);

describe("what adapters show", () => {
  let page;
  before(async () => {
    page = await openZarrita();
    await page.run(async () => Object.assign(globalThis, await import("/support/dtypes.mjs")));
  });
  after(() => page?.close());

  for (const entry of decoded) {
    const reads = entry.reads.filter(({ options }) => isShown(options) && !(isSigned(entry) && !options.decode));
    test(`${entry.name}: ${entry.about}`, async () => {
      assert.ok(reads.length > 0 || isSigned(entry));
      const failures = await page.run(async ({ RectilinearArray, support }, { entry, reads }) => {
        const { asRegularStore, toZarrita, zarr } = globalThis;
        const failures = [];
        for (const { options, dtype, values } of reads) {
          const bytes = Uint8Array.from(atob(values), (letter) => letter.charCodeAt(0));
          const expected = new globalThis[globalThis.className(dtype)](bytes.buffer);
          const shown = { as: options.as, decode: options.decode };
          const expect = (what, got) => {
            const [a, b] = [got, expected].map((list) => Array.from(list, String).join());
            if (a !== b) failures.push(`${JSON.stringify(options)} ${what}: got ${a}, expected ${b}`);
          };
          const array = await RectilinearArray.open(support.storeOf(entry), { path: "x" });
          for (const chunkShape of [undefined, [5, 4]]) {
            const store = asRegularStore(array, { ...shown, chunkShape });
            const opened = await zarr.open(store, { kind: "array" });
            if (opened.dtype !== dtype) failures.push(`${JSON.stringify(options)} is shown as ${opened.dtype} instead of ${dtype}`);
            expect("zarrita", (await zarr.get(opened)).data);
            // The attributes that are left say nothing that is done already: decoded again, the values are the same.
            const again = await (await RectilinearArray.open(store)).get(null, { decode: "cf", as: dtype.startsWith("f") ? dtype : undefined });
            if (options.decode || dtype.startsWith("f")) expect("decoded again", again.data);
            expect("toZarrita", (await zarr.get(await toZarrita(zarr, array, { ...shown, chunkShape }))).data);
          }
        }
        return failures;
      }, { entry, reads });
      assert.deepEqual(failures, []);
    });
  }

  test("integers keep what marks missing items and what unpacks, as far as it holds", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { asRegularStore, zarr } = globalThis;
      const show = async (data_type, Elements, items, attributes, options) => {
        const document = { zarr_format: 3, node_type: "array", shape: [items.length], data_type, fill_value: items[0], attributes };
        const chunk_grid = { name: "regular", configuration: { chunk_shape: [items.length] } };
        const whole = { ...document, chunk_grid, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }] };
        const files = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(whole))], ["/c/0", new Uint8Array(Elements.from(items).buffer)]]);
        const array = await RectilinearArray.open(files);
        const shown = await zarr.open(asRegularStore(array, options), { kind: "array" });
        const again = await RectilinearArray.open(asRegularStore(array, options));
        const [direct, decoded] = await Promise.all([array, again].map((one) => one.get(null, { decode: "cf", as: "float64" })));
        return { attrs: shown.attrs, data: [...(await zarr.get(shown)).data].map(Number), same: String(direct.data) === String(decoded.data), fill: Number(again.fillValue) };
      };
      return [
        await show("int8", Int8Array, [-1, -2, 5], { _Unsigned: "true", _FillValue: -1, scale_factor: 0.5 }, { as: "int32" }),
        await show("uint8", Uint8Array, [255, 254, 5], { _Unsigned: "false", _FillValue: 255, add_offset: 1 }, { as: "int16" }),
        await show("int16", Int16Array, [300, 2, 5], { _FillValue: 5, missing_value: [2, 70000], flag_values: [2, 5] }, { as: "uint16" }),
        await show("float64", Float64Array, [0, 1, 2], { _FillValue: "NaN", valid_min: 0 }, { as: "uint8" }),
        await show("int16", Int16Array, [7, 2, 5], { scale_factor: -0.5, add_offset: 1, valid_range: [2, 7], valid_min: 2, _FillValue: 7 }, { decode: "cf" }),
      ];
    });
    // NaN comes out of the page as null.
    assert.deepEqual(JSON.parse(JSON.stringify(found)), [
      { attrs: { _FillValue: 255, scale_factor: 0.5 }, data: [255, 254, 5], same: true, fill: 255 },
      { attrs: { _FillValue: -1, add_offset: 1 }, data: [-1, -2, 5], same: true, fill: -1 },
      { attrs: { _FillValue: 5, missing_value: [2], flag_values: [2, 5] }, data: [300, 2, 5], same: true, fill: 300 },
      { attrs: { valid_min: 0 }, data: [0, 1, 2], same: true, fill: 0 },
      { attrs: { valid_range: [-2.5, 0], valid_max: 0 }, data: [null, 0, -1.5], same: true, fill: null },
    ]);
  });

  for (const entry of objects) {
    test(`objects as text, ${entry.name}: ${entry.about}`, async () => {
      const { data, error } = await page.run(async ({ RectilinearArray, support }, entry) => {
        const { asRegularStore, zarr } = globalThis;
        const array = await RectilinearArray.open(new URL(`/data/${entry.path}`, location.href));
        let data;
        const error = await support.rejection(async () => {
          const found = await zarr.get(await zarr.open(asRegularStore(array), { kind: "array" }));
          data = found?.data ?? [found];
        });
        return { data, error };
      }, entry);
      if (/vlen-array/.test(entry.name)) {
        assert.equal(error?.name, "UnsupportedError");
        assert.equal(error.feature, "v2:object");
        return;
      }
      assert.equal(error, null);
      if (entry.dtype !== "v2:object") return;
      assert.ok(entry.values.length > 0);
      assert.deepEqual(data, entry.values.map((value) => (typeof value === "string" ? value : value === null ? "" : textOf(value))));
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
