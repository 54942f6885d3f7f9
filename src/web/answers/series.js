/** Series at a place: the whole length coarsely at first, then denser with each batch of chunks, within a budget. */
import { refusal } from "./axes.js";
import { InFlight, Protocols } from "./in-flight.js";
import { placeOf } from "./place.js";
import { Spread } from "./spread.js";
import { checkOptions, given } from "../common/options.js";
import { untilAborted } from "../common/until-aborted.js";
import { broughtAlong } from "../labels/coordinates.js";

/** Options of `series`; `tests/types/options.test.mjs` compares them with the type. */
export const SERIES = "along budget method tolerance wrap int64 decode as mask scale fields signal";

/** What a series may cost, where the caller says nothing. */
const BUDGET = { requests: 512, bytes: 64 * 2 ** 20 };

/** Most chunks of the first batch: one round of requests. */
const FIRST = 16;

/** Milliseconds after which a batch that still runs shows what it has. */
const PAUSE = 250;

/** Most labels that are brought along. */
const MOST_LABELS = 2 ** 20;

/** Reason by which a series ends that the caller has left. */
const LEFT = new DOMException("the series was left", "AbortError");

/** Smallest int64, which means NaT ("not a time"). */
const NOT_A_TIME = -(2n ** 63n);

/** Checks a budget. */
function budgetOf(budget) {
  checkOptions("budget", budget, "requests bytes");
  const found = { ...BUDGET, ...given(budget) };
  for (const [name, most] of Object.entries(found)) {
    if (!(typeof most === "number" && most >= 1)) throw refusal(`series: budget.${name} must be a number from 1 up, or Infinity, not ${most}`);
  }
  return found;
}

/** Items of a series, as far as they are known. */
class Items {
  /** @param {number} count @param {string} dtype data type of the array */
  constructor(count, dtype) {
    this.count = count;
    this.dtype = dtype;
    this.known = new Uint8Array(count);
    this.found = 0;
    /** Numbers of an item: two of complex ones. */
    this.width = 1;
    /** @type {any} */
    this.data = undefined;
  }

  /** A list for all items, in which those that are not known are missing, where the type has a value for that. */
  #listFor(data) {
    const size = this.count * this.width;
    if (!ArrayBuffer.isView(data)) return new Array(size).fill(undefined);
    const Numbers = /** @type {any} */ (data.constructor);
    if (data instanceof BigInt64Array && /datetime64|timedelta64/.test(this.dtype)) return new Numbers(size).fill(NOT_A_TIME);
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) return new Numbers(size);
    // Integers of up to 32 bits are exact as float64, which has NaN.
    return /^Float/.test(Numbers.name) ? new Numbers(size).fill(NaN) : new Float64Array(size).fill(NaN);
  }

  /** Puts items in their place, of which `indices` are the numbers. */
  put(data, indices) {
    this.width = indices.length > 0 ? data.length / indices.length : this.width;
    this.data ??= this.#listFor(data);
    const { width } = this;
    indices.forEach((index, i) => {
      for (let part = 0; part < width; part++) this.data[index * width + part] = data[i * width + part];
      this.found += 1 - this.known[index];
      this.known[index] = 1;
    });
  }

  /** Copies of the items and of the mask: later parts change neither. */
  copied() {
    const data = this.data ?? new Float64Array(this.count).fill(NaN);
    return { data: data.slice(), known: this.known.slice() };
  }
}

/** One series: where it is, what it has read, and what that cost. */
class Reading {
  requests = 0;
  bytes = 0;
  /** Keys that were asked for: the indexes of these shards are at hand. */
  opened = new Set();
  /** Most stored bytes of a chunk so far; until one came, those that it may have. */
  largest = 0;
  isMeasured = false;
  isShown = false;

  constructor(array, found, options) {
    this.array = array;
    this.found = found;
    this.budget = options.budget;
    this.reading = options.reading;
    this.signal = options.reading.signal;
    this.items = new Items(found.count, options.reading.as ? "" : array.dtype);
    this.spread = new Spread(found.chunks.count, FIRST);
    this.largest = this.#guess();
    this.inFlight = new InFlight(array.allowMore(0));
    this.more = 0;
  }

