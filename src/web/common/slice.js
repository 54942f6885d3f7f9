/**
 * Slice of an axis, as in Python: `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`.
 *
 * @param {number | null} start
 * @param {number | null} [stop]
 * @param {number | null} [step]
 */
export function slice(start, stop, step = null) {
  return stop === undefined ? { start: null, stop: start, step } : { start, stop, step };
}
