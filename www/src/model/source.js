// Makes a place of what the user gives (an address, a zip, a folder): a source for the package, a name, and a path in it.
import { directoryStore, zipStore } from "rectilinear-zarr/stores";

/** What ends the name of a store: what follows it in an address is the path of a member. */
const STORE = /\.(zarr|zip|json|icechunk|cfdb)$/i;

/** A metadata document, whose address people copy in place of its folder's. */
const DOCUMENT = /\/(zarr\.json|\.zarray|\.zgroup|\.zmetadata|\.zattrs)$/;

const decoded = (segments) => segments.map(decodeURIComponent).join("/");

/** The address without its last `n` segments, and these. */
function cut(url, n) {
  const base = new URL(url);
  const segments = base.pathname.replace(/\/+$/, "").split("/");
  base.pathname = segments.slice(0, segments.length - n).join("/") || "/";
  return { base: base.href, path: decoded(segments.slice(segments.length - n)), name: decodeURIComponent(segments.at(-n - 1) || "") || base.host };
}

/**
 * The places that an address may mean, likeliest first: a member of a store that a segment names; a group; an array
 * that stands beside its coordinates.
 */
export async function placesOf(given, signal) {
  const url = new URL(given);
  url.pathname = url.pathname.replace(/\/+$/, "").replace(DOCUMENT, "");
  const address = url.href;
  const segments = url.pathname.replace(/\/+$/, "").split("/");
  const store = segments.findLastIndex((segment) => STORE.test(segment));
  const within = store < 0 ? 0 : segments.length - 1 - store;
  const place = (n) => {
    const { base, path, name } = cut(address, n);
    return { name, path, base, source: base };
  };
  if (/\.zip$/i.test(segments[store] ?? "")) {
    const zip = await zipStore(place(within).base, { signal });
    return [{ ...place(within), source: zip, keys: [...zip.keys()] }];
  }
  const beside = place(Math.min(1, segments.length - 1));
  return [...(within ? [place(within)] : []), place(0), { ...beside, name: beside.path || beside.name, alone: true }];
}

/** A zip from this device. */
export async function placeOfZip(file, signal) {
  const zip = await zipStore(file, { signal });
  return { name: file.name, path: "", source: zip, keys: [...zip.keys()] };
}

/** A folder's handle, from `showDirectoryPicker` or dropped. */
export const placeOfFolder = (handle) => ({ name: handle.name, path: "", source: directoryStore(handle), folder: handle });

/** A folder as the list of its files, which is how `<input webkitdirectory>` gives it. */
export function placeOfFiles(list) {
  const files = new Map([...list].map((file) => [file.webkitRelativePath.replace(/^[^/]*/, ""), file]));
  const bytes = async (blob) => blob && new Uint8Array(await blob.arrayBuffer());
  const source = {
    get: (key) => bytes(files.get(key)),
    getRange(key, { offset, length, suffixLength }) {
      const file = files.get(key);
      return bytes(suffixLength === undefined ? file?.slice(offset, offset + length) : file?.slice(Math.max(0, file.size - suffixLength)));
    },
  };
  return { name: list[0].webkitRelativePath.split("/")[0], path: "", source, keys: [...files.keys()] };
}

/** The address of a member of a place; undefined where the place is on this device. */
export const addressIn = ({ base }, path) => {
  if (!base) return undefined;
  const url = new URL(base);
  url.pathname = [url.pathname.replace(/\/+$/, ""), ...path.split("/").filter(Boolean).map(encodeURIComponent)].join("/");
  return url.href;
};
