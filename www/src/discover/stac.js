// Finds the data that a document of STAC leads to: of an item or a collection its first asset, of a catalog that of its first item.
import { readable } from "../model/source.js";
import { accessTo } from "../private/keep.js";
import { isOpened } from "../stac/entries.js";
import { versionIn } from "../history/versions.js";

/** Names of stores, whose addresses are no documents. */
const STORE = /\.(?:zarr|icechunk|cfdb|zip|ozx|parq)\/*$/i;

const dataOf = ({ assets }) => assets.find(isOpened);

/** The first asset with data in a document, or below it; undefined where there is none. */
async function firstData(found, signal) {
  const own = dataOf(found);
  if (own) return own;
  for (const one of found.kind === "item" ? [] : await found.items({ limit: 8, signal })) {
    const data = dataOf(one);
    if (data) return data;
  }
  for (const one of found.kind === "item" ? [] : await found.children({ limit: 8, signal })) {
    const data = dataOf(one);
    if (data) return data;
  }
  return undefined;
}

/** Why a catalog opens nothing; its list may say more. */
const without = (address) => Object.assign(new Error(`${address.split("?")[0]} is a catalog of STAC, whose first items lead to no Zarr, Icechunk, kerchunk or other data that this page opens`), { name: "NotFoundError", stac: address });

/**
 * The places that the data which a document of STAC leads to may mean: a group, or an array; none where the address is no
 * such document. Rejects where it is one that leads to no data.
 */
export async function placesByStac(address, signal) {
  if (STORE.test(new URL(address).pathname)) return [];
  const { stac } = await import("rectilinear-zarr/stac");
  let asset;
  try {
    const { headers, access } = await accessTo(address);
    asset = await firstData(await stac(address, { headers, access, signal }), signal);
  } catch (error) {
    signal?.throwIfAborted();
    // What is no document of STAC has been refused as what it was taken for.
    if (["InvalidMetadataError", "NotFoundError", "StoreError"].includes(error.name)) return [];
    throw error;
  }
  if (!asset) throw without(address);
  const { url, path, options } = asset;
  const name = readable(new URL(url).pathname.replace(/\/+$/, "").split("/").at(-1)) || new URL(url).host;
  const version = versionIn(options.branch, options.tag, options.snapshot);
  const place = { name, path, base: url, source: url, version, stac: address };
  if (path || version) return [place, { ...place, alone: true }];
  const above = new URL(".", url.replace(/\/*(?=\?|$)/, "")).href;
  return [place, { ...place, path: name, base: above, source: above, alone: true }];
}
