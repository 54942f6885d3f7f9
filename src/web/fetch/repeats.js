/**
 * Repetitions of requests that JavaScript sends itself: of zips, lists of names, documents of catalogs, and signatures. They
 * are repeated as those of stores are (`src/network/http/response.rs`).
 */
import { untilAborted } from "../common/until-aborted.js";

/** Repetitions of a request where no number is given. */
const RETRIES = 3;

/** Milliseconds before the first repetition; each further one waits twice as long, plus or minus a half. */
const FIRST_WAIT = 200;

/** Longest wait without a `Retry-After`, in milliseconds, before the random factor. */
const LONGEST_WAIT = 10_000;

/** Longest `Retry-After` that is respected, in milliseconds. A host that asks for more gets no repetition. */
const LONGEST_HEEDED = 60_000;

/** Milliseconds that a `Retry-After` header asks for, in seconds or as a date; 0 where it is neither. */
export function delayOf(header) {
  const delay = /^\s*\d+\s*$/.test(header ?? "") ? 1000 * Number(header) : Date.parse(header ?? "") - Date.now();
  return Number.isFinite(delay) ? Math.max(0, delay) : 0;
}

/** What to try where a host that was busy or failed is so after the repetitions too; undefined for other statuses. */
export function busy(status) {
  if (status === 429) return "the host limits the rate of requests, after the retries too; try again later";
  return status >= 500 && status <= 599 ? "the host failed, and again at each retry; try again later" : undefined;
}

/** A failure that may pass: no answer, one that broke off, or one of a host that is busy. */
export class Passing extends Error {
  /**
   * @param {any} failure the error where no repetition helps
   * @param {number} delay milliseconds before the next request, at least
   */
  constructor(failure, delay = 0) {
    super(failure.message);
    this.failure = failure;
    this.delay = delay;
  }
}

/** Waits; an abort ends that at once, and leaves no timer. */
function pause(ms, signal) {
  let timer;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  return untilAborted(signal, over).finally(() => clearTimeout(timer));
}

/**
 * What a request gives, after as many repetitions as it takes; an abort ends the wait between two of them.
 *
 * @template T
 * @param {() => Promise<T>} of sends the request, and throws `Passing` where another may succeed
 * @param {{ signal?: AbortSignal, retries?: number }} patience
 * @returns {Promise<T>}
 */
export async function repeating(of, { signal, retries = RETRIES }) {
  for (let nth = 0; ; nth++) {
    signal?.throwIfAborted();
    try {
      return await of();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Passing)) throw error;
      if (nth >= retries || error.delay > LONGEST_HEEDED) throw error.failure;
      const wait = Math.min(FIRST_WAIT * 2 ** nth, LONGEST_WAIT) * (0.5 + Math.random());
      await pause(Math.max(wait, error.delay), signal);
    }
  }
}
