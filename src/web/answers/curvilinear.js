/** Cells of curvilinear grids: corners and areas of cells whose latitudes and longitudes have two axes. */

/** Most cells, each of which takes 64 bytes here and in the module. */
const MOST_CELLS = 2 ** 22;

const RADIANS = Math.PI / 180;

/** Times that a grid goes on around its gaps: beside them, in their corners, and where these are told by one another. */
const GOING_ON = 4;

/** Error of a grid. This file loads later than the entry, which would export what it imports of it. */
const refusal = (message) => Object.assign(new Error(`zonal: ${message}`), { name: "SelectionError" });

/** Checks the number of cells that a selection has. */
export function checkCells(count) {
  if (count > MOST_CELLS) throw refusal(`the selection has ${count} cells with corners of their own, and 2^22 are the most; select a part of the grid, or read a coarser level`);
}

/** A longitude moved by whole turns to the side of another one. */
const beside = (longitude, other) => longitude - 360 * Math.round((longitude - other) / 360);

/** Latitudes and longitudes of middles, with one more row and column on each side; NaN where there is none. */
class Middles {
  constructor(latitudes, longitudes, rows, columns) {
    this.rows = rows + 2;
    this.wide = columns + 2;
    const size = this.rows * this.wide;
    this.ys = new Float64Array(size).fill(NaN);
    this.xs = new Float64Array(size).fill(NaN);
    this.isKnown = new Uint8Array(size);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const [from, to] = [row * columns + column, (row + 1) * this.wide + column + 1];
        if (!Number.isFinite(latitudes[from]) || !Number.isFinite(longitudes[from])) continue;
        [this.ys[to], this.xs[to], this.isKnown[to]] = [latitudes[from], longitudes[from], 1];
      }
    }
  }

  /** Whether the places one and two steps on are known, and within the grid. */
  #goesOn(row, column, down, right) {
    const [lastRow, lastColumn] = [row + 2 * down, column + 2 * right];
    if (lastRow < 0 || lastColumn < 0 || lastRow >= this.rows || lastColumn >= this.wide) return false;
    const step = down * this.wide + right;
    const at = row * this.wide + column;
    return this.isKnown[at + step] === 1 && this.isKnown[at + 2 * step] === 1;
  }

  /** Whether a place is beside a cell, or at its corner. */
  #isNear(row, column, isCell) {
    for (let down = Math.max(row - 1, 0); down <= Math.min(row + 1, this.rows - 1); down++) {
      for (let right = Math.max(column - 1, 0); right <= Math.min(column + 1, this.wide - 1); right++) {
        if (isCell[down * this.wide + right]) return true;
      }
    }
    return false;
  }

  /**
   * Fills places around cells that have no middle as the grid goes on: by the mean of what two middles in a line make of
   * it, of each of the four directions that has them. What is filled counts as known from the next call on. Gives whether
   * any was filled.
   */
  goOn(isCell) {
    const filled = [];
    for (let row = 0; row < this.rows; row++) {
      for (let column = 0; column < this.wide; column++) {
        const at = row * this.wide + column;
        if (this.isKnown[at] || !this.#isNear(row, column, isCell)) continue;
        let [count, x, y, near] = [0, 0, 0, 0];
        for (const [down, right] of [[0, 1], [0, -1], [1, 0], [-1, 0]]) {
          if (!this.#goesOn(row, column, down, right)) continue;
          const step = down * this.wide + right;
          const [last, before] = [this.xs[at + step], this.xs[at + 2 * step]];
          const own = 2 * last - beside(before, last);
          // All estimates on the side of the first one.
          if (count === 0) near = own;
          x += beside(own, near);
          y += 2 * this.ys[at + step] - this.ys[at + 2 * step];
          count++;
        }
        if (count > 0) filled.push([at, x / count, y / count]);
      }
    }
    for (const [at, x, y] of filled) [this.xs[at], this.ys[at], this.isKnown[at]] = [x, y, 1];
    return filled.length > 0;
  }
}

/** Offsets of the corners from a cell's place in the padded middles, around the cell. */
const AROUND = [[-1, -1], [-1, 0], [0, 0], [0, -1]];

/**
 * Corners of cells between their middles, as xarray infers them for maps: each is the mean of the four middles around it.
 * The grid goes on beyond its outermost middles, and where middles are missing. Eight numbers a cell, x and y of each corner
 * in order around it; NaN for cells without a middle, and for those whose neighbours do not tell how the grid goes on.
 *
 * @param {ArrayLike<number>} latitudes in C order
 * @param {ArrayLike<number>} longitudes in C order
 * @param {number} rows
 * @param {number} columns
 */
export function cornersBetween(latitudes, longitudes, rows, columns) {
  if (rows < 2 || columns < 2) throw refusal(`corners of ${rows} x ${columns} cells cannot be told from their middles; give the coordinates bounds, or select two or more along each axis`);
  checkCells(rows * columns);
  const middles = new Middles(latitudes, longitudes, rows, columns);
  const { xs, ys, wide, isKnown } = middles;
  const isCell = isKnown.slice();
  for (let time = 0; time < GOING_ON && middles.goOn(isCell); time++);
  const corners = new Float64Array(8 * rows * columns).fill(NaN);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [cell, own] = [8 * (row * columns + column), (row + 1) * wide + column + 1];
      if (!isCell[own]) continue;
      const middle = xs[own];
      AROUND.forEach(([down, right], corner) => {
        const at = own + down * wide + right;
        let [x, y] = [0, 0];
        for (const other of [at, at + 1, at + wide, at + wide + 1]) {
          x += beside(xs[other], middle) / 4;
          y += ys[other] / 4;
        }
        corners[cell + 2 * corner] = x;
        corners[cell + 2 * corner + 1] = Math.min(Math.max(y, -90), 90);
      });
    }
  }
  return corners;
}

/**
 * Corners from CF bounds: four latitudes and four longitudes of each cell, in order around it.
 *
 * @param {ArrayLike<number>} latitudes
 * @param {ArrayLike<number>} longitudes
 */
export function cornersOf(latitudes, longitudes) {
  checkCells(latitudes.length / 4);
  const corners = new Float64Array(2 * latitudes.length);
  for (let at = 0; at < latitudes.length; at++) {
    corners[2 * at] = longitudes[at];
    corners[2 * at + 1] = Math.min(Math.max(latitudes[at], -90), 90);
  }
  return corners;
}

/** Area on the unit sphere below the edge from one corner to the next, whose latitude changes evenly with its longitude. */
function below(x, y, nextX, nextY) {
  const [wide, low, high] = [(beside(nextX, x) - x) * RADIANS, y * RADIANS, nextY * RADIANS];
  const mean = Math.abs(high - low) < 1e-9 ? Math.sin((low + high) / 2) : (Math.cos(low) - Math.cos(high)) / (high - low);
  return wide * mean;
}

/** Areas on the unit sphere of cells by their corners; 0 for those without. */
export function areasOf(corners) {
  return Float64Array.from({ length: corners.length / 8 }, (_, cell) => {
    let area = 0;
    for (let corner = 0; corner < 4; corner++) {
      const [at, next] = [8 * cell + 2 * corner, 8 * cell + 2 * ((corner + 1) % 4)];
      area += below(corners[at], corners[at + 1], corners[next], corners[next + 1]);
    }
    return Number.isFinite(area) ? Math.abs(area) : 0;
  });
}
