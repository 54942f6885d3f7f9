// Cuts an axis into what can be drawn of its chunks: one segment a chunk, or one for many that lie too close.
import { count as grouped } from "./format.js";

/**
 * From the runs of a `ChunkGrid`, never from its chunks, so that an axis of 10⁹ chunks costs no more than one of three.
 * Covers cells `from` to `to`; a chunk narrower than one `most`-th of that is drawn together with its neighbours.
 * Each segment is `{ first, count, start, stop, edge }`: its first chunk, how many, its bounds clipped to the cells
 * asked for, and a single chunk's own length.
 */
export function segments(grid, axis, to, most = 400, from = 0) {
  const least = (to - from) / most;
  const out = [];
  let chunk = 0;
  let at = 0;
  for (const { edge, count } of grid.runs(axis)) {
    const [first, begin] = [chunk, at];
    chunk += count;
    at += edge * count;
    if (at <= from) continue;
    if (begin >= to) break; // overflow chunks past the extent are not drawn
    const skipped = Math.max(0, Math.floor((from - begin) / edge));
    const end = Math.min(count, Math.ceil((to - begin) / edge));
    const start = (i) => Math.max(from, begin + i * edge);
    const stop = (i) => Math.min(to, begin + (i + 1) * edge);
    if (edge >= least) {
      for (let i = skipped; i < end; i++) out.push({ first: first + i, count: 1, start: start(i), stop: stop(i), edge });
    } else {
      const last = out.at(-1);
      if (last && last.edge === undefined) Object.assign(last, { count: last.count + end - skipped, stop: stop(end - 1) });
      else out.push({ first: first + skipped, count: end - skipped, start: start(skipped), stop: stop(end - 1), edge: undefined });
    }
  }
  return out;
}

/** "366 = 31 + 29 + 31 + …": an axis as the sum of its chunks, repeated ones counted, at most `most` terms. */
export function sumText(grid, axis, size, most = 6) {
  const sizes = [];
  let left = size;
  let more = false;
  for (const { edge, count } of grid.runs(axis)) {
    if (left <= 0) break;
    if (sizes.length >= most) {
      more = true;
      break;
    }
    const whole = Math.min(count, Math.floor(left / edge));
    if (whole > 0) sizes.push(whole > 2 ? `${grouped(whole)} × ${grouped(edge)}` : Array(whole).fill(grouped(edge)).join(" + "));
    left -= whole * edge;
    if (whole < count && left > 0) {
      sizes.push(grouped(left));
      left = 0;
    }
  }
  return sizes.join(" + ") + (more ? " + …" : "");
}
