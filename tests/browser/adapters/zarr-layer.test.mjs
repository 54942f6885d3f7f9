/** zarr-layer on MapLibre, as npm has them, draws and looks up a rectilinear map through its option `store`. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchDrawing } from "../support/chromium.mjs";
import { borders, levelsOf, placeOf } from "../support/maps.mjs";
import { oracle } from "../support/paths.mjs";
import { openViewers } from "../support/viewers.mjs";

const [map] = await oracle("maps.json");
const [finest] = await levelsOf(map);
const TIME = 1;

/** The colours are the values of one time, from black to white. */
const range = [finest.at(TIME, 0, 0), finest.at(TIME, ...finest.shape.slice(1).map((length) => length - 1))];
const grey = (value) => Math.round((255 * (value - range[0])) / (range[1] - range[0]));

describe("zarr-layer", () => {
  let page;
  before(async () => (page = await openViewers(["zarrita", "maplibre"], {}, { browse: launchDrawing })));
  after(() => page?.close());

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

  test("a pyramid of tiles, as ndpyramid writes them, whose times are uneven, is drawn by tiles", async () => {
    const found = await page.run(async ({ Group }, { time, seen }) => {
      const [{ drawn }, { asRegularStore }] = await Promise.all([import("/viewers/maplibre.js"), import("rectilinear-zarr/adapters")]);
      const files = new Map();
      const put = (key, document) => files.set(key, new TextEncoder().encode(JSON.stringify(document)));
      const datasets = [0, 1].map((level) => ({ path: String(level), pixels_per_tile: 128, crs: "EPSG:3857" }));
      put("/zarr.json", { zarr_format: 3, node_type: "group", attributes: { multiscales: [{ datasets }] } });
      for (const level of [0, 1]) {
        const edge = 128 * 2 ** level;
        put(`/${level}/zarr.json`, { zarr_format: 3, node_type: "group", attributes: {} });
        const grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[2, 1], 128, 128] } };
        const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
        const kind = { zarr_format: 3, node_type: "array", chunk_key_encoding: { name: "default" }, chunk_grid: grid, codecs };
        put(`/${level}/t2m/zarr.json`, { ...kind, shape: [3, edge, edge], data_type: "float32", fill_value: 0, dimension_names: ["time", "y", "x"] });
        for (let row = 0; row < edge; row += 128) {
          for (let column = 0; column < edge; column += 128) {
            const value = (time, nth) => time * edge * edge + (row + ((nth >> 7) & 127)) * edge + column + (nth & 127);
            const chunk = (first, times) => Float32Array.from({ length: times << 14 }, (_, nth) => value(first + (nth >> 14), nth));
            const place = `${row / 128}/${column / 128}`;
            files.set(`/${level}/t2m/c/0/${place}`, new Uint8Array(chunk(0, 2).buffer));
            files.set(`/${level}/t2m/c/1/${place}`, new Uint8Array(chunk(2, 1).buffer));
          }
        }
      }
      const store = asRegularStore(await Group.open(files));
      const selector = { time: { selected: time, type: "index" } };
      const view = await drawn({ store, variable: "t2m", clim: [0, 3 * 256 * 256], selector, zarrVersion: 3 });
      if (view.error === null) await view.covered(seen);
      const answers = view.error === null ? await Promise.all(seen.map(view.query)) : [];
      view.remove();
      return { error: view.error, values: answers.map((answer) => answer.t2m[0]) };
    }, { time: 2, seen: [[-0.5, 0.5], [0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [100, 40]] });
    // The whole world is one tile of the first level, in Mercator's rows.
    const cells = [[63, 63], [63, 64], [64, 63], [64, 64], [48, 99]];
    assert.deepEqual(found, { error: null, values: cells.map(([row, column]) => (2 * 128 + row) * 128 + column) });
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
