/**
 * Errors of rectilinear-zarr, to be told apart by `name`. They are plain `Error` objects with these fields; the package
 * exports no error classes. A page of the documentation (errors) gives causes and cures.
 */

/** An error that belongs to one array, which may be a part of a joined array. */
export interface ArrayError extends Error {
  /**
   * For an array joined by `concat`: the index of the part that failed. The message begins with the index and the
   * part's URL or path.
   */
  array?: number;
}

/**
 * Nothing is stored at the address of an array, group, reference document, repository or file that was to be opened.
 */
export interface NotFoundError extends ArrayError {
  name: "NotFoundError";
  /** The path or URL that was to be opened. */
  path: string;
  /** The keys or URLs that were asked for, none of which is stored. */
  tried: string[];
}

/**
 * The store or host did not answer with bytes, nor with "not found". `cause` holds the store's own error, if it has
 * one.
 */
export interface StoreError extends ArrayError {
  name: "StoreError";
  /** The URL, or the key of the store. */
  key: string;
  /** HTTP status of the answer; `undefined` if there was no answer, or the source is not HTTP. */
  status?: number;
  /** First byte, and the byte after the last one, of the range that was asked for. */
  range?: [number, number];
  /** Whether the host refuses the keys of the option `access`, so that no other value would come either. */
  refusedKeys?: true;
}

/** A metadata document, or an attribute that a read depends on, is not valid. */
export interface InvalidMetadataError extends ArrayError {
  name: "InvalidMetadataError";
  /** JSON pointer (RFC 6901) to the fault, such as `/chunk_grid/configuration/chunk_shapes/0`. */
  path: string;
  /** The store key of the document. */
  key: string;
}

/** The data is valid as far as is known, but this version, this source or this environment cannot do what was asked. */
export interface UnsupportedError extends ArrayError {
  name: "UnsupportedError";
  /** The missing feature: the registered name of a codec or data type, or a few words. */
  feature: string;
}

/** The bytes of a chunk do not decode to the chunk that the metadata declares. */
export interface CodecError extends ArrayError {
  name: "CodecError";
  /** The registered name of the codec that failed. */
  codec: string;
  /** The store key of the chunk, or its URL. */
  key: string;
  /**
   * Coordinates of the chunk. For an inner chunk of a shard: the shard's coordinates, then the inner chunk's within the
   * shard.
   */
  coords: number[];
  /** The quantity that was found: a number of bytes, or a description. */
  got: number | string;
  /** The quantity that was expected: a number of bytes, or a description. */
  expected: number | string;
}

/**
 * A call on an array or a group that was freed by `free()` or at the end of its `using` declaration. A second `free()`
 * fails with it too. Calls that were under way before end normally. Open the array or group again.
 */
export interface FreedError extends Error {
  name: "FreedError";
}

/** The selection does not fit the array: an index out of bounds, a missing label, an unknown dimension or field. */
export interface SelectionError extends Error {
  name: "SelectionError";
  /** The index of the axis at fault; `undefined` if the fault is not on one axis. */
  axis?: number;
}
