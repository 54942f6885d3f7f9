// Reads what the page around a frame asks for: another array of the store, one that is taken off, a step, a range of the colours, a part of the map by its cells or by its place on the Earth.

export const ORDER = "rectilinear-zarr:set";

/** Whether an array that is taken off is named by its address. */
const isAddress = (text) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

const isWhole = (n) => Number.isSafeInteger(n) && n >= 0;
const isList = (list, length, fits) => Array.isArray(list) && list.length === length && list.every(fits);

function refuse(field, wanted) {
  throw new RangeError(`${ORDER}: ${field} has to be ${wanted}`);
}

/** A position for each axis, of a list of them or of an object that has some by the axes' names. */
function positionsIn(at, { sizes, names, index }, isOther) {
  if (isOther) return isList(at, at?.length, isWhole) ? at : refuse("at", "a list of positions, whole numbers from 0");
  const isNamed = typeof at === "object" && at !== null && !Array.isArray(at);
  const unknown = isNamed ? Object.keys(at).find((name) => !names.includes(name)) : undefined;
  if (unknown !== undefined) refuse(`at.${unknown}`, `of an axis that is not drawn: ${names.join(", ") || "there is none"}`);
  const list = isNamed ? names.map((name, i) => at[name] ?? index[i]) : at;
  const fits = (n, i) => isWhole(n) && n < sizes[i];
  if (!isList(list, sizes.length, fits)) refuse("at", `a list of ${sizes.length} positions, below ${sizes.join(", ")}, or some by the names of their axes`);
  return list;
}

/**
 * What a message asks for, `{ path, less, at, range, view, place }`, each undefined where it asks for nothing. `sizes` are those of the axes that are
 * stepped along, `names` and `index` their names and the positions of now; of another array, which a `path` names, nothing is known before it is open.
 * Throws what is wrong with it.
 */
export function orderOf({ path, less, at, range, view, place }, { sizes, names, index, paths }) {
  const isOther = path !== undefined;
  if (isOther && (typeof path !== "string" || (paths && !paths.includes(path)))) refuse("path", "the path of an array in the store");
  if (less !== undefined && less !== null && (typeof less !== "string" || less === "" || (paths && !isAddress(less) && !paths.includes(less)))) refuse("less", "the path of an array in the store, the address of one of another store, or null for none");
  const positions = at === undefined ? undefined : positionsIn(at, { sizes, names, index }, isOther);
  if (range !== undefined && range !== null && !(isList(range, 2, Number.isFinite) && range[0] < range[1])) refuse("range", "two numbers that rise, or null for the values' own");
  if (view !== undefined && view !== null && !(isList(view, 3, Number.isFinite) && view[2] >= 1)) refuse("view", "a row, a column and how many times the map is enlarged, or null for all of it");
  if (place !== undefined && !(isList(place, 3, Number.isFinite) && Math.abs(place[1]) <= 90 && place[2] >= 1)) refuse("place", "degrees east, degrees north from -90 to 90, and how many times the map is enlarged");
  return { path, less, at: positions, range, view, place };
}
