/**
 * Numbers of HEALPix cells. Nested ones are the face, then the bits of row and column in turn: exact integers up to
 * level 24, and the cells inside of a cell are a run of them.
 */
import { cellOfRing, ringOf } from "./rings.js";

const HALF = 2 ** 32;

/** Bits of a number below 2^16, each moved to the even place. */
function spread(bits) {
  let spaced = (bits | (bits << 8)) & 0x00ff00ff;
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f;
  spaced = (spaced | (spaced << 2)) & 0x33333333;
  return (spaced | (spaced << 1)) & 0x55555555;
}

/** Bits at the even places of an integer of 32 bits. */
function gather(spaced) {
  let bits = spaced & 0x55555555;
  bits = (bits | (bits >>> 1)) & 0x33333333;
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f;
  bits = (bits | (bits >>> 4)) & 0x00ff00ff;
  return (bits | (bits >>> 8)) & 0xffff;
}

const mixed = (column, row) => (spread(column) | (spread(row) << 1)) >>> 0;

/** Nested number of a cell in a grid of `n` by `n` cells a face. */
function nestedOf(face, column, row, n) {
  return face * n * n + mixed(column >>> 16, row >>> 16) * HALF + mixed(column & 0xffff, row & 0xffff);
}

/** Face, column and row of a nested number. */
export function cellOfNested(number, n, take) {
  const face = Math.floor(number / (n * n));
  const within = number - face * n * n;
  const low = within % HALF;
  const high = (within - low) / HALF;
  return take(face, gather(low) | (gather(high) << 16), gather(low >>> 1) | (gather(high >>> 1) << 16), n);
}

/** Deepest level whose nested numbers are exact as JavaScript's numbers; HEALPix has 29. */
export const DEEPEST = 24;

/** Most ids that are read, and most that a list holds. */
export const MOST_IDS = 2 ** 26;
export const MOST_LISTED = 2 ** 24;

/** Number of cells of a level. */
export const cellsOf = (level) => 12 * 4 ** level;

/** Lowest bit of an id of zuniq: the size of its cell, in cells of level 29. @param {bigint} id */
export const unitOf = (id) => id & -id;

/** Level of an id of zuniq; no integer where it is none. */
export const levelOf = (id) => 29 - (unitOf(id).toString(2).length - 1) / 2;

const shiftOf = (level) => BigInt(2 * (29 - level));

const encodeZuniq = (nested, level) => (2n * BigInt(nested) + 1n) << shiftOf(level);

/**
 * Conversions of ids of one level, by the scheme's name: `of` a cell in its face, as `cellAround` takes it, and from
 * and to nested numbers. `decode` gives a number that `encode` does not turn into the same id, where the level has no
 * such cell.
 */
export const SCHEMES = {
  nested: { of: nestedOf, encode: (nested) => nested, decode: (id) => id },
  ring: {
    of: ringOf,
    encode: (nested, level) => cellOfNested(nested, 2 ** level, ringOf),
    decode: (id, level) => cellOfRing(id, 2 ** level, nestedOf),
  },
  zuniq: {
    of: (face, column, row, n) => encodeZuniq(nestedOf(face, column, row, n), Math.log2(n)),
    encode: encodeZuniq,
    decode: (id, level) => Number(id >> (shiftOf(level) + 1n)),
  },
};

/** Nested number of an id; throws where the level has no such cell. */
export function decoded(scheme, id, level) {
  const isBig = scheme === "zuniq";
  if (isBig ? typeof id !== "bigint" : typeof id !== "bigint" && !Number.isInteger(id)) {
    throw new TypeError(`expected the id of a cell, ${isBig ? "a bigint" : "an integer"}, got ${String(id)}`);
  }
  const exact = isBig ? BigInt.asUintN(64, id) : Number(id);
  if (isBig || (exact >= 0 && exact < cellsOf(level))) {
    const nested = SCHEMES[scheme].decode(exact, level);
    if (!isBig || (nested < cellsOf(level) && encodeZuniq(nested, level) === exact)) return nested;
  }
  throw new RangeError(`level ${level} has no cell ${id} in the scheme ${scheme}, but ${cellsOf(level)} others`);
}

/** Checks a level that a caller names, up to `most`. */
export function checkedLevel(level, most = DEEPEST) {
  if (Number.isInteger(level) && level >= 0 && level <= most) return level;
  throw new RangeError(`expected a level from 0 to ${most}, got ${String(level)}`);
}
