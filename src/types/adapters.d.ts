/**
 * The types of `rectilinear-zarr/adapters`: opened arrays and groups for programs that read regular chunks alone, and
 * for those that hold zarrita.
 *
 * @module rectilinear-zarr/adapters
 */

import type { Group } from "./group.js";
import type { RectilinearArray } from "./array.js";
import type { OpenOptions, Source } from "./source.js";

/** What zarrita calls an `AsyncReadable`. Keys that nothing is at are `undefined`; what is given is yours to change. */
export interface RegularStore {
  get(key: `/${string}`, options?: { signal?: AbortSignal }): Promise<Uint8Array | undefined>;
  getRange(
    key: `/${string}`,
    range: { offset: number; length: number } | { suffixLength: number },
    options?: { signal?: AbortSignal },
  ): Promise<Uint8Array | undefined>;
}

export interface RegularOptions {
  /**
   * The one shape of the chunks that are shown, for each axis a whole number from 1 on; or what chooses it for each
   * array of a group, where `undefined` leaves it to the default. One list in a group is meant for the arrays of its
   * rank.
   *
   * Default: near the array's own chunks, inner ones where there are shards. An axis whose chunks are of one length
   * keeps it. Where they differ, it is the length of the chunk that a typical element lies in, and on the last two
   * axes of several the nearest multiple of 256, for tiles of maps. Chunks of more than 4 MiB are halved, leading axes
   * first. A pyramid of tiles (`pixels_per_tile` in its attributes) whose chunks are uneven needs that edge said here.
   */
  chunkShape?: readonly number[] | ((array: RectilinearArray) => readonly number[] | undefined);
}

/**
 * Shows an array, or a group with all that is in it, as regular and uncompressed Zarr v3, whatever it is stored as:
 * rectilinear, sharded, v2, of any codec. The result is a store that zarrita, and with it most viewers, reads as it is.
 *
 * Nothing is asked for before it is wanted; a chunk that is shown is read from the chunks that it overlaps, which the
 * array keeps decoded (`cacheBytes`, 64 MiB unless it was opened with another number: less than one of its chunks means
 * decoding it again and again). A chunk that two readers want at once is read once, and aborted only when both have left.
 * Keys that nothing is at, and those of Zarr v2, are `undefined`; chunks that are not stored are full of the fill value.
 *
 * Metadata are `zarr.json` with default chunk keys and the codec `bytes`, little endian. Attributes and dimension names
 * are kept; a NaN in attributes, which JSON cannot spell, is the text `"NaN"`. A group whose metadata are consolidated is
 * shown so. Data types are shown as those that readers of Zarr v3 have: integers of 2 and 4 bits as 8 bits wide, the small
 * floats as `float32`, times as `int64` of `array.timeUnit`, raw bits as `r*`, and text of fixed length and zero-padded
 * bytes, which must be UTF-8, as `string` with the codec `vlen-utf8`. Structs, bytes of any length and Zarr v2's objects are
 * refused with an UnsupportedError, which `get` of their `zarr.json` rejects with; consolidated metadata leave them out.
 *
 * The store rejects with what the array and the group reject with, or `signal.reason`.
 *
 * @throws TypeError where it is given something else, UnsupportedError where the array's data type cannot be shown,
 * RangeError where `chunkShape` is none for the array
 *
 * @example
 * const run = await Group.open("https://host/model_run.zarr");
 * const store = asRegularStore(run); // for zarrita's open, or a viewer's option `store`
 * const bytes = await store.get("/surface/t2m/c/0/0/0");
 */
export function asRegularStore(opened: RectilinearArray | Group, options?: RegularOptions): RegularStore;

export interface HandlerOptions extends RegularOptions, OpenOptions {
  /**
   * Below which URL the array or group is shown. Default: that of `source` and its `path` where `source` is one, else the root of
   * whatever origin is asked.
   */
  base?: string | URL;
}

/**
 * The same as `asRegularStore` in place of `fetch`: for zarrita's `FetchStore`, for a Service Worker of your own (a
 * ready-made one is `rectilinear-zarr/service-worker.js`), or for a server. What is not opened yet is opened when
 * something of it is first asked for, with the other options, or by a function given for it; a Service Worker, which may
 * import nothing later, needs the function.
 *
 * GET, HEAD and OPTIONS are answered as a static host does that lets every origin read: one range of bytes or a suffix (206, or 416
 * where there is none), ETags of the bytes, and 404 for what is not there. What fails beneath is 502, what cannot be
 * shown 501, with the error's name and message as the body. An abort of the request is passed on, and rejects with
 * its reason.
 *
 * @throws TypeError where it is given something else
 *
 * @example
 * import { FetchStore, open } from "zarrita";
 * import { fetchHandler } from "rectilinear-zarr/adapters";
 *
 * const url = "https://host/model_run.zarr/t2m";
 * const t2m = await open(new FetchStore(url, { fetch: fetchHandler(url) }), { kind: "array" });
 *
 * @example
 * // A Service Worker of your own, for what the ready-made one's URL cannot say.
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

/** zarrita's module, 0.7 or later: `import * as zarr from "zarrita"`. */
export interface Zarrita {
  readonly Array: abstract new (...metadata: never[]) => object;
  readonly BoolArray: abstract new (...from: never[]) => object;
  readonly extendArray: unknown;
  readonly defineArrayExtension: unknown;
}

/**
 * An array as zarrita's own `Array`, for programs that hold zarrita's module: `zarr.get`, `zarr.select` and everything
 * built on `getChunk` read it, and what they want comes from here. Its chunks are those that `asRegularStore` shows, read
 * and shared in the same way; its `store` is that one too.
 *
 * The data types that `asRegularStore` shows as others are those here as well, times as `int64` among them. Those that
 * zarrita has no arrays for keep their names: complex numbers, raw bits and structs come in arrays of items, whose
 * `get(nth)` gives a typed array (a real and an imaginary part; an item's bytes) and whose `elements` are those of
 * all items in one. Bytes of any length and Zarr v2's objects are lists, which zarrita calls `v2:object`.
 *
 * Rejects with RangeError where `chunkShape` is none for the array, and with UnsupportedError where zarrita has no place
 * for the data type.
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
  options?: { chunkShape?: readonly number[] },
): Promise<InstanceType<Z["Array"]>>;
