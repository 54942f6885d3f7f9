/**
 * One request and its response, whose body has a limit for its bytes and a timeout between them. A response may be of
 * another library than the platform's `fetch`.
 */
import { takeEarly } from "./early.js";

/**
 * Longest unwanted body that is read to its end, to keep the connection: 64 KiB. It is also the memory that is reserved
 * for a body whose length is not announced.
 */
const SHORT = 64 << 10;

/** Most memory that is reserved for an announced length: 64 MiB. Beyond that, memory grows as bytes arrive. */
const RESERVED = 64 << 20;

/** Bytes that an encoding adds to a body of any length, at most: its header and its checksum. */
const OVERHEAD = 1024;

/** Milliseconds for the delivery of events that are queued already, after the page slept or was busy. */
const GRACE = 100;

/** Longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Time of the last byte from each origin, in browsers only: these send six requests at a time to a host over HTTP/1.1,
 * so a request without an answer may be waiting for others.
 */
const heard = globalThis.location && new Map();

/** A request with its timeout, from sending to the end of its body. */
export class Exchange {
  #controller;
  #signal;
  #ms;
  #origin;
  #since = performance.now();
  #isAnswered = false;
  #isDue = false;
  /** Whether the response, or the rest of its body, is still to come. */
  #isOpen = false;
  #timer;
  #reader;
  /** Promise that rejects after the timeout, the function that rejects it, and the error. */
  #late;
  #expire;
  #error;
  #follow = () => this.#controller.abort(this.#signal.reason);

