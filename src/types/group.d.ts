/** The class of groups. */

import type { RectilinearArray } from "./array.js";
import type { ChunkRun } from "./array-properties.js";
import type { Names } from "./access.js";
import type { OpenOptions } from "./open-options.js";
import type { Source } from "./source.js";

/** Options of opening a member of a group. All other options are those of the group. */
export type MemberOptions = Pick<OpenOptions, "signal" | "cacheBytes" | "maxChunkBytes" | "attrs">;

/** An array or a group, as its metadata describes it. */
export interface TreeEntry {
  /** Path from the group, as `array` and `group` take it. */
  path: string;
  /** Whether it is an array or a group. */
  kind: "array" | "group";
  /** Length of each axis of an array; absent for a group. */
  shape?: number[];
  /** Zarr v3 name of an array's data type; for an unknown data type, the text in the metadata. Absent for a group. */
  dtype?: string;
  /** Name of each dimension of an array, `null` for one without a name; absent if there are none. */
  dimensionNames?: (string | null)[];
  /**
   * Runs of equal chunks along each axis of an array, as `chunkGrid.runs` gives them: shards in a sharded array. Absent
   * for a group.
   */
  chunkRuns?: ChunkRun[][];
  /** User attributes, with bigints for integers beyond 2^53. */
  attrs: Record<string, unknown>;
}

/** A snapshot of an Icechunk repository: one committed version of all its data. */
export interface Snapshot {
  /** Id of the snapshot, as the option `snapshot` of `open` takes it. */
  id: string;
  /** Id of the snapshot before this one; absent for the first one. */
  parent?: string;
  /** Commit message. */
  message: string;
  /** Time of the commit in milliseconds since 1970 UTC, with a fraction; `new Date()` takes it. */
  writtenAt: number;
  /** Metadata of the commit. */
  metadata: Record<string, unknown>;
}

/** Branches and tags of an Icechunk repository. */
export interface SnapshotNames {
  /** Id of the latest snapshot of each branch, by name. */
  branches: Record<string, string>;
  /** Id of the snapshot of each tag, by name. */
  tags: Record<string, string>;
}

/** Options of `Group.toReferences`. */
export interface ReferenceOptions {
  /**
   * Address of the file, as references are to give it. Default: that of the source, or the name of a `File`, which then
   * lies beside the references.
   */
  url?: string | URL;
  /** Paths from the group of arrays and groups to leave out. Default: none. */
  skip?: string[];
  /** Aborts the requests. */
  signal?: AbortSignal;
}

/** References of kerchunk, version 1: for each Zarr key its value as text, or a range of a file. */
export interface References {
  /** Version of the format. */
  version: 1;
  /** Address of the file, for which references write `{{u}}`. */
  templates: {
    /** The address. */
    u: string;
  };
  /**
   * By Zarr key: text, bytes as text after `base64:`, `[url]` for a whole file, or `[url, offset, length]` in bytes.
   */
  refs: Record<string, string | [url: string] | [url: string, offset: number, length: number]>;
}

/**
 * A Zarr group, opened for reading: attributes, arrays and groups in it.
 *
 * If the metadata is consolidated (in the `zarr.json` of v3, or the `.zmetadata` of v2), members open without a further
 * request. Members that were added afterwards are found too: what is not listed is requested. Consolidated metadata
 * that is malformed or of an unknown kind is ignored.
 *
 * @example
 * const run = await Group.open("https://host/model_run.zarr");
 * for (const { path, kind, shape } of await run.tree({ list: true })) console.log(kind, path, shape);
 * const t2m = await run.array("surface/t2m");
 */
