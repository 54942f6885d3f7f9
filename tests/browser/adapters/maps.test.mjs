/** zarr-layer, OpenLayers and deck.gl, as npm has them, draw maps that are sharded, of int64 and of float16. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchDrawing } from "../support/chromium.mjs";
import { placeOf } from "../support/maps.mjs";
import { VIEWED } from "../support/viewed.mjs";
import { openViewers } from "../support/viewers.mjs";
import { servingWorker } from "../support/worker.mjs";

const [ROWS, COLUMNS] = [30, 60];
const LAST = ROWS * COLUMNS;

/** Maps of the world, and the types that they are shown as. */
const MAPS = [{ name: "shards" }, { name: "int64", as: "float32" }, { name: "float16", as: "float32" }];

// On both sides of the borders of chunks, as they are stored and as they are shown.
const cells = [0, 7, 8, 12, 13, 29].flatMap((row) => [0, 24, 25, 31, 32, 59].map((column) => [row, column]));
const itemAt = ([row, column]) => row * COLUMNS + column + 1;
const placeIn = (cell) => placeOf({ bounds: [-180, -90, 180, 90] }, { shape: [1, ROWS, COLUMNS] }, cell);
const expected = cells.map(itemAt);
const titleOf = ({ name, as }) => `${name}${as ? ` as ${as}` : ""}`;

describe("maps", () => {
  let page;
  before(async () => (page = await openViewers(["zarrita", "maplibre", "openlayers", "deck"], { "/viewed": VIEWED, "/pkg": servingWorker }, { browse: launchDrawing })));
  after(() => page?.close());

  describe("zarr-layer", () => {
    // Mercator's map ends at 85 degrees.
    const inside = cells.filter(([row]) => row > 0 && row < ROWS - 1);
    const look = (options) =>
      page.run(
        async ({ Group }, { name, as, queried, seen, clim }) => {
          const [{ drawn }, { asRegularStore }] = await Promise.all([import("/viewers/maplibre.js"), import("rectilinear-zarr/adapters")]);
          const path = `0/${name}`;
          const store = asRegularStore(await Group.open("/viewed/world.zarr"), { as: as && { [path]: as }, chunkShape: { [path]: [16, 32] } });
          const view = await drawn({ store, variable: name, clim, zarrVersion: 3 });
          if (view.error === null) await view.covered(seen);
          const answers = view.error === null ? await Promise.all(queried.map(view.query)) : [];
          const pixels = view.pixels(seen);
          view.remove();
          return { error: view.error, values: answers.map((answer) => answer[name][0]), pixels };
        },
        { ...options, queried: cells.map(placeIn), seen: inside.map(placeIn), clim: [1, LAST] },
      );

    for (const map of MAPS) {
      test(titleOf(map), async () => {
        const { error, values, pixels } = await look(map);
        assert.equal(error, null);
        assert.deepEqual(values, expected);
        const wrong = inside.filter((cell, nth) => pixels[nth].some((part) => Math.abs(part - (255 * (itemAt(cell) - 1)) / (LAST - 1)) > 1));
        assert.deepEqual(wrong, [], `drawn ${pixels.map(([grey]) => grey)}`);
      });
    }
  });

  describe("deck.gl", () => {
    for (const map of MAPS) {
      test(titleOf(map), async () => {
        const found = await page.run(
          async ({ RectilinearArray }, { name, as, cells, shape }) => {
            const [zarr, { drawn }, { toZarrita }] = await Promise.all([
              import("/viewers/zarrita.js"),
              import("/viewers/deck.js"),
              import("rectilinear-zarr/adapters"),
            ]);
            async function* parts() {
              const array = await toZarrita(zarr, await RectilinearArray.open(`/viewed/world.zarr/0/${name}`), { as });
              const [height, width] = array.chunks;
              for (let top = 0; top < shape[0]; top += height) {
                for (let left = 0; left < shape[1]; left += width) {
                  const stop = [Math.min(top + height, shape[0]), Math.min(left + width, shape[1])];
                  const { data } = await zarr.get(array, [zarr.slice(top, stop[0]), zarr.slice(left, stop[1])]);
                  yield { data, start: [top, left], stop };
                }
              }
            }
            const view = await drawn(parts(), shape);
            const values = view.values(cells);
            view.close();
            return { error: view.error, values };
          },
          { ...map, cells, shape: [ROWS, COLUMNS] },
        );
        assert.deepEqual(found, { error: null, values: expected });
      });
    }
  });

  describe("OpenLayers", () => {
    const look = (name) =>
      page.run(
        async (_, { name, places, shape }) => {
          const { drawn } = await import("/viewers/openlayers.js");
          const view = await drawn({ url: `${location.origin}/viewed/world.zarr`, bands: [name] }, shape);
          const values = view.values(places);
          view.remove();
          return { error: view.error, values };
        },
        { name, places: cells.map(placeIn), shape: [ROWS, COLUMNS] },
      );

    test("without it the uneven map of int64 is not drawn", async () => {
      const { error, values } = await look("int64");
      assert.match(error, /a tile came to the state 3/);
      assert.deepEqual(values, cells.map(() => null));
    });

    for (const map of MAPS) {
      test(titleOf(map), async () => {
        await page.run(
          async (_, { types }) => {
            const { registerViews } = await import("rectilinear-zarr/adapters");
            await registerViews("/pkg/service-worker.js", [{ source: "/viewed/world.zarr", as: types }], { type: "module", scope: "/" });
          },
          { types: { "0/int64": "float32", "0/float16": "float32" } },
        );
        assert.deepEqual(await look(map.name), { error: null, values: expected });
      });
    }
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
