/** An axis of a level under the pixels of a result: which of its cells they take, and with which weights, as in GDAL's warp. */
import { within } from "./window.js";

/** Distance from the edge of a cell, in cells, within which a place is on the edge: more than what rounding moves it by. */
const EDGE = 1e-7;

/**
 * An axis of cells. Where coordinates repeat, as longitudes do, `turn` is the number of cells until they do, and `around`
 * is that number where it is whole, so that the cell after the last one is the first.
 *
 * @param {number} size number of cells
 * @param {number} [turn]
 */
export function axisOf(size, turn = 0) {
  // A level that goes around is closed, if its cells are rounded by less than half a cell in all.
  const whole = Math.abs(size - turn) < 0.5 ? size : Math.round(turn);
  const isWhole = whole === size || (size < turn && Math.abs(turn - whole) < 1e-3);
  return turn ? { size, turn: isWhole ? whole : turn, around: isWhole ? whole : 0 } : { size, turn: 0, around: 0 };
}

/** The cell that a place lies in: on an edge, that after it. */
const cellAt = (place) => Math.floor(place + EDGE);

/** The cell of a number, which may be one further around; -1 where the axis has none. @param {any} axis @param {number} cell */
export function cellOn({ size, around }, cell) {
  const found = around ? within(cell, around) : cell;
  return found >= 0 && found < size ? found : -1;
}

/** A place outside of an axis, moved onto it by whole turns, if there are any. */
export function settled({ size, turn, around }, place) {
  if (!turn || around || (place >= 0 && place < size)) return place;
  return place - turn * Math.floor((place - (size - turn) / 2) / turn);
}

/** Cell under a place, for the nearest one; -1 outside. */
export const pointOn = (axis, place) => cellOn(axis, cellAt(settled(axis, place)));

/**
 * First and last cell that a kernel takes for places from `low` to `high`.
 *
 * @param {string} "point", "tent" or "box"
 * @param {number} low
 * @param {number} high
 * @param {number} scale reach of the kernel, in cells
 */
export function cellsBetween(shape, low, high, scale) {
  if (shape === "tent") return [Math.floor(low - scale - 0.5 + EDGE) + 1, Math.ceil(high + scale - 0.5 - EDGE) - 1];
  const first = cellAt(low);
  return [first, Math.max(shape === "box" ? Math.ceil(high - EDGE) - 1 : cellAt(high), first)];
}

/** Cells with their weights, one after the other in lists that are used again. */
export class Taps {
  cells = [];
  weights = [];
  count = 0;

  clear() {
    this.count = 0;
  }

  add(cell, weight) {
    this.cells[this.count] = cell;
    this.weights[this.count++] = weight;
  }
}

/** Adds the cell under a place. */
export function addPoint(taps, axis, place) {
  const cell = pointOn(axis, place);
  if (cell >= 0) taps.add(axis.slot(cell), 1);
}

/** Adds the cells around a place by their distances, as far as `scale` cells; none for a place outside of the axis. */
export function addTent(taps, axis, wanted, scale) {
  const place = settled(axis, wanted);
  if (cellOn(axis, cellAt(place)) < 0) return;
  const [first, last] = cellsBetween("tent", place, place, scale);
  for (let nth = first; nth <= last; nth++) {
    const cell = cellOn(axis, nth);
    if (cell >= 0) taps.add(axis.slot(cell), 1 - Math.abs(nth + 0.5 - place) / scale);
  }
}

/** Adds the cells between two places, each by the length of it that lies between them. */
export function addBox(taps, axis, from, to) {
  const middle = (from + to) / 2;
  const by = axis.turn ? settled(axis, middle) - middle : 0;
  const [least, most] = axis.around ? [-Infinity, Infinity] : [0, axis.size];
  const [low, high] = [Math.max(Math.min(from, to) + by, least), Math.min(Math.max(from, to) + by, most)];
  // Less than any cell: where it lies is all that counts.
  if (high - low < 2 * EDGE) return addPoint(taps, axis, middle);
  if (!(high - low < Infinity)) return;
  const turns = axis.around ? Math.floor((high - low) / axis.around) : 0;
  for (let cell = 0; turns > 0 && cell < axis.size; cell++) taps.add(axis.slot(cell), turns);
  return addWithin(taps, axis, low + turns * axis.around, high);
}

/** Adds the cells between two places that are less than a turn apart. */
function addWithin(taps, axis, low, high) {
  const [first, last] = cellsBetween("box", low, high, 0);
  for (let nth = first; nth <= last; nth++) {
    const cell = cellOn(axis, nth);
    if (cell >= 0) taps.add(axis.slot(cell), Math.min(high, nth + 1) - Math.max(low, nth));
  }
}
