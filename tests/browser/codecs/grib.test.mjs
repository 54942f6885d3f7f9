/** Forecasts in GRIB2 on a plain page: virtual stores over a file of messages, with the values that ecCodes reads. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = join(NEIGHBOURS, "forecast");
/** Where the repository says that the file of messages is, and where it is. */
const PLACE = "file:///tmp/rectilinear-zarr-forecast/forecast/";
const HERE = "/sets/";

const numbers = async (name) => {
  const bytes = await readFile(join(SETS, `${name}.bin`));
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};

/** In the page: the items of an array, as text, because JSON has no NaN. */
async function read({ Group, support: _ }, { url, path, workers = 0, place, here }) {
  const resolveUrl = (listed) => (listed.startsWith(place) ? new URL(listed.replace(place, here), location.href) : undefined);
  try {
    const group = await Group.open(new URL(url, location.href), url.endsWith(".json") ? { workers } : { format: "icechunk", resolveUrl, workers });
    const array = await group.array(path);
    const { data, shape } = await array.get();
    const modules = performance.getEntriesByType("resource").map(({ name }) => /zarr_?(\w*)_bg\.wasm$/.exec(name)?.[1]);
    return {
      data: [...data].map(String),
      shape,
      dtype: array.dtype,
      modules: modules.filter((name) => name !== undefined).sort(),
      isIsolated: globalThis.crossOriginIsolated || typeof SharedArrayBuffer !== "undefined",
    };
  } catch ({ name, message }) {
    return { error: { name, message } };
  }
}

describe("GRIB2 messages", () => {
  let page;
  before(async () => (page = await openPage({ "/sets": SETS })));
  after(() => page?.close());
  const at = (path, more = {}) => page.run(read, { url: `${HERE}repository`, path, place: PLACE, here: HERE, ...more });

  function isNear(found, expected) {
    assert.equal(found.error, undefined);
    assert.equal(found.data.length, expected.length);
    const far = expected.findIndex((value, i) => (Number.isNaN(value) ? found.data[i] !== "NaN" : !(Math.abs(found.data[i] - value) < 1e-8)));
    assert.equal(far, -1, `item ${far} is ${found.data[far]}, not ${expected[far]}`);
  }

  test("in a virtual repository of Icechunk, four packings and two filters, on a page without isolation", async () => {
    const found = await at("t2m");
    isNear(found, await numbers("t2m"));
    assert.deepEqual([found.shape, found.dtype, found.isIsolated], [[4, 19, 36], "float64", false]);
    for (let t = 0; t < 4; t++) {
      const value = (y, x) => found.data[(t * 19 + y) * 36 + x] - t;
      assert.ok(Math.abs(value(0, 0) - 11.52538452) < 1e-8, `${value(0, 0)}`);
      assert.ok(Math.abs(value(9, 18) - 13.04442749) < 1e-8, `${value(9, 18)}`);
      assert.ok(Math.abs(value(18, 35) + 0.83545532) < 1e-8, `${value(18, 35)}`);
    }
  });

  test("load their module alone where no other codec is rare", async () => {
    await page.renew();
    const found = await at("as-stored");
    // All parts of the main module load with a module of codecs.
    assert.deepEqual(found.modules, ["", "calls", "codecs", "grib", "grids", "opening", "systems", "virtual"]);
  });

  test("keep the order of rows and columns without the two flags, and with a bare name", async () => {
    const [expected, turned] = [await numbers("as-stored"), await at("t2m")];
    const [found, bare] = [await at("as-stored"), await at("bare")];
    isNear(found, expected);
    isNear(bare, expected);
    // The first column is 0 degrees east here, and in the middle there.
    assert.ok(Math.abs(found.data[0] - 273.15 - turned.data[18]) < 1e-8);
  });

  test("have north up where rows are stored from the south", async () => {
    const found = await at("turned");
    isNear(found, await numbers("turned"));
    const north = (await numbers("t2m")).subarray(0, found.data.length);
    isNear(found, north);
  });

  test("have NaN where a bitmap says that points are missing", async () => {
    const expected = await numbers("bitmap");
    assert.equal(expected.filter(Number.isNaN).length, 5);
    isNear(await at("bitmap"), expected);
  });

  for (const [path, name, words] of [
    ["short", "CodecError", /short\/c\/0\/0\/0.*gribberish/s],
    ["narrow", "CodecError", /684 points.*665 points/s],
    ["second-order", "UnsupportedError", /50002/],
  ]) {
    test(`are refused by name: ${path}`, async () => {
      const { error } = await at(path);
      assert.equal(error?.name, name, error?.message);
      assert.match(error.message, words);
    });
  }

  for (const path of ["kerchunk", "gribscan", "rawgrib"]) {
    test(`are read through references of kerchunk in Zarr v2, by the filter of ${path}`, async () => {
      isNear(await at(path, { url: `${HERE}references.json` }), await numbers("as-stored"));
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
