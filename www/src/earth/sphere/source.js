// Reads pieces of a map from an array of HEALPix cells: each pixel is the value of the cell that its middle lies in.
import { nextTask } from "../../map/scene.js";

const ROWS_A_TURN = 32; // of pixels that are looked up before the page may answer

/** Where each pixel of a piece is along the axis of cells, -1 where nothing is stored, and the places to read, rising. */
async function placesIn({ placeAt }, [rows, columns], signal) {
  const count = (span) => Math.ceil((span.stop - span.start) / span.step);
  const [tall, wide] = [count(rows), count(columns)];
  const places = new Float64Array(tall * wide);
  for (let r = 0; r < tall; r++) {
    if (r % ROWS_A_TURN === ROWS_A_TURN - 1) await nextTask();
    signal?.throwIfAborted();
    for (let c = 0; c < wide; c++) places[r * wide + c] = placeAt(rows.start + r * rows.step, columns.start + c * columns.step);
  }
  const wanted = [...new Set(places)].filter((place) => place >= 0).sort((a, b) => a - b);
  return { places, wanted };
}

/** The values of a piece, by rows. */
async function readPiece(base, stored, selection, signal) {
  const spans = [selection[stored.axis], selection.at(-1)];
  const { places, wanted } = await placesIn(stored, spans, signal);
  if (!wanted.length) return { values: new Float32Array(places.length).fill(NaN), range: undefined };
  const own = selection.slice(0, -1).with(stored.axis, wanted);
  const { values, range } = await base.decoder.readCells(base.array, own, signal);
  const rankOf = new Map(wanted.map((place, rank) => [place, rank]));
  const ranks = Array.from(places, (place) => rankOf.get(place) ?? -1);
  const pixels = new values.constructor(places.length);
  ranks.forEach((rank, i) => (pixels[i] = rank < 0 ? NaN : values[rank]));
  if (values.exact) pixels.exact = ranks.map((rank) => (rank < 0 ? 0n : values.exact[rank]));
  return { values: pixels, range };
}

/** The source of the map: the array's, with positions of the map. */
export function sphereSource(base, stored, shape) {
  const { grid } = base;
  return {
    ...base, shape, stored,
    grid: {
      shape: grid.shape, isRegular: grid.isRegular, bounds: (coords) => grid.bounds(coords), runs: (axis) => grid.runs(axis),
      chunkAt(index) {
        const own = index.length > stored.shape.length ? stored.at(index) : index;
        return own ? grid.chunkAt(own) : { coords: undefined };
      },
    },
    decoder: { ...base.decoder, readCells: (_, selection, signal) => readPiece(base, stored, selection, signal) },
  };
}
