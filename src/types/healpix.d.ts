/**
 * The entry point `rectilinear-zarr/healpix`: arrays on HEALPix grids, read by cell, by parent cell and by box.
 *
 * @module rectilinear-zarr/healpix
 */

import type { LabelRegion, LabelSelection, SelOptions } from "./cf.js";
import type { Group } from "./group.js";
import type { RectilinearArray } from "./array.js";
import type { AxisSelection } from "./selection.js";

/**
 * The id of a cell in the grid's indexing scheme: a number for `nested` and `ring`, which are also taken as bigints, and
 * a bigint for `zuniq`.
 */
export type Cell = number | bigint;

/** Longitude and latitude in degrees. */
export type LonLat = [longitude: number, latitude: number];

/** The selection of some cells of an axis, by the name of its dimension: `get` takes it. */
export type CellSelection = Record<string, AxisSelection>;

/** The ellipsoid of a grid. */
export interface GridEllipsoid {
  /** Name in the metadata; absent without one. */
  name?: string;
  /** Length of the longer axis in metres; the radius of a sphere. */
  semiMajorAxis: number;
  /** Flattening, such as 1 / 298.257223563 for WGS84; 0 for a sphere. */
  flattening: number;
}

/** Description of a grid in the form of Zarr's convention `dggs`. */
export interface Dggs {
  /** Name of the grid. */
  name: "healpix";
  /** Level of the cells: 12 · 4^level of them cover the globe. `null` for ids that tell it (`zuniq`). */
  refinement_level: number | null;
  /** Name of the dimension along which the cells lie. */
  spatial_dimension: string;
  /** Order of the ids. */
  indexing_scheme: "nested" | "ring" | "zuniq";
  /** Name of the array of ids. Absent: the axis has all cells of the level, in the order of their ids. */
  coordinate?: string;
  /** Form of the ids. Default `"none"`: one for each cell of the axis. */
  compression?: "none" | "ranges" | "compacted";
  /** Reference body. Default: a sphere. */
  ellipsoid?:
    | { name?: string; radius: number }
    | { name?: string; semi_major_axis: number; semi_minor_axis: number }
    | { name?: string; semi_major_axis: number; inverse_flattening: number };
}

/** Options of `healpix`. */
export interface HealpixOptions {
  /** Description of the grid, in place of what the metadata says. */
  dggs?: Dggs;
  /** Aborts the opening. */
  signal?: AbortSignal;
}

/** A query of `sel`: cells, and labels of other dimensions by name. */
export interface CellQuery {
  /** One cell, which drops the axis, or a list of cells, which keeps its order and repetitions. */
  readonly cells: Cell | ArrayLike<Cell>;
  /** Labels of another dimension. */
  readonly [dimension: string]: LabelSelection;
}

/**
 * The HEALPix grid of an array. Methods that return no promise calculate only. The others read the ids of the cells when
 * they are first needed, whole and once; open the grid again after the array has grown.
 */
export interface HealpixGrid {
  /** Level of the cells, from 0 to 24: 12 · 4^level of them cover the globe. */
  readonly level: number;
  /** Indexing scheme of the ids. */
  readonly scheme: "nested" | "ring" | "zuniq";
  /** Reference body: latitudes are geodetic on it, and cells have equal areas. */
  readonly ellipsoid: GridEllipsoid;
  /** Name of the dimension along which the cells lie. */
  readonly dimension: string;
  /** Index of that dimension's axis. */
  readonly axis: number;
  /** Number of cells along the axis. */
  readonly size: number;
  /** Path of the array of ids in the source; `undefined` if the axis has all cells of the level. */
  readonly coordinate: string | undefined;
  /** Style of the metadata: the `dggs` convention, CF's grid mapping, that of easygems, xdggs' attributes, the option. */
  readonly from: "dggs" | "cf" | "easygems" | "xdggs" | "options";
  /** The array. It is freed with the grid. */
  readonly array: RectilinearArray;

