// Places values along the colours: evenly, by their logarithm, or by the logarithm on both sides of zero.
import { value } from "../model/format.js";
import { ticks } from "../model/ticks.js";

const DECADES = 4; // below the upper end, where the lower one is zero
const NEAR_ZERO = 1e-3; // of the farther end: nearer to zero than this, a scale through zero is about even
const LETTER = 0.026; // of the bar's length, about
const GAP = 0.035;

/** Logarithm of 1 + x as the GPU computes it, which keeps small differences of large numbers. */
const log1p = Math.log1p;

/** Logarithm on both sides of zero, as in d3's `scaleSymlog`. */
const symlog = (v, near) => Math.sign(v) * log1p(Math.abs(v) / near);

/**
 * The scale of a look, by its `range` and its `scale`, which is "log" or undefined: `{ kind, low, high, unit, from, to }`.
 * `kind` is "linear", "log" or "symlog", and `low` and `high` are the ends; `unit` is the lower end of a "log" and the
 * neighbourhood of zero of a "symlog"; `from` and `to` are the ends as their functions give them. `refused` says why a
 * logarithm has no place.
 */
export function scaleOf({ range: [low, high], scale }) {
  const linear = high > low ? { kind: "linear", low, high, unit: 1, from: 0, to: 1 } : { kind: "linear", low: low - 0.5, high: low + 0.5, unit: 1, from: 0, to: 1 };
  if (scale !== "log" || !(high > low)) return linear;
  if (!(high > 0)) return { ...linear, refused: "No logarithm: no value of the range is above zero, so the colours are even." };
  if (low < 0) {
    const unit = Math.max(-low, high) * NEAR_ZERO;
    return { kind: "symlog", low, high, unit, from: symlog(low, unit), to: symlog(high, unit) };
  }
  const least = low > 0 ? low : high / 10 ** DECADES;
  return { kind: "log", low: least, high, unit: least, from: 0, to: log1p((high - least) / least) };
}

/** Where a value stands, from 0 at the lower end to 1 at the upper one; outside of them where it is beyond. */
export function partOf({ kind, low, high, unit, from, to }, v) {
  if (kind === "linear") return (v - low) / (high - low);
  const at = kind === "symlog" ? symlog(v, unit) : v > 0 ? log1p((v - low) / unit) : -Infinity;
  return Number.isNaN(v) ? NaN : (at - from) / (to - from);
}

const POWERS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** A tick in words: far from one, as a power of ten. */
function tickText(v) {
  const size = Math.abs(v);
  if (size === 0 || (size >= 1e-3 && size < 1e6)) return value(v);
  const power = Math.floor(Math.log10(size) + 1e-9);
  const times = Math.round(size / 10 ** power);
  return `${v < 0 ? "−" : ""}${times === 1 ? "" : `${times} × `}10${[...String(power)].map((c) => POWERS[c]).join("")}`;
}

const LONGEST = 12; // letters of a tick beside a colour bar

/** The labels of even ticks: of integers of many digits those that tell them apart, or as powers of ten. */
function evenTexts(many) {
  const texts = many.map((v) => value(v));
  if (Math.max(...texts.map(({ length }) => length)) <= LONGEST) return texts;
  const parts = texts.map((text) => text.split(","));
  const [first] = parts;
  const isCommon = (n) => parts.every((part) => part.length === first.length && part[n] === first[n]);
  const from = many.length > 1 && first.length > 2 ? first.findIndex((_, n) => !isCommon(n)) : 0;
  const short = parts.map((part) => `${first[0].startsWith("−") ? "−" : ""}…${part.slice(from).join(",")}`);
  return from > 0 && Math.max(...short.map(({ length }) => length)) <= LONGEST ? short : many.map((v) => (v ? v.toExponential().replace("e+", "e").replaceAll("-", "−") : "0"));
}

/** Powers of ten between two ends above zero, the largest first; where there are few, what lies between them after them. */
function decades(low, high) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => last - i);
  const within = (times) => powers.map((power) => Number(`${times}e${power}`)).filter((v) => v >= low * (1 - 1e-6) && v <= high * (1 + 1e-6));
  const tens = within(1);
  return tens.length > 2 ? tens : [1, 3, 2, 5].flatMap(within);
}

/** Ticks of a colour bar: `{ part, label }`, few enough for their labels to stand apart. */
export function ticksOf(scale) {
  const { kind, low, high, unit } = scale;
  if (kind === "linear") {
    const many = ticks(low, high, 6);
    const chosen = Math.max(...evenTexts(many).map(({ length }) => length)) > 7 ? ticks(low, high, 2) : many;
    const texts = evenTexts(chosen);
    return chosen.map((v, i) => ({ part: partOf(scale, v), label: texts[i] }));
  }
  const below = kind === "symlog" ? decades(unit, -low).map((v) => -v) : [];
  const above = decades(kind === "symlog" ? unit : low, high);
  const candidates = kind === "log" ? above : [0, ...Array.from({ length: Math.max(above.length, below.length) }, (_, i) => [above[i], below[i]]).flat().filter((v) => v !== undefined)];
  const placed = [];
  for (const v of candidates) {
    const tick = { part: partOf(scale, v), label: tickText(v) };
    const isFree = placed.every(({ part, label }) => Math.abs(part - tick.part) > ((label.length + tick.label.length) / 2) * LETTER + GAP);
    if (isFree) placed.push(tick);
  }
  // Within a decade there may be no round number but one.
  if (placed.length < 2) return ticks(low, high, 3).map((v) => ({ part: partOf(scale, v), label: tickText(v) }));
  return placed.sort((a, b) => a.part - b.part);
}
