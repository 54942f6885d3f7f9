// The entries of a catalog of STAC for a list: catalogs below it, collections with data of their own, items, and the data that each has.
import { versionIn } from "../history/versions.js";

/** Kinds of assets that the page opens. */
const OPENED = ["icechunk", "zarr", "kerchunk", "cfdb", "zip", "netcdf", "hdf5", "tiff"];

/** Whether the page opens an asset's data. */
export const isOpened = ({ kind, url }) => OPENED.includes(kind) && /^https?:/i.test(url);

/** The address of an asset's data: that of the store, and a path in it. */
export function addressOfAsset({ url, path }) {
  if (!path) return url;
  const address = new URL(url);
  address.pathname = [address.pathname.replace(/\/+$/, ""), ...path.split("/").filter(Boolean).map(encodeURIComponent)].join("/");
  return address.href;
}

/** The version of a repository that an asset names. */
export const versionOfAsset = ({ options }) => versionIn(options.branch, options.tag, options.snapshot);

const words = (...all) => all.flat(3).filter((text) => typeof text === "string" && text).join("\n").toLowerCase();

function entryOf(document) {
  const { kind, id, title, datetime, description, assets, object, url, variables } = document;
  const data = assets.filter(isOpened);
  const isBranch = kind === "catalog" || kind === "collection";
  const named = assets.map(({ key, title: its, bands }) => [key, its, bands ?? []]);
  return {
    title: title ?? id ?? "without a name",
    facts: [datetime?.replace(/T00:00:00(?:\.0+)?Z/g, ""), typeof object.collection === "string" ? object.collection : undefined].filter(Boolean),
    below: isBranch ? url : undefined,
    data,
    others: [...new Set(assets.filter((asset) => !isOpened(asset)).map(({ kind: its }) => its))],
    text: words(id, title, description, datetime, object.collection, object.properties?.keywords ?? object.keywords ?? [], Object.keys(variables ?? {}), named),
  };
}

/**
 * What a catalog lists, as `{ title, entries, isWhole }`: where others are below it, these and not what is in them, of which
 * each has a list of its own; else its items, at most `limit`.
 */
export async function entriesOf(document, { limit, signal }) {
  const { kind, title, id, object } = document;
  if (kind === "item") return { title: title ?? id, entries: [entryOf(document)], isWhole: true };
  const children = kind === "items" ? [] : await document.children({ limit, signal });
  const hasItems = Array.isArray(object.links) && object.links.some((link) => link?.rel === "item");
  const items = children.length && !hasItems ? [] : await document.items({ limit, signal });
  const own = document.assets.some(isOpened) ? [{ ...entryOf(document), below: undefined }] : [];
  const entries = [...own, ...children.map(entryOf), ...items.map(entryOf)];
  return { title: title ?? id ?? "search results", entries, isWhole: children.length < limit && items.length < limit };
}

/** Whether an entry has all words of a search. */
export const isFound = ({ text }, wanted) => wanted.toLowerCase().split(/\s+/).every((word) => text.includes(word));
