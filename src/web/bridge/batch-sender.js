/**
 * Sends requests for a store's values in batches. In reads of thousands of small chunks, each call into and out of
 * WebAssembly takes a large share of the time, most of all calls that pass strings and arrays.
 */

import { Batch, Part, bytesOf } from "./batch.js";

/** A zarrita `Readable`, with the methods that it had when it was opened. */
export class BatchSender {
  #store;
  #get;
  #getRange;
  #answered;
  #onRequest;
  #settled = [];

  /**
   * @param {object} [store] a zarrita `Readable`
   * @param {Function} [get]
   * @param {Function} [getRange]
   * @param {(settled: number[]) => void} [answered] called with late values: four numbers for each, its flight, its
   *   place in the flight, its length or state, and the length of the whole value or -1
   * @param {Function} [onRequest] the caller's listener, called for each value that came
   */
  constructor(store, get, getRange, answered, onRequest) {
    this.#store = store;
    this.#get = get;
    this.#getRange = getRange ?? (isMap(store) ? partOfMap : undefined);
    this.#answered = answered;
    this.#onRequest = onRequest;
  }

  /** Forgets the callback: answers that come from now on are dropped. */
  close() {
    this.#answered = undefined;
    this.#onRequest = undefined;
  }

  /**
   * Requests values in order, until `most` of them are late.
   *
   * @param {string} keys the keys, each ended by a NUL
   * @param {Float64Array} ranges four numbers for each key: the flight; the number of values, whose keys end with
   *   consecutive numbers; the offset of the range in bytes, or -1 for a suffix; the length of the range in bytes, or
   *   -1 for all
   * @param {number} most number of values that may be late
   * @returns {Batch} the values that were requested
   */
  ask(keys, ranges, most) {
    const batch = new Batch(most === 1);
    this.#askAll(batch, keys, [...ranges], most);
    if (this.#onRequest) batch.values().forEach((nth) => batch.isLate(nth) || batch.report(nth, this.#onRequest));
    return batch;
  }

  /** Requests values. `ranges` is not a view of WebAssembly's memory, which may grow if the store calls into it. */
  #askAll(batch, keys, ranges, most) {
    let [start, late] = [0, 0];
    for (let nth = 0; nth < ranges.length; nth += 4) {
      const end = keys.indexOf("\0", start);
      const key = `/${keys.slice(start, end)}`;
      start = end + 1;
      const count = ranges[nth + 1];
      const request = { flight: ranges[nth], key, offset: ranges[nth + 2], length: ranges[nth + 3] };
      const at = count > 1 ? key.search(/\d+$/) : 0;
      const [head, tail] = [key.slice(0, at), Number(key.slice(at))];
      for (let further = 0; further < count; further++) {
        if (late === most) return;
        if (this.#put(batch, count > 1 ? head + (tail + further) : key, request, further)) late++;
      }
    }
  }

  /** Requests one value and puts it into a batch; returns whether it is late. */
  #put(batch, key, request, further) {
    const nth = batch.begin(this.#onRequest && { ...request, key });
    const isWhole = request.length >= 0 && !this.#getRange;
    try {
      const value = this.#call(key, request, batch.options(nth));
      if (typeof value?.then !== "function") {
        batch.fill(nth, value, isWhole);
        return false;
      }
      batch.wait(nth);
      Promise.resolve(value).then(
        (value) => {
          batch.fill(nth, value, isWhole);
          this.#settle(request.flight, further, batch, nth);
        },
        (cause) => {
          batch.fail(nth, cause);
          this.#settle(request.flight, further, batch, nth);
        },
      );
      return true;
    } catch (cause) {
      batch.fail(nth, cause);
      return false;
    }
  }

  #call(key, { offset, length }, options) {
    if (length < 0 || !this.#getRange) return this.#get.call(this.#store, key, options);
    const range = offset < 0 ? { suffixLength: length } : { offset, length };
    return this.#getRange.call(this.#store, key, range, options);
  }

  /** Records a late value; those of one turn of the event loop are passed on together. */
  #settle(flight, further, batch, nth) {
    const settled = this.#settled;
    // What `queueMicrotask` does, which takes browsers more than a microsecond.
    if (settled.length === 0) Promise.resolve().then(() => this.#handOver());
    settled.push(flight, further, batch.length(nth), batch.whole(nth));
    if (this.#onRequest) batch.report(nth, this.#onRequest);
  }

  #handOver() {
    const settled = this.#settled;
    this.#settled = [];
    this.#answered?.(settled);
  }
}

/** Whether a store is a `Map`, and not of a subclass. */
function isMap(store) {
  return store instanceof Map && store.constructor === Map;
}

/** `getRange` of a `Map`: a view of the value in memory. @this {Map<string, unknown>} */
function partOfMap(key, { offset, length, suffixLength }) {
  const value = bytesOf(this.get(key));
  if (!(value instanceof Uint8Array)) return value;
  const start = offset ?? value.length - suffixLength;
  return new Part(start < 0 ? value : value.subarray(start, suffixLength === undefined ? start + length : undefined), value.length);
}
