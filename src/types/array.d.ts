/** The class of arrays. */

import type { LabelQuery, LabelRegion, SelOptions, TimeOptions, TimeRegion } from "./cf.js";
import type { ChunkGrid } from "./chunk-grid.js";
import type { ChunkOptions, FieldsChunkOptions, FieldsOptions, GetOptions, NumberArrays, Plan } from "./reading.js";
import type { ChunkRegion, FieldsRegion, Region, TypedArray } from "./region.js";
import type { IntegerArray, Selection } from "./selection.js";
import type { OpenOptions, Source } from "./source.js";

declare global {
  interface SymbolConstructor {
    /** Declared here too for TypeScript libraries older than `esnext.disposable`, which lack it. */
    readonly dispose: unique symbol;
  }
}

/** A field of a struct. */
export interface StructField {
  name: string;
  /** The data type's Zarr v3 name. */
  dtype: string;
  /** Bytes from the start of the struct that it is in. */
  offset: number;
  /** Its own fields, where it is a struct. */
  fields?: StructField[];
}

/**
 * A Zarr array, opened for reading.
 *
 * @example
 * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 * const { data, shape, stride } = await t2m.get([slice(0, 31), null, 5]);
 */
export class RectilinearArray {
  private constructor();
  /**
   * Opens an array. The WebAssembly module is compiled on the first call.
   *
   * Asks for `zarr.json`, and where there is none for Zarr v2's `.zarray` and `.zattrs` at once; `zarrFormat` leaves
   * the other format out. An HTML page counts as nothing there, as hosts give one for every path that does not exist.
   *
   * Rejects with NotFoundError, StoreError, InvalidMetadataError or UnsupportedError, and with
   * TypeError where the source is neither a URL nor a store. Where a group is found, the error says so, and
   * names its members where they are known.
   */
  static open(source: Source, options?: OpenOptions): Promise<RectilinearArray>;

  /**
   * Lays opened arrays end to end along an axis, a number (negative ones count from the end) or a dimension's name: one
   * array of all their chunks, which needs no metadata of its own and asks for none. Months in separate stores, of
   * different formats, codecs, byte orders and chunk lengths along the axis become a year; a chunk that its array's extent
   * cuts is a chunk of that length. Along the other axes all must be equally long and cut at the same places, as far as
   * they reach. Data types must agree, and fill values too (NaN is NaN); an array without extent along the axis
   * changes nothing. What is joined can be joined again, along the same axis or another one.
   *
   * Every array is read from its own source, with the options that it was opened with: `headers`, `concurrency`,
   * `cacheBytes` and `maxChunkBytes` are each one's own. `attrs`, `dimensionNames`, `fillValue`, `dtype`, `path` and
   * `zarrFormat` are the first array's; `as` unpacks each array's items by its own attributes. Errors, `plan` and
   * `onRequest` name keys and chunks as the array does that they are of.
   *
   * Where some arrays are sharded, `innerChunkGrid` has the other ones' chunks as they are. There is none where inner
   * chunks are cut unlike along the other axes; where only stored chunks are, `chunkGrid` has those that are decoded one
   * by one.
   *
   * `decodeTime` refuses times of different units, and `sel` finds no coordinates, as nothing lies beside the joined array:
   * join the coordinates' values, and select by position.
   *
   * The arrays may be freed then, which changes nothing for the joined one, and the other way round. `refresh` looks at
   * every array anew, on its own: one that grew makes the joined one grow, and one that does not fit any more rejects.
   *
   * Rejects with TypeError where `arrays` is no list of opened arrays, FreedError where one was freed, SelectionError
   * where there is no such axis, UnsupportedError where an array does not fit the first one (the message says which, what
   * differs and what to try), or where there are more than 65,536.
   *
   * @example
   * const months = ["2024-01", "2024-02", "2024-03"].map((month) => RectilinearArray.open(`https://host/${month}.zarr/t2m`));
   * const quarter = await RectilinearArray.concat(await Promise.all(months), "time");
   * quarter.writeChunkSizes[0]; // [31, 29, 31]
   */
  static concat(arrays: readonly RectilinearArray[], axis: number | string): Promise<RectilinearArray>;

