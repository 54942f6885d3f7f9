/** How a selection is read, and what that takes. */

import type { Float16Data, TypedArray } from "./region.js";

/** The typed array of the numbers that `as` names. */
export interface NumberArrays {
  float16: Float16Data;
  float32: Float32Array;
  float64: Float64Array;
  int8: Int8Array;
  int16: Int16Array;
  int32: Int32Array;
  uint8: Uint8Array;
  uint16: Uint16Array;
  uint32: Uint32Array;
}

export interface GetOptions {
  /**
   * `"number"` reads int64, uint64 and times as a `Float64Array`, and rejects with a RangeError that names the first
   * value beyond 2^53, which a number would round; "not a time" is NaN. Other data types stay as they are, and so does
   * `fillValue`. Default `"bigint"`.
   */
  int64?: "bigint" | "number";
  /**
   * Reads numbers and times as numbers of this type, in the walk that puts them in their places: an item that is
   * missing (`mask`) becomes NaN, every other one is unpacked (`scale`) as float64, and rounded to the type once. Of
   * times, the number of units.
   *
   * For floats, what the metadata say is missing and packed is masked and unpacked unless `mask` and `scale` say
   * otherwise. Integers are neither, unless `scale` is given: they lose their fraction, as numpy's `astype` and typed
   * arrays have it, and what then does not fit the type rejects with a RangeError that names the item; nothing wraps.
   *
   * Rejects with UnsupportedError where items are no numbers, or where `"float16"` is asked for and the engine has no
   * `Float16Array`, and with InvalidMetadataError where an attribute that it goes by holds no number.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m"); // int16, packed
   * const { data, range } = await t2m.get([0], { as: "float32", minmax: true }); // kelvin, NaN where nothing is
   */
  as?: keyof NumberArrays;
  /**
   * `"cf"` reads what the items stand for by the CF conventions, with the values and in the type that xarray gives them: an
   * item that is missing becomes NaN, every other one is unpacked (`scale_factor`, `add_offset`).
   *
   * Missing is what the attributes `_FillValue` and `missing_value` say, and in Zarr v2 the fill value in place of
   * `_FillValue`, unless it is `null`; v3's fill value masks nothing, so what is not stored may well be a number. Items are
   * compared in their own type: a missing value of `1e20` is the float32 nearest to it, and 64-bit integers are compared
   * exactly, where xarray compares both as float64. Where
   * `_Unsigned` is `"true"` or `"false"`, or a boolean, integers count as unsigned or as signed first, and what is missing with them.
   * What `valid_min`, `valid_max` and `valid_range` leave out stays as it is, as in xarray, and so do flags; `attrs` has
   * these attributes.
   *
   * Unpacked items are float64, with two exceptions, which are xarray's. Floats of which nothing but NaN is missing keep
   * their type, and are calculated in it (`_FillValue` is NaN, which xarray writes by default). A `scale_factor` that is
   * spelled as a whole number (`2` and not `2.0`), without `add_offset` and with nothing missing, gives int64, a
   * `BigInt64Array` (`int64: "number"` makes a `Float64Array` of it): floats lose their fraction before they are
   * multiplied, and what int64 cannot hold, NaN too, rejects with a RangeError.
   *
   * Items that are masked and not unpacked are float32 for integers of up to 16 bits, float64 for larger ones, and
   * keep their type if they are floats. Where the attribute `dtype` is `"bool"`, items become a `Uint8Array` of 0 and 1: 1
   * for all that is not 0, and for what is missing. Everything else stays as it is: numbers that no attribute speaks of,
   * bool (unless it is unpacked), text, complex numbers, structs, and datetime64. Times stay numbers of their units.
   *
   * `as` and `texture` convert the values that these rules give. `mask` and `scale` say otherwise what is missing and
   * packed. An integer type has no NaN: what is missing then rejects with a RangeError.
   *
   * Rejects with InvalidMetadataError where an attribute that it goes by says something else than it should, such as a
   * text for `scale_factor`.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m"); // int16, packed
   * const { data } = await t2m.get([0], { decode: "cf" }); // a Float64Array in kelvin, NaN where nothing is
   */
  decode?: "cf" | false;
  /**
   * Which items are missing, with `as` a float: they become NaN. An item is compared as it is stored, before it is
   * unpacked, and NaN stays NaN.
   *
   * By default, without `decode`, the fill value and what the attributes `_FillValue` and `missing_value` say, a number or a list (the CF
   * conventions; xarray's spelling of floats too). Mind that many arrays have the fill value 0 and zeros that are
   * data: v3 arrays always have one, and xarray does not mask it. `"attributes"` goes by the attributes alone;
   * `false` masks nothing, a number or a list just these; bigints for 64-bit integers. "Not a time" is NaN in any case,
   * and the fill value of bool is never missing. A field of a struct has no attributes.
   */
  mask?: false | "attributes" | number | bigint | readonly (number | bigint)[];
  /**
   * What items are multiplied by, and what is added then. By default, with `as` a float, what the attributes
   * `scale_factor` and `add_offset` say; `false` takes items as they are.
   */
  scale?: false | { factor?: number; offset?: number };
  /**
   * Whether the least and the greatest item, NaN aside, come with the data as `range`, of the numbers that `data` has; of
   * those between whose levels are counted where a texture has levels.
   * Of 64-bit integers and times as they are stored only with `as` or `int64: "number"`; of those that `decode` makes, as
   * the nearest numbers. Of what is no number it rejects with UnsupportedError.
   */
  minmax?: boolean;
  /**
   * The array that the result is written to, and which is then `data`: of the class that `data` would have been, and
   * exactly as long; it may be a part of a larger buffer. Rejects with TypeError or RangeError otherwise. A read that
   * fails may have written some of it. With several `fields`, an object of them. A stream has no use for it.
   */
  out?: TypedArray;
  /**
   * Reads what a texture of WebGL or WebGPU is made of, in place of `as`: `data` with rows, along the last axis, that
   * begin at multiples of `rowAlignment` bytes, a power of two from 1 to 4096 (default 4, which is WebGL's; copies from
   * WebGPU's buffers want 256). `width`, `height` and `bytesPerRow` come with it, and `stride` says the same in items;
   * axes before the last two add to the height. The bytes between rows mean nothing. `mask` and `scale` count as with a
   * float.
   *
   * `"r32float"` is a `Float32Array`, and `"r16float"` a `Uint16Array` of the halves' bits, which every engine takes.
   * `"r8unorm"` is a `Uint8Array` of levels: `range[0]` and what is lower on 0, `range[1]` and what is higher on 255,
   * and the nearest between them; NaN is on 0 too.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * const gl = document.createElement("canvas").getContext("webgl2")!;
   * const { data, width, height } = await t2m.get([0], { texture: { format: "r8unorm", range: [230, 320] } });
   * gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, width!, height!, 0, gl.RED, gl.UNSIGNED_BYTE, data as Uint8Array);
   */
  texture?: { format: "r32float" | "r16float" | "r8unorm"; rowAlignment?: number; range?: readonly [number, number] };
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

/** Options to read several fields of a struct at once; what is said twice is read twice. */
export interface FieldsOptions extends Omit<GetOptions, "fields" | "out"> {
  fields: readonly string[];
  /** Arrays to write to, by field; a field that has none gets one. */
  out?: Record<string, TypedArray>;
}

/** Which chunks `getChunk` counts. */
export interface ChunkGridChoice {
  /**
   * `"stored"` (the default) counts the stored chunks of `chunkGrid`, which are shards where the array is sharded; `"inner"`
   * the chunks that are decoded one by one: those of `innerChunkGrid` where there is one, else those of `chunkGrid`.
   */
  grid?: "stored" | "inner";
}

/** Options of a read of one chunk. */
export interface ChunkOptions extends GetOptions, ChunkGridChoice {}

/** Options of a read of several fields of one chunk. */
export interface FieldsChunkOptions extends FieldsOptions, ChunkGridChoice {}

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
