/** Arrays laid end to end, as time goes by: refreshed, freed, shown to others, refused; each asked for by its own means. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { oracle } from "../support/paths.mjs";
import { allow, listen } from "../support/server.mjs";

const year = await oracle("months.json");

/** An array of days, of so many cells, in chunks of so many days, that count from a number on. */
function days(count, { edge = 5, first = 0, cells = 2, ...more } = {}) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [count, cells],
    data_type: "int32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [edge, cells] } },
    chunk_key_encoding: { name: "default" },
    fill_value: -1,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    ...more,
  };
  const files = { "/zarr.json": Buffer.from(JSON.stringify(document)) };
  for (let chunk = 0; chunk * edge < count; chunk++) {
    const items = Int32Array.from({ length: edge * cells }, (_, at) => first + chunk * edge + Math.floor(at / cells));
    files[`/c/${chunk}/0`] = Buffer.from(items.buffer);
  }
  return files;
}

/** A host of one array. */
async function host(stored) {
  const origin = await listen((request, response) => {
    if (allow(request, response)) return;
    const bytes = origin.stored[request.url];
    response.writeHead(bytes ? 200 : 404, { "Cache-Control": "no-store" }).end(bytes);
  });
  origin.stored = stored;
  return origin;
}

describe("arrays end to end, as time goes by", () => {
  let page;
  let origins;
  let urls;
  before(async () => {
    page = await openPage();
    origins = await Promise.all([days(7), days(4, { edge: 3, first: 7 })].map(host));
    urls = origins.map(({ url }) => url);
  });
  beforeEach(() => {
    for (const [nth, stored] of [days(7), days(4, { edge: 3, first: 7 })].entries()) {
      origins[nth].stored = stored;
      origins[nth].requests.length = 0;
    }
  });
  after(() => Promise.all([page?.close(), ...(origins ?? []).map((origin) => origin.close())]));

  /** Opens both arrays in the page, as `parts`, and joins them, as `joined`. */
  const join = (options = [{}, {}]) =>
    page.run(async ({ RectilinearArray }, { urls, options }) => {
      globalThis.parts = await Promise.all(urls.map((url, nth) => RectilinearArray.open(url, options[nth])));
      globalThis.joined = await RectilinearArray.concat(globalThis.parts, 0);
    }, { urls, options });

  /** The first cell of every day, and the shape. */
  const read = () =>
    page.run(async () => {
      const { data } = await globalThis.joined.get([null, 0]);
      return { shape: globalThis.joined.shape, sizes: globalThis.joined.writeChunkSizes[0], items: [...data] };
    });

  test("times that count from different days, or of which other items are missing, are not decoded as one", async () => {
    const times = (attributes) => days(4, { data_type: "int64", fill_value: 0, attributes: { units: "days since 1970-01-01", ...attributes } });
    const refused = async (attributes) => {
      origins[0].stored = times({});
      origins[1].stored = times(attributes);
      await join();
      return page.run(async ({ support }) => (await support.rejection(() => globalThis.joined.decodeTime()))?.message ?? "");
    };
    assert.match(await refused({ units: "days since 1970-01-02" }), /different units, or with different missing values/);
    assert.match(await refused({ _FillValue: -9999 }), /different missing values is not supported: decode the times of each array, then concatenate/);
    assert.doesNotMatch(await refused({}), /different/);
  });

  const refresh = () => page.run(async () => globalThis.joined.refresh());

  const upTo = (count) => Array.from({ length: count }, (_, at) => at);

  test("each array is asked for by its own means", async () => {
    await join([{ headers: { "x-key": "one" } }, { headers: { "x-key": "other" } }]);
    const asked = await page.run(async ({ RectilinearArray }, urls) => {
      const keys = [[], []];
      const open = (url, nth) => RectilinearArray.open(url, { onRequest: ({ key }) => keys[nth].push(key), headers: { "x-key": String(nth) } });
      const joined = await RectilinearArray.concat(await Promise.all(urls.map(open)), 0);
      keys.forEach((list) => (list.length = 0));
      await joined.get([[6, 7], 0]);
      return keys;
    }, urls);
    await read();
    assert.deepEqual(asked, [["c/1/0"], ["c/0/0"]]);
    for (const [nth, { requests }] of origins.entries()) {
      const seen = requests.filter(({ method }) => method === "GET").map(({ headers }) => headers["x-key"]);
      assert.deepEqual([...new Set(seen)].sort(), [String(nth), ["one", "other"][nth]]);
    }
  });

  test("refresh() sees an array that grew, in front and behind, and tells whether any changed", async () => {
    await join();
    assert.deepEqual(await read(), { shape: [11, 2], sizes: [5, 2, 3, 1], items: upTo(11) });
    assert.equal(await refresh(), false);
    origins[1].stored = days(8, { edge: 3, first: 7 });
    assert.equal(await refresh(), true);
    assert.deepEqual(await read(), { shape: [15, 2], sizes: [5, 2, 3, 3, 2], items: upTo(15) });
    origins[0].stored = days(9, { first: -2 });
    assert.equal(await refresh(), true);
    assert.deepEqual((await read()).items, upTo(17).map((day) => day - 2));
    // Where only chunks changed, they are read anew.
    origins[0].stored["/c/0/0"] = Buffer.from(new Int32Array(10).fill(77).buffer);
    assert.equal(await refresh(), false);
    assert.deepEqual((await read()).items.slice(0, 6), [77, 77, 77, 77, 77, 3]);
    const alone = await page.run(async () => globalThis.parts.map(({ shape }) => shape[0]));
    assert.deepEqual(alone, [7, 4], "the arrays by themselves stay as they were opened");
  });

  test("an array that was empty may grow", async () => {
    origins[0].stored = days(0);
    await join();
    assert.deepEqual((await read()).items, [7, 8, 9, 10]);
    origins[0].stored = days(7);
    assert.equal(await refresh(), true);
    assert.deepEqual((await read()).items, upTo(11));
  });

  test("a refresh that finds what does not fit rejects, and leaves all as it was", async () => {
    await join();
    const rejection = () => page.run(async ({ support }) => support.rejection(() => globalThis.joined.refresh()));
    origins[1].stored = days(4, { cells: 3 });
    const unfit = await rejection();
    assert.equal(unfit.name, "UnsupportedError");
    assert.match(unfit.message, /different shapes.*array 1 .*has \[4, 3\], array 0 has \[7, 2\]/);
    origins[1].stored = {};
    assert.equal((await rejection()).name, "NotFoundError");
    origins[1].stored = days(4, { edge: 3, first: 7 });
    assert.deepEqual((await read()).items, upTo(11));
  });

  test("what is freed holds up nothing that is joined, and the other way round", async () => {
    await join();
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const { parts, joined } = globalThis;
      const again = await RectilinearArray.concat([joined, parts[1]], 0);
      joined.free();
      const [first, second] = await Promise.all(parts.map((part) => part.get([null, 0])));
      parts.forEach((part) => part.free());
      const { data } = await again.get([null, 1]);
      const reading = again.get([null, 0]);
      again.free();
      const refused = await support.rejection(() => RectilinearArray.concat([parts[0]], 0));
      return { lengths: [first.data.length, second.data.length], items: [...data], late: [...(await reading).data], refused };
    });
    assert.deepEqual(found.lengths, [7, 4]);
    assert.deepEqual(found.items, [...upTo(11), 7, 8, 9, 10]);
    assert.deepEqual(found.late, found.items);
    assert.equal(found.refused.name, "FreedError");
    assert.match(found.refused.message, /array 0 .*freed/);
  });

  test("an abort drops the requests of every array, and leaves the joined one usable", async () => {
    await join();
    const found = await page.run(async ({ support }) => {
      const controller = new AbortController();
      const reading = support.rejection(() => globalThis.joined.get(null, { signal: controller.signal }));
      controller.abort(new Error("moved on"));
      return { ...(await reading), items: [...(await globalThis.joined.get([null, 0])).data] };
    });
    assert.equal(found.message, "moved on");
    assert.deepEqual(found.items, upTo(11));
  });

  test("readers of regular chunks read what is joined", async () => {
    const found = await page.run(async ({ RectilinearArray, support }, year) => {
      const { asRegularStore } = await import("rectilinear-zarr/adapters");
      const array = await support.openYear(RectilinearArray, year);
      const regular = await RectilinearArray.open(asRegularStore(array, { chunkShape: [50, 4, 6] }));
      const [one, other] = await Promise.all([array.get(), regular.get()]);
      return { isSame: `${one.data}` === `${other.data}`, sizes: regular.writeChunkSizes, names: regular.dimensionNames };
    }, year);
    assert.deepEqual(found, { isSame: true, sizes: [[50, 50, 50, 50, 50, 50, 50, 16], [4], [6]], names: ["time", "lat", "lon"] });
  });

  test("each array is unpacked, and masked, by its own attributes", async () => {
    origins[0].stored = days(7, { attributes: { scale_factor: 0.5, _FillValue: 3 } });
    origins[1].stored = days(4, { edge: 3, first: 7, attributes: { scale_factor: 2, add_offset: 100, _FillValue: 8 } });
    delete origins[1].stored["/c/1/0"];
    await join();
    const found = await page.run(async () => {
      const { joined } = globalThis;
      const numbers = (data) => [...data].map((item) => (Number.isNaN(item) ? null : item));
      const { data, range } = await joined.get([null, 0], { as: "float32", mask: "fill", minmax: true });
      const parts = [];
      for await (const { data, start } of joined.stream([null, 0], { as: "float64", mask: "attributes" })) parts.push([start[0], numbers(data)]);
      const decoded = await joined.get([[0, 7], 0], { decode: "cf" });
      const plain = await joined.get([[1, 9], 0], { as: "float64", scale: false, mask: false });
      return { data: numbers(data), range, parts: parts.sort(([a], [b]) => a - b), decoded: [...decoded.data], plain: [...plain.data] };
    });
    assert.deepEqual(found.data, [0, 0.5, 1, null, 2, 2.5, 3, 114, null, 118, null]);
    assert.deepEqual(found.range, [0, 118]);
    assert.deepEqual(found.parts, [[0, [0, 0.5, 1, null, 2]], [5, [2.5, 3]], [7, [114, null, 118]], [10, [98]]]);
    assert.deepEqual(found.decoded, [0, 114]);
    assert.deepEqual(found.plain, [1, 9]);
  });

  test("a read as the conventions say, which would give two types, asks for one", async () => {
    origins[1].stored = days(4, { edge: 3, first: 7, attributes: { scale_factor: 2 } });
    await join();
    const error = await page.run(async ({ support }) => {
      const { joined } = globalThis;
      // Where only one of them is met, there is one type.
      const alone = [...(await joined.get([[0, 5], 0], { decode: "cf" })).data];
      return { alone, ...(await support.rejection(() => joined.get([null, 0], { decode: "cf" }))) };
    });
    assert.deepEqual(error.alone, [0, 5]);
    assert.equal(error.name, "UnsupportedError");
    assert.match(error.message, /items of array 1 decode to int64, those of array 0 to the stored type; pass the option as/);
  });

  test("a chunk that is damaged is told of by its own array's key", async () => {
    origins[1].stored["/c/1/0"] = Buffer.alloc(5);
    await join();
    const error = await page.run(async ({ support }) => support.rejection(() => globalThis.joined.get()));
    assert.equal(error.name, "CodecError");
    assert.deepEqual([error.key, error.coords], ["c/1/0", [1, 0]]);
  });

  test("an error tells of which array it is, and is as it was for that array alone", async () => {
    origins[1].stored["/c/1/0"] = Buffer.alloc(5);
    await join();
    const found = await page.run(async ({ RectilinearArray }) => {
      const { joined, parts } = globalThis;
      const told = ({ name, message, array, key, coords, codec, got }) => ({ name, message, array, key, coords, codec, got });
      const failure = async (reading) => told(await reading.then(() => ({}), (error) => error));
      const streamed = async () => {
        for await (const part of joined.stream()) if (!part) throw new Error("no part");
      };
      // Of one chunk that both want at once, the error is one.
      const [read, alone] = await Promise.all([failure(joined.get()), failure(parts[1].get())]);
      const again = await RectilinearArray.concat([parts[0], joined], 0);
      return { read, alone, streamed: await failure(streamed()), nested: await failure(again.get()) };
    });
    const { array, message, ...fields } = found.read;
    assert.equal(array, 1);
    assert.equal(message, `array 1 of concat, at ${urls[1]}/: ${found.alone.message}`);
    assert.deepEqual({ message: found.alone.message, ...fields }, found.alone);
    assert.deepEqual(found.streamed, found.read);
    assert.equal(found.nested.array, 2);
    assert.match(found.nested.message, /^array 2 of concat, at [^ ]+: chunk \[1, 0\]/);
  });

  test("a refresh that fails tells of which array", async () => {
    await join();
    delete origins[1].stored["/zarr.json"];
    const error = await page.run(({ support }) => support.rejection(() => globalThis.joined.refresh()));
    assert.equal(error.name, "NotFoundError");
    assert.match(error.message, /^array 1 of concat, at /);
  });

  const refusals = [
    ["no list", { arrays: "undefined" }, "TypeError", /list of at least one opened array/],
    ["an empty list", { arrays: "[]" }, "TypeError", /at least one/],
    ["one array that is no list", { arrays: "a" }, "TypeError", /list of at least one opened array/],
    ["a promise of an array", { arrays: "[a, Promise.resolve(a)]" }, "TypeError", /item 1 of the list.*awaited/],
    ["a group", { arrays: "[{ shape: [1] }]" }, "TypeError", /item 0 of the list/],
    ["an axis that is not there", { axis: "2" }, "SelectionError", /no axis 2; the first array has 2/],
    ["an axis before the first", { axis: "-3" }, "SelectionError", /no axis -3/],
    ["half an axis", { axis: "0.5" }, "SelectionError", /expected the number of an axis/],
    ["no axis", { axis: "undefined" }, "SelectionError", /dimension's name, got undefined/],
    ["a name where there are none", { axis: "'time'" }, "SelectionError", /no dimension names/],
    ["another rank", { more: { shape: [4], chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } } } }, "UnsupportedError", /different shapes.*array 1/],
    ["another length of an axis beside", { more: { shape: [4, 3] } }, "UnsupportedError", /has \[4, 3\], array 0 has \[7, 2\]; .*equal lengths/],
    ["another data type", { more: { data_type: "uint32", fill_value: 1 } }, "UnsupportedError", /different data types.*"uint32".*"int32"/],
    ["another fill value", { more: { fill_value: 0 } }, "UnsupportedError", /different fill values.*has 0, array 0 has -1/],
    [
      "other cuts of an axis beside",
      { more: { chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 1] } } } },
      "UnsupportedError",
      /different chunk grids.*has \[1, 1\], array 0 has \[2\].*axis 1/,
    ],
  ];
  for (const [about, { arrays = "[a, b]", axis = "0", more }, name, message] of refusals) {
    test(`refuses ${about}`, async () => {
      origins[1].stored = days(4, more);
      const error = await page.run(async ({ RectilinearArray, support }, { urls, arrays, axis }) => {
        const [a, b] = await Promise.all(urls.map((url) => RectilinearArray.open(url)));
        const asked = new Function("a", "b", `return [${arrays}, ${axis}]`)(a, b);
        return support.rejection(() => RectilinearArray.concat(...asked));
      }, { urls, arrays, axis });
      assert.equal(error?.name, name);
      assert.match(error.message, message);
      assert.equal(error.isError, true);
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
