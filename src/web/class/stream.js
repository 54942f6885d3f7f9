/** Reads as async iteration: `for await (const part of array.stream(selection))`. */

/**
 * Yields the parts of a read as they arrive; leaving the loop aborts the read.
 *
 * @param {{ openStream(selection: unknown, options: unknown): { next(): Promise<unknown>, free(): void } }} array
 */
async function* parts(array, selection, options) {
  const stream = await array.openStream(selection, options);
  try {
    for (let part = await stream.next(); part !== undefined; part = await stream.next()) yield part;
  } finally {
    stream.free();
  }
}

/** Adds `stream` to a class. */
export function streaming(opened) {
  opened.prototype.stream = function (selection, options) {
    return parts(this, selection, options);
  };
  return opened;
}
