/**
 * The types of rectilinear-zarr: Zarr arrays and groups in the browser, rectilinear (variable-length) chunks first.
 *
 * Every method that reads returns a promise, which rejects with one of the errors below or, after an
 * abort, with `signal.reason`.
 */

export type Awaitable<T> = T | Promise<T>;

/**
 * Anything that answers a key with bytes: every zarrita store, a `Map`, an object of your own.
 * A key starts with a slash; `undefined` says that nothing is stored there. An answer must not be written to again.
 */
export interface Readable {
  get(key: `/${string}`, options?: { signal?: AbortSignal }): Awaitable<Uint8Array | undefined>;
  /** Part of a value. Without it, shards are fetched whole. */
  getRange?(
    key: `/${string}`,
    range: { offset: number; length: number } | { suffixLength: number },
    options?: { signal?: AbortSignal },
  ): Awaitable<Uint8Array | undefined>;
}

/**
 * Where bytes come from: a URL, absolute or relative to the page, whose query string (a token, a
 * signature) goes along with every request; or a store.
 */
export type Source = string | URL | Readable;

/** What one request came to. */
export interface RequestInfo {
  /** The store key, without a leading slash. */
  key: string;
  /** `"HEAD"` asks for a shard's length, where a host on another origin would want a preflight for its end. */
  method: "GET" | "HEAD";
  /**
   * Where a part was asked for: its first byte and the byte after its last one; or one number, a first byte
   * (the part goes on to the end) or a negative one (so many bytes at the end). Parts that lie near each other
   * come in one request.
   */
  range?: [number, number] | [number];
  /** HTTP status; `undefined` from a store, or where there was no answer. */
  status?: number;
  /** Bytes received; `undefined` where nothing is stored or the request failed. */
  bytes?: number;
  /** Milliseconds from asking to the last byte. */
  ms: number;
}

export interface OpenOptions {
  /**
   * The path of the array or group inside the source, with or without slashes around it, as it is: neither
   * percent-encoded nor with `.` or `..` in it. Default: the source itself is the array or group.
   */
  path?: string;
  /** The one Zarr format to ask for. Default: v3 is asked for, then v2. */
  zarrFormat?: 2 | 3;
  /** Aborts the opening; later reads have their own. */
  signal?: AbortSignal;
  /** Asked instead of the global `fetch`: to sign requests, to count them, to test. HTTP sources only. */
  fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request. Headers beyond the simple ones cost a CORS preflight each. HTTP sources only. */
  headers?: HeadersInit;
  /** As in `fetch`. HTTP sources only. */
  credentials?: RequestCredentials;
  /** HTTP statuses that mean "nothing stored here". Default `[404]`; many buckets say 403. */
  missingStatuses?: number[];
  /**
   * Requests in flight for one source, however many reads there are. Readers take turns, and a prefetch waits for
   * all of them. Default 24.
   */
  concurrency?: number;
  /**
   * How often a request is repeated after a fault of the network, a status 429 or one from 500 on: after 200 ms,
   * then twice as long each time, give or take a half, or after what Retry-After says if that is up to a minute.
   * Default 3. HTTP sources only.
   */
  retries?: number;
  /** Ranges of one value that lie so many bytes apart, or nearer, come in one request. Default 32 KiB. */
  coalesceGap?: number;
  /** The most bytes of such a request. Default 16 MiB. */
  coalesceMax?: number;
  /**
   * Bytes of decoded chunks that all arrays of one source keep for their next reads, least recently used out first;
   * chunks found missing are remembered too. Default 64 MiB; 0 keeps none. The indexes of shards, up to 16 MiB, are
   * kept in any case, and up to as many bytes again of encoded blosc chunks of which only parts were decoded.
   * `refresh()` forgets what its array kept, `free()` gives it back.
   */
  cacheBytes?: number;
  /**
   * The name of a cache (of the Cache API) in which the browser keeps stored bytes beyond the page's life, until
   * `refresh()` or `caches.delete(name)`: for archives that do not change. Chunks found there are not asked for; the
   * metadata always are. Default: none. HTTP sources only; without effect where there is no Cache API (Node, pages
   * that are not secure contexts).
   */
  persist?: string;
  /**
   * Refuse, with `UnsupportedError`, to decode a chunk of more than this many bytes; it is not asked for either.
   * Default 1 GiB.
   */
  maxChunkBytes?: number;
  /**
   * Proposals to the Zarr specifications to read, by name, as they stood when this version was made. They may still
   * change; without its name here, an array that uses one is an `UnsupportedError`.
   *
   * `"encoded_chunk_shapes"`: rectilinear chunks that decode to more than they give to the array, such as files of
   * uneven lengths laid end to end (zarr-extensions issue 74, pull request 75, as of 2026-09).
   */
  proposals?: "encoded_chunk_shapes"[];
  /** Called after each request, failed ones too. */
  onRequest?: (info: RequestInfo) => void;
}

