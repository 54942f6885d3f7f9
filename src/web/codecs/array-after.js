/**
 * The array after a codec of this package that turns arrays into arrays: custom codecs behind it are told its type and
 * shape before the module that knows the codec is loaded. Configurations that are wrong leave the array as it is, because
 * that module says what is wrong with them.
 */

/** Number types of numpy by their kind, and by the names of C and Python: as in src/metadata/types/numpy.rs. */
const KINDS = { i: "int", u: "uint", f: "float", c: "complex" };
const NAMES = Object.fromEntries(
  "? bool,b int8,h int16,i int32,l int64,q int64,B uint8,H uint16,I uint32,L uint64,Q uint64,e float16,f float32,d float64,int int64,uint uint64,float float64,complex complex128"
    .split(",")
    .map((pair) => pair.split(" ")),
);

/** Name of the data type that numpy spells so. */
function numpyType(dtype) {
  const plain = dtype.replace(/^[<>|=]/, "");
  const [, kind, bytes] = /^([iufc])(\d+)$/.exec(plain) ?? [];
  if (kind) return `${KINDS[kind]}${8 * Number(bytes)}`;
  const [, time] = /^(M8|datetime64|m8|timedelta64)/.exec(plain) ?? [];
  if (time) return `numpy.${/^[Md]/.test(time) ? "datetime64" : "timedelta64"}`;
  return plain === "b1" ? "bool" : (NAMES[plain] ?? plain);
}

const product = (edges) => edges.reduce((items, edge) => items * edge, 1);

/** The shape that `reshape` gives: lengths, lists of axes that are joined, and -1 for the rest of the items. */
function reshaped(axes, shape) {
  const edges = axes.map((axis) => (Array.isArray(axis) ? product(axis.map((input) => shape[input])) : axis));
  return edges.map((edge) => (edge === -1 ? product(shape) / -product(edges) : edge));
}

/** Shape after `transpose`; drafts had letters for two orders. */
const turned = (order, shape) => (order === "C" ? shape : order === "F" ? [...shape].reverse() : order.map((axis) => shape[axis]));

const named = (dataType) => ({ dataType: dataType.name ?? dataType });
const spelt = (dtype) => (dtype === undefined || dtype === null ? {} : { dataType: numpyType(dtype) });

/** Changes of the array's shape and data type, by the codec. */
const CHANGES = {
  transpose: ({ order }, { shape }) => ({ shape: turned(order, shape) }),
  reshape: ({ shape: axes }, { shape }) => ({ shape: reshaped(axes, shape) }),
  cast_value: ({ data_type }) => named(data_type),
  "cfdb.packed": ({ data_type }) => named(data_type),
  "numcodecs.astype": ({ encode_dtype }) => spelt(encode_dtype),
  "numcodecs.categorize": ({ astype }) => spelt(astype ?? "|u1"),
  "numcodecs.delta": ({ astype }) => spelt(astype),
  "numcodecs.fixedscaleoffset": ({ astype }) => spelt(astype),
  "numcodecs.log_bins": () => ({ dataType: "uint8" }),
  "numcodecs.packbits": (_, { shape }) => ({ dataType: "uint8", shape: [1 + Math.ceil(product(shape) / 8)] }),
  "numcodecs.quantize": ({ astype }) => spelt(astype),
};

/**
 * The array after a codec of this package.
 *
 * @param {{ name: string, configuration: object }} codec
 * @param {{ dataType: string, shape: number[] }} array the array before it
 */
export function stageAfter({ name, configuration }, array) {
  if (!Object.hasOwn(CHANGES, name)) return array;
  try {
    return { ...array, ...CHANGES[name](configuration, array) };
  } catch {
    return array;
  }
}
