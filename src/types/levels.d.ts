/**
 * The entry point `rectilinear-zarr/levels`: the levels of a pyramid, their places on the Earth, windows and map tiles.
 *
 * @module rectilinear-zarr/levels
 */

import type { AxisSelection } from "./selection.js";
import type { GetOptions } from "./reading.js";
import type { Group } from "./group.js";
import type { Box, Crs, Level, LevelAxis, LevelChannel, LevelSystem, LevelTransform, LevelWindow, SystemName } from "./level.js";
import type { OpenOptions } from "./open-options.js";
import type { LevelPixels, PixelArrays, PixelOptions } from "./level-pixels.js";
import type { RectilinearArray } from "./array.js";
import type { Source } from "./source.js";

export * from "./level.js";
export * from "./level-pixels.js";
export * from "./level-scene.js";

/** Options of opening a pyramid. The others are those of `Group.open`, and apply to URLs and stores only. */
export interface LevelsOptions extends OpenOptions {
  /**
   * Name of the array to read in each level. Default, also for `""`: the level itself where it is an array, else the first
   * array of the finest level that has any; without consolidated metadata, none.
   */
  variable?: string;
  /**
   * Whether attributes of the levels' arrays are wanted. `false` spares an OME-Zarr image of Zarr v2 a request for the
   * `.zattrs` of each level: names of axes, places and channels are in the attributes of the image, which are read, and
   * readers of OME-Zarr scale no numbers by others. The arrays then have no attributes and no names of dimensions, so that numbers
   * which an array's attributes scale or mask are read as they are stored. Of no effect on other pyramids. Default `true`.
   */
  attrs?: boolean;
}

/** Options of choosing a level. */
export interface LevelChoice {
  /**
   * Level to take: the coarsest whose pixels are no larger than the resolution, with 1 % to spare, else the finest
   * (`"finer"`); or the one whose pixels are nearest to it in size (`"nearest"`). Default `"finer"`.
   */
  round?: "finer" | "nearest";
}

/** Options of a map tile. */
export interface TileOptions extends Pick<GetOptions, "signal" | "mask" | "scale" | "decode"> {
  /** Name of the array. Default: that of the pyramid. */
  variable?: string;
  /**
   * Index of each axis that is neither rows nor columns: an object by dimension names, or by the names in `axes` where the
   * array has none of its own; or a list with an entry for each axis. `null` is absent, and axes of length 1 need none. A
   * name of `axes` that this array lacks is passed over, and any other name is a TypeError.
   */
  select?: { readonly [dimension: string]: number | null | undefined } | readonly (number | null)[];
  /** Edge of the tile in pixels, from 2 to 4096. Default 256. */
  size?: number;
  /**
   * Value of a pixel: that of the level's pixel under its centre, a mean of the four around it by their distances, a mean of
   * all under it by their areas, or the value of the largest area. Missing pixels are left out; where the nearest one is
   * missing, so is a mean of four. Default `"nearest"`.
   */
  method?: "nearest" | "bilinear" | "average" | "mode";
  /**
   * Grid of the tiles: `"mercator"`, the Web Mercator grid of web maps, or `"own"`, that of the data's own coordinates,
   * which for degrees is the WorldCRS84Quad with two tiles at zoom 0. Default `"mercator"`.
   */
  grid?: "mercator" | "own";
  /** Index of the level to read. Default: by the size of the tile's middle pixel, as `at` chooses. */
  level?: number;
  /**
   * Function from `[longitude, latitude]` in degrees to the coordinates of the data, for data in neither degrees nor Web
   * Mercator: `proj4(crs).forward`. Called once for each pixel, and some times more to choose the level. Results that are not finite are outside of the data.
   */
  project?: (point: [number, number]) => readonly number[];
  /** Most pixels of the level to read for one tile; more are a RangeError. Default 2^24. */
  maxPixels?: number;
}

/** A map tile. */
export interface LevelTile {
  /** Values by rows, from north to south; NaN where the data is missing or has no pixel. */
  data: Float32Array;
  /** Pixels in a row. */
  width: number;
  /** Number of rows. */
  height: number;
  /** The level that was read. */
  level: Level;
  /** Selection of the array that was read; `undefined` if the tile is outside of the data, and nothing was read. */
  selection: AxisSelection[] | undefined;
  /** Edges of the tile in its own system. */
  bounds: Box;
  /** Code of the tile's system: `"EPSG:3857"` or `"OGC:CRS84"`. */
  crs: string;
}

