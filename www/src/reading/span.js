// Keeps the range of the values of all steps that were drawn, so that a colour means the same in each of them.
import { merged } from "../map/scene.js";
import { liesAroundZero } from "./range.js";

/** What a picture is made of: the values of two makings, such as a field and its differences, have no range together. */
export const makingOf = ({ axes, reference, against, composite, part }) => `${axes};${reference};${against?.path};${composite?.axis};${part}`;

const spanNow = (state) => (state.span?.making === makingOf(state) ? state.span : undefined);

/** The range of the steps that were drawn together with that of one, `found`. */
export const spanOf = (state, found = state.found) => merged(spanNow(state)?.range, found);

/** The same of a channel. */
export const spanOfChannel = (state, channel) => merged(spanNow(state)?.channels.get(channel), state.scene.rangeOf(channel));

/** Widens what a state keeps by the picture that was drawn. */
export function widen(state) {
  if (state.plane.join === undefined && state.own) state.isCentred ??= liesAroundZero(state, state.own); // as the first picture of the field has it, so that its colours stay
  state.span = spanNow(state) ?? { making: makingOf(state), range: undefined, channels: new Map() };
  const { channels } = state.span;
  state.span.range = spanOf(state);
  for (const channel of state.composite?.shown() ?? []) channels.set(channel, spanOfChannel(state, channel));
}
