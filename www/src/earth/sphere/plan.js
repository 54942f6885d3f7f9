// Chooses what a view of a map of cells asks for: a sample for each pixel, or as few as its chunks' bounds allow.
import { planMap } from "../../map/plan.js";
import { windowOf } from "../../map/view.js";
import { chunkBytes } from "../../model/plane.js";
import { bytes, count, ordinal } from "../../model/format.js";

const MOST = { chunks: 512, bytes: 128e6 }; // of one picture
const POINTS = [64, 128]; // rows and columns at which the chunks of a view are looked up
const PART = 8; // rows and columns of these between two that are looked up in any case
const MOST_TRIED = 16; // chunks that a cell is looked for in, before the grid is asked

const PARTS = 24; // eighths of a view that the map is cut into pieces by: of a third of it

/** The map as one chunk, of a shape by which it is cut into pieces as long as parts of the view. */
const wholeGrid = (shape, axes, box) => ({
  shape: shape.map((size, d) => (axes.includes(d) ? (PARTS * size) / (box[axes.indexOf(d)][1] - box[axes.indexOf(d)][0]) : 1)), isRegular: true,
  chunkAt: () => ({ coords: shape.map(() => 0) }),
  bounds: () => ({ start: shape.map(() => 0), stop: shape }),
});

/**
 * Chunks along the axis of cells that samples of a view lie in: those at the corners of parts of it, which are halved
 * where their corners lie in several, or in none. Of a grid in one chunk the first sample in it is enough.
 */
export function chunksIn(stored, { grid }, dataset, box, steps) {
  const isSingle = grid.shape[stored.axis] === 1;
  const origin = stored.shape.map(() => 0);
  const tried = []; // chunks, with from where to where they go
  const chunkAt = (place) => {
    const known = tried.find(([from, to]) => place >= from && place < to);
    if (known) return known[2];
    const { coords } = grid.chunkAt(origin.with(stored.axis, place));
    const { start, stop } = grid.bounds(coords);
    if (tried.length < MOST_TRIED) tried.push([start[stored.axis], stop[stored.axis], coords[stored.axis]]);
    return coords[stored.axis];
  };
  const [rows, columns] = box.map(([from, to], i) => {
    const points = Math.max(1, Math.min(POINTS[i], Math.ceil((to - from) / steps[i])));
    return Array.from({ length: points }, (_, n) => {
      const at = from + ((n + 0.5) * (to - from)) / points;
      return Math.min(dataset.shape[dataset.usual[i]] - 1, Math.max(0, Math.floor(at / steps[i]) * steps[i]));
    });
  });
  const found = new Set();
  const seen = new Map(); // by the number of a sample, its chunk, or -1
  const at = (row, column) => {
    const n = row * columns.length + column;
    if (!seen.has(n)) {
      const place = stored.placeAt(rows[row], columns[column]);
      seen.set(n, place < 0 ? -1 : chunkAt(place));
      if (place >= 0) found.add(seen.get(n));
    }
    return seen.get(n);
  };
  const look = (top, bottom, left, right) => {
    const corners = [at(top, left), at(top, right), at(bottom, left), at(bottom, right)];
    const [tall, wide] = [bottom - top, right - left];
    const isOne = corners[0] >= 0 && corners.every((chunk) => chunk === corners[0]);
    if ((isSingle && found.size) || (isOne && tall <= PART && wide <= PART) || (tall <= 1 && wide <= 1)) return;
    const [row, column] = [(top + bottom) >> 1, (left + right) >> 1];
    for (const [from, to] of tall > 1 ? [[top, row], [row, bottom]] : [[top, bottom]]) {
      for (const [west, east] of wide > 1 ? [[left, column], [column, right]] : [[left, right]]) look(from, to, west, east);
    }
  };
  look(0, rows.length - 1, 0, columns.length - 1);
  return [...found].sort((a, b) => a - b);
}

let last; // the chunks of the view that was planned last, which another step has too

/** `planMap` for a dataset that `mapOf` made; `name` says the grid in words. */
export function planSphere(stored, name, dataset, index, axes, view, room) {
  const [source] = dataset.sources;
  const { array: base } = dataset;
  const grid = base.innerChunkGrid ?? base.chunkGrid;
  const box = windowOf(view, axes.map((d) => dataset.shape[d]));
  const flat = { ...dataset, sources: [{ ...source, grid: wholeGrid(dataset.shape, axes, box) }] };
  const own = index.slice(0, -1).with(stored.axis, 0);
  for (let times = 1; ; times *= 2) {
    const plan = planMap(flat, index, axes, view, room.map((n) => Math.max(1, n / times)));
    const key = `${box};${plan.steps}`;
    if (last?.key !== key || last.stored !== stored) last = { key, stored, chunks: chunksIn(stored, { grid }, dataset, box, plan.steps) };
    const at = grid.chunkAt(own).coords;
    const touched = last.chunks.map((chunk) => at.with(stored.axis, chunk));
    const size = touched.length && chunkBytes({ grid, dtype: source.dtype }, touched[touched.length >> 1]);
    const fits = touched.length <= MOST.chunks && touched.length * size <= MOST.bytes;
    if (!fits && touched.length > 4 && plan.pieces.some(({ counts }) => Math.max(...counts) > 1)) continue;
    const why = times > 1 ? ` Every ${ordinal(times)} pixel is drawn, as all of them would take more than ${bytes(MOST.bytes)} or ${count(MOST.chunks)} chunks; zooming in draws more.` : "";
    return {
      ...plan, source, touched, strip: { axis: stored.axis, size: stored.shape[stored.axis] }, selection: own.with(stored.axis, null),
      ahead: own.with(stored.axis, touched.map((coords) => grid.bounds(coords).start[stored.axis])), // a cell of each chunk
      pieces: plan.pieces.map((piece) => ({ ...piece, source })),
      note: [`${name}${why}`, dataset.decoder.note].filter(Boolean).join(" "),
    };
  }
}
