/**
 * One request and the body of its answer: cut off where more bytes come than may, and given up where none come for too long.
 */

/**
 * The longest body that is read to its end for nothing, 64 KiB; of a longer one the connection is given up. As much is
 * reserved for a body whose length is not announced.
 */
const SHORT = 64 << 10;

/** The most memory that is reserved because a host announces a length: 64 MiB; beyond, memory grows as bytes come. */
const RESERVED = 64 << 20;

/** How long messages that are there already may take to be delivered, after the page slept or was busy. */
const GRACE = 100;

/** The longest time that a timer can be set for. */
const LONGEST = 2 ** 31 - 1;

/**
 * When a byte last came from each origin, in browsers: they send six requests at a time to a host over HTTP/1.1, so one
 * that has no answer yet may be waiting for others.
 */
const heard = globalThis.location && new Map();

export class Exchange {
  #controller;
  #signal;
  #ms;
  #origin;
  #since = performance.now();
  #isAnswered = false;
  #isDue = false;
  /** Whether an answer, or the rest of one, is still to come. */
  #isOpen = false;
  #timer;
  #reader;
  /** Rejects when time is up; its function does that, and then there is its reason. */
  #late;
  #expire;
  #error;
  #follow = () => this.#controller.abort(this.#signal.reason);

  /**
   * @param {AbortSignal} signal ends the request
   * @param {number} ms without a byte after which it is given up; 0 for never
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
    // Nobody may be waiting at that moment.
    this.#late.catch(() => {});
    this.#watch();
  }

  /** What the request is to be sent with. */
  get signal() {
    return this.#controller?.signal ?? this.#signal;
  }

  /**
   * A request, made in one call; throws where `Request` takes no such address.
   *
   * @param {string} url
   * @param {{ headers: Headers, redirect?: RequestRedirect, credentials?: RequestCredentials }} options that all requests of a store have
   * @param {boolean} carries whether these headers go along
   * @param {string} method
   * @param {RequestCache} cache
   * @param {string | undefined} range a header Range
   * @param {string | undefined} version a header If-Range
   */
  request(url, options, carries, method, cache, range, version) {
    const headers = new Headers(carries ? options.headers : undefined);
    if (range) headers.set("Range", range);
    if (version) headers.set("If-Range", version);
    return new Request(url, { ...options, headers, method, cache, signal: this.signal });
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
    const answer = await this.#inTime(Promise.resolve(fetch(request)));
    this.#isAnswered = true;
    this.#isOpen = request.method !== "HEAD";
    this.#hear();
    return answer;
  }

  /**
   * The body of an answer; where it is no body that is read, the error that says why, as asking again would bring the
   * same. Of one that has more bytes than it may have, or than its host announced, no more are read.
   *
   * @param {Response} response
   * @param {number} most bytes that it may have
   * @returns {Promise<Uint8Array | RangeError | TypeError>}
   */
  async read(response, most) {
    const told = announced(response);
    if (told > most) {
      await this.leave(response);
      return tooLong(most);
    }
    // The length of an encoded body is announced, and that it is encoded is hidden from pages of other origins.
    const isExact = told >= 0 && response.type !== "cors" && !header(response, "Content-Encoding");
    const limit = isExact ? told : most;
    if (typeof response.body?.getReader !== "function") {
      // A body of no bytes, or of another library's response.
      const bytes = new Uint8Array(await this.#inTime(response.arrayBuffer()));
      return bytes.length > limit ? tooLong(limit, isExact) : bytes;
    }
    const reader = (this.#reader = response.body.getReader());
    let bytes = new Uint8Array(Math.min(limit, told ?? SHORT, RESERVED));
    let length = 0;
    for (;;) {
      const { done, value } = await this.#next(reader);
      if (done) {
        this.#isOpen = false;
        return length === bytes.length ? bytes : bytes.slice(0, length);
      }
      this.#hear();
      // A stream of a caller's may be of anything; by its name, as it may be of another realm.
      const isBytes = value?.[Symbol.toStringTag] === "Uint8Array";
      const needed = length + value?.length;
      if (!isBytes || needed > limit) {
        this.#isOpen = false;
        cancel(reader);
        return isBytes ? tooLong(limit, isExact) : new TypeError("the option fetch answered with a stream of other parts than Uint8Arrays");
      }
      if (needed > bytes.length) bytes = grown(bytes.subarray(0, length), Math.min(limit, 2 * needed));
      bytes.set(value, length);
      length = needed;
    }
  }

  /**
   * Lets go of a body that nobody reads: a short one is read to its end, so that the connection can be used again.
   *
   * @param {Response} response
   */
  async leave(response) {
    if (announced(response) <= SHORT) await this.read(response, SHORT).catch(() => {});
    else cancel(response.body);
    this.#isOpen = false;
  }

  /** Stops watching, and ends the request where its answer has not come to its end. */
  end() {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#follow);
    if (this.#isOpen) this.#controller?.abort("nobody waits for it any more");
  }

  /** The next part of a body; where time is up that is the error, whatever the stream makes of its abort. */
  async #next(reader) {
    try {
      const part = await reader.read();
      if (!this.#error) return part;
    } catch (error) {
      if (!this.#error) throw error;
    }
    throw this.#error;
  }

  /** A promise, or the end of the time if that is earlier: a `fetch` of the caller's may not heed its signal. */
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
    this.#error = new DOMException(`no byte came for ${this.#ms} ms, the option timeout`, "TimeoutError");
    this.#expire(this.#error);
    this.#controller.abort(this.#error);
    // A stream that is not the platform's may not heed the signal.
    cancel(this.#reader);
  }
}

/** A header of an answer, where it has one that may be read. */
function header(response, name) {
  return response.headers?.get?.(name);
}

/** Headers that the core judges an answer by, in the order in which it reads them. */
const HEADERS = ["Location", "Content-Range", "Content-Length", "Content-Type", "ETag", "Last-Modified", "Retry-After"];

/**
 * The head of an answer as lines: its status, its type and its headers, all in one call; undefined where it is no response.
 *
 * @param {Response} response
 */
export function headOf(response) {
  // It may be another realm's or library's: ask for what is used.
  if (typeof response?.arrayBuffer !== "function") return undefined;
  return [response.status, response.type, ...HEADERS.map((name) => header(response, name) ?? "")].join("\n");
}

/** Length of an answer's body, where the host announces it. */
function announced(response) {
  const length = header(response, "Content-Length");
  return /^\d+$/.test(length ?? "") ? Number(length) : undefined;
}

function tooLong(limit, isAnnounced) {
  const why = isAnnounced
    ? "as many as Content-Length says, and the rest was not read; a fetch that unpacks bodies must drop that header"
    : "the most that are read here, and the rest was not read; the host may not understand ranges, or something else lies at this address";
  return new RangeError(`more than ${limit} bytes came, ${why}`);
}

/** Has no more bytes come from a stream, or from its reader. */
function cancel(stream) {
  stream?.cancel?.().catch(() => {});
}

/** The same bytes at the beginning of so many. */
function grown(bytes, room) {
  const more = new Uint8Array(room);
  more.set(bytes);
  return more;
}
