/** Order in which a series takes its chunks: the whole length at equal distances first, then ever denser. */

/** Most chunks of one batch after the first, so that the list of what is read stays short. */
const MOST_AT_ONCE = 4096;

/** Most items of one batch, for the same reason. */
const MOST_ITEMS = 2 ** 20;

/** A number with its last `bits` bits backwards. */
function reversed(number, bits) {
  let found = 0;
  for (let bit = 0; bit < bits; bit++) found = found * 2 + ((number >>> bit) & 1);
  return found;
}

/**
 * Numbers below `count`, each once, in batches. The first batch lies at equal distances and has the last number too; each
 * later one halves the distances. A batch that is taken in parts is spread over the whole length by each of them.
 */
export class Spread {
  /** @param {number} count up to 2^31 @param {number} first most numbers of the first batch, the last number aside */
  constructor(count, first) {
    this.count = count;
    this.bits = count > 1 ? Math.ceil(Math.log2(count)) : 0;
    this.first = 2 ** Math.floor(Math.log2(first));
    /** Place in the sequence of numbers whose bits are turned round. */
    this.at = 0;
    this.taken = 0;
    this.hasLast = count < 2;
  }

  /** Whether all numbers were taken. */
  get isDone() {
    return this.taken === this.count;
  }

  /** End of the batch that begins here: where the distances are halved. */
  get #end() {
    if (this.at < this.first) return this.first;
    return Math.min(2 ** (Math.floor(Math.log2(this.at)) + 1), this.at + MOST_AT_ONCE);
  }

  /**
   * Lists the next batch of at most `most` numbers, rising. They stay to be taken until `take` is called with it.
   *
   * @param {number} most
   * @param {(number: number) => number} [itemsOf] number of items of one
   * @returns {{ numbers: number[], at: number }}
   */
  next(most, itemsOf = () => 0) {
    const [end, all, last] = [this.#end, 2 ** this.bits, this.count - 1];
    const numbers = [];
    let [at, items] = [this.at, 0];
    const add = (number) => {
      numbers.push(number);
      items += itemsOf(number);
    };
    if (this.isDone) return { numbers, at };
    const hasRoom = () => numbers.length < most && items < MOST_ITEMS;
    // Without a power of two, some of the sequence are none of the numbers.
    for (; at < all && (at < end || numbers.length === 0) && hasRoom(); at++) {
      const number = reversed(at, this.bits);
      if (number < last || this.count === 1) add(number);
    }
    if (!this.hasLast && hasRoom()) add(last);
    return { numbers: numbers.sort((a, b) => a - b), at };
  }

  /** Takes a batch that `next` listed. @param {{ numbers: number[], at: number }} batch */
  take({ numbers, at }) {
    this.at = at;
    this.taken += numbers.length;
    this.hasLast ||= numbers.at(-1) === this.count - 1;
  }
}