  /**
   * @param {AbortSignal} signal aborts the request
   * @param {number} ms milliseconds without a byte after which the request fails; 0 for no timeout
   * @param {string} origin
   */
  constructor(signal, ms, origin) {
    this.#signal = signal;
    this.#ms = ms > LONGEST ? 0 : ms;
    this.#origin = origin;
    if (this.#ms === 0) return;
    this.#controller = new AbortController();
    signal.addEventListener("abort", this.#follow);
    if (signal.aborted) this.#follow();
    this.#late = new Promise((_, reject) => (this.#expire = reject));
    // Avoids an unhandled rejection while no promise waits.
    this.#late.catch(() => {});
    this.#watch();
  }

  /** Signal to send the request with. */
  get signal() {
    return this.#controller?.signal ?? this.#signal;
  }

  /**
   * Makes a request in one call; throws where `Request` rejects the address.
   *
   * @param {string} url
   * @param {{ headers: Headers, redirect?: RequestRedirect, credentials?: RequestCredentials }} options of all requests of a store
   * @param {boolean} carries whether to send the headers of the options
   * @param {string} method
   * @param {RequestCache} cache
   * @param {string | undefined} range header Range
   * @param {boolean} isBlind whether to ask without CORS
   */
  request(url, options, carries, method, cache, range, isBlind) {
    const headers = new Headers(carries ? options.headers : undefined);
    if (range) headers.set("Range", range);
    return new Request(url, { ...options, headers, method, cache, signal: this.signal, mode: isBlind ? "no-cors" : undefined });
  }

  /**
   * Sends the request.
   *
   * @param {(request: Request) => Promise<Response>} fetch
   * @param {Request} request
   */
  async send(fetch, request) {
    this.#isOpen = true;
    this.#isAnswered = false;
    const answer = await this.#inTime(Promise.resolve(takeEarly(fetch, request, this.signal) ?? fetch(request)));
    this.#isAnswered = true;
    this.#isOpen = request.method !== "HEAD";
    this.#hear();
    return answer;
  }

  /**
   * Reads the body of a response. A body with more bytes than its limit or its announced length is not read further.
   * That and a stream of something else give an error as the result, because a retry would give the same.
   *
   * @param {Response} response
   * @param {number} most limit in bytes
   * @returns {Promise<Uint8Array | RangeError | TypeError>}
   */
  async read(response, most) {
    const told = announced(response);
    // Content-Length counts encoded bytes, and Content-Encoding is hidden from pages of other origins.
    const isPlain = response.type !== "cors" && !header(response, "Content-Encoding");
    // Bytes that do not shrink grow a little when they are encoded. Parts are asked for as they are.
    const more = isPlain || response.status === 206 ? 0 : OVERHEAD + most / 256;
    if (told !== undefined && told > most + more) {
      await this.leave(response);
      return tooLong(most);
    }
    const exact = isPlain ? told : undefined;
    const isExact = exact !== undefined;
    const limit = exact ?? most;
    if (typeof response.body?.getReader !== "function") {
      // An empty body, or a response of another library.
      const bytes = new Uint8Array(await this.#inTime(response.arrayBuffer()));
      return bytes.length > limit ? tooLong(limit, isExact) : bytes;
    }
    const reader = (this.#reader = readerOf(response));
    let bytes = new Uint8Array(Math.min(limit, told ?? SHORT, RESERVED));
    let length = 0;
    for (;;) {
      const isFull = length === bytes.length;
      const room = isFull ? new Uint8Array(1) : bytes.subarray(length);
      const { done, value } = await this.#inTime(reader.read(room));
      // The platform fills the room, and hands over its buffer anew. Another stream gives arrays of its own.
      const isFilled = !isFull && !room.length;
      if (isFilled) bytes = new Uint8Array(value.buffer);
      if (done) {
        this.#isOpen = false;
        return length === bytes.length ? bytes : bytes.slice(0, length);
      }
      this.#hear();
      // The option fetch may return any stream. The name is compared, because the class may be of another realm.
      const isBytes = value?.[Symbol.toStringTag] === "Uint8Array";
      const needed = length + value?.length;
      if (!isBytes || needed > limit) {
        this.#isOpen = false;
        cancel(reader);
        return isBytes ? tooLong(limit, isExact) : new TypeError("the option fetch must return a body of Uint8Arrays, and its stream gave something else");
      }
      if (needed > bytes.length) {
        const more = new Uint8Array(Math.min(limit, 2 * needed));
        more.set(bytes.subarray(0, length));
        bytes = more;
      }
      if (!isFilled) bytes.set(value, length);
      length = needed;
    }
  }

  /**
   * Discards a body: a short one is read to its end, so that the connection can be reused.
   *
   * @param {Response} response
   */
  async leave(response) {
    if ((announced(response) ?? Infinity) <= SHORT) await this.read(response, SHORT).catch(() => {});
    else cancel(response.body);
    this.#isOpen = false;
  }

  /** Stops the timeout, and aborts the request unless its response is complete. */
  end() {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#follow);
    if (this.#isOpen) this.#controller?.abort("the request is no longer needed");
  }

  /** Races a promise against the timeout, because a `fetch` or a stream of the caller may ignore its signal. */
  #inTime(promise) {
    return this.#late ? Promise.race([promise, this.#late]) : promise;
  }

  #hear() {
    this.#since = performance.now();
    this.#isDue = false;
    heard?.set(this.#origin, this.#since);
  }

  #watch() {
    const since = Math.max(this.#since, this.#isAnswered ? 0 : (heard?.get(this.#origin) ?? 0));
    const left = since + this.#ms - performance.now();
    if (left > 0 || !this.#isDue) {
      this.#isDue = left <= 0;
      this.#timer = setTimeout(() => this.#watch(), Math.max(left, GRACE));
      return;
    }
    this.#error = new DOMException(`no byte came for ${this.#ms} ms (option timeout)`, "TimeoutError");
    this.#expire(this.#error);
    this.#controller.abort(this.#error);
    // A stream that is not the platform's may ignore the signal.
    cancel(this.#reader);
  }
}

/** Header of a response; undefined or null where it is missing or hidden. */
function header(response, name) {
  return response.headers?.get?.(name);
}

/** Headers that the core reads, in its order. */
const HEADERS = ["Location", "Content-Range", "Content-Length", "Content-Type", "ETag", "Last-Modified", "Retry-After"];

/**
 * Head of a response as lines: status, type and headers, for one call; undefined for an object that is not a response.
 *
 * @param {Response & { refusal?: Error }} response
 */
export function headOf(response) {
  // The option access tells why the service refuses its keys.
  if (response?.refusal) throw response.refusal;
  // The response may be of another realm or library, so a method is checked, not the class.
  if (typeof response?.arrayBuffer !== "function") return undefined;
  return [response.status, response.type, ...HEADERS.map((name) => header(response, name) ?? "")].join("\n");
}

/** Announced length of a response's body; undefined where there is none. */
function announced(response) {
  const length = header(response, "Content-Length");
  return /^\d+$/.test(length ?? "") ? Number(length) : undefined;
}

/** Error for a body with more bytes than its limit or its announced length. */
function tooLong(limit, isAnnounced) {
  const why = isAnnounced
    ? "as many as Content-Length says, and the rest was not read; a fetch that decompresses bodies must drop that header"
    : "the limit here, and the rest was not read; the host may not support ranges, or another file is at this address";
  return new RangeError(`more than ${limit} bytes came, ${why}`);
}

/**
 * Reader of a body, which fills the caller's memory if the platform's stream can: that saves a copy of each part. Streams
 * of the caller's that are of bytes may never end such a read when they close.
 */
function readerOf({ body, type }) {
  try {
    // The types of the platform's responses. Safari's streams do not have this mode.
    return body.getReader({ mode: /basic|cors/.test(type) ? "byob" : undefined });
  } catch {
    return body.getReader();
  }
}

/** Cancels a stream or its reader. */
export function cancel(stream) {
  stream?.cancel?.().catch(() => {});
}
