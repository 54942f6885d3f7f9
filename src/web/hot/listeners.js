/** Listeners of the caller, each told in one call out of WebAssembly. */

/**
 * Tells the caller's listener about a finished request; what is undefined is left out. What the listener throws is an
 * unhandled rejection, and no failure of ours.
 */
export function report(listener, key, method, range, status, bytes, ms) {
  const told = Object.entries({ key, method, range, status, bytes, ms }).filter(([, value]) => value !== undefined);
  try {
    listener(Object.fromEntries(told));
  } catch (error) {
    Promise.reject(error);
  }
}

/**
 * Tells the progress of a read; what the listener throws ends the read.
 *
 * @param {(progress: { chunks: number, totalChunks: number, bytes: number }) => void} listener
 * @param {number} chunks that are done
 * @param {number} totalChunks
 * @param {number} bytes that came for them
 */
export function progress(listener, chunks, totalChunks, bytes) {
  listener({ chunks, totalChunks, bytes });
}
