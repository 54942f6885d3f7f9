/** Times, labels and coordinates by the CF conventions. */

import type { GetOptions, NumberArrays } from "./reading.js";
import type { NumberRegion, Region, TypedArray } from "./region.js";
import type { AxisSelection, Selection } from "./selection.js";

/** Options of a read of times. */
export type TimeOptions = Pick<GetOptions, "signal" | "onProgress" | "order">;

/** A CF calendar. Attributes may also say gregorian (`"standard"`), 365_day (`"noleap"`) and 366_day (`"all_leap"`). */
export type Calendar = "standard" | "proleptic_gregorian" | "julian" | "noleap" | "all_leap" | "360_day";

/** Times, in C order. */
export interface TimeRegion {
  /**
   * Milliseconds since 1970-01-01T00:00:00Z, as `Date` takes them; NaN for missing times.
   *
   * In the calendars standard, proleptic_gregorian and julian they denote the true moment. In the model calendars
   * noleap, all_leap and 360_day they denote the Gregorian date of the same name, so that axes show the model's dates;
   * a date that the Gregorian calendar lacks, such as 30 February, is NaN, and only `labels` has it.
   */
  data: Float64Array;
  /**
   * Dates in the array's own calendar, in ISO 8601 and UTC, without a time zone: `"2024-02-30T12:00:00"`, with three,
   * six or nine digits of a fraction of a second if there is one; `null` for missing times. Year 0 exists, as in ISO
   * 8601; in cftime's standard calendar it does not.
   */
  labels: (string | null)[];
  /** Length of each axis. An axis selected by an integer is not in the list. */
  shape: number[];
  /** Distance from one element to the next along each axis, in items. */
  stride: number[];
  /** Calendar of the labels. */
  calendar: Calendar;
}

/**
 * A label along an axis:
 * - a number, or a bigint, which is compared exactly;
 * - a string, for coordinates of text;
 * - a date, for coordinates of time: a string in ISO 8601 (`"2024-02"`, `"2024-02-03T12"`, up to nine digits of a
 *   second, in UTC or with a time zone), a `Date`, or milliseconds since 1970. In model calendars a `Date` or number
 *   denotes the date of the same name.
 */
export type Label = number | bigint | string | Date;

/**
 * A selection along one axis, by label:
 * - `null` or `undefined` selects the whole axis;
 * - a label selects its element and drops the axis. The axis is kept, with all matching elements, if several elements
 *   have the label, or if a date string names a period longer than the resolution of the labels: `"2024-02"` among
 *   days, `"2024-02-03"` among hours;
 * - a list of labels selects these elements in its own order, with repetitions; a period stands for its first moment;
 * - `slice(from, to, step)` selects the range between two labels, both included, a period to its end. `from` may be the
 *   larger or the smaller label; `null` is an end of the axis. Ranges need labels that rise or fall.
 *
 * As in xarray, every date string is a period, whatever its length, if there is no `method` and numpy cannot hold the
 * times: in the calendars julian, noleap, all_leap and 360_day, and in the others if a time of the axis is before
 * 1677-09-22 or after 2262-04-11, the range of datetime64 in nanoseconds. Coordinates stored as datetime64 are exempt.
 */
export type LabelSelection =
  | null
  | undefined
  | Label
  | ArrayLike<Label>
  | Partial<LabelSlice<Label>>;

/** A range of labels, as `slice` makes it. Both ends are included. */
export interface LabelSlice<L extends Label> {
  /** The label at one end; `null` is the first one of the axis. */
  readonly start: L | null;
  /** The label at the other end; `null` is the last one of the axis. */
  readonly stop: L | null;
  /** The distance from one label to the next, counted in labels, at least 1; `null` is 1. */
  readonly step: number | null;
}

/** Labels by dimension name. Dimensions without an entry are selected whole. */
export interface LabelQuery {
  readonly [dimension: string]: LabelSelection;
}