  /**
   * Finds the cell that contains a point, stored or not.
   *
   * @param longitude Degrees east; any number of turns is allowed.
   * @param latitude Degrees north, geodetic on the grid's ellipsoid.
   * @param level The level of the cell. Default: that of the grid.
   * @returns The id of the cell.
   * @throws RangeError for a latitude beyond 90 degrees, a coordinate that is no finite number, or a level above 24
   */
  cellAt(longitude: number, latitude: number, level?: number): Cell;
  /**
   * Gives the centre of a cell.
   *
   * @param cell The id of the cell.
   * @param level The level of the cell. Default: that of the grid.
   * @returns Longitude, from 0 up to 360, and latitude.
   * @throws RangeError if the level has no such cell
   * @throws TypeError if `cell` is no id of the grid's scheme
   */
  centre(cell: Cell, level?: number): LonLat;
  /**
   * Gives the corners of a cell: south, east, north, west.
   *
   * @param cell The id of the cell.
   * @param level The level of the cell. Default: that of the grid.
   * @returns Four points. Longitudes lie within 180 degrees of the centre's, so that polygons do not cross the map; a
   * pole has the longitude of the middle of its quarter.
   * @throws RangeError if the level has no such cell
   * @throws TypeError if `cell` is no id of the grid's scheme
   */
  corners(cell: Cell, level?: number): [LonLat, LonLat, LonLat, LonLat];
  /**
   * Finds the larger cell around a cell of the grid.
   *
   * @param cell The id of a cell of the grid's level.
   * @param level The level of the result, at most that of the grid.
   * @returns The id of the larger cell, in the scheme and at the level.
   * @throws RangeError if the level is finer than the grid's, or has no such cell
   * @throws TypeError if `cell` is no id of the grid's scheme
   */
  parent(cell: Cell, level: number): Cell;
  /**
   * Lists the cells of the grid's level within a larger cell, stored or not.
   *
   * @param cell The id of the larger cell.
   * @param level The level of the larger cell.
   * @returns Their ids, in the order of the nested scheme; up to 2^24 of them.
   * @throws RangeError for more cells, a level finer than the grid's, or a cell that the level does not have
   * @throws TypeError if `cell` is no id of the grid's scheme
   */
  children(cell: Cell, level: number): Cell[];

