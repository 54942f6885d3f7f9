/**
 * Requests beside those of stores: for lists of names, documents of catalogs, and signatures. They fail with the errors of
 * stores.
 */
import { untilAborted } from "../common/until-aborted.js";
import { Passing, busy, delayOf, repeating } from "../fetch/repeats.js";
import { failure } from "../stores/common.js";
import { textUpTo } from "./bodies.js";

/** Milliseconds without a byte after which a request is given up, where no number is given. */
const TIMEOUT = 30_000;

/** Longest delay of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The error of a request, as the reads of stores have it. */
function unread(place, reason, { status, cause } = /** @type {any} */ ({})) {
  return failure("StoreError", `cannot read ${place}: ${status === undefined ? "" : `HTTP ${status}: `}${reason}`, { key: place, status, cause });
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
    const reason = busy(status);
    if (!reason) return answer;
    answer.body?.cancel().catch(() => {});
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
export function repeated(place, of, { signal, retries, timeout = TIMEOUT } = {}) {
  const attempted = async () => {
    const attempt = new Attempt(place, timeout);
    try {
      return await untilAborted(signal, Promise.race([of(attempt), attempt.late]));
    } finally {
      attempt.end();
    }
  };
  return repeating(attempted, { signal, retries });
}
