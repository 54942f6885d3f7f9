/** Labels of joined arrays: of the axis where the parts lie end to end, theirs; of the others, those that all of them have. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";

import { PACKAGE } from "../support/paths.mjs";

const { Group, RectilinearArray, slice } = await import(join(PACKAGE, "node.js"));

const json = (value) => new TextEncoder().encode(JSON.stringify(value));

function put(files, name, values, dimensions, attributes = {}, shape = [values.length], type = "float64") {
  files.set(`/${name}/zarr.json`, json({
    zarr_format: 3, node_type: "array", shape, data_type: type, fill_value: 0, dimension_names: dimensions, attributes,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  }));
  files.set(`/${name}/c/${shape.map(() => 0).join("/")}`, new Uint8Array(Float64Array.from(values).buffer));
}

/** A month of a station file: `t` counts days from its own first day, and cell (t, x) is 100 t + x of all days. */
function month({ units, days, first, xs = [10, 20, 30], calendar = "standard", withTime = true }) {
  const files = new Map([["/zarr.json", json({ zarr_format: 3, node_type: "group", attributes: {} })]]);
  if (withTime) put(files, "t", Array.from({ length: days }, (_, i) => i), ["t"], { units, calendar });
  put(files, "x", xs, ["x"]);
  put(files, "v", Array.from({ length: days * xs.length }, (_, i) => 100 * (first + Math.floor(i / xs.length)) + xs[i % xs.length]), ["t", "x"], {}, [days, xs.length]);
  return files;
}

const JANUARY = { units: "days since 2024-01-01", days: 31, first: 0 };
const FEBRUARY = { units: "days since 2024-02-01", days: 29, first: 31 };

async function joined(months, axis = "t") {
  const parts = await Promise.all(months.map(async (given) => (await Group.open(given instanceof Map ? given : month(given))).array("v")));
  const all = await RectilinearArray.concat(parts, axis);
  for (const part of parts) part.free();
  return all;
}

describe("labels of joined arrays", () => {
  test("times of files that count from different days are found across their edge, after the parts are freed", async () => {
    const all = await joined([JANUARY, FEBRUARY]);
    const { data, shape, coordinates } = await all.sel({ t: slice("2024-01-30", "2024-02-02"), x: 20 });
    assert.deepEqual([...data], [2920, 3020, 3120, 3220]);
    assert.deepEqual(shape, [4]);
    assert.deepEqual(coordinates.t.map((label) => String(label).slice(0, 10)), ["2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02"]);
    assert.deepEqual([...(await all.sel({ t: "2024-02" })).shape], [29, 3]);
    await assert.rejects(all.sel({ t: "2024-03-01" }), { name: "SelectionError" });
  });

  test("an axis by its number, and three parts of numbers", async () => {
    const xs = [[1, 2], [3], [4, 5]].map((part) => month({ ...JANUARY, days: 2, xs: part }));
    for (const axis of [1, -1]) {
      const all = await joined(xs, axis);
      assert.deepEqual([...(await all.sel({ x: [2, 3, 5], t: "2024-01-02" })).data], [102, 103, 105]);
      assert.deepEqual([...(await all.sel({ x: 4.4 }, { method: "nearest" })).data], [4, 104]);
    }
  });

  for (const [what, months, message] of [
    ["other labels along another axis", [JANUARY, { ...FEBRUARY, xs: [10, 20, 31] }], /axis 1 \(x\): array 1 of concat has other labels there than the first/],
    ["times of another calendar", [JANUARY, { ...FEBRUARY, calendar: "noleap", days: 28 }], /axis 0 \(t\): array 1 of concat has labels of another kind or calendar/],
    ["no times in one part", [JANUARY, { ...FEBRUARY, withTime: false }], /axis 0 \(t\): array 1 of concat has no coordinate there/],
  ]) {
    test(`${what} are refused, and positions still read`, async () => {
      const all = await joined(months);
      await assert.rejects(all.sel({ t: "2024-01-31", x: 10 }), { name: "SelectionError", message });
      assert.deepEqual([...(await all.get([30, 0])).data], [3010]);
    });
  }

  test("a part that has grown is found after refresh", async () => {
    const grown = month({ ...FEBRUARY, days: 2 });
    const all = await joined([JANUARY, grown]);
    await assert.rejects(all.sel({ t: "2024-02-20", x: 10 }), { name: "SelectionError" });
    for (const [key, value] of month(FEBRUARY)) grown.set(key, value);
    assert.equal(await all.refresh(), true);
    assert.deepEqual([...(await all.sel({ t: "2024-02-20", x: 10 })).data], [5010]);
  });
});
