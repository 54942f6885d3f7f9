/** neuroglancer, as npm has it, draws images of OME-Zarr whose URLs the Service Worker answers. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchDrawing, openPage } from "../support/chromium.mjs";
import { builtNeuroglancer } from "../support/neuroglancer.mjs";
import { VIEWED, placeAt } from "../support/viewed.mjs";
import { servingWorker } from "../support/worker.mjs";

const [ROWS, COLUMNS] = [60, 80];
const RANGE = [placeAt(1, 0, 0), placeAt(1, ROWS - 1, COLUMNS - 1)];

/** Images, and the types that neuroglancer draws. */
const IMAGES = [{ name: "uneven" }, { name: "shards" }, { name: "int64", as: "uint32" }, { name: "float16", as: "float32" }];

describe("neuroglancer", () => {
  let page, program;
  before(async () => {
    program = await builtNeuroglancer();
    page = await openPage({ "/neuroglancer": program.directory, "/viewed": VIEWED, "/pkg": servingWorker }, { browse: launchDrawing });
  });
  after(async () => {
    await page?.close();
    await program?.remove();
  });

  // On both sides of the array's own borders, and of those that it is shown with.
  const places = [0, 24, 25, 31, 32, 59].flatMap((row) => [0, 31, 32, 49, 50, 79].map((column) => [row, column]));

  const look = (name) =>
    page.run(
      async (_, { name, places, ...options }) => {
        const { drawn } = await import("/neuroglancer/lib/neuroglancer.js");
        const view = await drawn(`zarr3://${location.origin}/viewed/images.zarr/${name}/`, options);
        const found = { error: view.error, values: view.values(places).map((value) => value && Number(value)), pixels: view.pixels(places) };
        view.close();
        return found;
      },
      { name, places, shape: [ROWS, COLUMNS], range: RANGE },
    );

  for (const [name, message] of [["uneven", /Expected "regular", but received: "rectilinear"/], ["float16", /data_type|float16/]]) {
    test(`without it the image ${name} is not drawn`, async () => {
      const { error, values } = await look(name);
      assert.match(error, message);
      assert.deepEqual(values, places.map(() => null));
    });
  }

  for (const { name, as } of IMAGES) {
    test(`${name}${as ? ` as ${as}` : ""}: it is drawn, and its values are exact`, async () => {
      await page.run(
        async (_, { images }) => {
          const { registerViews } = await import("rectilinear-zarr/adapters");
          const sources = images.map(({ name, as }) => ({ source: `/viewed/images.zarr/${name}`, as, chunkShape: [1, 32, 32] }));
          await registerViews("/pkg/service-worker.js", sources, { type: "module", scope: "/" });
        },
        { images: IMAGES },
      );
      const { error, values, pixels } = await look(name);
      assert.equal(error, null);
      assert.deepEqual(values, places.map(([row, column]) => placeAt(1, row, column)));
      const wrong = places.filter(([row, column], nth) => {
        const level = (255 * (placeAt(1, row, column) - RANGE[0])) / (RANGE[1] - RANGE[0]);
        return pixels[nth].some((part) => Math.abs(part - level) > 1);
      });
      assert.deepEqual(wrong, [], `drawn ${pixels.map(([grey]) => grey)}`);
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
