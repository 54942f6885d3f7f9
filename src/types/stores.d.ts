/**
 * The types of `rectilinear-zarr/stores`: a picked folder, and a zip, as sources for `RectilinearArray` and `Group`.
 *
 * @module rectilinear-zarr/stores
 */

import type { Readable } from "./index.js";

/** A store that gives parts of files, without reading the whole of them. */
export interface RangeReadable extends Readable {
  getRange: NonNullable<Readable["getRange"]>;
}

/**
 * A folder as a store: one that the user picked or dropped, or the origin's private one
 * (`navigator.storage.getDirectory()`). Its files are read anew at each request, so that what is appended is found by
 * `refresh()`; nothing is uploaded. Nothing there, or a folder where a file is meant, is `undefined`; other failures
 * (the permission was taken back) reject with the browser's own error, which the array's `StoreError` has as `cause`.
 *
 * @throws TypeError where it is given something else
 *
 * @example
 * const folder = await navigator.storage.getDirectory(); // or showDirectoryPicker()
 * const t2m = await RectilinearArray.open(directoryStore(folder), { path: "model_run.zarr/t2m" });
 */
export function directoryStore(handle: FileSystemDirectoryHandle): RangeReadable;

export interface ZipOptions {
  /** Aborts the opening. */
  signal?: AbortSignal;
  /** Asked instead of the global `fetch`: to sign requests, to repeat failed ones, to count them. URLs only. */
  fetch?: (request: Request) => Promise<Response>;
  /**
   * Sent with every request to the zip's own origin. Outside of browsers they never follow a redirect to another origin;
   * browsers drop `Authorization` there alone. URLs only.
   */
  headers?: HeadersInit;
  /**
   * What is done where the host redirects a request: `"follow"` it, or fail with a `StoreError` (`"error"`), so that
   * nothing is sent to another address. Default `"follow"`. URLs only.
   */
  redirect?: "error" | "follow";
  /**
   * Milliseconds without a byte after which a request is given up with a `StoreError`: before the answer, or between two
   * parts of it. Default 30,000; 0 waits for ever. URLs only.
   */
  timeout?: number;
  /** As in `fetch`. URLs only. */
  credentials?: RequestCredentials;
  /**
   * The longest zip that is fetched whole, and kept in memory or wherever the browser keeps Blobs, from a host that does
   * not answer ranges. Default 128 MiB; 0 insists on ranges.
   */
  maxWholeBytes?: number;
  /** Refuse, with `UnsupportedError`, to read whole, or to inflate, a file of more than this many bytes. Default 1 GiB. */
  maxEntryBytes?: number;
}

/** A zip's files. */
export interface ZipStore extends RangeReadable {
  /** The keys of all files, as `get` takes them, in the order of the zip's directory. */
  keys(): IterableIterator<`/${string}`>;
}

/**
 * A zip as a store: at a URL, absolute or relative to the page, or in a `Blob` or `File`. Zips of any size (ZIP64) and
 * number of files are opened by reading their end; a URL is asked for its length (HEAD), for that end, and then for
 * the chunks that are wanted. No request needs a CORS preflight, unless there are `headers`.
 *
 * Write zips without compression (zarr-python's `ZipStore` does, `zip -0`): Zarr compresses its chunks itself, and
 * parts of shards can then be asked for. Files that are deflated are fetched and inflated whole; the last 64 MiB of
 * those of which parts were asked for are kept. Checksums of whole files are verified.
 *
 * The arrays lie at their paths in the zip: with a folder around everything, as many programs make one, that folder
 * is the first part of `path`. A name that was written twice is its last one, as in zarr-python.
 *
 * Rejects with StoreError where the host fails, ignores ranges of a zip that is too long to be fetched whole, or has
 * something that is not a zip, or is cut short. A store that is asked for a damaged file rejects with StoreError too,
 * for an encrypted one, or one compressed otherwise, with UnsupportedError; the array's `StoreError` has these as
 * `cause`. A zip that changes while it is read is an error, as far as the host tells versions.
 *
 * @example
 * const zip = await zipStore("https://host/model_run.zarr.zip");
 * const run = await Group.open(zip, { path: "model_run.zarr" }); // [...zip.keys()]: "/model_run.zarr/zarr.json", …
 */
export function zipStore(source: string | URL | Blob, options?: ZipOptions): Promise<ZipStore>;
