/**
 * One request and the body of its answer: cut off where more bytes come than may, and given up where none come for too long.
 */

/** The longest body that is read to its end for nothing; of a longer one the connection is given up. */
const SHORT = 64 << 10;

/** The most memory that is reserved because a host announces a length: 64 MiB; beyond, memory grows as bytes come. */
const RESERVED = 64 << 20;

/** How long messages that are there already may take to be delivered, after the page slept or was busy. */
const GRACE = 100;

/** The longest time that a timer can be set for. */
const LONGEST = 2 ** 31 - 1;

/**
 * When a byte last came from each origin. Browsers send six requests at a time to a host over HTTP/1.1, so one that has no
 * answer yet may be waiting for others.
 */
const heard = new Map();

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
   * The body of an answer; undefined where it has more bytes than it may have, of which no more are read then.
   *
   * @param {Response} response
   * @param {number} most bytes that it may have
   * @param {number} expected bytes, for which memory is reserved
   * @returns {Promise<Uint8Array | undefined>}
   */
  async read(response, most, expected) {
    if (typeof response.body?.getReader !== "function") {
      // A body of no bytes, or of another library's response.
      const bytes = new Uint8Array(await this.#inTime(response.arrayBuffer()));
      return bytes.length > most ? undefined : bytes;
    }
    const reader = (this.#reader = response.body.getReader());
    let bytes = new Uint8Array(Math.min(most, expected, RESERVED));
    let length = 0;
    for (;;) {
      const { done, value } = await this.#next(reader);
      if (done) {
        this.#isOpen = false;
        return length === bytes.length ? bytes : bytes.slice(0, length);
      }
      this.#hear();
      const needed = length + value.length;
      if (needed > most) {
        this.#isOpen = false;
        cancel(reader);
        return undefined;
      }
      if (needed > bytes.length) bytes = grown(bytes.subarray(0, length), Math.min(most, 2 * needed));
      bytes.set(value, length);
      length = needed;
    }
  }

  /**
   * Lets go of a body that nobody reads: a short one is read to its end, so that the connection can be used again.
   *
   * @param {Response} response
   * @param {boolean} isShort
   */
  async leave(response, isShort) {
    if (isShort) await this.read(response, SHORT, 0).catch(() => {});
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
    heard.set(this.#origin, this.#since);
  }

  #watch() {
    const since = Math.max(this.#since, this.#isAnswered ? 0 : (heard.get(this.#origin) ?? 0));
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
