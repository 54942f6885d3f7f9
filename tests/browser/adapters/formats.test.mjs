/** Options of what adapters show: Zarr v2 and v3, attributes, what is kept, and old versions of zarrita. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { startNetwork } from "../support/network.mjs";
import { oracle } from "../support/paths.mjs";
import { openViews } from "../support/views.mjs";
import { written } from "../support/written.mjs";

const groups = await oracle("groups.json");
const hierarchy = (name) => groups.find((entry) => entry.name === name);

describe("views in both formats", () => {
  let page;
  before(async () => (page = await openViews()));
  after(() => page?.close());

  for (const name of ["v3-consolidated", "v3-plain", "v2-consolidated", "v2-plain"]) {
    for (const zarrFormat of [2, 3]) {
      test(`the group ${name} as Zarr v${zarrFormat}`, async () => {
        const entry = hierarchy(name);
        const found = await page.run(async ({ Group, support }, { entry, zarrFormat }) => {
          const { asRegularStore, documentOf, zarr } = globalThis;
          const store = asRegularStore(await Group.open(support.storeOf(entry)), { zarrFormat });
          const open = zarr.open[`v${zarrFormat}`];
          const nodes = await Promise.all(entry.nodes.map(async ({ path, kind }) => {
            const { attrs, shape, dtype } = await open(zarr.root(store).resolve(path), { kind });
            return { path, attrs, shape, dtype, values: kind === "array" ? [...(await zarr.get(await open(zarr.root(store).resolve(path), { kind }))).data].map(Number) : undefined };
          }));
          const keys = zarrFormat === 2 ? ["/zarr.json", "/surface/zarr.json", "/latitude/c/0"] : ["/.zgroup", "/.zattrs", "/.zmetadata", "/latitude/.zarray", "/latitude/0"];
          const others = (await Promise.all(keys.map((key) => store.get(key)))).filter(Boolean).length;
          const consolidated = zarrFormat === 2 ? await documentOf(store, "/.zmetadata").catch(() => null) : (await documentOf(store)).consolidated_metadata;
          const again = await Group.open(store);
          return { nodes, others, names: Object.keys(consolidated?.metadata ?? {}).length, tree: again.tree()?.map(({ path }) => path), format: again.zarrFormat };
        }, { entry, zarrFormat });
        assert.equal(found.others, 0);
        assert.equal(found.format, zarrFormat);
        for (const [nth, { path, kind, attributes, shape, dtype, values, dimensionNames }] of entry.nodes.entries()) {
          const { attrs, ...node } = found.nodes[nth];
          assert.deepEqual(node, { path, ...(kind === "array" && { shape, dtype, values }) });
          const dimensions = zarrFormat === 2 && dimensionNames ? { _ARRAY_DIMENSIONS: dimensionNames } : {};
          // The fill value of v2, 0, marks missing items there; in v3, `_FillValue` does.
          const isFromV2 = kind === "array" && entry.zarrFormat === 2 && zarrFormat === 3;
          const missing = isFromV2 ? { _FillValue: dtype === "float64" ? "AAAAAAAAAAA=" : 0 } : {};
          assert.deepEqual(attrs, JSON.parse(JSON.stringify({ ...attributes, ...dimensions, ...missing }), (_, value) => value?.number ?? value));
        }
        assert.deepEqual(found.tree, entry.consolidated ?? undefined);
        if (zarrFormat === 2 && entry.consolidated) assert.ok(found.names > entry.nodes.length);
      });
    }
  }

  test("attributes as a function has them, in single and in consolidated documents", async () => {
    const entry = hierarchy("v3-consolidated");
    const found = await page.run(async ({ Group, RectilinearArray, support }, entry) => {
      const { asRegularStore, documentOf, toZarrita, zarr } = globalThis;
      const attributes = (path, attrs) => ({ ...attrs, path });
      const store = asRegularStore(await Group.open(support.storeOf(entry)), { attributes });
      const root = await documentOf(store);
      const single = await documentOf(store, "/surface/t2m/zarr.json");
      const wrong = await support.rejection(async () => documentOf(asRegularStore(await Group.open(support.storeOf(entry)), { attributes: () => undefined })));
      const array = await RectilinearArray.open(support.storeOf(entry), { path: "latitude" });
      const { attrs } = await toZarrita(zarr, array, { attributes });
      return { root: root.attributes, listed: Object.entries(root.consolidated_metadata.metadata).map(([path, { attributes }]) => [path, attributes.path]), single: single.attributes, wrong, attrs };
    }, entry);
    assert.equal(found.root.path, "");
    assert.ok(found.listed.length > 5);
    for (const [path, told] of found.listed) assert.equal(told, path);
    assert.equal(found.single.path, "surface/t2m");
    assert.equal(found.wrong.name, "TypeError");
    assert.match(found.wrong.message, /attributes returned undefined/);
    assert.deepEqual(found.attrs, { units: "degrees_north", path: "" });
  });

  test("axes of Zarr v2 in another order are named in that order, in a store and in zarrita's array", async () => {
    const found = await page.run(async ({ RectilinearArray, support }, entry) => {
      const { asRegularStore, documentOf, toZarrita, zarr } = globalThis;
      const array = await RectilinearArray.open(support.storeOf(entry), { path: "surface/t2m" });
      const dimensions = ["latitude", "…"];
      const held = await toZarrita(zarr, array, { dimensions });
      return [held.attrs, await documentOf(asRegularStore(array, { dimensions }), "/.zattrs")].map((attrs) => attrs._ARRAY_DIMENSIONS);
    }, hierarchy("v2-plain"));
    assert.deepEqual(found, [["latitude", "time"], ["latitude", "time"]]);
  });

  test("toZarrita in other types, and with a zarrita that is too old", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const { arrayFiles, toZarrita, zarr } = globalThis;
      const files = new Map(arrayFiles("", BigInt64Array.of(1n, 2n, 300n), { attributes: { _FillValue: 2, scale_factor: 10 } }));
      const array = await RectilinearArray.open(files);
      const one = await toZarrita(zarr, array, { as: "float32" });
      const { Array, open, get } = zarr;
      const old = await support.rejection(() => toZarrita({ Array, open, get }, array));
      return { dtype: one.dtype, data: [...(await zarr.get(one)).data].map(String), attrs: one.attrs, old };
    });
    assert.deepEqual([found.dtype, found.data, found.attrs], ["float32", ["10", "NaN", "3000"], {}]);
    assert.equal(found.old.name, "UnsupportedError");
    assert.match(found.old.message, /zarrita 0\.7/);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});

describe("what a store keeps", () => {
  let network;
  before(async () => {
    const group = Buffer.from(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {} }));
    network = await startNetwork(new Map([["/run/zarr.json", group], ...written("run/even", { shape: [32, 32], chunks: [16, 16], gzip: true })]));
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  const chunks = () => network.near.asked().filter((path) => /\/c\//.test(path?.path ?? path)).length;

  test("cacheBytes 0 keeps nothing, and the group's own option keeps", async () => {
    const read = (options, open) =>
      network.run(async ({ Group }, { options, open }) => {
        const { asRegularStore } = await import("rectilinear-zarr/adapters");
        const store = asRegularStore(await Group.open("/near/run", open), options);
        for (let nth = 0; nth < 3; nth++) await store.get("/even/c/0/0");
      }, { options, open });
    await read({});
    assert.equal(chunks(), 1);
    await network.settle();
    await read({ cacheBytes: 0 });
    assert.equal(chunks(), 3);
  });

  test("an opened array keeps by its own option, so that a store's is refused", async () => {
    const error = await network.run(async ({ RectilinearArray, support }) => {
      const { asRegularStore } = await import("rectilinear-zarr/adapters");
      const array = await RectilinearArray.open("/near/run/even");
      return [await support.rejection(async () => asRegularStore(array, { cacheBytes: 0 })), await support.rejection(async () => asRegularStore(array, { geozarr: true }))];
    });
    assert.deepEqual(error.map(({ name }) => name), ["TypeError", "TypeError"]);
    assert.match(error[0].message, /cacheBytes/);
  });
});
