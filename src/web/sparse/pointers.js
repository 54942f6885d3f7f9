/** Pointers: for each row the place of its first element, and after the last row the number of elements. */
import { invalidLength, invalidValue, shown } from "./faults.js";
import { Spans, union } from "./spans.js";

/** Options that read integers as they are stored: every one of them counts, also the fill value. */
export const PLAIN = { mask: false, scale: false };

/** Pointers of rows into an array of elements, read where they are needed. */
export class Pointers {
  /**
   * @param {any} source the array, or a list of numbers
   * @param {string} place path of the array, for messages
   * @param {number} limit number of elements
   */
  constructor(source, place, limit) {
    this.source = source;
    this.place = place;
    this.limit = limit;
    this.isStored = typeof source.get === "function";
    /** Number of rows. */
    this.length = (this.isStored ? source.shape[0] : source.length) - 1;
    if (this.length < 0) {
      const reason = "there is no pointer; n rows have n + 1 of them";
      throw this.isStored ? invalidLength(source, reason) : invalidValue(place, 0, reason);
    }
    if (!this.isStored) this.check(new Spans([0, this.length + 1]), source);
  }

  /** Gives a function from a row in `rows`, and from the row after each of its spans, to its pointer. */
  of({ ends }, signal) {
    return this.read(union(ends.map((end, at) => end + (at % 2))), signal);
  }

  /** Gives a function from the ends of runs, in any order, to their pointers; those inside of runs are not read. */
  around({ ends }, signal) {
    return this.read(union(ends.flatMap((end) => [end, end + 1])), signal);
  }

  /** Reads the pointers of these spans, and gives a function from a row to its pointer. */
  async read(ends, signal) {
    const { source } = this;
    if (!this.isStored) return (row) => Number(source[row]);
    const spans = new Spans(ends);
    const values = await spans.read(source, { ...PLAIN, as: "float64", signal });
    this.check(spans, values);
    if (ends.length <= 2) return (row) => values[row - ends[0]];
    return (row) => values[spans.placeOf(row)];
  }

  /** Checks that pointers rise and do not lead beyond the elements. The last one, where it was read, is their number. */
  check(spans, values) {
    let before = 0;
    for (let place = 0; place < values.length; place++) {
      const value = Number(values[place]);
      const index = () => spans.indexOf(place);
      if (!Number.isInteger(value)) throw invalidValue(this.place, index(), `expected an integer, got ${shown(values[place])}`);
      if (value < before) throw invalidValue(this.place, index(), `${value} is less than ${place > 0 ? `${before}, the pointer before it` : "0"}`);
      if (value > this.limit) throw invalidValue(this.place, index(), `${value} leads beyond the ${this.limit} elements`);
      before = value;
    }
    if (spans.ends[0] === 0 && Number(values[0]) !== 0) throw invalidValue(this.place, 0, `expected 0, got ${values[0]}`);
    // A last pointer below would lose elements; a chunk that is not stored leaves zeros.
    if (spans.ends.at(-1) !== this.length + 1 || before === this.limit) return;
    throw invalidValue(this.place, this.length, `the last one is ${before}, and there are ${this.limit} elements; n rows or features have n + 1 of them, the first is 0`);
  }
}
