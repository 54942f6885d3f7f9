// Says how the package is to read items as values (scaled, masked ones as NaN), and says values in words.
import { unitsIn, value } from "./format.js";
import { dateText } from "./time.js";

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

/** How the items of `array` (of which only its properties are looked at), which are times or not, become values: see each property's comment. Of times, `calendar` says where they lie; without it they are not drawn. */
export function makeDecoder(array, isTimes, calendar) {
  const { attrs, dtype, timeUnit, zarrFormat, fillValue } = array;
  const isComplex = dtype.startsWith("complex");
  const scale = finite(attrs.scale_factor, 1);
  const offset = finite(attrs.add_offset, 0);
  // Zarr v2's fill value stands for missing data, as in xarray; but zero is what writers put there unasked.
  const mask = zarrFormat === 2 && !fillValue ? "attributes" : undefined;
  const packed = scale !== 1 || offset !== 0;
  // Integers beyond what numbers hold are bigints.
  const range = [attrs.valid_range ?? [attrs.valid_min, attrs.valid_max]].flat().map((x) => (typeof x === "bigint" ? Number(x) : x));
  const known = range.length === 2 && range.every((x) => Number.isFinite(x));
  const places = packed ? Math.max(0, Math.ceil(-Math.log10(Math.abs(scale)) - 1e-9)) : undefined;
  const flags = flagsOf(attrs);
  const unit = isTimes ? "" : unitsIn(attrs) || (timeUnit?.unit ?? "");

  /** The 64-bit integers of a selection as they are stored, where some are beyond what a float64 holds exactly. */
  async function exactOf(from, selection, range, signal) {
    const isBeyond = /^u?int64$/.test(dtype) && !packed && range?.some((v) => !Number.isSafeInteger(v));
    return isBeyond ? (await from.get(selection, { signal })).data : undefined;
  }

  function words(v) {
    if (Number.isNaN(v)) return "no data";
    if (dtype === "bool") return v ? "true" : "false";
    if (isTimes) return dateText(calendar.momentAt(v));
    const text = flags?.get(Number(v));
    return text === undefined ? `${value(v, places)}${unit && ` ${unit}`}` : `${text} (${v})`;
  }

  const reading = isTimes || isComplex ? {} : { decode: "cf", as: "float64", mask, minmax: true };
  /** Whether float32 holds every value: the same picture in half the memory. */
  const isNarrow = !packed && /^(bool|u?int(8|16)|b?float(16|32))$/.test(dtype);

  async function read(from, selection, signal, more) {
    const options = { ...reading, ...more, signal };
    const { data, range: found, labels } = await (isTimes ? from.decodeTime(selection, options) : from.get(selection, options));
    const values = isComplex ? Float64Array.from({ length: data.length / 2 }, (_, i) => Math.hypot(data[2 * i], data[2 * i + 1])) : data;
    calendar?.placed(values, labels);
    const range = !calendar && found?.every(Number.isFinite) ? found : extent(values);
    const exact = isTimes || isComplex ? undefined : await exactOf(from, selection, range, signal);
    if (labels) Object.assign(values, { labels });
    return { values: exact ? Object.assign(values, { exact }) : values, labels, range };
  }

  return {
    /** The options of such a read, and whether the items are times. */
    options: reading,
    isTimes,
    /**
     * Reads a selection of the array, as `{ values, range }`: a Float64Array, in which packed numbers are unpacked and those
     * that are missing NaN, times milliseconds and complex numbers their magnitudes, and its finite range. Of times, labels.
     * Large 64-bit integers are in `values.exact` too, as bigints.
     */
    read: (from, selection, signal) => read(from, selection, signal),
    /** Reads decoded values for a picture: a Float32Array where that is exact. */
    readCells: (from, selection, signal) => read(from, selection, signal, isNarrow && !isTimes && !isComplex ? { as: "float32" } : {}),
    /** Whether stored numbers stand for others, by a factor and an offset. */
    isPacked: packed,
    /** Range of values that the array's attributes state, or undefined. */
    range: known && !isTimes ? range.map((x) => x * scale + offset).sort((a, b) => a - b) : undefined,
    /** Units of the values, where they have some, and the decimals that packed ones have. */
    units: unit,
    places,
    /** The names of the values, where they are flags: a Map, and their colours, as far as the array says them. */
    flags,
    flagColours: typeof attrs.flag_colors === "string" ? attrs.flag_colors.split(" ") : [],
    /** Where times lie among the values. */
    calendar,
    /** A value in words, with its unit; a bigint for those that no number holds. */
    words,
    /** Part of the item that is drawn, in words, or "" where it is the item itself. */
    note: isComplex ? "Complex numbers are drawn by their magnitude." : "",
  };
}
