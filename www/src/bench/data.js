// Makes the benchmark's arrays in memory: float32, compressed by numcodecs, whose encoders are the C libraries' own.

const ITEM = 4;
/** The edges of an array of three axes, but for the first. */
const CUBE = [256, 256];

const blosc = (cname, shuffle) => ({ name: "blosc", configuration: { typesize: ITEM, cname, clevel: 5, shuffle, blocksize: 0 } });
const asBloscEncodes = async ({ configuration }) => {
  const { default: Blosc } = await import("numcodecs/blosc");
  return Blosc.fromConfig({ ...configuration, shuffle: ["noshuffle", "shuffle", "bitshuffle"].indexOf(configuration.shuffle) });
};

/** Codecs as a `zarr.json` has them, and their encoders. */
const COMPRESSORS = {
  zstd: [{ name: "zstd", configuration: { level: 3, checksum: false } }, async ({ configuration }) => (await import("numcodecs/zstd")).default.fromConfig(configuration)],
  gzip: [{ name: "gzip", configuration: { level: 6 } }, () => ({ encode: gzip })],
  lz4: [{ name: "numcodecs.lz4", configuration: { acceleration: 1 } }, async ({ configuration }) => (await import("numcodecs/lz4")).default.fromConfig(configuration)],
  "blosc-lz4-shuffle": [blosc("lz4", "shuffle"), asBloscEncodes],
  "blosc-zstd-bitshuffle": [blosc("zstd", "bitshuffle"), asBloscEncodes],
};

async function gzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Waves with some noise, as measured fields have it, in steps of 1/64; the same each time. */
export function smoothField(rows, columns) {
  let seed = 5;
  const uniform = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const across = Float64Array.from({ length: columns }, (_, column) => Math.cos(column / 300));
  const field = new Float32Array(rows * columns);
  for (let row = 0, at = 0; row < rows; row++) {
    const down = 20 * Math.sin(row / 200);
    for (let column = 0; column < columns; column++, at++) {
      const waves = 280 + down * across[column] + 3 * Math.sin(row / 37 + column / 23);
      field[at] = Math.round((waves + (uniform() + uniform() + uniform() - 1.5) / 10) * 64) / 64;
    }
  }
  return field;
}

/** All lists of whole numbers below these. */
const countUp = (below) => below.reduce((heads, count) => heads.flatMap((head) => Array.from({ length: count }, (_, at) => [...head, at])), [[]]);

/** The items of a chunk, row by row. */
function chunkOf(values, shape, edges, coords) {
  const length = edges.at(-1);
  const chunk = new Float32Array(edges.reduce((a, b) => a * b));
  countUp(edges.slice(0, -1)).forEach((within, nth) => {
    const place = [...within, 0].reduce((sum, at, axis) => sum * shape[axis] + coords[axis] * edges[axis] + at, 0);
    chunk.set(values.subarray(place, place + length), nth * length);
  });
  return chunk;
}

function swap(bytes) {
  for (let at = 0; at < bytes.length; at += ITEM) bytes.subarray(at, at + ITEM).reverse();
  return bytes;
}

/** The shape of an array of so many MiB, a power of four, and of two or three axes. */
export function shapeOf(mib, axes = 2) {
  const items = (mib * 2 ** 20) / ITEM;
  return axes === 3 ? [items / CUBE[0] / CUBE[1], ...CUBE] : [Math.sqrt(items), Math.sqrt(items)];
}

/** A store, as a `Map`, of an array of these values in chunks of `edge` items along each axis, or as long as the axis is. */
export async function stored(values, shape, { edge, codec }) {
  const edges = shape.map((extent) => Math.min(edge, extent));
  const [compressor, encoderOf] = COMPRESSORS[codec] ?? [];
  const encoder = await encoderOf?.(compressor);
  const endian = codec === "big-endian" ? "big" : "little";
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: edges } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian } }, ...(compressor ? [compressor] : [])],
  };
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
  for (const coords of countUp(shape.map((extent, axis) => extent / edges[axis]))) {
    const bytes = new Uint8Array(chunkOf(values, shape, edges, coords).buffer);
    if (endian === "big") swap(bytes);
    store.set(`/c/${coords.join("/")}`, encoder ? await encoder.encode(bytes) : bytes);
  }
  return store;
}
