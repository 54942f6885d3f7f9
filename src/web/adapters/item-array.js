/** Array of items of several elements each, with the interface of zarrita's text arrays, which `zarr.get` fills. */
export class ItemArray {
  /**
   * @param {any} Elements class of typed arrays
   * @param {number} each elements of an item
   * @param {number | ArrayBufferLike} from number of items to allocate, or the buffer that holds them
   * @param {number} [byteOffset]
   * @param {number} [length] number of items in the buffer
   */
  constructor(Elements, each, from, byteOffset, length = 0) {
    /** Elements of all items, item after item. */
    this.elements = typeof from === "number" ? new Elements(from * each) : new Elements(from, byteOffset, length * each);
    this.each = each;
  }

  get BYTES_PER_ELEMENT() {
    return this.each * this.elements.BYTES_PER_ELEMENT;
  }

  get buffer() {
    return this.elements.buffer;
  }

  get byteOffset() {
    return this.elements.byteOffset;
  }

  get byteLength() {
    return this.elements.byteLength;
  }

  get length() {
    return this.elements.length / this.each;
  }

  /** Elements of one item. */
  get(nth) {
    return this.elements.slice(nth * this.each, (nth + 1) * this.each);
  }

  set(nth, item) {
    this.elements.set(item, nth * this.each);
  }

  fill(item) {
    for (let nth = 0; nth < this.length; nth++) this.set(nth, item);
  }

  *[Symbol.iterator]() {
    for (let nth = 0; nth < this.length; nth++) yield this.get(nth);
  }
}