  /**
   * Selects the cells within a larger cell, as far as they are stored.
   *
   * @param cell The id of the larger cell.
   * @param level The level of the larger cell.
   * @returns A selection for `get`: a slice where the cells are neighbours along the axis, else a list of up to 2^24
   * indices.
   * @throws RangeError for a longer list, a level finer than the grid's, or a cell that the level does not have
   * @throws InvalidMetadataError if the ids are not those of the grid; other errors as for `get`
   *
   * @example
   * const group = await Group.open("https://host/land.zarr"); // a chunk for each cell of level 2
   * const grid = await healpix(group, "t2m");
   * const { data } = await grid.array.get(await grid.within(40, 2)); // one request for values
   */
  within(cell: Cell, level: number): Promise<CellSelection>;
  /**
   * Selects the cells that overlap a box, as far as they are stored.
   *
   * @param bounds West, south, east and north in degrees. With `east` less than `west` the box crosses the seam; 360
   * degrees or more are the whole turn. A box without area takes the cells that it touches.
   * @returns A selection for `get`: a slice where the cells are neighbours along the axis, else a list of up to 2^24
   * indices, which rises.
   * @throws RangeError for bounds that are no latitudes and longitudes, for a longer list, or for more than 2^17 runs of
   * cells in the box
   * @throws TypeError if `bounds` is no list of four
   * @throws InvalidMetadataError if the ids are not those of the grid; other errors as for `get`
   *
   * @example
   * const grid = await healpix(await Group.open("https://host/land.zarr"), "t2m");
   * const selection = await grid.box([5, 45, 15, 55]);
   * const [{ data }, cells] = await Promise.all([grid.array.get(selection), grid.cells(selection)]);
   */
  box(bounds: ArrayLike<number>): Promise<CellSelection>;
  /**
   * Finds the index of a cell along the axis.
   *
   * @param cell The id of the cell.
   * @returns The index; -1 if the cell is not stored.
   * @throws RangeError if the grid's level has no such cell
   * @throws InvalidMetadataError if the ids are not those of the grid; other errors as for `get`
   */
  indexOf(cell: Cell): Promise<number>;
  /**
   * Selects cells by their ids.
   *
   * @param cells The id of one cell, or a list of ids, whose order and repetitions are kept.
   * @returns A selection for `get`: an index, or a list of indices.
   * @throws SelectionError if a cell is not stored
   * @throws RangeError if the grid's level has no such cell; other errors as for `indexOf`
   */
  select(cells: Cell | ArrayLike<Cell>): Promise<CellSelection>;
  /**
   * Lists the ids of cells along the axis.
   *
   * @param selection The cells, as the other methods select them. Default: all, up to 2^26 of them.
   * @returns The ids in the order of the selection, as bigints for the scheme `zuniq`.
   * @throws SelectionError for an index outside of the axis
   * @throws RangeError for more cells; other errors as for `indexOf`
   */
  cells(selection?: CellSelection): Promise<Float64Array | BigUint64Array>;
  /**
   * Reads cells by their ids, and other dimensions by label.
   *
   * @param query The cells, as `cells`, and labels by dimension name, as for `sel` of the array.
   * @param options Options of the look-up of the other labels, and of the read.
   * @returns The values, the selection by index, and the labels.
   * @throws SelectionError if a cell is not stored, or a label is not found; other errors as for `sel` of the array
   *
   * @example
   * const grid = await healpix(await Group.open("https://host/land.zarr"), "t2m");
   * const { data } = await grid.sel({ cells: grid.cellAt(11.6, 48.1), time: "2024-02" });
   */
  sel(query: CellQuery, options?: SelOptions): Promise<LabelRegion>;

  /**
   * Frees the array, and the array of ids.
   *
   * @returns Nothing.
   * @throws FreedError if the grid was freed before
   */
  free(): void;
  /**
   * Frees the grid at the end of the block of a `using` declaration.
   *
   * @returns Nothing.
   * @throws FreedError if the grid was freed before
   */
  [Symbol.dispose](): void;
}

/**
 * Opens an array with its HEALPix grid.
 *
 * The metadata are those of Zarr's convention `dggs` (on the array, or on the group that has it as a direct child), of
 * xdggs (on the ids), of CF 1.13, or of easygems' older grid mapping. Without a reference body in them, the globe is a
 * sphere; on an ellipsoid, cells are those of authalic latitudes. Makes no request beyond the group's if its metadata is
 * consolidated, except for `zuniq` without a level.
 *
 * @param group The opened group.
 * @param variable The path of the array from the group.
 * @param options A description of the grid, and a signal.
 * @returns The grid, with the array.
 * @throws NotFoundError if there is no such array
 * @throws InvalidMetadataError if the metadata of the grid is damaged, or does not fit the array
 * @throws UnsupportedError if there is no such metadata; for another grid, such as H3; for a level above 24, a side of
 * cells that is no power of 2, cells of several levels, more than 2^26 ids, or a flattening above 0.125
 * @throws SelectionError if the array has no axis of cells
 * @throws StoreError if the store or host fails
 * @throws TypeError if `group` is no group, or `variable` no path
 *
 * @example
 * const group = await Group.open("https://host/land.zarr");
 * const grid = await healpix(group, "t2m");
 * const munich = grid.cellAt(11.6, 48.1);
 * const { data } = await grid.sel({ cells: munich });
 * console.log(grid.level, munich, grid.corners(munich), data[0]);
 */
export function healpix(group: Group, variable: string, options?: HealpixOptions): Promise<HealpixGrid>;
