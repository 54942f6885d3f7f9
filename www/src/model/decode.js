// Turns stored numbers into values by the CF attributes: scale and offset applied, masked values to NaN.

const finite = (x, otherwise) => (typeof x === "number" && Number.isFinite(x) ? x : otherwise);

/** A mask as attributes hold it: a number, "NaN", or xarray's base64 of eight bytes. */
function maskValue(mask) {
  if (typeof mask === "number") return mask;
  if (typeof mask !== "string") return undefined;
  if (mask === "NaN") return NaN;
  try {
    const raw = Uint8Array.from(atob(mask), (c) => c.charCodeAt(0));
    return raw.length === 8 ? new DataView(raw.buffer).getFloat64(0, true) : undefined;
  } catch {
    return undefined;
  }
}

/** `{ values(data), range, places }` for an array: see each property's comment. */
export function makeDecoder(attrs) {
  const scale = finite(attrs.scale_factor, 1);
  const offset = finite(attrs.add_offset, 0);
  const masks = [attrs._FillValue, attrs.missing_value].flat().map(maskValue).filter((mask) => mask !== undefined);
  const packed = scale !== 1 || offset !== 0;
  const range = attrs.valid_range ?? [attrs.valid_min, attrs.valid_max];
  const known = Array.isArray(range) && range.length === 2 && range.every((x) => Number.isFinite(x));
  return {
    /** Typed array of stored numbers to Float64Array of values. */
    values(data) {
      const out = new Float64Array(data.length);
      for (let i = 0; i < data.length; i++) {
        const stored = Number(data[i]); // 64-bit integers arrive as BigInt
        out[i] = masks.includes(stored) ? NaN : stored * scale + offset;
      }
      return out;
    },
    /** What the array says its values lie between, or undefined. */
    range: known ? range.map((x) => x * scale + offset) : undefined,
    /** Decimals worth showing, where packing tells. */
    places: packed ? Math.max(0, Math.ceil(-Math.log10(scale) - 1e-9)) : undefined,
  };
}

/** Least and greatest finite value, or undefined where there is none. */
export function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v < low && v !== -Infinity) low = v;
    if (v > high && v !== Infinity) high = v;
  }
  return low <= high ? [low, high] : undefined;
}
