// Says how the package is to read items as values (scaled, masked ones as NaN), and says values in words.
import { units, value } from "./format.js";
import { dateText, momentAt } from "./time.js";

const finite = (x, otherwise) => (typeof x === "number" && Number.isFinite(x) ? x : otherwise);

/** The names of CF flags by their values, or undefined. */
function flagsOf({ flag_values, flag_meanings }) {
  if (!Array.isArray(flag_values) || typeof flag_meanings !== "string") return undefined;
  const meanings = flag_meanings.split(" ");
  return new Map(flag_values.map((flag, i) => [Number(flag), (meanings[i] ?? "").replaceAll("_", " ")]));
}

/** Least and greatest finite value, or undefined where there is none. */
function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v < low && v !== -Infinity) low = v;
    if (v > high && v !== Infinity) high = v;
  }
  return low <= high ? [low, high] : undefined;
}

/** How the items of `array` (of which only its properties are looked at), which are times or not, become values: see each property's comment. */
export function makeDecoder(array, isTimes) {
  const { attrs, dtype, timeUnit, zarrFormat, fillValue } = array;
  const isComplex = dtype.startsWith("complex");
  const scale = finite(attrs.scale_factor, 1);
  const offset = finite(attrs.add_offset, 0);
  // Zarr v2's fill value stands for missing data, as in xarray; but zero is what writers put there unasked.
  const mask = zarrFormat === 2 && !fillValue ? "attributes" : undefined;
  const packed = scale !== 1 || offset !== 0;
  const range = attrs.valid_range ?? [attrs.valid_min, attrs.valid_max];
  const known = Array.isArray(range) && range.length === 2 && range.every((x) => Number.isFinite(x));
  const places = packed ? Math.max(0, Math.ceil(-Math.log10(Math.abs(scale)) - 1e-9)) : undefined;
  const flags = flagsOf(attrs);
  const unit = isTimes ? "" : units(attrs.units) || (timeUnit?.unit ?? "");

  function words(v) {
    if (Number.isNaN(v)) return "no data";
    if (dtype === "bool") return v ? "true" : "false";
    if (isTimes) return dateText(momentAt(v));
    const text = flags?.get(v);
    return text === undefined ? `${value(v, places)}${unit && ` ${unit}`}` : `${text} (${v})`;
  }

  return {
    /**
     * Reads a selection of the array, as `{ values, range }`: a Float64Array, in which packed numbers are unpacked and those
     * that are missing NaN, times milliseconds and complex numbers their magnitudes, and its finite range. Of times, labels.
     */
    async read(from, selection, signal) {
      const options = isTimes || isComplex ? { signal } : { decode: "cf", as: "float64", mask, minmax: true, signal };
      const { data, range: found, labels } = await (isTimes ? from.decodeTime(selection, options) : from.get(selection, options));
      const values = isComplex ? Float64Array.from({ length: data.length / 2 }, (_, i) => Math.hypot(data[2 * i], data[2 * i + 1])) : data;
      return { values, labels, range: found?.every(Number.isFinite) ? found : extent(values) };
    },
    /** What the array says its values lie between, or undefined. */
    range: known && !isTimes ? range.map((x) => x * scale + offset).sort((a, b) => a - b) : undefined,
    /** What the values are measured in, where they are. */
    units: unit,
    /** A value in words, with its unit. */
    words,
    /** What is drawn that is not the item itself, in words, or "". */
    note: isComplex ? "Complex numbers are drawn by their magnitude." : "",
  };
}
