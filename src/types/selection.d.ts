/** What of an array is read. */

import type { Label, LabelSlice } from "./cf.js";

/** Part of an axis, with Python's rules: bounds are clipped, negative ones count from the end. */
export interface Slice {
  start: number | null;
  stop: number | null;
  step: number | null;
}

/**
 * `slice(stop)`, `slice(start, stop)` or `slice(start, stop, step)`, as in zarrita and Python; of labels, for `sel`, too.
 *
 * @example
 * slice(10);           // the first ten
 * slice(10, null);     // from the tenth on
 * slice(null, null, -2); // every other, from the last one back
 */
export function slice(stop: number | null): Slice;
export function slice(start: number | null, stop: number | null, step?: number | null): Slice;
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
 * What is selected along one axis:
 * - `null`, or nothing, is the whole axis;
 * - an integer, negative ones counting from the end, picks one coordinate and drops the axis from the result;
 * - a slice picks part of the axis;
 * - a list of integers picks these coordinates, in any order, repeated or not, negative ones counting from the end;
 * - a list of booleans, as long as the axis, picks the coordinates where it is `true`. A `Uint8Array` of 0 and 1 is a
 *   list of integers: `Array.from(mask, Boolean)` makes booleans of it.
 *
 * Lists select along their own axis alone, whatever the other axes have: zarr-python's `oindex`.
 */
export type AxisSelection = null | undefined | number | bigint | Slice | readonly number[] | IntegerArray | readonly boolean[];

/**
 * One entry for each axis, missing trailing axes being whole; or an object with entries by dimension name, where
 * dimensions that are not named are whole.
 *
 * @example
 * const array = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 * await array.get([slice(0, 31), null, [7, 3, -1]]);
 * await array.get({ time: 3, lat: slice(10, 20) });
 */
export type Selection = readonly AxisSelection[] | { readonly [dimension: string]: AxisSelection };
