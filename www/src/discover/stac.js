// Finds the data that a document of STAC leads to: of an item or a collection its first asset, of a catalog that of its first item.
import { accessTo } from "../private/keep.js";
import { versionIn } from "../history/versions.js";

/** Kinds of assets that the page opens. */
const OPENED = ["icechunk", "zarr", "kerchunk", "cfdb", "zip"];

/** Names of stores, whose addresses are no documents. */
const STORE = /\.(?:zarr|icechunk|cfdb|zip|ozx|parq)\/*$/i;

const dataOf = ({ assets }) => assets.find(({ kind }) => OPENED.includes(kind));

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

/** The places that the data which a document of STAC leads to may mean: a group, or an array; none where the address is no such document. */
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
  if (!asset) return [];
  const { url, path, options } = asset;
  const name = decodeURIComponent(new URL(url).pathname.replace(/\/+$/, "").split("/").at(-1)) || new URL(url).host;
  const version = versionIn(options.branch, options.tag, options.snapshot);
  const place = { name, path, base: url, source: url, version };
  if (path || version) return [place, { ...place, alone: true }];
  const above = new URL(".", url.replace(/\/*(?=\?|$)/, "")).href;
  return [place, { name, path: name, base: above, source: above, alone: true }];
}
