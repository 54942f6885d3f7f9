/** Makes the view of an array by the options. */
import { shownNumbers } from "./numbers.js";
import { isNumbers, shownAs } from "./types.js";
import { RegularView } from "./view.js";
import { failure } from "../stores/common.js";
import { isTimeCoordinate, shownAsLabels } from "./time-labels.js";
import { orderOf } from "./options.js";

/** Type by the options, or a promise of it. */
function typeBy(array, path, options, typeOf) {
  if (options.times && isTimeCoordinate(array, path)) return shownAsLabels(array);
  const type = typeOf(array);
  const [as, decode] = [options.as(array, path), options.decode(array, path) || undefined];
  if (isNumbers(type.name)) return as || decode ? shownNumbers(array, type, { as, decode }) : type;
  if (!as || options.isAsForAll) return type;
  throw failure("UnsupportedError", `the array "${path}" holds ${array.dtype}, which the option as cannot show as ${as}: it is no number; leave it out`, { feature: array.dtype });
}

/**
 * View of an array; a promise of it where `as` or `decode` change the type. Throws at once for types that cannot be
 * shown and for chunk shapes that do not fit.
 *
 * @param {any} array
 * @param {string} path path from the root of the store
 * @param {import("./options.js").ViewOptions} options
 * @param {{ isAlone?: boolean, typeOf?: (array: any) => import("./types.js").Shown, names?: string[] }} [more]
 * whether the array is the root, what its items are shown as without options, and names of its dimensions where it has
 * none
 */
export function viewOf(array, path, options, { isAlone = false, typeOf = shownAs, names } = {}) {
  const order = orderOf(options.dimensions, { dimensionNames: array.dimensionNames?.some((name) => name !== null) ? array.dimensionNames : names });
  const wish = options.chunkShape(array, path, isAlone);
  const made = (type) => {
    const known = wish ? undefined : options.kept?.get(path);
    const view = new RegularView(array, type, wish ?? (known?.length === array.shape.length ? known : undefined), order);
    if (!wish) options.kept?.set(path, view.chunkShape);
    return view;
  };
  const type = typeBy(array, path, options, typeOf);
  return type instanceof Promise ? type.then(made) : made(type);
}
