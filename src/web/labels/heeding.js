/** Waits for a promise until the signal aborts; the work continues for other callers. Leaves no listener behind. */
export function heeding(signal, promise) {
  if (!signal) return promise;
  signal.throwIfAborted();
  let leave;
  const left = new Promise((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave);
  });
  return Promise.race([promise, left]).finally(() => signal.removeEventListener("abort", leave));
}
