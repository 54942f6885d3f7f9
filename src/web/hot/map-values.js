/**
 * Values of a `Map`, each in one call: where thousands of small chunks are decoded, every crossing into and out of
 * WebAssembly counts, and those of strings and arrays most of all.
 */
export class Values {
  #map;
  #memory;
  #bytes;
  #words;

  /** What a key has before the number that ends it. */
  head = "";

  /**
   * @param {Map<string, unknown>} map
   * @param {WebAssembly.Memory} memory
   */
  constructor(map, memory) {
    this.#map = map;
    this.#memory = memory;
    this.#look();
  }

  /**
   * Copies the value of a key into WebAssembly's memory.
   *
   * @param {number} tail the number that ends the key
   * @param {number} at where it begins there
   * @param {number} room how long it may be
   * @returns {number} its length; -1 where there is none, -2 where it is not bytes, or more than there is room for
   */
  copy(tail, at, room) {
    const value = this.#map.get(this.head + tail);
    if (value === undefined) return -1;
    if (!(value instanceof Uint8Array) || value.length > room) return -2;
    // Memory that has grown is another buffer, and nothing is left of the last one.
    if (this.#bytes.length === 0) this.#look();
    // To copy from an array that was transferred fails, though it has nothing.
    if (value.length > 0) this.#bytes.set(value, at);
    return value.length;
  }

  /**
   * Copies the values of keys whose numbers go up by one, one after the other, as far as each is bytes that there is
   * room for.
   *
   * @param {number} tail the number that ends the first key
   * @param {number} count how many, at most
   * @param {number} at where the first one begins in WebAssembly's memory
   * @param {number} room how long they may be together
   * @param {number} lengths where their lengths are put, as words
   * @returns {number} how many they are
   */
  copyRow(tail, count, at, room, lengths) {
    const end = at + room;
    for (let nth = 0; nth < count; nth++) {
      const length = this.copy(tail + nth, at, end - at);
      if (length < 0) return nth;
      this.#words[lengths / 4 + nth] = length;
      at += length;
    }
    return count;
  }

  #look() {
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#words = new Uint32Array(this.#memory.buffer);
  }
}
