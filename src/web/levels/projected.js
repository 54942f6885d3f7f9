/** Pixels that a projection or a turn places on a level: a mesh of them. */
import { addTent, pointOn } from "./axis.js";
import { Footprint, addArea, addNearest, cornersOf, extentOf, isTorn } from "./footprint.js";
import { LARGEST, lineOf, meshed, outerPlaces } from "./mesh.js";
import { resultOf } from "./methods.js";

const FAR = Object.freeze([Infinity, -Infinity, Infinity, -Infinity]);

/** Marks the cells of pixels that were placed one by one, a line of them at a time. */
function addLines([cols, rows], { shape, scale }, axes, leaf) {
  const byCorners = shape === "box";
  const [across, down] = [new Float64Array(LARGEST + 1), new Float64Array(LARGEST + 1)];
  const count = leaf.width + (byCorners ? 1 : 0);
  const { turn } = axes.cols;
  let first = NaN;
  let before = FAR;
  for (let line = 0; line < leaf.height + (byCorners ? 1 : 0); line++) {
    lineOf(leaf, line, byCorners, across, down);
    let [left, right, top, bottom] = FAR;
    for (let i = 0; i < count; i++) {
      const row = down[i];
      let col = across[i];
      if (!Number.isFinite(col) || !Number.isFinite(row)) continue;
      if (first !== first) first = col;
      if (turn) col -= turn * Math.round((col - first) / turn);
      [left, right, top, bottom] = [Math.min(left, col), Math.max(right, col), Math.min(top, row), Math.max(bottom, row)];
    }
    const [l, r, t, b] = byCorners ? before : FAR;
    // Pixels lie between the corners of two lines. A torn one takes the cell under a corner.
    cols.add(byCorners ? "point" : shape, Math.min(left, l), Math.max(right, r), scale[0]);
    rows.add(byCorners ? "point" : shape, Math.min(top, t), Math.max(bottom, b), scale[1]);
    before = [left, right, top, bottom];
  }
}

/** Marks the cells of a rectangle of a mesh. */
function addLeaf([cols, rows], { shape, scale }, axes, leaf) {
  const outer = outerPlaces(leaf, shape === "box");
  const [top, bottom] = [Math.min(outer[1], outer[3], outer[5], outer[7]), Math.max(outer[1], outer[3], outer[5], outer[7])];
  if (bottom < -1e-6 || top >= axes.rows.size) return;
  rows.add(shape, top, bottom, scale[1]);
  cols.add(shape, Math.min(outer[0], outer[2], outer[4], outer[6]), Math.max(outer[0], outer[2], outer[4], outer[6]), scale[0]);
}

/** Fills the footprint of a pixel by the place of its middle. */
function addMiddle(footprint, axes, { shape, scale }, col, row) {
  if (shape === "point") return addNearest(footprint, axes, col, row);
  footprint.clear();
  addTent(footprint.cols, axes.cols, col, scale[0]);
  addTent(footprint.rows, axes.rows, row, scale[1]);
  footprint.cross();
}

/** Places of a result's pixels by the rectangles of a mesh, as `Lists` has them by axis. */
export class Projected {
  /** @param {any[]} leaves */
  constructor(leaves) {
    this.leaves = leaves;
  }

  mark(marks, method, axes) {
    for (const leaf of this.leaves) (leaf.corners ? addLeaf : addLines)(marks, method, axes, leaf);
  }

  *resampled(method, axes, { data, planes }, write) {
    const { shape, keepsGaps, scale } = method;
    const byCorners = shape === "box";
    const result = resultOf(method);
    const footprint = new Footprint();
    const [cols, rows, nextCols, nextRows] = Array.from({ length: 4 }, () => new Float64Array(LARGEST + 1));
    for (const leaf of this.leaves) {
      for (let line = 0; line < leaf.height; line++) {
        lineOf(leaf, line, byCorners, cols, rows);
        if (byCorners) lineOf(leaf, line + 1, byCorners, nextCols, nextRows);
        for (let i = 0; i < leaf.width; i++) {
          const [u, v] = [leaf.u + i, leaf.v + line];
          let own = -1;
          if (!byCorners) {
            addMiddle(footprint, axes, method, cols[i], rows[i]);
            if (keepsGaps && footprint.cols.count && footprint.rows.count) own = axes.rows.slot(pointOn(axes.rows, rows[i])) + axes.cols.slot(pointOn(axes.cols, cols[i]));
          } else {
            const corners = cornersOf(axes.cols.turn, cols, rows, nextCols, nextRows, i);
            const isKnown = corners.every(([col, row]) => Number.isFinite(col) && Number.isFinite(row));
            const isTornApart = leaf.places && isKnown && (isTorn(axes.cols, extentOf(corners, 0), scale[0]) || isTorn(axes.rows, extentOf(corners, 1), scale[1]));
            if (!isKnown) footprint.clear();
            else if (!isTornApart) addArea(footprint, axes, corners);
            else addNearest(footprint, axes, cols[i], rows[i]);
          }
          for (let plane = 0; plane < planes.length; plane++) {
            const base = planes[plane];
            result.clear();
            if (!(own >= 0 && Number.isNaN(data[base + own]))) {
              for (let k = 0; k < footprint.rows.count; k++) {
                result.add(data, base + footprint.rows.cells[k], footprint.rows.weights[k], footprint.cols, footprint.from[k], footprint.to[k]);
              }
            }
            write(plane, v, u, result.value());
          }
        }
        yield leaf.width * planes.length;
      }
    }
  }
}

/** Places the pixels of a result: a generator, as that of `meshed`. @param {Parameters<typeof meshed>} all */
export function* projected(...all) {
  return new Projected(yield* meshed(...all));
}
