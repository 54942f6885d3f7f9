/**
 * A map of pixels as a mesh: rectangles in which places follow from those of four corners, within a tolerance. Where no such
 * rectangle of some pixels is found, as beside a pole or the edge of a projection, pixels are placed one by one.
 */

/** Edge of the first rectangles, and of those that are not divided further, in pixels. */
export const LARGEST = 64;
const LEAST = 8;

/** Part of the tolerance that places which are tried may be off: between them, others are off by more. */
const TRIED = 0.7;

/** Most pixels to place one by one: their places are kept, of 16 bytes each. */
const MOST_POINTS = 2 ** 24;

/** The same place, as near to another as whole turns bring it. */
const beside = (place, other, turn) => (turn ? place - turn * Math.round((place - other) / turn) : place);

const isPlace = (place) => Number.isFinite(place[0]) && Number.isFinite(place[1]);

/** @typedef {(u: number, v: number) => readonly number[]} Place column and row of the level at a place of the result in pixels */

/** @typedef {{ u: number, v: number, width: number, height: number, corners?: number[][], places: Float64Array | number[] }} Leaf */

/** A mesh that is being made. */
class Mesh {
  /** @type {Leaf[]} */
  leaves = [];
  points = 0;

  /** @param {Place} place @param {number} tolerance in cells of the level @param {number} turn cells until columns repeat, or 0 @param {boolean} byCorners */
  constructor(place, tolerance, turn, byCorners) {
    this.place = place;
    this.tolerance = tolerance;
    this.turn = turn;
    this.byCorners = byCorners;
  }

  /** Whether the corners give all places within a rectangle, as far as five of them tell. */
  isEven([u, v, right, bottom], corners, [middle, centre]) {
    const limit = TRIED * this.tolerance;
    const probes = [[middle, v], [middle, bottom], [u, centre], [right, centre], [middle, centre]];
    return probes.every(([x, y]) => {
      const found = this.place(x, y);
      const [col, row] = between(corners, (x - u) / (right - u), (y - v) / (bottom - v));
      return isPlace(found) && Math.abs(beside(found[0], col, this.turn) - col) <= limit && Math.abs(found[1] - row) <= limit;
    });
  }

  /** Adds a rectangle, or the parts of it. */
  add(u, v, right, bottom) {
    const [width, height] = [right - u, bottom - v];
    if (!(this.tolerance > 0)) return this.#addPoints(u, v, width, height);
    const corners = [[u, v], [right, v], [u, bottom], [right, bottom]].map(([x, y]) => [...this.place(x, y)]);
    for (const corner of corners) corner[0] = beside(corner[0], corners[0][0], this.turn);
    const [middle, centre] = [u + width / 2, v + height / 2];
    if (corners.every(isPlace) && this.isEven([u, v, right, bottom], corners, [middle, centre])) return this.leaves.push({ u, v, width, height, corners, places: [] });
    if (width <= LEAST && height <= LEAST) return this.#addPoints(u, v, width, height);
    const across = width > LEAST ? [u, Math.floor(middle), right] : [u, right];
    const down = height > LEAST ? [v, Math.floor(centre), bottom] : [v, bottom];
    for (let row = 1; row < down.length; row++) {
      for (let col = 1; col < across.length; col++) this.add(across[col - 1], down[row - 1], across[col], down[row]);
    }
  }

  /** Adds pixels one by one: the places of their middles, or of their corners; nothing where none has a place. */
  #addPoints(u, v, width, height) {
    const [more, half] = this.byCorners ? [1, 0] : [0, 0.5];
    const places = new Float64Array((width + more) * (height + more) * 2);
    let isAnywhere = false;
    for (let row = 0, i = 0; row < height + more; row++) {
      for (let col = 0; col < width + more; col++, i += 2) {
        const found = this.place(u + col + half, v + row + half);
        [places[i], places[i + 1]] = found;
        isAnywhere ||= isPlace(found);
      }
    }
    if (!isAnywhere) return;
    this.points += width * height;
    if (this.points > MOST_POINTS) throw new RangeError(`more than ${MOST_POINTS} pixels have to be placed one by one: ask for fewer, or give the option tolerance a number above 0`);
    this.leaves.push({ u, v, width, height, places });
  }
}

/** Place in a rectangle by those of its corners. @param {number[][]} corners @param {number} s @param {number} t */
function between([a, b, c, d], s, t) {
  return [0, 1].map((axis) => (1 - t) * ((1 - s) * a[axis] + s * b[axis]) + t * ((1 - s) * c[axis] + s * d[axis]));
}

/**
 * The mesh of a result. A generator, which says after each part how many pixels it has placed, so that its caller may let the
 * page go on, and gives the leaves.
 *
 * @param {Place} place
 * @param {number} width @param {number} height in pixels
 * @param {{ tolerance: number, turn?: number, byCorners?: boolean }} options
 */
export function* meshed(place, width, height, { tolerance, turn = 0, byCorners = false }) {
  const mesh = new Mesh(place, tolerance, turn, byCorners);
  for (let v = 0; v < height; v += LARGEST) {
    for (let u = 0; u < width; u += LARGEST) {
      mesh.add(u, v, Math.min(u + LARGEST, width), Math.min(v + LARGEST, height));
      yield LARGEST * LARGEST;
    }
  }
  return mesh.leaves;
}

/**
 * Columns and rows of the level along a line of a rectangle's pixels: at their middles, or at their corners.
 *
 * @param {Leaf} leaf
 * @param {number} nth number of the line, from the rectangle's first
 * @param {boolean} byCorners
 * @param {Float64Array} cols @param {Float64Array} rows receive the places
 */
export function lineOf({ width, height, corners, places }, nth, byCorners, cols, rows) {
  const count = width + (byCorners ? 1 : 0);
  if (!corners) {
    for (let i = 0, at = 2 * nth * count; i < count; i++, at += 2) [cols[i], rows[i]] = [places[at], places[at + 1]];
    return;
  }
  const half = byCorners ? 0 : 0.5;
  const t = (nth + half) / height;
  const [left, right] = [between(corners, 0, t), between(corners, 1, t)];
  const [dx, dy] = [right[0] - left[0], right[1] - left[1]];
  for (let i = 0; i < count; i++) {
    const s = (i + half) / width;
    cols[i] = left[0] + s * dx;
    rows[i] = left[1] + s * dy;
  }
}

/** Places between which all of a rectangle lie: four of its middles or corners, or all that were placed one by one. @param {Leaf} leaf @param {boolean} byCorners */
export function outerPlaces({ width, height, corners, places }, byCorners) {
  if (!corners) return places;
  const [s, t] = byCorners ? [0, 0] : [0.5 / width, 0.5 / height];
  return [[s, t], [1 - s, t], [s, 1 - t], [1 - s, 1 - t]].flatMap(([x, y]) => between(corners, x, y));
}
