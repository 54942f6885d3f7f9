/** OME-Zarr through views: its axes in another order, and images of version 0.4 as Zarr v2. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, test } from "node:test";
import { get, open, root } from "zarrita";

import { Group, Levels, filesOf } from "../support/levels.mjs";
import { PACKAGE } from "../support/paths.mjs";

const { asRegularStore } = await import(pathToFileURL(join(PACKAGE, "adapters.js")).href);

/** Compares a view, whose axes are x, z, y and c, with an image of c, z, y and x. */
async function compareTurned(group, store) {
  const [direct, shown] = [await Levels.open(group), await Levels.open(await Group.open(store))];
  assert.deepEqual(direct.axes.map(({ name }) => name), ["c", "z", "y", "x"]);
  assert.deepEqual(shown.axes.map(({ name }) => name), ["x", "z", "y", "c"]);
  assert.ok(direct.length > 1);
  for (const [nth, { path, transform, scale, translation }] of direct.entries()) {
    const level = shown[nth];
    assert.deepEqual([level.path, level.transform], [path, transform]);
    const order = (values) => [3, 1, 2, 0].map((axis) => values[axis]);
    assert.deepEqual([level.scale, level.translation], [order(scale), order(translation)]);
    const [array, whole] = [await get(await open(root(store).resolve(path), { kind: "array" })), await (await direct.array(nth)).get()];
    const [c, z, y, x] = whole.shape;
    assert.deepEqual(array.shape, [x, z, y, c]);
    const at = ([i, j, k, l]) => whole.data[((l * z + j) * y + k) * x + i];
    const place = (n) => [Math.floor(n / (z * y * c)), Math.floor(n / (y * c)) % z, Math.floor(n / c) % y, n % c];
    assert.ok(array.data.every((value, n) => value === at(place(n))));
  }
}

/** The image as a member of a group. */
const inside = (files) => new Map([["/.zgroup", new TextEncoder().encode('{"zarr_format":2}')], ...[...files].map(([key, bytes]) => [`/a/b${key}`, bytes])]);

/** Consolidated metadata of Zarr v2 beside the documents. */
function consolidated(files) {
  const documents = [...files].filter(([key]) => /\.z\w+$/.test(key)).map(([key, bytes]) => [key.slice(1), JSON.parse(new TextDecoder().decode(bytes))]);
  const text = JSON.stringify({ zarr_consolidated_format: 1, metadata: Object.fromEntries(documents) });
  return new Map([...files, ["/.zmetadata", new TextEncoder().encode(text)]]);
}

const textOf = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

describe("OME-Zarr in a view", () => {
  test("axes and transformations of 0.5 are moved with the arrays", async () => {
    const group = await Group.open(await filesOf("ome-0.5.zarr"));
    await compareTurned(group, asRegularStore(group, { dimensions: ["x", "…", "c"] }));
  });

  test("those of 0.4 too, whose arrays do not name their dimensions", async () => {
    const files = await filesOf("ome-0.4.zarr");
    for (const source of [files, consolidated(files)]) {
      const group = await Group.open(source);
      await compareTurned(group, asRegularStore(group, { dimensions: ["x", "…", "c"] }));
    }
  });

  test("also in groups inside of the store, whose members are asked for alone", async () => {
    const files = inside(await filesOf("ome-0.4.zarr"));
    for (const source of [files, consolidated(files)]) {
      const store = asRegularStore(await Group.open(source), { dimensions: ["x", "…", "c"] });
      assert.deepEqual(textOf(await store.get("/a/b/s4/.zarray")).shape, [6, 3, 4, 2]);
      const { axes } = textOf(await store.get("/a/b/.zattrs")).multiscales[0];
      assert.deepEqual(axes.map(({ name }) => name), ["x", "z", "y", "c"]);
      const documents = textOf((await store.get("/.zmetadata")) ?? new TextEncoder().encode("{}")).metadata;
      assert.deepEqual(documents?.["a/b/s4/.zarray"].shape, source === files ? undefined : [6, 3, 4, 2]);
    }
  });

  test("arrays that no image lists, and axes of another number, stay as they are", async () => {
    const files = await filesOf("ome-0.4.zarr");
    const attrs = textOf(files.get("/.zattrs"));
    const [image] = attrs.multiscales;
    const show = async (change) => {
      const changed = new Map(files).set("/.zattrs", new TextEncoder().encode(JSON.stringify({ ...attrs, multiscales: [{ ...image, ...change }] })));
      const store = asRegularStore(await Group.open(changed), { dimensions: ["x", "…", "c"] });
      return textOf(await store.get("/s4/.zarray")).shape;
    };
    assert.deepEqual(await show({}), [6, 3, 4, 2]);
    assert.deepEqual(await show({ axes: ["c", "z", "y", "x"] }), [6, 3, 4, 2], "version 0.3 lists names alone");
    for (const change of [{ datasets: image.datasets.slice(0, 4) }, { axes: image.axes.slice(1) }, { axes: "czyx" }, { axes: undefined }, { datasets: [null] }]) {
      assert.deepEqual(await show(change), [2, 3, 4, 6]);
    }
  });

  test("images that write their paths otherwise are moved with their arrays, and arrays below a group that cannot be read are shown", async () => {
    const files = await filesOf("ome-0.4.zarr");
    const attrs = textOf(files.get("/.zattrs"));
    const [{ datasets: [{ path: finest }] }] = structuredClone(attrs.multiscales);
    for (const image of attrs.multiscales) image.datasets.forEach((one, nth) => (one.path = nth % 2 ? `${one.path}/` : `./${one.path}`));
    const group = await Group.open(new Map([...files, ["/.zattrs", new TextEncoder().encode(JSON.stringify(attrs))]]));
    const shown = textOf(await asRegularStore(group, { dimensions: ["x", "…", "c"] }).get(`/${finest}/.zarray`));
    const { shape: [c, z, y, x] } = await group.array(finest);
    assert.deepEqual(shown.shape, [x, z, y, c]);

    const within = inside(files);
    const refuses = {
      async get(key) {
        if (key.startsWith("/a/.z") || key === "/a/zarr.json") throw new Error("403");
        return within.get(key);
      },
    };
    const store = asRegularStore(await Group.open(refuses), { dimensions: ["nowhere"] });
    assert.ok(await store.get(`/a/b/${finest}/.zarray`));
  });

  test("0.4 is shown as Zarr v2, and with its attributes as they are where no order is asked for", async () => {
    const files = await filesOf("ome-0.4.zarr");
    const store = asRegularStore(await Group.open(files));
    assert.equal(await store.get("/zarr.json"), undefined);
    assert.deepEqual(textOf(await store.get("/.zattrs")), textOf(files.get("/.zattrs")));
    const image = await open.v2(root(store).resolve("s0"), { kind: "array" });
    const direct = await (await (await Group.open(files)).array("s0")).get();
    assert.deepEqual([...(await get(image)).data], [...direct.data]);
  });
});
