/** Where bytes come from, and what an array or group is opened with. */

export type Awaitable<T> = T | Promise<T>;

/**
 * Anything that answers a key with bytes: every zarrita store, a `Map`, an object of your own.
 * A key starts with a slash; `undefined` says that nothing is stored there. An answer must not be written to again.
 */
export interface Readable {
  get(key: `/${string}`, options?: { signal?: AbortSignal }): Awaitable<Uint8Array | undefined>;
  /** Part of a value. Without it, shards are fetched whole. */
  getRange?(
    key: `/${string}`,
    range: { offset: number; length: number } | { suffixLength: number },
    options?: { signal?: AbortSignal },
  ): Awaitable<Uint8Array | undefined>;
}

/**
 * Where bytes come from: a URL, absolute or relative to the page, whose query string (a token, a
 * signature) goes along with every request; or a store.
 *
 * Buckets are asked for at their public HTTPS addresses: `s3://bucket/path`, `gs://bucket/path`, and of Azure
 * `abfs://container@account.dfs.core.windows.net/path` (`az://` too), which must tell the account. URLs without a host,
 * such as `file:` and `data:`, are an UnsupportedError. Outside of pages a URL is absolute, or a TypeError.
 */
export type Source = string | URL | Readable;

/** What one request came to. */
export interface RequestInfo {
  /** The store key, without a leading slash; of a file that references lead to, its URL. */
  key: string;
  /** `"HEAD"` asks for a shard's length, where a host on another origin would want a preflight for its end. */
  method: "GET" | "HEAD";
  /**
   * Where a part was asked for: its first byte and the byte after its last one; or one number, a first byte
   * (the part goes on to the end) or a negative one (so many bytes at the end). Parts that lie near each other
   * come in one request.
   */
  range?: [number, number] | [number];
  /** HTTP status; `undefined` from a store, or where there was no answer. */
  status?: number;
  /** Bytes received; `undefined` where nothing is stored or the request failed. */
  bytes?: number;
  /** Milliseconds from asking to the last byte. */
  ms: number;
}

