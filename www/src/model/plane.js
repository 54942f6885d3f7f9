// Chooses what one picture asks for: along two axes, one or none, stepped or cut where they are too large to draw.
import { slice } from "rectilinear-zarr";
import { bytes, count, ordinal, plural } from "./format.js";

const MOST_CELLS = 4e6; // as many as a large screen has pixels
const SHORT = 1000; // cells of an axis that need no stepping
const MOST_CHUNKS = 512; // requests worth making for one picture
const MOST_DECODED = 512 * 2 ** 20; // bytes of decoded chunks a browser tab bears
const MOST_WORDS = 200; // items of a list that anyone reads

const ITEM_BYTES = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, float16: 2, int32: 4, uint32: 4, float32: 4, complex128: 16 };
const itemBytes = (dtype) => ITEM_BYTES[dtype] ?? 8;

/** Bytes of one decoded chunk, clipped to the array; of texts and the like a guess. */
export function chunkBytes(dataset, coords) {
  const { start, stop } = dataset.grid.bounds(coords);
  return stop.reduce((size, end, d) => size * (end - start[d]), itemBytes(dataset.dtype));
}

/** Chunks that cells 0, step, 2 step … below `stop` fall into. */
function touchedAlong(grid, origin, d, stop, step) {
  const found = [];
  for (let i = 0; i < stop && found.length <= MOST_CHUNKS; ) {
    const { coords } = grid.chunkAt(origin.with(d, i));
    found.push(coords[d]);
    const next = grid.bounds(coords).stop[d];
    i += Math.ceil((next - i) / step) * step;
  }
  return found;
}

/** Steps that bring the number of cells under the limit: one step for all axes, but none for an axis that is short anyway. */
function strides(sizes) {
  for (let step = 1; ; step += Math.max(1, step >> 4)) {
    const steps = sizes.map((size) => (size <= SHORT ? 1 : step));
    if (sizes.reduce((n, size, i) => n * Math.ceil(size / steps[i]), 1) <= MOST_CELLS) return steps;
  }
}

/**
 * For `dataset` at `index` (a position for each axis) along `axes` (rows and columns, or one axis, or none):
 * `shown` has `{ axis, stop, step, count }` for each of them; `selection` is what to ask for, and `swapped` says that its
 * result has the columns first; `touched` are the chunks it needs; `note` says in words what was left out, or is "".
 */
export function planPlane(dataset, index, axes) {
  const stops = axes.map((d) => (dataset.kind === "words" ? Math.min(MOST_WORDS, dataset.shape[d]) : dataset.shape[d]));
  const swapped = axes.length === 2 && axes[0] > axes[1];
  const describe = (steps) => axes.map((axis, i) => ({ axis, stop: stops[i], step: steps[i], count: Math.ceil(stops[i] / steps[i]) }));
  if (dataset.kind === "none" || dataset.shape.includes(0)) return { index, shown: describe(axes.map(() => 1)), selection: null, swapped, touched: [], note: "" };

  const origin = index.map((i, d) => (axes.includes(d) ? 0 : i));
  for (;;) {
    const steps = strides(stops);
    const along = axes.map((d, i) => touchedAlong(dataset.grid, origin, d, stops[i], steps[i]));
    const first = dataset.grid.chunkAt(origin).coords;
    const chunks = along.reduce((n, list) => n * list.length, 1);
    const mean = chunkBytes(dataset, axes.reduce((coords, d, i) => coords.with(d, along[i][along[i].length >> 1]), first));
    const longest = along.findIndex((list) => list.length === Math.max(...along.map((other) => other.length)));
    if ((chunks > MOST_CHUNKS || chunks * mean > MOST_DECODED) && along[longest]?.length > 1) {
      stops[longest] = halved(dataset.grid, origin, axes[longest], stops[longest]);
      continue;
    }
    const touched = axes.reduce((list, d, i) => list.flatMap((coords) => along[i].map((n) => coords.with(d, n))), [first]);
    const shown = describe(steps);
    const selection = index.slice();
    for (const { axis, stop, step } of shown) selection[axis] = step === 1 && stop === dataset.shape[axis] ? null : slice(0, stop, step);
    return { index, shown, selection, swapped, touched, note: noteOf(dataset, shown, mean) };
  }
}

/** Reads what was planned, as `{ values, range }`: numbers as a Float64Array, rows first, other items as they are. */
export async function readPlane(dataset, plane, signal) {
  if (dataset.kind === "none") return { values: [] };
  if (dataset.kind === "words") return { values: [...(await dataset.array.get(plane.selection, { signal })).data] };
  const { values, range } = await dataset.decoder.read(dataset.array, plane.selection, signal);
  return { values: inRows(plane, values), range };
}

function inRows({ shown, swapped }, values) {
  if (!swapped) return values;
  const [rows, cols] = shown.map((one) => one.count);
  return values.map((_, i) => values[(i % cols) * rows + Math.floor(i / cols)]);
}

/** About half of `stop`, at a chunk's end. */
function halved(grid, origin, d, stop) {
  const { start, stop: end } = grid.bounds(grid.chunkAt(origin.with(d, Math.floor((stop - 1) / 2))).coords);
  return end[d] < stop ? end[d] : start[d];
}

function noteOf(dataset, shown, mean) {
  const name = (axis) => dataset.axes[axis].name;
  const cut = shown.filter(({ axis, stop }) => stop < dataset.shape[axis]).map(({ axis, stop }) => `the first ${count(stop)} of ${count(dataset.shape[axis])} along ${name(axis)}`);
  const stepped = shown.filter(({ step }) => step > 1).map(({ axis, step }) => `every ${ordinal(step)} along ${name(axis)}`);
  const why = dataset.kind === "words" ? "" : `, as the whole would take more than ${plural(MOST_CHUNKS, "chunk")} or ${bytes(MOST_DECODED)} (one is ${bytes(mean)} decoded)`;
  const parts = [
    cut.length && `${cut.join(" and ")}${why}`,
    stepped.length && `${stepped.join(" and ")}, to stay below ${count(MOST_CELLS)} cells`,
  ].filter(Boolean);
  const thinned = parts.length ? `${dataset.kind === "words" ? "Shown" : "Drawn"}: ${parts.join("; ")}.` : "";
  return [thinned, dataset.decoder.note].filter(Boolean).join(" ");
}
