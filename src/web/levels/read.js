/** Pixels of any box at any size, in any coordinate system, as `Levels.read` gives them. */
import { untilAborted } from "../common/until-aborted.js";
import { NAMES, methodOf } from "./methods.js";
import { defined, systemOf, wayTo } from "./systems.js";
import { columnsOf, filled, levelBySides, levelFor, othersOf, pixelsIn, placed, ratioOn, rowsOf, stepsOf } from "./warp.js";
import { checkedBox } from "./window.js";
import { given } from "../common/options.js";

/** Most values of a result. */
const MOST = 2 ** 26;

/** Typed arrays of results, with the least and the greatest number that integers hold. */
const TYPES = {
  float32: { create: (size) => new Float32Array(size) },
  float64: { create: (size) => new Float64Array(size) },
  int8: { create: (size) => new Int8Array(size), range: [-128, 127] },
  int16: { create: (size) => new Int16Array(size), range: [-32768, 32767] },
  int32: { create: (size) => new Int32Array(size), range: [-(2 ** 31), 2 ** 31 - 1] },
  uint8: { create: (size) => new Uint8Array(size), range: [0, 255] },
  uint16: { create: (size) => new Uint16Array(size), range: [0, 65535] },
  uint32: { create: (size) => new Uint32Array(size), range: [0, 2 ** 32 - 1] },
};

/** Data types whose items a float32 holds. */
const SMALL = /^(?:bool|u?int(?:2|4|8|16)|b?float(?:16|32)|float(?:4|6|8)_\w+)$/;

const wrong = (name, what, value) => new TypeError(`the option ${name} is ${what}, not ${Array.isArray(value) ? `[${value}]` : String(value)}`);

/**
 * The options of a read, checked.
 *
 * @param {any} options @param {string | undefined} kind what the data's coordinates are
 * @returns {any}
 */
function checked({ bbox, crs, width, height, method, selection = {}, as, fill, tolerance = 0.125, maxPixels = MOST, proj4, epsg, project, ...more }, kind) {
  for (const [name, value] of Object.entries({ width, height })) if (!Number.isInteger(value) || value < 1) throw wrong(name, "a whole number of pixels above 0", value);
  if (width * height > MOST) throw new RangeError(`${width} x ${height} pixels are more than ${MOST}, the most of one read: ask for parts of the box`);
  if (method !== undefined && !NAMES.includes(method)) throw wrong("method", `one of ${NAMES.join(", ")}`, method);
  if (as !== undefined && !Object.hasOwn(TYPES, as)) throw wrong("as", `one of ${Object.keys(TYPES).join(", ")}`, as);
  if (!(tolerance >= 0 && tolerance <= 1)) throw wrong("tolerance", "a number from 0 to 1", tolerance);
  if (!(maxPixels > 0)) throw wrong("maxPixels", "a number above 0", maxPixels);
  if (proj4 !== undefined && typeof proj4 !== "function") throw wrong("proj4", "the function of the package proj4", proj4);
  if (epsg !== undefined && typeof epsg !== "function" && (typeof epsg !== "object" || Array.isArray(epsg))) throw wrong("epsg", "a table of definitions by code, or a function from a code to its definition", epsg);
  if (project !== undefined && typeof project !== "function") throw wrong("project", "a function from [longitude, latitude] to the data's coordinates", project);
  const { range } = TYPES[as] ?? {};
  if (fill !== undefined && (typeof fill !== "number" || (range && !(Number.isInteger(fill) && fill >= range[0] && fill <= range[1])))) {
    throw wrong("fill", range ? `a whole number that ${as} holds` : "a number", fill);
  }
  const system = crs === undefined ? undefined : systemOf(crs);
  if (project && !system) throw new TypeError("the option project needs crs, the system of bbox: without it, bbox is in the data's own coordinates");
  const box = checkedBox(bbox, (system ?? { kind }).kind === "degrees");
  if (!(box[2] > box[0] && box[3] > box[1])) throw new TypeError(`the option bbox has no area: [${bbox}]`);
  return { box, system, width, height, method, selection, as, fill, tolerance, maxPixels, proj4, epsg, project, ...more };
}

/** Whether values are names of classes or marks, which have no mean. */
const isCategorical = ({ attrs, dtype }) => dtype === "bool" || ["flag_values", "flag_masks", "flag_meanings"].some((name) => attrs[name] !== undefined);

/** The method for a ratio of the level's pixels to one of the result, where none is named. */
function chosen(array, ratio) {
  const isShrunk = Math.max(...ratio) > 1 + 1e-6;
  if (isCategorical(array)) return isShrunk ? "mode" : "nearest";
  return isShrunk ? "average" : "bilinear";
}

