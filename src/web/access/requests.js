/**
 * Requests beside those of stores: for lists of names, documents of catalogs, and signatures. They are repeated as those of
 * stores are (`src/network/http/response.rs`), and fail with the same errors.
 */
import { untilAborted } from "../common/until-aborted.js";
import { failure } from "../stores/common.js";
import { textUpTo } from "./bodies.js";

/** Repetitions of a request where no number is given. */
const RETRIES = 3;

/** Milliseconds without a byte after which a request is given up, where no number is given. */
const TIMEOUT = 30_000;

/** Longest delay of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Milliseconds before the first repetition; each further one waits twice as long, plus or minus a half. */
const FIRST_WAIT = 200;

/** Longest wait without a `Retry-After`, in milliseconds, before the random factor. */
const LONGEST_WAIT = 10_000;

/** Longest `Retry-After` that is respected, in milliseconds. A host that asks for more gets no repetition. */
const LONGEST_HEEDED = 60_000;

/** Milliseconds that a `Retry-After` header asks for, in seconds or as a date; 0 where it is neither. */
function delayOf(header) {
  const delay = /^\s*\d+\s*$/.test(header ?? "") ? 1000 * Number(header) : Date.parse(header ?? "") - Date.now();
  return Number.isFinite(delay) ? Math.max(0, delay) : 0;
}

/** A failure that may pass: no answer, one that broke off, or one of a host that is busy. */
class Passing extends Error {
  /**
   * @param {Error} failure the error where no repetition helps
   * @param {number} delay milliseconds before the next request, at least
   */
  constructor(failure, delay = 0) {
    super(failure.message);
    this.failure = failure;
    this.delay = delay;
  }
}

/** The error of a request, as the reads of stores have it. */
function unread(place, reason, { status, cause } = /** @type {any} */ ({})) {
  return failure("StoreError", `cannot read ${place}: ${status === undefined ? "" : `HTTP ${status}: `}${reason}`, { key: place, status, cause });
}

/** Waits; an abort ends that at once, and leaves no timer. */
function pause(ms, signal) {
  let timer;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  return untilAborted(signal, over).finally(() => clearTimeout(timer));
}

/**
 * How requests are repeated, and when they end.
 *
 * @typedef {{ signal?: AbortSignal, retries?: number, timeout?: number }} Patience
 */

/** One attempt at an answer: what is sent within it ends with it, and with a time in which no byte came. */
class Attempt {
  #controller = new AbortController();
  #place;
  #ms;
  #timer;
  #expire;
  /** Rejects after the time without a byte, because a `fetch` of the caller may ignore its signal. */
  late = new Promise((_, reject) => (this.#expire = reject));

  constructor(place, ms) {
    this.#place = place;
    this.#ms = ms;
    this.late.catch(() => {});
    this.#hear();
  }

  /** Signal of its requests. */
  get signal() {
    return this.#controller.signal;
  }

  #hear() {
    clearTimeout(this.#timer);
    if (!(this.#ms > 0 && this.#ms <= LONGEST_TIMER)) return;
    const cause = new DOMException(`no byte came for ${this.#ms} ms (option timeout)`, "TimeoutError");
    this.#timer = setTimeout(() => this.#expire(this.#lost(cause)), this.#ms);
  }

  #lost(cause) {
    return new Passing(
      unread(
        this.#place,
        `no answer (${cause?.message ?? cause}); check the address and the network, that the host allows this page to read it (CORS: Access-Control-Allow-Origin), and the page's own policy (connect-src)`,
        { cause },
      ),
    );
  }

  /**
   * The answer to a request. Throws the refusal of an access, and where the answer may be another one later.
   *
   * @param {() => Promise<any>} send
   */
  async answer(send) {
    const answer = await send().catch((cause) => {
      throw this.#lost(cause);
    });
    this.#hear();
    if (answer.refusal) throw answer.refusal;
    const { status } = answer;
    if (status !== 429 && !(status >= 500 && status <= 599)) return answer;
    answer.body?.cancel().catch(() => {});
    const reason = status === 429 ? "the host limits the rate of requests, after the retries too; try again later" : "the host failed, and again at each retry; try again later";
    throw new Passing(unread(this.#place, reason, { status }), delayOf(answer.headers.get("Retry-After")));
  }

  /** The text of an answer up to a number of bytes. */
  text(answer, most) {
    return textUpTo(answer, most, () => this.#hear()).catch((cause) => {
      throw new Passing(unread(this.#place, `the answer broke off (${cause?.message ?? cause}); try again later`, { cause }));
    });
  }

  /** Ends its requests. */
  end() {
    clearTimeout(this.#timer);
    this.#controller.abort("the request is no longer needed");
  }
}

/**
 * What an attempt gives, after as many repetitions as it takes. An abort ends it at once, whatever it waits for.
 *
 * @template T
 * @param {string} place address for messages
 * @param {(attempt: Attempt) => Promise<T>} of
 * @param {Patience} [patience]
 * @returns {Promise<T>}
 */
export async function repeated(place, of, { signal, retries = RETRIES, timeout = TIMEOUT } = {}) {
  for (let nth = 0; ; nth++) {
    signal?.throwIfAborted();
    const attempt = new Attempt(place, timeout);
    try {
      return await untilAborted(signal, Promise.race([of(attempt), attempt.late]));
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Passing)) throw error;
      if (nth >= retries || error.delay > LONGEST_HEEDED) throw error.failure;
      const wait = Math.min(FIRST_WAIT * 2 ** nth, LONGEST_WAIT) * (0.5 + Math.random());
      attempt.end();
      await pause(Math.max(wait, error.delay), signal);
    } finally {
      attempt.end();
    }
  }
}