  /** Selection of a range of indices along the axis, or of a list of them. */
  #selection(along) {
    const [start, stop] = along;
    const range = ArrayBuffer.isView(along) ? along : { start, stop, step: null };
    return this.found.at.map((index) => (index === null ? range : index));
  }

  /** Bytes of a decoded chunk, which stored ones seldom exceed. */
  #guess() {
    const { array, found } = this;
    if (found.count === 0) return 0;
    const place = found.at.map((index) => index ?? found.first);
    const grid = array.innerChunkGrid ?? array.chunkGrid;
    const { start, stop } = grid.bounds(grid.chunkAt(place).coords);
    return array.plan(place).bytes * stop.reduce((size, end, axis) => size * (end - start[axis]), 1);
  }

  /** Indices of chunks, one after the other. */
  #indices(numbers) {
    const spans = numbers.map((number) => this.found.chunks.span(number));
    const size = spans.reduce((all, [start, stop]) => all + stop - start, 0);
    const last = spans.at(-1)?.[1] ?? 0;
    const indices = new (last < 2 ** 32 ? Uint32Array : BigUint64Array)(size);
    const item = last < 2 ** 32 ? (index) => index : BigInt;
    let at = 0;
    for (const [start, stop] of spans) for (let index = start; index < stop; index++) indices[at++] = item(index);
    return indices;
  }

  /** What a batch would ask of the store: the keys, and the most requests. */
  #costOf(indices) {
    const { requests = [], chunks } = this.array.plan(this.#selection(indices));
    const keys = requests.map(({ key }) => key);
    // A shard whose index is not at hand is asked for that first, and then for its chunks.
    const mayHide = this.array.innerChunkGrid !== undefined && keys.some((key) => !this.opened.has(key));
    return { keys, requests: keys.length + (mayHide ? chunks : 0) };
  }

  /** The next batch that the budget allows; undefined where there is none. */
  next() {
    const { budget, spread, found } = this;
    const left = budget.requests - this.requests;
    const byBytes = Math.floor((budget.bytes - this.bytes) / Math.max(this.largest, 1));
    const lengthOf = (number) => found.chunks.span(number).reduce((start, stop) => stop - start);
    // The first chunk is read in any case: how much it takes is not known before.
    let most = this.bytes === 0 ? Math.max(byBytes, 1) : byBytes;
    while (most > 0) {
      const batch = spread.next(most, lengthOf);
      const { length } = batch.numbers;
      if (length === 0) return undefined;
      const indices = this.#indices(batch.numbers);
      const cost = this.#costOf(indices);
      // As above: a shard takes two requests at least.
      if (cost.requests <= left || (length === 1 && this.requests === 0)) return { batch, indices, ...cost };
      // Chunks may take several requests each, and not all as many.
      most = length === 1 ? 0 : Math.max(1, Math.min(length - 1, Math.floor((length * left) / cost.requests)));
    }
    return undefined;
  }

  /** The state for the caller. */
  part(coordinates) {
    const { found, items } = this;
    const isExact = items.found === found.count;
    return {
      ...items.copied(),
      shape: [found.count],
      dimensions: [found.axis.name],
      coordinates,
      share: found.count > 0 ? items.found / found.count : 1,
      requests: this.requests,
      bytes: this.bytes,
      exact: isExact,
    };
  }

  /** Reads a batch; yields the labels whenever something may be shown. */
  async *read({ batch, indices, requests, keys }, labels) {
    const { array, items, found, inFlight } = this;
    const own = Array.from(indices, (index) => Number(index) - found.first);
    const [before, started] = [this.bytes, performance.now()];
    let [largest, shown, left] = [0, started, indices.length];
    const onProgress = ({ bytes }) => {
      largest = Math.max(largest, before + bytes - this.bytes);
      this.bytes = before + bytes;
    };
    this.#allow(inFlight.count);
    const protocols = inFlight.isSettled ? undefined : new Protocols(keys);
    this.requests += requests;
    try {
      for await (const { data, start, stop } of array.stream(this.#selection(indices), { ...this.reading, onProgress })) {
        items.put(data, own.slice(start[0], stop[0]));
        left -= stop[0] - start[0];
        // Chunks may be longer than those before them.
        if (left > 0 && this.bytes > this.budget.bytes) break;
        // The first part shows the whole length, and the last one of a batch comes with its end.
        if (!this.isShown || left === 0 || performance.now() - shown < PAUSE) continue;
        yield labels;
        shown = performance.now();
      }
      inFlight.learn({ requests, ms: performance.now() - started, protocol: protocols?.found });
    } finally {
      protocols?.end();
    }
    this.spread.take(batch);
    keys.forEach((key) => this.opened.add(key));
    // Chunks that are not stored say nothing of those that are.
    if (largest > 0) this.largest = this.isMeasured ? Math.max(largest, this.largest) : largest;
    this.isMeasured ||= largest > 0;
    this.isShown = true;
  }

  /** Lets the array have this many requests in flight, while the series is read. */
  #allow(count) {
    const more = count - this.inFlight.usual;
    if (more !== this.more) this.array.allowMore(more - this.more);
    this.more = more;
  }

  /** Ends the read. */
  end() {
    if (this.more > 0) this.array.allowMore(-this.more);
    this.more = 0;
  }
}

