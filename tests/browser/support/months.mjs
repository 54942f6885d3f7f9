/** Months of the oracle's year, each in a store of its own. Runs in pages. */

/** Opens the months with these options. */
export function openMonths(RectilinearArray, { months }, options = {}) {
  const open = ({ path }) => RectilinearArray.open(new URL(`/data/${path}`, location.href), { workers: 0, ...options });
  return Promise.all(months.map(open));
}

/** Opens the year: the months, concatenated. */
export const openYear = async (RectilinearArray, year, options) => RectilinearArray.concat(await openMonths(RectilinearArray, year, options), "time");

/** One-axis int32 array that counts from `first` on, as a Map; stored items past the extent are -7. */
export function counting(extent, edge, first = 0) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [extent],
    data_type: "int32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [edge] } },
    chunk_key_encoding: { name: "default" },
    fill_value: -1,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  };
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
  for (let chunk = 0; chunk * edge < extent; chunk++) {
    const items = Int32Array.from({ length: edge }, (_, at) => (chunk * edge + at < extent ? first + chunk * edge + at : -7));
    store.set(`/c/${chunk}`, new Uint8Array(items.buffer));
  }
  return store;
}
