// Says what a statistic of a map's view reads: a curve along an axis that is stepped, or along one that is drawn, over the view.
import { slice } from "rectilinear-zarr";
import { windowOf } from "../map/view.js";
import { chunkBytes, touchedAlong } from "../model/plane.js";
import { steppedOf } from "../model/position.js";
import { reachOf } from "./area.js";

/** Most that one answer reads. */
export const MOST = { chunks: 8192, bytes: 4e9 };

/** Statistics by their names, as `reduce` knows them, in words. */
export const STATISTICS = { mean: "Mean", min: "Minimum", max: "Maximum", std: "Deviation" };

/** Whether statistics of an array mean something: its items are numbers that measure. */
export const isAskable = ({ dataset: { kind, dtype, decoder, stored, isLabels }, axes, plane }) =>
  Boolean(plane?.isMap) && axes.length === 2 && !stored && !isLabels && kind === "numbers" && dtype !== "bool" && !dtype.startsWith("complex") && !decoder.flags && !decoder.isTimes;

/**
 * What can be asked of a map, with an area or without: `[{ axis, over, byMonth }]`, a curve along an axis over others, or of
 * dates its months; of an area where no axis is stepped one value, without an axis.
 */
export function curvesOf(state, how, area) {
  const [rows, columns] = state.axes;
  const over = [rows, columns];
  const stepped = steppedOf(state).filter((d) => state.dataset.shape[d] > 1 && d !== state.composite?.axis);
  const hasMonths = ({ moments } = {}) => how !== "std" && new Set(moments?.map(({ date }) => date[1])).size > 1;
  const curves = stepped.flatMap((axis) => [{ axis, over }, ...(hasMonths(state.dataset.axes?.[axis]) ? [{ axis, over, byMonth: true }] : [])]);
  if (area) return curves.length ? curves : [{ over }];
  return [...curves, { axis: rows, over: [columns] }, { axis: columns, over: [rows] }];
}

/** Cells of a view along the drawn axes, whole ones: `[[from, to], [from, to]]`. */
export function cellsIn({ axes, view, dataset: { shape } }) {
  const size = axes.map((d) => shape[d]);
  return windowOf(view, size).map(([from, to], i) => [Math.max(0, Math.floor(from + 1e-6)), Math.min(size[i], Math.max(Math.floor(from + 1e-6) + 1, Math.ceil(to - 1e-6)))]);
}

/** Whether a transform places the last two axes of an array, as `zonal` takes one. */
const liesLast = (earth, axes) => Boolean(earth.zones) && earth.axes.every((d, i) => d === axes.length - 2 + i);

/** Whether the cells of a map can be found in an area: their places are known, by coordinates that the package finds too, or by a transform. */
export const hasPlaces = ({ dataset: { earth, axes }, axes: drawn }) =>
  Boolean(earth?.toCell) && earth.axes.every((d, i) => d === drawn[i]) && (Boolean(earth.isCurvilinear) || Boolean(earth.project) || liesLast(earth, axes) || (earth.isStraight && earth.axes.every((d) => axes[d].coordinate)));

/** What the cells of an array in these spans take, `{ chunks, bytes }` decoded. */
function costOf({ grid, dtype }, spans) {
  const origin = spans.map(([from]) => from);
  const along = spans.map(([from, to], d) => touchedAlong(grid, origin, d, [from, to], 1, MOST.chunks));
  const chunks = along.reduce((n, list) => n * list.length, 1);
  return { chunks, bytes: chunks * chunkBytes({ grid, dtype }, along.map((list) => list[list.length >> 1])) };
}

/**
 * What a curve reads: the `selection`, where along its axis the answer begins, and what it takes, `{ chunks, bytes }` decoded,
 * with more chunks than `MOST` where that is too much. In an area at most; undefined where that lies beside the grid.
 */
export function questionOf(state, { axis, over, byMonth }, area) {
  const { dataset, axes, index, against } = state;
  const cells = area ? reachOf(area, dataset.earth, axes.map((d) => dataset.shape[d])) : cellsIn(state);
  if (!cells) return undefined;
  const spans = dataset.shape.map((size, d) => (axes.includes(d) ? cells[axes.indexOf(d)] : d === axis ? [0, size] : [index[d], index[d] + 1]));
  const selection = spans.map(([from, to], d) => (d === axis || (axes.includes(d) && !area) ? slice(from, to) : axes.includes(d) ? slice(0, dataset.shape[d]) : index[d]));
  const costs = [dataset, ...(against ? [against.dataset] : [])].map((one) => costOf(one, spans));
  const cost = { chunks: costs.reduce((n, { chunks }) => n + chunks, 0), bytes: costs.reduce((n, { bytes }) => n + bytes, 0) };
  return { axis, over, byMonth, selection, from: axis === undefined ? 0 : spans[axis][0], cells, cost };
}

/** Values with their range. */
const ranged = (values) => {
  const known = values.filter(Number.isFinite);
  return { values, range: known.length ? [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))] : undefined };
};

/** The answer's values at their places along the whole axis, NaN elsewhere, and their range. */
export function placedIn({ axis, from }, { shape }, data) {
  const values = new Float64Array(axis === undefined ? data.length : shape[axis]).fill(NaN);
  values.set(Float64Array.from(data, Number), from);
  return ranged(values);
}

/** The values of steps by the months of their dates, January first: the mean of each month's steps, or the least or greatest of them. */
export function byMonth(values, moments, how) {
  const months = Array.from({ length: 12 }, () => []);
  values.forEach((v, i) => Number.isFinite(v) && months[moments[i].date[1] - 1].push(v));
  const join = { mean: (list) => list.reduce((a, b) => a + b) / list.length, min: (list) => list.reduce((a, b) => Math.min(a, b)), max: (list) => list.reduce((a, b) => Math.max(a, b)) }[how];
  return ranged(Float64Array.from(months, (list) => (list.length ? join(list) : NaN)));
}
