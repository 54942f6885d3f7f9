/** Reductions of arrays of each kind equal what xarray gives, and what bad arguments are told. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { openPage } from "../support/chromium.mjs";
import { ROOT } from "../support/paths.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");

describe("reductions", () => {
  let page;
  let folder;
  let cases;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rectilinear-answers-"));
    await promisify(execFile)(python, ["-W", "ignore", join(ROOT, "tests/oracle/reductions.py"), folder]);
    cases = JSON.parse(await readFile(join(folder, "cases.json"), "utf8"));
    page = await openPage({ "/answers": folder });
  });
  after(async () => {
    await page?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  test("equal xarray's on random arrays, axes, groups, weights and selections", { timeout: 300_000 }, async () => {
    assert.ok(cases.length >= 500, `${cases.length} cases`);
    const wrong = await page.run(async ({ Group }, cases) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const group = await Group.open("/answers/store.zarr");
      const arrays = new Map();
      const wrong = [];
      for (const { group: name, kind, how, options, shape, dimensions, values, labels, scale, single } of cases) {
        if (!arrays.has(name)) arrays.set(name, await group.array(`${name}/x`));
        const say = (what) => wrong.push(`${kind} ${how} ${JSON.stringify(options)}: ${what}`.slice(0, 500));
        const answer = await reduce(arrays.get(name), how, options).catch(({ message }) => ({ message }));
        if (answer.message) {
          say(answer.message);
          continue;
        }
        if (JSON.stringify(answer.shape) !== JSON.stringify(shape)) say(`shape ${answer.shape}, not ${shape}`);
        if (JSON.stringify(answer.dimensions) !== JSON.stringify(dimensions)) say(`dimensions ${answer.dimensions}, not ${dimensions}`);
        if (labels && JSON.stringify(answer.coordinates[dimensions.find((name) => name === options.by.split(".")[1])]) !== JSON.stringify(labels)) say(`labels ${JSON.stringify(answer.coordinates)}, not ${labels}`);
        const isNear = (own, right) => {
          if (right === null) return Number.isNaN(own);
          if (typeof right === "string") {
            // xarray's means of times are rounded to floats before they are rounded down.
            const apart = kind.startsWith("datetime64") && how === "mean" ? 1n : 0n;
            return typeof own === "bigint" ? own - BigInt(right) <= apart && BigInt(right) - own <= apart : own === Number(right);
          }
          return Math.abs(own - right) <= (single ? 1.2e-7 * Math.abs(right) : 0) + 1e-12 * scale;
        };
        const at = values.findIndex((right, i) => !isNear(answer.data[i], right));
        if (at >= 0 || answer.data.length !== values.length) say(`item ${at}: ${answer.data[at]}, not ${values[at]}`);
      }
      return wrong;
    }, cases);
    assert.deepEqual(wrong.slice(0, 12), [], `${wrong.length} of ${cases.length} differ`);
  });

  test("are the same to the bit whatever arrives first, by URL and from a Map", { timeout: 120_000 }, async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const options = { over: ["time", "lon"], by: "time.season", weights: "area", bins: 7, range: [-30, 30] };
      const how = ["mean", "var", "sum", "min", "argmax", "histogram", "median"];
      const text = (answers) => how.map((name) => Array.from(new BigUint64Array(Float64Array.from(answers[name].data, Number).buffer)).join());
      const differing = [];
      for (const nth of [0, 1, 13, 14, 26, 40]) {
        // Answers of the host come in a random order; the first of each read comes last.
        let delayed = 0;
        const late = async (request) => {
          const delay = delayed++ === 3 ? 60 : Math.random() * 25;
          await new Promise((done) => setTimeout(done, delay));
          return fetch(request);
        };
        const all = [];
        for (const opening of [{}, { fetch: late }, { fetch: late, workers: 2, cacheBytes: 0 }, { fetch: late, concurrency: 3 }]) {
          const array = await RectilinearArray.open(`/answers/store.zarr/d${nth}/x`, opening);
          all.push(text(await reduce(array, how, options)));
          array.free();
        }
        how.forEach((name, i) => new Set(all.map((texts) => texts[i])).size > 1 && differing.push(`d${nth} ${name}`));
      }
      return differing;
    });
    assert.deepEqual(found, []);
  });

  test("quantiles are the same from held values and by parts", { timeout: 120_000 }, async () => {
    const wrong = await page.run(async ({ RectilinearArray }) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const wrong = [];
      for (const nth of [0, 1, 3, 4, 5, 6, 7, 9, 10]) {
        const array = await RectilinearArray.open(`/answers/store.zarr/d${nth}/x`);
        const q = [0, 0.013, 0.5, 0.9, 1];
        const quantiles = (more) => reduce(array, "quantile", { q, ...more });
        for (const skipna of [true, false]) {
          const [held, small] = [await quantiles({ skipna }), await quantiles({ skipna, maxBytes: 2 ** 22 })];
          const parts = await quantiles({ skipna, over: "time", maxBytes: array.shape[0] * 8 * 3 + 200 });
          const whole = await quantiles({ skipna, over: "time" });
          for (const [name, own, other] of [["4 MiB", small, held], ["parts", parts, whole]]) {
            if (own.data.join() !== other.data.join()) wrong.push(`d${nth} ${name} ${skipna}: ${own.data.slice(0, 5)}, not ${other.data.slice(0, 5)}`);
          }
        }
        array.free();
      }
      return wrong;
    });
    assert.deepEqual(wrong, []);
  });

  test("quantiles of many values are counted by leading bits, in the order of the answer", { timeout: 120_000 }, async () => {
    const wrong = await page.run(async ({ RectilinearArray }) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const wrong = [];
      const [times, rows, columns] = [6, 3, 50_000];
      const count = times * rows * columns;
      const types = { float32: Float32Array, float64: Float64Array, int16: Int16Array, uint32: Uint32Array, int64: BigInt64Array };
      for (const [data_type, Items] of Object.entries(types)) {
        const isBig = data_type === "int64";
        // Numbers in no order, of both signs where there are any.
        const number = (i) => ((i * 7919) % 30011) - (data_type === "uint32" ? 0 : 15000);
        const items = Items.from({ length: count }, (_, i) => (isBig ? BigInt(number(i)) * 2n ** 40n : data_type.startsWith("f") ? number(i) / 7 : number(i)));
        if (data_type === "float64") items[5] = NaN;
        const document = { zarr_format: 3, node_type: "array", shape: [times, rows, columns], data_type, fill_value: 0, dimension_names: ["time", "lat", "lon"], attributes: {}, chunk_grid: { name: "regular", configuration: { chunk_shape: [1, rows, columns] } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }] };
        const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
        for (let time = 0; time < times; time++) store.set(`/c/${time}/0/0`, new Uint8Array(items.slice(time * rows * columns, (time + 1) * rows * columns).buffer));
        const array = await RectilinearArray.open(store);
        const q = [0.1, 0.5, 1];
        // Two groups of times, each of 150,000 items a row: more than are sorted at once.
        const seen = [];
        const found = await reduce(array, "quantile", { q, over: ["time", "lon"], by: { labels: [1, 0, 1, 0, 1, 0], dimension: "time" }, onProgress: ({ pass }) => seen.push(pass) });
        if (found.dimensions.join() !== "group,lat,quantile" || Math.max(...seen) < 3) wrong.push(`${data_type}: ${found.dimensions}, ${Math.max(...seen)} passes`);
        for (let group = 0; group < 2; group++) for (let row = 0; row < rows; row++) {
          const own = [];
          for (let time = 0; time < times; time++) if ([1, 0, 1, 0, 1, 0][time] === group) for (let column = 0; column < columns; column++) own.push(Number(items[(time * rows + row) * columns + column]));
          const sorted = Float64Array.from(own.filter((item) => !Number.isNaN(item))).sort();
          q.forEach((part, i) => {
            const at = part * (sorted.length - 1);
            const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
            const [right, value] = [low + (high - low) * (at - Math.floor(at)), found.data[(group * rows + row) * q.length + i]];
            if (!(Math.abs(value - right) <= 1e-12 * Math.abs(right))) wrong.push(`${data_type} ${group} ${row} ${part}: ${value}, not ${right}`);
          });
        }
        array.free();
      }
      return wrong;
    });
    assert.deepEqual(wrong, []);
  });

  test("progress has the answer so far, and an abort ends the read and its requests", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const array = await RectilinearArray.open("/answers/store.zarr/d1/x", { cacheBytes: 0 });
      const seen = [];
      const whole = await reduce(array, ["count", "sum"], { onProgress: ({ share, chunks, answer }) => seen.push([share, chunks, answer().count.data[0]]) });
      const controller = new AbortController();
      const reason = new Error("enough");
      const error = await reduce(array, "mean", { signal: controller.signal, onProgress: () => controller.abort(reason) }).catch((error) => error);
      const again = await reduce(array, "count");
      return { seen, count: whole.count.data[0], isReason: error === reason, again: again.data[0], shape: again.shape };
    });
    assert.ok(found.seen.length > 0 && found.seen.at(-1)[0] === 1);
    assert.deepEqual(found.seen.map(([, , count]) => count), found.seen.map(([, , count]) => count).toSorted((a, b) => a - b));
    assert.equal(found.seen.at(-1)[2], found.count);
    assert.deepEqual([found.isReason, found.again, found.shape], [true, found.count, []]);
  });

  test("weights by latitude and by area are those of xarray's script and of the sphere", async () => {
    const found = await page.run(async ({ Group, support }) => {
      void support;
      const { reduce } = await import("rectilinear-zarr/answers");
      const floats = (numbers) => new Uint8Array(Float64Array.from(numbers).buffer);
      const document = (shape, names, attributes = {}) => new TextEncoder().encode(JSON.stringify({
        zarr_format: 3, node_type: "array", shape, data_type: "float64", fill_value: 0, dimension_names: names, attributes,
        chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" },
        codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      }));
      const store = new Map([
        ["/zarr.json", new TextEncoder().encode('{"zarr_format":3,"node_type":"group"}')],
        ["/x/zarr.json", document([3, 2], ["lat", "lon"])],
        ["/x/c/0/0", floats([1, 2, 3, NaN, 5, 6])],
        ["/lat/zarr.json", document([3], ["lat"], { units: "degrees_north" })],
        ["/lat/c/0", floats([-60, 0, 30])],
        ["/whole/zarr.json", document([2, 4], ["y", "x"])],
        ["/whole/c/0/0", floats([1, 1, 1, 1, 4, 4, 4, 4])],
        ["/y/zarr.json", document([2], ["y"], { standard_name: "latitude", bounds: "y_bnds" })],
        ["/y/c/0", floats([-60, 30])],
        ["/y_bnds/zarr.json", document([2, 2], ["y", "nv"])],
        ["/y_bnds/c/0/0", floats([-90, -30, -30, 90])],
      ]);
      const group = await Group.open(store);
      const x = await group.array("x");
      const [all, rows] = [await reduce(x, "mean", { weights: "cos" }), await reduce(x, "mean", { weights: "cos", over: "lat" })];
      const area = await reduce(await group.array("whole"), "mean", { weights: "area" });
      return [all.data[0], ...rows.data, area.data[0]];
    });
    // The band from -30 to 90 degrees has three quarters of a sphere.
    [3.7583302491977024, 3.30940108, 4.53589838, 3.25].forEach((right, i) => assert.ok(Math.abs(found[i] - right) < 1e-8, `${found}`));
  });

  test("labels along two dimensions, days of 1582, and items that are not a time", async () => {
    const found = await page.run(async ({ Group }) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const text = (value) => new TextEncoder().encode(JSON.stringify(value));
      const document = (shape, names, data_type, attributes = {}) => text({
        zarr_format: 3, node_type: "array", shape, data_type, fill_value: 0, dimension_names: names, attributes,
        chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" },
        codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      });
      const bytes = (numbers) => new Uint8Array(numbers.buffer);
      const noTime = -(2n ** 63n);
      const store = new Map([
        ["/zarr.json", text({ zarr_format: 3, node_type: "group" })],
        ["/x/zarr.json", document([2, 2, 3], ["time", "lat", "lon"], "float64")],
        ["/x/c/0/0/0", bytes(Float64Array.from({ length: 12 }, (_, i) => i))],
        ["/time/zarr.json", document([2], ["time"], "int32", { units: "days since 1582-10-04", calendar: "standard" })],
        ["/time/c/0", bytes(Int32Array.of(0, 1))],
        ["/since/zarr.json", document([4], ["n"], { name: "numpy.timedelta64", configuration: { unit: "s", scale_factor: 1 } })],
        ["/since/c/0", bytes(BigInt64Array.of(5n, noTime, 7n, 3n))],
      ]);
      const group = await Group.open(store);
      const [x, since] = [await group.array("x"), await group.array("since")];
      const labels = ["a", "b", "a", "b", "b", "a"];
      const by = { labels, dimensions: ["lat", "lon"] };
      const plain = ({ data, shape, coordinates }) => [Array.from(data, String).join(), shape.join(), JSON.stringify(coordinates.group ?? coordinates.dayofyear)];
      const options = { decode: false };
      const of = async (how, more) => String((await reduce(since, how, { ...options, ...more })).data[0]);
      return {
        shaped: plain(await reduce(x, "sum", { over: ["lat", "lon"], by: { ...by, shape: [2, 3] } })),
        inferred: plain(await reduce(x, "sum", { over: ["lat", "lon"], by })),
        part: plain(await reduce(x, "sum", { over: ["lat", "lon"], by: { labels: ["a", "b"], dimensions: ["lat", "lon"] }, selection: [null, { start: 0, stop: 1 }, { start: 1, stop: 3 }] })),
        days: plain(await reduce(x, "count", { over: ["time", "lat", "lon"], by: "time.dayofyear" })),
        times: await Promise.all(["min", "max", "argmax", "sum", "mean"].map((how) => of(how))),
        skipped: await Promise.all(["min", "max", "argmax", "sum", "mean"].map((how) => of(how, { skipna: true }))),
        spread: await of("mean", { skipna: false }),
        variance: await reduce(since, "std", options).catch(({ name }) => name),
      };
    });
    const sums = ["7,8,25,26", "2,2", '["a","b"]'];
    const none = String(-(2n ** 63n));
    assert.deepEqual(found, {
      shaped: sums, inferred: sums, part: ["1,2,7,8", "2,2", '["a","b"]'],
      // As cftime counts them, by the lengths of months: 4 October is followed by the 15th.
      days: ["6,6", "2", "[277,288]"],
      times: [none, none, "1", none, "5"], skipped: ["3", "7", "2", "15", "5"], spread: none, variance: "UnsupportedError",
    });
  });

  test("cells with fewer items than minCount are NaN, but for counts and histograms", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const text = JSON.stringify({
        zarr_format: 3, node_type: "array", shape: [4], data_type: "float64", fill_value: 0,
        chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
        chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      });
      const x = await RectilinearArray.open(new Map([
        ["/zarr.json", new TextEncoder().encode(text)],
        ["/c/0", new Uint8Array(Float64Array.of(3, NaN, 1, 1).buffer)],
      ]));
      const asked = async (minCount) => {
        const answers = await reduce(x, ["mean", "count", "histogram"], { minCount, bins: 2 });
        return Object.values(answers).map(({ data }) => String(Array.from(data)));
      };
      return [await asked(3), await asked(4)];
    });
    assert.deepEqual(found, [[String(5 / 3), "3", "2,1"], ["NaN", "3", "2,1"]]);
  });

  test("bad arguments are told what is wrong", async () => {
    const told = await page.run(async ({ RectilinearArray }) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const array = await RectilinearArray.open("/answers/store.zarr/d1/x");
      const complex = await RectilinearArray.open("/answers/store.zarr/d12/x");
      const calls = {
        statistic: () => reduce(array, "average"),
        none: () => reduce(array, []),
        axis: () => reduce(array, "mean", { over: "depth" }),
        twice: () => reduce(array, "mean", { over: ["time", 0] }),
        weightsTwice: () => reduce(array, "mean", { weights: { data: new Float64Array(1), shape: [1, 1], dimensions: ["time", "time"] } }),
        ddof: () => reduce(array, "var", { ddof: NaN }),
        minCount: () => reduce(array, "mean", { minCount: "3" }),
        skipna: () => reduce(array, "mean", { skipna: "no" }),
        onProgress: () => reduce(array, "mean", { onProgress: 3 }),
        dropped: () => reduce(array, "mean", { over: "time", selection: [0] }),
        option: () => reduce(array, "mean", { axis: 0 }),
        field: () => reduce(array, "mean", { by: "time.week" }),
        numbers: () => reduce(array, "mean", { by: "lat.month" }),
        kept: () => reduce(array, "mean", { by: "time.month", over: "lat" }),
        labels: () => reduce(array, "mean", { by: { labels: [1, 2, 3], dimension: "time" } }),
        weights: () => reduce(array, "mean", { weights: { data: [1, 2], dimensions: ["lat"] } }),
        missing: () => reduce(array, "mean", { weights: new Float64Array(array.shape[0]).fill(NaN) }),
        unknown: () => reduce(array, "mean", { weights: { data: [1, 2], dimensions: ["depth"] } }),
        bins: () => reduce(array, "histogram", { bins: [3, 2, 1] }),
        edge: () => reduce(array, "histogram", { bins: [3] }),
        nothing: () => reduce(undefined, "mean"),
        range: () => reduce(array, "histogram", { range: [2, 1] }),
        quantile: () => reduce(array, "quantile"),
        beyond: () => reduce(array, "quantile", { q: 1.5 }),
        bytes: () => reduce(array, "median", { maxBytes: 2 ** 40 }),
        empty: () => reduce(array, "min", { selection: [{ start: 0, stop: 0, step: 1 }] }),
        order: () => reduce(complex, "max"),
        outside: () => reduce(array, "mean", { selection: [10 ** 6] }),
      };
      const told = {};
      for (const [name, call] of Object.entries(calls)) told[name] = await call().then(() => "nothing", ({ name, message }) => `${name}: ${message}`);
      told.after = (await reduce(array, "count")).data[0] > 0;
      return told;
    });
    const expected = {
      statistic: /SelectionError: there is no statistic "average"; there are count, /,
      none: /SelectionError: the list of statistics is empty/,
      axis: /SelectionError: the option over: there is no axis "depth"; the axes are time, lat, lon/,
      twice: /SelectionError: the option over names the axis time twice/,
      weightsTwice: /SelectionError: the weights have the dimension time twice/,
      ddof: /SelectionError: the option ddof must be a number from 0 up, not NaN/,
      minCount: /SelectionError: the option minCount must be a number from 0 up, not "3"/,
      skipna: /SelectionError: the option skipna must be true or false, not "no"/,
      onProgress: /TypeError: the option onProgress must be a function, not 3/,
      dropped: /SelectionError: the option over: the selection takes one index of the axis time/,
      option: /TypeError: reduce has no option axis/,
      field: /SelectionError: the option by: dates have the fields year, month/,
      numbers: /SelectionError: the option by: the coordinate lat has no dates/,
      kept: /SelectionError: the option by groups along time, which the option over does not reduce/,
      labels: /SelectionError: the labels of the option by have 3 items along time/,
      weights: /SelectionError: the weights have 2 items along lat/,
      missing: /SelectionError: the weights must be finite numbers, and item 0 along time is NaN; replace missing weights by 0/,
      unknown: /SelectionError: the weights have the dimension "depth", which the array does not have/,
      bins: /SelectionError: the edges of the option bins must be finite and never fall, but edge 1 is 2 after 3/,
      edge: /SelectionError: the option bins must be a number of bins, or at least two edges, not 1/,
      nothing: /TypeError: reduce expects an opened array/,
      range: /SelectionError: the option range must be two numbers, the lower one first/,
      quantile: /SelectionError: the statistic quantile needs the option q/,
      beyond: /SelectionError: the statistic quantile needs the option q/,
      bytes: /SelectionError: the option maxBytes must be from 1 to 2\^30/,
      empty: /SelectionError: min and max need an item, and nothing is selected along time/,
      order: /UnsupportedError: .*complex numbers have a count/,
      outside: /SelectionError: /,
    };
    for (const [name, pattern] of Object.entries(expected)) assert.match(told[name], pattern);
    assert.equal(told.after, true);
  });
});
