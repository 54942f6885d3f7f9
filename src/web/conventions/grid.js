/**
 * Affine transforms from pixels to coordinates: `[a, b, c, d, e, f]` means x = a col + b row + c, y = d col + e row + f,
 * with (0, 0) at the corner of the first pixel.
 */

/** Whether a value is a number whose products with lengths of axes are numbers too. */
export const isNumber = (value) => Number.isFinite(value) && Math.abs(value) <= 1e290;

/**
 * Numbers of a list in attributes, whose integers beyond 2^53 are bigints; undefined for all else.
 *
 * @returns {any}
 */
export function numbersIn(list) {
  const found = Array.isArray(list) ? list.map((value) => (typeof value === "bigint" ? Number(value) : value)) : [];
  return found.length > 0 && found.every(isNumber) ? found : undefined;
}

/** Coordinates of a place in pixels. @param {number[]} transform @param {number} col @param {number} row */
const place = ([a, b, c, d, e, f], col, row) => [a * col + b * row + c, d * col + e * row + f];

/** Place in pixels of coordinates. @param {number[]} transform @param {number} x @param {number} y */
export function pixel([a, b, c, d, e, f], x, y) {
  // Exact where there is no rotation: a division in place of a product with an inverse.
  if (b === 0 && d === 0) return [(x - c) / a, (y - f) / e];
  const area = a * e - b * d;
  return [(e * (x - c) - b * (y - f)) / area, (a * (y - f) - d * (x - c)) / area];
}

/** Width and height of a pixel. @param {number[]} transform */
export const resolutionOf = ([a, b, , d, e]) => [d === 0 ? Math.abs(a) : Math.hypot(a, d), b === 0 ? Math.abs(e) : Math.hypot(b, e)];

/** The longer edge of a pixel. */
export const coarseness = (transform) => Math.max(...resolutionOf(transform));

/** Least and greatest coordinates of a rectangle of pixels: `[xmin, ymin, xmax, ymax]`. @param {number[]} transform @param {number[]} shape @returns {import("../../types/level.js").Box} */
export function boundsOf(transform, [height, width]) {
  const corners = [[0, 0], [width, 0], [0, height], [width, height]].map(([col, row]) => place(transform, col, row));
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Moves the origin by columns and rows. @param {number[]} transform @param {number} col @param {number} row @returns {import("../../types/level.js").Affine} */
export function moved(transform, col, row) {
  const [c, f] = place(transform, col, row);
  const [a, b, , d, e] = transform;
  return [a, b, c, d, e, f];
}

/** Makes pixels wider and higher by factors, about the origin. @param {number[]} transform @param {number[]} scale */
export const scaled = ([a, b, c, d, e, f], [sy, sx]) => [a * sx, b * sy, c, d * sx, e * sy, f];

/** Transform of rows from the top downwards that fills a box. @param {number[]} box @param {number[]} shape */
export const filling = ([xmin, ymin, xmax, ymax], [height, width]) => [(xmax - xmin) / width, 0, xmin, 0, (ymin - ymax) / height, ymax];

/**
 * Largest distance in pixels between the far corners of two grids of one shape, or between their origins.
 *
 * @param {number[]} transform @param {number[]} other @param {number[]} shape
 */
export function apart(transform, other, [height, width]) {
  const size = resolutionOf(other);
  const far = [[0, 0], [width, height]].map(([col, row]) => {
    const [[x, y], [u, v]] = [place(transform, col, row), place(other, col, row)];
    return Math.max(Math.abs(x - u) / size[0], Math.abs(y - v) / size[1]);
  });
  return Math.max(...far);
}

const NAMES = [/^(?:y|r?lat|latitude|northing)$/i, /^(?:x|r?lon|longitude|easting)$/i];
const STANDARD = [/latitude$|y_coordinate$/, /longitude$|x_coordinate$/];
const UNITS = [/^degrees?_?n(?:orth)?$/i, /^degrees?_?e(?:ast)?$/i];

/** Units of coordinates that CF defines as degrees of latitude and longitude. */
export const isDegrees = (units) => UNITS.some((pattern) => pattern.test(units));

/** Whether a dimension lies along y (0) or x (1), by its coordinate's attributes or its name. */
function liesAlong(role, name, attrs = {}) {
  if (attrs.axis) return String(attrs.axis).toUpperCase() === "YX"[role];
  return STANDARD[role].test(attrs.standard_name) || UNITS[role].test(attrs.units) || NAMES[role].test(name);
}

/** Axes of an array along y and x by their positions, with the names of its dimensions if it has any. */
export function axesAt(array, y, x) {
  const names = [y, x].map((axis) => array?.dimensionNames?.at(axis));
  const named = names.every((name) => typeof name === "string");
  return { y, x, names: named ? names : ["y", "x"], count: array?.shape?.length, named };
}

/**
 * Axes of an array along y and x: those of the declared names, else those whose coordinates say so, else the last two.
 *
 * @param {{ shape?: number[], dimensionNames?: (string | null)[] } | undefined} array
 * @param {unknown} declared names along y and x
 * @param {(name: string) => Record<string, any> | undefined} attrsOf attributes of a coordinate
 */
export function axesOf(array, declared, attrsOf) {
  const last = Array.isArray(declared) ? declared.slice(-2) : [];
  const wanted = last.length === 2 && last.every((name) => typeof name === "string") ? last : undefined;
  const names = array?.dimensionNames;
  if (!names) return { ...axesAt(array, -2, -1), ...(wanted && { names: wanted }), named: !array };
  let places = wanted?.map((name) => names.indexOf(name)) ?? [-1];
  if (places.includes(-1)) places = [0, 1].map((role) => names.findLastIndex((name) => name && liesAlong(role, name, attrsOf(name))));
  const isGuess = places.includes(-1) || places[0] === places[1];
  return { ...axesAt(array, ...(isGuess ? [-2, -1] : places)), isGuess };
}

/** Positions of rows and columns in an array that may be another one than that of these axes, by their names. */
export function axesIn(array, axes) {
  const { y, x } = array.dimensionNames && axes.named ? axesOf(array, axes.names, () => undefined) : axes;
  return [y, x].map((axis) => (axis + array.shape.length) % array.shape.length);
}

/** Height and width of an array. */
export const extentOf = (array, { y, x }) => (array?.shape?.length >= 2 ? [array.shape.at(y), array.shape.at(x)] : undefined);

/** Selection of rows and columns, by name where the array has names. */
export function selecting({ y, x, names, count, named }, rows, cols) {
  if (named) return { [names[0]]: rows, [names[1]]: cols };
  const selection = new Array(count).fill(null);
  selection[(y + count) % count] = rows;
  selection[(x + count) % count] = cols;
  return selection;
}
