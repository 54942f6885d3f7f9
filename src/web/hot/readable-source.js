/**
 * Values of a store, asked for in batches: where thousands of small chunks are read, every crossing into and out of
 * WebAssembly counts, and those of strings and arrays most of all.
 */

import { scatter } from "./scatter.js";

/** States of a value in place of its length. */
const [MISSING, LATE, FAILED] = [-1, -2, -3];

/** No other length of the whole value is known. */
const NO_WHOLE = -1;

/** A store of values, with the methods that it had when it was opened. */
export class ReadableSource {
  #store;
  #get;
  #getRange;
  #memory;
  #answered;
  #settled = [];

  /**
   * @param {object} store a zarrita `Readable`
   * @param {Function} get
   * @param {Function | undefined} getRange
   * @param {WebAssembly.Memory} memory
   * @param {(settled: Int32Array) => void} answered told of values that came late: three numbers for each, its ticket, its
   *   length or state, and the length of the whole value or -1
   */
  constructor(store, get, getRange, memory, answered) {
    this.#store = store;
    this.#get = get;
    this.#getRange = getRange ?? (isMap(store) ? partOfMap : undefined);
    this.#memory = memory;
    this.#answered = answered;
  }

  /** Forget who is told: answers that come from now on are dropped. */
  close() {
    this.#answered = undefined;
  }

  /**
   * Asks for values, in their order, until one of them more than `most` is late.
   *
   * @param {string} keys the keys, each ended by a NUL
   * @param {Float64Array} ranges three numbers for each key: how many values, whose keys have a number at the end that goes
   *   up by one; the offset of the bytes wanted, or -1 for the last ones; their length, or -1 for all
   * @param {number} ticket number of the first value; those after it follow
   * @param {number} most how many may be late
   * @returns {Batch} as many values as were asked for
   */
  ask(keys, ranges, ticket, most) {
    const batch = new Batch(this.#memory, most === 1);
    // The store may call into WebAssembly, whose memory may grow: a view of it would be lost.
    const asked = ranges.slice();
    let [start, late] = [0, 0];
    for (let nth = 0; nth < asked.length; nth += 3) {
      const end = keys.indexOf("\0", start);
      const key = `/${keys.slice(start, end)}`;
      start = end + 1;
      const [count, offset, length] = asked.subarray(nth, nth + 3);
      const at = count > 1 ? key.search(/\d+$/) : 0;
      const [head, tail] = [key.slice(0, at), Number(key.slice(at))];
      for (let further = 0; further < count; further++) {
        if (late === most) return batch;
        if (this.#put(batch, count > 1 ? head + (tail + further) : key, offset, length, ticket)) late++;
      }
    }
    return batch;
  }

  /** Asks for one value and puts it into a batch; whether it is late. */
  #put(batch, key, offset, length, ticket) {
    const nth = batch.begin();
    const isWhole = length >= 0 && !this.#getRange;
    try {
      const value = this.#call(key, offset, length, batch.options(nth));
      if (typeof value?.then !== "function") {
        batch.fill(nth, value, isWhole);
        return false;
      }
      batch.wait(nth);
      Promise.resolve(value).then(
        (value) => this.#settle(ticket + nth, batch, nth, () => batch.fill(nth, value, isWhole)),
        (cause) => this.#settle(ticket + nth, batch, nth, () => batch.fail(nth, cause)),
      );
      return true;
    } catch (cause) {
      batch.fail(nth, cause);
      return false;
    }
  }

  #call(key, offset, length, options) {
    if (length < 0 || !this.#getRange) return this.#get.call(this.#store, key, options);
    const range = offset < 0 ? { suffixLength: length } : { offset, length };
    return this.#getRange.call(this.#store, key, range, options);
  }

  /** Notes that a late value came; those that come in one turn are told together. */
  #settle(ticket, batch, nth, fill) {
    fill();
    if (this.#settled.length === 0) queueMicrotask(() => this.#tell());
    this.#settled.push(ticket, ...batch.state(nth));
  }

  #tell() {
    const settled = Int32Array.from(this.#settled);
    this.#settled.length = 0;
    this.#answered?.(settled);
  }
}

/** A part of a value in memory, with the length of all of it. */
class Part {
  constructor(bytes, whole) {
    this.bytes = bytes;
    this.whole = whole;
  }
}

/** Whether a store is a `Map` and nothing else. */
function isMap(store) {
  return store instanceof Map && store.constructor === Map;
}

/** `getRange` of a `Map`: what is in memory is cut where it lies. */
function partOfMap(key, { offset, length, suffixLength }) {
  const value = bytesOf(this.get(key));
  if (!(value instanceof Uint8Array)) return value;
  const start = offset ?? value.length - suffixLength;
  return new Part(start < 0 ? value : value.subarray(start, suffixLength === undefined ? start + length : undefined), value.length);
}

/** An answer as bytes where it is an ArrayBuffer. */
function bytesOf(value) {
  // There is no array on a buffer that was transferred, and no byte in it.
  return value instanceof ArrayBuffer ? new Uint8Array(value.byteLength === 0 ? 0 : value) : value;
}

/** Values that were asked for together. */
export class Batch {
  #memory;
  #values = [];
  #states = [];
  #calls = [];
  #isDirect;
  #thrown = new Set();

