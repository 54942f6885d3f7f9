/** Sources: URLs and stores that arrays and groups are read from. */

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/**
 * A store: any object that answers a key with bytes, such as a zarrita store, a `Map`, or an object of your own.
 *
 * Keys begin with a slash. The bytes of an answer must not be changed afterwards: they may be cached for later reads.
 */
export interface Readable {
  /**
   * Reads a value.
   *
   * @param key The key, such as `/t2m/zarr.json`.
   * @param options `signal` is aborted when no read needs the value any more.
   * @returns The bytes, or `undefined` if nothing is stored under the key. A failure becomes a StoreError with the
   * thrown value as `cause`.
   */
  get(key: `/${string}`, options?: { signal?: AbortSignal }): Awaitable<Uint8Array | undefined>;
  /**
   * Reads a part of a value. Optional; without it shards and other values are read whole.
   *
   * @param key The key, such as `/t2m/c/0/0`.
   * @param range The first byte and the number of bytes, or the number of bytes at the end of the value.
   * @param options `signal` is aborted when no read needs the bytes any more.
   * @returns The bytes, or `undefined` if nothing is stored under the key.
   */
  getRange?(
    key: `/${string}`,
    range: { offset: number; length: number } | { suffixLength: number },
    options?: { signal?: AbortSignal },
  ): Awaitable<Uint8Array | undefined>;
  /**
   * Lists the names one level below a folder, for `Group.list` and `members`. Optional.
   *
   * @param path The folder, without slashes around it; `""` for all.
   * @param options `signal` aborts the list.
   * @returns The names of folders and files.
   */
  list?(path: string, options?: { signal?: AbortSignal }): Awaitable<{ folders: string[]; files: string[] }>;
}

/**
 * The source of an array or a group: a URL or a store.
 *
 * - A URL is absolute, or relative to the page (outside of pages it must be absolute). Its query string, such as a
 *   token or a signature, is sent with every request.
 * - Buckets are read from their public HTTPS addresses: `s3://bucket/path`, `gs://bucket/path`, and for Azure
 *   `abfs://container@account.dfs.core.windows.net/path` or `az://…`, with the account in the address.
 * - URLs without a host, such as `file:` and `data:`, are refused with an UnsupportedError.
 */
export type Source = string | URL | Readable;

/** The record of one request, as `onRequest` receives it. */
export interface RequestInfo {
  /** The store key, without a leading slash; the URL, without its query, for a file that references or a repository point to. */
  key: string;
  /**
   * `"HEAD"` asks for the length of a shard, on hosts of another origin where asking for its last bytes needs a CORS
   * preflight.
   */
  method: "GET" | "HEAD";
  /**
   * The range that was asked for; `undefined` for a whole value. Two numbers are the first byte and the byte after the
   * last one. One number is the first byte of a range to the end, or, if negative, a number of bytes at the end.
   */
  range?: [number, number] | [number];
  /** HTTP status; `undefined` for a store, or if there was no answer. */
  status?: number;
  /** Bytes received; `undefined` if nothing is stored or the request failed. */
  bytes?: number;
  /** Milliseconds from the request to its last byte. */
  ms: number;
}
