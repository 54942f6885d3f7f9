/** Options of reads, and the plan of a read. */

import type { Float16Data, TypedArray } from "./region.js";

/** Typed arrays by the names that the option `as` takes. */
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

/** A texture: its format, the bytes at whose multiples rows begin, and the range of levels. */
export interface TextureOption {
  /** Class and form of the items. */
  format: "r32float" | "r16float" | "r8unorm";
  /** Bytes, a power of two from 1 to 4096, at whose multiples rows begin. Default 4. */
  rowAlignment?: number;
  /** Least and greatest number of the levels of `"r8unorm"`. */
  range?: readonly [number, number];
}

/** Options of `get` and of the other methods that read values. A wrong type, or a name that a call lacks, is a TypeError. */
export interface GetOptions {
  /**
   * How int64, uint64 and times are returned: as `BigInt64Array` or `BigUint64Array` (`"bigint"`), or as `Float64Array`
   * (`"number"`) with NaN for "not a time". `"number"` rejects with a RangeError that names the first value beyond
   * 2^53. Other data types and `fillValue` are not affected. Default `"bigint"`.
   */
  int64?: "bigint" | "number";
  /**
   * Number type of the result, such as `"float32"`, for arrays of numbers and times. Default: that of the data type.
   *
   * - Float types: missing items (`mask`) become NaN; the others are unpacked (`scale`) in float64 and rounded once.
   * - Integer types: items are not masked, and unpacked only if `scale` is given. Fractions are dropped, as by numpy's
   *   `astype`. A value that does not fit the type rejects with a RangeError that names the item.
   * - Times are numbers of their unit, `array.timeUnit`.
   *
   * Rejects with UnsupportedError if the items are not numbers, or for `"float16"` in an engine without `Float16Array`,
   * and with InvalidMetadataError if an attribute such as `scale_factor` holds no number.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m"); // packed int16
   * const { data, range } = await t2m.get([0], { as: "float32", minmax: true }); // kelvin; NaN where missing
   */
  as?: keyof NumberArrays;
  /**
   * `"cf"` decodes items by the CF conventions, with the values and types that xarray returns. Default: no decoding.
   *
   * - Missing items become NaN: those equal to the attributes `_FillValue` and `missing_value`; in Zarr v2 the fill
   *   value takes the place of `_FillValue`. The fill value of v3 masks nothing, as in xarray. Items are compared in
   *   their own data type, 64-bit integers exactly (xarray compares those as float64).
   * - `_Unsigned` (`"true"`, `"false"` or a boolean) makes integers, and their missing values, unsigned or signed
   *   first.
   * - The other items are multiplied by `scale_factor`, then `add_offset` is added. The result is float64, except:
   *   floats keep their type if NaN is their only missing value; and a `scale_factor` written as an integer, without
   *   `add_offset` and missing values, gives int64, where fractions are dropped first and a value that does not fit,
   *   NaN included, rejects with a RangeError; and in netCDF and HDF5 files a `scale_factor` that is float32, with an
   *   `add_offset` that is float32 or none, gives float32, but for 32-bit integers with an offset.
   * - Items that are masked and not unpacked become float32 (integers of up to 16 bits) or float64; floats keep their
   *   type.
   * - If the attribute `dtype` is `"bool"`, items become a `Uint8Array`: 0 for 0, 1 for all else and for missing items.
   *
   * Items outside `valid_min`, `valid_max` and `valid_range` and flags are not changed, as in xarray. The same holds
   * for text, complex numbers, structs and datetime64, and for bool unless it is unpacked. Times stay numbers of their
   * units; `decodeTime` reads them as dates.
   *
   * `as` and `texture` convert the decoded values; `mask` and `scale` override the attributes. Missing items reject
   * with a RangeError if `as` is an integer type. Rejects with InvalidMetadataError if an attribute has the wrong type.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m"); // packed int16
   * const { data } = await t2m.get([0], { decode: "cf" }); // a Float64Array in kelvin; NaN where missing
   */
  decode?: "cf" | false;
  /**
   * Items that count as missing, compared as stored; they become NaN. Applies if `as` is a float type, and to `texture`
   * and `decode`. NaN and "not a time" are NaN in any case.
   *
   * - Default, as in xarray: those equal to the attributes `_FillValue` and `missing_value` (a number or a list); in
   *   Zarr v2 the fill value takes the place of `_FillValue`. The fill value of v3, often 0, is data.
   * - `"attributes"`: these attributes only, in both formats.
   * - `"fill"`: these attributes and the fill value, in both formats.
   * - A number or a list: these values only; bigints for 64-bit integers. `false`: none.
   *
   * The fill value of bool is never missing. The fields of a struct have no attributes.
   */
  mask?: false | "attributes" | "fill" | number | bigint | readonly (number | bigint)[];
  /**
   * Factor and offset for unpacking: an item becomes `item * factor + offset`. Default if `as` is a float type: the
   * attributes `scale_factor` and `add_offset`. `false` does not unpack.
   */
  scale?: false | { factor?: number; offset?: number };
  /**
   * Whether the least and the greatest item are returned as `range`, NaN aside: of the values in `data`, or, for a
   * texture of levels, of the values before they become levels. int64, uint64 and times need `as`, `decode` or `int64:
   * "number"`; items that are not numbers reject with UnsupportedError. Default `false`.
   */
  minmax?: boolean;
  /**
   * Typed array to write the result to; it is returned as `data`. It must have the class and the exact length of the
   * result (else TypeError, RangeError), and may be a part of a larger buffer. A failed read may have written to it.
   */
  out?: TypedArray;
  /**
   * Reads a texture for WebGL or WebGPU, in place of `as`. Rows lie along the last axis; axes before the last two add
   * to the height. `width`, `height` and `bytesPerRow` are returned too. `mask` and `scale` apply as for float types.
   *
   * - `"r32float"`: `Float32Array`.
   * - `"r16float"`: `Uint16Array` with the bits of float16, in every engine.
   * - `"r8unorm"`: `Uint8Array` of levels, linear from `range[0]` and less (0) to `range[1]` and more (255); NaN is 0.
   *   Only this format takes a `range`, and it needs one.
   *
   * `rowAlignment` is the number of bytes, a power of two from 1 to 4096, at whose multiples rows begin: 4 by default,
   * as WebGL has it; copies from WebGPU buffers need 256. Bytes between rows are undefined.
   *
   * @example
   * const t2m = await RectilinearArray.open("https://host/model_run.zarr/t2m");
   * const gl = document.createElement("canvas").getContext("webgl2")!;
   * const { data, width, height } = await t2m.get([0], { texture: { format: "r8unorm", range: [230, 320] } });
   * gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, width, height, 0, gl.RED, gl.UNSIGNED_BYTE, data);
   */
  texture?: TextureOption;
  /**
   * Name of the struct field to read; `"outer.inner"` for a field of a nested struct. `data` has the field's own type.
   */
  fields?: string;
  /**
   * Order in which chunks are requested: `"grid"`, that of the array, or `"center"`, from the middle of the selection
   * outwards. Reads of more than 65,536 stored chunks are in grid order. Default `"grid"`.
   */
  order?: "grid" | "center";
  /** Aborts this read: it rejects with `signal.reason` at once and drops its requests. The array stays usable. */
  signal?: AbortSignal;
  /**
   * Called after each chunk with the number of chunks done, the number of chunks in the selection, and the stored bytes
   * received. An exception thrown by it ends the read.
   */
  onProgress?: (progress: { chunks: number; totalChunks: number; bytes: number }) => void;
}

