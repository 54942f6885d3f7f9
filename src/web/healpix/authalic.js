/**
 * Authalic latitudes: those of the sphere of equal areas, on which cells of an ellipsoid are laid.
 *
 * The difference of the two latitudes is a sum of sines of their multiples. The coefficients are those of the formula
 * itself at `TERMS` latitudes, so that the sum equals it within rounding, and keeps its digits at the poles, where the
 * formula loses them.
 */

const RADIANS = Math.PI / 180;

const TERMS = 16;

/** Largest flattening for which the terms suffice; Saturn has 0.098. */
export const MOST = 0.125;

/** Authalic latitude in radians, by the formula. */
function exact(latitude, e) {
  const part = (s) => s / (1 - e * e * s * s) + Math.atanh(e * s) / e;
  return Math.asin(part(Math.sin(latitude)) / part(1));
}

/** Coefficients of sin 2x, sin 4x and so on, without those that make no difference. */
function coefficients(e) {
  const angles = Array.from({ length: TERMS }, (_, i) => ((i + 0.5) * Math.PI) / 2 / TERMS);
  const differences = angles.map((angle) => exact(angle, e) - angle);
  const all = angles.map((_, k) => differences.reduce((sum, difference, i) => sum + difference * Math.sin(2 * (k + 1) * angles[i]), 0) * (2 / TERMS));
  const used = all.findLastIndex((coefficient) => Math.abs(coefficient) > 1e-17) + 1;
  // The highest of the sines is counted twice at these latitudes.
  return all.slice(0, Math.min(used, TERMS - 1));
}

/** Sum of the sines, by Clenshaw's recurrence. */
function sum(factors, angle) {
  const twice = 2 * Math.cos(2 * angle);
  let last = 0;
  let before = 0;
  for (let k = factors.length - 1; k >= 0; k--) {
    const next = factors[k] + twice * last - before;
    before = last;
    last = next;
  }
  return last * Math.sin(2 * angle);
}

/**
 * Conversions of latitudes in degrees: `to` the authalic ones, and `from` them.
 *
 * @param {number} flattening 0 for a sphere
 */
export function authalic(flattening) {
  const same = (latitude) => latitude;
  if (flattening === 0) return { to: same, from: same };
  const factors = coefficients(Math.sqrt(flattening * (2 - flattening)));
  const to = (latitude) => latitude + sum(factors, latitude * RADIANS) / RADIANS;
  /** Each step is nearer by the factor of the sum's slope, which is small. */
  const from = (latitude) => {
    let found = latitude;
    for (let step = 0; step < 64; step++) {
      const next = latitude - sum(factors, found * RADIANS) / RADIANS;
      if (Math.abs(next - found) < 1e-15) return next;
      found = next;
    }
    return found;
  };
  return { to, from };
}
