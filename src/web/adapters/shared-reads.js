/** Reads that several readers share: each is done once, and aborted when the last of its readers has left. */

export class SharedReads {
  #reads = new Map();

  /**
   * What `read(signal)` gives, which is not called where the same is being read. A reader's abort is its own. Readers
   * after the first get a copy, as each may change what it gets.
   *
   * @param {string} key what is read
   * @param {AbortSignal | undefined} signal the reader's
   * @param {(signal: AbortSignal) => Promise<unknown>} read
   * @param {(value: unknown) => unknown} copy
   */
  share(key, signal, read, copy) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const shared = this.#reads.get(key) ?? this.#begin(key, read, copy);
      const leave = () => {
        shared.readers.delete(reader);
        reject(signal.reason);
        if (shared.readers.size > 0) return;
        this.#forget(key, shared);
        shared.controller.abort(signal.reason);
      };
      const reader = { resolve, reject, stay: () => signal?.removeEventListener("abort", leave) };
      shared.readers.add(reader);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #begin(key, read, copy) {
    const shared = { controller: new AbortController(), readers: new Set() };
    this.#reads.set(key, shared);
    const settle = (tell) => {
      this.#forget(key, shared);
      [...shared.readers].forEach((reader, nth) => {
        reader.stay();
        tell(reader, nth);
      });
    };
    read(shared.controller.signal).then(
      (value) => settle(({ resolve }, nth) => resolve(nth === 0 ? value : copy(value))),
      (error) => settle(({ reject }) => reject(error)),
    );
    return shared;
  }

  #forget(key, shared) {
    if (this.#reads.get(key) === shared) this.#reads.delete(key);
  }
}
