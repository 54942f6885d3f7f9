/**
 * Faces of HEALPix (Górski et al. 2005): places of points in the 12 faces of the sphere.
 *
 * A place in a face is `x` towards the east corner and `y` towards the west corner, both from the south corner, from 0
 * to 1. Latitudes here are those of the sphere: authalic ones, for an ellipsoid.
 */

const RADIANS = Math.PI / 180;

/** Row of each face's north corner, counted from the north pole, and column of its centre, in units of 45 degrees. */
export const ROWS = [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4];
export const COLUMNS = [1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7];

/** Latitude where the polar caps begin: sin is 2/3. */
export const CAP = Math.asin(2 / 3) / RADIANS;

/** Width of a polar cap at a latitude, relative to its width at its edge; exact to the pole. */
export function capWidth(latitude) {
  return Math.sqrt(6) * Math.sin(((90 - Math.abs(latitude)) / 2) * RADIANS);
}

/** Longitude from 0 up to 360. Few points need the remainder, which is slow for doubles. */
export function turned(longitude) {
  const east = Math.abs(longitude) < 360 ? longitude : longitude % 360;
  const found = east < 0 ? east + 360 : east;
  return found < 360 ? found : 0;
}

/**
 * Cell that contains a point, in a grid of `n` by `n` cells a face: `take(face, column, row, n)` makes the result.
 *
 * @template T
 * @param {number} longitude
 * @param {number} latitude
 * @param {number} n
 * @param {(face: number, column: number, row: number, n: number) => T} take
 */
export function cellAround(longitude, latitude, n, take) {
  const z = Math.sin(latitude * RADIANS);
  const a = turned(longitude) / 90;
  if (Math.abs(z) <= 2 / 3) {
    const p = Math.floor(n * (0.5 + a - 0.75 * z));
    const m = Math.floor(n * (0.5 + a + 0.75 * z));
    const fp = Math.floor(p / n);
    const fm = Math.floor(m / n);
    const face = fp === fm ? (fp & 3) + 4 : fp < fm ? fp : fm + 8;
    return take(face, m - fm * n, n - 1 - (p - fp * n), n);
  }
  const quarter = Math.min(3, Math.floor(a));
  const width = n * capWidth(latitude);
  const p = Math.min(Math.floor((a - quarter) * width), n - 1);
  const m = Math.min(Math.floor((1 - (a - quarter)) * width), n - 1);
  return z > 0 ? take(quarter, n - 1 - m, n - 1 - p, n) : take(quarter + 8, p, m, n);
}

/** Longitude and latitude of a place in a face. The longitude of a pole is that of the face's centre. */
export function pointOf(face, x, y) {
  const row = ROWS[face] - x - y;
  const width = row < 1 ? row : row > 3 ? 4 - row : 1;
  const capped = 90 - (2 * Math.asin(width / Math.sqrt(6))) / RADIANS;
  const latitude = row < 1 ? capped : row > 3 ? -capped : Math.asin(((2 - row) * 2) / 3) / RADIANS;
  const offset = width === 0 ? 0 : (x - y) / width;
  return [turned(45 * (COLUMNS[face] + offset)), latitude];
}