export class Group {
  private constructor();
  /**
   * Opens a group. The first call loads and compiles the WebAssembly module.
   *
   * Requests `zarr.json`; if there is none, Zarr v2's `.zmetadata`; if there is none, `.zgroup` and `.zattrs` together.
   * A consolidated group takes one request in v3, two in v2, or one in v2 with `zarrFormat: 2`.
   *
   * @param source A URL, a store, or a `File` of a format that one file holds, such as `.nc`.
   * @param options Options of the source and of all members.
   * @returns The opened group.
   * @throws NotFoundError if nothing is stored there, or a Zarr v2 array
   * @throws InvalidMetadataError if the metadata is not valid Zarr, or is that of a v3 array
   * @throws UnsupportedError if the group or the source needs a feature that is missing
   * @throws StoreError if the store or host fails
   * @throws TypeError if the source is neither a URL nor a store, or an option has the wrong type
   */
  static open(source: Source | Blob, options?: OpenOptions): Promise<Group>;

  /** Path inside the source, without slashes around it; `""` for the source itself. */
  readonly path: string;
  /** User attributes: JSON values, in which integers beyond 2^53 are bigints. Frozen, as those of arrays are. */
  readonly attrs: Readonly<Record<string, unknown>>;
  /** Zarr format of the group and of its members. */
  readonly zarrFormat: 2 | 3;

  /**
   * Opens an array in this group. It shares the source and the options of the group, `signal` excepted.
   *
   * @param path The path from this group, such as `"surface/t2m"`.
   * @param options Options of this array only.
   * @returns The opened array.
   * @throws NotFoundError if there is no such array
   * @throws InvalidMetadataError, UnsupportedError or StoreError as for `RectilinearArray.open`
   * @throws TypeError for an option that belongs to the source
   */
  array(path: string, options?: MemberOptions): Promise<RectilinearArray>;
  /**
   * Opens a group in this group. It shares the source and the options of this group, `signal` excepted.
   *
   * @param path The path from this group.
   * @param options Options of the opened group and its members.
   * @returns The opened group.
   * @throws NotFoundError if there is no such group
   * @throws InvalidMetadataError, UnsupportedError or StoreError as for `Group.open`
   * @throws TypeError for an option that belongs to the source
   */
  group(path: string, options?: MemberOptions): Promise<Group>;
  /**
   * Opens the coordinates of an array, as xarray finds them.
   *
   * They are, for each dimension, the array of one axis with the dimension's name and length, beside the array or in a
   * group above it; then the arrays that the array's attribute `coordinates` lists; then those in the group's attribute
   * `coordinates` whose dimensions the array has. Coordinates that do not exist are left out. With consolidated
   * metadata, no request is made. Free them like other arrays.
   *
   * @param array The path of the array from this group, or the opened array.
   * @returns The opened coordinates, by name.
   * @throws NotFoundError if there is no such array
   * @throws InvalidMetadataError, UnsupportedError or StoreError as for `array`
   *
   * @example
   * const run = await Group.open("https://host/model_run.zarr");
   * const { time, lat, lon } = await run.coordinates("surface/t2m");
   * console.log((await time!.decodeTime()).labels, (await lat!.get()).data);
   */
  coordinates(array: string | RectilinearArray): Promise<Record<string, RectilinearArray>>;
  /**
   * Lists all arrays and groups below this group, in order of their names, each group before its members, as far as that
   * takes no request: `await group.tree({ list: true })` lists them of every group, consolidated or not.
   *
   * @returns The list; without consolidated metadata that which `tree({ list: true })` gave this group last, or
   * `undefined`, because a list takes requests. Arrays that this version cannot read are listed with what is known of
   * them.
   * @throws UnsupportedError if the paths add up to more than 64 MiB
   */
  tree(): TreeEntry[] | undefined;
  /**
   * Lists the same, without a request where the metadata is consolidated; else it asks the store for the names in each
   * group, as by `list`, and once for each folder's metadata. A group within that is consolidated lists its own members.
   * `tree()` has the result from then on.
   *
   * @param options `list: true`; `signal` aborts the requests.
   * @returns The list. Folders that are neither arrays nor groups are left out.
   * @throws StoreError if the host lists no names, refuses, or fails
   * @throws UnsupportedError if the store has no list, or more than 10,000 folders are there
   * @throws TypeError for other options
   *
   * @example
   * const run = await Group.open("https://host/run.zarr");
   * for (const { path, shape } of await run.tree({ list: true })) console.log(path, shape);
   */
  tree(options: { list: true; signal?: AbortSignal }): Promise<TreeEntry[]>;

