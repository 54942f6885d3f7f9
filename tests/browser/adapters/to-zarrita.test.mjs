/** `toZarrita`: zarrita's own arrays over ours, of every data type in Node, and of one array of each kind in a page. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { chosen } from "../support/chosen.mjs";
import { inBatches } from "../support/in-batches.mjs";
import { zarritaInNode } from "../support/in-node.mjs";
import { oracle } from "../support/paths.mjs";
import { openZarrita } from "../support/viewers.mjs";

const LISTS = ["index-dtypes.json", "index-objects.json", "index-v2.json"];
/** Of the arrays of zarr-python those whose chunks are uneven or absent. */
const UNEVEN = /^(\w+-rectilinear|rectilinear-.*|sharded-.*|scalar-.*|appended|pattern-.*|fill-.*)$/;
const plain = (await oracle("index.json")).filter(({ name }) => UNEVEN.test(name));
const entries = [...plain, ...(await Promise.all(LISTS.map((list) => oracle(list)))).flat()];

const few = await chosen(entries);

/** In a page or in Node: what differs in each array as zarrita's own, or the error. */
async function readAsZarritas({ RectilinearArray, support }, entries) {
  const { compareRegular, sourceOf, toZarrita, zarr } = globalThis;
  const answers = [];
  for (const entry of entries) {
    const source = sourceOf?.(entry) ?? new URL(`/data/${entry.path}`, location.href);
    const array = await RectilinearArray.open(source, { path: entry.arrayPath ?? "" });
    const failures = [];
    const across = entry.shape.map((extent) => Math.max(1, Math.ceil(extent * 0.4)));
    const error = await support.rejection(async () => {
      for (const options of [undefined, { chunkShape: across }]) {
        const found = await toZarrita(zarr, array, options);
        if (!(found instanceof zarr.Array)) failures.push("it is none of zarrita's arrays");
        failures.push(...(await compareRegular(zarr, found, entry)));
      }
    });
    answers.push({ failures, error });
  }
  return answers;
}

/** Defines the tests of entries, whose answers `reading` gives. */
function readsAll(entries, reading) {
  for (const entry of entries) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const { failures, error } = await reading(entry);
      // Shown as text, which the oracle's are not.
      if (entry.dtype === "null_terminated_bytes") return assert.equal(error?.name, "UnsupportedError");
      assert.deepEqual({ failures, error }, { failures: [], error: null });
    });
  }
}

describe("toZarrita in Node", () => {
  let node;
  before(async () => (node = await zarritaInNode()));
  readsAll(entries, inBatches(entries, (batch) => node.run(readAsZarritas, batch)));
});

describe("toZarrita", () => {
  let page;
  before(async () => (page = await openZarrita()));
  after(() => page?.close());

  readsAll(few, inBatches(few, (batch) => page.run(readAsZarritas, batch)));

  /** Values and properties of a fixture as zarrita's array. */
  const found = (name, body, options) =>
    page.run(
      `async ({ RectilinearArray, support }, { name, options }) => {
        const { toZarrita, zarr } = globalThis;
        const array = await RectilinearArray.open(new URL(\`/data/\${name}.zarr\`, location.href));
        return (${body})({ array: await toZarrita(zarr, array, options), ours: array, zarr, support });
      }`,
      { name, options },
    );

  test("properties are zarrita's, of what zarrita has no arrays for too", async () => {
    const properties = ({ array, zarr }) => ({
      ...{ shape: array.shape, chunks: array.chunks, dtype: array.dtype, attrs: array.attrs, dimensionNames: array.dimensionNames },
      fill: JSON.stringify(array.fillValue, (_, value) => (typeof value === "bigint" ? String(value) : value)),
      is: ["number", "bigint", "boolean", "string", "object", "complex64"].filter((query) => array.is(query)),
      isArray: array instanceof zarr.Array,
    });
    const months = await found("pattern-months", properties);
    assert.deepEqual(months.is, ["number"]);
    assert.ok(months.isArray);
    const complex = await found("dtype-complex64", properties);
    assert.deepEqual([complex.dtype, complex.is, complex.isArray], ["complex64", ["complex64"], true]);
    const time = await found("dtype-datetime-ns", properties);
    assert.deepEqual([time.dtype, time.is], ["int64", ["bigint"]]);
  });

  test("single chunks come whole, with the fill value past the edge, and its store has the same", async () => {
    const chunks = await found(
      "rectilinear-lists",
      async ({ array, ours }) => {
        const { data, shape, stride } = await array.getChunk([1, 2]);
        const stored = await array.store.get("/c/1/2");
        const whole = await ours.get([{ start: 10, stop: 14, step: null }, { start: 20, stop: 22, step: null }]);
        const beyond = await array.getChunk([7, 7]);
        return { data: [...data], shape, stride, stored: [...new Int32Array(stored.buffer)], whole: [...whole.data], beyond: [...beyond.data] };
      },
      { chunkShape: [10, 10] },
    );
    assert.deepEqual([chunks.shape, chunks.stride], [[10, 10], [10, 1]]);
    const expected = new Array(100).fill(0);
    chunks.whole.forEach((value, nth) => (expected[Math.floor(nth / 2) * 10 + (nth % 2)] = value));
    assert.deepEqual(chunks.data, expected);
    assert.deepEqual(chunks.stored, expected);
    assert.deepEqual(chunks.beyond, new Array(100).fill(0));
  });

  test("an abort rejects with its reason", async () => {
    const isReason = await found("pattern-months", async ({ array, zarr }) => {
      const reason = new Error("moved on");
      return (await zarr.get(array, null, { signal: AbortSignal.abort(reason) }).catch((error) => error)) === reason;
    });
    assert.ok(isReason);
  });

  test("an array that asks for a place where zarrita has none is refused by name", async () => {
    const error = await page.run(async ({ RectilinearArray, support }) => {
      const { toZarrita, zarr } = globalThis;
      const array = await RectilinearArray.open(new URL("/data/dtype-complex64.zarr", location.href));
      return support.rejection(() => toZarrita({ ...zarr, Array: class {} }, array));
    });
    assert.equal(error.name, "UnsupportedError");
    assert.equal(error.feature, "complex64");
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