/** Part of an axis, with Python's rules: bounds are clipped, negative ones count from the end. */
export interface Slice {
  start: number | null;
  stop: number | null;
  step: number | null;
}

/**
 * `slice(stop)`, `slice(start, stop)` or `slice(start, stop, step)`, as in zarrita and Python.
 *
 * @example
 * slice(10);           // the first ten
 * slice(10, null);     // from the tenth on
 * slice(null, null, -2); // every other, from the last one back
 */
export function slice(stop: number | null): Slice;
export function slice(start: number | null, stop: number | null, step?: number | null): Slice;

/** A typed array of integers. */
export type IntegerArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

/**
 * What is selected along one axis:
 * - `null`, or nothing, is the whole axis;
 * - an integer, negative ones counting from the end, picks one coordinate and drops the axis from the result;
 * - a slice picks part of the axis;
 * - a list of integers picks these coordinates, in any order, repeated or not, negative ones counting from the end;
 * - a list of booleans, as long as the axis, picks the coordinates where it is `true`. A `Uint8Array` of 0 and 1 is a
 *   list of integers: `Array.from(mask, Boolean)` makes booleans of it.
 *
 * Lists select along their own axis alone, whatever the other axes have: zarr-python's `oindex`.
 */
export type AxisSelection = null | undefined | number | bigint | Slice | readonly number[] | IntegerArray | readonly boolean[];

/**
 * One entry for each axis, missing trailing axes being whole; or an object with entries by dimension name, where
 * dimensions that are not named are whole.
 *
 * @example
 * const array = await RectilinearArray.open("https://host/model_run.zarr/t2m");
 * await array.get([slice(0, 31), null, [7, 3, -1]]);
 * await array.get({ time: 3, lat: slice(10, 20) });
 */
export type Selection = readonly AxisSelection[] | { readonly [dimension: string]: AxisSelection };

/** `Float16Array` where the engine has it, else `Float32Array` with the same values. */
export type Float16Data = Float32Array | { readonly BYTES_PER_ELEMENT: 2; readonly length: number; [index: number]: number };

/**
 * The array type of `data`, by data type: bool is `Uint8Array` of 0 and 1, int64 and uint64 are
 * `BigInt64Array` and `BigUint64Array`, the other integers and floats the typed array of their name;
 * int2 and int4 are `Int8Array`, uint2 and uint4 `Uint8Array`, bfloat16 and the smaller floats
 * `Float32Array`. Complex numbers are `Float32Array` or `Float64Array` of real and imaginary parts in
 * turn, twice as many as there are items. datetime64 and timedelta64 are `BigInt64Array` of
 * `array.timeUnit`, "not a time" being the least. Raw bits and structs are `Uint8Array` of whole items; the options `int64` and `fields`
 * of `get` read 64-bit integers as numbers, and structs field by field.
 */
export type TypedArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Float16Data
  | Float32Array
  | Float64Array;

/** Values, in C order. */
export interface Region {
  /**
   * As many items as the product of `shape`; yours to keep and change. A typed array, or for text a list of
   * strings, and for bytes of any length and for zero-padded ones a list of byte arrays. Zarr v2's objects, whose
   * data type is `"v2:object"`, are a list of typed arrays where the codec is `vlen-array`, and otherwise of anything
   * that JSON can spell, with `NaN` and the infinities; integers beyond 2^53 are rounded as `JSON.parse` rounds them.
   */
  data: TypedArray | string[] | Uint8Array[] | TypedArray[] | unknown[];
  /** Length of each axis; axes selected by an integer are not there. */
  shape: number[];
  /** Items from one element to the next along each axis. */
  stride: number[];
}

