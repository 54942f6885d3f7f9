/** Maps of the oracle: their values and their places on the earth. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { strides } from "./boxes.mjs";
import { FIXTURES } from "./paths.mjs";

/** Levels of a map, each with `at(...index)`, the value that zarr-python reads at an index. */
export function levelsOf({ levels }) {
  return Promise.all(
    levels.map(async (level) => {
      const bytes = await readFile(join(FIXTURES, level.expected));
      const step = strides(level.shape);
      const at = (...index) => bytes.readFloatLE(4 * index.reduce((sum, place, axis) => sum + place * step[axis], 0));
      return { ...level, at };
    }),
  );
}

/** Indices on both sides of the borders between chunks of these sizes. */
export function borders(sizes) {
  let stop = 0;
  return sizes.slice(0, -1).flatMap((size) => [(stop += size) - 1, stop]);
}

/** Longitude and latitude of the middle of a cell, given by its row and column. */
export function placeOf({ bounds: [west, south, east, north] }, { shape: [, rows, columns] }, [row, column]) {
  return [west + ((column + 0.5) * (east - west)) / columns, north - ((row + 0.5) * (north - south)) / rows];
}
