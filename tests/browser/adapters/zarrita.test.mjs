/**
 * zarrita, as npm has it, reads through `asRegularStore` what it cannot read itself, and what it can as before: every
 * array in Node, and one of each kind in a page.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { chosen } from "../support/chosen.mjs";
import { inBatches } from "../support/in-batches.mjs";
import { zarritaInNode } from "../support/in-node.mjs";
import { oracle } from "../support/paths.mjs";
import { openZarrita } from "../support/viewers.mjs";

const LISTS = ["index.json", "index-dtypes.json", "index-v2.json", "index-grids.json", "index-tensorstore.json"];
const entries = (await Promise.all(LISTS.map((list) => oracle(list)))).flat();
const few = await chosen(entries);
const groups = await oracle("groups.json");

/** Data types that the view shows in place of others, where zarrita has nothing for that, and what is refused. */
const SHOWN = {
  complex64: "complex64",
  complex128: "complex128",
  complex_float16: "complex64",
  complex_bfloat16: "complex64",
  complex_float32: "complex64",
  complex_float64: "complex128",
};
const REFUSED = ["struct", "structured", "variable_length_bytes", "bytes", "v2:object"];

/** Zero-padded bytes of the oracle, which are no text. */
const BINARY = "null_terminated_bytes";

/** In a page or in Node: what differs in each array as zarrita reads it, or the error. */
async function readThroughZarrita({ RectilinearArray, support }, { entries, shownAs }) {
  const { asRegularStore, compareRegular, sourceOf, zarr } = globalThis;
  const answers = [];
  for (const entry of entries) {
    const shown = shownAs[entry.dtype];
    const isRaw = entry.dtype === "raw_bytes" || /^r\d/.test(entry.dtype);
    const options = { path: entry.arrayPath ?? "", proposals: entry.proposals };
    const array = await RectilinearArray.open(sourceOf?.(entry) ?? new URL(`/data/${entry.path}`, location.href), options);
    const compare = async (options) => {
      const store = asRegularStore(array, options);
      // Types that zarrita has nothing for are read by the package, as another array than before.
      if (isRaw || shown) return compareBytes(array, await RectilinearArray.open(store));
      return compareRegular(zarr, await zarr.open(store), entry);
    };
    const compareBytes = async (array, again) => {
      const [expected, found] = [(await array.get()).data, (await again.get()).data];
      // A v2 array is shown as v2, where raw bits are the type "|V5".
      const raw = array.zarrFormat === 2 ? "raw_bytes" : `r${(8 * expected.length) / entry.shape.reduce((a, b) => a * b, 1)}`;
      const dtype = isRaw ? raw : shown;
      const isSame = String(expected) === String(found) && again.dtype === dtype && again.chunkGrid.isRegular;
      return isSame ? [] : [`${again.dtype}: ${found} instead of ${expected}`];
    };
    const failures = [];
    const error = await support.rejection(async () => {
      // Chunks that are neither those of the array nor whole ones of them.
      const across = entry.shape.map((extent) => Math.max(1, Math.ceil(extent * 0.4)));
      for (const options of [undefined, { chunkShape: across }]) failures.push(...(await compare(options)));
    });
    answers.push({ failures, error });
  }
  return answers;
}

/** Defines the tests of entries, which `run` reads. */
function readsAll(entries, run) {
  const readings = inBatches(entries, (batch) => run(readThroughZarrita, { entries: batch, shownAs: SHOWN }));
  for (const entry of entries) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const found = await readings(entry);
      if ([...REFUSED, BINARY].includes(entry.dtype)) {
        assert.equal(found.error?.name, "UnsupportedError", JSON.stringify(found));
        assert.equal(found.error.feature, entry.dtype);
        return;
      }
      assert.deepEqual(found, { failures: [], error: null });
    });
  }
}

describe("zarrita through asRegularStore in Node", () => {
  let node;
  before(async () => (node = await zarritaInNode()));
  readsAll(entries, (...call) => node.run(...call));
});

