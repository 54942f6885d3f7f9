// Says what a view is read by: one selection, two for a difference, or one for each channel.

/** A level of a pyramid is an array of its own. */
export const pathOf = ({ dataset, plane: { source } }) => (source.level ? source.path : dataset.path);

/** The path of the array that is taken off, or of its level. */
export const otherPathOf = ({ against, plane: { less: { source } } }) => (source.level ? source.path : against.member);

/** Whether a step of a selection is a slice. */
export const isSlice = (item) => item !== null && typeof item === "object";

/** The selections of what is drawn: of a difference the step, and then that which it is less. */
export const selectionsOf = ({ plane }) => [plane.selection, ...(plane.selections ?? [])];

/** Whether a difference is one of integers that no float64 holds. */
export const isExact = ({ scene, plane }) => scene.listsOf(plane).some((values) => values.isExact);

const partsOf = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** The channels that are drawn, as the state's `looks` have them, the lowest first: `{ label, colour, range, selection }`; `range` has the values of black and of the full colour. */
export function channelsOf(state) {
  const selections = selectionsOf(state);
  return state.looks.map(({ label, colourMap, range }, nth) =>
    ({ label, colour: partsOf(colourMap), range: colourMap.endsWith("-r") ? range.toReversed() : range, selection: selections[nth] }));
}
