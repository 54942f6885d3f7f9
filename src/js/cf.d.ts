/** What items mean by the CF conventions beside numbers: times. */

import type { GetOptions } from "./reading.js";

/** Options of a read of times. */
export type TimeOptions = Pick<GetOptions, "signal" | "onProgress" | "order">;

/** The names of calendars: `"standard"` is also called gregorian, `"noleap"` 365_day, and `"all_leap"` 366_day. */
export type Calendar = "standard" | "proleptic_gregorian" | "julian" | "noleap" | "all_leap" | "360_day";

/** Times, in C order. */
export interface TimeRegion {
  /**
   * Milliseconds since 1970-01-01T00:00:00Z, as `Date` counts them; NaN where there is no time. In the calendars that
   * people have lived by (standard, proleptic_gregorian, julian) they are those of the moment itself. In those of models
   * (noleap, all_leap, 360_day) they are those of what is called the same in the Gregorian calendar, so that axes show
   * the dates that the model has, and NaN where nothing is called so, as 30 February; `labels` has all of them.
   */
  data: Float64Array;
  /**
   * The dates in the array's own calendar, as ISO 8601 spells them, without a time zone, which is UTC:
   * `"2024-02-30T12:00:00"`, with three, six or nine digits after the second where it has a fraction; `null` where there
   * is no time. There is a year 0, as in ISO 8601 and unlike in cftime's standard calendar.
   */
  labels: (string | null)[];
  /** Length of each axis; axes selected by an integer are not there. */
  shape: number[];
  /** Items from one element to the next along each axis. */
  stride: number[];
  calendar: Calendar;
}
