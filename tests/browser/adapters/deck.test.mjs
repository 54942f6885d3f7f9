/** deck.gl, as npm has it, draws a rectilinear map from what `stream()` gives, and from zarrita's chunks through the adapters. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchDrawing } from "../support/chromium.mjs";
import { borders, levelsOf } from "../support/maps.mjs";
import { oracle } from "../support/paths.mjs";
import { openViewers } from "../support/viewers.mjs";

const [map] = await oracle("maps.json");
const [finest] = await levelsOf(map);
const TIME = 2;

describe("deck.gl", () => {
  let page;
  before(async () => {
    page = await openViewers(["zarrita", "deck"], {}, { browse: launchDrawing });
    await page.run(async ({ RectilinearArray }) => {
      const [zarr, { drawn }, adapters] = await Promise.all([
        import("/viewers/zarrita.js"),
        import("/viewers/deck.js"),
        import("rectilinear-zarr/adapters"),
      ]);
      // A plane of an array of zarrita's, chunk by chunk.
      async function* chunksOf(opening, time) {
        const array = await opening;
        const [, rows, columns] = array.shape;
        const [, height, width] = array.chunks;
        for (let top = 0; top < rows; top += height) {
          for (let left = 0; left < columns; left += width) {
            const stop = [Math.min(top + height, rows), Math.min(left + width, columns)];
            const { data } = await zarr.get(array, [time, zarr.slice(top, stop[0]), zarr.slice(left, stop[1])]);
            yield { data, start: [top, left], stop };
          }
        }
      }
      const open = (path) => RectilinearArray.open(new URL(path, location.href));
      const sources = {
        zarrita: (path, time) => chunksOf(zarr.open(new zarr.FetchStore(new URL(path, location.href)), { kind: "array" }), time),
        async *stream(path, time) {
          yield* (await open(path)).stream([time]);
        },
        toZarrita: (path, time) => chunksOf(open(path).then((array) => adapters.toZarrita(zarr, array, { chunkShape: [1, 32, 48] })), time),
      };
      globalThis.look = async ({ source, path, time, cells, shape }) => {
        const view = await drawn(sources[source](path, time), shape);
        const values = view.values(cells);
        view.close();
        return { error: view.error, parts: view.parts, values };
      };
    });
  });
  after(() => page?.close());

  const rows = [...borders(finest.writeChunkSizes[1]), 0, 31, 32, 59];
  const columns = [...borders(finest.writeChunkSizes[2]), 0, 47, 48, 119];
  const cells = rows.flatMap((row) => columns.map((column) => [row, column]));
  const expected = cells.map((cell) => finest.at(TIME, ...cell));
  const look = (source) =>
    page.run((_, asked) => globalThis.look(asked), {
      source,
      path: `/data/${map.path}/${finest.path}/${map.array}`,
      time: TIME,
      cells,
      shape: finest.shape.slice(1),
    });

  test("zarrita alone gives nothing to draw", async () => {
    const { error, parts, values } = await look("zarrita");
    assert.match(error, /TypeError/);
    assert.equal(parts, 0);
    assert.deepEqual(values, cells.map(() => null));
  });

  test("stream() gives a bitmap for each chunk, and what is drawn is exact", async () => {
    const { error, parts, values } = await look("stream");
    assert.equal(error, null);
    assert.equal(parts, 9);
    assert.deepEqual(values, expected);
  });

  test("zarrita's chunks are exact through toZarrita", async () => {
    const { error, parts, values } = await look("toZarrita");
    assert.equal(error, null);
    assert.equal(parts, 6);
    assert.deepEqual(values, expected);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
