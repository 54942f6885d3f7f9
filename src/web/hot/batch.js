/** Values of a store that were asked for together, their states, and the calls that are to be aborted. */

import { report } from "./listeners.js";
import { scatter } from "./scatter.js";

/** States of a value in place of its length. */
const [MISSING, LATE, FAILED] = [-1, -2, -3];

/** No other length of the whole value is known. */
const NO_WHOLE = -1;

/** A part of a value in memory, with the length of all of it. */
export class Part {
  constructor(bytes, whole) {
    this.bytes = bytes;
    this.whole = whole;
  }
}

/** An answer as bytes where it is an ArrayBuffer. */
export function bytesOf(value) {
  // There is no array on a buffer that was transferred, and no byte in it.
  return value instanceof ArrayBuffer ? new Uint8Array(value.byteLength === 0 ? 0 : value) : value;
}

/** Values that were asked for together. */
export class Batch {
  #memory;
  #values = [];
  #states = [];
  #calls = [];
  #requests = [];
  #started;
  #isDirect;
  #thrown = new Set();
  #aborted = new Set();

  constructor(memory, isDirect) {
    this.#memory = memory;
    this.#isDirect = isDirect;
  }

  /** Number of the next value; its request is kept where the caller listens. */
  begin(request) {
    if (request) {
      this.#started ??= performance.now();
      this.#requests.push(request);
    }
    return this.#values.push(undefined) - 1;
  }

  /** Options of the call for a value: one signal for those that come at once, one for each that is late. */
  options(nth) {
    return (this.#isDirect ? (this.#calls[0] ??= callOptions()) : (this.#calls[nth] = callOptions())).options;
  }

  /** Calls the listener of requests for a value that came, unless nobody waits for it any more. */
  report(nth, onRequest) {
    if (this.#aborted.has(nth)) return;
    const { key, offset, length } = this.#requests[nth];
    const range = length < 0 ? undefined : offset < 0 ? [-length] : [offset, offset + length];
    const bytes = this.length(nth) < 0 ? undefined : this.length(nth);
    report(onRequest, key.slice(1), "GET", range, undefined, bytes, performance.now() - this.#started);
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

  /** Numbers of all values. */
  values() {
    return this.#values.map((_, nth) => nth);
  }

  isLate(nth) {
    return this.length(nth) === LATE;
  }

  /** Length of a value, or -1 where there is none, -2 where it is late, -3 where it is no bytes. */
  length(nth) {
    return this.#states[2 * nth];
  }

  /** Length of the whole value of which a part was asked for, or -1 where it is not known. */
  whole(nth) {
    return this.#states[2 * nth + 1];
  }

  /** States of all values, one after the other: the length, and the length of the whole value. */
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
    this.#aborted.add(nth);
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
