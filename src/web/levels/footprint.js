/** The footprint of a pixel on a level: cells with their weights, line by line, by the places of the pixel's corners. */
import { addBox, addPoint, cellOn, pointOn, settled, Taps } from "./axis.js";

/** Turns and shears, in cells, up to which a footprint is the box between two opposite corners, as in GDAL. */
const SHEAR = 1 / 8;

/** Lines of cells: a row of the level, its weight, and a range of cells with theirs. */
export class Footprint {
  rows = new Taps();
  cols = new Taps();
  from = [];
  to = [];

  clear() {
    this.rows.clear();
    this.cols.clear();
  }

  /** Makes lines of all rows with all cells. */
  cross() {
    for (let line = 0; line < this.rows.count; line++) [this.from[line], this.to[line]] = [0, this.cols.count];
  }
}

/** Part of a polygon on one side of a line along an axis, by Sutherland and Hodgman. */
function clipped(polygon, axis, limit, side) {
  const result = [];
  for (let i = 0, before = polygon.length - 1; i < polygon.length; before = i++) {
    const [a, b] = [polygon[before], polygon[i]];
    const [da, db] = [side * (a[axis] - limit), side * (b[axis] - limit)];
    if (da >= 0 !== db >= 0) {
      const s = da / (da - db);
      result.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]);
    }
    if (db >= 0) result.push(b);
  }
  return result;
}

function areaOf(polygon) {
  let twice = 0;
  for (let i = 0, before = polygon.length - 1; i < polygon.length; before = i++) twice += polygon[before][0] * polygon[i][1] - polygon[i][0] * polygon[before][1];
  return Math.abs(twice) / 2;
}

const rangeOf = (polygon, axis) => {
  const all = polygon.map((place) => place[axis]);
  return [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all))];
};

/** Adds the cells of a quadrilateral, each by its area in it. */
function addQuad(footprint, axes, corners) {
  const { rows, cols, from, to } = footprint;
  const [top, bottom] = rangeOf(corners, 1);
  for (let row = top; row < bottom; row++) {
    const found = cellOn(axes.rows, row);
    if (found < 0) continue;
    let strip = clipped(clipped(corners, 1, row, 1), 1, row + 1, -1);
    if (strip.length < 3) continue;
    const line = rows.count;
    from[line] = cols.count;
    const [left, right] = rangeOf(strip, 0);
    for (let col = left; col < right && strip.length > 2; col++) {
      const cell = cellOn(axes.cols, col);
      const area = cell < 0 ? 0 : areaOf(clipped(strip, 0, col + 1, -1));
      if (area > 1e-12) cols.add(axes.cols.slot(cell), area);
      strip = clipped(strip, 0, col + 1, 1);
    }
    to[line] = cols.count;
    rows.add(axes.rows.slot(found), 1);
  }
}

/** Least and greatest of the corners along an axis. */
export const extentOf = (corners, axis) => {
  const [a, b, c, d] = corners;
  return [Math.min(a[axis], b[axis], c[axis], d[axis]), Math.max(a[axis], b[axis], c[axis], d[axis])];
};

/**
 * Whether a projection tears a pixel apart: its corners lie at both ends of the level, where other pixels take few cells. Such
 * a pixel takes the cell under its first corner.
 *
 * @param {any} axis @param {number[]} extent @param {number} scale cells to a pixel
 */
export const isTorn = ({ size, turn }, [low, high], scale) => !turn && high - low > size / 2 && high - low > 16 * Math.max(scale, 1);

/** Corners in order, those beyond a seam moved beside the first. */
export function cornersOf(turn, cols, rows, belowCols, belowRows, nth) {
  const corners = [[cols[nth], rows[nth]], [cols[nth + 1], rows[nth + 1]], [belowCols[nth + 1], belowRows[nth + 1]], [belowCols[nth], belowRows[nth]]];
  if (turn) for (const corner of corners) corner[0] -= turn * Math.round((corner[0] - corners[0][0]) / turn);
  return corners;
}

/**
 * Fills a footprint with the cells under a pixel, each by its area in the pixel.
 *
 * @param {Footprint} footprint
 * @param {{ cols: any, rows: any }} axes
 * @param {number[][]} corners places of the corners, in order around the pixel
 */
export function addArea(footprint, axes, corners) {
  const [a, b, c, d] = corners;
  footprint.clear();
  const lies = (one, other, axis) => Math.abs(one[axis] - other[axis]) <= SHEAR;
  // Sides along columns and rows of the level, in this order or in the other.
  if ((lies(a, d, 0) && lies(b, c, 0) && lies(a, b, 1) && lies(d, c, 1)) || (lies(a, d, 1) && lies(b, c, 1) && lies(a, b, 0) && lies(d, c, 0))) {
    addBox(footprint.cols, axes.cols, a[0], c[0]);
    addBox(footprint.rows, axes.rows, a[1], c[1]);
    footprint.cross();
    return;
  }
  const middle = (a[0] + b[0] + c[0] + d[0]) / 4;
  const by = settled(axes.cols, middle) - middle;
  addQuad(footprint, axes, by ? corners.map(([col, row]) => [col + by, row]) : corners);
}

/** Fills a footprint with the cell under a place. */
export function addNearest(footprint, axes, col, row) {
  footprint.clear();
  if (pointOn(axes.cols, col) < 0 || pointOn(axes.rows, row) < 0) return;
  addPoint(footprint.cols, axes.cols, col);
  addPoint(footprint.rows, axes.rows, row);
  footprint.cross();
}
