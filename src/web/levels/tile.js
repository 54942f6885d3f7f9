/** Tiles of a map, in Web Mercator or in the data's own coordinates: reads of their boxes. */
import { untilAborted } from "../common/until-aborted.js";
import { NAMES, methodOf } from "./methods.js";
import { columnsOf, filled, levelByArea, levelFor, othersOf, pixelsIn, placed, ratioOn, rowsOf, stepsOf } from "./warp.js";
import { HALF, OWN, betweenKinds, byProject, toDegrees } from "./ways.js";
import { given } from "../common/options.js";

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

/** The options of a tile, checked. @param {any} options @param {string | undefined} coordinates @returns {any} */
function checked({ size = 256, method = "nearest", grid = "mercator", maxPixels = 2 ** 24, project, ...more }, coordinates) {
  if (!Number.isInteger(size) || size < 2 || size > 4096) throw new TypeError(`the option size is a whole number from 2 to 4096, not ${String(size)}`);
  if (!NAMES.includes(method)) throw new TypeError(`the option method is one of ${NAMES.join(", ")}, not ${String(method)}`);
  if (!["mercator", "own"].includes(grid)) throw new TypeError(`the option grid is "mercator" or "own", not ${String(grid)}`);
  if (project !== undefined && (typeof project !== "function" || grid === "own")) throw new TypeError('the option project is a function, for the grid "mercator"');
  if (!coordinates && !project) {
    const message = "tiles need data that is known to be in degrees or in Web Mercator, or the option project: a function from [longitude, latitude] to the data's coordinates, such as proj4(crs).forward; for coordinates in degrees without units, pass `project: (p) => p`";
    throw Object.assign(new Error(message), { name: "UnsupportedError", feature: "tiles of this coordinate reference system" });
  }
  return { size, method, grid: grid === "own" ? coordinates : "mercator", maxPixels, project, ...more };
}

/** Reads a tile of a pyramid; `arrayOf` opens the array of a level, and `axesOf` says which of its axes are rows and columns. */
export async function tile(levels, [z, x, y], options, { coordinates, arrayOf, axesOf }) {
  const { variable, select = {}, signal, mask, scale, decode, ...more } = options;
  signal?.throwIfAborted();
  const { size, method, grid, maxPixels, project, level: nth } = checked(more, coordinates);
  const bounds = boxOf(z, x, y, grid === "degrees");
  const way = project ? byProject(toDegrees.mercator, project) : grid ? betweenKinds(grid, coordinates) : OWN;
  const request = { box: bounds, width: size, height: size, way, kind: coordinates };
  const steps = stepsOf(request);
  const level = levelFor(levels, nth, () => levelByArea(levels, steps));
  // Every pixel is placed by itself, and bilinear values are of four pixels, whatever their size is.
  const plan = await placed(request, level, methodOf(method, ratioOn(level, steps), true), { tolerance: 0, signal });
  const data = new Float32Array(size * size).fill(NaN);
  const result = { level, width: size, height: size, bounds, crs: grid === "degrees" ? "OGC:CRS84" : "EPSG:3857", selection: undefined, data };
  const { window } = plan;
  if (!window) return result;
  if (pixelsIn(window) > maxPixels) {
    throw new RangeError(`the tile needs ${pixelsIn(window)} pixels of level ${level.index}, which has no coarser one for it; the option maxPixels allows ${maxPixels}`);
  }
  const array = await untilAborted(signal, arrayOf(level.index, variable));
  const [down, across] = axesOf(level.index, array);
  const others = othersOf(array, levels, "select", select);
  const selection = others.map((index, axis) => {
    if (axis === down) return rowsOf(window.rows);
    if (axis === across) return columnsOf(window.cols);
    if (!Number.isInteger(index) && (index !== undefined || array.shape[axis] !== 1)) {
      const names = levels.axes.map(({ name }) => name);
      throw new TypeError(`a tile has two axes: give the option select a whole number for the axis ${array.dimensionNames?.[axis] ?? (names.length === array.shape.length && names[axis] ? names[axis] : axis)}`);
    }
    return index ?? 0;
  });
  const read = { as: "float32", ...given({ mask, scale, decode, signal }) };
  await filled(array, { y: down, x: across, selection }, plan, read, (_, row, col, value) => (data[row * size + col] = value));
  return { ...result, selection };
}
