// Says where the pixels of a picture lie in a Web Mercator map: at the corners of blocks of pixels, and between these by straight lines.
import { cellAt } from "../view/figure/place.js";

export const BLOCK = 8; // pixels
const MOST_APART = 0.05; // of the world's width, that the corners of a block may be apart where its pixels lie evenly
const NORTH = 85.0511287798066; // degrees, where the square of the map ends

/** Parts of the world's square, from its west and its north; undefined beyond it. */
export function mercatorOf([lon, lat]) {
  if (!(Math.abs(lat) <= NORTH)) return undefined;
  return [(lon + 180) / 360, 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)];
}

/** The place of a part of a picture, in a projection or on a grid. */
const placeAt = (place, earth, part) => (place.warp ? place.warp.map.inverse(part) : earth.toDegrees(cellAt(place, part)));

/** Whether the pixels of a block may be found between its corners. */
const isEven = (xs, ys) => [xs, ys].every((list) => Math.max(...list) - Math.min(...list) < MOST_APART); // false where one is NaN

/**
 * The places of the pixels of a picture of `[height, width]`: a generator, so that it may be made in turns. Returns the
 * `blocks` that show some of the map: `{ top, left, xs, ys }` by the corners, of which x may pass 0 or 1, or by each pixel where `isExact`.
 */
export function* placesOf(place, earth, [height, width]) {
  const [rows, columns] = [height, width].map((n) => Math.ceil(n / BLOCK));
  const at = (row, column) => {
    const found = placeAt(place, earth, [column / width, row / height]);
    return (found && mercatorOf(found)) ?? [NaN, NaN];
  };
  const rowOf = (row) => Array.from({ length: columns + 1 }, (_, column) => at(row * BLOCK, column * BLOCK));
  const blocks = [];
  let above = rowOf(0);
  for (let row = 0; row < rows; row++) {
    const below = rowOf(row + 1);
    for (let column = 0; column < columns; column++) {
      const corners = [above[column], above[column + 1], below[column], below[column + 1]];
      const known = corners.filter(([x]) => !Number.isNaN(x));
      if (!known.length) continue;
      const xs = corners.map(([x]) => x + Math.round(known[0][0] - x)); // on the near side of the map's seam
      const ys = corners.map(([, y]) => y);
      const block = { top: row * BLOCK, left: column * BLOCK, xs, ys };
      blocks.push(isEven(xs, ys) ? block : exactly(block, at));
    }
    above = below;
    yield;
  }
  return blocks;
}

/** A block with the place of each of its pixels: at the edge of the Earth, around a pole, and where a grid is torn. */
function exactly({ top, left }, at) {
  const found = Array.from({ length: BLOCK * BLOCK }, (_, n) => at(top + Math.floor(n / BLOCK) + 0.5, left + (n % BLOCK) + 0.5));
  return { top, left, isExact: true, xs: Float64Array.from(found, ([x]) => x), ys: Float64Array.from(found, ([, y]) => y) };
}

/** How wide a pixel is as a part of the world: of half of a picture's blocks it is less. */
export function pitchOf(blocks) {
  const pitches = blocks.filter(({ isExact }) => !isExact).map(({ xs, ys }) => Math.sqrt(Math.abs((xs[1] - xs[0]) * (ys[2] - ys[0]) - (xs[2] - xs[0]) * (ys[1] - ys[0]))) / BLOCK);
  return pitches.sort((a, b) => a - b)[pitches.length >> 1];
}
