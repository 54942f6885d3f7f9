// Says where in an array the user stands: along which axes it is drawn, and at which position of each other axis.

/** A position along an axis of `size`, whatever a link says. */
export const clamp = (i, size) => Math.min(Math.max(0, size - 1), Math.max(0, Math.trunc(i ?? 0) || 0));

/** The axes that are stepped along: those that are not drawn. */
export const steppedOf = ({ dataset, axes }) => dataset.shape.map((_, d) => d).filter((d) => !axes.includes(d));

/** Positions along these. */
export const positionOf = (state) => steppedOf(state).map((d) => state.index[d]);

/** Axes to draw as a link may say them, or the usual ones. */
export function validAxes({ shape, usual, stored }, wanted) {
  const fits = !stored && wanted?.length === usual.length && new Set(wanted).size === wanted.length && wanted.every((d) => d in shape);
  return fits ? wanted : usual;
}

/** Where a step stands, in words: "1 Mar 2024", or the whole array where no axis is stepped. */
export const labelOf = (target) => steppedOf(target).map((d) => target.dataset.axes[d].say(target.index[d])).join(", ") || "Whole array";

/** The axes that lines through a cell run along: one that is stepped, the time unless `axis` or the last lines say another, or both of a plane that has no other. */
export function axesOfLines(state, axis) {
  const { dataset, axes, series } = state;
  const stepped = steppedOf(state);
  if (!stepped.length) return axes.length === 2 && !dataset.stored ? axes.toReversed() : [];
  const before = stepped.includes(series?.axis) ? series.axis : undefined;
  return [axis ?? before ?? stepped.find((d) => dataset.axes[d].kind === "time") ?? stepped[0]];
}
