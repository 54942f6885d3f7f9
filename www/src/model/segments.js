// Cuts an axis into what can be drawn of its chunks: one segment a chunk, or one for many that lie too close.

/**
 * From the runs of a `ChunkGrid`, never from its chunks, so that an axis of 10⁹ chunks costs no more than one of three.
 * Each segment is `{ first, count, start, stop, narrow }`: its first chunk, how many, and its bounds clipped to `size`.
 */
export function segments(grid, axis, size, most = 400) {
  const least = size / most; // a chunk narrower than this is drawn together with its neighbours
  const out = [];
  let chunk = 0;
  let at = 0;
  const push = (count, stop) => {
    const last = out.at(-1);
    const narrow = (stop - at) / count < least;
    if (narrow && last?.narrow) Object.assign(last, { count: last.count + count, stop });
    else out.push({ first: chunk, count, start: at, stop, narrow });
    chunk += count;
    at = stop;
  };
  for (const { edge, count } of grid.runs(axis)) {
    if (at >= size) break;
    const needed = Math.min(count, Math.ceil((size - at) / edge)); // overflow chunks past the extent are not drawn
    if (edge < least) push(needed, Math.min(size, at + needed * edge));
    else for (let i = 0; i < needed; i++) push(1, Math.min(size, at + edge));
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
    if (whole > 0) sizes.push(whole > 2 ? `${whole.toLocaleString("en")} × ${edge.toLocaleString("en")}` : Array(whole).fill(edge.toLocaleString("en")).join(" + "));
    left -= whole * edge;
    if (whole < count && left > 0) {
      sizes.push(left.toLocaleString("en"));
      left = 0;
    }
  }
  return sizes.join(" + ") + (more ? " + …" : "");
}
