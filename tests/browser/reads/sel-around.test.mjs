/** Labels of an axis that closes, such as longitudes, and the labels that a read brings along. In Node. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Group, groupOf, slice, vector } from "../support/sparse.mjs";

/** A store of an array along one axis, whose items are its indices, with the labels of that axis. */
async function along(labels, { name = "lon", type = "float64", attributes = {}, more = {} } = {}) {
  const files = { ...groupOf(""), ...vector(name, type, labels, { dimension: name, attributes }), ...vector("v", "int32", [...labels.keys()], { dimension: name }), ...more };
  const bytes = (value) => (typeof value === "string" ? new TextEncoder().encode(value) : value);
  const keys = [];
  const store = { get: (key) => (keys.push(key), key in files ? bytes(files[key]) : undefined) };
  return { array: await (await Group.open(store)).array("v"), keys };
}

const steps = (from, step, count) => Array.from({ length: count }, (_, i) => from + i * step);
const AXES = {
  "from 0.5 to 359.5": steps(0.5, 1, 360),
  "from -179.5 to 179.5": steps(-179.5, 1, 360),
  "falling": steps(359.5, -1, 360),
  "from 0 to 360, both ends": steps(0, 1.5, 241),
  "a tenth of a degree": Array.from({ length: 3600 }, (_, i) => i / 10),
  "a region": steps(200, 0.25, 100),
};

/** Distance on a circle of 360 degrees. */
const apart = (a, b) => Math.abs(((((a - b) % 360) + 540) % 360) - 180);

describe("labels on an axis that closes", () => {
  for (const [what, labels] of Object.entries(AXES)) {
    test(`${what}: the nearest label is the nearest on the circle`, async () => {
      const { array } = await along(labels);
      for (const label of [-122, 238, -482, 598, 0, 360, -0.3, 359.8, 180, -180, 179.99, 7.25, 219.2]) {
        const { coordinates } = await array.sel({ lon: label }, { method: "nearest", wrap: { lon: 360 } });
        const best = Math.min(...labels.map((other) => apart(other, label)));
        assert.ok(Math.abs(apart(coordinates.lon, label) - best) < 1e-9, `${label}: ${coordinates.lon}`);
        const list = await array.sel({ lon: [label] }, { method: "nearest", wrap: 360 });
        assert.deepEqual([...list.coordinates.lon], [coordinates.lon]);
      }
    });

    test(`${what}: a range goes upwards across the seam`, async () => {
      const { array } = await along(labels);
      for (const [from, to] of [[-10, 10], [350, 370], [170, 190], [170, -170], [-180, 180], [205, 210], [20, 300], [0, 0]]) {
        const { data, coordinates } = await array.sel({ lon: slice(from, to) }, { wrap: 360 });
        const up = (label) => ((((label - from) % 360) + 360 + 1e-9) % 360) - 1e-9;
        const width = to - from >= 360 ? 360 : up(to);
        const expected = labels.filter((label) => up(label) <= width + 1e-9);
        assert.deepEqual([...coordinates.lon].sort((a, b) => a - b), expected.toSorted((a, b) => a - b), `${from} to ${to}`);
        assert.deepEqual([...data].map((place) => labels[place]), [...coordinates.lon]);
        const ways = [...coordinates.lon].map((label) => Math.round(up(label) * 1e6));
        assert.deepEqual(ways, ways.toSorted((a, b) => (what === "falling" ? b - a : a - b)), "in the direction of the axis");
      }
    });
  }

  test("labels equal on the circle are found, and others are missed by name", async () => {
    const { array } = await along(AXES["a tenth of a degree"]);
    for (const [label, place] of [[-9.9, 3501], [350.1, 3501], [-122.3, 2377], [360, 0], [719.9, 3599]]) {
      assert.equal((await array.sel({ lon: label }, { wrap: 360 })).data[0], place);
      assert.deepEqual([...(await array.sel({ lon: [label, 0] }, { wrap: 360 })).data], [place, 0]);
    }
    await assert.rejects(array.sel({ lon: -9.95 }, { wrap: 360 }), { name: "SelectionError", message: /no label -9.95; the nearest is 350.1/ });
    await assert.rejects(array.sel({ lon: -9.9 }), { name: "SelectionError" });
    const { array: both } = await along(AXES["from 0 to 360, both ends"]);
    assert.deepEqual([(await both.sel({ lon: 0 }, { wrap: 360 })).data[0], (await both.sel({ lon: 360 }, { wrap: 360 })).data[0], (await both.sel({ lon: -360 }, { wrap: 360 })).data[0]], [0, 240, 0]);
    const { array: single } = await along(AXES["a tenth of a degree"], { type: "float32" });
    assert.equal((await single.sel({ lon: -9.9 }, { wrap: 360 })).data[0], 3501);
  });

  test("methods, tolerance, steps and open ends", async () => {
    const { array } = await along(AXES["from 0.5 to 359.5"]);
    const lon = async (label, options) => (await array.sel({ lon: label }, { wrap: 360, ...options })).coordinates.lon;
    assert.deepEqual(await Promise.all([0, 360, -0.25, 0.25].map((label) => lon(label, { method: "pad" }))), [359.5, 359.5, 359.5, 359.5]);
    assert.deepEqual(await Promise.all([0, 360, 359.75, -0.25].map((label) => lon(label, { method: "bfill" }))), [0.5, 0.5, 0.5, 0.5]);
    assert.deepEqual(await Promise.all([0, 360, -360].map((label) => lon(label, { method: "nearest" }))), [0.5, 0.5, 0.5], "the upper one of two");
    await assert.rejects(lon(0.25, { method: "nearest", tolerance: 0.2 }), { name: "SelectionError" });
    assert.equal(await lon(-0.25, { method: "nearest", tolerance: 0.25 }), 359.5);
    assert.deepEqual([...(await lon(slice(-2, 2, 2)))], [358.5, 0.5]);
    assert.deepEqual([...(await lon(slice(-2, null)))], [358.5, 359.5]);
    assert.deepEqual([...(await lon(slice(null, 361.5)))], [0.5, 1.5]);
    assert.equal((await lon(slice(null, null))).length, 360);
    assert.deepEqual([...(await lon(slice(-1.2, 0.2), { method: "nearest" }))], [358.5, 359.5, 0.5]);
    const { array: falling } = await along(AXES.falling);
    assert.equal((await falling.sel({ lon: 0.25 }, { wrap: 360, method: "pad" })).coordinates.lon, 0.5);
    assert.equal((await falling.sel({ lon: 0.25 }, { wrap: 360, method: "bfill" })).coordinates.lon, 359.5);
  });

  test("longitudes are known by units, standard name or name; other dimensions are named", async () => {
    for (const [name, attributes] of [["x", { units: "degrees_east" }], ["x", { standard_name: "longitude" }], ["longitude", {}], ["lon", {}]]) {
      const { array } = await along(AXES["from 0.5 to 359.5"], { name, attributes });
      assert.equal((await array.sel({ [name]: -122.4 }, { method: "nearest", wrap: 360 })).coordinates[name], 237.5);
    }
    const { array } = await along(AXES["from 0.5 to 359.5"], { name: "x" });
    await assert.rejects(array.sel({ x: -122 }, { method: "nearest", wrap: 360 }), { name: "TypeError", message: /wrap: \{ x: 360 \}/ });
    assert.equal((await array.sel({ x: -122.4 }, { method: "nearest", wrap: { x: 360 } })).coordinates.x, 237.5);
    for (const wrap of [0, -360, NaN, "360", null, [360], { x: "360" }, { y: 360 }]) await assert.rejects(array.sel({ x: -122 }, { wrap }), { name: "TypeError", message: /the option wrap/ });
    const { array: big } = await along([2 ** 53 * 2, 2 ** 53 * 4], { name: "x", type: "int64" });
    await assert.rejects(big.sel({ x: 5 }, { wrap: { x: 360 } }), { name: "SelectionError", message: /numbers/ });
  });
});

