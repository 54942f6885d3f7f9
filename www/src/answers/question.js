// Says what a statistic of a map's view reads: a curve along an axis that is stepped, or along one that is drawn, over the view.
import { slice } from "rectilinear-zarr";
import { windowOf } from "../map/view.js";
import { chunkBytes, touchedAlong } from "../model/plane.js";
import { steppedOf } from "../model/position.js";

/** Most that one answer reads. */
export const MOST = { chunks: 8192, bytes: 4e9 };

/** Statistics by their names, as `reduce` knows them, in words. */
export const STATISTICS = { mean: "Mean", min: "Minimum", max: "Maximum", std: "Deviation" };

/** Whether statistics of an array mean something: its items are numbers that measure. */
export const isAskable = ({ dataset: { kind, dtype, decoder, stored, isLabels }, axes, plane }) =>
  Boolean(plane?.isMap) && axes.length === 2 && !stored && !isLabels && kind === "numbers" && dtype !== "bool" && !dtype.startsWith("complex") && !decoder.flags && !decoder.isTimes;

/** What can be asked of a map: `[{ axis, over }]`, a curve along an axis over others. */
export function curvesOf(state) {
  const [rows, columns] = state.axes;
  const stepped = steppedOf(state).filter((d) => state.dataset.shape[d] > 1 && d !== state.composite?.axis);
  return [...stepped.map((axis) => ({ axis, over: [rows, columns] })), { axis: rows, over: [columns] }, { axis: columns, over: [rows] }];
}

/** Cells of a view along the drawn axes, whole ones: `[[from, to], [from, to]]`. */
export function cellsIn({ axes, view, dataset: { shape } }) {
  const size = axes.map((d) => shape[d]);
  return windowOf(view, size).map(([from, to], i) => [Math.max(0, Math.floor(from + 1e-6)), Math.min(size[i], Math.max(Math.floor(from + 1e-6) + 1, Math.ceil(to - 1e-6)))]);
}

/**
 * What a curve reads: the `selection`, where along its axis the answer begins, and what it takes, `{ chunks, bytes }` decoded,
 * with more chunks than `MOST` where that is too much.
 */
export function questionOf(state, { axis, over }) {
  const { dataset, axes, index } = state;
  const cells = cellsIn(state);
  const spans = dataset.shape.map((size, d) => (axes.includes(d) ? cells[axes.indexOf(d)] : d === axis ? [0, size] : [index[d], index[d] + 1]));
  const selection = spans.map(([from, to], d) => (axes.includes(d) || d === axis ? slice(from, to) : index[d]));
  const origin = spans.map(([from]) => from);
  const along = spans.map(([from, to], d) => touchedAlong(dataset.grid, origin, d, [from, to], 1, MOST.chunks));
  const chunks = along.reduce((n, list) => n * list.length, 1);
  return { axis, over, selection, from: spans[axis][0], cells, cost: { chunks, bytes: chunks * chunkBytes({ grid: dataset.grid, dtype: dataset.dtype }, along.map((list) => list[list.length >> 1])) } };
}

/** The answer's values at their places along the whole axis, NaN elsewhere, and their range. */
export function placedIn({ axis, from }, { shape }, data) {
  const values = new Float64Array(shape[axis]).fill(NaN);
  values.set(Float64Array.from(data, Number), from);
  const known = values.filter(Number.isFinite);
  return { values, range: known.length ? [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))] : undefined };
}