export interface OpenOptions {
  /**
   * The path of the array or group inside the source, with or without slashes around it, as it is: neither
   * percent-encoded nor with `.` or `..` in it. Default: the source itself is the array or group.
   */
  path?: string;
  /**
   * What is at the URL: `"zarr"`, a plain hierarchy below it; `"kerchunk"`, a JSON document of kerchunk's references,
   * versions 0 and 1, to parts of other files; `"icechunk"`, the folder of a repository of Icechunk's, versions 1 and
   * 2 of its specification; or `"cfdb"`, a file of cfdb's. Default: a URL that ends in `.json`, `.icechunk` or `.cfdb` is
   * looked at, and read as references, as a repository or as a file where it holds that; every other one is Zarr's, but
   * where nothing of Zarr is there and a repository is, that is opened.
   *
   * References lead to files beside the document, to `https:`, and to buckets of `s3:`, `gs:` and `abfs:` by their public
   * addresses. One to another scheme is an UnsupportedError that names it, and no request; see `resolveUrl`.
   * `headers` and `credentials` go to the document's own origin alone. What is consolidated nowhere is consolidated
   * here, so `tree()` lists everything. Inlined values cost no request, and near parts of one file come in one.
   *
   * The same holds for a repository and its virtual chunks. It takes two requests to open one (three in version 1), then one
   * for each manifest that chunks are wanted of, and the chunks'. A query string goes along to every file in the folder.
   * `refresh()` looks where the branch is now; files that cannot have changed are not asked for again. Checksums of virtual
   * chunks are not compared.
   *
   * Of a file of cfdb's the parts are read that are wanted, with three requests to open an array: a chunk takes two one after
   * the other at first, and one once some fifty were looked up, or few in a short index, and the whole index was read.
   * Coordinates and data variables are arrays with cfdb's values: packed ones unpacked, geometries as WKT text, `""` where
   * there is no text. An array that begins within a chunk, as one that was prepended to does, is rectilinear. The group's
   * attribute `crs` is the coordinate reference system as pyproj writes it.
   */
  format?: "zarr" | "kerchunk" | "icechunk" | "cfdb";
  /** Of a repository of Icechunk's, which is then the `format`: the branch to read. Default `"main"`. */
  branch?: string;
  /** Of a repository of Icechunk's, in place of `branch`: the tag to read. */
  tag?: string;
  /** Of a repository of Icechunk's, in place of `branch`: the id of the snapshot to read, as `Group.snapshots()` has it. */
  snapshot?: string;
  /**
   * Of a repository of Icechunk's: where its containers of virtual chunks are, addresses by their names, absolute or from
   * the repository's own on. Default: what the repository's configuration says; version 1 has it where nobody looks.
   */
  containers?: Record<string, string>;
  /**
   * Makes an address of one that a list of references or a repository has, to be resolved from its own on; `undefined`
   * leaves it to the default. For other schemes, for mirrors, and for signatures that each file needs one of; a
   * repository's own files are asked for as `"repo"`, `"chunks/…"` and so on.
   */
  resolveUrl?: (url: string) => string | URL | undefined;
  /** The one Zarr format to ask for. Default: v3 is asked for, then v2. */
  zarrFormat?: 2 | 3;
  /** Aborts the opening; later reads have their own. */
  signal?: AbortSignal;
  /** Asked instead of the global `fetch`: to sign requests, to count them, to test. HTTP sources only. */
  fetch?: (request: Request) => Promise<Response>;
  /**
   * Sent with every request to the source's own origin. Headers beyond the simple ones cost a CORS preflight each.
   *
   * Outside of browsers they never follow a redirect to another origin. Browsers drop `Authorization` there, but send all
   * others (such as `x-api-key`) on to the other origin if that allows them in its answer to a preflight, and give no
   * script a way to prevent it: where a host that may redirect is given a secret, say `redirect: "error"`. HTTP sources
   * only.
   */
  headers?: HeadersInit;
  /**
   * What is done where a host redirects a request: `"follow"` it, or fail with a `StoreError` (`"error"`), so that nothing
   * is sent to another address. Default `"follow"`. HTTP sources only.
   */
  redirect?: "error" | "follow";
  /** As in `fetch`. HTTP sources only. */
  credentials?: RequestCredentials;
  /** HTTP statuses that mean "nothing stored here". Default `[404]`; many buckets say 403. */
  missingStatuses?: number[];
  /**
   * Requests in flight for one source, however many reads there are. Readers take turns, and a prefetch waits for
   * all of them. Default 24.
   */
  concurrency?: number;
  /**
   * How often a request is repeated after a fault of the network, a status 429 or one from 500 on: after 200 ms,
   * then twice as long each time, give or take a half, or after what Retry-After says if that is up to a minute.
   * Default 3. HTTP sources only.
   */
  retries?: number;
  /**
   * Milliseconds without a byte after which a request is given up: before the answer, or between two parts of it. It is
   * then repeated as after a fault of the network (`retries`), and a `StoreError` in the end. A request that the browser
   * holds back behind others to the same host waits for as long as bytes come for those. Default 30,000; 0 waits for
   * ever. HTTP sources only.
   */
  timeout?: number;
  /** Ranges of one value that lie so many bytes apart, or nearer, come in one request. Default 32 KiB. */
  coalesceGap?: number;
  /** The most bytes of such a request. Default 16 MiB. */
  coalesceMax?: number;
  /**
   * Bytes of chunks that all arrays of one source keep for their next reads, the least recently used dropped first, so that
   * a chunk is not asked for twice. Default 64 MiB; 0 keeps none. A chunk is kept as it is stored, which is smaller; decoded
   * once it is used again, or where reads take parts of it, if its codec is slow (gzip, zstd and others, not lz4). A read that
   * meets more than this many decoded bytes keeps nothing, and of one that meets more than half of it stored bytes alone are
   * kept. Chunks of a `Map` are kept decoded alone. Missing chunks are remembered too. The indexes of shards, up to 16 MiB,
   * are kept in any case. `refresh()` forgets what its array kept, `free()` gives it back.
   */
  cacheBytes?: number;
  /**
   * The number of workers of the page that decode compressed chunks, beside this thread, which decodes as well while they
   * are busy: from 0 to 64, or `"auto"`: one less than there are processors, from one to four, for chunks whose codec is
   * slow enough to be worth the way (gzip, zstd, blosc with zstd; not lz4), started once 8 MiB of decoded chunks are in
   * flight. The arrays of a page share its workers; they end with the last array, by `free()` say, and when idle for 20
   * seconds. Where workers are forbidden, or there are none (Node, the entry `inline`), this thread decodes. Default `"auto"`.
   */
  workers?: "auto" | number;
  /**
   * The name of a cache (of the Cache API) in which the browser keeps stored bytes beyond the page's life, until
   * `refresh()` or `caches.delete(name)`: for archives that do not change. Chunks found there are not asked for. Always
   * asked for are the metadata, what says where chunks are (references, indexes), and the chunks of cfdb files.
   * Default: none. HTTP sources only; without effect where there is no Cache API (Node, pages that are not secure
   * contexts).
   */
  persist?: string;
  /**
   * Refuse, with `UnsupportedError`, to decode a stored chunk of more than this many bytes, decoded. Only its first
   * two bytes are asked for, to find out whether it is stored: where it is not, the fill value is read. Default 1 GiB.
   */
  maxChunkBytes?: number;
  /**
   * Proposals to the Zarr specifications to read, by name, as they stood when this version was made. They may still
   * change; without its name here, an array that uses one is an `UnsupportedError`.
   *
   * `"encoded_chunk_shapes"`: rectilinear chunks that decode to more than they give to the array, such as files of
   * uneven lengths laid end to end (zarr-extensions issue 74, pull request 75, as of 2026-09).
   */
  proposals?: "encoded_chunk_shapes"[];
  /** Called after each request, failed ones too. */
  onRequest?: (info: RequestInfo) => void;
}