  /**
   * Lists the names one level below this group, as its store gives them: a bucket (S3, Google Cloud, Azure and hosts like
   * them), a server with an index page (nginx, Apache, Caddy, Python's `http.server`), a store with the method `list`, or
   * a `Map`.
   *
   * @param options `signal` aborts the list.
   * @returns The names, at most 100,000.
   * @throws StoreError if the host lists no names, refuses, or has more
   * @throws UnsupportedError if the group is in a virtual store, or its store has no list
   */
  list(options?: { signal?: AbortSignal }): Promise<Names>;
  /**
   * Lists the arrays and groups below this group, by default one level. With consolidated metadata it is a part of
   * `tree()`, without a request; else the store is asked for names, as by `list`, and once for each folder's metadata.
   *
   * @param options `depth` is the number of levels, `Infinity` for all; default 1. `signal` aborts the requests.
   * @returns The list, in order of names, each group before its members. Folders that are neither are left out.
   * @throws StoreError if the host lists no names, refuses, or fails
   * @throws UnsupportedError if the store has no list, or more than 10,000 folders are there
   */
  members(options?: { depth?: number; signal?: AbortSignal }): Promise<TreeEntry[]>;
  /**
   * Finds where all chunks below this group lie in the file that it was opened from, as JSON of kerchunk: an index to
   * keep or to publish, which this package and Python's zarr (with fsspec) open without reading the file's structure
   * again. For original files, kerchunk, Icechunk and cfdb.
   *
   * Reads the indexes of chunks, not the chunks. Text that HDF5 keeps elsewhere than in chunks, and chunks that skip
   * filters, have no range of the file, so they are read and written into the JSON, at most 64 MiB.
   *
   * @param options What to leave out, and the address to write.
   * @returns The references; `JSON.stringify` makes the file of them.
   * @throws UnsupportedError if an array cannot be read, has a codec that no other reader has (a name that begins with
   * `hdf5.`), or the references would be too many; its message names the array
   * @throws StoreError if the host fails
   *
   * @example
   * const group = await Group.open("https://host/t2m-2024.nc");
   * const json = JSON.stringify(await group.toReferences());
   */
  toReferences(options?: ReferenceOptions): Promise<References>;
  /**
   * Lists the history of an Icechunk repository: the open snapshot and those before it, newest first.
   *
   * Version 2 repositories make no request. Version 1 repositories make one for each snapshot, one after the other; the
   * list ends after 1001 snapshots, the last of which then has a `parent`.
   *
   * @returns The snapshots.
   * @throws UnsupportedError if the group is not in an Icechunk repository
   * @throws StoreError if the host fails
   */
  snapshots(): Promise<Snapshot[]>;
  /**
   * Lists the branches and tags of an Icechunk repository of version 2. Makes no request.
   *
   * @returns The id of a snapshot for each branch and tag.
   * @throws UnsupportedError for anything else: in version 1 each name is a file, and a host cannot be asked for its
   * files
   */
  refs(): Promise<SnapshotNames>;

  /**
   * Tells what a console shows of the group: its path and the names of its attributes.
   *
   * @returns The text.
   */
  toString(): string;
  /**
   * Describes the group for people: `JSON.stringify` calls it.
   *
   * @returns Path, format, and the names of the attributes.
   * @throws FreedError if the group was freed
   */
  toJSON(): object;

  /**
   * Frees the group's memory. Its members, and openings under way, are not affected; every later call rejects or
   * throws.
   *
   * @returns Nothing.
   * @throws FreedError if the group was freed before
   */
  free(): void;
  /**
   * Frees the group at the end of the block of a `using` declaration.
   *
   * @returns Nothing.
   * @throws FreedError if the group was freed before
   */
  [Symbol.dispose](): void;
}
