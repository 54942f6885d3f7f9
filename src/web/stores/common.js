/** Common parts of the stores of `rectilinear-zarr/stores`: keys, ranges, and errors with the package's names. */

/**
 * Splits a key into segments. Throws for a key that could lead out of the store, or name a file in a second way.
 *
 * @param {string} key starts with a slash
 */
export function segmentsOf(key) {
  const segments = key.slice(1).split("/");
  const isPlain = key.startsWith("/") && segments.every((segment) => !["", ".", ".."].includes(segment));
  if (!isPlain) throw new TypeError(`${JSON.stringify(key)} is not a key: expected a slash first, and no empty segments, "." or ".."`);
  return segments;
}

/**
 * Start and stop of a range in a value of `size` bytes, clipped as slices are.
 *
 * @param {{ offset: number, length: number } | { suffixLength: number }} range
 * @param {number} size
 */
export function boundsOf(range, size) {
  if ("suffixLength" in range) return [Math.max(0, size - range.suffixLength), size];
  const start = Math.min(range.offset, size);
  return [start, Math.min(start + range.length, size)];
}

/** Bytes of a Blob. */
export async function bytesOf(blob) {
  return new Uint8Array(await blob.arrayBuffer());
}

/** Makes an error with one of the package's error names. */
export function failure(name, message, fields = {}) {
  return Object.assign(new Error(message, { cause: fields.cause }), { name }, fields);
}

/** The next turn of the event loop. Hidden tabs delay timers, but not messages. */
export function nextTurn() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      // An open port would keep Node from exiting.
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(undefined);
  });
}
