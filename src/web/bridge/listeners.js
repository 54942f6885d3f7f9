/** Calls of the caller's listeners, in one call out of WebAssembly each. */

/**
 * Calls `onRequest` for a finished request, without fields that are undefined. An exception of the listener becomes an
 * unhandled rejection, so that it does not fail the read.
 */
export function report(listener, key, method, range, status, bytes, ms) {
  const fields = Object.entries({ key, method, range, status, bytes, ms }).filter(([, value]) => value !== undefined);
  try {
    listener(Object.fromEntries(fields));
  } catch (error) {
    Promise.reject(error);
  }
}

/**
 * Calls `onProgress` of a read; an exception of the listener ends the read.
 *
 * @param {(progress: { chunks: number, totalChunks: number, bytes: number }) => void} listener
 * @param {number} chunks number of chunks that are done
 * @param {number} totalChunks
 * @param {number} bytes number of bytes that came for them
 */
export function progress(listener, chunks, totalChunks, bytes) {
  listener({ chunks, totalChunks, bytes });
}
