/** What the stores of `rectilinear-zarr/stores` have in common: keys, ranges, and errors with the package's names. */

/**
 * A key's segments. What could lead out of the store, or to a file by a second name, is refused.
 *
 * @param {string} key with a slash before it
 */
export function segmentsOf(key) {
  const segments = key.slice(1).split("/");
  const isPlain = key.startsWith("/") && segments.every((segment) => !["", ".", ".."].includes(segment));
  if (!isPlain) throw new TypeError(`${JSON.stringify(key)} is no key: one starts with a slash, and has no empty segments, "." or ".."`);
  return segments;
}

/**
 * The first byte of a range in so many bytes, and the one after its last: clipped, as slices are.
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

/** An error by one of the names that the package's errors have. */
export function failure(name, message, fields = {}) {
  return Object.assign(new Error(message, { cause: fields.cause }), { name }, fields);
}
