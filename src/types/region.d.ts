/** Results of reads: values with their shape and stride. */

/** `Float16Array` if the JavaScript engine has it, otherwise `Float32Array` with the same values. */
export type Float16Data = Float32Array | Float16Items;

/** A `Float16Array`, which TypeScript's libraries before `es2025` lack: what it has in common with a `Float32Array`. */
export type Float16Items = Pick<
  Float32Array,
  "at" | "buffer" | "byteLength" | "byteOffset" | "includes" | "indexOf" | "join" | "length" | typeof Symbol.iterator
> & {
  readonly BYTES_PER_ELEMENT: 2;
  [index: number]: number;
  slice(start?: number, end?: number): Float16Items;
  subarray(begin?: number, end?: number): Float16Items;
};

/**
 * A typed array of items. Its class follows from the data type:
 * - bool: `Uint8Array` of 0 and 1;
 * - int64 and uint64: `BigInt64Array` and `BigUint64Array`;
 * - other integers, float16, float32, float64: the typed array of that name;
 * - int2, int4: `Int8Array`; uint2, uint4: `Uint8Array`;
 * - bfloat16 and floats of 4, 6 and 8 bits: `Float32Array`;
 * - complex numbers: `Float32Array` or `Float64Array`, real and imaginary parts in turn, two numbers for each item;
 * - datetime64, timedelta64: `BigInt64Array`, in units of `array.timeUnit`; "not a time" (NaT) is the least int64;
 * - raw bits, structs: `Uint8Array` with the bytes of all items.
 *
 * The options `int64`, `as` and `decode` of `get` read numbers as other types; `fields` reads the fields of structs.
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

/** Values in C order: the last axis varies fastest. */
export interface Region {
  /**
   * The items, as many as the product of `shape`; for a texture, the items between rows are added. Complex numbers have
   * two numbers an item, and struct fields with a shape have all of their elements. The data belongs to
   * you: later reads do not change it.
   *
   * Numbers, times, raw bits and structs are a typed array (see `TypedArray`). Text is a list of strings. Bytes of any
   * length and zero-padded bytes are a list of `Uint8Array`. Zarr v2's objects (data type `"v2:object"`) are a list of
   * typed arrays for the codec `vlen-array`, and otherwise a list of JSON values, `NaN` and infinities included;
   * integers beyond 2^53 are bigints with all of their digits, which `JSON.stringify` does not take. `ndarray` gives a list
   * of typed arrays, each with the elements of an item in C order, of the shape `array.itemShape`; items of one shape are
   * a single typed array, an item after the other.
   */
  data: TypedArray | string[] | Uint8Array[] | TypedArray[] | unknown[];
  /** Length of each axis. An axis selected by an integer is not in the list. */
  shape: number[];
  /** Distance from one element to the next along each axis, in items. */
  stride: number[];
  /**
   * Least and greatest item, NaN aside. Present with the option `minmax`, unless every item is NaN or there is none.
   */
  range?: [number, number];
  /** Items in one row of the texture. Present with the option `texture`. */
  width?: number;
  /** Rows of the texture. Present with the option `texture`. */
  height?: number;
  /** Bytes from the beginning of one row of the texture to that of the next. Present with the option `texture`. */
  bytesPerRow?: number;
}

/** Classes of `data` by the format of the option `texture`. */
export interface TextureArrays {
  /** Numbers as they are. */
  r32float: Float32Array;
  /** Bits of float16. */
  r16float: Uint16Array;
  /** Levels from 0 to 255. */
  r8unorm: Uint8Array;
}

/** A result whose numbers have the class `Data`, as the options of the read say. */
export type NumberRegion<Data extends TypedArray = TypedArray, Of extends { data: unknown } = Region> = Omit<Of, "data"> & {
  /** The items. */
  data: Data;
};

/** A result in the form of a texture. */
export type TextureRegion<Data extends TypedArray, Of extends { data: unknown } = Region> = Omit<Of, "data" | "width" | "height" | "bytesPerRow"> & {
  /** The items, those between rows included. */
  data: Data;
  /** Items in one row of the texture. */
  width: number;
  /** Rows of the texture. */
  height: number;
  /** Bytes from the beginning of one row of the texture to that of the next. */
  bytesPerRow: number;
};

/** The part of a result that comes from one chunk. */
export interface ChunkRegion extends Region {
  /**
   * Coordinates of the chunk in `innerChunkGrid`, or in `chunkGrid` for arrays without shards. `getChunk` takes them
   * with `grid: "inner"`.
   */
  coords: number[];
  /** Index of the part's first element along each axis of the result. */
  start: number[];
  /** Index after the part's last element along each axis of the result. */
  stop: number[];
}

/** Several fields of a struct: for each field its items in C order, in the field's own type. */
export interface FieldsRegion extends Omit<Region, "data" | "range"> {
  /** Items of each field, by the name that was asked for. */
  data: Record<string, Region["data"]>;
  /** Least and greatest item of each field, by the same names. */
  range?: Record<string, [number, number]>;
}