/**
 * The levels of a pyramid, finest first: a list of them, with ways to choose and read one.
 *
 * Conventions are known by their attributes: GeoZarr's `multiscales`, `spatial:` and `proj:`, as drafts and v0.1, by
 * EOPF, topozarr, GDAL and others; OME-Zarr 0.1 to 0.6; ndpyramid; tile matrix sets; and single arrays with CF's grid
 * mapping or coordinates. Where a level lacks its transform, the next rule that holds gives it, and `from` names it.
 *
 * With consolidated metadata no request is made beyond the group's, except for coordinates where nothing else says where
 * the data lie. Otherwise each level takes the documents of its array and of the groups around it; none where the layout
 * states its place, shape and dimensions and the pyramid its system, but for the first level if a variable is named.
 * Where the names of dimensions do not tell rows from columns, the largest level's coordinates are looked up for all.
 *
 * @example
 * const levels = await Levels.open("https://host/pyramid.zarr", { variable: "b02" });
 * const { level, selection } = levels.window([500000, 4990000, 502000, 4992000], { resolution: 20 })!;
 * const { data, shape } = await (await levels.array(level.index)).get(selection);
 */
export class Levels extends Array<Level> {
  private constructor();
  /**
   * Opens a pyramid: a group, or its URL or store.
   *
   * @param source The pyramid's group, which may be freed afterwards, or the group's URL or store.
   * @param options The variable, the signal, and options of the source.
   * @returns The levels.
   * @throws InvalidMetadataError if an attribute of the pyramid is not valid; `path` is the JSON pointer to it
   * @throws UnsupportedError if a level has a transformation that is no scale or translation
   * @throws NotFoundError if there is no group, or no array in it; of OME-Zarr's plates, wells and other groups of images,
   * the message says what the group is and lists the paths in it
   * @throws StoreError if the store or host fails
   */
  static open(source: Source | Group, options?: LevelsOptions): Promise<Levels>;

  /** Convention of the pyramid; `"single"` for an array without levels. */
  readonly kind: "multiscales" | "ome" | "ndpyramid" | "tile_matrix_set" | "single";
  /** Coordinate reference system; without properties if none is stated. */
  readonly crs: Crs;
  /** Axes of the arrays. */
  readonly axes: LevelAxis[];
  /** Channels of an OME-Zarr image; empty for others. */
  readonly channels: LevelChannel[];
  /**
   * Coordinate systems of an OME-Zarr image from version 0.6 on; empty for others. Levels lie in the one that the
   * datasets lead to. Transformations to the others, such as a rotation, are alternatives: `in` gives the levels in one.
   */
  readonly systems: LevelSystem[];
  /** Conventions that the group registers in `zarr_conventions`. */
  readonly conventions: Record<string, unknown>[];

  /**
   * Gives the levels in another coordinate system of an OME-Zarr image. Pixels may be turned or sheared there: then `b` or
   * `d` of a `transform` is not 0, and `from` ends with `"not along the axes"`. Free them like others.
   *
   * @param name The name of the system, one of `systems`; of one that another image of a scene has, with its path.
   * @returns The levels, with `transform`, `resolution` and `bounds` in that system, without `scale` and `translation`.
   * @throws RangeError if there is no such system
   * @throws InvalidMetadataError if a transformation is not valid; `path` is the JSON pointer to it
   * @throws UnsupportedError if no transformation leads there, if one is a field (`displacements`, `coordinates`), has a scale or
   * a translation in an array, has no inverse, or if the plane of rows and columns depends on other axes there
   */
  in(name: SystemName): Levels;

  /**
   * Gives the way from one coordinate system of an OME-Zarr image to another, by the fewest of the image's transformations,
   * inverted where they lead back.
   *
   * @param from The name of a system, one of `systems`.
   * @param to The name of the other.
   * @returns The matrix, and a function for points.
   * @throws RangeError, InvalidMetadataError or UnsupportedError as for `in`
   *
   * @example
   * const levels = await Levels.open("https://host/image.ome.zarr");
   * const [corner] = levels.transform("intrinsic", "stage").apply([[0, 0, 0]]);
   */
  transform(from: SystemName, to: SystemName): LevelTransform;

  /**
   * Chooses a level by the size of its pixels. It replaces the method of lists; `levels[0]` is a level by its index.
   *
   * @param resolution The size of a pixel in coordinates, such as metres or degrees.
   * @param options The rounding.
   * @returns The level.
   * @throws TypeError if the resolution is not a number above 0
   */
  at(resolution: number, options?: LevelChoice): Level;

