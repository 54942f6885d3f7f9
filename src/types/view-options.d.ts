/** Options of showing arrays and groups as regular Zarr: `asRegularStore`, `fetchHandler`, the Service Worker. */

import type { NumberArrays } from "./reading.js";
import type { RectilinearArray } from "./array.js";

/**
 * A value for all arrays; an object of values by the path of an array in the store (`"surface/t2m"`, `""` for the
 * source itself), without an effect on others; or a function. `undefined` and `null` are the default.
 */
export type PerArray<T> =
  | T
  | Readonly<Record<string, T | null | undefined>>
  | ((array: RectilinearArray, path: string) => T | null | undefined)
  | null;

/** Options of how one array is shown. `null` counts as absent. An option of the wrong type is a TypeError. */
export interface ViewOptions {
  /**
   * Shape of the chunks that are shown: a length of at least 1 for each axis. A list for all arrays of a group applies
   * to those with that number of axes; others must fit, or else a RangeError, as for a length below 1.
   *
   * Default: near the array's own chunks, or the inner chunks of shards. An axis with chunks of one length keeps that
   * length. On other axes it is the median length, each chunk counted by its elements; on the last two axes of several,
   * rounded to a multiple of 256, for map tiles. Chunks of more than 4 MiB are halved, leading axes first. An array of
   * one axis and up to 4 MiB is one chunk, because some clients take the first chunk of a coordinate for all of it. A
   * tile pyramid (attribute `pixels_per_tile`) with uneven chunks needs its tile length here.
   *
   * @example
   * const run = await Group.open("https://host/model_run.zarr");
   * const whole = asRegularStore(run, { chunkShape: { "surface/t2m": [1, 256, 256] } });
   * const plane = (shape: number[]) => shape.map((edge, axis) => (axis < shape.length - 2 ? 1 : edge));
   * const planes = asRegularStore(run, { chunkShape: ({ shape }) => plane(shape) });
   */
  chunkShape?: PerArray<readonly number[]>;
  /**
   * Number type that arrays of numbers, booleans and times are shown as: for clients without int64, bool, float16 or
   * float64. Values are those of `get` with this `as` and `mask: "attributes"`:
   *
   * - Float types: items equal to the attributes `_FillValue` and `missing_value` become NaN, and `scale_factor` and
   *   `add_offset` are applied. These attributes are left out, the ranges of valid values unpacked, and the fill value
   *   is treated as an item.
   * - Integer types: items keep their values, and attributes stay, but for missing values that the type cannot hold.
   *   Reading a chunk with a value that does not fit rejects with a RangeError.
   *
   * A type for all arrays leaves text, complex numbers and other items as they are; they reject with an
   * UnsupportedError where a path or a function names a type for them. It converts coordinates as well: float32 has
   * seven digits.
   *
   * @example
   * const run = await Group.open("https://host/model_run.zarr");
   * const types: Record<string, "float32" | "uint8" | "int32"> = { float64: "float32", bool: "uint8", int64: "int32" };
   * const store = asRegularStore(run, { as: ({ dtype }) => types[dtype] });
   */
  as?: PerArray<keyof NumberArrays>;
  /**
   * `"cf"` shows numbers decoded as `get` with `decode: "cf"` gives them, in the types that xarray returns: unpacked,
   * NaN where missing. `_FillValue`, `missing_value`, `scale_factor`, `add_offset` and `_Unsigned` are left out, and
   * the fill value is decoded. With `as`, the decoded values are converted. Default: no decoding.
   */
  decode?: PerArray<"cf" | false>;
  /**
   * Order of the dimensions, by name, for clients that insist on one; `"…"` (or `"..."`) stands for all that are not
   * listed, and is first if it is missing. Names that an array does not have are skipped, and arrays without names keep
   * their order. `chunkShape` counts the axes as shown. `axes` and transformations of OME-Zarr are moved too; they name
   * the dimensions of an image's arrays that do not, as up to version 0.4. Default: the array's order.
   */
  dimensions?: readonly string[] | null;
  /**
   * `"labels"` shows coordinates of time (of one axis with the name of the array, or single values; an opened array of
   * one axis by any name) as text: the ISO 8601 labels of `decodeTime`, `""` for a missing time, without the attributes
   * of numbers. For clients that list the values of a dimension. Default: numbers.
   */
  times?: "labels" | null;
  /**
   * Changes the attributes that are shown, of an array and, in a store, of each group. Called with the path (`""` for
   * the source itself) and a copy of the attributes, which other options have changed already; returns those to show.
   * A result that is no object, or a promise, is a TypeError when the metadata are read.
   */
  attributes?: ((path: string, attrs: Record<string, unknown>) => Record<string, unknown>) | null;
}

/** Options of showing an array or a group as a store. */
export interface RegularOptions extends ViewOptions {
  /**
   * Whether GeoZarr's attributes are added to groups and their arrays, so that its viewers open plain xarray stores:
   * `spatial:dimensions`, `spatial:transform`, `spatial:shape`, `spatial:bbox`, `proj:code` (else `proj:wkt2` or
   * `proj:projjson`), for pyramids `multiscales.layout`, and `zarr_conventions`. They are computed as `Levels` places
   * levels: from CF's coordinates and grid mappings, ndpyramid, tile matrix sets, `_CRS` and GeoZarr itself.
   * Coordinates in degrees without a system are taken for EPSG:4326.
   *
   * Nothing is added where the place is not known, for uneven coordinates, and for OME-Zarr. A group gets its own
   * attributes if its metadata is consolidated or a pyramid's. Takes a group: of an array it is a TypeError. Reads
   * three values of each coordinate that nothing else describes. Default `false`.
   */
  geozarr?: boolean | null;
  /**
   * Zarr format of what is shown: `zarr.json` and chunks such as `c/0/0`, or `.zarray`, `.zattrs`, `.zgroup`,
   * `.zmetadata` and chunks such as `0.0`, with dimension names as `_ARRAY_DIMENSIONS`. What marks missing items, the
   * fill value in v2 and the attribute `_FillValue` in v3, is written for the other format. Default: that of the
   * source.
   */
  zarrFormat?: 2 | 3 | null;
  /**
   * Bytes of chunks that are cached for each array of a group, as the option of `open`: 0 for clients that keep chunks
   * themselves, whose chunks are those of the array. A TypeError for an opened array, which has its own. Default: as
   * the group was opened.
   */
  cacheBytes?: number | null;
}
