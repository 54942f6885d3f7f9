/**
 * Copies of items from chunks directly to their places in a result, not through WebAssembly's memory: each item is
 * copied once, as words of 1, 2 or 4 bytes.
 */

const WORDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/** Number of words from which on `set` is faster than a loop. */
const LONG = 128;

/**
 * View of bytes as words; undefined where their offset is not aligned to the words.
 *
 * @param {Uint8Array<any>} bytes
 * @param {number} size size of a word in bytes: 1, 2 or 4
 */
export function wordsOf({ buffer, byteOffset, byteLength }, size) {
  return byteOffset % size === 0 ? new WORDS[size](buffer, byteOffset, byteLength / size) : undefined;
}

/**
 * Copies a chunk's items to their places.
 *
 * @param {Uint8Array} source in JavaScript's memory or, during the call, WebAssembly's
 * @param {Uint8Array | Uint16Array | Uint32Array} target the result's words
 * @param {Int32Array} walk loops of the copy, in words: the start in source and target; then for each loop, the
 *   outermost first, the number of steps, and the stride in source and target
 */
export function scatter(source, target, walk) {
  // Writing to a transferred array fails without an error.
  if (target.length === 0) throw new TypeError("the result's array was transferred during the read");
  const size = target.BYTES_PER_ELEMENT;
  copy(wordsOf(source, size) ?? wordsOf(source.slice(), size), walk[0], target, walk[1], walk, 2);
}

/** Runs a loop of a walk, and the loops within it. */
function copy(source, from, target, to, walk, step) {
  const times = walk[step];
  const apart = walk[step + 1];
  const away = walk[step + 2];
  if (step + 3 === walk.length) return copyRow(source, from, target, to, times, apart, away);
  for (let nth = 0; nth < times; nth++) copy(source, from + nth * apart, target, to + nth * away, walk, step + 3);
}

/** Runs the innermost loop. */
function copyRow(source, from, target, to, times, apart, away) {
  if (times >= LONG && apart === 1 && away === 1) {
    target.set(source.subarray(from, from + times), to);
    return;
  }
  for (let nth = 0; nth < times; nth++, from += apart, to += away) target[to] = source[from];
}
