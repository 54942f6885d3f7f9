// Chooses what a view of a plane asks for: the level that fits the screen, every nth cell of it, in pieces from the centre out.
import { slice } from "rectilinear-zarr";
import { bytes, count, ordinal, plural } from "../model/format.js";
import { meanBytes, touchedAlong } from "../model/plane.js";
import { windowOf } from "./view.js";

const MOST_PIXELS = 1e6; // of the screen that are worth a sample of their own
const PIECE = { whole: 512, part: 256, chunks: 8 }; // samples along a piece, of the whole plane or a part of it, and the most chunks: what a piece has out of view is read for nothing
/** Bounds of a view's reads: of chunks side by side; of chunks that lie apart, one sample each, at first and while nobody moves; and where all was asked for. */
const BOUNDS = { near: { chunks: 2048, bytes: 128e6 }, apart: [{ chunks: 128, bytes: 16e6 }, { chunks: 512, bytes: 64e6 }], all: { chunks: 16_384, bytes: Infinity } };
/** How much of a view is read whose chunks are too many: some, more, or all of them. */
export const DEPTH = { first: 0, idle: 1, all: 2 };

/** Whether a plane along these axes is drawn as a map. */
export const isMap = ({ kind, shape }, axes) => kind === "numbers" && axes.length === 2 && !shape.includes(0);

const stepUnder = (cells) => 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, cells)) + 1e-9));

/** Where in a source the position along the axes that are not drawn is. */
export function originIn(source, dataset, index, axes) {
  return index.map((at, d) => (axes.includes(d) ? 0 : Math.min(source.shape[d] - 1, Math.floor((at * source.shape[d]) / dataset.shape[d]))));
}

/** Cells of a source along a drawn axis that a view reaches over, to whole samples. */
function reach(source, size, [from, to], i, step) {
  const [first, last] = [from, to].map((at) => (at - source.offset[i]) / source.scale[i]);
  const start = Math.max(0, Math.floor(Math.floor(first + 1e-6) / step) * step);
  return [Math.min(start, Math.floor((size - 1) / step) * step), Math.max(1, Math.min(size, Math.ceil(last - 1e-6)))];
}

/** Cells at which pieces of an axis are cut: at the ends of chunks where one is near, so that few chunks belong to two. */
function cutsAlong({ grid }, origin, d, size, [from, to], step, isWhole) {
  const most = stepUnder((PIECE.chunks * size) / grid.shape[d] / step);
  const long = step * Math.min(Math.max(8, most), isWhole ? PIECE.whole : PIECE.part);
  const cuts = [];
  for (let n = Math.floor(from / long); ; n++) {
    const chunk = n * long < size ? grid.bounds(grid.chunkAt(origin.with(d, n * long)).coords).start[d] : size;
    const start = Math.ceil(chunk / step) * step;
    const at = n * long < size && n * long - start > long / 2 ? n * long : Math.min(size, start);
    if (at <= from) cuts.length = 0;
    cuts.push(at);
    if (at >= to) return cuts;
  }
}

/** How many chunks of a source a view lies in. */
function chunksIn({ grid }, origin, axes, reaches) {
  const nth = (d, at) => grid.chunkAt(origin.with(d, at)).coords[d];
  return axes.reduce((all, d, i) => all * (nth(d, reaches[i][1] - 1) - nth(d, reaches[i][0]) + 1), 1);
}

/**
 * Cells of one source in a view, by steps as fine as the screen or as the bounds allow, equal along both axes if they are to be even; `fits` where the bounds took
 * nothing. Else `fine` are the steps that the screen would show, and `whole` the number of chunks they would take.
 */
function planOn(source, dataset, index, axes, { box, pixels, isWhole, depth, isEven }) {
  const origin = originIn(source, dataset, index, axes);
  const size = axes.map((d) => source.shape[d]);
  const fine = box.map(([from, to], i) => stepUnder((to - from) / pixels[i] / source.scale[i]));
  const near = depth === DEPTH.all ? BOUNDS.all : BOUNDS.near;
  let steps = fine;
  for (let bound = near; ; bound = BOUNDS.apart[Math.min(depth, DEPTH.idle)]) {
    const reaches = axes.map((d, i) => reach(source, size[i], box[i], i, steps[i]));
    const cuts = axes.map((d, i) => cutsAlong(source, origin, d, size[i], reaches[i], steps[i], isWhole));
    const along = axes.map((d, i) => touchedAlong(source.grid, origin, d, [cuts[i][0], cuts[i].at(-1)], steps[i], bound.chunks));
    const [rows, cols] = along.map((list) => list.length);
    const mean = meanBytes(source, origin, axes, along);
    const few = rows * cols <= 4 || (rows * cols <= bound.chunks && rows * cols * mean <= bound.bytes);
    if (few || Math.max(...steps.map((step, i) => size[i] / step)) <= 1) {
      const fits = bound === near;
      return { source, origin, steps, cuts, along, mean, size, fits, fine, whole: fits ? undefined : chunksIn(source, origin, axes, axes.map((d, i) => reach(source, size[i], box[i], i, fine[i]))) };
    }
    // Of the axes along which there are several chunks both give way, or the one of more, to a chunk's length at least.
    const gives = [0, 1].map((i) => along[i].length > 1 && (isEven || i === (rows >= cols ? 0 : 1)));
    const next = Math.max(...steps.map((step, i) => (gives[i] ? Math.max(step * 2, stepUnder(size[i] / source.grid.shape[axes[i]])) : 0)));
    steps = steps.map((step, i) => (gives[i] ? next : step));
  }
}

