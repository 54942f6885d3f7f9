/** What items and places mean by the CF conventions: times, coordinates, and reads by label. */

import type { GetOptions } from "./reading.js";
import type { Region } from "./region.js";
import type { AxisSelection } from "./selection.js";

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

/**
 * A label along an axis: a number, a bigint (which is compared exactly), a string of a coordinate of texts, or of a coordinate of times a date: as text
 * (`"2024-02"`, `"2024-02-03T12"`, with up to nine digits of a second, with a time zone or in UTC), as a `Date`, or as milliseconds since 1970, which in a
 * model's calendar stand for what is called the same there.
 */
export type Label = number | bigint | string | Date;

/**
 * What is selected along one axis by label:
 * - `null`, or nothing, is the whole axis;
 * - a label picks its place and drops the axis; where several places have it, or a text names a period that is longer
 *   than what the labels tell apart (`"2024-02"` among days, `"2024-02-03"` among hours), it picks them all and keeps
 *   the axis. As for xarray, every text is a period, unless there is a `method`, in the calendars that numpy lacks (julian and
 *   those of models), and along axes of any calendar with a time before 1677-09-22 or after 2262-04-11, which datetime64 in
 *   nanoseconds does not reach (coordinates stored as datetime64 aside);
 * - a list picks each of its labels, in any order and repeated or not; of a period its first moment;
 * - `slice(from, to, step)`, with labels in place of numbers, is the range from the one to the other, both of which count,
 *   a period to its end. Either may be the larger one, whether the labels rise or fall, and `null` is an end of the axis.
 *   `step` takes every so many of them. Ranges need labels that rise or fall.
 */
export type LabelSelection =
  | null
  | undefined
  | Label
  | ArrayLike<Label>
  | Partial<LabelSlice<Label>>;

/** A range of labels, as `slice` makes it; its ends are part of it. */
export interface LabelSlice<L extends Label> {
  readonly start: L | null;
  readonly stop: L | null;
  readonly step: number | null;
}

/** An entry for each dimension that something is selected of; the others are whole. */
export interface LabelQuery {
  readonly [dimension: string]: LabelSelection;
}

/** How labels are found, and how what they select is read. */
export interface SelOptions extends GetOptions {
  /**
   * What is taken for a label that is not there, among labels that rise or fall: the `"nearest"` one, of two as near the
   * larger; the one before it along the axis (`"pad"`, or `"ffill"`), or the one after it (`"backfill"`, or `"bfill"`).
   * The ends of ranges are moved to labels in the same way, and of a period that holds none its first moment is. There
   * is no method for texts.
   */
  method?: "nearest" | "pad" | "ffill" | "backfill" | "bfill" | null;
  /** How far that may be away, in what the labels count; of times in milliseconds, of which it may be a fraction. */
  tolerance?: number | bigint;
}

/** What was read by label. */
export interface LabelRegion extends Region {
  /** The same by index, as `get` takes it. */
  selection: Record<string, AxisSelection>;
  /**
   * By dimension, of those that were selected of and have labels: the label of an axis that was dropped, and otherwise a
   * list of them. Of times, ISO labels as `decodeTime` gives them; of 64-bit integers bigints, if a number would round any
   * of the axis.
   */
  coordinates: Record<string, unknown>;
}
