/**
 * Reads by label give what xarray's `sel` gives, and groups the coordinates that xarray finds. xarray's own answers are
 * compared in Node, over HTTP.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { startNode } from "../support/in-node.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = join(NEIGHBOURS, "cf");
const list = async (name) => JSON.parse(await readFile(join(SETS, name), "utf8"));
const [queries, coordinates, bounds] = await Promise.all(["sel.json", "coordinates.json", "bounds.json"].map(list));

/** In a page, or in Node with the `base` of addresses: the result of `sel`, or the error, and the keys that were asked for. */
async function select({ Group, RectilinearArray, slice }, { store, array: path, query, options = {}, whole = false, twice = false, base }) {
  const wanted = (value) => {
    if (value?.isNaN) return NaN;
    if (value?.integer) return BigInt(value.integer);
    if (value?.between) return slice(...value.between.map(wanted));
    if (value?.date) return new Date(value.date);
    if (Array.isArray(value)) return value;
    if (value?.values) return value.values.map(wanted);
    if (value && typeof value === "object" && ("from" in value || "to" in value)) return slice(value.from ?? null, value.to ?? null, value.step);
    return value;
  };
  const keys = [];
  const open = { onRequest: ({ key }) => keys.push(key), workers: 0 };
  try {
    const url = new URL(`/sets/${store}`, base ?? location.href).href;
    const array = whole ? await RectilinearArray.open(`${url}/${path}`, open) : await (await Group.open(url, open)).array(path);
    const labels = Array.isArray(query) ? query : Object.fromEntries(Object.entries(query).map(([name, value]) => [name, wanted(value)]));
    if (twice) await array.sel(labels, options);
    const opened = keys.length;
    const { data, shape, stride, selection, coordinates } = await array.sel(labels, { decode: "cf", ...options });
    const shown = (value) => (typeof value === "bigint" ? `${value}n` : value);
    const plain = Object.fromEntries(Object.entries(coordinates).map(([name, value]) => [name, ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value, shown) : shown(value)]));
    return { values: Array.from(data, (value) => (Number.isNaN(value) ? null : value)), shape, stride, selection, coordinates: plain, keys: keys.map((key) => key.split(`${store}/`).pop()), opened };
  } catch ({ name, message, axis }) {
    return { error: { name, message, axis }, keys };
  }
}