  /**
   * Finds the pixels of a level in a box. Reads nothing.
   *
   * Data in degrees may go from -180 to 180 or from 0 to 360, and so may the box. A box across the meridian of 180
   * degrees ends east of 180, or has a west greater than its east.
   *
   * @param bbox The box in the data's coordinates.
   * @param options The resolution to choose the level by; the finest level by default.
   * @returns The level and the selection; `undefined` if no pixel is in the box.
   * @throws TypeError if `bbox` is not four numbers in order
   * @throws UnsupportedError if the shape of the level is not known
   */
  window(bbox: readonly number[], options?: LevelChoice & { resolution?: number }): LevelWindow | undefined;

  /**
   * Opens the array of a level. Free it like other arrays.
   *
   * @param level The level or its index.
   * @param variable The name of the array. Default: that of the pyramid.
   * @returns The array.
   * @throws RangeError if there is no such level
   * @throws TypeError if no variable is named and none is known
   * @throws NotFoundError, InvalidMetadataError, UnsupportedError or StoreError as for `Group.array`
   */
  array(level: number | Level, variable?: string): Promise<RectilinearArray>;

  /**
   * Reads the pixels of a box, at any size and in any coordinate system: chooses the level, reads the pixels under the box,
   * and resamples them as GDAL's warp does.
   *
   * Missing pixels are those that `get` makes NaN with `as: "float32"`, by the options `mask`, `scale` and `decode`. All of a
   * window of the level is one `get`. Where data go around the Earth, pixels do too: a box may cross the meridian of 180
   * degrees. A box outside of the data gives the fill, and reads no values.
   *
   * @param options The box, its system and size, the resampling, and options of the read.
   * @returns The pixels.
   * @throws UnsupportedError if a system needs `proj4` or `project`, or proj4 does not know it
   * @throws RangeError if there is no such level, or the result or what it needs has too many pixels; with an integer type
   * also for a missing pixel without `fill`, and for a value that the type does not hold
   * @throws TypeError if an option has the wrong type, such as a box without area
   * @throws NotFoundError, SelectionError, StoreError, CodecError or InvalidMetadataError as for `array` and `get`
   *
   * @example
   * const levels = await Levels.open("https://host/pyramid.zarr", { variable: "t2m" });
   * const europe = { bbox: [-15, 35, 40, 70], crs: "EPSG:4326", width: 1100, height: 700 } as const;
   * const { data, shape } = await levels.read({ ...europe, selection: { time: 0 } }); // shape is [700, 1100]
   */
  read<T extends keyof PixelArrays>(options: PixelOptions & { as: T }): Promise<LevelPixels<PixelArrays[T]>>;
  /**
   * Reads the pixels of a box, in float32, or in float64 where float32 does not hold the array's items.
   *
   * @param options The box, its system and size, the resampling, and options of the read.
   * @returns The pixels.
   * @throws UnsupportedError, RangeError, TypeError and others, as with the option `as`
   */
  read(options: PixelOptions): Promise<LevelPixels>;

  /**
   * Reads a map tile: chooses a level, reads the pixels under the tile, and resamples them.
   *
   * Missing pixels are those that `get` makes NaN with `as: "float32"`, by the options `mask`, `scale` and `decode`. Data
   * may be in degrees, in Web Mercator, or in other systems with the option `project`. Datum shifts are not applied.
   *
   * @param z The zoom.
   * @param x The column of the tile, from the west.
   * @param y The row of the tile, from the north.
   * @param options The array, the grid, the resampling and options of the read.
   * @returns The tile.
   * @throws UnsupportedError if the data's coordinates are neither degrees nor Web Mercator and `project` is missing
   * @throws RangeError if there is no such tile or level, or more than `maxPixels` would be read
   * @throws TypeError if an option has the wrong type, or an axis has no index
   * @throws NotFoundError, SelectionError, StoreError, CodecError or InvalidMetadataError as for `array` and `get`
   *
   * @example
   * const levels = await Levels.open("https://host/pyramid.zarr", { variable: "t2m" });
   * const { data, width, height } = await levels.tile(3, 4, 2, { select: { time: 0 }, method: "bilinear" });
   */
  tile(z: number, x: number, y: number, options?: TileOptions): Promise<LevelTile>;

  /**
   * Frees the pyramid's group and the arrays that tiles opened. Arrays of `array` and the group that was passed are not
   * affected.
   *
   * @returns Nothing.
   * @throws FreedError if the pyramid was freed before
   */
  free(): void;
  /**
   * Frees the pyramid at the end of the block of a `using` declaration.
   *
   * @returns Nothing.
   * @throws FreedError if the pyramid was freed before
   */
  [Symbol.dispose](): void;
}
