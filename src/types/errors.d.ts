/** The errors, by `name`. */

/** An error of one array, which may be a part of a joined one. */
export interface ArrayError extends Error {
  /** Of arrays joined by `concat`: the part that failed, counted from 0. The message begins with it and its URL or path. */
  array?: number;
}

/** Nothing is stored where an array or a group was expected. */
export interface NotFoundError extends ArrayError {
  name: "NotFoundError";
  /** The path, or URL, that was opened. */
  path: string;
  /** Every key, or URL, that was asked for in vain. */
  tried: string[];
}

/** The store or host answered with something other than bytes or "not there". `cause` holds its own error. */
export interface StoreError extends ArrayError {
  name: "StoreError";
  /** The URL, or the store key. */
  key: string;
  /** HTTP status, where there was an answer. */
  status?: number;
  /** First byte and the byte after the last, where a range was asked for. */
  range?: [number, number];
}

/** The metadata document is not valid Zarr. */
export interface InvalidMetadataError extends ArrayError {
  name: "InvalidMetadataError";
  /** JSON pointer into the document, such as `/chunk_grid/configuration/chunk_shapes/0`. */
  path: string;
  /** Store key of the document. */
  key: string;
}

/** Valid, but this version lacks it. */
export interface UnsupportedError extends ArrayError {
  name: "UnsupportedError";
  /** What is lacking. */
  feature: string;
}

/** A chunk's bytes do not decode to the chunk that the metadata declares. */
export interface CodecError extends ArrayError {
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

/**
 * A call on an array or a group that was freed, by `free()` or at the end of its `using` declaration; a second `free()`
 * too. Calls that were under way by then end as they would have. Open it again.
 */
export interface FreedError extends Error {
  name: "FreedError";
}

/** The selection does not fit the array. */
export interface SelectionError extends Error {
  name: "SelectionError";
  /** The axis at fault, where it is one. */
  axis?: number;
}
