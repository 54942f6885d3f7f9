/** Tiles of a map: the pixels of a level under the pixels of a tile, in Web Mercator or in the data's own coordinates. */
import { untilAborted } from "../common/until-aborted.js";
import { pixel, resolutionOf } from "../conventions/grid.js";
import { resampled } from "./resample.js";
import { around, checkShape, columnsAround, levelAt, within } from "./window.js";
import { given, hasFields } from "../common/options.js";

/** Half the width of Web Mercator's world, in metres. */
const HALF = Math.PI * 6378137;

const longitude = (x) => (x / HALF) * 180;
const latitude = (y) => (Math.atan(Math.sinh((y / HALF) * Math.PI)) * 180) / Math.PI;

/** The box of a tile: in metres, or in degrees with two tiles at zoom 0. @returns {import("../../types/level.js").Box} */
function boxOf(z, x, y, isDegrees) {
  const [columns, rows] = [2 ** z * (isDegrees ? 2 : 1), 2 ** z];
  for (const [name, value, count] of [["z", z, 31], ["x", x, columns], ["y", y, rows]]) {
    if (!Number.isInteger(value) || value < 0 || value >= count) throw new RangeError(`${name} of a tile is a whole number below ${count}, not ${String(value)}`);
  }
  const edge = (isDegrees ? 180 : 2 * HALF) / rows;
  const [left, top] = isDegrees ? [-180, 90] : [-HALF, HALF];
  return [left + x * edge, top - (y + 1) * edge, left + (x + 1) * edge, top - y * edge];
}

/** Centres of pixels between two edges. */
const centres = (from, to, size) => Float64Array.from({ length: size }, (_, i) => from + ((i + 0.5) / size) * (to - from));

/** @typedef {{ xs: Float64Array, ys: Float64Array, isEach?: boolean }} Located */

/**
 * Coordinates of the tile's pixels in the system of the data: one list for columns and one for rows, or for all pixels.
 *
 * @param {number[]} box @param {number} size @param {any} options
 * @returns {Located}
 */
function located([xmin, ymin, xmax, ymax], size, { grid, coordinates, project }) {
  const [xs, ys] = [centres(xmin, xmax, size), centres(ymax, ymin, size)];
  const isMetres = grid === "mercator";
  if (!project && (isMetres ? "mercator" : "degrees") === coordinates) return { xs, ys };
  const [lons, lats] = isMetres ? [xs.map(longitude), ys.map(latitude)] : [xs, ys];
  if (!project) return { xs: lons, ys: lats };
  const all = { xs: new Float64Array(size * size), ys: new Float64Array(size * size), isEach: true };
  lats.forEach((lat, row) => lons.forEach((lon, col) => ([all.xs[row * size + col], all.ys[row * size + col]] = project([lon, lat]))));
  return all;
}

/** Edge of the tile's middle pixel in the coordinates of the data: that of a square of its area. @param {Located} where @param {number} size */
function resolutionAt({ xs, ys, isEach }, size) {
  const middle = size >> 1;
  const [i, right, down] = isEach ? [middle * size + middle, 1, size] : [middle, 1, 1];
  const [dx, dy] = isEach ? [[xs[i] - xs[i - right], ys[i] - ys[i - right]], [xs[i] - xs[i - down], ys[i] - ys[i - down]]] : [[xs[i] - xs[i - 1], 0], [0, ys[i] - ys[i - 1]]];
  return Math.sqrt(Math.abs(dx[0] * dy[1] - dx[1] * dy[0]));
}

/**
 * Columns and rows of a level at coordinates; columns around the Earth follow each other across the seam.
 *
 * @param {Located} where @param {any} level @param {boolean} isDegrees
 */
