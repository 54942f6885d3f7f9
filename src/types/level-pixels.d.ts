/** Pixels of any box of a pyramid: their options, and what comes of them. */

import type { Affine, Box, Crs, Level } from "./level.js";
import type { AxisSelection, Selection } from "./selection.js";
import type { GetOptions, NumberArrays } from "./reading.js";

/** Typed arrays of pixels by the names that the option `as` takes. */
export type PixelArrays = Omit<NumberArrays, "float16">;

/** The function of the package proj4, or one of its kind: from two systems to the ways between their coordinates. */
export type Proj4 = (from: any, to: any) => Proj4Ways;

/** The ways between two systems. */
export interface Proj4Ways {
  /**
   * Gives coordinates of the second system.
   *
   * @param point Coordinates of the first system.
   * @returns Coordinates of the second system; numbers that are not finite where there are none.
   */
  forward(point: [number, number]): number[];
  /**
   * Gives coordinates of the first system.
   *
   * @param point Coordinates of the second system.
   * @returns Coordinates of the first system; numbers that are not finite where there are none.
   */
  inverse(point: [number, number]): number[];
}

/** Definition of a coordinate system: a PROJ string, WKT or PROJJSON; undefined for a code that is not known. */
export type CrsDefinition = string | object | undefined;

/** Options of a read of pixels. */
export interface PixelOptions extends Pick<GetOptions, "signal" | "mask" | "scale" | "decode"> {
  /**
   * Outer edges of the result, `[xmin, ymin, xmax, ymax]`, in the system `crs`. In degrees, a west greater than the east is a
   * box across the meridian of 180 degrees.
   */
  bbox: readonly number[];
  /**
   * System of `bbox` and of the result: a code, a PROJ string, WKT, PROJJSON, or the `crs` of a pyramid. `"EPSG:4326"`,
   * `"OGC:CRS84"` and `"EPSG:3857"` are built in, as longitude and latitude in this order and as Web Mercator's metres; others
   * need `proj4`. Default: the data's own coordinates, whatever they are.
   */
  crs?: string | Crs | { readonly [property: string]: unknown };
  /** Pixels in a row of the result, from 1 on. Width and height make at most 2^26 values, other axes included. */
  width: number;
  /** Rows of the result, from 1 on. */
  height: number;
  /**
   * Value of a pixel, of those of the level that are not missing:
   *
   * - `"nearest"`: that of the level's pixel under its centre; on an edge, that to the right and below.
   * - `"bilinear"`: a mean of the four around its centre by their distances, or, where the result is coarser than the level,
   *   of as many as a pixel of the result is wide, in each direction. Of four, a missing nearest one is a missing result.
   * - `"average"`: a mean of all under it by their areas; at the border, of those inside.
   * - `"mode"`: the value of the largest area, and of several, the first by rows that has as much.
   *
   * Default: `"average"` where the result is coarser than the level, else `"bilinear"`; for bool and for arrays with the
   * attributes `flag_values`, `flag_masks` or `flag_meanings`, `"mode"` and `"nearest"`.
   */
  method?: "nearest" | "bilinear" | "average" | "mode";
  /** Name of the array. Default: that of the pyramid. */
  variable?: string;
  /**
   * Selection along the axes that are neither rows nor columns, as `get` takes it: an object by dimension names, or by the
   * names in `axes` where the array has none of its own; or a list with an entry for each axis. Default: all of these axes.
   */
  selection?: Selection;
  /** Value of missing pixels. Default NaN; integer types need one where pixels are missing. */
  fill?: number;
  /**
   * Number type of the result. Values become integers by rounding, halves upwards. Default `"float32"`, or `"float64"` for
   * data types that float32 does not hold.
   */
  as?: keyof PixelArrays;
  /**
   * Index of the level to read. Default: the coarsest whose pixels are no larger than those of the result in either direction,
   * with 1 % to spare, else the finest.
   */
  level?: number;
  /**
   * Largest error of a pixel's place, in pixels of the level, from 0 to 1: places between those that are projected follow
   * from these. With 0, each pixel is projected. Between degrees and Web Mercator there is no error. Default 0.125.
   */
  tolerance?: number;
  /**
   * The function of the package proj4, for other systems than degrees and Web Mercator. The data's system is taken by its
   * code if proj4 or the table `epsg` knows that, else by its WKT or PROJJSON. Places whose way there and back ends
   * elsewhere are outside.
   */
  proj4?: Proj4;
  /**
   * Definitions of codes that proj4 does not know by itself, each a PROJ string, WKT or PROJJSON: a table by code, such as
   * that of the package epsg, or a function that is called with a code, which may load a table or ask a service, and gives
   * undefined for a code that it does not know. It is asked only where a code needs it.
   */
  epsg?: { readonly [code: string]: string | object } | ((code: string) => CrsDefinition | Promise<CrsDefinition>);
  /**
   * Function from `[longitude, latitude]` in degrees to the coordinates of the data, in place of proj4 for the data's system.
   * Results that are not finite are outside of the data.
   */
  project?: (point: [number, number]) => readonly number[];
  /** Most pixels of the level to read, other axes included; more are a RangeError. Default 2^26. */
  maxPixels?: number;
}

/** Pixels of a box. */
export interface LevelPixels<D = Float32Array | Float64Array> {
  /** Values in C order: the last axis, that of columns, varies fastest. */
  data: D;
  /** Lengths of the axes: those of the selection in the array's order, then height and width. */
  shape: number[];
  /**
   * Transform from pixels of the result to coordinates of its system. Rows go from the greatest y to the least; without
   * `crs`, those of an image, whose y is counted downwards, from the least to the greatest.
   */
  transform: Affine;
  /** Outer edges of the result: its box, with a west of less than its east. */
  bounds: Box;
  /** The level that was read. */
  level: Level;
  /** The method that was used. */
  method: "nearest" | "bilinear" | "average" | "mode";
  /** Selection of the array that was read; `undefined` if the box is outside of the data, and nothing was read. */
  selection: AxisSelection[] | undefined;
}
