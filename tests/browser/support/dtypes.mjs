/** What each data type must look like in JavaScript: its array class, its bytes, its fill value. */

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

/** The typed array class that api.md promises for `dtype`. */
export const className = (dtype) => CLASSES[dtype];

/** Bytes per item on the oracle's side. */
export const itemSize = (dtype) => SIZES[dtype] ?? 4;

/** The bits of a half from the bits of the float that holds it: exact, because it came from a half. */
function halfBits(bits) {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const mantissa = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (mantissa >>> 13);
  if (exponent > 112) return sign | ((exponent - 112) << 10) | (mantissa >>> 13);
  if (exponent < 102) return sign;
  return sign | ((mantissa | 0x800000) >>> (126 - exponent));
}

/** The little-endian bytes of a region's data, in the oracle's item size. */
export function bytesOf(data, dtype) {
  if (dtype === "float16" && data instanceof Float32Array) {
    // Read bits, not numbers: a NaN keeps its payload only as bits.
    data = Uint16Array.from(new Uint32Array(data.buffer, data.byteOffset, data.length), halfBits);
  }
  if (Array.isArray(data)) return bytesOfVariable(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Each item's length in four bytes, little endian, and its content. */
function bytesOfVariable(items) {
  const parts = items.flatMap((item) => {
    const content = typeof item === "string" ? new TextEncoder().encode(item) : item;
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, content.length, true);
    return [...new Uint8Array(length.buffer), ...content];
  });
  return Uint8Array.from(parts);
}

/** The number whose bits a fill value like "0x7fc00001" spells. */
function fromBits(text, dtype) {
  if (dtype === "float16") return NaN;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(text));
  return dtype === "float32" ? view.getFloat32(4) : view.getFloat64(0);
}

/** The fill value as JavaScript must see it, from its JSON text in zarr.json. */
export function fillValue(text, dtype) {
  if (text === "null") return null;
  if (dtype === "int64" || dtype === "uint64") return BigInt(text);
  const value = JSON.parse(text);
  if (typeof value !== "string") return value;
  return value.startsWith("0x") ? fromBits(value, dtype) : Number(value);
}
