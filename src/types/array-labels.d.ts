/** Reads of an array that go by the CF conventions: times, and values by label. */

import type { LabelQuery, LabelRegion, SelOptions, TimeOptions, TimeRegion } from "./cf.js";
import type { Selection } from "./selection.js";

/** Methods of `RectilinearArray` that read times and select by label. */
export interface ArrayLabels {
  /**
   * Reads times as milliseconds since 1970 and as ISO 8601 labels, by the CF conventions.
   *
   * Times are numbers with the attributes `units`, such as `"days since 1850-01-01"`, and `calendar` (default standard:
   * Julian, and Gregorian from 1582-10-15 on), or datetime64 of any unit. Units are nanoseconds to weeks, with cftime's
   * short names; months in the calendar 360_day; common_years in noleap. The reference date may lack its smaller parts,
   * and have a time zone (`Z`, `UTC`, `+01:30`). Items are masked and unpacked as with `decode: "cf"`. Fractions are
   * rounded to microseconds, as cftime does; whole numbers of units are exact to the nanosecond.
   *
   * Bounds (an array of two axes or more without `units` or `calendar`) take these from the variable whose attribute
   * `bounds` names them. Without consolidated metadata that variable is looked for under the names of the array's
   * dimensions, and under the array's own name without `_bnds` or `_bounds`.
   *
   * @param selection The selection. Default: the whole array.
   * @param options Options of the read.
   * @returns Milliseconds and labels; NaN and `null` for missing times and "not a time" (the least int64).
   * @throws InvalidMetadataError if `units` or `calendar` is missing or is not a unit or calendar of time
   * @throws UnsupportedError for months or years without a fixed length
   * @throws RangeError for a date 273 million years away or more, such as a fill value that no attribute declares
   *
   * @example
   * const time = await RectilinearArray.open("https://host/model_run.zarr/time");
   * const { data, labels } = await time.decodeTime([slice(0, 31)]);
   * console.log(new Date(data[0]!), labels[0]); // Mon Jan 01 2024 …, "2024-01-01T00:00:00"
   */
  decodeTime(selection?: Selection | null, options?: TimeOptions): Promise<TimeRegion>;

  /**
   * Reads by label, by the rules of xarray's `sel`: labels are looked up in the coordinates of the named dimensions.
   *
   * The coordinate of a dimension is an array of one axis with the dimension's name and length, beside this array or in
   * a group above it (for an array opened by its own URL: beside it only). It is read whole and decoded when it is
   * first needed, and kept until `refresh`. A dimension without a coordinate is selected by index.
   *
   * @param query A label, list or range of labels for each dimension; other dimensions are whole.
   * @param options Options of the look-up (`method`, `tolerance`) and of the read.
   * @returns The values, the selection by index, and the labels of the selected dimensions.
   * @throws SelectionError if a label is not found (the message names the nearest one), or if a range or `method` needs
   * labels that rise or fall; other errors as for `get`
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * // All of February, from 10 to 20 degrees.
   * const { data, coordinates } = await t2m.sel({ time: "2024-02", lat: slice(10, 20) });
   * await t2m.sel({ time: new Date(), lat: 12.3, lon: -45.6 }, { method: "nearest", decode: "cf" });
   * await t2m.sel({ time: slice("2024-02", "2024-04"), lat: [10, 20, 30] });
   */
  sel(query: LabelQuery, options?: SelOptions): Promise<LabelRegion>;
}