  /** Length along each axis. */
  readonly shape: number[];
  /** The data type's Zarr v3 name, such as `"float32"`. */
  readonly dtype: string;
  /** Of datetime64 and timedelta64: numpy's name of the unit (`"ns"`, `"D"`), and how many of it are a step; else `undefined`. */
  readonly timeUnit: { unit: string; scale: number } | undefined;
  /** The fields of a struct, in their order; `undefined` for other data types. */
  readonly fields: StructField[] | undefined;
  /** A name, or `null`, for each axis; `undefined` where the array names none. Of Zarr v2, what the attribute `_ARRAY_DIMENSIONS` says. */
  readonly dimensionNames: (string | null)[] | undefined;
  /** The user attributes, all of them: `_ARRAY_DIMENSIONS` too. */
  readonly attrs: Record<string, unknown>;
  /**
   * What stands for everything that is not stored: a number, a bigint for 64-bit integers and times, a boolean
   * for bool, a pair for complex numbers, a string for text, what it is for objects, bytes for the rest. `null` where Zarr v2's metadata say
   * so: what is not stored then reads as zeros, empty text, or "not a time".
   */
  readonly fillValue: number | bigint | boolean | string | [number, number] | TypedArray | unknown[] | Record<string, unknown> | null;
  /** The path inside the source, without slashes around it; empty for the source itself. */
  readonly path: string;
  /** The Zarr format. */
  readonly zarrFormat: 2 | 3;
  /** How the array is cut into stored chunks: shards, where it is sharded. */
  readonly chunkGrid: ChunkGrid;
  /** How shards are cut into inner chunks, the innermost ones where shards nest; `undefined` without shards. */
  readonly innerChunkGrid: ChunkGrid | undefined;
  /**
   * The sizes of the stored chunks along each axis, clipped to the array: zarr-python's `write_chunk_sizes`.
   * @throws RangeError past 10^6 sizes; `chunkGrid.runs` has them in short
   */
  readonly writeChunkSizes: number[][];
  /**
   * The sizes of the chunks that are decoded one by one: zarr-python's `read_chunk_sizes`.
   * @throws RangeError past 10^6 sizes
   */
  readonly readChunkSizes: number[][];

  /**
   * Reads a selection; no selection is the whole array. Each chunk that it meets is asked for once, whatever the
   * order of its lists; chunks that are not stored read as the fill value.
   *
   * Rejects with SelectionError, StoreError, CodecError or UnsupportedError, and as the options say.
   */
  get<T extends keyof NumberArrays>(
    selection: Selection | null | undefined,
    options: GetOptions & { as: T },
  ): Promise<Region & { data: NumberArrays[T] }>;
  get(selection?: Selection | null, options?: GetOptions): Promise<Region>;
  get(selection: Selection | null | undefined, options: FieldsOptions): Promise<FieldsRegion>;

  /**
   * Reads one chunk, clipped to the array. By default `coords` count stored chunks, as `chunkGrid` does: of a sharded array a
   * whole shard. With `grid: "inner"` they count the chunks that are decoded one by one, as the `coords` of `stream`'s parts do.
   *
   * Rejects as `get` does, and with a SelectionError where the grid has no such chunk.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * const { coords } = (t2m.innerChunkGrid ?? t2m.chunkGrid).chunkAt([0, 12, 40]);
   * const { data, shape } = await t2m.getChunk(coords, { grid: "inner" });
   */
  getChunk(coords: number[], options?: ChunkOptions): Promise<Region>;
  getChunk(coords: number[], options: FieldsChunkOptions): Promise<FieldsRegion>;
  /**
   * Reads the metadata again, as after an append, and forgets what was read of the chunks: reads from then on see the
   * array as it is now, `shape` and the other properties too. Whatever the browser kept is revalidated. Resolves to
   * whether the metadata changed.
   *
   * Rejects like `open`; the array stays as it was then.
   */
  refresh(options?: { signal?: AbortSignal }): Promise<boolean>;
  /**
   * Reads a selection chunk by chunk: each one's part of the result as soon as it is decoded, in the order in which
   * they come. Parts are of inner chunks where there are shards, and their `coords` count these, as `getChunk` does with
   * `grid: "inner"`. No more is decoded than is taken; leaving the loop drops what is still on its way. A large
   * uncompressed chunk may come in several parts, and so may one that a list of indices picks from out of order; a
   * shard that is not stored comes as one part.
   *
   * The loop throws what `get` rejects with.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * for await (const { data, shape, start } of t2m.stream([slice(0, 59)], { order: "center" })) {
   *   console.log(start, shape, data[0]);
   * }
   */
  stream(selection?: Selection | null, options?: GetOptions): AsyncGenerator<ChunkRegion, void, undefined>;
  stream(
    selection: Selection | null | undefined,
    options: FieldsOptions,
  ): AsyncGenerator<FieldsRegion & Omit<ChunkRegion, keyof Region>, void, undefined>;
  /**
   * What reading a selection takes, with what is kept taken into account. Fetches nothing.
   *
   * @throws SelectionError as `get` rejects, UnsupportedError where the index of a shard says that it has an inner chunk
   * larger than `maxChunkBytes`
   */
  plan(selection?: Selection | null): Plan;
  /**
   * Has the chunks of a selection fetched, decoded and kept for the next reads, after everything that somebody
   * waits for; a read that wants one of them meanwhile moves it up. Needs `cacheBytes`.
   *
   * Rejects like `get`, and with UnsupportedError where no chunks are kept.
   */
  prefetch(selection?: Selection | null, options?: GetOptions): Promise<void>;