  constructor(memory, isDirect) {
    this.#memory = memory;
    this.#isDirect = isDirect;
  }

  /** Number of the next value. */
  begin() {
    return this.#values.push(undefined) - 1;
  }

  /** Options of the call for a value: one signal for those that come at once, one for each that is late. */
  options(nth) {
    return (this.#isDirect ? (this.#calls[0] ??= callOptions()) : (this.#calls[nth] = callOptions())).options;
  }

  /** Notes the answer for a value, which may be all of it although a part was asked for. */
  fill(nth, answer, isWhole) {
    const isPart = answer instanceof Part;
    const value = bytesOf(isPart ? answer.bytes : answer);
    const whole = isPart ? answer.whole : isWhole ? value?.byteLength : NO_WHOLE;
    const isMissing = value === undefined || value === null;
    const length = value instanceof Uint8Array ? value.length : isMissing ? MISSING : FAILED;
    this.#note(nth, value, length, length < 0 ? NO_WHOLE : whole);
  }

  /** Notes a failure. */
  fail(nth, cause) {
    this.#thrown.add(nth);
    this.#note(nth, cause, FAILED, NO_WHOLE);
  }

  /** Notes that a value is late. */
  wait(nth) {
    this.#note(nth, undefined, LATE, NO_WHOLE);
  }

  #note(nth, value, length, whole) {
    this.#values[nth] = value;
    this.#states[2 * nth] = length;
    this.#states[2 * nth + 1] = whole;
  }

  /** State of a value: its length, or -1 where there is none, -2 where it is late, -3 where it is no bytes; and the length of the whole value. */
  state(nth) {
    return this.#states.slice(2 * nth, 2 * nth + 2);
  }

  /** States of all values, one after the other. */
  states() {
    return Int32Array.from(this.#states);
  }

  /** Copies bytes of a value to a place in WebAssembly's memory; how many there were. */
  copy(nth, start, length, at) {
    const value = this.part(nth, start, length);
    // To copy from an array that was transferred fails, though it has nothing.
    if (value.length > 0) new Uint8Array(this.#memory.buffer, at, length).set(value);
    return value.length;
  }

  /** Copies values that follow one another to a place in WebAssembly's memory; whether each is as long as it was. */
  copyRow(nth, count, at) {
    const memory = new Uint8Array(this.#memory.buffer);
    for (let end = nth + count; nth < end; nth++) {
      const value = this.#values[nth];
      if (value.length !== this.#states[2 * nth]) return false;
      if (value.length > 0) memory.set(value, at);
      at += value.length;
    }
    return true;
  }

  /** Copies items of a value to their places in a result; see `scatter`. */
  scatter(nth, start, length, target, walk) {
    const value = this.part(nth, start, length);
    if (value.length !== length) return false;
    scatter(value, target, walk);
    return true;
  }

  /** Bytes of a value, as a view. */
  part(nth, start, length) {
    const value = this.#values[nth];
    if (start === 0 && length === value.length) return value;
    // There is no view of bytes that were transferred.
    return value.length === 0 ? new Uint8Array(0) : value.subarray(start, start + length);
  }

  /** Bytes of a value to be kept: a view, or a copy where what they lie in is far more. */
  kept(nth, start, length) {
    const value = this.part(nth, start, length);
    return value.length * 2 >= value.buffer.byteLength ? value : Uint8Array.prototype.slice.call(value);
  }

  /** The answer that is no bytes, or what the store threw in its place. */
  answer(nth) {
    return this.#values[nth];
  }

  /** Whether the store threw in place of an answer. */
  isThrown(nth) {
    return this.#thrown.has(nth);
  }

  /** The store is told that nobody waits for a value any more. */
  abort(nth) {
    this.#calls[this.#isDirect ? 0 : nth].abort();
  }
}

/** Options of a call, whose signal is made where the store looks at it, and what aborts the call. */
function callOptions() {
  let controller;
  let isAborted = false;
  const reason = "nobody waits for it any more";
  const options = {
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (isAborted) controller.abort(reason);
      }
      return controller.signal;
    },
  };
  const abort = () => {
    isAborted = true;
    controller?.abort(reason);
  };
  return { options, abort };
}
