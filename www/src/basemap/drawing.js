// Draws the pixels of a picture from the tiles of a base map.
import { BLOCK } from "./places.js";
import { tileAt } from "./tiles.js";

/** What a function finds of a tile's number, which is looked up once; that of the last one is mostly asked for again. */
function remembering(find) {
  const known = new Map();
  let last;
  let found;
  return (number) => {
    if (number === last) return found;
    if (!known.has(number)) known.set(number, find(number));
    found = known.get(number);
    last = number;
    return found;
  };
}

/** Writes the colour at a place of an image of pixels, between the four around it. */
function blend(data, to, { data: from, width, height }, x, y) {
  const left = Math.min(width - 1, Math.max(0, Math.floor(x - 0.5)));
  const top = Math.min(height - 1, Math.max(0, Math.floor(y - 0.5)));
  const across = Math.max(0, x - 0.5 - left);
  const down = Math.max(0, y - 0.5 - top);
  const right = left + 1 < width ? 4 : 0;
  const below = top + 1 < height ? 4 * width : 0;
  for (let k = 0, at = (top * width + left) * 4; k < 4; k++, at++) {
    const high = from[at] + (from[at + right] - from[at]) * across;
    const low = from[at + below] + (from[at + below + right] - from[at + below]) * across;
    data[to + k] = high + (low - high) * down;
  }
}

/** A picture of `[height, width]` from the tiles of a zoom that are here: a generator, so that it may be made in turns, which returns an image. */
export function* drawingOf(blocks, z, tiles, [height, width]) {
  const image = new ImageData(width, height);
  const times = 2 ** z;
  const tileOf = remembering((number) => tiles.find(z, number));

  /** Writes a pixel's colour by its place in the world. */
  function dot(to, x, y) {
    const column = Math.floor(x * times);
    const row = Math.floor(y * times);
    if (!(row >= 0 && row < times)) return; // NaN beside the Earth too
    const found = tileOf(tileAt(z, column, row));
    if (found) blend(image.data, to, found.pixels, (found.left + (x * times - column) * found.part) * found.pixels.width, (found.top + (y * times - row) * found.part) * found.pixels.height);
  }

  for (let nth = 0; nth < blocks.length; nth++) {
    const { top, left, xs, ys, isExact } = blocks[nth];
    const rows = Math.min(BLOCK, height - top);
    const columns = Math.min(BLOCK, width - left);
    for (let row = 0; row < rows; row++) {
      const down = (row + 0.5) / BLOCK;
      const [west, east, north, south] = [xs[0] + (xs[2] - xs[0]) * down, xs[1] + (xs[3] - xs[1]) * down, ys[0] + (ys[2] - ys[0]) * down, ys[1] + (ys[3] - ys[1]) * down];
      for (let column = 0; column < columns; column++) {
        const to = ((top + row) * width + left + column) * 4;
        const across = (column + 0.5) / BLOCK;
        if (isExact) dot(to, xs[row * BLOCK + column], ys[row * BLOCK + column]);
        else dot(to, west + (east - west) * across, north + (south - north) * across);
      }
    }
    if (nth % 64 === 63) yield;
  }
  return image;
}