  /**
   * Reads single elements: one item for each point, in their order, in a region of one axis. Points have a coordinate
   * for each axis, negative ones counting from the end, and may repeat; each chunk that holds any is asked for once.
   *
   * Rejects as `get` does; a SelectionError says which point is at fault.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * const { data } = await t2m.getPoints([[0, 12, 40], [0, 13, 41], [-1, 12, 40]]); // three values
   */
  getPoints(points: readonly (readonly number[] | IntegerArray)[], options?: GetOptions): Promise<Region>;
  getPoints(points: readonly (readonly number[] | IntegerArray)[], options: FieldsOptions): Promise<FieldsRegion>;

  /**
   * Reads times: numbers whose attributes `units` and `calendar` say what they count by the CF conventions
   * (`"days since 1850-01-01"`), or datetime64 of any unit. "Not a time", which is the least int64, and what is missing as
   * with `decode: "cf"` has no time; `scale_factor` and `add_offset` count.
   *
   * Units are nanoseconds to weeks, by their names and cftime's short ones, in any calendar; months in 360_day, and
   * common_years in noleap. `units` and `calendar` that an array of two axes or more lacks are those of the variable in its group
   * whose attribute `bounds` names it (of `time`, those of `time_bnds`): where no consolidated metadata tell of all variables,
   * it is looked for by the names of the array's dimensions, and by the array's own without `_bnds` or `_bounds`. The date after `since` may leave out its smaller parts, and have a time zone (`Z`, `UTC`,
   * `+01:30`). Without a calendar it is standard: Julian, and Gregorian from 1582-10-15 on. Fractions are rounded to
   * microseconds, as cftime rounds them; whole numbers of units are exact to the nanosecond.
   *
   * Rejects as `get` does, with InvalidMetadataError where `units` or `calendar` say of no time, with UnsupportedError
   * where months or years have no one length, and with a RangeError for a number that is no date of 273 million years,
   * such as a fill value that no attribute tells of.
   *
   * @example
   * const time = await RectilinearArray.open("https://host/model_run.zarr/time");
   * const { data, labels } = await time.decodeTime([slice(0, 31)]);
   * console.log(new Date(data[0]!), labels[0]); // Mon Jan 01 2024 …, "2024-01-01T00:00:00"
   */
  decodeTime(selection?: Selection | null, options?: TimeOptions): Promise<TimeRegion>;
  /**
   * Reads by label, by the rules of xarray's `sel`: along each dimension of the query, labels are looked up in the
   * coordinate of that dimension, and what they select is read as `get` reads it. A coordinate is an array of one axis, of
   * the dimension's name and length, beside this array or in a group above it; that of an array which was opened by its
   * own URL is looked for beside it alone. It is read whole, decoded (`decode: "cf"`, `decodeTime`), when it is first
   * needed, and kept until `refresh`. A dimension without one is selected by index.
   *
   * Rejects as `get` does, with a SelectionError that names the axis where a label is not there (and the nearest one that
   * is), or where labels that neither rise nor fall are asked for a range or a method.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * const { data, shape, coordinates } = await t2m.sel({ time: "2024-02", lat: slice(10, 20) }); // all of February, 10 to 20 degrees
   * await t2m.sel({ time: new Date(), lat: 12.3, lon: -45.6 }, { method: "nearest", decode: "cf" });
   * await t2m.sel({ time: slice("2024-02", "2024-04"), lat: [10, 20, 30] });
   */
  sel(query: LabelQuery, options?: SelOptions): Promise<LabelRegion>;

  /**
   * Gives the array's memory back; reads under way still end well, `sel` too. Every call after that, a second `free()`
   * too, fails with a FreedError. A `using` declaration frees at the end of its block.
   */
  free(): void;
  [Symbol.dispose](): void;
}
