// Makes a picture of another version of what the first one is made of: the same difference of steps, the same channels.
import { plural } from "../model/format.js";
import { clamp, steppedOf } from "../model/position.js";
import { sameComposite } from "../reading/channels.js";
import { areComparable } from "../reading/range.js";

/** The reference, the array that is taken off and the composite of the first picture in the state of the second; `refused` says why there are none. */
export function joinFor(first, second) {
  const { reference, composite } = first;
  if (first.against) return { against: second.against };
  if (composite) {
    const same = sameComposite(second, composite);
    const lacks = composite.shown().filter((channel) => !same?.shown().includes(channel));
    return lacks.length ? { refused: `This version has no ${lacks.map((channel) => `channel “${composite.channels[channel].label}”`).join(" and ")} to draw.` } : { composite: same };
  }
  if (!reference) return {};
  if (!areComparable(second)) return { refused: "Steps of this version cannot be compared." };
  const stepped = steppedOf(second);
  return { reference: second.index.map((at, d) => (stepped.includes(d) ? clamp(reference[d], second.dataset.shape[d]) : at)) };
}

const stepsOf = (reference, state) => reference && steppedOf(state).map((d) => reference[d]);

/** Whether a state is drawn as what `joinFor` gave. */
export const isJoined = (state, { reference, composite }) =>
  String(stepsOf(state.reference, state)) === String(stepsOf(reference, state)) && String(state.composite?.shown()) === String(composite?.shown());

/** What a reader has to know of steps that a version does not have: the last ones stand for them. */
export function shortOf(first, second) {
  const { axes, shape } = second.dataset;
  const words = (steps, deed) => steppedOf(second).filter((d) => steps?.[d] >= shape[d]).map((d) => `Here ${axes[d].name} has ${plural(shape[d], "step")}; the last, ${axes[d].say(shape[d] - 1)}, is ${deed}. `);
  return [...words(first.index, "drawn"), ...words(first.reference, "taken off")].join("");
}
