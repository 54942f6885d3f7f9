/** Items of several elements each, as zarrita's arrays of text are: what `zarr.get` fills, and looks into by `get`. */

export class ItemArray {
  /**
   * @param {any} Elements a class of typed arrays
   * @param {number} each elements to an item
   * @param {number | ArrayBufferLike} from how many items, or where they are
   * @param {number} [byteOffset]
   * @param {number} [length] items
   */
  constructor(Elements, each, from, byteOffset, length) {
    /** All elements, item after item. */
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

  /** The elements of one item. */
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
