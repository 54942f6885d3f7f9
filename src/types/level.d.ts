/** A level of a pyramid, its coordinate reference system, axes and channels, and windows. */

import type { AxisSelection } from "./selection.js";

/**
 * An affine transform `[a, b, c, d, e, f]` from pixels to coordinates: x = a col + b row + c, y = d col + e row + f. The
 * place (0, 0) is the corner of the first pixel, so its centre is at (0.5, 0.5).
 */
export type Affine = [number, number, number, number, number, number];

/** A box of coordinates: least x, least y, greatest x, greatest y. */
export type Box = [number, number, number, number];

/** A coordinate reference system, as the metadata states it. Nothing is looked up, translated or guessed. */
export interface Crs {
  /** Code with its authority, such as `"EPSG:32633"`: as stated, or the identifier at the end of the WKT or PROJJSON. */
  code?: string;
  /** Well-known text. */
  wkt?: string;
  /** Version of the text's grammar: many writers put WKT 1 (`PROJCS[…]`) where WKT 2 is meant. */
  wktVersion?: 1 | 2;
  /** PROJJSON. */
  projjson?: Record<string, unknown>;
  /** CF's `grid_mapping_name`, such as `"latitude_longitude"`. */
  gridMapping?: string;
  /** Attribute that states the system; absent if none does. */
  from?: string;
}

/** An axis of a pyramid's arrays. */
export interface LevelAxis {
  /** Name; `""` for an axis without one. */
  name: string;
  /** Kind of the axis, such as `"space"`, `"time"` or `"channel"`, as far as it is known. */
  type?: string;
  /** Unit of the axis. */
  unit?: string;
}

/** A coordinate system of an image, as OME-Zarr from version 0.6 on names it. */
export interface LevelSystem {
  /** Name of the system. */
  name: string;
  /** Axes of the system. */
  axes: LevelAxis[];
  /**
   * How one gets there, in words: `"the datasets"` for the system that the levels lie in, else the transformation that
   * the image states, such as `"rotation from intrinsic"`. `Levels.in` applies it. `"the scene"` for a system of a scene.
   */
  from: string;
  /** Path of the image in its scene that has the system. Levels of a scene have `""` here for systems of the scene itself. */
  path?: string;
}

/**
 * A coordinate system by its name, or by its name and the path of the image in the scene that has it. Of levels, a name is
 * that of the image's own system, and where it has none of this name, that of the scene's.
 */
export type SystemName = string | { readonly name: string; readonly path?: string };

/** The way from one coordinate system of an image to another. */
export interface LevelTransform {
  /**
   * Rows, one for each axis of the result: a factor for each axis of a point, then what is added. Axes are in the order of
   * the systems' own lists.
   */
  matrix: number[][];
  /**
   * Transforms points.
   *
   * @param points Points, each with a number for each axis of the first system.
   * @returns The points in the other system.
   * @throws TypeError if a point has another number of axes
   */
  apply(points: readonly (readonly number[])[]): number[][];
}

/** A channel of an image, as OME-Zarr's `omero` describes it. */
export interface LevelChannel {
  /** Name of the channel. */
  label?: string;
  /** Colour as six hexadecimal digits. */
  color?: string;
  /** Whether the channel is shown at first. */
  active?: boolean;
  /** Whether the colours are inverted. */
  inverted?: boolean;
  /** Range of the values, and the part of it that is shown at first. */
  window?: { min?: number; max?: number; start?: number; end?: number };
}

/** A level of a pyramid. */
export interface Level {
  /** Index of the level; 0 is the finest. */
  index: number;
  /** Path of the level's group or array from the pyramid's group; `""` for that group itself. */
  path: string;
  /**
   * Names of the level's arrays of two axes or more, coordinates aside; `undefined` if they are not known, because the
   * metadata is not consolidated. Levels of one pyramid may have different ones.
   */
  variables: string[] | undefined;
  /** Number of rows and columns; `undefined` if neither metadata nor arrays tell it. */
  shape: [number, number] | undefined;
  /** Transform from pixels to coordinates. */
  transform: Affine;
  /** Width and height of a pixel in coordinates. */
  resolution: [number, number];
  /** Outer edges of all pixels; `undefined` without a shape. */
  bounds: Box | undefined;
  /** Rule that gave the transform, in words, such as `"spatial:transform of the layout entry"`. */
  from: string;
  /** OME-Zarr only: distance between elements along each axis. */
  scale?: number[];
  /** OME-Zarr only: place of the centre of the first element along each axis. */
  translation?: number[];
}

/** The pixels of a level in a box. */
export interface LevelWindow {
  /** The level. */
  level: Level;
  /**
   * Selection of rows and columns, as `get` takes it: by the names of the two dimensions, or a list with an entry for
   * each axis for arrays without names. Columns are a slice, or a list of integers across the seam of longitudes.
   */
  selection: { [dimension: string]: AxisSelection } | AxisSelection[];
  /** Transform from pixels of the window to coordinates; across the seam its longitudes are those of the box. */
  transform: Affine;
  /** Outer edges of the window's pixels. */
  bounds: Box;
}
