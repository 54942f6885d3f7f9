/** Images and tables for viewers (tests/neighbours/viewer_sets.py), whose items are their places. */

import { join } from "node:path";

import { NEIGHBOURS } from "./paths.mjs";

/** Folder of the images and tables. */
export const VIEWED = join(NEIGHBOURS, "viewers");

/** Item of an image at a channel, row and column. */
export const placeAt = (channel, row, column) => channel * 1000 + row * 8 + column;

/** All items of a level of an image in C order. */
export function placesOf([channels, rows, columns]) {
  const size = rows * columns;
  return Array.from({ length: channels * size }, (_, nth) => placeAt(Math.floor(nth / size), Math.floor((nth % size) / columns), nth % columns));
}
