/**
 * Values of a store that were requested together, their states, and the options of their calls. `copy` and `copyRow`
 * write into WebAssembly's memory: into the view of a buffer that wasm-bindgen makes of a `&mut [u8]`, which is theirs
 * until they return.
 */

import { report } from "./listeners.js";
import { scatter } from "./scatter.js";

/** States of a value, in place of its length. */
const [MISSING, LATE, FAILED] = [-1, -2, -3];

/** Stands for an unknown length of the whole value. */
const NO_WHOLE = -1;

/** Part of a value in memory, with the length of the whole value. */
export class Part {
  constructor(bytes, whole) {
    this.bytes = bytes;
    this.whole = whole;
  }
}

const { get: lengthOf } = /** @type {any} */ (Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength"));

/** Whether a value is an ArrayBuffer, of any realm. */
function isBuffer(value) {
  try {
    lengthOf.call(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * An answer as a Uint8Array of this realm if it is bytes, also those of a frame or of a test environment; any other
 * answer as it is.
 */
export function bytesOf(value) {
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value;
  // A transferred buffer has no bytes, and a view of it throws.
  if (ArrayBuffer.isView(value)) return value[Symbol.toStringTag] === "Uint8Array" ? viewOf(/** @type {Uint8Array} */ (value)) : value;
  return isBuffer(value) ? new Uint8Array(value.byteLength === 0 ? 0 : value) : value;
}

const viewOf = ({ buffer, byteOffset, length }) => (length === 0 ? new Uint8Array() : new Uint8Array(buffer, byteOffset, length));

/** Values that were requested together. */
export class Batch {
  #values = [];
  #states = [];
  #calls = [];
  #requests = [];
  #started;
  #isDirect;
  #thrown = new Set();
  #aborted = new Set();

  /** @param {boolean} [isDirect] whether at most one value may be late */
  constructor(isDirect) {
    this.#isDirect = isDirect;
  }

  /** Adds a value and returns its number; its request is kept if the caller has a listener. */
  begin(request) {
    if (request) {
      this.#started ??= performance.now();
      this.#requests.push(request);
    }
    return this.#values.push(undefined) - 1;
  }

  /**
   * Options of the call for a value. Most stores never read the signal, which takes longer to create than a small chunk, so
   * a getter creates it: one for a batch that ends at its first late value, else one for each value.
   */
  options(nth) {
    const batch = this;
    let own;
    return {
      get signal() { return own ?? batch.#call(nth).signal; },
      // The store may set its own.
      set signal(value) { own = value; },
    };
  }

  /** What aborts the call for a value. */
  #call(nth) {
    return (this.#calls[this.#isDirect ? 0 : nth] ??= new AbortController());
  }

  /** Calls `onRequest` for a value that came, unless its request was aborted. */
  report(nth, onRequest) {
    if (this.#aborted.has(nth)) return;
    const { key, offset, length } = this.#requests[nth];
    const range = length < 0 ? undefined : offset < 0 ? [-length] : [offset, offset + length];
    const bytes = this.length(nth) < 0 ? undefined : this.length(nth);
    report(onRequest, key.slice(1), "GET", range, undefined, bytes, performance.now() - this.#started);
  }

  /** Records the answer for a value; `isWhole` if it is the whole value although a part was requested. */
  fill(nth, answer, isWhole) {
    const isPart = answer instanceof Part;
    const value = bytesOf(isPart ? answer.bytes : answer);
    const whole = isPart ? answer.whole : isWhole ? value?.byteLength : NO_WHOLE;
    const isMissing = value === undefined || value === null;
    const length = value instanceof Uint8Array ? value.length : isMissing ? MISSING : FAILED;
    this.#note(nth, value, length, length < 0 ? NO_WHOLE : whole);
  }

  /** Records an exception of the store. */
  fail(nth, cause) {
    this.#thrown.add(nth);
    this.#note(nth, cause, FAILED, NO_WHOLE);
  }

  /** Records that a value is late. */
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

  /** Length of a value in bytes, or a state: -1 for a missing value, -2 for a late one, -3 for an error or no bytes. */
  length(nth) {
    return this.#states[2 * nth];
  }

  /** Length in bytes of the whole value of which a part was requested; -1 where it is not known. */
  whole(nth) {
    return this.#states[2 * nth + 1];
  }

  /**
   * States of all values: two numbers for each, its length and the length of the whole value. wasm-bindgen copies lists
   * and typed arrays alike, and a typed array of more than 64 bytes costs an allocation outside of the heap.
   */
  states() {
    return this.#states;
  }

  /** Copies bytes of a value, from `start` on, to the beginning of a buffer that they fit; returns how many there were. */
  copy(nth, start, buffer) {
    const value = this.part(nth, start, buffer.length);
    // Copying from a transferred array throws, although the array is empty.
    if (value.length > 0) buffer.set(value);
    return value.length;
  }

  /** Copies consecutive values to a buffer that they fit; returns whether each still has its length. */
  copyRow(nth, count, buffer) {
    let at = 0;
    for (let end = nth + count; nth < end; nth++) {
      const value = this.#values[nth];
      if (value.length !== this.#states[2 * nth]) return false;
      if (value.length > 0) buffer.set(value, at);
      at += value.length;
    }
    return true;
  }

  /** Copies items of a value to their places in a result (see `scatter`); returns whether it still has its length. */
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
    // A view of transferred bytes throws.
    return value.length === 0 ? new Uint8Array(0) : value.subarray(start, start + length);
  }

  /** Bytes of a value for a cache: a view, or a copy where they are less than half of their buffer. */
  toCached(nth, start, length) {
    const value = this.part(nth, start, length);
    return value.length * 2 >= value.buffer.byteLength ? value : Uint8Array.prototype.slice.call(value);
  }

  /** The answer as it came, or the exception that the store threw. */
  answer(nth) {
    return this.#values[nth];
  }

  /** Whether the store threw in place of an answer. */
  isThrown(nth) {
    return this.#thrown.has(nth);
  }

  /** Aborts the call for a value that is no longer needed. */
  abort(nth) {
    this.#aborted.add(nth);
    this.#call(nth).abort("the request is no longer needed");
  }
}
