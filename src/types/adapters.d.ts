/**
 * The entry point `rectilinear-zarr/adapters`: arrays and groups for programs that read regular chunks only, or use
 * zarrita.
 *
 * @module rectilinear-zarr/adapters
 */

import type { Group } from "./group.js";
import type { RectilinearArray } from "./array.js";
import type { OpenOptions } from "./open-options.js";
import type { RegularOptions, ViewOptions } from "./view-options.js";
import type { Source } from "./source.js";

export type { PerArray, RegularOptions, ViewOptions } from "./view-options.js";
export { registerViews, type WorkerSource } from "./register-views.js";

/**
 * A store in the form of zarrita's `AsyncReadable`. Bytes that it returns may be changed by the caller, except for those
 * of a source in memory (a `Map`) whose chunks are shown as they are stored: these are the source's own.
 */
export interface RegularStore {
  /**
   * Reads a value.
   *
   * @param key The key, such as `/t2m/zarr.json` or `/t2m/c/0/0`.
   * @param options `signal` aborts the call.
   * @returns The bytes, or `undefined` if there is nothing under the key.
   * @throws UnsupportedError for the metadata of an array whose data type cannot be shown
   * @throws StoreError, CodecError or the other errors of `get` and `open` of the array
   */
  get(key: `/${string}`, options?: { signal?: AbortSignal }): Promise<Uint8Array | undefined>;
  /**
   * Reads a part of a value.
   *
   * @param key The key, such as `/t2m/c/0/0`.
   * @param range The first byte and the number of bytes, or the number of bytes at the end of the value.
   * @param options `signal` aborts the call.
   * @returns The bytes, or `undefined` if there is nothing under the key.
   * @throws StoreError, CodecError or the other errors of `get` and `open` of the array
   */
  getRange(
    key: `/${string}`,
    range: { offset: number; length: number } | { suffixLength: number },
    options?: { signal?: AbortSignal },
  ): Promise<Uint8Array | undefined>;
}

/**
 * Shows an array, or a group with everything in it, as a store of regular, uncompressed Zarr. zarrita, and viewers
 * built on it, can then read rectilinear and sharded arrays, and every codec.
 *
 * A chunk is read when it is asked for, from the stored chunks that it overlaps. The array keeps these decoded
 * (`cacheBytes`, 64 MiB by default; if that is less than one chunk, it is decoded for every request). A chunk that
 * several readers want is read once, and aborted only when all have aborted. Uncompressed chunks that are shown as they
 * are stored are handed over as they are. Chunks that are not stored are full of the fill value; other keys without
 * content, and the keys of the other format, are `undefined`.
 *
 * Metadata are in the source's Zarr format, with default chunk keys and little-endian items. Attributes and dimension
 * names are kept; a NaN in attributes becomes the text `"NaN"`. Consolidated metadata are shown as such. Data types that
 * few readers have become others: int2, int4, uint2, uint4 become 8 bits wide; bfloat16 and smaller floats `float32`;
 * times `int64` in units of `array.timeUnit`; raw bits `r*`; text of fixed length and zero-padded bytes, which must be
 * UTF-8, `string` with the codec `vlen-utf8`; Zarr v2's objects text too, as JSON if they are no text. A chunk with an
 * object that is neither, such as bytes, rejects with UnsupportedError. Structs and bytes of any length are refused:
 * `get` of their metadata rejects with UnsupportedError, and consolidated metadata omit them.
 *
 * @param opened The array or group.
 * @param options Chunks, types, attributes and format of what is shown.
 * @returns The store.
 * @throws TypeError if `opened` is neither an array nor a group, or an option has the wrong type
 * @throws UnsupportedError if the data type of the array cannot be shown
 * @throws RangeError if `chunkShape` does not fit the array
 *
 * @example
 * const run = await Group.open("https://host/model_run.zarr");
 * const store = asRegularStore(run); // for zarrita's open, or a viewer's option `store`
 * const bytes = await store.get("/surface/t2m/c/0/0/0");
 */
export function asRegularStore(opened: RectilinearArray | Group, options?: RegularOptions): RegularStore;

/**
 * Options of `fetchHandler`: those of what is shown, and those of opening the source. `zarrFormat` is the format that is
 * shown; pass a function that opens the source to name its own. `cacheBytes` is for a source that is opened here, or for
 * the arrays of a group that was opened.
 */
