/** The class of groups. */

import type { RectilinearArray } from "./array.js";
import type { OpenOptions, Source } from "./source.js";

/** What a group's member is opened with; everything else is as its group was opened. */
export type MemberOptions = Pick<OpenOptions, "signal" | "cacheBytes" | "maxChunkBytes">;

/** What consolidated metadata tells of one array or group. */
export interface TreeEntry {
  /** Its path from the group on: what `array` and `group` take. */
  path: string;
  kind: "array" | "group";
  /** Of an array: length along each axis. */
  shape?: number[];
  /** Of an array: the data type's Zarr v3 name, or what is written where this version does not know it. */
  dtype?: string;
  /** Of an array: a name, or `null`, for each axis, where it names any. */
  dimensionNames?: (string | null)[];
  /** Of an array: for each axis its runs of equal chunks, as `chunkGrid.runs(axis)`; shards where it is sharded. */
  chunkRuns?: { edge: number; count: number }[][];
  /** The user attributes. */
  attrs: Record<string, unknown>;
}

/** A snapshot of a repository: one version of everything in it. */
export interface Snapshot {
  /** What the option `snapshot` of `open` takes. */
  id: string;
  /** The id of the one before; the first one has none. */
  parent?: string;
  /** The words that it was committed with. */
  message: string;
  /** When that was: milliseconds since 1970 UTC, with a fraction, as `new Date()` takes them. */
  writtenAt: number;
  /** What the committer added. */
  metadata: Record<string, unknown>;
}

/** The names of a repository's snapshots: ids by name. */
export interface SnapshotNames {
  branches: Record<string, string>;
  tags: Record<string, string>;
}

/**
 * A Zarr group, opened for reading: attributes, and the arrays and groups in it.
 *
 * Where its metadata is consolidated (inline in a v3 `zarr.json`, or as v2's `.zmetadata`), its members open without
 * a further request. A member that was added later is found all the same: what is not consolidated is asked for.
 * Consolidated metadata that is malformed, or of an unknown kind, counts as none.
 *
 * @example
 * const run = await Group.open("https://host/model_run.zarr");
 * for (const { path, kind, shape } of run.tree() ?? []) console.log(kind, path, shape);
 * const t2m = await run.array("surface/t2m");
 */
export class Group {
  private constructor();
  /**
   * Opens a group. The WebAssembly module is compiled on the first call.
   *
   * Asks for `zarr.json`, and where there is none for Zarr v2's `.zmetadata`, and where there is none either for
   * `.zgroup` and `.zattrs` at once: a consolidated store takes one request in v3, and in v2 two, or one with
   * `zarrFormat: 2`.
   *
   * Rejects as `RectilinearArray.open` does; where an array is found, the error says so.
   */
  static open(source: Source, options?: OpenOptions): Promise<Group>;

  /** The path inside the source, without slashes around it; empty for the source itself. */
  readonly path: string;
  /** The user attributes. */
  readonly attrs: Record<string, unknown>;
  /** The Zarr format, which is that of its members too. */
  readonly zarrFormat: 2 | 3;

  /**
   * Opens an array by its path from this group on. It shares the group's source and its options but `signal`; options
   * given here count for this array alone.
   *
   * Rejects as `RectilinearArray.open` does, and with TypeError for an option that belongs to the source.
   */
  array(path: string, options?: MemberOptions): Promise<RectilinearArray>;
  /** Opens a group by its path from this group on, as `array` does; its members inherit the options. */
  group(path: string, options?: MemberOptions): Promise<Group>;
  /**
   * Opens the coordinates of an array, by their names: for each of its dimensions the array of one axis that has the
   * dimension's name and length, beside it or in a group above it; then what its attribute `coordinates` lists, and of
   * what that of its group lists, as xarray writes it, those of its dimensions alone. What is not there is left out.
   * Where metadata is consolidated, that takes no request. `free()` them as other arrays.
   *
   * Rejects as `array` does.
   *
   * @example
   * const run = await Group.open("https://host/model_run.zarr");
   * const { time, lat, lon } = await run.coordinates("surface/t2m");
   * console.log((await time!.decodeTime()).labels, (await lat!.get()).data);
   */
  coordinates(array: string | RectilinearArray): Promise<Record<string, RectilinearArray>>;
  /**
   * Everything below, each group before what is in it, names in order; `undefined` where nothing is consolidated,
   * because a store cannot be asked what is in it. Asks for nothing. An array that this version cannot read is listed
   * with what is known of it.
   * @throws UnsupportedError past 64 MiB of paths
   */
  tree(): TreeEntry[] | undefined;

  /**
   * Of a repository of Icechunk's: the snapshot that is open and those before it, newest first. Version 2 has them in what
   * was read on opening. Version 1 takes a request for each, one after the other, and the list ends after 1001 of them,
   * with one that has a `parent`.
   *
   * Rejects with UnsupportedError for everything else.
   */
  snapshots(): Promise<Snapshot[]>;
  /**
   * Of a repository of Icechunk's, version 2: its branches and tags, without a request.
   *
   * Rejects with UnsupportedError for everything else: in version 1 each name is a file, and a host cannot be asked which
   * files there are.
   */
  refs(): Promise<SnapshotNames>;

  /**
   * Gives the group's memory back; its members, and openings under way, stay. Every call after that, a second `free()`
   * too, fails with a FreedError.
   */
  free(): void;
  [Symbol.dispose](): void;
}
