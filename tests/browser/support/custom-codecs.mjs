/** Arrays with custom codecs, made in memory, for pages and Node. */

export const little = { name: "bytes", configuration: { endian: "little" } };

/** Six items of two rows. */
export const ITEMS = [1, -2, 3, 4, 5, -6];

/** An array of these items in one chunk. */
export const document = (codecs, more) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [2, 3],
  data_type: "int16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 3] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 9,
  codecs,
  ...more,
});

export const older = (more) => ({ zarr_format: 2, shape: [2, 3], chunks: [2, 3], dtype: "<i2", fill_value: 9, order: "C", filters: null, compressor: null, ...more });

/** The bytes of items of a class. */
export const bytesOf = (items = ITEMS, Class = Int16Array) => new Uint8Array(Class.from(items).buffer);

/** A store of an array with the same bytes in each of its chunks. */
export function storeOf(document, chunk, chunks = 1) {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const isOlder = document.zarr_format === 2;
  const store = new Map([[isOlder ? "/.zarray" : "/zarr.json", text]]);
  for (let nth = 0; nth < chunks; nth++) store.set(isOlder ? `/${nth}.0` : `/c/${nth}/0`, chunk);
  return store;
}

/** A shard of chunks, whose index, without a codec, is at the end. */
export function shardOf(chunks) {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const shard = new Uint8Array(length + 16 * chunks.length);
  const index = new DataView(shard.buffer, length);
  let at = 0;
  chunks.forEach((chunk, nth) => {
    shard.set(chunk, at);
    index.setBigUint64(16 * nth, BigInt(at), true);
    index.setBigUint64(16 * nth + 8, BigInt(chunk.length), true);
    at += chunk.length;
  });
  return shard;
}

/** Items of a read, or the fields of its error. */
export async function read(array, ...how) {
  try {
    return Array.from((await array.get(...how)).data, Number);
  } catch (error) {
    return told(error);
  }
}

/** Fields of an error. */
export function told({ name, message, codec, key, coords, got, expected, cause }) {
  return { name, message, codec, key, coords, got, expected, cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : cause };
}
