/**
 * Items from chunks to their places in a result, without a stop in WebAssembly's memory: each is copied once, as words
 * of 1, 2 or 4 bytes.
 */

const WORDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/** From so many words on, `set` is quicker than a loop. */
const LONG = 128;

/**
 * Bytes as words; undefined where they lie where no such words can.
 *
 * @param {Uint8Array} bytes
 * @param {1 | 2 | 4} size bytes of a word
 */
export function wordsOf({ buffer, byteOffset, byteLength }, size) {
  return byteOffset % size === 0 ? new WORDS[size](buffer, byteOffset, byteLength / size) : undefined;
}

/**
 * Copies a chunk's items to their places.
 *
 * @param {Uint8Array} source WebAssembly's memory, for the time of the call, or JavaScript's
 * @param {Uint8Array | Uint16Array | Uint32Array} target the result's words
 * @param {Int32Array} walk where it begins on either side, in words; then for each step, the outermost first, how often it
 *   is taken and how far it goes on either side
 */
export function scatter(source, target, walk) {
  // Writing to an array that was transferred fails in silence.
  if (target.length === 0) throw new TypeError("the array for the result was taken away while it was read");
  const size = target.BYTES_PER_ELEMENT;
  copy(wordsOf(source, size) ?? wordsOf(source.slice(), size), walk[0], target, walk[1], walk, 2);
}

/** Takes a step of a walk, and all those within it. */
function copy(source, from, target, to, walk, step) {
  const times = walk[step];
  const apart = walk[step + 1];
  const away = walk[step + 2];
  if (step + 3 === walk.length) return copyRow(source, from, target, to, times, apart, away);
  for (let nth = 0; nth < times; nth++) copy(source, from + nth * apart, target, to + nth * away, walk, step + 3);
}

/** Takes the innermost step. */
function copyRow(source, from, target, to, times, apart, away) {
  if (times >= LONG && apart === 1 && away === 1) {
    target.set(source.subarray(from, from + times), to);
    return;
  }
  for (let nth = 0; nth < times; nth++, from += apart, to += away) target[to] = source[from];
}
