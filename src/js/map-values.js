/**
 * Values of a `Map`, each in one call: where thousands of small chunks are decoded, every crossing into and out of
 * WebAssembly counts, and those of strings most of all.
 */

const WORDS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/**
 * Copies the value of a key into `room`.
 *
 * @param {Map<string, unknown>} map
 * @param {string} head the key without the number that ends it
 * @param {number} tail that number
 * @param {Uint8Array} room WebAssembly's memory, for the time of the call
 * @returns {number} the value's length; -1 where there is none, -2 where it is not bytes, or more than there is room for
 */
export function copyValue(map, head, tail, room) {
  const value = map.get(head + tail);
  if (value === undefined) return -1;
  if (!(value instanceof Uint8Array) || value.length > room.length) return -2;
  room.set(value);
  return value.length;
}

/**
 * Fills `room` with some words of the value of a key.
 *
 * @param {Map<string, unknown>} map
 * @param {string} head the key without the number that ends it
 * @param {number} tail that number
 * @param {Uint32Array} walk bytes that the value must have, bytes of a word, the first word's place, and for each step,
 *   the outermost first, how many words are met and how far they are apart
 * @param {Uint8Array} room WebAssembly's memory, for the time of the call
 * @returns {number} the room's length; -1 where there is no such value, -2 where it is not bytes, or other ones
 */
export function gatherValue(map, head, tail, [length, size, start, ...steps], room) {
  const value = map.get(head + tail);
  if (value === undefined) return -1;
  const lies = (bytes) => bytes.byteOffset % size === 0;
  if (!(value instanceof Uint8Array) || value.length !== length || !lies(value) || !lies(room)) return -2;
  const words = ({ buffer, byteOffset, byteLength }) => new WORDS[size](buffer, byteOffset, byteLength / size);
  gather(words(value), start, steps, 0, words(room), 0);
  return room.length;
}

/** Copies the words that the steps from one on meet, and returns where the next one goes. */
function gather(source, from, steps, step, target, to) {
  const [count, apart] = [steps[step], steps[step + 1]];
  const isLast = step + 2 === steps.length;
  for (let nth = 0; nth < count; nth++, from += apart) {
    if (isLast) target[to++] = source[from];
    else to = gather(source, from, steps, step + 2, target, to);
  }
  return to;
}
