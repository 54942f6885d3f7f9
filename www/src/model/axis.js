// Knows one axis of the array: its size, its coordinates where a sibling array holds them, and how to say a position in words.
import { count, unitsIn, value } from "./format.js";
import { dateText, momentOf, shortSpan, spanText } from "./time.js";

const LATITUDE = /^(lat|latitude|nav_lat)$/i;
const LONGITUDE = /^(lon|long|longitude|nav_lon)$/i;
const UPWARD = /^(y|rlat|northing|projection_y_coordinate|grid_latitude)$/i;

function kindOf(name, attrs) {
  const says = (pattern, unit) => pattern.test(attrs.standard_name ?? "") || pattern.test(name) || unit.test(attrs.units ?? "");
  if (says(LATITUDE, /^degrees?_?n(orth)?$/i)) return "lat";
  if (says(LONGITUDE, /^degrees?_?e(ast)?$/i)) return "lon";
  return UPWARD.test(name) || UPWARD.test(attrs.standard_name ?? "") ? "up" : "number";
}

/** The distance between neighbours where it is the same all along, else undefined. */
function regularStep(values) {
  if (values.length < 2) return undefined;
  const step = (values.at(-1) - values[0]) / (values.length - 1);
  const even = values.every((v, i) => Math.abs(v - values[0] - i * step) < Math.abs(step) * 0.01);
  return even && step !== 0 ? step : undefined;
}

const degrees = (v, positive, negative) => {
  const size = Number(Math.abs(v).toFixed(3));
  return size === 0 || size === 180 ? `${size}°` : `${size}° ${v < 0 ? negative : positive}`;
};

/**
 * `coordinate` is `{ values, attrs, labels }` or undefined; then positions are said as indices. Its values are numbers or
 * texts, and where they are times, `labels` are their dates; those that no array has are `isCalculated`.
 * Of times that are all dates, `moments` are those. `text(i)` names one position, `span(start, stop)` a chunk, `name` the axis;
 * `short(start, stop, before)`, where there is one, says a chunk after another that begins at `before`.
 */
export function makeAxis(name, size, coordinate) {
  const axis = { name, size, kind: "index", coordinate, text: (i) => count(i), say: (i) => `${name} = ${count(i)}`, span: () => "" };
  if (!coordinate) return axis;
  const { values, attrs, labels } = coordinate;
  if (labels) {
    const moments = labels.map(momentOf);
    const daily = moments.every((moment) => !moment?.ms);
    const text = (i) => dateText(moments[i], daily);
    const isWhole = moments.every(Boolean);
    return { ...axis, kind: "time", moments: isWhole ? moments : undefined, text, say: text, span: (start, stop) => spanText(moments[start], moments[stop - 1], daily), short: (start, stop, before) => shortSpan(moments[start], moments[stop - 1], moments[before], daily) };
  }
  if (typeof values[0] === "string") return { ...axis, kind: "text", text: (i) => values[i], say: (i) => values[i] };
  const kind = coordinate.isCalculated ? "number" : kindOf(name, attrs); // rows of images run down
  const step = regularStep(values);
  const ascending = values.length > 1 && values.at(-1) > values[0];
  if (kind === "lat" || kind === "lon") {
    const wrapped = (v) => (kind === "lon" && (v > 180 || v < -180) ? v - 360 * Math.round(v / 360) : v);
    const tick = (v) => (kind === "lat" ? degrees(v, "N", "S") : degrees(wrapped(v), "E", "W"));
    return { ...axis, kind, step, ascending, tick, text: (i) => tick(values[i]), say: (i) => tick(values[i]) };
  }
  const unit = unitsIn(attrs);
  const tick = (v) => value(v);
  const text = (i) => `${tick(values[i])}${unit && ` ${unit}`}`;
  return { ...axis, kind, step, ascending, tick, text, say: (i) => `${name} = ${text(i)}` };
}
