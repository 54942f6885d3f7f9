// Reads a piece of a map: its values by rows, whichever way the array runs.
import { joined } from "../reading/layers.js";

/**
 * The values of a piece by rows, and their range; where it joins several positions, what comes of them. Where some of its
 * chunks cannot be read, what `rescued` says.
 */
export const readPiece = (piece, signal) => readOnce(piece, signal).catch(async (error) => {
  signal.throwIfAborted();
  const { rescued } = await import("./rescue.js");
  return rescued(piece, error, readOnce, signal);
});

async function readOnce(piece, signal) {
  if (!piece.join) return readCells(piece, piece.selection, signal);
  const other = piece.less ? { ...piece, source: piece.less } : piece; // of another array
  return joined(piece, await Promise.all([readCells(piece, piece.selection, signal), ...piece.others.map((selection) => readCells(other, selection, signal))]));
}

/** The values at one position. */
async function readCells({ source, counts, isSwapped }, selection, signal) {
  const { values, range } = await source.decoder.readCells(source.array, selection, signal);
  if (!isSwapped) return { values, range };
  const [rows, cols] = counts;
  const turned = (list) => list.map((_, i) => list[(i % cols) * rows + Math.floor(i / cols)]);
  const { exact, labels } = values;
  return { range, values: Object.assign(turned(values), exact && { exact: turned(exact) }, labels && { labels: turned(labels) }) };
}
