/** Waits for a promise until the signal aborts; the work continues for other callers. Leaves no listener behind. */
export async function untilAborted(signal, promise) {
  if (!signal) return promise;
  // A failure after the abort has nobody to report to, and is no error of the page.
  promise.catch(() => {});
  signal.throwIfAborted();
  let leave;
  const left = new Promise((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave);
  });
  return Promise.race([promise, left]).finally(() => signal.removeEventListener("abort", leave));
}
