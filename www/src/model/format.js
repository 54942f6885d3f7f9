// Writes numbers, byte counts and units the way people read them.

/** Digits with a comma between thousands. `Intl` would say the same, but its first number takes a browser 11 ms. */
const grouped = (text) => text.replace(/\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const WORDS = { degrees_north: "°N", degrees_east: "°E", degree_north: "°N", degree_east: "°E", degC: "°C", 1: "" };

/** A number with so many decimals, as its shortest digits round: 1.005 to 1.01. Fewer than none are tens, hundreds and so on. */
function rounded(v, places) {
  const digits = `${Math.abs(v)}`;
  const size = digits.includes("e") ? Math.abs(v) : Number(`${Math.round(Number(`${digits}e${places}`))}e${-places}`);
  return Math.sign(v) * size;
}

/** 12,345, and three decimals of what is not whole. */
export function count(n) {
  const text = `${typeof n === "bigint" || Number.isInteger(n) ? n : rounded(n, 3)}`;
  return grouped(text.includes("e") ? BigInt(Math.round(n)).toString() : text);
}

/** "1 chunk", "2,000 chunks" */
export const plural = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

/** 2nd, 3rd, 11th, 21st */
export function ordinal(n) {
  const last = n % 100 > 10 && n % 100 < 14 ? 0 : n % 10;
  return `${count(n)}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}

/** 512 B, 71.2 kB, 3.4 MB: decimal units, three figures. */
export function bytes(n) {
  if (n < 1000) return `${n} B`;
  const power = Math.min(4, Math.floor(Math.log10(n) / 3));
  return `${Number((n / 1000 ** power).toPrecision(3))} ${["B", "kB", "MB", "GB", "TB"][power]}`;
}

/** 24 ms, 1.3 s */
export const duration = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** A data value: whole numbers in full, else `places` decimals where the step between stored values is known, or five figures. */
export function value(v, places) {
  if (typeof v === "bigint") return count(v).replace("-", "−");
  if (Number.isNaN(v)) return "no data";
  if (!places && Number.isSafeInteger(v)) return count(v).replace("-", "−");
  if (!Number.isFinite(v)) return v > 0 ? "∞" : "−∞";
  const size = Math.abs(v);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return v.toExponential(3).replace("-", "−");
  return grouped(places === undefined ? `${rounded(v, 4 - Math.floor(Math.log10(size)))}` : rounded(v, places).toFixed(places)).replace("-", "−");
}

/** "kWh m-2 d-1" to "kWh m⁻² d⁻¹", and CF's words for degrees to signs. */
export function units(text) {
  if (typeof text !== "string") return "";
  if (Object.hasOwn(WORDS, text)) return WORDS[text];
  if (/\ssince\s/i.test(text)) return text; // whose numbers are a date's
  return text.replace(/([A-Za-zµ°])\^?(-?\d+)/g, (_, letter, power) => letter + [...power].map((c) => SUPERSCRIPTS[c]).join(""));
}

/** Units that attributes state: CF's attribute, else those of the convention `uom`. */
export const unitsIn = (attrs) => units(attrs.units ?? attrs.uom?.ucum?.unit);