describe("labels that a read brings along", () => {
  const grid = (attributes) => {
    const document = JSON.parse(vector("v", "int32", [0], {})["/v/zarr.json"]);
    Object.assign(document, { shape: [3, 2], dimension_names: ["time", "lat"], chunk_grid: { name: "regular", configuration: { chunk_shape: [3, 2] } } });
    return { ...vector("time", "int32", [0, 1, 2], { dimension: "time", attributes }), "/v/zarr.json": JSON.stringify(document) };
  };
  const days = { units: "days since 2024-01-01" };

  test("a series has its times", async () => {
    const { array, keys } = await along([10, 20], { name: "lat", more: grid(days) });
    const { coordinates, shape } = await array.sel({ lat: 20 });
    assert.deepEqual([shape, coordinates], [[3], { lat: 20, time: ["2024-01-01T00:00:00", "2024-01-02T00:00:00", "2024-01-03T00:00:00"] }]);
    coordinates.time[0] = "mine";
    assert.equal((await array.sel({ lat: 20, time: null })).coordinates.time[0], "2024-01-01T00:00:00", "each result has a list of its own");
    assert.equal(keys.filter((key) => key === "/time/c/0").length, 1);
    const { array: other, keys: asked } = await along([10, 20], { name: "lat", more: grid(days) });
    assert.deepEqual((await other.sel({ lat: 20 }, { coordinates: "query" })).coordinates, { lat: 20 });
    assert.ok(!asked.some((key) => key.startsWith("/time/")));
    await assert.rejects(other.sel({ lat: 20 }, { coordinates: "none" }), TypeError);
  });

  test("a coordinate that does not fit, cannot be read or is not there leaves the values", async () => {
    const wrong = { ...grid(days), ...vector("time", "int32", [0, 1], { dimension: "time" }) };
    const broken = { ...grid(days), "/time/c/0": new Uint8Array(5) };
    const none = Object.fromEntries(Object.entries(grid(days)).filter(([key]) => !key.startsWith("/time/")));
    for (const more of [wrong, broken, none]) {
      const { array } = await along([10, 20], { name: "lat", more });
      const { coordinates, shape } = await array.sel({ lat: 20 });
      assert.deepEqual([shape, coordinates], [[3], { lat: 20 }]);
      if (more !== none) await assert.rejects(array.sel({ lat: 20, time: 1 }));
    }
  });
});
