/** Custom codecs in every combination with built-in ones, beside what zarrita reads of the same arrays. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import * as installed from "../../../pkg/node.js";
import * as matrix from "../support/custom-matrix.mjs";
import { openViewers } from "../support/viewers.mjs";
import * as theirs from "../viewers/codecs.mjs";

for (const engine of ["Chromium", "Node"]) {
  describe(`combinations of custom codecs, in ${engine}`, () => {
    let page;
    let run = async (body, args) => JSON.parse(JSON.stringify((await body({ ...installed, matrix, theirs }, args)) ?? null));
    before(async () => {
      if (engine === "Node") return;
      page = await openViewers(["codecs"]);
      run = (body, args) => {
        const call = `async (zarr, args) => (${body})({ ...zarr, matrix: await import("/support/custom-matrix.mjs"), theirs: await import("/viewers/codecs.js") }, args)`;
        return page.run({ toString: () => call }, args);
      };
    });
    after(() => page?.close());

    for (const isSharded of [false, true]) {
      test(`all are read, ${isSharded ? "in shards" : "in chunks"}, and as zarrita reads them`, async () => {
        const found = await run(async ({ RectilinearArray, matrix, theirs }, isSharded) => {
          const codecs = new Map();
          matrix.register((name, load) => codecs.set(name, load));
          matrix.register((name, load) => theirs.registry.set(name, load));
          const wrong = [];
          let both = 0;
          for (const combination of matrix.COMBINATIONS) {
            const store = matrix.storeOf(combination, isSharded);
            const ours = await RectilinearArray.open(store, { codecs, cacheBytes: 0 }).then((array) => array.get()).then(({ data }) => data.join(), String);
            if (ours !== matrix.VALUES.join()) wrong.push([combination, ours]);
            if (!matrix.isTheirs(combination)) continue;
            both++;
            const array = await theirs.open.v3(theirs.root(store), { kind: "array" });
            const { data, stride, shape } = await theirs.get(array);
            const items = matrix.VALUES.map((_, nth) => data[shape.reduce((sum, edge, axis) => sum + (Math.floor(nth / shape.slice(axis + 1).reduce((a, b) => a * b, 1)) % edge) * stride[axis], 0)]);
            if (items.join() !== matrix.VALUES.join()) wrong.push([combination, `zarrita: ${items}`]);
          }
          return { wrong, count: matrix.COMBINATIONS.length, both };
        }, isSharded);
        assert.deepEqual(found, { wrong: [], count: 1000, both: 100 });
      });
    }

    test("each codec has one instance, which is told the array, of bytes as well", async () => {
      const found = await run(async ({ RectilinearArray, matrix }) => {
        const all = {};
        for (const combination of ["bs", "bsx", "nbxs", "Tbs", "TniSx", "nTfcsx"]) {
          for (const isSharded of [false, true]) {
            const [codecs, told] = [new Map(), []];
            matrix.register((name, load) => codecs.set(name, load), (...about) => told.push(about.join(" ")));
            const array = await RectilinearArray.open(matrix.storeOf(combination, isSharded), { codecs });
            await array.get();
            all[`${combination}${isSharded ? " in shards" : ""}`] = told;
          }
        }
        return all;
      });
      const [whole, turned] = ["int16 2,3,4", "int16 3,4,2"];
      const wanted = {
        bs: [`my.shuffle ${whole}`],
        bsx: [`my.shuffle ${whole}`, `my.flip ${whole}`],
        nbxs: [`my.negate ${whole}`, `my.flip ${whole}`, `my.shuffle ${whole}`],
        Tbs: [`my.shuffle ${turned}`],
        TniSx: [`my.negate ${turned}`, `my.items ${turned}`, `my.flip ${turned}`],
        nTfcsx: [`my.negate ${whole}`, `my.flat ${turned}`, `my.columns ${turned}`, `my.shuffle ${turned}`, `my.flip ${turned}`],
      };
      assert.deepEqual(found, Object.fromEntries(Object.entries(wanted).flatMap(([name, told]) => [[name, told], [`${name} in shards`, told]])));
    });
  });
}
