/** Options of `RectilinearArray.open` and `Group.open`. */

import type { Access } from "./access.js";
import type { CodecRegistry } from "./codecs.js";
import type { RequestInfo } from "./source.js";

/** Options of opening an array or a group. Later reads use them too, `signal` excepted. */
export interface OpenOptions {
  /**
   * Path of the array or group inside the source. It is taken literally: without percent-encoding, `.` or `..`; slashes
   * around it are ignored. Default: the source itself is the array or group.
   */
  path?: string;
  /** The Zarr format to ask for. Default: v3 first, then v2. */
  zarrFormat?: 2 | 3;
  /**
   * Kind of the source at the URL:
   * - `"zarr"`: a Zarr hierarchy;
   * - `"kerchunk"`: a JSON document of kerchunk references, version 0 or 1, or a folder of them in Parquet;
   * - `"icechunk"`: the folder of an Icechunk repository, version 1 or 2 of its specification;
   * - `"cfdb"`: a cfdb file;
   * - `"netcdf"`: a NetCDF-3 file, whose variables are arrays, or a NetCDF-4 file;
   * - `"hdf5"`: an HDF5 or NetCDF-4 file, whose groups are groups and whose datasets are arrays;
   * - `"tiff"`: a TIFF, BigTIFF, GeoTIFF or OME-TIFF file, whose levels are the arrays `0`, `1`, …;
   * - `"zip"`: a zip of a Zarr hierarchy, or a `Blob` of one, as `zipStore` reads it. Of the options of HTTP sources,
   *   `signal`, `fetch`, `access`, `headers`, `redirect`, `timeout` and `credentials` apply to it. Where `path` begins
   *   with the name of a NetCDF, HDF5 or TIFF file in it, that is opened; the zip must store it without compression, or
   *   it is an UnsupportedError.
   *
   * Default: the content decides for URLs that end in `.json`, `.json.zst`, `.parq`, `.parquet`, `.icechunk`, `.cfdb`,
   * `.nc`, `.nc3`, `.nc4`, `.cdf`, `.h5`, `.hdf5`, `.he5`, `.tif` or `.tiff`; those that end in `.zip` or `.ozx` are
   * zips, and `https://host/all.zip/t2m.nc` is a file in one. Every other URL is taken for Zarr; if no Zarr is there but
   * an Icechunk repository, a folder of references in Parquet or a NetCDF, HDF5 or TIFF file is, that is opened.
   *
   * References in Parquet open with one request, `.zmetadata`, then take one for each file of `record_size` chunks.
   * Paths in them are relative to the folder.
   *
   * Icechunk opens with two requests (version 1: three), then one for each manifest that is needed. The query string of
   * the URL is sent for every file of the repository. `refresh()` looks where the branch is now. Checksums of virtual
   * chunks are not compared.
   *
   * References and virtual chunks are read from `https:` addresses, `s3:`, `gs:` and `abfs:` buckets, and files beside
   * the document; near ranges of one file come in one request, and inlined values cost none. Other schemes are refused
   * with an UnsupportedError; `resolveUrl` can map them. `headers` and `credentials` are sent to the origin of the URL
   * only. `tree()` lists everything.
   *
   * NetCDF, HDF5 and TIFF files open with one request for their first 64 KiB, and more where their structure lies
   * elsewhere. The first bytes decide between the formats of files, whatever the name or this option says. A `File`
   * opens too, where its name or this option says what it is.
   *
   * cfdb opens an array with three requests. A chunk takes two more at first, and one once the index of the file has
   * been read, which happens at once if it is short, otherwise after about fifty look-ups. Arrays hold cfdb's values:
   * packed values are unpacked, geometries are WKT text, missing text is `""`. An array that begins within a chunk, as
   * after a prepend, is rectilinear. The attribute `crs` of the group is the coordinate reference system as pyproj
   * writes it.
   */
  format?: "zarr" | "kerchunk" | "icechunk" | "cfdb" | "netcdf" | "hdf5" | "tiff" | "zip";
  /** Icechunk branch to read. Default `"main"`. Sets `format` to `"icechunk"`. */
  branch?: string;
  /** Icechunk tag to read, in place of a branch. Sets `format` to `"icechunk"`. */
  tag?: string;
  /**
   * Icechunk snapshot to read, in place of a branch: an `id` from `Group.snapshots()`. Sets `format` to `"icechunk"`.
   */
  snapshot?: string;
  /**
   * Addresses of Icechunk's virtual chunk containers, by container name; absolute, or relative to the repository.
   * Default: those in the repository's configuration, with the endpoints of buckets (version 2 only). Sets `format` to `"icechunk"`.
   */
  containers?: Record<string, string>;
  /**
   * Maps the address of a referenced file to the address to read: for other schemes, mirrors, or signatures for each
   * file. A repository's own files are passed by their path, such as `"repo"` or `"chunks/…"`. The result is
   * absolute, or relative to the URL of the source; `undefined` keeps the address.
   */
  resolveUrl?: (url: string) => string | URL | undefined;
  /** Aborts the opening: it rejects with `signal.reason`. Reads take a signal of their own. */
  signal?: AbortSignal;
  /** Function called in place of the global `fetch`: to sign requests, to count them, to test. HTTP sources only. */
  fetch?: (request: Request) => Promise<Response>;
  /**
   * Keys to private buckets: what `s3`, `gcs` or `azure` of `rectilinear-zarr/access` return, or a list of these, each for
   * its own hosts. HTTP sources, and files that virtual stores refer to.
   */
  access?: Access | readonly Access[];
  /**
   * Headers sent with every request to the origin of the URL. HTTP sources only. On other origins, headers that CORS
   * does not count as simple make the browser send a preflight first.
   *
   * If a host redirects to another origin, browsers drop `Authorization` but pass on all other headers, such as
   * `x-api-key`, and scripts cannot prevent it. Set `redirect: "error"` if a header is secret and the host may
   * redirect. Outside of browsers no header follows a redirect to another origin.
   */
  headers?: HeadersInit;
  /**
   * Action if the host redirects: `"follow"`, or fail with a StoreError (`"error"`). Default `"follow"`. HTTP
   * sources only.
   */
  redirect?: "error" | "follow";
  /** Whether cookies are sent, as in `fetch`. HTTP sources only. */
  credentials?: RequestCredentials;
  /** HTTP statuses that mean "nothing is stored here". Default `[404]`. Where 403 may mean it too, the host is asked. */
  missingStatuses?: number[];
  /**
   * Number of requests under way for one source, over all its reads. Reads take turns; prefetches come last. Default
   * 24.
   */
  concurrency?: number;
  /**
   * Number of repetitions of a request after a network failure, a timeout, or a status of 429 or from 500 on. The first
   * repetition waits 200 ms and each later one twice as long, plus or minus half; a `Retry-After` of up to a minute
   * takes precedence. Default 3. HTTP sources only.
   */
  retries?: number;
  /**
   * Milliseconds without a byte, before the answer or between two parts of it, after which a request is given up and
   * repeated (`retries`). Time in which the browser holds a request back behind others to the same host does not count
   * as long as those receive bytes. Default 30,000; 0 waits for ever. A part of the package's own WebAssembly has as long
   * to answer, and ten times as long to arrive; then the call that waits for it rejects with an `UnsupportedError`, and
   * the next one asks for the part again.
   */
  timeout?: number;
  /** Largest gap in bytes between two ranges of one value that come in one request. Default 32 KiB. */
  coalesceGap?: number;
  /** Largest number of bytes of a request that combines ranges. Default 16 MiB. */
  coalesceMax?: number;
  /**
   * Bytes of chunks cached for later reads, for all arrays of one source together; the least recently used chunk is
   * dropped first. Default 64 MiB; 0 caches none.
   *
   * A chunk is cached as stored. It is cached decoded if its codec is slow (gzip, zstd and others, but not lz4) and it is
   * used again or read in parts; chunks of a `Map` are cached only decoded. A read of more decoded bytes than this caches
   * nothing, and a read of more than half of it caches only stored bytes. Missing chunks are remembered too. In
   * addition, up to 16 MiB of shard indexes are cached. `refresh()` forgets what its array cached; `free()` releases it.
   */
  cacheBytes?: number;
  /**
   * Number of workers that decode compressed chunks beside the calling thread, from 0 to 64, or `"auto"`, or a function
   * that starts a worker from a worker file of yours, with the custom codecs that the file registers. Default
   * `"auto"`: one less than the number of processors, but from 1 to 4, started once 8 MiB of decoded chunks are under
   * way, for chunks of slow codecs (gzip, zstd, blosc with zstd; not lz4). A number starts as many with the first
   * compressed chunk.
   *
   * All arrays of a page share the workers. They end with the last array, or after 20 idle seconds. Where workers are
   * not available (Node, the entry point `inline`, a policy that forbids them), the calling thread decodes.
   *
   * A function is called for each worker, as many times as `"auto"` would start one. Arrays that are opened with the
   * same function share its workers. Where it throws, or returns something else, `reportError` is called with the
   * error; where its worker never answers, nothing is sent there. The calling thread decodes in both cases.
   *
   * @example
   * const start = () => new Worker(new URL("../my-worker.js", import.meta.url), { type: "module" });
   * const array = await RectilinearArray.open("https://host/slide.zarr/0", { workers: start });
   */
  workers?: "auto" | number | (() => Worker);
  /**
   * Name of a cache of the Cache API in which stored bytes outlive the page, until `refresh()` or
   * `caches.delete(name)`. Meant for archives that do not change. Default: none. HTTP sources only; without effect
   * where there is no Cache API (Node, pages that are not secure contexts).
   *
   * Chunks found in the cache are not requested, nor is the structure of NetCDF, HDF5 and TIFF files beyond their first
   * 64 KiB, unless these or the file's ETag, date or length are others than when it was kept. Metadata, references,
   * Icechunk manifests and chunks of cfdb files are always requested. In place of a query, which may be a signature, a
   * kept address has its digest: bytes that were kept by one signature are not found by another.
   */
  persist?: string;
  /**
   * Largest decoded size in bytes of a stored chunk; a larger one is refused with an UnsupportedError. Of such a chunk
   * only two bytes are requested, to learn whether it is stored: a missing chunk reads as the fill value. Default 1
   * GiB.
   */
  maxChunkBytes?: number;
  /**
   * Proposals to the Zarr specifications to accept, by name. They may still change; an array that uses a proposal not
   * named here is refused with an UnsupportedError.
   *
   * `"encoded_chunk_shapes"`: rectilinear chunks that decode to more elements than they contribute, such as files of
   * different lengths laid end to end (zarr-extensions issue 74 and pull request 75, as of 2026-09).
   *
   * `"sharding_remainder"`: shards whose edges the inner chunks do not divide, so that the last inner chunk along an
   * axis is smaller (zarr-specs pull request 370, as of 2026-09). Without it, an array that needs it is refused with an
   * InvalidMetadataError that names the axis.
   */
  proposals?: ("encoded_chunk_shapes" | "sharding_remainder")[];
  /**
   * Custom codecs for the arrays of this source, such as zarrita's `registry`: for codecs that this package does not
   * have itself. The page's `codecs` follow. Their results are checked; codecs of a shard's index are not looked for.
   */
  codecs?: CodecRegistry;
  /**
   * Whether attributes are wanted where they are a document of their own, as in Zarr v2: `false` spares the request for
   * `.zattrs`, as zarrita's option does. What is opened then has no attributes, and an array no names of dimensions:
   * packed numbers are read as they are stored. Attributes that come without a request, of v3 and in consolidated
   * metadata, are there all the same. Members of a group have an option of their own. Default `true`.
   */
  attrs?: boolean;
  /** Called after each request, failed ones included. */
  onRequest?: (info: RequestInfo) => void;
}
