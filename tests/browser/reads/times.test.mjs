/** Times, read in a page, are what cftime and numpy make of them. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const cases = JSON.parse(await readFile(join(NEIGHBOURS, "cf/times.json"), "utf8"));

/** Result of `decodeTime` for stored values, or the error. */
async function decode({ RectilinearArray }, { data_type, attributes, values, options }) {
  const whole = {
    zarr_format: 3,
    node_type: "array",
    shape: [values.length],
    data_type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [values.length] } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    fill_value: 0,
    attributes,
  };
  const classes = { float64: Float64Array, float32: Float32Array, int32: Int32Array, uint8: Uint8Array };
  const stored = classes[data_type] ? new classes[data_type](values) : new BigInt64Array(values.map(BigInt));
  const store = new Map([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(whole))],
    ["/c/0", new Uint8Array(stored.buffer)],
  ]);
  try {
    const array = await RectilinearArray.open(store);
    const { data, labels, shape, stride, calendar } = await array.decodeTime(null, options);
    return { data: [...data].map((ms) => (Number.isNaN(ms) ? null : ms)), labels, shape, stride, calendar };
  } catch ({ name, message, path }) {
    return { name, message, path };
  }
}

describe("times", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  const read = (data_type, values, attributes = {}, options) => page.run(decode, { data_type, values, attributes, options });

  test("every calendar and unit", async () => {
    for (const { attributes, unit, scale, values, labels, millis, refused } of cases) {
      const said = JSON.stringify(attributes ?? { unit, scale });
      if (refused) {
        assert.match((await read("int64", [0], attributes)).name, /^(InvalidMetadata|Unsupported)Error$/, said);
        continue;
      }
      const datetime = { name: "numpy.datetime64", configuration: { unit, scale_factor: scale } };
      const types = unit ? [datetime] : values.every(Number.isInteger) ? ["int64", "int32", "float64"] : ["float64"];
      for (const type of types) {
        const found = await read(type, values, attributes);
        assert.deepEqual(found.labels, labels, `${said}: ${found.message}`);
        found.data.forEach((ms, i) => {
          const isNear = ms === millis[i] || Math.abs(ms - millis[i]) <= Math.max(1e-6, Math.abs(millis[i]) * 1e-15);
          assert.ok(isNear && (ms === null) === (millis[i] === null), `${said}: ${ms} and not ${millis[i]}`);
        });
        assert.deepEqual([found.shape, found.stride], [[values.length], [1]]);
      }
    }
  });

  test("what is missing, or packed", async () => {
    const units = "hours since 2000-01-01";
    const least = String(-(2n ** 63n));
    const labels = async (type, values, attributes) => (await read(type, values, { units, ...attributes })).labels.map((label) => label?.slice(8, 16) ?? null);
    assert.deepEqual(await labels("int64", [1, 7, least, 9], { _FillValue: 7, missing_value: [9] }), ["01T01:00", null, null, null]);
    assert.deepEqual(await labels("int32", [1, 7], { _FillValue: 7 }), ["01T01:00", null]);
    assert.deepEqual(await labels("float32", [1.5, "NaN", 7], { _FillValue: 7 }), ["01T01:30", null, null]);
    assert.deepEqual(await labels("uint8", [1, 255], { scale_factor: 0.5, add_offset: 24, _FillValue: 255 }), ["02T00:30", null]);
    assert.deepEqual(await labels("int64", [1, 2], { scale_factor: 2 }), ["01T02:00", "01T04:00"]);
  });

  test("calendars by their other names", async () => {
    const calendar = async (name) => (await read("int32", [0], { units: "days since 2000-01-01", calendar: name })).calendar;
    const found = await Promise.all([undefined, "gregorian", "365_day", "366_day", "360_DAY"].map(calendar));
    assert.deepEqual(found, ["standard", "standard", "noleap", "all_leap", "360_day"]);
  });

  test("what is no time is refused by name", async () => {
    const units = "days since 2000-01-01";
    for (const [type, attributes, values, name, words, path] of [
      ["int32", {}, [0], "InvalidMetadataError", /attribute "units" is missing; expected time units such as "days since/, "/attributes/units"],
      ["int32", { units: "K" }, [0], "InvalidMetadataError", /attribute "units" is "K"; expected time units/, "/attributes/units"],
      ["int32", { units: "days since spring" }, [0], "InvalidMetadataError", /"spring" is not a date of the calendar "standard"/, "/attributes/units"],
      ["int32", { units, calendar: "lunar" }, [0], "InvalidMetadataError", /attribute "calendar" is "lunar"; expected one of standard/, "/attributes/calendar"],
      ["int32", { units: "years since 2000-01-01" }, [0], "UnsupportedError", /"years" in the calendar "standard" is not supported: the unit has no fixed length/],
      ["float64", { units }, [0, 9.96921e36], "RangeError", /^item 1 is 9\.96921e\+36, /],
      ["int64", { units }, [0, "1152921504606846976"], "RangeError", /_FillValue/],
      [{ name: "numpy.timedelta64", configuration: { unit: "s", scale_factor: 1 } }, {}, [0], "UnsupportedError", /durations, not dates/],
      [{ name: "numpy.datetime64", configuration: { unit: "generic", scale_factor: 1 } }, {}, [0], "UnsupportedError", /unit is "generic"/],
    ]) {
      const error = await read(type, values, attributes);
      assert.deepEqual([error.name, error.path], [name, path], error.message);
      assert.match(error.message, words);
    }
    assert.equal((await read("int32", [0], { units }, { as: "float32" })).name, "TypeError");
  });

  test("null stands for no option", async () => {
    const found = await read("int32", [1], { units: "days since 2000-01-01" }, { as: null, minmax: null, out: null });
    assert.deepEqual(found.labels, ["2000-01-02T00:00:00"], found.message);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
