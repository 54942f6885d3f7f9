/**
 * Turns of the answers of a Service Worker, which browsers do not tell of pages' aborts: so many answers at once, the
 * newest request first, so that what a page shows at last does not wait for what it has left.
 */

/** Most answers under way, and most requests that wait for a turn. */
const [MOST, WAITING] = [32, 1024];

/** Least milliseconds between two looks for pages that are gone. */
const LOOK = 1000;

export class WorkerTurns {
  #living;
  #running = new Set();
  #waiting = [];
  #looked = -Infinity;

  /** @param {() => Promise<Set<string>>} living finds the ids of the pages that are open */
  constructor(living) {
    this.#living = living;
  }

  /**
   * Runs `work(signal)` in its turn. Undefined for work that is dropped: the oldest of too many that wait, and that of
   * pages that are gone, whose work under way is aborted.
   *
   * @template T
   * @param {string} page id of the page that waits
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @returns {Promise<T | undefined>}
   */
  run(page, work) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ page, work, resolve, reject });
      if (this.#waiting.length > WAITING) this.#waiting.shift().resolve(undefined);
      this.#next();
    });
  }

  #next() {
    while (this.#running.size < MOST && this.#waiting.length > 0) this.#begin(this.#waiting.pop());
    if (this.#waiting.length > 0) this.#look();
  }

  #begin({ page, work, resolve, reject }) {
    const turn = { page, controller: new AbortController() };
    this.#running.add(turn);
    const { signal } = turn.controller;
    const end = (settle) => (value) => {
      this.#running.delete(turn);
      if (signal.aborted) resolve(undefined);
      else settle(value);
      this.#next();
    };
    work(signal).then(end(resolve), end(reject));
  }

  /** Drops the work of pages that are gone. */
  async #look() {
    const time = performance.now();
    if (time - this.#looked < LOOK) return;
    this.#looked = time;
    const living = await this.#living();
    const isGone = ({ page }) => page !== "" && !living.has(page);
    const gone = this.#waiting.filter(isGone);
    this.#waiting = this.#waiting.filter((one) => !isGone(one));
    for (const { resolve } of gone) resolve(undefined);
    for (const { page, controller } of this.#running) if (isGone({ page })) controller.abort();
  }
}
