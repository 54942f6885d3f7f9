/** Pixels of a box from a level: which level fits, which of its pixels are needed, and their resampling. */
import { untilAborted } from "../common/until-aborted.js";
import { pixel } from "../conventions/grid.js";
import { nextTurn } from "../stores/common.js";
import { axisOf } from "./axis.js";
import { windowOf } from "./extent.js";
import { Lists } from "./lists.js";
import { periodOf } from "./ways.js";
import { checkShape, levelAt } from "./window.js";

export { othersOf } from "./others.js";

/** Milliseconds of work after which the page has its turn. */
const PATIENCE = 12;

const NOWHERE = [NaN, NaN];

/**
 * @typedef {object} Request
 * @property {readonly number[]} box in the system of the result
 * @property {number} width
 * @property {number} height
 * @property {boolean} [isUpward] whether rows go from the least y to the greatest
 * @property {{ across?: any, down?: any, at?: any }} way of `wayTo`
 * @property {string | undefined} kind what the data's coordinates are
 */

/** Runs a generator of steps to its end, with turns of the event loop between them. Gives what it returns. */
export async function patiently(steps, signal) {
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < PATIENCE) continue;
    await nextTurn();
    signal?.throwIfAborted();
    since = performance.now();
  }
}

/** Coordinates of the data at places of the result, in pixels from its first corner. @param {Request} request */
function coordinatesOf({ box: [xmin, ymin, xmax, ymax], width, height, isUpward, way }) {
  const [top, bottom] = isUpward ? [ymin, ymax] : [ymax, ymin];
  const x = (u) => xmin + (u / width) * (xmax - xmin);
  const y = (v) => top + (v / height) * (bottom - top);
  const { across, down } = way;
  if (across) return { x: (u) => across(x(u)), y: (v) => down(y(v)), at: (u, v) => [across(x(u)), down(y(v))] };
  return { at: (u, v) => way.at(x(u), y(v)) ?? NOWHERE };
}

/**
 * Steps of the data's coordinates from one pixel of the result to the next, along its rows and its columns: at its middle and
 * at eight other places of it, as far as these have any.
 *
 * @param {Request} request
 * @returns {number[][][]}
 */
export function stepsOf(request) {
  const { width, height, kind, way } = request;
  const { at } = coordinatesOf(request);
  // A projection may lead across the seam from one pixel to the next; by themselves, longitudes go on.
  const period = way.at ? periodOf(kind) : 0;
  const step = ([x, y], [before, above]) => [x - before - (period && period * Math.round((x - before) / period)), y - above];
  const all = PROBES.map(([s, t]) => {
    const [u, v] = [(s / 8) * width, (t / 8) * height];
    return [step(at(u + 0.5, v), at(u - 0.5, v)), step(at(u, v + 0.5), at(u, v - 0.5))];
  });
  return all.filter((steps) => steps.flat().every(Number.isFinite) && Math.abs(areaOf(steps)) > 0);
}

/** Places in eighths of a result, the middle first. */
const PROBES = [[4, 4], [4, 2], [4, 6], [2, 4], [6, 4], [2, 2], [6, 2], [2, 6], [6, 6]];

/** @param {number[][]} steps */
const areaOf = ([along, down]) => along[0] * down[1] - down[0] * along[1];

/** The level that is asked for, or else the one that fits. @param {any[]} levels @param {number | undefined} nth @param {() => any} fitting */
export function levelFor(levels, nth, fitting) {
  const level = nth === undefined ? fitting() : levels[nth];
  if (!level) throw new RangeError(`there is no level ${String(nth)}; the last one is ${levels.length - 1}`);
  checkShape(level);
  return level;
}

/** The level for the size of the middle pixel: the edge of a square of its area. The coarsest where the result has no place. @param {any[]} levels @param {number[][][]} all */
export const levelByArea = (levels, [steps]) => (steps ? levelAt(levels, Math.sqrt(Math.abs(areaOf(steps)))) : levels[levels.length - 1]);

/** The coarsest level whose pixels are no larger than the result's in either direction, with 1 % to spare, else the finest. */
export const levelBySides = (levels, all) => levels.findLast((level) => Math.min(...ratioOn(level, all)) * 1.01 >= 1) ?? levels[0];

/**
 * Pixels of a level to one of the result, along its columns and rows: the median of several places, since near a pole a step is
 * many columns.
 *
 * @param {any} level @param {number[][][]} all of `stepsOf`
 * @returns {[number, number]}
 */
export function ratioOn({ transform: [a, b, , d, e] }, all) {
  const ratios = all.map((steps) => {
    const [along, down] = steps.map(([dx, dy]) => pixel([a, b, 0, d, e, 0], dx, dy));
    return [Math.hypot(along[0], down[0]), Math.hypot(along[1], down[1])];
  });
  const median = (axis) => ratios.map((ratio) => ratio[axis]).toSorted((one, other) => one - other)[ratios.length >> 1] ?? 1;
  return [median(0), median(1)];
}