describe("reads by label", () => {
  let page;
  let node;
  before(async () => ([page, node] = await Promise.all([openPage({ "/sets": SETS }), startNode()])));
  after(() => page?.close());

  const sel = (asked) => page.run(select, asked);
  const daily = (query, options, more) => sel({ store: "daily.zarr", array: "t2m", query, options, ...more });

  for (const { store, array, query, options, shape, size, values, fails } of queries) {
    test(`${store} ${array}: ${JSON.stringify(query)} ${JSON.stringify(options)}`, async () => {
      const found = await node.run(select, { store, array, query, options, base: page.site.url });
      if (fails) {
        assert.equal(found.error?.name, "SelectionError", JSON.stringify(found.shape));
        assert.match(found.error.message, /^selection on axis \d \(\w+\): /);
        return;
      }
      assert.equal(found.error, undefined);
      assert.deepEqual(found.shape, shape);
      assert.equal(found.values.length, size);
      const step = Math.max(1, Math.floor(size / 40));
      assert.deepEqual(found.values.filter((_, i) => i % step === 0), values);
    });
  }

  test("an array that was opened by its own URL finds what lies beside it", async () => {
    for (const array of ["t2m", "deep/inner"]) {
      const found = await sel({ store: "daily.zarr", array, query: { lat: 30 }, whole: true });
      if (array === "t2m") assert.deepEqual([found.shape, found.coordinates.lat, found.coordinates.time.length, found.coordinates.lon.length], [[45, 5], 30, 45, 5], found.error?.message);
      // Where the groups above begin, its URL does not say.
      else assert.match(found.error.message, /no label|outside|index/);
    }
  });

  test("coordinates of the groups above count, and datetime64", async () => {
    const inner = await sel({ store: "daily.zarr", array: "deep/inner", query: { time: "2024-03", lat: { between: [-30, 30] } } });
    assert.deepEqual([inner.shape, inner.coordinates.lat], [[4, 3], [30, 0, -30]], inner.error?.message);
    const stamps = await sel({ store: "daily.zarr", array: "stamps/count", query: { time: "2024-02" } });
    assert.deepEqual([stamps.values, stamps.selection, stamps.coordinates], [[0, 1, 2], { time: { start: 0, stop: 3 } }, { time: ["2024-02-27T00:00:00", "2024-02-28T00:00:00", "2024-02-29T00:00:00"] }]);
  });

  test("what was selected is told, by index and by label", async () => {
    const { selection, coordinates, stride } = await daily({ time: { values: ["2024-02-03"] }, lat: { between: [70, 20] }, lon: 0.2 });
    assert.deepEqual(selection, { time: [14], lat: { start: 1, stop: 3 }, lon: 1 });
    assert.deepEqual(coordinates, { time: ["2024-02-03T00:00:00"], lat: [60, 30], lon: Math.fround(0.2) });
    assert.deepEqual(stride, [2, 1]);
    const every = await daily({ time: { from: "2024-03", step: 2 } });
    assert.deepEqual(every.coordinates.time, ["2024-03-01T00:00:00", "2024-03-03T00:00:00"]);
  });

  test("a range goes from either end to the other, and by a method from label to label", async () => {
    const lat = async (ends, options) => (await daily({ lat: { between: ends } }, options)).coordinates.lat;
    assert.deepEqual(await lat([20, 70]), [60, 30]);
    assert.deepEqual(await lat([70, 20]), [60, 30]);
    assert.deepEqual(await lat([20, 70], { method: "nearest" }), [60, 30]);
    assert.deepEqual(await lat([40, 80], { method: "nearest" }), [90, 60, 30]);
    const { shape } = await daily({ time: "2024-02", lat: { between: [10, 20] } }, { method: "nearest" });
    assert.deepEqual(shape, [29, 2, 5]);
    const two = await daily({ time: "2024-02", lat: [20, 50] }, { method: "nearest" });
    assert.deepEqual([two.shape, two.coordinates.lat], [[29, 2, 5], [30, 60]]);
  });

  test("integers that numbers round stay bigints, and are compared as such", async () => {
    const wide = (array, query, options) => sel({ store: "wide.zarr", array, query, options });
    const two = await wide("of_rising", { rising: { between: [{ integer: String(2n ** 60n) }, { integer: String(2n ** 60n + 2n) }] } });
    assert.deepEqual([two.coordinates, two.values], [{ rising: [`${2n ** 60n + 1n}n`] }, [2]], two.error?.message);
    const one = await wide("of_natural", { natural: 1.25 }, { method: "nearest" });
    assert.deepEqual([one.coordinates, one.values], [{ natural: "1n" }, [0]], one.error?.message);
    // xarray's own answers wrap around here.
    const near = async (array, axis, label, options) => (await wide(array, { [axis]: { integer: String(label) } }, { method: "nearest", ...options })).coordinates?.[axis];
    for (const axis of ["natural", "falling_natural"]) {
      assert.equal(await near(`of_${axis}`, axis, 2n ** 63n + 3n), `${2n ** 63n + 5n}n`);
      assert.equal(await near(`of_${axis}`, axis, 2n ** 63n + 2n, { tolerance: 1 }), `${2n ** 63n + 1n}n`);
      assert.equal(await near(`of_${axis}`, axis, 2n ** 64n), `${2n ** 63n + 5n}n`);
      assert.equal(await near(`of_${axis}`, axis, -1n), "1n");
    }
    // A fraction is compared with bigints as exactly.
    for (const axis of ["rising", "natural", "falling_natural"]) {
      const labels = (await wide(`of_${axis}`, { [axis]: { between: [null, null] } })).coordinates[axis].map((label) => BigInt(label.replace("n", "")));
      for (const label of [-1.5, 1.5, 2 ** 51 + 0.5]) {
        const apart = (other) => (other * 2n > BigInt(label * 2) ? other * 2n - BigInt(label * 2) : BigInt(label * 2) - other * 2n);
        const expected = labels.reduce((best, other) => (apart(other) < apart(best) ? other : best));
        const { coordinates, error } = await wide(`of_${axis}`, { [axis]: label }, { method: "nearest" });
        assert.equal(coordinates?.[axis], `${expected}n`, `${axis} ${label}: ${error?.message}`);
      }
    }
    const nan = await daily({ lat: { isNaN: true } }, { method: "nearest" });
    assert.match(nan.error.message, /there is no label NaN; NaN equals no label/);
    const { error } = await wide("of_rising", { rising: { integer: String(2n ** 60n) } });
    assert.equal(error.message, `selection on axis 0 (rising): there is no label ${2n ** 60n}; the nearest is ${2n ** 60n + 1n}; pass method: "nearest" to select it`);
    assert.match((await daily({ lat: { integer: String(2n ** 60n + 1n) } })).error.message, /there is no label 1152921504606846977; the nearest is 90/);
  });

  test("ranges of falling times go by nanoseconds, which xarray refuses", async () => {
    const at = (digits) => `2024-02-10T00:00:00.${digits}`;
    const falling = (between) => sel({ store: "moments.zarr", array: "y", query: { falling_time: { between } } });
    assert.deepEqual((await falling([at("000000001"), at("001500000")])).values, [2, 3, 4]);
    assert.deepEqual((await falling([at("0015001"), at("0015000")])).values, [1, 2]);
    const one = await falling([at("00000000"), at("0000000009")]);
    assert.deepEqual([one.values, one.coordinates.falling_time], [[5], ["2024-02-10T00:00:00"]]);
    const span = await sel({ store: "moments.zarr", array: "x", query: { time: `${at("000000004")}` }, options: { method: "nearest", tolerance: 1e-6 } });
    assert.match(span.error.message, /there is no label/);
    const near = await sel({ store: "moments.zarr", array: "x", query: { time: `${at("000000004")}` }, options: { method: "nearest", tolerance: 2e-6 } });
    assert.deepEqual(near.coordinates, { time: "2024-02-10T00:00:00.000000002" });
  });

  test("coordinates are read once", async () => {
    const { keys, opened } = await daily({ time: "2024-02-03", lat: 30 }, {}, { twice: true });
    assert.deepEqual(keys.slice(opened), []);
    assert.equal(keys.filter((key) => key === "zarr.json").length, 1);
    const ofCoordinates = (all) => all.filter((key) => /^(time|lat|lon)\//.test(key)).sort();
    assert.deepEqual(ofCoordinates(keys), ["lat/c/0", "lon/c/0", "time/c/0"]);
    const query = await daily({ time: "2024-02-03", lat: 30 }, { coordinates: "query" });
    assert.deepEqual([ofCoordinates(query.keys), Object.keys(query.coordinates)], [["lat/c/0", "time/c/0"], ["time", "lat"]]);
  });

  test("refresh forgets coordinates, and finds those that were appended to", async () => {
    const found = await page.run(async ({ Group, RectilinearArray }) => {
      const files = new Map();
      const document = (shape, attributes, names) => ({
        zarr_format: 3, node_type: "array", shape, data_type: "int32", fill_value: 0, attributes, dimension_names: names,
        chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } }, chunk_key_encoding: { name: "default" },
        codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      });
      const put = (key, value) => files.set(`/${key}`, value.buffer ? new Uint8Array(value.buffer) : new TextEncoder().encode(JSON.stringify(value)));
      const write = (length) => {
        put("x/zarr.json", document([length], {}, ["x"]));
        put("v/zarr.json", document([length], {}, ["x"]));
        put("x/c/0", new Int32Array([10, 20]));
        put("v/c/0", new Int32Array([1, 2]));
        put("x/c/1", new Int32Array([30, 40]));
        put("v/c/1", new Int32Array([3, 4]));
      };
      write(2);
      const metadata = { x: document([2], {}, ["x"]), v: document([2], {}, ["x"]) };
      put("zarr.json", { zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: { kind: "inline", must_understand: false, metadata } });
      const array = await (await Group.open(files)).array("v");
      const first = (await array.sel({ x: 20 })).data[0];
      const missing = await array.sel({ x: 40 }).catch(({ message }) => message);
      const old = await RectilinearArray.open(files, { path: "v" });
      write(4);
      const misfit = await old.sel({ x: 1 }).catch(({ message }) => message);
      await array.refresh();
      return [first, missing, (await array.sel({ x: 40 })).data[0], misfit];
    });
    assert.deepEqual(found.pop(), "selection on axis 0 (x): the coordinate has 4 labels, and the axis has length 2; if the array has grown, call refresh()");
    assert.deepEqual(found, [2, "selection on axis 0 (x): there is no label 40; the nearest is 20; pass method: \"nearest\" to select it", 4]);
  });

  test("errors say what is there", async () => {
    const message = async (query, options, more) => (await daily(query, options, more)).error?.message ?? "";
    assert.match(await message({ lat: 31 }), /axis 1 \(lat\): there is no label 31; the nearest is 30; pass method: "nearest" to select it/);
    assert.match(await message({ time: "2025-01-01" }), /the nearest is 2024-03-04T00:00:00/);
    assert.match(await message({ time: "soon" }), /"soon" is not a date of the calendar/);
    assert.match(await message({ time: true }), /expected a string such as "2024-02"/);
    assert.match(await message({ lat: "30" }), /expected a number, got "30"/);
    assert.match(await message({ lat: [0, 31] }), /there is no label 31; the nearest is 30/);
    assert.match(await message({ lat: { from: 0, to: 60, step: -1 } }), /step/);
    assert.match(await message({ height: 2 }), /there is no dimension "height"; the names are time, lat, lon/);
    assert.match(await message([30]), /expects a plain object/);
    assert.match((await sel({ store: "daily.zarr", array: "profile", query: { station: "Rome" } })).error.message, /there is no label "Rome"; the labels are "Bern", "Kyiv", "Oslo"/);
    assert.match((await sel({ store: "daily.zarr", array: "profile", query: { station: "Rome" }, options: { method: "nearest" } })).error.message, /text labels/);
    assert.match((await sel({ store: "daily.zarr", array: "profile", query: { level: { between: [500, 900] } } })).error.message, /not sorted/);
    assert.match((await sel({ store: "daily.zarr", array: "profile", query: { cell: "one" } })).error.message, /has no coordinate/);
    assert.equal((await daily({ lat: 31 }, { method: "linear" })).error.name, "TypeError");
    assert.equal((await daily({ lat: 31 }, { method: "constructor" })).error.name, "TypeError");
    assert.equal((await daily({ lat: 31 }, { tolerance: -1 })).error.name, "TypeError");
    const aborted = await page.run(async ({ Group }) => {
      const array = await (await Group.open(new URL("/sets/daily.zarr", location.href))).array("t2m");
      const controller = new AbortController();
      const reading = array.sel({ lat: 30 }, { signal: controller.signal });
      controller.abort(new Error("enough"));
      const said = await reading.catch(({ message }) => message);
      return [said, (await array.sel({ lat: 30 })).shape];
    });
    assert.deepEqual(aborted, ["enough", [45, 5]]);
  });

  for (const { store, array, coordinates: expected } of coordinates) {
    test(`coordinates of ${array} in ${store}`, async () => {
      const found = await page.run(
        async ({ Group }, { store, array }) => {
          const keys = [];
          const group = await Group.open(new URL(`/sets/${store}`, location.href), { onRequest: ({ key }) => keys.push(key) });
          const opened = keys.length;
          const found = await group.coordinates(array);
          const member = await group.coordinates(await group.array(array));
          return { names: [Object.keys(found), Object.keys(member)].map((names) => names.sort()), shapes: Object.values(found).map(({ shape }) => shape.length), later: keys.length - opened };
        },
        { store, array },
      );
      assert.deepEqual(found.names, [expected, expected]);
      if (["daily.zarr", "noleap.zarr"].includes(store)) assert.equal(found.later, 0);
    });
  }

  for (const { store, array: path, labels } of bounds) {
    test(`times of ${path} in ${store} have the units and the calendar of what they are bounds of`, async () => {
      const found = await page.run(
        async ({ Group, RectilinearArray }, { store, path }) => {
          const url = new URL(`/sets/${store}`, location.href).href;
          const times = async (array) => {
            const { labels, shape, calendar } = await array.decodeTime().catch(({ name, path }) => ({ labels: [name, path] }));
            return { labels, shape, calendar };
          };
          const group = await Group.open(url, { workers: 0 });
          const array = await group.array(path);
          const beside = await times(await RectilinearArray.open(url, { path }));
          const keys = [];
          const own = await RectilinearArray.open(`${url}/${path}`, { onRequest: ({ key }) => keys.push(key) });
          const alone = await times(own);
          const asked = keys.length;
          await times(own);
          const again = keys.slice(asked);
          const numbers = await array.get([0], { decode: "cf" });
          const controller = new AbortController();
          const reading = array.decodeTime(null, { signal: controller.signal });
          controller.abort(new Error("enough"));
          const aborted = await reading.catch(({ message }) => message);
          const row = path === "time_bnds" ? await array.sel({ time: "2023-02-26" }, { decode: "cf" }) : undefined;
          const other = await (await group.array("pr")).decodeTime().catch(({ name, path }) => [name, path]);
          return { group: await times(array), beside, alone, numbers: [numbers.data.constructor.name, ...Array.from(numbers.data, Number)], aborted, again, row: row && [row.shape, Array.from(row.data, Number)], other };
        },
        { store, path },
      );
      const calendar = { "bounds.zarr": "noleap", "bounds-plain.zarr": "360_day", "bounds-units.zarr": "all_leap" }[store];
      for (const how of ["group", "beside", "alone"]) {
        // Only consolidated metadata tell of a variable whose name is neither a dimension's nor a part of the bounds' own.
        if (path === "time_bnds" || (store === "bounds.zarr" && how === "group")) {
          assert.deepEqual(found[how], { labels, shape: [4, 2], calendar }, how);
        } else if (store === "bounds-units.zarr") {
          assert.equal(found[how].calendar, "standard");
        } else {
          assert.deepEqual(found[how].labels, ["InvalidMetadataError", "/attributes/units"], how);
        }
      }
      assert.equal(found.numbers[0], "BigInt64Array");
      assert.equal(found.aborted, "enough");
      assert.deepEqual(found.again, []);
      if (found.row) assert.deepEqual(found.row[0], [1, 2]);
      assert.equal(found.other[0], "InvalidMetadataError");
      assert.match(found.other[1], /\/attributes\/units$/);
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
