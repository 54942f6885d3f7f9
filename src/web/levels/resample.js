/** Resampling of a window of a level to the pixels of a tile, in nearest or bilinear mode; NaN is missing. */

/** Place of a pixel in the window; -1 outside of it. */
function inWindow(at, [start, stop], around) {
  if (around) return ((at % around) + around) % around;
  return at >= start && at < stop ? at - start : -1;
}

/** Whole pixels around a place, and the weight of the second: one pixel for the nearest. */
function neighbours(at, range, size, around, isClosed, isBilinear) {
  if (!isClosed && !(at >= 0 && at <= size)) return undefined;
  // The far edge belongs to the last pixel.
  if (!isBilinear) return [inWindow(isClosed ? Math.floor(at) : Math.min(Math.floor(at), size - 1), range, around), -1, 0];
  const low = Math.floor(at - 0.5);
  const weight = at - 0.5 - low;
  const [first, second] = isClosed ? [low, low + 1] : [Math.max(low, 0), Math.min(low + 1, size - 1)];
  return [inWindow(first, range, around), inWindow(second, range, around), weight];
}

/** Mean of four values by weights, of those that are not missing. */
function mean(values, weights) {
  let [sum, total] = [0, 0];
  for (let i = 0; i < 4; i++) {
    if (!(weights[i] > 0) || Number.isNaN(values[i])) continue;
    sum += values[i] * weights[i];
    total += weights[i];
  }
  return total > 1e-9 ? sum / total : NaN;
}

/**
 * Values of a tile's pixels.
 *
 * @param {any} plan of `planned`
 * @param {{ data: any, stride: [number, number] }} region values of the window, and the distances between its rows and columns
 */
export function resampled({ size, method, level, window, cols, rows, each, isClosed }, { data, stride }) {
  const result = new Float32Array(size * size).fill(NaN);
  const [height, width] = level.shape;
  const isBilinear = method === "bilinear";
  const across = (i) => neighbours(cols[i], window.cols, width, window.around, isClosed, isBilinear);
  const down = (i) => neighbours(rows[i], window.rows, height, 0, false, isBilinear);
  const read = (row, col) => (row < 0 || col < 0 ? NaN : data[row * stride[0] + col * stride[1]]);
  /** @type {any} */
  const columns = each ? undefined : Array.from(cols, (_, i) => across(i));
  for (let row = 0; row < size; row++) {
    const line = each ? undefined : down(row);
    for (let col = 0; col < size; col++) {
      const i = row * size + col;
      const [v, h] = each ? [down(i), across(i)] : [line, columns[col]];
      if (!v || !h) continue;
      const [top, bottom, low] = v;
      const [left, right, far] = h;
      if (!isBilinear) result[i] = read(top, left);
      else {
        const values = [read(top, left), read(top, right), read(bottom, left), read(bottom, right)];
        // A pixel that is missing itself stays missing, as in GDAL; its neighbours are left out.
        const own = (low < 0.5 ? 0 : 2) + (far < 0.5 ? 0 : 1);
        if (!Number.isNaN(values[own])) result[i] = mean(values, [(1 - low) * (1 - far), (1 - low) * far, low * (1 - far), low * far]);
      }
    }
  }
  return result;
}
