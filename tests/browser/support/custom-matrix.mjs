/** Arrays of every combination of custom codecs and built-in ones, encoded here by their definitions. */

/** The items of the array, and its shape; none of its axes are alike. */
export const SHAPE = [2, 3, 4];
export const VALUES = Array.from({ length: 24 }, (_, i) => (i * 37) % 101 - 50);

const ORDER = [1, 2, 0];
const product = (edges) => edges.reduce((items, edge) => items * edge, 1);
const cStrides = (shape) => shape.map((_, axis) => product(shape.slice(axis + 1)));
const fStrides = (shape) => shape.map((_, axis) => product(shape.slice(0, axis)));

/** Items in the order of other strides: `at` is the place of each item of C order. */
function places(shape, stride) {
  const from = cStrides(shape);
  return Array.from({ length: product(shape) }, (_, nth) => shape.reduce((sum, edge, axis) => sum + (Math.floor(nth / from[axis]) % edge) * stride[axis], 0));
}

function transposed({ items, shape }) {
  const stride = cStrides(shape);
  const turned = ORDER.map((axis) => shape[axis]);
  return { items: places(turned, ORDER.map((axis) => stride[axis])).map((at) => items[at]), shape: turned };
}

const negated = ({ items, shape }) => ({ items: items.map((item) => -item), shape });
const flipped = (bytes) => bytes.map((byte) => byte ^ 0x5a);
const bytesOf = (items) => [...new Uint8Array(Int16Array.from(items).buffer)];
const swapped = (bytes) => bytes.map((_, nth) => bytes[nth ^ 1]);
const shuffled = (bytes) => [0, 1].flatMap((byte) => bytes.filter((_, nth) => nth % 2 === byte));
const little = { name: "bytes", configuration: { endian: "little" } };

/** Codecs by a letter: the entry in the metadata, and how it encodes. */
export const CODECS = {
  T: { entry: { name: "transpose", configuration: { order: ORDER } }, encode: transposed },
  n: { entry: "my.negate", encode: negated },
  f: { entry: "my.flat", encode: negated },
  b: { entry: little, encode: ({ items }) => bytesOf(items) },
  B: { entry: { name: "bytes", configuration: { endian: "big" } }, encode: ({ items }) => swapped(bytesOf(items)) },
  i: { entry: "my.items", encode: ({ items }) => bytesOf(items) },
  r: { entry: "my.raw", encode: ({ items }) => bytesOf(items) },
  c: { entry: "my.columns", encode: ({ items, shape }) => places(shape, fStrides(shape)).reduce((data, at, nth) => ((data[at] = items[nth]), data), []) , last: bytesOf },
  x: { entry: "my.flip", encode: flipped },
  s: { entry: "my.shuffle", encode: shuffled },
  S: { entry: { name: "numcodecs.shuffle", configuration: { elementsize: 2 } }, encode: shuffled },
};

/** All lists of these letters, up to a length. */
function lists(letters, most) {
  if (most === 0) return [""];
  return ["", ...[...letters].flatMap((letter) => lists(letters, most - 1).map((rest) => letter + rest))];
}

/** Every combination: up to three codecs of arrays, one that makes bytes, and some of bytes. */
export const COMBINATIONS = lists("Tnf", 3).flatMap((arrays) => [..."bBirc"].flatMap((maker) => ["", "x", "s", "Sx", "xsS"].map((bytes) => arrays + maker + bytes)));

/** Those that zarrita reads: one transpose, as it forgets others, beside codecs that follow its contract. */
export const isTheirs = (combination) => /^[Tn]*[bB]/.test(combination) && combination.split("T").length <= 2;

/** The chunk of an array with these codecs. */
export function chunkOf(combination) {
  let data = { items: VALUES, shape: SHAPE };
  for (const letter of combination) {
    const { encode, last = (bytes) => bytes } = CODECS[letter];
    data = last(encode(data));
  }
  return Uint8Array.from(data);
}

/** A store of an array with these codecs, of one chunk or of one shard of it. */
export function storeOf(combination, isSharded) {
  const codecs = [...combination].map((letter) => CODECS[letter].entry);
  // zarrita takes no bare names.
  const named = codecs.map((codec) => (typeof codec === "string" ? { name: codec, configuration: {} } : codec));
  const chunk = chunkOf(combination);
  const shard = new Uint8Array(chunk.length + 16);
  shard.set(chunk);
  new DataView(shard.buffer).setBigUint64(chunk.length + 8, BigInt(chunk.length), true);
  const sharding = { name: "sharding_indexed", configuration: { chunk_shape: SHAPE, codecs: named, index_codecs: [little], index_location: "end" } };
  const document = {
    zarr_format: 3, node_type: "array", shape: SHAPE, data_type: "int16", fill_value: 0, attributes: {},
    chunk_grid: { name: "regular", configuration: { chunk_shape: SHAPE } }, chunk_key_encoding: { name: "default" },
    codecs: isSharded ? [sharding] : named,
  };
  const values = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))], ["/c/0/0/0", isSharded ? shard : chunk]]);
  const cut = (value, { offset, length, suffixLength }) => (suffixLength ? value.slice(-suffixLength) : value.slice(offset, offset + length));
  return { get: (key) => values.get(key), getRange: async (key, range) => values.has(key) ? cut(values.get(key), range) : undefined };
}

/** Registers the custom codecs; `told` gets the name of a codec and what each of its instances is told. */
export function register(set, told = () => {}) {
  const codec = (name, kind, make) =>
    set(name, () => ({
      fromConfig: (_, { dataType, shape }) => {
        told(name, dataType, shape);
        return { kind, decode: make(dataType, shape) };
      },
    }));
  const items = (bytes) => new Int16Array(Uint8Array.from(bytes).buffer);
  codec("my.negate", "array_to_array", () => ({ data, shape, stride }) => ({ data: data.map((item) => -item), shape, stride }));
  codec("my.flat", "array_to_array", () => async ({ data }) => data.map((item) => -item));
  codec("my.items", "array_to_bytes", () => items);
  codec("my.raw", "array_to_bytes", () => (bytes) => bytes);
  codec("my.columns", "array_to_bytes", (_, shape) => async (bytes) => ({ data: items(bytes), shape, stride: fStrides(shape) }));
  codec("my.flip", "bytes_to_bytes", () => (bytes) => Uint8Array.from(flipped([...bytes])));
  // Its elements are the array's items, which it is told of.
  codec("my.shuffle", "bytes_to_bytes", (dataType) => (bytes) => {
    const size = Number(/\d+$/.exec(dataType)[0]) / 8;
    return Uint8Array.from(bytes, (_, nth) => bytes[(nth % size) * (bytes.length / size) + Math.floor(nth / size)]);
  });
}
