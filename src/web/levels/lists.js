/** Pixels whose columns and rows on a level are known by themselves: lists of places along each axis. */
import { Taps, addBox, addTent, pointOn } from "./axis.js";
import { resultOf } from "./methods.js";

/** Marks the cells of a list of places along an axis. */
function addList(cells, places, { shape }, scale) {
  if (shape !== "box") for (const place of places) cells.add(shape, place, place, scale);
  else for (let i = 1; i < places.length; i++) cells.add(shape, Math.min(places[i - 1], places[i]), Math.max(places[i - 1], places[i]), scale);
}

/** Adds to a list the cells of an axis for each pixel, and to another where each pixel's begin. */
function tapsAlong(axis, places, { shape }, scale) {
  const taps = new Taps();
  const count = shape === "box" ? places.length - 1 : places.length;
  const starts = new Float64Array(count + 1);
  const own = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    if (shape === "box") addBox(taps, axis, places[i], places[i + 1]);
    else if (shape === "tent") addTent(taps, axis, places[i], scale);
    const cell = shape === "box" ? -1 : pointOn(axis, places[i]);
    own[i] = cell < 0 ? -1 : axis.slot(cell);
    starts[i + 1] = taps.count;
  }
  return { taps, starts, own };
}

/** Places of a result's pixels along each axis: of their middles, or of their edges for methods that take areas. */
export class Lists {
  /** @param {Float64Array} cols @param {Float64Array} rows */
  constructor(cols, rows) {
    this.cols = cols;
    this.rows = rows;
  }

  /** Marks the cells that the pixels take. */
  mark([cols, rows], method) {
    addList(cols, this.cols, method, method.scale[0]);
    addList(rows, this.rows, method, method.scale[1]);
  }

  /**
   * Resamples a window. A generator, which says after each line how many values it has written, so that its caller may let
   * the page go on.
   *
   * @param {any} method of `methodOf`
   * @param {{ cols: any, rows: any }} axes with `slot`, which gives the offset of a column's or row's values in `data`
   * @param {{ data: any, planes: number[] }} region values, and where each plane of rows and columns begins
   * @param {(plane: number, row: number, col: number, value: number) => void} write called once a pixel that has a place
   */
  *resampled(method, axes, { data, planes }, write) {
    const { keepsGaps, scale, shape } = method;
    const across = tapsAlong(axes.cols, this.cols, method, scale[0]);
    const down = tapsAlong(axes.rows, this.rows, method, scale[1]);
    const result = resultOf(method);
    const [width, height] = [across.own.length, down.own.length];
    for (let row = 0; row < height; row++) {
      for (let col = 0; col < width; col++) {
        for (let plane = 0; plane < planes.length; plane++) {
          const base = planes[plane];
          if (shape === "point") {
            if (down.own[row] >= 0 && across.own[col] >= 0) write(plane, row, col, data[base + down.own[row] + across.own[col]]);
            continue;
          }
          const isGap = keepsGaps && Number.isNaN(data[base + down.own[row] + across.own[col]]);
          result.clear();
          for (let i = down.starts[row]; !isGap && i < down.starts[row + 1]; i++) {
            result.add(data, base + down.taps.cells[i], down.taps.weights[i], across.taps, across.starts[col], across.starts[col + 1]);
          }
          write(plane, row, col, result.value());
        }
      }
      yield width * planes.length;
    }
  }
}
