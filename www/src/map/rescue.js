// Reads what is good of a piece of a map of which a chunk cannot be read: each of its chunks by itself. Loaded with the first such piece.
import { slice } from "rectilinear-zarr";
import { merged } from "./scene.js";

const AT_ONCE = 8; // chunks, of which one at least has to be good for the others to be tried

/** Whether a failure is of what is stored under one key, so that another one may be good. */
const isOfOneChunk = ({ name, status }) => name === "CodecError" || (name === "StoreError" && status !== undefined && status !== 401 && status !== 429);

/** Parts of a piece along one of its axes, one for each chunk: the number of the first sample, and how many. */
function partsAlong({ source: { grid }, origin, axes, start, counts, steps }, i) {
  const parts = [];
  for (let n = 0; n < counts[i]; ) {
    const cell = start[i] + n * steps[i];
    const { coords } = grid.chunkAt(origin.with(axes[i], cell));
    const count = Math.min(counts[i] - n, Math.ceil((grid.bounds(coords).stop[axes[i]] - cell) / steps[i]));
    parts.push({ first: n, count });
    n += count;
  }
  return parts;
}

/** A piece as far as it lies in a part of its rows and of its columns. */
function partOf(piece, parts) {
  const start = piece.start.map((from, i) => from + parts[i].first * piece.steps[i]);
  const counts = parts.map(({ count }) => count);
  const within = (selection) => piece.axes.reduce((own, d, i) => own.with(d, slice(start[i], start[i] + (counts[i] - 1) * piece.steps[i] + 1, piece.steps[i])), selection);
  return { ...piece, parts, start, counts, selection: within(piece.selection), others: piece.others?.map(within) };
}

/** Values of a piece, put together from those of its parts; NaN elsewhere. */
function joinedOf({ counts: [rows, columns] }, found) {
  const values = new (found[0]?.values.constructor ?? Float32Array)(rows * columns).fill(NaN);
  const exact = found.some(({ values: own }) => own.exact) ? Array.from(values, () => 0n) : undefined;
  for (const { parts: [down, across], values: own } of found) {
    for (let n = 0; n < own.length; n++) {
      const at = (down.first + Math.floor(n / across.count)) * columns + across.first + (n % across.count);
      values[at] = own[n];
      if (exact) exact[at] = own.exact?.[n] ?? (Number.isNaN(own[n]) ? 0n : BigInt(own[n]));
    }
  }
  return { values: exact ? Object.assign(values, { exact }) : values, range: found.reduce((all, { range }) => merged(all, range), undefined) };
}

/**
 * Content of a piece whose read failed by `error`, as `read(part, signal)` gives that of a part of it: `faults` are the
 * failures of its chunks, `lost` what they hold of it, as `[rows, columns]` of samples from and to, and `isLost` says that
 * nothing of it was good. Rejects where the failure is of more than a chunk.
 */
export async function rescued(piece, error, read, signal) {
  if (!isOfOneChunk(error)) throw error;
  const alone = [0, 1].map((i) => ({ first: 0, count: piece.counts[i] }));
  const [rows, columns] = piece.source.stored ? alone.map((part) => [part]) : [0, 1].map((i) => partsAlong(piece, i));
  const parts = rows.flatMap((down) => columns.map((across) => partOf(piece, [down, across])));
  const found = [];
  const faults = [];
  const lost = [];
  for (let at = 0; parts.length > 1 && at < parts.length && (at === 0 || found.length); at += AT_ONCE) {
    await Promise.all(parts.slice(at, at + AT_ONCE).map(async (part) => {
      try {
        found.push({ ...(await read(part, signal)), parts: part.parts });
      } catch (fault) {
        signal.throwIfAborted();
        if (!isOfOneChunk(fault)) throw fault;
        faults.push(fault);
        lost.push(part.parts.map(({ first, count }) => [first, first + count]));
      }
    }));
  }
  const isLost = !found.length;
  const more = { faults: faults.length ? faults : [error], lost: isLost ? [alone.map(({ count }) => [0, count])] : lost, isLost };
  const layersOf = (channel, nth) => ({ ...joinedOf(piece, found.map(({ layers, parts: own }) => ({ ...layers[nth], parts: own }))), counts: piece.counts, channel });
  if (piece.join !== "channels") return { ...joinedOf(piece, found), ...more };
  const layers = piece.channels.map((channel, nth) => layersOf(channel, nth));
  return { ...layers[0], layers, ...more };
}