/** Options of reads of several struct fields at once. A field named twice is read twice. */
export interface FieldsOptions extends Omit<GetOptions, "fields" | "out"> {
  /** Names of the fields to read; `"outer.inner"` for a field of a nested struct. */
  fields: readonly string[];
  /** Typed arrays to write to, by field name. A field without an entry gets a new array. */
  out?: Record<string, TypedArray>;
}

/** The grid whose chunks `getChunk` counts. */
export interface ChunkGridChoice {
  /**
   * `"stored"` counts the chunks of `chunkGrid`, which are shards in a sharded array. `"inner"` counts the chunks that
   * are decoded one by one: those of `innerChunkGrid`, or of `chunkGrid` for arrays without shards. Default `"stored"`.
   */
  grid?: "stored" | "inner";
}

/** Options of a read of one chunk. */
export interface ChunkOptions extends GetOptions, ChunkGridChoice {}

/** Options of a read of several struct fields of one chunk. */
export interface FieldsChunkOptions extends FieldsOptions, ChunkGridChoice {}

/** The cost of a read, known before any request. */
export interface Plan {
  /** Shape of the result. */
  shape: number[];
  /** Size of the decoded result in bytes. */
  bytes: number;
  /** Number of chunks that the selection overlaps: inner chunks in a sharded array. */
  chunks: number;
  /** Number of stored chunks that the selection overlaps: shards in a sharded array. */
  storedChunks: number;
  /**
   * Requests known beforehand, with `key` and `range` as in `RequestInfo`: no key shows the query of a URL. For a shard
   * whose index is not at hand, this is the request for the index. `undefined` for more than 100,000 stored chunks.
   */
  requests?: { key: string; range?: [number, number] | [number] }[];
}
