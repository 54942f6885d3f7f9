/** zarr-layer on MapLibre, as npm has them, draws and looks up a rectilinear map through its option `store`. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchDrawing, openPage } from "./support/chromium.mjs";
import { borders, levelsOf, placeOf } from "./support/maps.mjs";
import { oracle } from "./support/paths.mjs";
import { builtViewers } from "./support/viewers.mjs";

const [map] = await oracle("maps.json");
const [finest] = await levelsOf(map);
const TIME = 1;

/** The colours are the values of one time, from black to white. */
const range = [finest.at(TIME, 0, 0), finest.at(TIME, ...finest.shape.slice(1).map((length) => length - 1))];
const grey = (value) => Math.round((255 * (value - range[0])) / (range[1] - range[0]));

describe("zarr-layer", () => {
  let viewers;
  let page;
  before(async () => {
    viewers = await builtViewers("zarrita", "maplibre");
    page = await openPage({ "/viewers": viewers.directory }, { browse: launchDrawing });
  });
  after(async () => {
    await page?.close();
    await viewers?.remove();
  });

  /** Draw the map of one time, of a regular store or else a store of the files, and look places up and at. */
  const look = (options) =>
    page.run(
      async ({ Group }, { path, range, time, isRegular, chunkShape, queried, seen }) => {
        const [{ drawn }, { FetchStore }, { asRegularStore }] = await Promise.all([
          import("/viewers/maplibre.js"),
          import("/viewers/zarrita.js"),
          import("rectilinear-zarr/adapters"),
        ]);
        const url = new URL(`/data/${path}`, location.href);
        const store = isRegular ? asRegularStore(await Group.open(url), { chunkShape }) : new FetchStore(url);
        const selector = { time: { selected: time, type: "index" } };
        const view = await drawn({ store, variable: "t2m", clim: range, selector, zarrVersion: 3 });
        if (view.error === null) await view.covered(seen);
        const answers = view.error === null ? await Promise.all(queried.map(view.query)) : [];
        const pixels = view.pixels(seen);
        view.remove();
        return { error: view.error, values: answers.map((answer) => answer.t2m[0]), pixels };
      },
      { path: map.path, range, time: TIME, ...options },
    );

  // On both sides of the array's own borders, and of those that it is shown with.
  const rows = [...borders(finest.writeChunkSizes[1]), 0, 31, 32, 59];
  const columns = [...borders(finest.writeChunkSizes[2]), 0, 47, 48, 119];
  const cells = rows.flatMap((row) => columns.map((column) => [row, column]));
  const queried = cells.map((cell) => placeOf(map, finest, cell));
  // Mercator's map ends at 85 degrees.
  const inside = cells.filter(([row]) => row > 2 && row < 57);
  const seen = inside.map((cell) => placeOf(map, finest, cell));

  test("without it nothing is drawn", async () => {
    const { error, pixels } = await look({ isRegular: false, queried, seen });
    assert.match(error, /Cannot read properties of undefined/);
    assert.deepEqual(pixels, seen.map(() => [255, 0, 0]));
  });

  for (const [about, chunkShape] of [["chunks of its choice", undefined], ["chunks across the array's own", [1, 32, 48]]]) {
    test(`with ${about} the map is drawn, and its values are exact`, async () => {
      const { error, values, pixels } = await look({ isRegular: true, chunkShape, queried, seen });
      assert.equal(error, null);
      assert.deepEqual(values, cells.map((cell) => finest.at(TIME, ...cell)));
      const levels = pixels.map(([red, green, blue]) => (red === green && green === blue ? red : null));
      const wrong = inside.filter((cell, nth) => levels[nth] === null || Math.abs(levels[nth] - grey(finest.at(TIME, ...cell))) > 1);
      assert.deepEqual(wrong, [], `drawn ${levels}`);
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
