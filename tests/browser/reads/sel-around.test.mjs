/** Labels of an axis that closes, such as longitudes, and the labels that a read brings along. In Node. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Group, RectilinearArray, groupOf, slice, vector } from "../support/sparse.mjs";

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
    assert.equal((await lon(slice(null, 361.5))).length, 360, "a turn and more");
    assert.equal((await lon(slice(null, null))).length, 360);
    assert.deepEqual([...(await lon(slice(-1.2, 0.2), { method: "nearest" }))], [358.5, 359.5, 0.5]);
    const { array: falling } = await along(AXES.falling);
    assert.equal((await falling.sel({ lon: 0.25 }, { wrap: 360, method: "pad" })).coordinates.lon, 0.5);
    assert.equal((await falling.sel({ lon: 0.25 }, { wrap: 360, method: "bfill" })).coordinates.lon, 359.5);
  });

  test("whole turns by a method are whole, whatever label their ends come to", async () => {
    const ends = [[-180, 180], [0, 360], [0, 359.5], [-30, 330], [-0.4, 359.6], [-720, 720], [0.2, 359.7]];
    const axes = { "from 0": steps(0, 1, 360), "from -180": steps(-180, 1, 360), "falling": steps(359, -1, 360) };
    for (const [what, labels] of Object.entries(axes)) {
      const { array } = await along(labels);
      const lon = async ([from, to], method) => [...(await array.sel({ lon: slice(from, to) }, { wrap: 360, method })).coordinates.lon];
      for (const range of ends) assert.equal(new Set(await lon(range, "nearest")).size, 360, `${what}: ${range}`);
      // Shorter ones go from the label near their first end to that near the second.
      for (const [range, first, last, count] of [[[-0.4, 0.3], 0, 0, 1], [[-0.6, 0.6], 359, 1, 3], [[0.2, 359.3], 0, 359, 360], [[0.6, 359.3], 1, 359, 359], [[179.6, 180.4], 180, 180, 1], [[10, 9.4], 10, 9, 360], [[10, 8.6], 10, 9, 360], [[10, 8.4], 10, 8, 359]]) {
        const found = await lon(range, "nearest");
        const [lowest, highest] = what === "falling" ? [found.at(-1), found[0]] : [found[0], found.at(-1)];
        assert.deepEqual([apart(lowest, first), apart(highest, last), found.length], [0, 0, count], `${what}: ${range}`);
      }
      const isFalling = what === "falling";
      assert.equal((await lon([0.5, 2.5], isFalling ? "bfill" : "pad")).length, 3, "0, 1, 2");
      assert.equal((await lon([0.5, 2.5], isFalling ? "pad" : "bfill")).length, 3, "1, 2, 3");
      assert.equal((await lon([-0.5, 359], isFalling ? "bfill" : "pad")).length, 360);
    }
    const { array: region } = await along(AXES["a region"]);
    const lons = async (range, method) => [...(await region.sel({ lon: slice(...range) }, { wrap: 360, method })).coordinates.lon];
    assert.deepEqual(await lons([10, 20], "nearest"), [224.75]);
    assert.deepEqual(await lons([-159.9, -159.6], "nearest"), [200, 200.25, 200.5]);
    assert.deepEqual(await lons([100, 200.25], "pad"), [224.75, 200, 200.25], "the label before 100 is the last one");
  });

  test("a missing first end is the least label, and a missing second one the greatest", async () => {
    const count = async (labels, ...ends) => (await (await along(labels)).array.sel({ lon: slice(...ends) }, { wrap: 360 })).coordinates.lon.length;
    const [west, east, both] = [steps(-180, 1, 360), steps(0, 1, 360), AXES["from 0 to 360, both ends"]];
    for (const [labels, ends, expected] of [
      [west, [null, 180], 360], [west, [180, null], 360], [west, [null, -170], 11], [west, [170, null], 10], [west, [200, null], 340], [west, [null, 190], 360],
      [east, [null, 360], 360], [east, [-180, null], 180], [east, [null, -180], 181], [east, [0, null], 360],
      [both, [null, 360], 241], [both, [0, null], 241], [both, [null, 0], 2], [both, [360, null], 2],
      [steps(359, -1, 360), [null, 360], 360], [steps(359, -1, 360), [350, null], 10],
    ]) assert.equal(await count(labels, ...ends), expected, `${labels[0]}: ${ends}`);
    const { array } = await along(west);
    const near = (...ends) => array.sel({ lon: slice(...ends) }, { wrap: 360, method: "nearest" });
    assert.equal((await near(null, 179.6)).shape[0], 360);
    assert.equal((await near(175.4, null)).shape[0], 5);
    for (const end of [NaN, Infinity, -Infinity]) await assert.rejects(array.sel({ lon: slice(end, 0) }, { wrap: 360 }), { name: "SelectionError", message: /no end of a range/ });
    for (const lon of [2n ** 60n + 1n, slice(2n ** 60n + 1n, 0)]) await assert.rejects(array.sel({ lon }, { wrap: 360 }), { name: "SelectionError", message: /below 2\^53/ });
    await assert.rejects(array.sel({ lon: Infinity }, { wrap: 360, method: "nearest" }), { name: "SelectionError", message: /Infinity equals no label/ });
  });

  test("null is an absent option", async () => {
    const { array } = await along(AXES["from 0.5 to 359.5"]);
    const { coordinates } = await array.sel({ lon: 5.5 }, { wrap: null, method: null, tolerance: null, coordinates: null, signal: null, as: null });
    assert.deepEqual(coordinates, { lon: 5.5 });
    assert.deepEqual((await array.sel({ lon: 5.5 }, { wrap: { lon: null } })).coordinates, { lon: 5.5 });
    await assert.rejects(array.sel({ lon: 5.5 }, { wrap: new Map([["lon", 360]]) }), { name: "TypeError", message: /the option wrap/ });
  });

  test("longitudes are known by units, standard name or name; other dimensions are named", async () => {
    for (const [name, attributes] of [["x", { units: "degrees_east" }], ["x", { standard_name: "longitude" }], ["longitude", {}], ["lon", {}]]) {
      const { array } = await along(AXES["from 0.5 to 359.5"], { name, attributes });
      assert.equal((await array.sel({ [name]: -122.4 }, { method: "nearest", wrap: 360 })).coordinates[name], 237.5);
    }
    const { array } = await along(AXES["from 0.5 to 359.5"], { name: "x" });
    await assert.rejects(array.sel({ x: -122 }, { method: "nearest", wrap: 360 }), { name: "TypeError", message: /wrap: \{ x: 360 \}/ });
    assert.equal((await array.sel({ x: -122.4 }, { method: "nearest", wrap: { x: 360 } })).coordinates.x, 237.5);
    for (const wrap of [0, -360, NaN, "360", [360], { x: "360" }, { y: 360 }]) await assert.rejects(array.sel({ x: -122 }, { wrap }), { name: "TypeError", message: /the option wrap/ });
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

  test("times whose units cannot be read are asked for by number, say why a date fits none, and are not brought along", async () => {
    const zone = { units: "days since 2024-01-01 00:00 EST" };
    const { array } = await along([10, 20], { name: "lat", more: grid(zone) });
    const { coordinates } = await array.sel({ lat: 20 });
    assert.deepEqual(coordinates, { lat: 20 });
    for (const date of ["2024-01-02", new Date("2024-01-02")]) {
      await assert.rejects(array.sel({ time: date }), { name: "SelectionError", message: /axis 0 \(time\): expected a number, got .*2024-01-02.*not read as times.*2024-01-01 00:00 est.*zone/ });
    }
    assert.deepEqual((await array.sel({ time: 1 })).coordinates.lat.length, 2);
    const { array: other } = await along([10, 20], { name: "lat", more: grid({ units: "days since 2024-02-01 00:00 EST" }) });
    const both = await RectilinearArray.concat([array, other], "time");
    await assert.rejects(both.sel({ time: 1 }), { name: "SelectionError", message: /array 1 of concat has times that are not read: .*2024-02-01/ });
  });

  test("labels that are brought along never come before values, and are given up once", async () => {
    const broken = { ...grid(days), "/time/c/0": new Uint8Array(5) };
    const { array, keys } = await along([10, 20], { name: "lat", more: broken });
    await array.sel({ lat: 20 });
    const read = keys.filter((key) => /^\/(?:v|time)\/c/.test(key));
    assert.deepEqual(read, ["/v/c/0/0", "/time/c/0"]);
    keys.length = 0;
    await array.sel({ lat: 10 });
    assert.deepEqual(keys.filter((key) => key.startsWith("/time/")), []);
    await assert.rejects(array.sel({ time: 1 }), "a query asks again");
    assert.deepEqual(keys.filter((key) => key === "/time/c/0").length, 1);
    await array.refresh();
    await array.sel({ lat: 10 });
    assert.deepEqual(keys.filter((key) => key === "/time/c/0").length, 2);
  });

  test("labels in many chunks come once a query has named their dimension", async () => {
    for (const [count, isBrought] of [[64, true], [65, false]]) {
      const document = JSON.parse(vector("v", "int32", [0], {})["/v/zarr.json"]);
      Object.assign(document, { shape: [count, 2], dimension_names: ["time", "lat"], chunk_grid: { name: "regular", configuration: { chunk_shape: [count, 2] } } });
      const more = { ...vector("time", "int32", steps(0, 1, count), { dimension: "time", chunk: 1 }), "/v/zarr.json": JSON.stringify(document) };
      const { array, keys } = await along([10, 20], { name: "lat", more });
      assert.equal("time" in (await array.sel({ lat: 20 })).coordinates, isBrought);
      assert.equal(keys.filter((key) => key.startsWith("/time/c/")).length, isBrought ? count : 0);
      const [{ coordinates }] = await Promise.all([array.sel({ time: 3, lat: 20 }), array.sel({ lat: 10 })]);
      assert.equal(coordinates.time, 3);
      assert.equal((await array.sel({ lat: 10 })).coordinates.time.length, count);
      assert.equal(keys.filter((key) => key.startsWith("/time/c/")).length, count, "each once");
    }
  });

  test("an abort leaves no rejection behind, and asks for nothing", async () => {
    const unhandled = [];
    const listen = (error) => unhandled.push(error);
    process.on("unhandledRejection", listen);
    try {
      const reason = new Error("enough");
      const broken = { ...grid(days), "/lat/c/0": new Uint8Array(5), "/time/c/0": new Uint8Array(5) };
      const { array, keys } = await along([10, 20], { name: "lat", more: broken });
      // The documents, so that what remains are chunks.
      await array.sel({ time: 0, lat: 10 }).catch(() => {});
      keys.length = 0;
      await assert.rejects(array.sel({ lat: 20 }, { signal: AbortSignal.abort(reason) }), reason);
      assert.deepEqual(keys, []);
      for (const turns of [0, 1, 2, 3, 5, 8]) {
        const controller = new AbortController();
        const reading = array.sel({ lat: 20 }, { signal: controller.signal });
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        controller.abort(reason);
        await assert.rejects(reading);
        await new Promise((done) => setTimeout(done, 5));
      }
      assert.deepEqual(unhandled, []);
    } finally {
      process.off("unhandledRejection", listen);
    }
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