describe("zarrita through asRegularStore", () => {
  let page;
  before(async () => (page = await openZarrita()));
  after(() => page?.close());

  test("without it zarrita reads no rectilinear array", async () => {
    const error = await page.run(({ support }) => {
      const { zarr } = globalThis;
      return support.rejection(async () => zarr.get(await zarr.open(new zarr.FetchStore(`${location.origin}/data/rectilinear-lists.zarr`))));
    });
    assert.equal(error?.name, "TypeError");
  });

  readsAll(few, (...call) => page.run(...call));

  test("zero-padded bytes are text where they are UTF-8", async () => {
    const data = await page.run(async ({ RectilinearArray }) => {
      const { asRegularStore, zarr } = globalThis;
      const utf8 = new TextEncoder();
      const metadata = { zarr_format: 2, shape: [3], chunks: [3], dtype: "|S4", fill_value: null, order: "C", filters: null, compressor: null };
      const files = { "/.zarray": JSON.stringify(metadata), "/0": "ab\0\0\0\0\0\0\u00e9\u00e8" };
      const array = await RectilinearArray.open(new Map(Object.entries(files).map(([key, text]) => [key, utf8.encode(text)])));
      return (await zarr.get(await zarr.open(asRegularStore(array)))).data;
    });
    assert.deepEqual(data, ["ab", "", "\u00e9\u00e8"]);
  });

  for (const entry of groups) {
    test(`the group ${entry.name}: ${entry.about}`, async () => {
      const found = await page.run(async ({ Group, support }, entry) => {
        const { asRegularStore, zarr } = globalThis;
        const beneath = support.storeOf(entry);
        const group = await Group.open(beneath);
        const store = asRegularStore(group);
        const asked = beneath.keys.length;
        const kept = await zarr.withMaybeConsolidatedMetadata(store);
        const contents = kept.contents?.().filter(({ path }) => path !== "/");
        const root = await zarr.open(kept, { kind: "group" });
        const forMetadata = beneath.keys.length - asked;
        const nodes = [];
        // zarrita makes URLs of names, which some names do not survive.
        const found = entry.nodes.filter(({ path }) => !/[%?#]/.test(path));
        for (const { path, kind } of found) {
          const location = new zarr.Location(kept, `/${path}`);
          const { attrs, shape, dtype, dimensionNames } = await zarr.open(location, { kind });
          const values = kind === "array" ? [...(await zarr.get(await zarr.open(location))).data].map(Number) : undefined;
          nodes.push({ path, kind, attrs, shape, dtype, dimensionNames, values });
        }
        const none = await support.rejection(() => zarr.open(new zarr.Location(kept, "/nowhere")));
        const again = await Group.open(store);
        const odd = entry.nodes.filter((node) => !found.includes(node) && node.kind === "array");
        const oddly = await Promise.all(odd.map(async ({ path }) => [...(await (await again.array(path)).get()).data]));
        return { contents, attrs: root.attrs, nodes, none, forMetadata, isOddRight: JSON.stringify(oddly) === JSON.stringify(odd.map(({ values }) => values)) };
      }, entry);
      const plain = (attributes) => JSON.parse(JSON.stringify(attributes), (_, value) => value?.number ?? value);
      assert.deepEqual(found.contents, entry.consolidated?.map((path) => ({ path: `/${path}`, kind: entry.nodes.find((node) => node.path === path).kind })));
      assert.deepEqual(found.attrs, plain(entry.attributes));
      assert.equal(found.forMetadata, 0);
      for (const [nth, node] of entry.nodes.filter(({ path }) => !/[%?#]/.test(path)).entries()) {
        const { path, kind, attributes, shape, dtype, dimensionNames, values } = node;
        const array = kind === "array" && { shape, dtype, values, ...(dimensionNames && { dimensionNames }) };
        assert.deepEqual(found.nodes[nth], { path, kind, attrs: plain(attributes), ...array });
      }
      assert.equal(found.none.name, "NotFoundError");
      assert.ok(found.isOddRight);
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