/** A writer of values to a result, of which missing ones are the fill. */
function writer({ data, width, height, as, fill, range }) {
  const size = width * height;
  if (!range) return (plane, row, col, value) => value === value && (data[plane * size + row * width + col] = value);
  return (plane, row, col, value) => {
    // Halves are rounded up, those too of which rounding left a little less.
    const whole = Math.floor(value + 0.5 + 1e-9);
    if (whole >= range[0] && whole <= range[1]) data[plane * size + row * width + col] = whole;
    else if (value === value || fill === undefined) {
      const place = `the pixel of row ${row} and column ${col}`;
      throw new RangeError(value === value ? `${place} is ${value}, which ${as} does not hold: choose another type with the option as` : `${place} is missing, which ${as} cannot say: give the option fill a number for it`);
    }
  };
}

/**
 * Entries of a selection of an array, but for rows and columns, and the lengths of the axes that stay.
 *
 * @param {any} array @param {any} levels @param {any} options @param {number[]} axes of rows and columns
 */
function besides(array, levels, { selection, width, height }, [y, x]) {
  const others = othersOf(array, levels, "selection", selection);
  for (const axis of [y, x]) if (others[axis] !== undefined && others[axis] !== null) throw new TypeError("the option selection is for axes that are neither rows nor columns: these follow from bbox");
  const at = (rows, cols) => others.map((entry, axis) => (axis === y ? rows : axis === x ? cols : (entry ?? null)));
  const nothing = { start: 0, stop: 0, step: null };
  const kept = others.flatMap((entry, axis) => (typeof entry === "number" || typeof entry === "bigint" ? [] : [axis]));
  const shape = array.plan(at(nothing, nothing)).shape.filter((_, nth) => kept[nth] !== y && kept[nth] !== x);
  const planes = shape.reduce((product, length) => product * length, 1);
  if (width * height * planes > MOST) {
    const names = others.flatMap((_, axis) => (axis === y || axis === x ? [] : [array.dimensionNames?.[axis] ?? axis]));
    throw new RangeError(`the result has ${planes} x ${height} x ${width} values, more than ${MOST}: choose along ${names.join(", ")} with the option selection`);
  }
  return { at, shape, planes };
}

/** Reads the pixels of a box; hooks are those of a tile. */
export async function read(levels, wanted, { coordinates, arrayOf, axesOf }) {
  const options = checked(wanted, coordinates);
  const { box, width, height, tolerance, maxPixels, fill, signal, mask, scale, decode } = options;
  const own = { ...levels.crs, kind: coordinates };
  const systems = Promise.all([defined(options.system, options), options.system && !options.project ? defined(own, options) : own]);
  const [system, crs] = await untilAborted(signal, systems);
  const way = wayTo(system, { crs, kind: coordinates }, options, { box, pixel: Math.min((box[2] - box[0]) / width, (box[3] - box[1]) / height) });
  // The rows of an image lead downwards along y, and those of a map upwards.
  const isImage = !options.system && (levels.kind === "ome" || levels[0].from === "pixels");
  const request = { box, width, height, isUpward: isImage && levels[0].transform[4] > 0, way, kind: coordinates };
  const steps = stepsOf(request);
  const level = levelFor(levels, options.level, () => levelBySides(levels, steps));
  const array = await untilAborted(signal, arrayOf(level.index, options.variable));
  const [y, x] = axesOf(level.index, array);
  const { at, shape, planes } = besides(array, levels, options, [y, x]);
  const ratio = ratioOn(level, steps);
  const method = options.method ?? chosen(array, ratio);
  const plan = await placed(request, level, methodOf(method, ratio), { tolerance, signal });
  const { window } = plan;

  const isSmall = SMALL.test(array.dtype);
  const as = options.as ?? (isSmall ? "float32" : "float64");
  const { create, range } = TYPES[as];
  if (!window && range && fill === undefined) throw new RangeError(`no pixel of the data is in the box, which ${as} cannot say: give the option fill a number for missing pixels`);
  const pixels = window ? pixelsIn(window) * planes : 0;
  if (pixels > maxPixels) {
    throw new RangeError(`the box needs ${pixels} pixels of level ${level.index}, and the option maxPixels allows ${maxPixels}: ask for a smaller box, or for less of the other axes`);
  }
  const data = create(width * height * planes);
  if (!range || fill !== undefined) data.fill(fill ?? NaN);
  const selection = window && at(rowsOf(window.rows), columnsOf(window.cols));
  if (selection) {
    const reading = { as: as === "float64" || !isSmall ? "float64" : "float32", ...given({ mask, scale, decode, signal }) };
    await filled(array, { y, x, selection }, plan, reading, writer({ data, width, height, as, fill, range }));
  }
  return { data, shape: [...shape, height, width], transform: affineOf(request), bounds: box, level, method, selection };
}

/** Transform from pixels of the result to its coordinates. @returns {import("../../types/level.js").Affine} */
function affineOf({ box: [xmin, ymin, xmax, ymax], width, height, isUpward }) {
  const down = (ymax - ymin) / height;
  return [(xmax - xmin) / width, 0, xmin, 0, isUpward ? down : -down, isUpward ? ymin : ymax];
}
