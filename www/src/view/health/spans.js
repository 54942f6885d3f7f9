// Spans of axes in words: from the first date to the last, and from edge to edge in degrees.

/** "1 Jan 2024 to 31 Dec 2024" of an axis of times; undefined where there is none. */
export function axisSpan(axis) {
  if (!axis || axis.size === 0) return undefined;
  const [from, to] = [axis.say(0), axis.say(axis.size - 1)];
  return from === to ? from : `${from} to ${to}`;
}

/** A number of degrees with the letter of its side. */
function degrees(v, positive, negative) {
  const size = Number(Math.abs(v).toFixed(4));
  return `${size}°${size === 0 ? "" : ` ${v > 0 ? positive : negative}`}`;
}

/** Outer edges of an axis of cells in even steps, else its outermost coordinates. */
function edgesOf({ coordinate: { values }, step, kind }) {
  const [low, high] = [values[0], values.at(-1)].sort((a, b) => a - b);
  const half = step ? Math.abs(step) / 2 : 0;
  const most = kind === "lat" ? 90 : Infinity;
  return [Math.max(-most, low - half), Math.min(most, high + half)];
}

/** "90° S to 90° N" of a range, or of an axis that has coordinates; undefined where there is none. */
export function degreeSpan(from, positive, negative) {
  const range = Array.isArray(from) ? from : from?.coordinate && from.size > 0 ? edgesOf(from) : undefined;
  if (!range?.every(Number.isFinite)) return undefined;
  if (positive === "E" && range[1] - range[0] >= 359.999) return "all longitudes";
  const turned = (v) => (positive === "E" && Math.abs(v) > 180 ? v - 360 * Math.sign(v) : v);
  return [...new Set(range.map((v) => degrees(turned(v), positive, negative)))].join(" to ");
}
