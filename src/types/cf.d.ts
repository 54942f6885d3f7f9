/** Times, labels and coordinates by the CF conventions. */

import type { GetOptions } from "./reading.js";
import type { Region } from "./region.js";
import type { AxisSelection } from "./selection.js";

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
}

/** Values read by label. */
export interface LabelRegion extends Region {
  /** The selection by index that the labels came to, as `get` takes it. */
  selection: Record<string, AxisSelection>;
  /**
   * Labels of each dimension of the query that has a coordinate: one label if the axis was dropped, otherwise a list.
   * A dimension whose entry is `null` or missing has none: name its whole range to get its labels.
   * Times are ISO 8601 labels as in `TimeRegion`. 64-bit integers are bigints if one of the axis does not fit a number.
   */
  coordinates: Record<string, unknown>;
}
