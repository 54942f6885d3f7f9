/** Selections by index: integers, slices, and lists of integers or booleans. */

import type { Label, LabelSlice } from "./cf.js";

/** A part of an axis, by Python's rules: bounds outside the axis are clipped, negative bounds count from the end. */
export interface Slice {
  /** The first index. `null` is the first one of the axis, or the last one if `step` is negative. */
  start: number | null;
  /** The index to stop before. `null` goes to the end of the axis, or to its beginning if `step` is negative. */
  stop: number | null;
  /**
   * The distance from one index to the next; negative steps go backwards. `null` is 1. A step of 0 is a SelectionError.
   */
  step: number | null;
}

/**
 * Makes a slice from the beginning of an axis, as `slice(stop)` does in Python and zarrita.
 *
 * @param stop The index to stop before; negative numbers count from the end, `null` takes the whole axis.
 * @returns The slice from index 0 to `stop`, without `stop`.
 *
 * @example
 * slice(10); // indices 0 to 9
 */
export function slice(stop: number | null): Slice;
/**
 * Makes a slice from one index to another, as `slice(start, stop, step)` does in Python and zarrita.
 *
 * @param start The first index; negative numbers count from the end, `null` is the beginning.
 * @param stop The index to stop before; negative numbers count from the end, `null` is the end.
 * @param step The distance from one index to the next. Default 1; negative steps go backwards.
 * @returns The slice.
 *
 * @example
 * slice(10, null); //       from index 10 to the end
 * slice(null, null, -2); // every second index, from the last one backwards
 */
export function slice(start: number | null, stop: number | null, step?: number | null): Slice;
/**
 * Makes a range of labels for `sel`. Both ends belong to the range, as in xarray.
 *
 * @param start The label at one end; `null` is the first one of the axis.
 * @param stop The label at the other end; `null` is the last one of the axis.
 * @param step The distance from one label to the next, counted in labels. Default 1.
 * @returns The range of labels.
 *
 * @example
 * slice("2024-02", "2024-04"); // February to the end of April
 */
export function slice<L extends Label>(start: L | null, stop: L | null, step?: number | null): LabelSlice<L>;

/** A typed array of integers. */
export type IntegerArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

/**
 * A selection along one axis, by index:
 * - `null` or `undefined` selects the whole axis;
 * - an integer selects one index and drops the axis from the result; negative integers count from the end;
 * - a slice selects a part of the axis;
 * - a list of integers selects these indices in its own order, with repetitions; negative integers count from the end;
 * - a list of booleans, as long as the axis, selects the indices at which it is `true`. A `Uint8Array` of 0 and 1 is a
 *   list of integers; `Array.from(mask, Boolean)` makes a list of booleans of it.
 *
 * Each list applies to its own axis only, as in zarr-python's `oindex`; `getPoints` selects single elements.
 */
export type AxisSelection =
  | null
  | undefined
  | number
  | bigint
  | Slice
  | readonly number[]
  | IntegerArray
  | readonly boolean[];

/**
 * A selection of an array: a list with an entry for each axis, or an object with entries by dimension name. Missing
 * trailing axes, and dimensions that are not named, are selected whole.
 *
 * @example
 * const array = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 * await array.get([slice(0, 31), null, [7, 3, -1]]);
 * await array.get({ time: 3, lat: slice(10, 20) });
 */
export type Selection = readonly AxisSelection[] | { readonly [dimension: string]: AxisSelection };
