// Reads what the page around a frame asks for: another array of the store, a step, a range of the colours, a part of the map.

export const ORDER = "rectilinear-zarr:set";

const isWhole = (n) => Number.isSafeInteger(n) && n >= 0;
const isList = (list, length, fits) => Array.isArray(list) && list.length === length && list.every(fits);

function refuse(field, wanted) {
  throw new RangeError(`${ORDER}: ${field} has to be ${wanted}`);
}

/**
 * What a message asks for, `{ path, at, range, view }`, each undefined where it asks for nothing. `sizes` are those of the axes that are
 * stepped along; of another array, which a `path` names, nothing is known before it is open. Throws what is wrong with it.
 */
export function orderOf({ path, at, range, view }, { sizes, paths }) {
  const isOther = path !== undefined;
  if (isOther && (typeof path !== "string" || (paths && !paths.includes(path)))) refuse("path", "the path of an array in the store");
  const fits = (n, i) => isWhole(n) && (isOther || n < sizes[i]);
  const length = isOther ? at?.length : sizes.length;
  if (at !== undefined && !isList(at, length, fits)) refuse("at", isOther ? "a list of positions, whole numbers from 0" : `a list of ${sizes.length} positions, below ${sizes.join(", ")}`);
  if (range !== undefined && range !== null && !(isList(range, 2, Number.isFinite) && range[0] < range[1])) refuse("range", "two numbers that rise, or null for the values' own");
  if (view !== undefined && view !== null && !(isList(view, 3, Number.isFinite) && view[2] >= 1)) refuse("view", "a row, a column and how many times the map is enlarged, or null for all of it");
  return { path, at, range, view };
}
