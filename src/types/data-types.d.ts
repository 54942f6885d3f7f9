/** The typed arrays of data types, and arrays whose data type was asked by `is`. */

import type { GetOptions, ChunkGridChoice } from "./reading.js";
import type { ChunkRegion, Float16Data, NumberRegion, Region, TypedArray } from "./region.js";
import type { IntegerArray, Selection } from "./selection.js";

/** Classes of `data` by the name that `array.is` takes: a data type, or a kind of item. */
export interface DataByType {
  bool: Uint8Array;
  int8: Int8Array;
  int16: Int16Array;
  int32: Int32Array;
  int64: BigInt64Array;
  uint8: Uint8Array;
  uint16: Uint16Array;
  uint32: Uint32Array;
  uint64: BigUint64Array;
  float16: Float16Data;
  float32: Float32Array;
  float64: Float64Array;
  int2: Int8Array;
  int4: Int8Array;
  uint2: Uint8Array;
  uint4: Uint8Array;
  bfloat16: Float32Array;
  [float: `float${8 | 6 | 4}_${string}`]: Float32Array;
  complex64: Float32Array;
  complex128: Float64Array;
  complex_bfloat16: Float32Array;
  complex_float16: Float32Array;
  complex_float32: Float32Array;
  complex_float64: Float64Array;
  [complex: `complex_float${8 | 6 | 4}_${string}`]: Float32Array;
  "numpy.datetime64": BigInt64Array;
  "numpy.timedelta64": BigInt64Array;
  string: string[];
  fixed_length_utf32: string[];
  bytes: Uint8Array[];
  variable_length_bytes: Uint8Array[];
  null_terminated_bytes: Uint8Array[];
  struct: Uint8Array;
  raw_bytes: Uint8Array;
  [bits: `r${number}`]: Uint8Array;
  "v2:object": unknown[];
  /** Lists for items whose first axis has any length, else all elements in a row. */
  ndarray: TypedArray | TypedArray[];
  /** Integers of up to 32 bits, and floats. */
  number: Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | Float16Data | Float32Array | Float64Array;
  /** Integers of 64 bits. */
  bigint: BigInt64Array | BigUint64Array;
}

/** Options of a read whose items keep their data type. */
export type PlainOptions = Omit<GetOptions, "as" | "decode" | "fields" | "int64" | "texture"> & {
  as?: undefined;
  decode?: false | undefined;
  fields?: undefined;
  int64?: "bigint" | undefined;
  texture?: undefined;
};

/** A result whose data has the class of a data type. */
export type PlainRegion<Data, Of extends { data: unknown } = Region> = Data extends TypedArray ? NumberRegion<Data, Of> : Omit<Of, "data"> & { data: Data };

/** The reads of an array whose data type was asked by `is`. */
export interface ReadsOf<Data> {
  /**
   * Reads a selection, as `RectilinearArray.get` does.
   *
   * @param selection The selection. Default: the whole array.
   * @param options Options that keep the data type.
   * @returns The values.
   */
  get(selection?: Selection | null, options?: PlainOptions): Promise<PlainRegion<Data>>;
  /**
   * Reads a chunk, as `RectilinearArray.getChunk` does.
   *
   * @param coords The coordinates of the chunk.
   * @param options Options that keep the data type, and `grid`.
   * @returns The values of the chunk.
   */
  getChunk(coords: number[], options?: PlainOptions & ChunkGridChoice): Promise<PlainRegion<Data>>;
  /**
   * Reads single elements, as `RectilinearArray.getPoints` does.
   *
   * @param points The index of each element along each axis.
   * @param options Options that keep the data type.
   * @returns One item for each point.
   */
  getPoints(points: readonly (readonly number[] | IntegerArray)[], options?: PlainOptions): Promise<PlainRegion<Data>>;
  /**
   * Reads chunk by chunk, as `RectilinearArray.stream` does.
   *
   * @param selection The selection. Default: the whole array.
   * @param options Options that keep the data type.
   * @returns An iterator over the parts.
   */
  stream(selection?: Selection | null, options?: PlainOptions): AsyncGenerator<PlainRegion<Data, ChunkRegion>, void, undefined>;
}
