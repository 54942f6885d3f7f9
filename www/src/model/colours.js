// Colours as red, green and blue, 0 to 255: of texts as style sheets write them, between the colours of a scheme, and round the wheel.

/** The parts of a colour's name, such as "teal", as the browser knows it; undefined of a text that is none. */
function named(text) {
  if (!globalThis.CSS?.supports("color", text)) return undefined;
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = text;
  return partsOf(context.fillStyle);
}

/** The parts of a colour, which may be parts already; undefined of a text that is no colour. */
export function partsOf(colour) {
  if (typeof colour !== "string") return colour;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (hex) return hex.slice(1).map((digits) => parseInt(digits, 16));
  const list = /^rgba?\(\s*([\d.]+),\s*([\d.]+),\s*([\d.]+)(?:,\s*[\d.]+)?\s*\)$/.exec(colour);
  return list ? list.slice(1).map(Number) : named(colour);
}

/** One part on a uniform cubic B-spline, as d3 draws it. */
function spline(values, t) {
  const last = values.length - 1;
  const i = Math.min(last - 1, Math.floor(t * last));
  const [v1, v2] = [values[i], values[i + 1]];
  const v0 = i > 0 ? values[i - 1] : 2 * v1 - v2;
  const v3 = i < last - 1 ? values[i + 2] : 2 * v2 - v1;
  const x = t * last - i;
  return ((1 - x) ** 3 * v0 + (4 - 6 * x ** 2 + 3 * x ** 3) * v1 + (1 + 3 * x + 3 * x ** 2 - 3 * x ** 3) * v2 + x ** 3 * v3) / 6;
}

/** The colours from 0 to 1 between those of a scheme. */
export function between(scheme) {
  const parts = scheme.map(partsOf);
  return (t) => [0, 1, 2].map((k) => spline(parts.map((part) => part[k]), t));
}

/** The colours from 0 to 1 on lines from each of some to the next. */
export const along = (parts) => (t) => {
  const at = Math.min(parts.length - 2, Math.floor(t * (parts.length - 1)));
  return parts[at].map((from, k) => from + (parts[at + 1][k] - from) * (t * (parts.length - 1) - at));
};

/** The colour at a part of a turn round the wheel. */
export const wheel = (turn) => [0, 1, 2].map((k) => 255 * Math.sin((0.5 - turn + k / 3) * Math.PI) ** 2);
