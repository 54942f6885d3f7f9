// The range of values that the colours or a line span, and whether steps can be compared.

/** A range with zero in its middle, for differences. */
export const aroundZero = (found) => found && [-1, 1].map((side) => side * Math.max(...found.map(Math.abs)));

const SHARE = 0.25; // of the farther end from zero, that the nearer one has to reach
const CHANGE = /anomal|departure|difference|bias|tendency|increment/i;
const OWN_ZERO = /^(°|deg)/i; // units whose zero is no middle: of temperatures and places

/** Whether values of a map lie on both sides of a zero that means something, such as those of a wind or an anomaly. */
export function liesAroundZero({ dataset: { attrs, name, isLabels, decoder: { units, flags, isTimes } }, axes }, found) {
  if (axes.length !== 2 || !found || flags || isTimes || isLabels) return false;
  const [low, high] = found;
  const isMixed = low < 0 && high > 0 && Math.min(-low, high) >= SHARE * Math.max(-low, high);
  return isMixed && (!OWN_ZERO.test(units) || [name, attrs.long_name, attrs.standard_name].some((text) => CHANGE.test(text ?? "")));
}

/** A number with the figures that tell ten-thousandths of a range apart, at least six. */
export function rounded(v, [low, high]) {
  const figures = Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low))) + 5;
  return Number(v.toPrecision(Math.min(17, Math.max(6, figures || 6))));
}

/** The range that an array's type or metadata give its values, which those of a difference of steps have nothing of. */
export const boundsOf = ({ dataset: { decoder, dtype }, plane }) => (plane.join === "difference" ? undefined : (decoder.range ?? (dtype === "bool" ? [0, 1] : undefined)));

/** The user's range, the array's own, or that of the picture's values, which is `found`, with zero in the middle where they are `isCentred`; undefined where there is none. */
export function rangeOf({ dataset, plane, found, userRange, isCentred }) {
  const bounds = boundsOf({ dataset, plane }) ?? found;
  const own = plane.join === "difference" || (isCentred && plane.isMap) ? aroundZero(bounds) : bounds;
  const range = userRange ?? own;
  if (!range) return undefined;
  if (range[0] === range[1]) return [range[0] - 0.5, range[1] + 0.5];
  const room = range === found && plane.shown.length === 1 ? 0.04 * (range[1] - range[0]) : 0; // a line off the frame's edge
  return [range[0] - room, range[1] + room];
}

/** Whether one step of a picture can be taken from another: they are numbers that measure something, and no cells of a sphere. */
export const areComparable = ({ dataset: { kind, dtype, decoder, shape, stored, isLabels }, axes }) =>
  !stored && !isLabels && kind === "numbers" && axes.length === 2 && shape.length > 2 && dtype !== "bool" && !decoder.flags && !decoder.isTimes && !shape.includes(0);

/** The step that a link's positions along the other axes mean, as a position along every axis; undefined where there is none. */
export function referenceOf(state, positions, stepped) {
  const fits = positions?.length === stepped.length && stepped.every((d, i) => positions[i] < state.dataset.shape[d]);
  return fits && areComparable(state) ? state.index.map((at, d) => (stepped.includes(d) ? positions[stepped.indexOf(d)] : at)) : undefined;
}
