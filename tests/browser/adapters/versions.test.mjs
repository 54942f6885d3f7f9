/** zarrita 0.5, 0.6 and 0.7, as npm has them, read through `asRegularStore` what they cannot read themselves. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { VIEWED, placesOf } from "../support/viewed.mjs";
import { openViewers } from "../support/viewers.mjs";

const SHAPE = [2, 60, 80];

for (const version of ["zarrita-0.5", "zarrita-0.6", "zarrita"]) {
  describe(version, () => {
    let page;
    before(async () => (page = await openViewers([version], { "/viewed": VIEWED })));
    after(() => page?.close());

    /** Values of the finest level of an image, through the adapter or from the files. */
    const read = (options) =>
      page.run(
        async ({ Group, support }, { version, name, isRegular }) => {
          const [zarr, { asRegularStore }] = await Promise.all([import(`/viewers/${version}.js`), import("rectilinear-zarr/adapters")]);
          const url = `${location.origin}/viewed/images.zarr`;
          let found;
          const error = await support.rejection(async () => {
            const store = isRegular ? asRegularStore(await Group.open(url)) : new zarr.FetchStore(url);
            const array = await zarr.open(zarr.root(store).resolve(`${name}/0`), { kind: "array" });
            const { data, shape } = await zarr.get(array);
            found = { dtype: array.dtype, shape, values: Array.from(data, Number) };
          });
          return found ?? error;
        },
        { version, ...options },
      );

    test("without it zarrita reads no rectilinear array", async () => {
      assert.equal((await read({ name: "uneven", isRegular: false })).name, "TypeError");
    });

    for (const [name, dtype] of [["uneven", "uint16"], ["shards", "uint16"], ["int64", "int64"], ["float16", "float16"]]) {
      test(`${name}: values are exact`, async () => {
        assert.deepEqual(await read({ name, isRegular: true }), { dtype, shape: SHAPE, values: placesOf(SHAPE) });
      });
    }

    test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
  });
}