/**
 * The plane of `dataset` at `index` along `axes` (rows, columns) as far as `view` shows it on `room` pixels (rows,
 * columns). `pieces` are what to read, the nearest to the centre first; `touched` the chunks of `source` that they need,
 * of which `along` has the numbers along both axes. Where not all are read, `fits` is false.
 */
export function planMap(dataset, index, axes, view, room, depth = DEPTH.first, isEven = true) {
  const size = axes.map((d) => dataset.shape[d]);
  const box = windowOf(view, size);
  const dense = Math.min(1, Math.sqrt(MOST_PIXELS / (room[0] * room[1])));
  const pixels = room.map((n) => Math.max(1, n * dense));
  const usable = dataset.sources.filter((source) => !source.axes || String(source.axes) === String(axes));
  const isFine = ({ scale }) => scale.every((cells, i) => (cells * pixels[i]) / (box[i][1] - box[i][0]) <= 1.01);
  const begin = Math.max(0, usable.findLastIndex(isFine));
  let plan;
  for (const source of usable.slice(begin)) {
    plan = planOn(source, dataset, index, axes, { box, pixels, isWhole: view.zoom === 1, depth, isEven });
    if (plan.fits) break;
  }
  const { source, origin, steps, cuts, along, fits, fine, whole } = plan;
  const at = `${index.filter((_, d) => !axes.includes(d))}`;
  const pitch = steps.map((step, i) => step * source.scale[i]);
  const pieces = piecesOf({ ...plan, axes, at, pitch }).sort((a, b) => distance(a, view) - distance(b, view));
  const first = source.grid.chunkAt(origin).coords;
  const touched = axes.reduce((list, d, i) => list.flatMap((coords) => along[i].map((n) => coords.with(d, n))), [first]);
  // Samples are named by cells of the array: of a level, those in the middle of the level's.
  const taken = axes.map((axis, i) => ({
    axis, step: pitch[i], count: Math.ceil((cuts[i].at(-1) - cuts[i][0]) / steps[i]),
    first: source.offset[i] + cuts[i][0] * source.scale[i] + (source.level ? pitch[i] / 2 : 0),
  }));
  const shown = axes.map((axis, i) => ({ axis, stop: size[i], step: pitch[i], count: Math.ceil(source.shape[axis] / steps[i]) }));
  const spanOf = (i) => (steps[i] === 1 && cuts[i][0] === 0 && cuts[i].at(-1) === source.shape[axes[i]] ? null : slice(cuts[i][0], cuts[i].at(-1), steps[i]));
  const selection = origin.map((n, d) => (axes.includes(d) ? spanOf(axes.indexOf(d)) : n));
  return { fits, fine, along, whole, isMap: true, index, axes, at, view, shown, source, steps, pitch, pieces, selection, taken, starts: cuts.map(([first]) => first), swapped: axes[0] > axes[1], touched, note: noteOf(dataset, axes, plan) };
}

const distance = ({ box }, { centre }) => Math.hypot(...box.map(([from, to], i) => ((from + to) / 2 - centre[i]) / (to - from)));

function piecesOf({ source, origin, steps, cuts, axes, at, pitch }) {
  const spans = cuts.map((list) => list.slice(1).map((to, i) => [list[i], to]));
  return spans[0].flatMap((rows) => spans[1].map((cols) => {
    const parts = [rows, cols];
    const counts = parts.map(([from, to], i) => Math.ceil((to - from) / steps[i]));
    const selection = origin.slice();
    axes.forEach((d, i) => (selection[d] = slice(...parts[i], steps[i])));
    const box = parts.map(([from], i) => [from, from + counts[i] * steps[i]].map((n) => source.offset[i] + n * source.scale[i]));
    const key = `${source.level};${steps};${at};${parts.map(([from, to]) => `${from}-${to}`)}`;
    return { key, at, source, steps, pitch, origin, axes, start: parts.map(([from]) => from), counts, selection, box, isSwapped: axes[0] > axes[1] };
  }));
}

function noteOf(dataset, axes, { source, steps, mean, fits }) {
  const apart = axes.flatMap((d, i) => (steps[i] > 1 ? [`every ${ordinal(steps[i])} along ${dataset.axes[d].name}`] : []));
  const level = source.level ? `level ${source.level}, whose cells are ${source.scale.map((n) => Number(n.toPrecision(3))).join(" × ")} of the array's` : "";
  const why = fits ? "" : `, as all of them would take more than ${bytes(BOUNDS.near.bytes)} or ${count(BOUNDS.near.chunks)} chunks (${plural(1, "chunk")} is ${bytes(mean)} decoded)`;
  const parts = [level, apart.length && `${apart.join(" and ")}${why}`].filter(Boolean);
  return [parts.length ? `Drawn: ${parts.join("; ")}.${fits ? "" : " What was read of these is drawn as finely as the screen shows it."} Zooming in draws more.` : "", dataset.decoder.note].filter(Boolean).join(" ");
}
