/** Properties of an opened array: its metadata and chunk grids. */

import type { TypedArray } from "./region.js";

/** A run of neighbouring chunks of equal length along one axis. */
export interface ChunkRun {
  /** Length of each chunk, in elements. */
  edge: number;
  /** Number of chunks in the run. */
  count: number;
  /** Length that each chunk decodes to, if it is more than `edge` (the proposal `encoded_chunk_shapes`). */
  encoded?: number;
}

/**
 * The chunk grid of an array. Each axis is held as runs of equal chunks, so memory and time for a look-up depend on the
 * number of runs and not on the number of chunks.
 *
 * @example
 * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m"); // monthly chunks
 * t2m.chunkGrid.chunkAt([59, 0, 0]); //    { coords: [1, 0, 0], within: [28, 0, 0] }
 * t2m.chunkGrid.bounds([1, 0, 0]).start; // [31, 0, 0]
 */
export class ChunkGrid {
  private constructor();
  /** Number of chunks along each axis that overlap the array. */
  readonly shape: number[];
  /** Whether all chunks have one declared shape. */
  readonly isRegular: boolean;
  /**
   * Lists the runs of equal chunks along an axis, in order. Lengths are as declared: the last chunk may reach past the
   * end of the array, and whole chunks may lie past it.
   *
   * @param axis The index of the axis.
   * @returns The runs; the sum of `edge * count` is at least the length of the axis.
   * @throws SelectionError if there is no such axis
   */
  runs(axis: number): ChunkRun[];
  /**
   * Finds the chunk that holds an element.
   *
   * @param index The index of the element along each axis, from 0 on.
   * @returns `coords`, the coordinates of the chunk, and `within`, the element's index within the chunk along each
   * axis.
   * @throws SelectionError if the index is outside the array, or has another number of axes
   */
  chunkAt(index: number[]): { coords: number[]; within: number[] };
  /**
   * Gives the place of a chunk in the array, clipped to the array.
   *
   * @param coords The coordinates of the chunk.
   * @returns `start`, the index of the first element along each axis, and `stop`, the index after the last one.
   * @throws SelectionError if there is no such chunk
   */
  bounds(coords: number[]): { start: number[]; stop: number[] };
}

/** A field of a struct data type. */
export interface StructField {
  /** Name of the field. */
  name: string;
  /** Zarr v3 name of the field's data type; for a field with a shape, that of its elements. */
  dtype: string;
  /** Bytes from the beginning of the enclosing struct to the field. */
  offset: number;
  /**
   * Length of each axis of a field that numpy calls a subarray, from Zarr v2 metadata; absent for other fields. Reads
   * give the elements of each item in C order, one item after the other: as many times more values than the read's
   * `shape` has.
   */
  shape?: number[];
  /**
   * Fields of a nested struct; absent for other data types. Those of structs with a shape cannot be read alone, and
   * their offsets are from the beginning of each element.
   */
  fields?: StructField[];
}

/** Properties of `RectilinearArray`. They describe the array as it was last opened or refreshed. */
export interface ArrayProperties {
  /** Length of each axis. */
  readonly shape: number[];
  /**
   * Zarr v3 name of the data type, such as `"float32"`; Zarr v2 data types have their v3 names too. A data type that is
   * not supported has its name as written.
   */
  readonly dtype: string;
  /**
   * Unit of datetime64 and timedelta64: numpy's name of the unit, such as `"ns"` or `"D"`, and the number of units in
   * one step. `undefined` for other data types.
   */
  readonly timeUnit: { unit: string; scale: number } | undefined;
  /** Fields of a struct, in order; `undefined` for other data types. */
  readonly fields: StructField[] | undefined;
  /**
   * Shape of items that are arrays themselves (data type `ndarray`, and the codec `vlen-array`), with `null` for a length
   * that differs between items, which is that of the item's `data` divided by the others; `undefined` for other items.
   */
  readonly itemShape: (number | null)[] | undefined;
  /**
   * Name of each dimension, `null` for one without a name; `undefined` if the array names none. In Zarr v2, the
   * attribute `_ARRAY_DIMENSIONS`, as xarray writes it.
   */
  readonly dimensionNames: (string | null)[] | undefined;
  /**
   * All user attributes, `_ARRAY_DIMENSIONS` included: JSON values, in which integers beyond 2^53 are bigints, with all of
   * their digits. `JSON.stringify` takes no bigints. Objects and lists are frozen, because every reader of the array is
   * given the same ones: `structuredClone` makes a copy to change.
   */
  readonly attrs: Readonly<Record<string, unknown>>;
  /**
   * Value of everything that is not stored: a number, a bigint for 64-bit integers and times, a boolean for bool, a
   * pair for complex numbers, a string for text, a JSON value for objects, bytes for other data types; as written if the
   * data type is not supported or the value is none of the data type, which rejects reads that need it. `null` if Zarr v2
   * metadata says so: missing data then reads as zeros, empty text or "not a time"; also if there is none.
   */
  readonly fillValue:
    | number
    | bigint
    | boolean
    | string
    | [number, number]
    | TypedArray
    | unknown[]
    | Record<string, unknown>
    | null;
  /** Path inside the source, without slashes around it; `""` for the source itself. */
  readonly path: string;
  /** Zarr format of the array. */
  readonly zarrFormat: 2 | 3;
  /** Grid of the stored chunks, which are shards in a sharded array. */
  readonly chunkGrid: ChunkGrid;
  /** Grid of the inner chunks of shards, the innermost ones if shards are nested; `undefined` without shards. */
  readonly innerChunkGrid: ChunkGrid | undefined;
  /**
   * Lengths of the stored chunks along each axis, clipped to the array; `write_chunk_sizes` in zarr-python.
   *
   * @throws RangeError for more than 10^6 lengths; `chunkGrid.runs` lists them as runs
   */
  readonly writeChunkSizes: number[][];
  /**
   * Lengths of the chunks that are decoded one by one along each axis: inner chunks in a sharded array;
   * `read_chunk_sizes` in zarr-python.
   *
   * @throws RangeError for more than 10^6 lengths; `innerChunkGrid.runs` lists them as runs
   */
  readonly readChunkSizes: number[][];
}