export interface GetOptions {
  /**
   * `"number"` reads int64, uint64 and times as a `Float64Array`, and rejects with a RangeError that names the first
   * value beyond 2^53, which a number would round; "not a time" is NaN. Other data types stay as they are, and so does
   * `fillValue`. Default `"bigint"`.
   */
  int64?: "bigint" | "number";
  /**
   * The field of a struct to read, with `data` of the field's own type; a field of a struct in it is `"outer.inner"`.
   * Several fields are read with `FieldsOptions`.
   */
  fields?: string;
  /**
   * Which chunks are asked for first: `"grid"`, the array's order (the default), or `"center"`, from the middle of
   * the selection outwards, which is where people look. A read of more than 65,536 stored chunks is in grid order.
   */
  order?: "grid" | "center";
  /** Aborts this read: it rejects with `signal.reason` at once and drops its requests; the array stays usable. */
  signal?: AbortSignal;
  /**
   * Called after each chunk: chunks done, chunks that the selection meets, and stored bytes received.
   * What it throws ends the read.
   */
  onProgress?: (progress: { chunks: number; totalChunks: number; bytes: number }) => void;
}

/** One chunk's part of a result. */
export interface ChunkRegion extends Region {
  /** The chunk, in `innerChunkGrid` where there is one, else in `chunkGrid`. */
  coords: number[];
  /** The part's place in the result: its first element, and the one after its last, along each axis of the result. */
  start: number[];
  stop: number[];
}

/** What a read takes. */
export interface Plan {
  /** The result's shape. */
  shape: number[];
  /** The result's bytes, decoded. */
  bytes: number;
  /** Chunks that the selection meets: inner ones where there are shards. */
  chunks: number;
  /** Stored chunks that it meets: shards where there are any. */
  storedChunks: number;
  /**
   * The requests that are known beforehand, as `onRequest` will tell of them: of a shard whose index is not at hand
   * only the one for its index. `undefined` beyond 100,000 stored chunks.
   */
  requests?: { key: string; range?: [number, number] | [number] }[];
}

/** Options to read several fields of a struct at once; what is said twice is read twice. */
export interface FieldsOptions extends Omit<GetOptions, "fields"> {
  fields: readonly string[];
}

/** Several fields of the items, each in C order and of its own type. */
export interface FieldsRegion extends Omit<Region, "data"> {
  /** By the names that were asked for. */
  data: Record<string, Region["data"]>;
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

/** How an array is cut: answered from runs of equal chunks, so 10^9 chunks cost what three do. */
export class ChunkGrid {
  private constructor();
  /** Chunks along each axis that meet the array. */
  readonly shape: number[];
  /** Whether every chunk has one declared shape. */
  readonly isRegular: boolean;
  /**
   * The axis' runs of equal chunks, in order. Edges are as declared: the last chunk may reach past the
   * array, and whole chunks may lie past it. `encoded` is the length that each chunk of the run decodes to, where
   * it is more than its edge.
   * @throws SelectionError where there is no such axis
   */
  runs(axis: number): { edge: number; count: number; encoded?: number }[];
  /**
   * The chunk that holds an element, and the element's place in it.
   * @throws SelectionError where the index is outside the array
   */
  chunkAt(index: number[]): { coords: number[]; within: number[] };
  /**
   * Where a chunk lies, from `start` up to and without `stop`, clipped to the array.
   * @throws SelectionError where there is no such chunk
   */
  bounds(coords: number[]): { start: number[]; stop: number[] };
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
   * Rejects with SelectionError, StoreError, CodecError or UnsupportedError.
   */
  get(selection?: Selection | null, options?: GetOptions): Promise<Region>;
  get(selection: Selection | null | undefined, options: FieldsOptions): Promise<FieldsRegion>;

  /**
   * Reads one chunk, clipped to the array.
   *
   * Rejects as `get` does.
   */
  getChunk(coords: number[], options?: GetOptions): Promise<Region>;
  getChunk(coords: number[], options: FieldsOptions): Promise<FieldsRegion>;
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
   * they come. No more is decoded than is taken; leaving the loop drops what is still on its way. A large
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
   * @throws SelectionError as `get` rejects, UnsupportedError where a chunk is larger than `maxChunkBytes`
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

