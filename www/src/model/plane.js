// Chooses what a line, a list or a single value asks for, stepped or cut where it is too large to draw; maps have a plan of their own.
import { slice } from "rectilinear-zarr";
import { bytes, count, ordinal, plural } from "./format.js";

const MOST_CELLS = 4e6; // as many as a large screen has pixels
const MOST_CHUNKS = 512; // requests worth making for one picture
const MOST_DECODED = 512 * 2 ** 20; // bytes of decoded chunks a browser tab bears
export const MOST_WORDS = 200; // items of a list that anyone reads at once

const ITEM_BYTES = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, float16: 2, int32: 4, uint32: 4, float32: 4, complex128: 16 };
const itemBytes = (dtype) => ITEM_BYTES[dtype] ?? 8;

/** Bytes of one decoded chunk, clipped to the array; of texts and the like a guess. */
export function chunkBytes(dataset, coords) {
  const { start, stop } = dataset.grid.bounds(coords);
  return stop.reduce((size, end, d) => size * (end - start[d]), itemBytes(dataset.dtype));
}

/** Mean bytes of decoded chunks, by one from the middle of those that are touched along each of the axes. */
export const meanBytes = (dataset, origin, axes, along) =>
  chunkBytes(dataset, axes.reduce((coords, d, i) => coords.with(d, along[i][along[i].length >> 1]), dataset.grid.chunkAt(origin).coords));

/** Chunks that cells from, from + step, from + 2 step … below `stop` fall into, or more than `most` of them. */
export function touchedAlong(grid, origin, d, [from, stop], step, most = MOST_CHUNKS) {
  const found = [];
  for (let i = from; i < stop && found.length <= most; ) {
    const { coords } = grid.chunkAt(origin.with(d, i));
    found.push(coords[d]);
    const next = grid.bounds(coords).stop[d];
    i += Math.ceil((next - i) / step) * step;
  }
  return found;
}

/**
 * For `dataset` at `index` (a position for each axis) along `axes` (one axis, or none, or two of which nothing is read):
 * `shown` has `{ axis, stop, step, count, first }` for each of them, of which `first` is where a list begins, at `from`, or a line, of which `span` asks for a part alone;
 * `selection` is what to ask for, of a line every `least`-th cell at the finest; `touched` are the chunks it needs of
 * `source`; `note` says in words what was left out, or is "".
 */
export function planPlane(dataset, index, axes, { from = 0, span, least = 1 } = {}) {
  const isList = dataset.kind === "words";
  const first = isList ? from : (span?.[0] ?? 0);
  const stops = axes.map((d) => (isList ? Math.min(first + MOST_WORDS, dataset.shape[d]) : (span?.[1] ?? dataset.shape[d])));
  const [source] = dataset.sources;
  const describe = (steps) => axes.map((axis, i) => ({ axis, stop: isList ? stops[i] : dataset.shape[axis], step: steps[i], count: Math.ceil((stops[i] - first) / steps[i]), first }));
  if (dataset.kind === "none" || dataset.shape.includes(0)) return { index, source, shown: describe(axes.map(() => 1)), selection: null, touched: [], note: "" };

  const origin = index.map((i, d) => (axes.includes(d) ? first : i));
  const steps = stops.map((stop) => Math.max(least, Math.ceil((stop - first) / MOST_CELLS)));
  for (;;) {
    const along = axes.map((d, i) => touchedAlong(dataset.grid, origin, d, [first, stops[i]], steps[i]));
    const corner = dataset.grid.chunkAt(origin).coords;
    const chunks = along.reduce((n, list) => n * list.length, 1);
    const mean = meanBytes(dataset, origin, axes, along);
    const longest = along.findIndex((list) => list.length === Math.max(...along.map((other) => other.length)));
    if ((chunks > MOST_CHUNKS || chunks * mean > MOST_DECODED) && along[longest]?.length > 1) {
      // All along the axis, of samples that lie in so many chunks.
      const most = Math.max(1, Math.min(MOST_CHUNKS, Math.floor(MOST_DECODED / mean)));
      steps[longest] = Math.max(steps[longest] + 1, Math.ceil((stops[longest] - first) / most));
      continue;
    }
    const touched = axes.reduce((list, d, i) => list.flatMap((coords) => along[i].map((n) => coords.with(d, n))), [corner]);
    const shown = describe(steps);
    const selection = index.slice();
    for (const [i, { axis, step }] of shown.entries()) selection[axis] = step === 1 && first === 0 && stops[i] === dataset.shape[axis] ? null : slice(first, stops[i], step);
    return { index, source, shown, selection, touched, note: noteOf(dataset, shown, mean) };
  }
}

/** Reads what was planned, as `{ values, range }`: numbers as a Float64Array, other items as they are. */
export async function readPlane(dataset, plane, signal) {
  if (dataset.kind === "none") return { values: [] };
  if (dataset.kind === "words") return { values: [...(await dataset.array.get(plane.selection, { signal })).data] };
  const { values, range } = await dataset.decoder.read(dataset.array, plane.selection, signal);
  return { values, range };
}

function noteOf(dataset, shown, mean) {
  const name = (axis) => dataset.axes[axis].name;
  const cut = shown.filter(({ axis, stop, first }) => dataset.kind === "words" && (first > 0 || stop < dataset.shape[axis])).map(({ axis, stop, first }) => `${first ? `${count(first + 1)} to` : "the first"} ${count(stop)} of ${count(dataset.shape[axis])} along ${name(axis)}`);
  const stepped = shown.filter(({ step }) => step > 1).map(({ axis, step }) => `every ${ordinal(step)} along ${name(axis)}`);
  const isApart = shown.some(({ axis, step }) => step > 1 && dataset.shape[axis] / step <= MOST_CHUNKS);
  const why = isApart ? `as the whole would take more than ${plural(MOST_CHUNKS, "chunk")} or ${bytes(MOST_DECODED)} (one is ${bytes(mean)} decoded)` : `to stay below ${count(MOST_CELLS)} cells`;
  const parts = [cut.length && cut.join(" and "), stepped.length && `${stepped.join(" and ")}, ${why}`].filter(Boolean);
  const thinned = parts.length ? `${dataset.kind === "words" ? "Shown" : "Drawn"}: ${parts.join("; ")}.` : "";
  return [thinned, dataset.decoder.note].filter(Boolean).join(" ");
}
