/**
 * The entry point `rectilinear-zarr/stac`: catalogs, collections and items of STAC, and the Zarr, Icechunk, kerchunk and
 * original files that they lead to.
 *
 * @module rectilinear-zarr/stac
 */

import type { Access } from "./access.js";
import type { Group, OpenOptions, RectilinearArray } from "./index.js";

/** Options of `stac`. */
export interface StacOptions {
  /** Access to private catalogs and to the data that they lead to, or a list of these, each for its own hosts. */
  access?: Access | readonly Access[];
  /** Function called in place of the global `fetch`, for documents and for data. */
  fetch?: (request: Request) => Promise<Response>;
  /** Headers sent with requests for documents of the catalog's own origin. */
  headers?: HeadersInit;
  /** Whether cookies are sent, as in `fetch`, with requests for documents. */
  credentials?: RequestCredentials;
  /** Address that links of an object are relative to. Default: its link `self`. */
  url?: string | URL;
  /** Number of repetitions of a request for a document that may succeed later, as of `open`. Default 3. */
  retries?: number;
  /** Milliseconds without a byte after which a request for a document is given up and repeated. Default 30,000. */
  timeout?: number;
  /** Aborts the call, also while it waits for keys. */
  signal?: AbortSignal;
}

/** Filter of items. */
export interface ItemsOptions {
  /** West, south, east and north in degrees; west is larger than east across 180 degrees. Items without a box are left out. */
  bbox?: readonly number[];
  /** A date, or an interval `"start/end"`, in which either may be `".."`; or a list of two. A day is meant whole. */
  datetime?: string | Date | readonly (string | Date | null)[];
  /** Most items. Default 100. */
  limit?: number;
  /** Most documents that are fetched: catalogs, items and pages of an API. Default 2,000. */
  maxDocuments?: number;
  /** Aborts the call. */
  signal?: AbortSignal;
}

/** A catalog, a collection, an item, or a list of items such as an API's answer. */
export interface Stac {
  /** Kind of the document; `"items"` for a list. */
  readonly kind: "catalog" | "collection" | "item" | "items";
  /** Its id; a list has none. */
  readonly id: string | undefined;
  /** Its title, of an item the property. */
  readonly title: string | undefined;
  /** Its description. */
  readonly description: string | undefined;
  /** West, south, east and north in degrees, or with heights six numbers; of a collection its whole extent. */
  readonly bbox: readonly number[] | undefined;
  /** Date, or `"start/end"`, in which either may be `".."`; of a collection its whole extent. */
  readonly datetime: string | undefined;
  /** License: a name of SPDX, or `"other"`. */
  readonly license: string | undefined;
  /** Makers, hosts and licensors of the data. */
  readonly providers: readonly { name: string; url?: string; roles?: string[]; description?: string }[];
  /** Variables by name, as the datacube extension states them. */
  readonly variables: Readonly<Record<string, Record<string, unknown>>> | undefined;
  /** Dimensions by name, as the datacube extension states them. */
  readonly dimensions: Readonly<Record<string, Record<string, unknown>>> | undefined;
  /** Address of the document, after redirects. */
  readonly url: string | undefined;
  /** Assets, the one to open first first: data before others, Icechunk before Zarr before kerchunk, the latest version. */
  readonly assets: readonly StacAsset[];
  /** The document. */
  readonly object: Readonly<Record<string, unknown>>;
  /**
   * Fetches the catalogs and collections one level below; of an API its collections.
   *
   * @param options `limit` is the most that are fetched, by default and at most 1,000; `maxDocuments` that of documents, by
   * default 2,000; `signal` aborts the call.
   * @returns The catalogs and collections.
   * @throws StoreError if a document cannot be fetched
   * @throws UnsupportedError if there are more documents
   * @throws InvalidMetadataError if a document is none of STAC's, or the catalog leads in a circle
   */
  children(options?: { limit?: number; maxDocuments?: number; signal?: AbortSignal }): Promise<Stac[]>;
  /**
   * Fetches items: by the search of an API, page by page, where there is one; else by the links of a static catalog and of
   * those below it, up to eight levels. Filters are compared here too.
   *
   * @param options Filter, and the most items.
   * @returns The items, in the catalog's order.
   * @throws StoreError if a document cannot be fetched
   * @throws UnsupportedError if there are more documents, or catalogs within catalogs
   * @throws InvalidMetadataError if a document is none of STAC's, or the catalog leads in a circle
   * @throws TypeError if a filter has the wrong type
   */
  items(options?: ItemsOptions): Promise<Stac[]>;
}

