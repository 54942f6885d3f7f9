/** What a read gives. */

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
   * As many items as the product of `shape` (of a texture, and those between rows); yours to keep and change. A typed array, or for text a list of
   * strings, and for bytes of any length and for zero-padded ones a list of byte arrays. Zarr v2's objects, whose
   * data type is `"v2:object"`, are a list of typed arrays where the codec is `vlen-array`, and otherwise of anything
   * that JSON can spell, with `NaN` and the infinities; integers beyond 2^53 are rounded as `JSON.parse` rounds them.
   */
  data: TypedArray | string[] | Uint8Array[] | TypedArray[] | unknown[];
  /** Length of each axis; axes selected by an integer are not there. */
  shape: number[];
  /** Items from one element to the next along each axis. */
  stride: number[];
  /** With `minmax`, the least and the greatest item that is not NaN; not there where there is none. */
  range?: [number, number];
  /** With `texture`, items in a row, rows, and bytes from one row to the next. */
  width?: number;
  height?: number;
  bytesPerRow?: number;
}

/** One chunk's part of a result. */
export interface ChunkRegion extends Region {
  /** The chunk, in `innerChunkGrid` where there is one, else in `chunkGrid`: what `getChunk` takes with `grid: "inner"`. */
  coords: number[];
  /** The part's place in the result: its first element, and the one after its last, along each axis of the result. */
  start: number[];
  stop: number[];
}

/** Several fields of the items, each in C order and of its own type. */
export interface FieldsRegion extends Omit<Region, "data" | "range"> {
  /** By the names that were asked for. */
  data: Record<string, Region["data"]>;
  /** The same of each. */
  range?: Record<string, [number, number]>;
}
