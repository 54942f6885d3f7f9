/** Ragged arrays: features of unequal length, end to end in one array. */

import type { GetOptions, Group, IntegerArray, RectilinearArray, Region } from "./index.js";

/** Integers, in an opened array with one axis or in a list. */
export type Integers = RectilinearArray | IntegerArray | readonly number[];

/** Ways to say which elements belong to which feature. */
export type RaggedLayout =
  | {
      /** Place of each feature's first element, and after them the number of elements: n + 1 offsets, the first is 0. */
      offsets: Integers;
    }
  | {
      /** Number of elements of each feature; they add up to the length of the contents. */
      counts: Integers;
    }
  | {
      /** Feature of each element; items that the attribute `_FillValue` calls missing belong to none. */
      index: Integers;
      /** Number of features. Default: up to the last one that has an element. */
      length?: number;
    }
  | {
      /**
       * Group with consolidated metadata, or one listed by its `tree({ list: true })`, in which the layout is found,
       * beside the contents: a count variable with the CF attribute `sample_dimension`, an index variable with
       * `instance_dimension`, or a variable `rowsize` or `row_size`.
       */
      group: Group;
    }
  | {
      /**
       * Every item of the contents is a feature: arrays whose items are arrays themselves, of unequal length, along one axis
       * (the data type `ndarray`, and the codec `vlen-array`).
       */
      items: true;
    };

/** Options of making a ragged array. */
export interface RaggedOptions {
  /** Aborts the reads of counts, of an index, and of the ends of offsets. */
  signal?: AbortSignal;
  /**
   * Largest size in bytes of counts or an index, which are read whole, 8 bytes for each; where features are items, of the
   * numbers of one `slice`. Default 256 MiB.
   */
  maxBytes?: number;
}

/** Options of reads of features. */
export type RaggedReadOptions = Pick<GetOptions, "as" | "decode" | "int64" | "mask" | "scale" | "order" | "signal">;

/** Some features, end to end. */
export interface RaggedRegion {
  /** Place of each feature's first element in `data`, from 0 on, and after them the number of elements. */
  offsets: Int32Array | Float64Array;
  /** Items of the elements in C order. */
  data: Region["data"];
  /** Number of elements, and the lengths of the other axes of the contents. */
  shape: number[];
}

/** A ragged array: features of unequal length along the first axis of an array. */
export interface Ragged {
  /** Number of features. */
  readonly length: number;
  /**
   * Reads one feature.
   *
   * @param index The index of the feature; negative ones count from the end.
   * @param options Options of the read, as for `get`.
   * @returns The items of the feature in C order; contents with further axes have all of their items for each element.
   * @throws SelectionError if there is no such feature
   * @throws InvalidMetadataError if offsets fall or lead beyond the contents
   * @throws StoreError, CodecError or UnsupportedError as for `get`
   */
  at(index: number, options?: RaggedReadOptions): Promise<Region["data"]>;
  /**
   * Reads features that follow each other.
   *
   * @param start The first feature; negative ones count from the end, `null` is the first one.
   * @param stop The feature to stop before. Default: all after `start`.
   * @param options Options of the read, as for `get`.
   * @returns The features, end to end.
   * @throws SelectionError if an end is not an integer
   * @throws RangeError if features that are items take more than `maxBytes`
   * @throws InvalidMetadataError if offsets fall or lead beyond the contents
   * @throws StoreError, CodecError or UnsupportedError as for `get`
   */
  slice(start: number | null, stop?: number | null, options?: RaggedReadOptions): Promise<RaggedRegion>;
}

/**
 * Makes a ragged array of contents and their layout: tracks, profiles, polygons, lists of unequal length.
 *
 * Counts and an index are read at once. Of stored offsets only the ends are read, and later those of the features that
 * are read. With chunks that end where features end, a feature takes one chunk.
 *
 * @param contents The elements of all features: an opened array, ragged along its first axis.
 * @param layout The offsets, counts, index, the group in which these are found, or that items are features; with options.
 * @returns The ragged array; it reads from `contents`, which must not be freed.
 * @throws InvalidMetadataError if the layout does not fit the contents; `key` is the path of the array, or the option's
 * name, and `path` leads to the value in it
 * @throws UnsupportedError if the option `group` is a group that names no layout, or whose arrays are not listed, or if
 * `items` is given for items that are no arrays of unequal length, or lie along several axes
 * @throws RangeError if counts or an index have more than `maxBytes`
 * @throws TypeError if an argument has the wrong type
 *
 * @example
 * const drifters = await Group.open("https://host/drifters.zarr");
 * const tracks = await ragged(await drifters.array("lon"), { group: drifters });
 * const lon = await tracks.at(1); // the second drifter's longitudes
 */
export function ragged(contents: RectilinearArray, layout: RaggedLayout & RaggedOptions): Promise<Ragged>;