  /** Gives the array's memory back; reads under way still end well, new ones throw. */
  free(): void;
  [Symbol.dispose](): void;
}

/** What a group's member is opened with; everything else is as its group was opened. */
export type MemberOptions = Pick<OpenOptions, "signal" | "cacheBytes" | "maxChunkBytes">;

/** What consolidated metadata tells of one array or group. */
export interface TreeEntry {
  /** Its path from the group on: what `array` and `group` take. */
  path: string;
  kind: "array" | "group";
  /** Of an array: length along each axis. */
  shape?: number[];
  /** Of an array: the data type's Zarr v3 name, or what is written where this version does not know it. */
  dtype?: string;
  /** Of an array: a name, or `null`, for each axis, where it names any. */
  dimensionNames?: (string | null)[];
  /** Of an array: for each axis its runs of equal chunks, as `chunkGrid.runs(axis)`; shards where it is sharded. */
  chunkRuns?: { edge: number; count: number }[][];
  /** The user attributes. */
  attrs: Record<string, unknown>;
}

/**
 * A Zarr group, opened for reading: attributes, and the arrays and groups in it.
 *
 * Where its metadata is consolidated (inline in a v3 `zarr.json`, or as v2's `.zmetadata`), its members open without
 * a further request. A member that was added later is found all the same: what is not consolidated is asked for.
 * Consolidated metadata that is malformed, or of an unknown kind, counts as none.
 *
 * @example
 * const run = await Group.open("https://host/model_run.zarr");
 * for (const { path, kind, shape } of run.tree() ?? []) console.log(kind, path, shape);
 * const t2m = await run.array("surface/t2m");
 */
export class Group {
  private constructor();
  /**
   * Opens a group. The WebAssembly module is compiled on the first call.
   *
   * Asks for `zarr.json`, and where there is none for Zarr v2's `.zmetadata`, and where there is none either for
   * `.zgroup` and `.zattrs` at once: a consolidated store takes one request in v3, and in v2 two, or one with
   * `zarrFormat: 2`.
   *
   * Rejects as `RectilinearArray.open` does; where an array is found, the error says so.
   */
  static open(source: Source, options?: OpenOptions): Promise<Group>;

  /** The path inside the source, without slashes around it; empty for the source itself. */
  readonly path: string;
  /** The user attributes. */
  readonly attrs: Record<string, unknown>;
  /** The Zarr format, which is that of its members too. */
  readonly zarrFormat: 2 | 3;

  /**
   * Opens an array by its path from this group on. It shares the group's source and its options but `signal`; options
   * given here count for this array alone.
   *
   * Rejects as `RectilinearArray.open` does, and with TypeError for an option that belongs to the source.
   */
  array(path: string, options?: MemberOptions): Promise<RectilinearArray>;
  /** Opens a group by its path from this group on, as `array` does; its members inherit the options. */
  group(path: string, options?: MemberOptions): Promise<Group>;
  /**
   * Everything below, each group before what is in it, names in order; `undefined` where nothing is consolidated,
   * because a store cannot be asked what is in it. Asks for nothing. An array that this version cannot read is listed
   * with what is known of it.
   * @throws UnsupportedError past 64 MiB of paths
   */
  tree(): TreeEntry[] | undefined;

  /** Gives the group's memory back; its members, and openings under way, stay. */
  free(): void;
  [Symbol.dispose](): void;
}

/** Nothing is stored where an array or a group was expected. */
export interface NotFoundError extends Error {
  name: "NotFoundError";
  /** The path, or URL, that was opened. */
  path: string;
  /** Every key, or URL, that was asked for in vain. */
  tried: string[];
}

/** The store or host answered with something other than bytes or "not there". `cause` holds its own error. */
export interface StoreError extends Error {
  name: "StoreError";
  /** The URL, or the store key. */
  key: string;
  /** HTTP status, where there was an answer. */
  status?: number;
  /** First byte and the byte after the last, where a range was asked for. */
  range?: [number, number];
}

/** The metadata document is not valid Zarr. */
export interface InvalidMetadataError extends Error {
  name: "InvalidMetadataError";
  /** JSON pointer into the document, such as `/chunk_grid/configuration/chunk_shapes/0`. */
  path: string;
  /** Store key of the document. */
  key: string;
}

/** Valid, but this version lacks it. */
export interface UnsupportedError extends Error {
  name: "UnsupportedError";
  /** What is lacking. */
  feature: string;
}

/** A chunk's bytes do not decode to the chunk that the metadata declares. */
export interface CodecError extends Error {
  name: "CodecError";
  /** The codec's registered name. */
  codec: string;
  /** Store key of the chunk. */
  key: string;
  /** Chunk coordinates; for a chunk inside a shard, the shard's and then its own within it. */
  coords: number[];
  /** What was there: a number of bytes, or words. */
  got: number | string;
  /** What should have been there. */
  expected: number | string;
}

/** The selection does not fit the array. */
export interface SelectionError extends Error {
  name: "SelectionError";
  /** The axis at fault, where it is one. */
  axis?: number;
}