function onLevel({ xs, ys, isEach }, level, isDegrees) {
  const { transform, shape } = level;
  const [, b, , d] = transform;
  const each = isEach || b !== 0 || d !== 0;
  const count = isEach ? xs.length : each ? xs.length * ys.length : undefined;
  const [cols, rows] = [new Float64Array(count ?? xs.length), new Float64Array(count ?? ys.length)];
  if (!each) {
    xs.forEach((x, i) => ([cols[i]] = pixel(transform, x, 0)));
    ys.forEach((y, i) => ([, rows[i]] = pixel(transform, 0, y)));
  } else {
    for (let i = 0; i < /** @type {number} */ (count); i++) {
      const [x, y] = isEach ? [xs[i], ys[i]] : [xs[i % xs.length], ys[Math.floor(i / xs.length)]];
      [cols[i], rows[i]] = pixel(transform, x, y);
    }
  }
  const turns = isDegrees ? columnsAround(level) : 0;
  // A level that goes around the Earth has a pixel for every column; others are tried one turn further.
  const turn = isDegrees && !turns ? 360 / resolutionOf(transform)[0] : 0;
  for (let i = 0; turn && i < cols.length; i++) if (cols[i] < 0 || cols[i] >= shape[1]) cols[i] = within(cols[i], turn);
  return { cols, rows, each, turns };
}

/** Range of whole pixels that places need, with neighbours for interpolation; undefined where all lie outside. */
function needed(places, size, reach, isOpen) {
  let [least, most] = [Infinity, -Infinity];
  for (const at of places) {
    if (!isOpen && !(at >= 0 && at <= size)) continue;
    if (at < least) least = at;
    if (at > most) most = at;
  }
  if (!(most >= least)) return undefined;
  const range = [Math.floor(least - reach), Math.floor(most + reach) + 1];
  return isOpen ? range : [Math.max(range[0], 0), Math.min(range[1], size)];
}

/** The options of a tile, checked. @param {any} options @param {string | undefined} coordinates @returns {any} */
function checked({ size = 256, method = "nearest", grid = "mercator", maxPixels = 2 ** 24, project, ...more }, coordinates) {
  if (!Number.isInteger(size) || size < 2 || size > 4096) throw new TypeError(`the option size is a whole number from 2 to 4096, not ${String(size)}`);
  if (!["nearest", "bilinear"].includes(method)) throw new TypeError(`the option method is "nearest" or "bilinear", not ${String(method)}`);
  if (!["mercator", "own"].includes(grid)) throw new TypeError(`the option grid is "mercator" or "own", not ${String(grid)}`);
  if (project !== undefined && (typeof project !== "function" || grid === "own")) throw new TypeError('the option project is a function, for the grid "mercator"');
  if (!coordinates && !project) {
    const message = "tiles need data that is known to be in degrees or in Web Mercator, or the option project: a function from [longitude, latitude] to the data's coordinates, such as proj4(crs).forward; for coordinates in degrees without units, pass `project: (p) => p`";
    throw Object.assign(new Error(message), { name: "UnsupportedError", feature: "tiles of this coordinate reference system" });
  }
  return { size, method, grid: grid === "own" ? coordinates : "mercator", maxPixels, project, ...more };
}

/** The level that is asked for, or for a resolution; the coarsest where a projection gives none at the tile's middle. */
function levelFor(levels, nth, resolution) {
  if (nth === undefined) return resolution > 0 ? levelAt(levels, resolution) : levels[levels.length - 1];
  if (levels[nth]) return levels[nth];
  throw new RangeError(`there is no level ${String(nth)}; the last one is ${levels.length - 1}`);
}

/**
 * Plans a tile: its level, and the rows and columns of it to read.
 *
 * @param {any[]} levels
 * @param {[number, number, number]} zxy
 * @param {any} wanted options
 * @param {"degrees" | "mercator" | undefined} coordinates what the data's coordinates are
 */
