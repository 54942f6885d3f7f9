/** Reads shared by several readers: each runs once, and is aborted when its last reader aborts. */
export class SharedReads {
  #reads = new Map();

  /**
   * Joins the running read of a key, or starts `read(signal)`. An abort affects its own reader only. Readers after the
   * first get a copy, because each may change its value.
   *
   * @param {string} key identifies the read
   * @param {AbortSignal | undefined} signal signal of this reader
   * @param {(signal: AbortSignal | undefined) => Promise<unknown>} read
   * @param {(value: any) => unknown} copy
   */
  share(key, signal, read, copy) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const shared = this.#reads.get(key) ?? this.#begin(key, signal && new AbortController(), read, copy);
      const leave = () => {
        shared.readers.delete(reader);
        reject(signal?.reason);
        if (shared.readers.size > 0) return;
        this.#forget(key, shared);
        shared.controller.abort(signal?.reason);
      };
      const reader = { resolve, reject, stay: () => signal?.removeEventListener("abort", leave) };
      shared.readers.add(reader);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** A first reader without a signal never leaves: its read needs no controller, whose signal costs as much as a small chunk. */
  #begin(key, controller, read, copy) {
    const shared = { controller, readers: new Set() };
    this.#reads.set(key, shared);
    const settle = (tell) => {
      this.#forget(key, shared);
      [...shared.readers].forEach((reader, nth) => {
        reader.stay();
        tell(reader, nth);
      });
    };
    read(controller?.signal).then(
      (value) => settle(({ resolve }, nth) => resolve(nth === 0 ? value : copy(value))),
      (error) => settle(({ reject }) => reject(error)),
    );
    return shared;
  }

  #forget(key, shared) {
    if (this.#reads.get(key) === shared) this.#reads.delete(key);
  }
}
