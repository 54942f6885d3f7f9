/**
 * The entry point `rectilinear-zarr/stores`: picked folders and zips as sources of `RectilinearArray` and `Group`.
 *
 * @module rectilinear-zarr/stores
 */

import type { Readable } from "./index.js";

/** A store that can read parts of values. */
export interface RangeReadable extends Readable {
  /**
   * Reads a part of a value.
   *
   * @param key The key, such as `/t2m/c/0/0`.
   * @param range The first byte and the number of bytes, or the number of bytes at the end of the value.
   * @param options `signal` aborts the call.
   * @returns The bytes, or `undefined` if nothing is stored under the key.
   */
  getRange: NonNullable<Readable["getRange"]>;
}

/**
 * Makes a store of a folder: one that the user picked or dropped, or the origin's private folder
 * (`navigator.storage.getDirectory()`). Nothing is uploaded.
 *
 * Files are read anew at each request, so `refresh()` finds appended data. A missing file, or a folder in its place,
 * counts as not stored. Other failures, such as a permission that was withdrawn, are a StoreError with the browser's
 * error as `cause`.
 *
 * @param handle The folder.
 * @returns A store; pass it to `open`.
 * @throws TypeError if `handle` is not a directory handle
 *
 * @example
 * const folder = await navigator.storage.getDirectory(); // or showDirectoryPicker()
 * const t2m = await RectilinearArray.open(directoryStore(folder), { path: "model_run.zarr/t2m" });
 */
export function directoryStore(handle: FileSystemDirectoryHandle): RangeReadable;

/** Options of opening a zip. */
export interface ZipOptions {
  /** Aborts the opening. */
  signal?: AbortSignal;
  /** Function called in place of the global `fetch`: to sign requests, to count them. URLs only. */
  fetch?: (request: Request) => Promise<Response>;
  /**
   * Headers sent with every request to the zip's own origin. If the host redirects to another origin, browsers drop
   * `Authorization` only; outside of browsers no header follows. URLs only.
   */
  headers?: HeadersInit;
  /**
   * Action if the host redirects: `"follow"`, or fail with a StoreError (`"error"`). Default `"follow"`. URLs only.
   */
  redirect?: "error" | "follow";
  /**
   * Number of repetitions of a request after a network failure, a timeout, or a status of 429 or from 500 on, with the
   * waits of `retries` of `open`. Default 3. URLs only.
   */
  retries?: number;
  /**
   * Milliseconds without a byte, before the answer or between two parts of it, after which a request is given up and
   * repeated (`retries`). Default 30,000; 0 waits for ever. URLs only.
   */
  timeout?: number;
  /** Whether cookies are sent, as in `fetch`. URLs only. */
  credentials?: RequestCredentials;
  /**
   * Largest zip in bytes that is downloaded whole from a host without support for ranges; it is held in memory or where
   * the browser keeps Blobs. Default 128 MiB; 0 requires ranges.
   */
  maxWholeBytes?: number;
  /**
   * Largest file of the zip in bytes that is read whole or inflated; a larger one is an UnsupportedError. Default 1
   * GiB. Of metadata, at most 64 MiB are read in any case.
   */
  maxEntryBytes?: number;
}

/** A zip as a store. */
export interface ZipStore extends RangeReadable {
  /**
   * Lists the keys of all files, as `get` takes them.
   *
   * @returns The keys, in the order of the zip's directory.
   */
  keys(): IterableIterator<`/${string}`>;
}

/**
 * Opens a zip as a store: from a URL, absolute or relative to the page, or from a `Blob` or `File`. Nothing is
 * unpacked.
 *
 * A zip of any size (ZIP64) is opened by reading its end. A URL takes a HEAD request for the length, a request for the
 * end, then requests for the chunks that are read; without `headers` none of them needs a CORS preflight.
 *
 * Write zips without compression (`zip -0`, or zarr-python's `ZipStore`): Zarr compresses chunks itself, and parts of
 * shards can then be requested. Deflated files are fetched and inflated whole; the last 64 MiB of them are kept if
 * parts were read. CRC-32 checksums of whole files are verified.
 *
 * Arrays lie at their paths in the zip; many programs put a folder around everything, which is then the first part of
 * `path`. If a name occurs twice, the last file counts, as in zarr-python.
 *
 * Reads from the store fail with a StoreError for a damaged file and with an UnsupportedError for an encrypted file or
 * another compression; the StoreError of the array has it as `cause`. A zip that changes during a read is an error, if
 * the host reports versions.
 *
 * @param source The URL of the zip, or the zip itself.
 * @param options Options of the zip's requests.
 * @returns The store; pass it to `open`.
 * @throws StoreError if the host fails, if it is not a zip or is cut short, or if the zip is too long for a host
 * without ranges
 * @throws TypeError if the source or an option has the wrong type
 *
 * @example
 * const zip = await zipStore("https://host/model_run.zarr.zip");
 * const run = await Group.open(zip, { path: "model_run.zarr" }); // [...zip.keys()]: "/model_run.zarr/zarr.json", …
 */
export function zipStore(source: string | URL | Blob, options?: ZipOptions): Promise<ZipStore>;