export interface HandlerOptions extends RegularOptions, Omit<OpenOptions, "zarrFormat" | "cacheBytes"> {
  /**
   * URL below which the array or group is shown. Default: the URL of `source` with its `path`, or, if `source` is not a
   * URL, the root of whatever origin is asked.
   */
  base?: string | URL | null;
}

/**
 * Makes a function that answers requests in place of `fetch`, with the content of `asRegularStore`: for zarrita's
 * `FetchStore`, a Service Worker of your own, or a server. A ready-made worker is `rectilinear-zarr/service-worker.js`.
 *
 * The function answers GET, HEAD and OPTIONS as a static host does that allows every origin: single byte ranges and
 * suffixes (status 206, or 416), ETags, and 404 for what does not exist. A failure of the source is status 502, data
 * that cannot be shown 501, with the error's name and message as the body. Aborting the request rejects with its
 * reason.
 *
 * @param source A source, which is opened on the first request; an opened array or group; or a function that opens one.
 * A Service Worker needs the function, because it cannot import modules later.
 * @param options `base`, the options of what is shown, and those of `open`.
 * @returns The function; it takes a `Request` and gives a promise of a `Response`.
 * @throws TypeError if `source` is something else, or an option has the wrong type
 *
 * @example
 * import { FetchStore, open } from "zarrita";
 * import { fetchHandler } from "rectilinear-zarr/adapters";
 *
 * const url = "https://host/model_run.zarr/t2m";
 * const t2m = await open(new FetchStore(url, { fetch: fetchHandler(url) }), { kind: "array" });
 *
 * @example
 * // A Service Worker of your own, for options that are functions.
 * const headers = { authorization: "Bearer …" };
 * const base = "https://host/model_run.zarr/";
 * const handle = fetchHandler(() => Group.open(base, { headers, missingStatuses: [403, 404] }), { base });
 * addEventListener("fetch", (event: Event & { request?: Request; respondWith?(answer: Promise<Response>): void }) => {
 *   if (event.request?.url.startsWith(base)) event.respondWith?.(handle(event.request));
 * });
 */
export function fetchHandler(
  source: Source | RectilinearArray | Group | (() => Promise<RectilinearArray | Group>),
  options?: HandlerOptions,
): (request: Request) => Promise<Response>;

/** The module zarrita, version 0.7 or later: `import * as zarr from "zarrita"`. */
export interface Zarrita {
  /** zarrita's class of arrays. */
  readonly Array: abstract new (...metadata: never[]) => object;
  /** zarrita's class of typed arrays of booleans. */
  readonly BoolArray: abstract new (...from: never[]) => object;
  /** zarrita's function that applies an extension to an array. */
  readonly extendArray: unknown;
  /** zarrita's function that defines an extension. */
  readonly defineArrayExtension: unknown;
}

/**
 * Makes a zarrita `Array` of an opened array, for programs that import zarrita: `zarr.get`, `zarr.select` and
 * everything built on `getChunk` read through this package.
 *
 * Chunks and data types are those of `asRegularStore`, and `store` is such a store. Complex numbers, raw bits and
 * structs keep their names: they come in arrays of items, whose `get(nth)` gives a typed array (real and imaginary
 * part, or the bytes of an item), and whose `elements` hold all items in one. Bytes of any length, Zarr v2's objects and
 * `ndarray` of any length are lists (zarrita's `v2:object`).
 *
 * @param zarr The module zarrita.
 * @param array The opened array.
 * @param options Chunks, type and attributes of what is shown.
 * @returns The zarrita array.
 * @throws RangeError if `chunkShape` does not fit the array
 * @throws TypeError if an option has the wrong type
 * @throws UnsupportedError if zarrita is older than 0.7, or has no place for the data type
 *
 * @example
 * import * as zarr from "zarrita";
 * import { RectilinearArray } from "rectilinear-zarr";
 * import { toZarrita } from "rectilinear-zarr/adapters";
 *
 * const t2m = await toZarrita(zarr, await RectilinearArray.open("https://host/model_run.zarr/t2m"));
 * const { data, shape } = await zarr.get(t2m, [0, null, zarr.slice(0, 20)]);
 */
export function toZarrita<Z extends Zarrita>(
  zarr: Z,
  array: RectilinearArray,
  options?: ViewOptions,
): Promise<InstanceType<Z["Array"]>>;