/**
 * Places the pixels of a result on a level.
 *
 * @param {Request} request
 * @param {any} level
 * @param {any} method of `methodOf`
 * @param {{ tolerance: number, signal?: AbortSignal }} options
 */
export async function placed(request, level, method, { tolerance, signal }) {
  const { width, height, kind } = request;
  const { transform, shape } = level;
  const [a, b, , d] = transform;
  const isStraight = b === 0 && d === 0;
  const axes = { cols: axisOf(shape[1], isStraight ? periodOf(kind) / Math.abs(a) : 0), rows: axisOf(shape[0]) };
  const byCorners = method.shape === "box";
  const { x, y, at } = coordinatesOf(request);
  let places;
  if (x && isStraight) {
    const [more, half] = byCorners ? [1, 0] : [0, 0.5];
    const cols = Float64Array.from({ length: width + more }, (_, i) => pixel(transform, x(i + half), 0)[0]);
    const rows = Float64Array.from({ length: height + more }, (_, i) => pixel(transform, 0, y(i + half))[1]);
    places = new Lists(cols, rows);
  } else {
    const place = (u, v) => {
      const [found, other] = at(u, v);
      return pixel(transform, found, other);
    };
    const { projected } = await import("./projected.js");
    places = await patiently(projected(place, width, height, { tolerance, turn: axes.cols.turn, byCorners }), signal);
  }
  return { method, axes, places, window: windowOf(places, method, axes) };
}

/** @param {number[]} ends */
const range = ([start, stop]) => ({ start, stop, step: null });

/** Selection of columns: a range, or a list of the columns of two. @param {number[][]} ranges */
export function columnsOf([first, second]) {
  if (!second) return range(first);
  return [first, second].flatMap(([start, stop]) => Array.from({ length: stop - start }, (_, i) => start + i));
}

/** Selection of rows. */
export const rowsOf = range;

const lengthOf = (ranges) => ranges.reduce((sum, [start, stop]) => sum + stop - start, 0);

/** Number of pixels in a window. @param {{ rows: number[], cols: number[][] }} window */
export const pixelsIn = ({ rows, cols }) => lengthOf([rows]) * lengthOf(cols);

/**
 * Values of two ranges along an axis, one after the other in one array.
 *
 * @param {any[]} parts results of `get`, in C order
 * @param {number} axis
 */
function joined(parts, axis) {
  const [first, second] = parts;
  if (!second) return first;
  const inner = first.stride[axis];
  const lengths = parts.map(({ shape }) => shape[axis] * inner);
  const shape = first.shape.with(axis, first.shape[axis] + second.shape[axis]);
  const data = new first.data.constructor(first.data.length + second.data.length);
  for (let from = 0, nth = 0; from < data.length; nth++) {
    for (const [i, length] of lengths.entries()) {
      data.set(parts[i].data.subarray(nth * length, (nth + 1) * length), from);
      from += length;
    }
  }
  // Divided first: a quotient of the lengths need not be whole, and its product no whole number either.
  return { data, shape, stride: first.stride.map((step, nth) => (nth < axis ? (step / first.shape[axis]) * shape[axis] : step)) };
}

/** Where the values of each other axis begin, in C order. */
function planesOf(shape, stride) {
  return shape.reduce((planes, length, axis) => planes.flatMap((base) => Array.from({ length }, (_, i) => base + i * stride[axis])), [0]);
}

/**
 * Reads the window of a level, and resamples it. Two ranges of columns are two reads at once: one by a list of columns would
 * copy item by item.
 *
 * @param {any} array
 * @param {{ y: number, x: number, selection: any[] }} what axes of rows and columns, and the selection of all axes
 * @param {any} plan of `placed`
 * @param {any} options of the read, with `as`
 * @param {(plane: number, row: number, col: number, value: number) => void} write
 */
export async function filled(array, { y, x, selection }, plan, options, write) {
  const { method, axes, places, window } = plan;
  const { signal } = options;
  // Axes that an index selects are not in the result.
  const kept = selection.flatMap((entry, axis) => (typeof entry === "number" || typeof entry === "bigint" ? [] : [axis]));
  const [down, across] = [kept.indexOf(y), kept.indexOf(x)];
  const reads = window.cols.map((cols) => array.get(selection.with(x, range(cols)), options));
  const { data, shape, stride } = joined(await untilAborted(signal, Promise.all(reads)), across);
  const others = kept.map((_, nth) => nth).filter((nth) => nth !== down && nth !== across);
  const planes = planesOf(others.map((nth) => shape[nth]), others.map((nth) => stride[nth]));
  const [first, second] = window.cols;
  const width = first[1] - first[0];
  const slots = {
    rows: { ...axes.rows, slot: (cell) => (cell - window.rows[0]) * stride[down] },
    cols: { ...axes.cols, slot: (cell) => (second && (cell < first[0] || cell >= first[1]) ? cell - second[0] + width : cell - first[0]) * stride[across] },
  };
  await patiently(places.resampled(method, slots, { data, planes }, write), signal);
}
