// Reads a piece of a map: its values by rows, whichever way the array runs.
import { joined } from "../reading/layers.js";

/** The values of a piece by rows, and their range; where it joins several positions, what comes of them. */
export async function readPiece(piece, signal) {
  if (!piece.join) return readCells(piece, piece.selection, signal);
  return joined(piece, await Promise.all([piece.selection, ...piece.others].map((selection) => readCells(piece, selection, signal))));
}

/** The values at one position. */
async function readCells({ source, counts, isSwapped }, selection, signal) {
  const { values, range } = await source.decoder.readCells(source.array, selection, signal);
  if (!isSwapped) return { values, range };
  const [rows, cols] = counts;
  const turned = (list) => list.map((_, i) => list[(i % cols) * rows + Math.floor(i / cols)]);
  return { range, values: values.exact ? Object.assign(turned(values), { exact: turned(values.exact) }) : turned(values) };
}
