/**
 * Places of labels along an axis, by the rules of xarray's `sel`.
 *
 * Keys are numbers, bigints or texts in any order. NaN is no label, and equals none; among keys that have an order there is
 * none. JavaScript compares bigints with numbers by their values, and so exactly, but subtracts only like from like.
 */

/** How far two numbers or bigints are apart. */
function distance(a, b) {
  if (typeof a !== typeof b) return Math.abs(Number(a) - Number(b));
  return a < b ? b - a : a - b;
}

/** 1 where keys never fall, -1 where they only fall, else 0. */
export function direction(keys) {
  let [rises, falls] = [true, true];
  for (let i = 1; i < keys.length; i++) {
    rises &&= keys[i - 1] <= keys[i];
    falls &&= keys[i - 1] >= keys[i];
  }
  if (Number.isNaN(keys[0])) return 0;
  return rises ? 1 : falls ? -1 : 0;
}

/** The place of the first key, of those in some order, that does not come before others. */
function first(keys, isBefore) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(keys[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Every place of a key. */
export function places(keys, key) {
  const found = [];
  for (let i = keys.indexOf(key); i >= 0; i = keys.indexOf(key, i + 1)) found.push(i);
  return found;
}

/** Whether of two keys around another one the larger is as near to it, or nearer. */
function isLargerNearer(smaller, larger, key) {
  if (typeof larger === typeof key) return distance(larger, key) <= distance(smaller, key);
  // A double of a number is exact, and so is the sum of bigints.
  return smaller + larger <= key + key;
}

/** The place of the number nearest to another, of two as near the larger one; -1 where there is none. */
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
 * The place of a number, or by a method of one near it and no farther than `tolerance`: `"pad"` is the one before it along
 * the axis, `"backfill"` the one after it. Keys have an order; -1 where there is none.
 */
export function near(keys, key, method, tolerance) {
  const rises = direction(keys) > 0;
  const after = first(keys, (other) => (rises ? other < key : other > key));
  const found = { pad: keys[after] === key ? after : after - 1, backfill: after < keys.length ? after : -1, nearest: nearest(keys, key) };
  const place = found[method];
  return place >= 0 && distance(keys[place], key) <= tolerance ? place : -1;
}

/** The first place of a range, and the one after the last. Keys have an order. */
export function between(keys, isBelow, isAbove) {
  const [isBefore, isAfter] = direction(keys) > 0 ? [isBelow, isAbove] : [isAbove, isBelow];
  const start = first(keys, isBefore);
  return [start, Math.max(start, first(keys, (key) => !isAfter(key)))];
}
