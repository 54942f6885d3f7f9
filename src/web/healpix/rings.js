/** Numbers of HEALPix cells along the rings, which run from north to south and each eastwards. */
import { COLUMNS, ROWS } from "./faces.js";

/** Number of a cell along the rings. */
export function ringOf(face, column, row, n) {
  const ring = ROWS[face] * n - column - row - 1;
  const isNorth = ring < n;
  const isCap = isNorth || ring > 3 * n;
  const length = isNorth ? ring : isCap ? 4 * n - ring : n;
  const shift = isCap ? 0 : (ring - n) & 1;
  const before = isNorth ? 2 * ring * (ring - 1) : isCap ? 12 * n * n - 2 * length * (length + 1) : 2 * n * (n - 1) + (ring - n) * 4 * n;
  const place = (COLUMNS[face] * length + column - row + 1 + shift) / 2;
  return before + (place < 1 ? place + 4 * n : place > 4 * n ? place - 4 * n : place) - 1;
}

/** Whole part of the square root of an integer. */
function root(value) {
  const found = Math.floor(Math.sqrt(value));
  if (found * found > value) return found - 1;
  return (found + 1) * (found + 1) <= value ? found + 1 : found;
}

/** Ring of a cell by its number: its face, the ring's number and length, and the cell's place and shift in it. */
function alongRing(number, n) {
  const [inCap, all] = [2 * n * (n - 1), 12 * n * n];
  if (number < inCap) {
    const ring = (1 + root(1 + 2 * number)) >> 1;
    const place = number + 1 - 2 * ring * (ring - 1);
    return { ring, length: ring, place, shift: 0, face: Math.floor((place - 1) / ring) };
  }
  if (number < all - inCap) {
    const rings = Math.floor((number - inCap) / (4 * n));
    const place = number - inCap - rings * 4 * n + 1;
    const up = Math.floor((place - ((rings + 1) >> 1) + n - 1) / n);
    const down = Math.floor((place - ((2 * n + 1 - rings) >> 1) + n - 1) / n);
    const face = up === down ? (up & 3) + 4 : down < up ? down : up + 8;
    return { ring: rings + n, length: n, place, shift: rings & 1, face };
  }
  const after = all - number;
  const length = (1 + root(2 * after - 1)) >> 1;
  const place = 4 * length + 1 - (after - 2 * length * (length - 1));
  return { ring: 4 * n - length, length, place, shift: 0, face: 8 + Math.floor((place - 1) / length) };
}

/** Face, column and row of a cell by its number along the rings. */
export function cellOfRing(number, n, take) {
  const { ring, length, place, shift, face } = alongRing(number, n);
  const down = ring - ROWS[face] * n + 1;
  const east = 2 * place - COLUMNS[face] * length - shift - 1;
  const across = east >= 2 * n ? east - 8 * n : east;
  return take(face, (across - down) >> 1, (-across - down) >> 1, n);
}
