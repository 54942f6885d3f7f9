// Reads pieces of a map from an array of cells along one axis: each pixel is the value of the cell that its middle lies in.
import { nextTask } from "../../map/next-task.js";

const SLICE = 8; // ms of looking up before the page may answer
const MOST_NARROW = 2 ** 31; // cells whose numbers are looked up as int32
const MOST_KEPT = 2 ** 22; // pixels whose cells are kept, for other steps

let began = -Infinity; // when the task began that looks up now: pieces that are looked up at once share it

/** Yields to the page where its turn has taken long, or where this piece `must` have one of its own. */
async function turn(signal, must = false) {
  if (!must && performance.now() - began < SLICE) return;
  await nextTask();
  signal?.throwIfAborted();
  began = performance.now();
}

/** Where a place is in a rising list that has it. */
function rankIn(wanted, place) {
  let [low, high] = [0, wanted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (wanted[middle] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The places of a rising list that are no less than 0, each once: integers, as the package takes many of them soonest. */
function distinct(sorted) {
  let count = 0;
  for (let n = 0; n < sorted.length; n++) if (sorted[n] >= 0 && sorted[n] !== sorted[count - 1]) sorted[count++] = sorted[n];
  const found = sorted.slice(0, count);
  return found instanceof Int32Array ? found : Array.from(found);
}

/** The places along the axis of cells to read for a piece, rising, and the rank of each pixel's in them, -1 where nothing is stored. */
async function placesIn({ placeAt, shape, axis }, [rows, columns], signal) {
  const count = (span) => Math.ceil((span.stop - span.start) / span.step);
  const [tall, wide] = [count(rows), count(columns)];
  const places = new (shape[axis] <= MOST_NARROW ? Int32Array : Float64Array)(tall * wide);
  for (let r = 0; r < tall; r++) {
    await turn(signal, r === 0);
    for (let c = 0; c < wide; c++) places[r * wide + c] = placeAt(rows.start + r * rows.step, columns.start + c * columns.step);
  }
  await turn(signal, true);
  const wanted = distinct(places.slice().sort());
  const ranks = new Int32Array(places.length);
  for (let r = 0; r < tall; r++) {
    await turn(signal);
    for (let n = r * wide; n < (r + 1) * wide; n++) ranks[n] = places[n] >= 0 ? rankIn(wanted, places[n]) : -1;
  }
  return { ranks, wanted };
}

/** What looks up the places of pieces, and keeps those that were looked up last: every step of a view has the same. */
function createLookup(stored) {
  const kept = new Map(); // by spans, the last used at the end
  let held = 0;
  return async (spans, signal) => {
    const key = spans.map(({ start, stop, step }) => `${start}:${stop}:${step}`).join();
    const found = kept.get(key) ?? (await placesIn(stored, spans, signal));
    if (!kept.delete(key)) held += found.ranks.length;
    kept.set(key, found);
    for (const [old, { ranks }] of kept) {
      if (held <= MOST_KEPT || old === key) break;
      kept.delete(old);
      held -= ranks.length;
    }
    return found;
  };
}

/** The values of a piece, by rows. */
async function readPiece(base, stored, lookup, selection, signal) {
  const { ranks, wanted } = await lookup([selection[stored.axis], selection.at(-1)], signal);
  if (!wanted.length) return { values: new Float32Array(ranks.length).fill(NaN), range: undefined };
  const own = selection.slice(0, -1).with(stored.axis, wanted);
  const { values, range } = await base.decoder.readCells(base.array, own, signal);
  const pixels = new values.constructor(ranks.length);
  for (let i = 0; i < ranks.length; i++) pixels[i] = ranks[i] < 0 ? NaN : values[ranks[i]];
  if (values.exact) pixels.exact = Array.from(ranks, (rank) => (rank < 0 ? 0n : values.exact[rank]));
  return { values: pixels, range };
}

/** The source of the map: the array's, with positions of the map. */
export function sphereSource(base, stored, shape) {
  const { grid } = base;
  const lookup = createLookup(stored);
  return {
    ...base, shape, stored,
    grid: {
      shape: grid.shape, isRegular: grid.isRegular, bounds: (coords) => grid.bounds(coords), runs: (axis) => grid.runs(axis),
      chunkAt(index) {
        const own = index.length > stored.shape.length ? stored.at(index) : index;
        return own ? grid.chunkAt(own) : { coords: undefined };
      },
    },
    decoder: { ...base.decoder, readCells: (_, selection, signal) => readPiece(base, stored, lookup, selection, signal) },
  };
}
