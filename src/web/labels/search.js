/**
 * Positions of labels along an axis, by the rules of xarray's `sel`.
 *
 * Keys are numbers, bigints or texts in any order. NaN is not a label and equals none; sorted keys contain no NaN.
 * JavaScript compares bigints with numbers exactly, but subtracts only values of one type.
 */

/** Distance of two numbers or bigints. */
function distance(a, b) {
  if (typeof a !== typeof b) return Math.abs(Number(a) - Number(b));
  return a < b ? b - a : a - b;
}

/** Direction of keys: 1 where they never fall, -1 where they never rise, 0 where they are not sorted. */
export function direction(keys) {
  let [rises, falls] = [true, true];
  for (let i = 1; i < keys.length; i++) {
    rises &&= keys[i - 1] <= keys[i];
    falls &&= keys[i - 1] >= keys[i];
  }
  if (Number.isNaN(keys[0])) return 0;
  return rises ? 1 : falls ? -1 : 0;
}

/** Binary search in sorted keys: position of the first key for which `isBefore` is false. */
function first(keys, isBefore) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(keys[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All positions of a key. */
export function places(keys, key) {
  const found = [];
  for (let i = keys.indexOf(key); i >= 0; i = keys.indexOf(key, i + 1)) found.push(i);
  return found;
}

/** Whether the larger of two keys around a key is at least as near to it. */
function isLargerNearer(smaller, larger, key) {
  if (typeof larger === typeof key) return distance(larger, key) <= distance(smaller, key);
  // Doubling a number is exact, and so is a sum of bigints.
  return smaller + larger <= key + key;
}

/** Position of the key nearest to a number, the larger one of two that are equally near; -1 where there is none. */
export function nearest(keys, key) {
  let [below, above] = [-1, -1];
  keys.forEach((other, i) => {
    if (other <= key && !(other < keys[below])) below = i;
    else if (other > key && !(other > keys[above])) above = i;
  });
  if (below < 0 || above < 0) return Math.max(below, above);
  return isLargerNearer(keys[below], keys[above], key) ? above : below;
}

/**
 * Position of the key near a number by a method, within `tolerance`: `"pad"` takes the key before it along the axis,
 * `"backfill"` the key after it, `"nearest"` either. Keys must be sorted; -1 where there is none.
 */
export function near(keys, key, method, tolerance) {
  const rises = direction(keys) > 0;
  const after = first(keys, (other) => (rises ? other < key : other > key));
  const found = { pad: keys[after] === key ? after : after - 1, backfill: after < keys.length ? after : -1, nearest: nearest(keys, key) };
  const place = found[method];
  return place >= 0 && distance(keys[place], key) <= tolerance ? place : -1;
}

/** First position of a range, and the position after the last. Keys must be sorted. */
export function between(keys, isBelow, isAbove) {
  const [isBefore, isAfter] = direction(keys) > 0 ? [isBelow, isAbove] : [isAbove, isBelow];
  const start = first(keys, isBefore);
  return [start, Math.max(start, first(keys, (key) => !isAfter(key)))];
}
