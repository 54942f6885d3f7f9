/** Which level to read, and which of its pixels lie in a box. */
import { boundsOf, coarseness, moved, pixel } from "../conventions/grid.js";

/** Pixels between two places, of which those within a thousandth of an edge count as on it. */
function span(from, to) {
  const start = Math.floor(from + 1e-3);
  return [start, Math.max(Math.ceil(to - 1e-3), start + 1)];
}

/**
 * The level for a resolution: the coarsest whose pixels are no larger, with 1 % to spare, else the finest; or the one
 * whose pixels are nearest in size.
 */
export function levelAt(levels, resolution, round = "finer") {
  if (!(resolution > 0) || !["finer", "nearest"].includes(round)) {
    throw new TypeError(`expected a resolution above 0, and "finer" or "nearest" as round, got ${resolution}, ${round}`);
  }
  const sizes = levels.map(({ transform }) => coarseness(transform));
  if (round === "finer") return levels[Math.max(0, sizes.findLastIndex((size) => size <= resolution * 1.01))];
  const off = sizes.map((size) => Math.abs(Math.log(size / resolution)));
  return levels[off.indexOf(Math.min(...off))];
}

/** Checks a box; west of the seam may be written as greater than east. */
export function checkedBox(bbox, isDegrees) {
  const [xmin, ymin, xmax, ymax] = bbox?.every ? bbox : [];
  const right = isDegrees && xmax < xmin ? xmax + 360 : xmax;
  const isBox = bbox?.every?.(Number.isFinite) && bbox.length === 4 && xmin <= right && ymin <= ymax;
  if (!isBox) throw new TypeError(`expected a bbox of four numbers, [xmin, ymin, xmax, ymax], got [${bbox}]`);
  return [xmin, ymin, right, ymax];
}

/** Number of columns around the Earth where a level of degrees goes all around it, else 0. */
export function columnsAround({ transform: [a, b, , d], shape }) {
  if (b !== 0 || d !== 0 || !shape) return 0;
  const around = 360 / Math.abs(a);
  return Math.abs(shape[1] - around) < 0.5 ? shape[1] : 0;
}

/** Throws where neither metadata nor arrays say how many pixels a level has. */
export function checkShape({ shape, index, path }) {
  if (!shape) throw Object.assign(new Error(`level ${index} (${path}) has no known shape; is its array stored?`), { name: "UnsupportedError", feature: "levels of unknown shape" });
}

/** Rows and columns, as ranges that may lie outside of the level, that a box covers. @param {number[]} transform @param {number[]} box */
function covered(transform, [xmin, ymin, xmax, ymax]) {
  const corners = [[xmin, ymin], [xmax, ymin], [xmin, ymax], [xmax, ymax]].map(([x, y]) => pixel(transform, x, y));
  const [cols, rows] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  return [span(Math.min(...rows), Math.max(...rows)), span(Math.min(...cols), Math.max(...cols))];
}

/** Number of a column, counted around the Earth from the first one. */
export const within = (col, width) => ((col % width) + width) % width;

/** Columns of a range that leads across the seam. @param {number[]} range @param {number} width */
export const around = ([start, stop], width) => Array.from({ length: stop - start }, (_, i) => within(start + i, width));

/** Clips a range to an axis; undefined where nothing is left. @param {number[]} range @param {number} size @returns {any} */
function clipped([start, stop], size) {
  const range = [Math.max(start, 0), Math.min(stop, size)];
  return range[0] < range[1] ? range : undefined;
}

/**
 * Pixels of a level in a box: a range of rows, a range of columns or a list of them across the seam, and the transform
 * of these. Undefined where the box has none of the level.
 *
 * @param {any} level
 * @param {number[]} bbox
 * @param {boolean} isDegrees whether x repeats after 360
 */
export function pixelsIn(level, bbox, isDegrees) {
  const { transform, shape } = level;
  checkShape(level);
  const [height, width] = shape;
  const found = covered(transform, bbox);
  const rows = clipped(found[0], height);
  if (!rows) return undefined;
  const [first, last] = found[1];
  const result = (cols, list, origin) => {
    const corner = moved(transform, origin, rows[0]);
    return { rows, cols, list, transform: corner, bounds: boundsOf(corner, [rows[1] - rows[0], cols[1] - cols[0]]) };
  };
  if (isDegrees && columnsAround(level)) {
    if (last - first >= width) return result([0, width], undefined, 0);
    const start = within(first, width);
    const cols = [start, start + last - first];
    return result(cols, cols[1] > width ? around(cols, width) : undefined, first);
  }
  const turn = isDegrees ? Math.round(360 / Math.abs(transform[0])) : 0;
  const turns = isDegrees ? [0, turn, -turn] : [0];
  const pieces = turns.map((shift) => ({ shift, cols: clipped([first + shift, last + shift], width) })).filter(({ cols }) => cols);
  if (pieces.length === 0) return undefined;
  // Two pieces lie at both ends of the level: what is between them is taken too.
  const cols = [Math.min(...pieces.map(({ cols: [start] }) => start)), Math.max(...pieces.map(({ cols: [, stop] }) => stop))];
  return result(cols, undefined, pieces.length > 1 ? cols[0] : cols[0] - pieces[0].shift);
}
