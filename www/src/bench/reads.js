// Rows of the benchmark, and both readers of them: for the benchmark's page, and for `make bench`, which brings data of its own.

/** The chunks and the codec of an array, what is read of it, and how many times as fast as zarrita we mean to be. */
export const ROWS = [
  { name: "512-uncompressed", edge: 512, codec: "uncompressed", goal: 1.1 },
  { name: "512-zstd", edge: 512, codec: "zstd", goal: 1.8 },
  { name: "512-gzip", edge: 512, codec: "gzip", goal: 1.5 },
  { name: "512-lz4", edge: 512, codec: "lz4", goal: 1.5 },
  { name: "512-blosc-lz4-shuffle", edge: 512, codec: "blosc-lz4-shuffle", goal: 3.3 },
  { name: "512-blosc-zstd-bitshuffle", edge: 512, codec: "blosc-zstd-bitshuffle", goal: 2.5 },
  { name: "32-uncompressed", edge: 32, codec: "uncompressed", goal: 4.5 },
  { name: "32-zstd", edge: 32, codec: "zstd", goal: 2.4 },
  { name: "32-blosc-lz4-shuffle", edge: 32, codec: "blosc-lz4-shuffle", goal: 7 },
  { name: "32-gzip", edge: 32, codec: "gzip", goal: 6.5 },
  { name: "64-cubes", edge: 64, axes: 3, codec: "uncompressed", selection: [null, null, 100], goal: 10 },
  { name: "512-uncompressed", edge: 512, codec: "uncompressed", selection: [{ step: 2 }, { step: 2 }], goal: 5 },
  { name: "512-big-endian", edge: 512, codec: "big-endian", goal: 5 },
];

/** The options of our two readers: what people have who say nothing, and neither workers nor cache. */
const OPTIONS = { defaults: {}, bare: { cacheBytes: 0, workers: 0 } };

/** A function that reads of an array in a store, or at a URL, by `"defaults"`, `"bare"` or `"zarrita"`, and one that frees it. */
export async function openReader(who, { zarr, zarrita }, source, selection) {
  if (who in OPTIONS) {
    const array = await zarr.RectilinearArray.open(source, OPTIONS[who]);
    return [() => array.get(selection), () => array.free()];
  }
  const { open, get, root, slice, FetchStore } = zarrita;
  const array = await open.v3(root(typeof source === "string" ? new FetchStore(source) : source), { kind: "array" });
  const slices = selection?.map((axis) => (axis?.step ? slice(null, null, axis.step) : axis));
  return [() => get(array, slices), () => {}];
}

/** Functions that read the same of the array in a store: by the package with neither workers nor cache, and by zarrita. */
export async function bothReaders(zarr, zarrita, source, selection) {
  const [[ours], [theirs]] = await Promise.all(["bare", "zarrita"].map((who) => openReader(who, { zarr, zarrita }, source, selection)));
  return { ours, theirs };
}

/** Difference of two reads, in words; undefined where they are the same. */
export function difference(a, b) {
  if (a.data.length !== b.data.length || `${a.shape}` !== `${b.shape}`) return `shapes ${a.shape} and ${b.shape}`;
  const at = a.data.findIndex((value, item) => value !== b.data[item]);
  return at < 0 ? undefined : `item ${at} is ${a.data[at]} and ${b.data[at]}`;
}

/** The value that `part` of all are below, as they were measured. */
export const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))];