/** Options of `sel`: how labels are looked up, and how values are read. */
export interface SelOptions extends GetOptions {
  /**
   * Label to take for one that does not exist, as in xarray: the `"nearest"`, the larger of two at the same
   * distance; the one before it along the axis (`"pad"` or `"ffill"`); or the one after it (`"backfill"` or `"bfill"`).
   * It also applies to the ends of ranges, and to the first moment of a period without labels. It needs labels that
   * rise or fall, and does not apply to text. Default: a missing label is a SelectionError.
   */
  method?: "nearest" | "pad" | "ffill" | "backfill" | "bfill" | null;
  /**
   * Largest distance to the label that `method` finds, in units of the labels; milliseconds for times, fractions
   * allowed.
   */
  tolerance?: number | bigint;
  /**
   * Period after which an axis closes, as longitudes do: 360 for degrees. A label may then be a whole number of periods
   * away, so -122 finds 238, `method` looks across the seam, and a range goes upwards from its first end to its second
   * one, across the seam if need be: `slice(350, 10)`. Across the seam the selection is a list. Ends that are a period
   * or more apart select the whole axis, beginning with the first end. A missing first end is the least label of the
   * axis, and a missing second one the greatest. A number holds for the dimensions of the query with longitudes
   * (`units`, `standard_name` or the names lon and longitude), an object for those that it names. Labels must be
   * numbers below 2^53. Default: axes do not close, as in xarray.
   */
  wrap?: number | { readonly [dimension: string]: number };
  /**
   * Dimensions whose labels are returned as `coordinates`: all that have labels (`"all"`), or those of the query only
   * (`"query"`), which saves the first read of the others' coordinates. Default `"all"`.
   */
  coordinates?: "all" | "query";
}

/** A label of a coordinate: a number, a text (times as ISO 8601), a bigint, or `null` for a missing time. */
export type CoordinateLabel = number | string | bigint | null;

/**
 * Labels along a dimension, in order: numbers are a typed array of the coordinate's type, texts and times a list. It is
 * one label, and no list, where the query named one label and the axis was dropped. Say which you expect:
 * `coordinates["time"] as string[]`.
 */
export type CoordinateLabels = CoordinateLabel | CoordinateLabel[] | TypedArray;

/** Values read by label. */
export interface LabelRegion extends Region {
  /** The selection by index that the labels came to, as `get` takes it. */
  selection: Record<string, AxisSelection>;
  /**
   * Labels of each dimension that has a coordinate: one label if the axis was dropped, otherwise a list. A dimension
   * that is not in the query has its labels too, unless the option `coordinates` is `"query"`, the axis has more than
   * 2^20 items, they cannot be read, or they are in more than 64 chunks (shards, where there are any) and no query has
   * named the dimension before. Labels that could not be read are not asked for again until `refresh`, unless by name.
   * Times are ISO 8601 labels as in `TimeRegion`. 64-bit integers are bigints if one of the axis does not fit a number.
   */
  coordinates: Record<string, CoordinateLabels>;
}

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
   * Reads by label as numbers of the type that `as` names.
   *
   * @param query A label, list or range of labels for each dimension; other dimensions are whole.
   * @param options Options with `as`, and others.
   * @returns The values as the typed array of that type, the selection by index, and the labels.
   * @throws SelectionError if a label is not found; other errors as for `get`
   */
  sel<T extends keyof NumberArrays>(
    query: LabelQuery,
    options: SelOptions & { as: T },
  ): Promise<NumberRegion<NumberArrays[T], LabelRegion>>;
  /**
   * Reads by label, by the rules of xarray's `sel`: labels are looked up in the coordinates of the named dimensions.
   *
   * The coordinate of a dimension is an array of one axis with the dimension's name and length, beside this array or in
   * a group above it (for an array opened by its own URL: beside it only). It is read whole and decoded when it is
   * first needed, and kept until `refresh`. A dimension without a coordinate is selected by index.
   *
   * @param query A label, list or range of labels for each dimension; other dimensions are whole.
   * @param options Options of the look-up (`method`, `tolerance`, `wrap`), of the labels returned, and of the read.
   * @returns The values, the selection by index, and the labels of the dimensions.
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
