/** Reads whose chunks become statistics in the module, and the form in which it takes numbers. */

/** Bytes of a typed array, as the module takes all numbers. */
export const bytesOf = (numbers) => new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

/**
 * Reads a selection once; gives the statistics of its items, and their number type.
 *
 * @param {any} array
 * @param {unknown} selection
 * @param {object} reading options of the read
 * @param {object} settings of the module
 * @param {(progress: { chunks: number, totalChunks: number, bytes: number }, found: () => { columns: any[], numbers: string }) => void} [onProgress]
 * @returns {Promise<{ columns: any[], numbers: string }>}
 */
export async function read(array, selection, reading, settings, onProgress) {
  const found = () => ({ columns: work.columns(), numbers: work.numbers });
  const listener = onProgress && ((progress) => onProgress(progress, found));
  const work = await array.openReduction(selection, { ...reading, onProgress: listener }, settings);
  try {
    await work.read();
    return found();
  } finally {
    work.free();
  }
}