/** Labels of the series' axis and of the place. */
async function coordinatesOf(array, { axis, first, count, labels }) {
  const own = array.shape[axis.axis] <= MOST_LABELS ? await broughtAlong(array, axis.axis) : undefined;
  return own ? { ...labels, [axis.name]: /** @type {any} */ (own).slice(first, first + count) } : labels;
}

/** A series that is iterated over, once. */
class Series {
  #parts;

  /** Ends the read of a part that is waited for, when the caller leaves. */
  #left = new AbortController();

  constructor(array, place, options) {
    this.array = array;
    this.place = place;
    this.options = options;
    this.#parts = this.#all();
  }

  /** @returns {{ looking: any, budget: { requests: number, bytes: number }, reading: any }} */
  #asked() {
    const { array, options } = this;
    checkOptions("series", options, SERIES);
    const { budget, along, method, tolerance, wrap, decode = "cf", ...reading } = given(options);
    const { signal } = reading;
    if (signal && typeof signal.throwIfAborted !== "function") throw new TypeError(`series: the option signal must be an AbortSignal, not ${signal}`);
    signal?.throwIfAborted();
    if (typeof array?.stream !== "function") throw new TypeError("series expects an opened array, and a place such as { lat: 52.1, lon: 4.3 }");
    return { looking: { along, method, tolerance, wrap }, budget: budgetOf(budget), reading: { ...reading, decode } };
  }

  async *#all() {
    const { looking, budget, reading: asked } = this.#asked();
    const { signal } = this.#left;
    const reading = { ...asked, signal };
    const follow = () => this.#left.abort(asked.signal.reason);
    asked.signal?.addEventListener("abort", follow);
    const array = this.array.hold();
    let work;
    try {
      const found = await placeOf(array, this.place, looking, signal);
      // Labels are asked for first, so that they are there with the first part.
      const labels = untilAborted(signal, coordinatesOf(array, found));
      labels.catch(() => {});
      work = new Reading(array, found, { budget, reading });
      for (let next = work.next(); next; next = work.next()) {
        for await (const coordinates of work.read(next, labels)) yield work.part(coordinates);
        yield work.part(await labels);
        signal?.throwIfAborted();
      }
      if (!work.isShown) yield work.part(await labels);
    } finally {
      asked.signal?.removeEventListener("abort", follow);
      work?.end();
      array.free();
    }
  }

  async plan() {
    const { looking, reading } = this.#asked();
    const array = this.array.hold();
    try {
      const { at, first, count, chunks } = await placeOf(array, this.place, looking, reading.signal);
      const selection = at.map((index) => (index === null ? { start: first, stop: first + count, step: null } : index));
      const { bytes, storedChunks, requests } = array.plan(selection);
      return { selection, bytes, chunks: chunks.count, storedChunks, requests: requests?.length };
    } finally {
      array.free();
    }
  }

  /** What a call of the parts gives; nothing more once the caller has left. */
  async #unlessLeft(part) {
    try {
      return await part;
    } catch (error) {
      if (error !== LEFT) throw error;
      return { value: undefined, done: true };
    }
  }

  next() {
    return this.#unlessLeft(this.#parts.next());
  }

  /** Ends the series at once, also one whose next part is waited for: that is the end then. */
  return() {
    this.#left.abort(LEFT);
    return this.#unlessLeft(this.#parts.return());
  }

  throw(error) {
    this.#left.abort(error);
    return this.#parts.throw(error);
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

/**
 * Reads the series at a place. See the type for what it takes and gives.
 *
 * @type {typeof import("../../types/answers.js").series}
 */
export const series = (/** @type {any} */ array, /** @type {any} */ place, /** @type {any} */ options) => /** @type {any} */ (new Series(array, place, options));
