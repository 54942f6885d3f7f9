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

/** Where a step stands, in words: "1 Mar 2024", or the whole array where no axis is stepped; channels together stand at none of theirs. */
export const labelOf = (target) => steppedOf(target).filter((d) => d !== target.composite?.axis).map((d) => target.dataset.axes[d].say(target.index[d])).join(", ") || "Whole array";

/**
 * The cells that a link puts pins on, and the axis that the lines through them run along: `{ point, second, axis }`,
 * undefined where no line can be drawn. A pin's positions are those along the drawn axes, then along the others; older
 * links have the first alone, and mean the step that is drawn.
 */
export function pinsOf(state, { point, point2, along }) {
  const { dataset, axes, index } = state;
  const order = pinOrder(state);
  const cellOf = (pin) => {
    const fits = [axes.length, order.length].includes(pin?.length) && pin.every((at, i) => at >= 0 && at < dataset.shape[order[i]]);
    return fits ? index.map((at, d) => Math.trunc(pin[order.indexOf(d)] ?? at)) : undefined;
  };
  const cell = dataset.kind === "numbers" && axes.length ? cellOf(point) : undefined;
  const lines = axesOfLines(state, steppedOf(state).find((d) => d === along));
  return cell && lines.length ? { point: cell, second: cellOf(point2), axis: lines[0] } : undefined;
}

/** Axes in the order in which a link says where a pin is. */
const pinOrder = (state) => [...state.axes, ...steppedOf(state)];

/** The positions of a pin for a link. */
export const linkedPin = (state, pin) => pin && pinOrder(state).map((d) => pin[d]);

/** The axes that lines through a cell run along: one that is stepped, the time unless `axis` or the last lines say another, or both of a plane that has no other. */
export function axesOfLines(state, axis) {
  const { dataset, axes, series } = state;
  const stepped = steppedOf(state);
  if (!stepped.length) return axes.length === 2 && !dataset.stored ? axes.toReversed() : [];
  const before = stepped.includes(series?.axis) ? series.axis : undefined;
  return [axis ?? before ?? stepped.find((d) => dataset.axes[d].kind === "time") ?? stepped[0]];
}
