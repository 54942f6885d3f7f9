/**
 * Values of a `Map`, each in one call: where thousands of small chunks are decoded, every crossing into and out of
 * WebAssembly counts, and those of strings most of all.
 */

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
  // To copy from an array that was transferred fails, though it has nothing.
  if (value.length > 0) room.set(value);
  return value.length;
}