function planned(levels, [z, x, y], wanted, coordinates) {
  const options = checked(wanted, coordinates);
  const { size, method, grid, maxPixels, project } = options;
  const box = boxOf(z, x, y, grid === "degrees");
  const where = located(box, size, { grid, coordinates, project });
  const found = levelFor(levels, options.level, resolutionAt(where, size));
  const plan = { size, method, level: found, bounds: box, crs: grid === "degrees" ? "OGC:CRS84" : "EPSG:3857" };
  checkShape(found);
  const { cols, rows, each, turns } = onLevel(where, found, coordinates === "degrees");
  const reach = method === "bilinear" ? 0.5 : 0;
  const [height, width] = found.shape;
  const [across, down] = [needed(cols, width, reach, Boolean(turns)), needed(rows, height, reach, false)];
  if (!across || !down) return plan;
  const isWhole = Boolean(turns) && across[1] - across[0] >= turns;
  const window = { rows: down, cols: isWhole ? [0, width] : across, around: isWhole ? turns : 0 };
  const pixels = (down[1] - down[0]) * (window.cols[1] - window.cols[0]);
  if (pixels > maxPixels) {
    throw new RangeError(`the tile needs ${pixels} pixels of level ${found.index}, which has no coarser one for it; the option maxPixels allows ${maxPixels}`);
  }
  return { ...plan, window, cols, rows, each, isClosed: Boolean(turns) };
}

/**
 * Indices of the option `select` by axis. An axis goes by the name of the array's dimension, or by that of the pyramid's
 * axis where the array has no such dimension. A name that only other variables of the pyramid have says nothing of this one.
 */
function indices({ shape, dimensionNames = [] }, names, select) {
  if (Array.isArray(select)) return shape.map((_, axis) => select[axis] ?? undefined);
  const fields = hasFields(select) ? new Map(Object.entries(given(select))) : undefined;
  const stranger = [...(fields?.keys() ?? [])].find((name) => !dimensionNames.includes(name) && !names.includes(name));
  if (!fields || stranger !== undefined) {
    const got = fields ? `${JSON.stringify(stranger)}, which neither the array nor the pyramid has` : String(select);
    throw new TypeError(`the option select is a list, or a plain object of whole numbers by dimension name; got ${got}`);
  }
  const other = (axis) => (names.length === shape.length && !dimensionNames.includes(names[axis]) ? names[axis] : undefined);
  return shape.map((_, axis) => fields.get(dimensionNames[axis]) ?? fields.get(other(axis)));
}

/** Selection of a window of an array, with an index for each other axis. */
function selected(array, names, { y, x }, { rows, cols }, select, width) {
  const { shape, dimensionNames } = array;
  const wanted = indices(array, names, select);
  const range = ([start, stop]) => ({ start, stop, step: null });
  const [first, last] = cols;
  const across = first >= 0 && last <= width ? range(cols) : around(cols, width);
  return shape.map((length, axis) => {
    if (axis === y) return range(rows);
    if (axis === x) return across;
    const index = wanted[axis];
    if (!Number.isInteger(index) && (index !== undefined || length !== 1)) {
      throw new TypeError(`a tile has two axes: give the option select a whole number for the axis ${dimensionNames?.[axis] ?? (names.length === shape.length && names[axis] ? names[axis] : axis)}`);
    }
    return index ?? 0;
  });
}

/** Reads a tile of a pyramid; `arrayOf` opens the array of a level, and `axesOf` says which of its axes are rows and columns. */
export async function tile(levels, zxy, options, { coordinates, arrayOf, axesOf }) {
  const { variable, select = {}, signal, mask, scale, decode, ...more } = options;
  signal?.throwIfAborted();
  const plan = planned(levels, zxy, more, coordinates);
  const { level, window, size, bounds, crs } = plan;
  const result = { level, width: size, height: size, bounds, crs };
  if (!window) return { ...result, selection: undefined, data: new Float32Array(size * size).fill(NaN) };
  const array = await untilAborted(signal, arrayOf(level.index, variable));
  const [y, x] = axesOf(level.index, array);
  const names = levels.axes.map(({ name }) => name);
  const selection = selected(array, names, { y, x }, window, select, level.shape[1]);
  const { data, stride } = await array.get(selection, { as: "float32", ...given({ mask, scale, decode, signal }) });
  return { ...result, selection, data: resampled(plan, { data, stride: y < x ? stride : [...stride].reverse() }) };
}
