/** Cells of curvilinear grids: corners and areas of cells whose latitudes and longitudes have two axes. */

/** Most cells, each of which takes 64 bytes here and in the module. */
const MOST_CELLS = 2 ** 22;

const RADIANS = Math.PI / 180;

/** Error of a grid. This file loads later than the entry, which would export what it imports of it. */
const refusal = (message) => Object.assign(new Error(`zonal: ${message}`), { name: "SelectionError" });

/** Checks the number of cells that a selection has. */
export function checkCells(count) {
  if (count > MOST_CELLS) throw refusal(`the selection has ${count} cells with corners of their own, and 2^22 are the most; select a part of the grid, or read a coarser level`);
}

/** A longitude moved by whole turns to the side of another one. */
const beside = (longitude, other) => longitude - 360 * Math.round((longitude - other) / 360);

/**
 * Middles with one more row and column on each side, which go on as the last two do. In degrees, what goes on does so from
 * the side of the neighbour.
 */
function padded(values, rows, columns, isLongitude) {
  const wide = columns + 2;
  const all = new Float64Array((rows + 2) * wide);
  const on = (last, before) => 2 * last - (isLongitude ? beside(before, last) : before);
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * columns, (row + 1) * wide];
    for (let column = 0; column < columns; column++) all[to + column + 1] = values[from + column];
    all[to] = on(all[to + 1], all[to + 2]);
    all[to + columns + 1] = on(all[to + columns], all[to + columns - 1]);
  }
  for (let column = 0; column < wide; column++) {
    all[column] = on(all[wide + column], all[2 * wide + column]);
    all[(rows + 1) * wide + column] = on(all[rows * wide + column], all[(rows - 1) * wide + column]);
  }
  return all;
}

/** Offsets of the corners from a cell's place in the padded middles, around the cell. */
const AROUND = [[-1, -1], [-1, 0], [0, 0], [0, -1]];

/**
 * Corners of cells between their middles, as xarray infers them for maps: each is the mean of the four middles around it,
 * and the outermost go on as the grid does. Eight numbers a cell, x and y of each corner in order around it; NaN for cells
 * without a middle.
 *
 * @param {ArrayLike<number>} latitudes in C order
 * @param {ArrayLike<number>} longitudes in C order
 * @param {number} rows
 * @param {number} columns
 */
export function cornersBetween(latitudes, longitudes, rows, columns) {
  if (rows < 2 || columns < 2) throw refusal(`corners of ${rows} x ${columns} cells cannot be told from their middles; give the coordinates bounds, or select two or more along each axis`);
  checkCells(rows * columns);
  const [ys, xs] = [padded(latitudes, rows, columns, false), padded(longitudes, rows, columns, true)];
  const wide = columns + 2;
  const corners = new Float64Array(8 * rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [cell, own] = [8 * (row * columns + column), (row + 1) * wide + column + 1];
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
