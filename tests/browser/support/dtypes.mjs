/** Expected form of each data type in JavaScript: array class, bytes and fill value. */

const CLASSES = {
  bool: "Uint8Array",
  int8: "Int8Array",
  int16: "Int16Array",
  int32: "Int32Array",
  int64: "BigInt64Array",
  uint8: "Uint8Array",
  uint16: "Uint16Array",
  uint32: "Uint32Array",
  uint64: "BigUint64Array",
  float16: "Float16Array" in globalThis ? "Float16Array" : "Float32Array",
  float32: "Float32Array",
  float64: "Float64Array",
};

const SIZES = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, float16: 2, int64: 8, uint64: 8, float64: 8 };

/** Typed array class of `dtype`. */
export const className = (dtype) => CLASSES[dtype];

/** Bytes of an item in the oracle's files. */
export const itemSize = (dtype) => SIZES[dtype] ?? 4;

/** Bits of a float16 from the bits of a float32 that holds it exactly. */
function halfBits(bits) {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const mantissa = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (mantissa >>> 13);
  if (exponent > 112) return sign | ((exponent - 112) << 10) | (mantissa >>> 13);
  if (exponent < 102) return sign;
  return sign | ((mantissa | 0x800000) >>> (126 - exponent));
}

/** Little-endian bytes of a region's data, in the oracle's item size. */
export function bytesOf(data, dtype) {
  if (dtype === "float16" && data instanceof Float32Array) {
    // Bits keep the payload of a NaN, and numbers do not.
    data = Uint16Array.from(new Uint32Array(data.buffer, data.byteOffset, data.length), halfBits);
  }
  if (Array.isArray(data)) return bytesOfVariable(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Bytes of items of variable length: each item's length in four bytes, little endian, then its content. */
function bytesOfVariable(items) {
  const parts = items.flatMap((item) => {
    const content = typeof item === "string" ? new TextEncoder().encode(item) : item;
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, content.length, true);
    return [...new Uint8Array(length.buffer), ...content];
  });
  return Uint8Array.from(parts);
}

/** Number of a fill value that is given by its bits, such as "0x7fc00001". */
function fromBits(text, dtype) {
  if (dtype === "float16") return NaN;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(text));
  return dtype === "float32" ? view.getFloat32(4) : view.getFloat64(0);
}

/** Expected fill value in JavaScript, from its JSON text in zarr.json. */
export function fillValue(text, dtype) {
  if (text === "null") return null;
  if (dtype === "int64" || dtype === "uint64") return BigInt(text);
  const value = JSON.parse(text);
  if (typeof value !== "string") return value;
  return value.startsWith("0x") ? fromBits(value, dtype) : Number(value);
}
