/** Which rows and columns of a level the pixels of a result take: a range of rows, and one or two of columns. */
import { cellsBetween, settled } from "./axis.js";
import { within } from "./window.js";

/** Parts of an axis, for each of which the first and the last cell are known. */
const BINS = 256;

/** Cells of an axis that are taken, as far as their ranges are told apart. */
class Cells {
  constructor(axis) {
    this.axis = axis;
    this.width = Math.ceil(axis.size / BINS);
    this.first = new Float64Array(BINS).fill(Infinity);
    this.last = new Float64Array(BINS).fill(-Infinity);
  }

  #mark(from, to) {
    const { axis, width, first, last } = this;
    const [start, stop] = [Math.max(from, 0), Math.min(to, axis.size - 1)];
    if (start > stop) return;
    for (let bin = Math.floor(start / width); bin * width <= stop; bin++) {
      first[bin] = Math.min(first[bin], Math.max(start, bin * width));
      last[bin] = Math.max(last[bin], Math.min(stop, (bin + 1) * width - 1));
    }
  }

  /** Marks the cells that places from `low` to `high` take. Where the middle of a pixel counts, places outside take none. */
  add(shape, low, high, scale) {
    const { axis } = this;
    const { size, turn, around } = axis;
    if (!(low <= high)) return;
    // More than half a turn may be the other half.
    if (turn && high - low > turn / 2) return this.#mark(0, size - 1);
    if (around) {
      const [from, to] = cellsBetween(shape, low, high, scale);
      const start = within(from, around);
      this.#mark(start, start + to - from);
      return this.#mark(start - around, start + to - from - around);
    }
    const by = turn ? settled(axis, low) - low : 0;
    for (const shift of turn ? [by - turn, by, by + turn] : [0]) {
      let [from, to] = [low + shift, high + shift];
      if (shape !== "box") {
        if (to < -1e-6 || from >= size) continue;
        [from, to] = [Math.max(from, 0), Math.min(to, size)];
      }
      this.#mark(...cellsBetween(shape, from, to, scale));
    }
  }

  /** Range of all cells, or two where a gap in the middle is worth a second one; none without cells. */
  ranges() {
    const used = Array.from(this.first.keys()).filter((bin) => this.first[bin] <= this.last[bin]);
    if (used.length === 0) return [];
    const [start, stop] = [this.first[used[0]], this.last[used[used.length - 1]] + 1];
    let [gap, cut] = [0, 0];
    for (let i = 1; i < used.length; i++) {
      const size = this.first[used[i]] - this.last[used[i - 1]] - 1;
      if (size > gap) [gap, cut] = [size, i];
    }
    if (gap * 8 <= stop - start) return [[start, stop]];
    // Across a seam, what is before it comes first.
    return [[this.first[used[cut]], stop], [start, this.last[used[cut - 1]] + 1]];
  }
}

/**
 * Rows and columns that a result takes; undefined where it takes none.
 *
 * @param {any} places `Lists` or `Projected`
 * @param {any} method
 * @param {{ cols: any, rows: any }} axes
 */
export function windowOf(places, method, axes) {
  const marks = [new Cells(axes.cols), new Cells(axes.rows)];
  places.mark(marks, method, axes);
  const [across, down] = marks.map((cells) => cells.ranges());
  if (across.length === 0 || down.length === 0) return undefined;
  return { cols: across, rows: [Math.min(...down.map(([start]) => start)), Math.max(...down.map(([, stop]) => stop))] };
}
