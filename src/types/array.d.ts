/** The class of arrays. */

import type { ArrayLabels } from "./cf.js";
import type { ArrayProperties } from "./array-properties.js";
import type { ArrayCodecs } from "./codecs.js";
import type { DataByType, ReadsOf } from "./data-types.js";
import type { ChunkOptions, FieldsChunkOptions, FieldsOptions, GetOptions, NumberArrays, Plan, TextureOption } from "./reading.js";
import type { ChunkRegion, FieldsRegion, NumberRegion, Region, TextureArrays, TextureRegion } from "./region.js";
import type { IntegerArray, Selection } from "./selection.js";
import type { OpenOptions } from "./open-options.js";
import type { Source } from "./source.js";

declare global {
  interface SymbolConstructor {
    /** Declared here for TypeScript libraries older than `esnext.disposable`, which lack it. */
    readonly dispose: unique symbol;
  }
}

/** Properties of an opened array, its stored chunks, and its reads of times and by label. */
export interface RectilinearArray extends ArrayProperties, ArrayCodecs, ArrayLabels {}

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
   * Opens an array. The first call loads and compiles the WebAssembly module.
   *
   * Requests `zarr.json`, and if there is none, Zarr v2's `.zarray` and `.zattrs` together; `zarrFormat` skips the
   * other format. An HTML page counts as "not found", because many hosts answer every unknown path with one; where
   * nothing else is found, it is an InvalidMetadataError. Status 403 counts as "not found" where another document is found.
   *
   * @param source A URL, a store, or a `File` of a format that one file holds, such as `.nc`.
   * @param options Options of the source and of all later reads.
   * @returns The opened array.
   * @throws NotFoundError if nothing is stored there, or a Zarr v2 group; the message names its members if it can
   * @throws InvalidMetadataError if the metadata is not valid Zarr, or is that of a v3 group
   * @throws UnsupportedError if the array needs a feature that is missing; without its codecs or its data type the array
   * opens, and its reads reject
   * @throws CodecError if a codec of the page cannot be loaded, or does not take the array
   * @throws StoreError if the store or host fails
   * @throws TypeError if the source is neither a URL nor a store, or an option has the wrong type
   */
  static open(source: Source | Blob, options?: OpenOptions): Promise<RectilinearArray>;

  /**
   * Joins opened arrays end to end along one axis, without metadata of their own and without a request.
   *
   * Formats, codecs, byte orders and chunk lengths along the axis may differ. Data types and fill values must agree
   * (NaN equals NaN), and along all other axes lengths and chunk boundaries must agree. A last chunk that its array
   * clips becomes a chunk of the clipped length. Arrays of length 0 along the axis are skipped. The result can be
   * joined again.
   *
   * Each array is read from its own source with its own options. `attrs`, `dimensionNames`, `fillValue`, `dtype`,
   * `path` and `zarrFormat` are those of the first array; `as` unpacks the items of each array by its own attributes.
   * Errors, `plan` and `onRequest` name keys and chunks of the part's own array. `decodeTime` refuses times of
   * different units. `sel` takes the coordinates of the arrays: along the axis those of all, one after the other, of
   * times whatever day each counts from; along other axes they must be equal in all arrays. `refresh()` refreshes each
   * array: the joined one grows with them, and rejects if one does not fit any more. Freeing the arrays does not affect
   * the joined one.
   *
   * If only some arrays are sharded, the chunks of the others count as inner chunks. `innerChunkGrid` is `undefined` if
   * inner chunks differ along other axes; if only stored chunks differ there, `chunkGrid` counts the inner ones.
   *
   * @param arrays The arrays in order, up to 65,536.
   * @param axis The index of the axis, negative ones counting from the end, or the name of the dimension.
   * @returns The joined array.
   * @throws UnsupportedError if an array does not fit the first one; the message names it, the difference and a remedy
   * @throws SelectionError if there is no such axis
   * @throws TypeError if `arrays` is empty or contains something other than opened arrays
   * @throws FreedError if one of the arrays was freed
   *
   * @example
   * const urls = ["2024-01", "2024-02", "2024-03"].map((month) => `https://host/${month}.zarr/t2m`);
   * const months = await Promise.all(urls.map((url) => RectilinearArray.open(url)));
   * const quarter = await RectilinearArray.concat(months, "time");
   * quarter.writeChunkSizes[0]; // [31, 29, 31]
   */
  static concat(arrays: readonly RectilinearArray[], axis: number | string): Promise<RectilinearArray>;

  /**
   * Tells whether the array has a data type, or items of a kind: `"number"` (up to 32 bits, and floats), `"bigint"` or
   * `"string"`. TypeScript then knows the class of `data`.
   *
   * @param type The name of a data type, or a kind.
   * @returns Whether the array has it.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * if (t2m.is("float32")) console.log((await t2m.get([0])).data.subarray(0, 4));
   */
  is<T extends keyof DataByType>(type: T): this is ReadsOf<DataByType[T]> & RectilinearArray;
  /**
   * Tells what a console shows of the array: path, data type, shape and chunks.
   *
   * @returns The text.
   */
  toString(): string;
  /**
   * Describes the array for people: `JSON.stringify` calls it. `metadata` has the stored document.
   *
   * @returns Path, format, data type, shape, names of dimensions and lengths of chunks.
   * @throws FreedError if the array was freed
   */
  toJSON(): object;

  /**
   * Reads a selection as numbers of the type that `as` names.
   *
   * @param selection The selection; `null` is the whole array.
   * @param options Options with `as`, and others.
   * @returns The values; `data` is the typed array of that type.
   * @throws UnsupportedError if the items are not numbers
   * @throws RangeError if a value does not fit an integer type
   * @throws SelectionError, StoreError, CodecError or InvalidMetadataError as for every read
   */
  get<T extends keyof NumberArrays>(
    selection: Selection | null | undefined,
    options: GetOptions & { as: T },
  ): Promise<NumberRegion<NumberArrays[T]>>;
  /**
   * Reads a selection as a texture.
   *
   * @param selection The selection; `null` is the whole array.
   * @param options Options with `texture`, and others.
   * @returns The values, with the size of the texture.
   * @throws UnsupportedError if the items are not numbers; other errors as for every read
   */
  get<F extends keyof TextureArrays>(
    selection: Selection | null | undefined,
    options: GetOptions & { texture: TextureOption & { format: F } },
  ): Promise<TextureRegion<TextureArrays[F]>>;
  /**
   * Reads a selection. Each chunk that the selection overlaps is requested once; missing chunks read as the fill value.
   *
   * @param selection The selection. Default: the whole array.
   * @param options Options of the read.
   * @returns The values in C order, with shape and stride.
   * @throws SelectionError if the selection does not fit the array, or the result has more than 2 GiB
   * @throws StoreError if the store or host fails, or a value changes during the read
   * @throws CodecError if a chunk does not decode
   * @throws UnsupportedError if a codec or the data type is missing, a chunk has more than `maxChunkBytes`, or memory
   * does not suffice
   * @throws InvalidMetadataError if an attribute that `as`, `decode` or `texture` depends on is not valid
   * @throws RangeError or TypeError for values and options that do not fit each other; see the options
   */
  get(selection?: Selection | null, options?: GetOptions): Promise<Region>;
  /**
   * Reads several fields of a struct at once.
   *
   * @param selection The selection; `null` is the whole array.
   * @param options Options with the list `fields`.
   * @returns The values; `data` holds those of each field by its name.
   * @throws SelectionError if there is no such field; other errors as for every read
   */
  get(selection: Selection | null | undefined, options: FieldsOptions): Promise<FieldsRegion>;

  /**
   * Reads one chunk as numbers of the type that `as` names.
   *
   * @param coords The coordinates of the chunk.
   * @param options Options with `as`, and others.
   * @returns The values of the chunk.
   * @throws RangeError if a value does not fit an integer type; other errors as for `get`
   */
  getChunk<T extends keyof NumberArrays>(coords: number[], options: ChunkOptions & { as: T }): Promise<NumberRegion<NumberArrays[T]>>;
  /**
   * Reads one chunk, clipped to the array: by default a stored chunk, which is a whole shard in a sharded array.
   *
   * @param coords The coordinates of the chunk in `chunkGrid`; with `grid: "inner"` those in `innerChunkGrid`.
   * @param options Options of the read, and `grid`.
   * @returns The values of the chunk.
   * @throws SelectionError if there is no such chunk; other errors as for `get`
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * const { coords } = (t2m.innerChunkGrid ?? t2m.chunkGrid).chunkAt([0, 12, 40]);
   * const { data, shape } = await t2m.getChunk(coords, { grid: "inner" });
   */
  getChunk(coords: number[], options?: ChunkOptions): Promise<Region>;
  /**
   * Reads several fields of one chunk at once.
   *
   * @param coords The coordinates of the chunk.
   * @param options Options with the list `fields`.
   * @returns The values; `data` holds those of each field by its name.
   * @throws SelectionError if there is no such chunk or field; other errors as for `get`
   */
  getChunk(coords: number[], options: FieldsChunkOptions): Promise<FieldsRegion>;

  /**
   * Reads single elements as numbers of the type that `as` names.
   *
   * @param points The index of each element along each axis.
   * @param options Options with `as`, and others.
   * @returns One number for each point.
   * @throws RangeError if a value does not fit an integer type; other errors as for `get`
   */
  getPoints<T extends keyof NumberArrays>(points: readonly (readonly number[] | IntegerArray)[], options: GetOptions & { as: T }): Promise<NumberRegion<NumberArrays[T]>>;
  /**
   * Reads single elements, such as the cells under a list of stations. Each chunk that holds any is requested once.
   *
   * @param points The index of each element along each axis; negative ones count from the end. Points may repeat.
   * @param options Options of the read.
   * @returns One item for each point, in the order of the points; the result has one axis.
   * @throws SelectionError if a point is outside the array; the message says which one. Other errors as for `get`
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * const { data } = await t2m.getPoints([[0, 12, 40], [0, 13, 41], [-1, 12, 40]]); // three values
   */
  getPoints(points: readonly (readonly number[] | IntegerArray)[], options?: GetOptions): Promise<Region>;
  /**
   * Reads several fields of single elements at once.
   *
   * @param points The index of each element along each axis.
   * @param options Options with the list `fields`.
   * @returns One item of each field for each point; `data` holds them by field name.
   * @throws SelectionError if there is no such field, or a point is outside the array; other errors as for `get`
   */
  getPoints(points: readonly (readonly number[] | IntegerArray)[], options: FieldsOptions): Promise<FieldsRegion>;

  /**
   * Reads chunk by chunk as numbers of the type that `as` names.
   *
   * @param selection The selection; `null` is the whole array.
   * @param options Options with `as`, and others.
   * @returns An iterator over the parts.
   * @throws RangeError if a value does not fit an integer type; other errors as for `get`
   */
  stream<T extends keyof NumberArrays>(selection: Selection | null | undefined, options: GetOptions & { as: T }): AsyncGenerator<NumberRegion<NumberArrays[T], ChunkRegion>, void, undefined>;
  /**
   * Reads a selection chunk by chunk: the part of each chunk as soon as it is decoded, in order of arrival.
   *
   * Parts belong to inner chunks in a sharded array. A large uncompressed chunk, and one from which a list selects out
   * of order, may come in several parts; a missing shard comes as one part. Chunks are decoded only as the loop takes
   * them. Leaving the loop drops the requests under way.
   *
   * @param selection The selection. Default: the whole array.
   * @param options Options of the read; `out` is refused with a TypeError.
   * @returns An iterator over the parts, each with its place in the result and the coordinates of its chunk.
   * @throws SelectionError, StoreError, CodecError or UnsupportedError as for `get`, from the loop
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * for await (const { data, shape, start } of t2m.stream([slice(0, 59)], { order: "center" })) {
   *   console.log(start, shape, data[0]);
   * }
   */
  stream(selection?: Selection | null, options?: GetOptions): AsyncGenerator<ChunkRegion, void, undefined>;
  /**
   * Reads several fields chunk by chunk.
   *
   * @param selection The selection; `null` is the whole array.
   * @param options Options with the list `fields`.
   * @returns An iterator over the parts; `data` of each part holds the fields by name.
   * @throws SelectionError if there is no such field; other errors as for `get`, from the loop
   */
  stream(
    selection: Selection | null | undefined,
    options: FieldsOptions,
  ): AsyncGenerator<FieldsRegion & Omit<ChunkRegion, keyof Region>, void, undefined>;

  /**
   * Tells what a read would cost, considering what is cached in memory. Makes no request.
   *
   * @param selection The selection. Default: the whole array.
   * @returns Shape and bytes of the result, the number of chunks, and the requests known beforehand.
   * @throws SelectionError if the selection does not fit the array
   * @throws UnsupportedError if the index of a shard declares an inner chunk larger than `maxChunkBytes`
   */
  plan(selection?: Selection | null): Plan;

  /**
   * Fetches, decodes and caches the chunks of a selection for later reads. Requests of reads go first; a chunk that a
   * read wants in the meantime is moved up.
   *
   * @param selection The selection. Default: the whole array.
   * @param options Options of the read, such as `signal` and `order`.
   * @returns A promise that resolves when the chunks are cached.
   * @throws UnsupportedError if `cacheBytes` is 0; other errors as for `get`
   */
  prefetch(selection?: Selection | null, options?: GetOptions): Promise<void>;

  /**
   * Reads the metadata again, for example after an append, and forgets the chunks that were cached. The properties and
   * all later reads then describe the array as it is now; the browser revalidates its own cache. If it rejects, the
   * array stays as it was.
   *
   * @param options `signal` aborts the call.
   * @returns Whether the metadata changed.
   * @throws NotFoundError, StoreError, InvalidMetadataError or UnsupportedError as for `open`
   */
  refresh(options?: { signal?: AbortSignal }): Promise<boolean>;

  /**
   * Frees the array's memory. Reads under way end normally; every later call rejects or throws.
   *
   * @returns Nothing.
   * @throws FreedError if the array was freed before
   */
  free(): void;
  /**
   * Frees the array at the end of the block of a `using` declaration.
   *
   * @returns Nothing.
   * @throws FreedError if the array was freed before
   */
  [Symbol.dispose](): void;
}
