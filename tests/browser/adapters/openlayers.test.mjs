/** OpenLayers' source of GeoZarr, as npm has it, draws a rectilinear map whose URL the Service Worker answers. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchDrawing } from "../support/chromium.mjs";
import { borders, levelsOf, placeOf } from "../support/maps.mjs";
import { oracle } from "../support/paths.mjs";
import { openViewers } from "../support/viewers.mjs";
import { registerWorker, servingWorker } from "../support/worker.mjs";

const [map] = await oracle("maps.json");
const [finest] = await levelsOf(map);

describe("OpenLayers", () => {
  let page;
  before(async () => (page = await openViewers(["openlayers"], { "/pkg": servingWorker }, { browse: launchDrawing })));
  after(() => page?.close());

  // On both sides of the array's own borders, and of those that it is shown with.
  const rows = [...borders(finest.writeChunkSizes[1]), 0, 31, 32, 59];
  const columns = [...borders(finest.writeChunkSizes[2]), 0, 47, 48, 119];
  const cells = rows.flatMap((row) => columns.map((column) => [row, column]));

  const look = (time) =>
    page.run(
      async (_, { path, places, shape, dimensions }) => {
        const { drawn } = await import("/viewers/openlayers.js");
        const view = await drawn({ url: `${location.origin}/data/${path}`, bands: ["t2m"], dimensions }, shape.slice(1));
        const values = view.values(places);
        view.remove();
        return { error: view.error, values };
      },
      { path: map.path, places: cells.map((cell) => placeOf(map, finest, cell)), shape: finest.shape, dimensions: { time } },
    );

  test("without it there is nothing to see", async () => {
    const { error, values } = await look(1);
    assert.match(error, /a tile came to the state 3/);
    assert.deepEqual(values, cells.map(() => null));
  });

  test("through the Service Worker its values are exact", async () => {
    await registerWorker(page, [["source", `/data/${map.path}`], ["chunkShape", "1,32,48"]]);
    for (const time of [0, 1, 2]) {
      const { error, values } = await look(time);
      assert.equal(error, null);
      assert.deepEqual(values, cells.map((cell) => finest.at(time, ...cell)));
    }
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