/** Options of opening an asset: those of every `open`. */
export interface AssetOptions extends OpenOptions {
  /** Name of a band: opens its array. In a pyramid, that of the first level. */
  band?: string;
}

/** An asset: data, or something beside them. */
export interface StacAsset {
  /** Its key. */
  readonly key: string;
  /** Its title. */
  readonly title: string | undefined;
  /** Its description. */
  readonly description: string | undefined;
  /** Its media type. */
  readonly type: string | undefined;
  /** Its roles, such as `"data"`. */
  readonly roles: readonly string[];
  /** Kind of its data. `open` opens all but `"other"`. */
  readonly kind: "zarr" | "icechunk" | "kerchunk" | "cfdb" | "zip" | "netcdf" | "hdf5" | "tiff" | "other";
  /** Address of the store: `Group.open(asset.url, asset.options)` opens the same as `open` does. */
  readonly url: string;
  /** Path in the store; `""` for its root. */
  readonly path: string;
  /** Options of `open` that the asset states: path, format, branch, tag, snapshot. */
  readonly options: Readonly<Pick<OpenOptions, "path" | "format" | "branch" | "tag" | "snapshot">>;
  /** Names of its bands. */
  readonly bands: readonly string[] | undefined;
  /** Variables by name, as the datacube extension states them for the asset, or for the item or collection. */
  readonly variables: Readonly<Record<string, Record<string, unknown>>> | undefined;
  /** Dimensions by name, as the datacube extension states them for the asset, or for the item or collection. */
  readonly dimensions: Readonly<Record<string, Record<string, unknown>>> | undefined;
  /** The entry in the document. */
  readonly object: Readonly<Record<string, unknown>>;
  /**
   * Opens the array of a band.
   *
   * @param options The band, and options of every `open`.
   * @returns The array.
   * @throws UnsupportedError if the asset is of another kind, its address of another scheme, or the band a part of an array
   * @throws NotFoundError if nothing is there
   */
  open(options: AssetOptions & { band: string }): Promise<RectilinearArray>;
  /**
   * Opens the array of a band that may be a part of it, as the best practices for Zarr write them:
   * `"reflectance[band=blue]"` is the array `reflectance` at the label `blue` of its dimension `band`. Labels are those of
   * the coordinate array, else those of the datacube extension.
   *
   * @param band Name of the band.
   * @param options Options of every `open`.
   * @returns The array, and a selection for its `get`: an index along each dimension that the band names, else `null`.
   * @throws UnsupportedError if the asset is of another kind, or its address of another scheme
   * @throws NotFoundError if there is no such array, dimension or label
   *
   * @example
   * import { stac } from "rectilinear-zarr/stac";
   *
   * const item = await stac("https://stac.example.org/item.json");
   * const { array, selection } = await item.assets[0]!.openBand("reflectance[band=blue]");
   * const { data } = await array.get(selection);
   */
  openBand(band: string, options?: OpenOptions): Promise<{ array: RectilinearArray; selection: (number | null)[] }>;
  /**
   * Opens the group that the asset is, or the array.
   *
   * @param options Options of every `open`, over those that the asset states.
   * @returns The group or the array.
   * @throws UnsupportedError if the asset is of another kind, or its address of another scheme
   * @throws NotFoundError if nothing is there
   */
  open(options?: AssetOptions): Promise<Group | RectilinearArray>;
}

/**
 * Reads a catalog, a collection, an item or an answer of an API of STAC (versions 0.6 to 1.1). Documents of more than 10
 * MiB are refused; nothing but documents of catalogs is fetched.
 *
 * @param source The address of a document; the document itself; or a group whose attributes have the convention `stac`,
 * with the access and the options of requests that it was opened with.
 * @param options Options of requests.
 * @returns The catalog, collection, item or list of items.
 * @throws StoreError if a document cannot be fetched
 * @throws NotFoundError if none is there
 * @throws InvalidMetadataError if it is none of STAC's
 *
 * @example
 * import { stac } from "rectilinear-zarr/stac";
 *
 * const catalog = await stac("https://stac.example.org/catalog.json");
 * const [collection] = await catalog.children();
 * const items = await collection?.items({ bbox: [5, 45, 11, 48], datetime: "2024-06-01/.." });
 * const group = await items?.[0]?.assets[0]?.open();
 */
export function stac(source: string | URL | object | Group, options?: StacOptions): Promise<Stac>;
