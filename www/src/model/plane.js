// Chooses what one picture asks for: the last two axes (or the last one), stepped or cut where they are too large to draw.
import { slice } from "rectilinear-zarr";
import { bytes, count, ordinal, plural } from "./format.js";

const MOST_CELLS = 4e6; // as many as a large screen has pixels
const SHORT = 1000; // cells of an axis that need no stepping
const MOST_CHUNKS = 512; // requests worth making for one picture
const MOST_DECODED = 512 * 2 ** 20; // bytes of decoded chunks a browser tab bears

const ITEM_BYTES = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, float16: 2, int32: 4, uint32: 4, float32: 4 };
export const itemBytes = (dtype) => ITEM_BYTES[dtype] ?? 8;

/** Bytes of one decoded chunk, clipped to the array. */
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
 * For `dataset` at `index` (one position for each leading axis), with that `index`:
 * `shown` has `{ axis, stop, step, count }` for each axis drawn; `selection` is what to ask for;
 * `touched` the chunks it needs; `note` says in words what was left out, or is "".
 */
export function planPlane(dataset, index) {
  const rank = dataset.shape.length;
  const drawn = Math.min(2, rank);
  const axes = Array.from({ length: drawn }, (_, i) => rank - drawn + i);
  const stops = axes.map((d) => dataset.shape[d]);
  const origin = [...index, ...axes.map(() => 0)];
  if (dataset.shape.includes(0)) return { index, shown: axes.map((axis) => ({ axis, stop: dataset.shape[axis], step: 1, count: dataset.shape[axis] })), selection: null, touched: [], note: "" };

  for (;;) {
    const steps = strides(stops);
    const along = axes.map((d, i) => touchedAlong(dataset.grid, origin, d, stops[i], steps[i]));
    const lead = rank ? dataset.grid.chunkAt(origin).coords.slice(0, rank - drawn) : [];
    const chunks = along.reduce((n, list) => n * list.length, 1);
    const mean = rank ? chunkBytes(dataset, [...lead, ...along.map((list) => list[list.length >> 1])]) : 0;
    const longest = along.findIndex((list) => list.length === Math.max(...along.map((other) => other.length)));
    if ((chunks > MOST_CHUNKS || chunks * mean > MOST_DECODED) && along[longest]?.length > 1) {
      stops[longest] = halved(dataset.grid, origin, axes[longest], stops[longest]);
      continue;
    }
    const touched = along.reduce((list, coords) => list.flatMap((head) => coords.map((n) => [...head, n])), [lead]);
    const shown = axes.map((axis, i) => ({ axis, stop: stops[i], step: steps[i], count: Math.ceil(stops[i] / steps[i]) }));
    const selection = [...index, ...shown.map(({ axis, stop, step }) => (step === 1 && stop === dataset.shape[axis] ? null : slice(0, stop, step)))];
    return { index, shown, selection, touched, note: noteOf(dataset, shown, mean) };
  }
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
  const parts = [
    cut.length && `${cut.join(" and ")}, as the whole would take more than ${plural(MOST_CHUNKS, "chunk")} or ${bytes(MOST_DECODED)} (one is ${bytes(mean)} decoded)`,
    stepped.length && `${stepped.join(" and ")}, to stay below ${count(MOST_CELLS)} cells`,
  ].filter(Boolean);
  return parts.length ? `Drawn: ${parts.join("; ")}.` : "";
}
