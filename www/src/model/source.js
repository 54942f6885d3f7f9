// Makes a place of what the user gives (an address, a zip, a folder): a source for the package, a name, and a path in it.
import { accessTo } from "../private/keep.js";

// Zips and folders are read by an entry of the package that loads with the first of them.
const stores = () => import("rectilinear-zarr/stores");
const zipStore = (...given) => stores().then((entry) => entry.zipStore(...given));

/** Addresses of buckets as their tools write them, and where these answer browsers. */
const BUCKETS = {
  "s3:": (bucket) => (bucket.includes(".") ? `https://s3.amazonaws.com/${bucket}` : `https://${bucket}.s3.amazonaws.com`),
  "gs:": (bucket) => `https://storage.googleapis.com/${bucket}`,
};
BUCKETS["s3a:"] = BUCKETS["s3:"];
BUCKETS["gcs:"] = BUCKETS["gs:"];

/** Azure's addresses, `abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH`. */
const AZURE = /^(?:abfs|wasb)s?:\/\/([^@/]+)@([^./]+)\.(?:dfs|blob)\.([^/]+)/i;

/** The web address that a text means, relative to `base`; rejects, in words, what no browser can read. */
export function webAddress(text, base = document.baseURI) {
  const given = text.trim().replace(AZURE, "https://$2.blob.$3/$1");
  const [, scheme, bucket, rest] = /^([a-z][a-z0-9+.-]*:)\/\/([^/]*)(.*)$/i.exec(given) ?? [];
  const name = scheme?.toLowerCase();
  if (Object.hasOwn(BUCKETS, name) && bucket) return `${BUCKETS[name](bucket)}${rest}`;
  const say = (message) => Object.assign(new Error(message), { name: "Address" });
  if (name === "file:") throw say("A page cannot read file:// addresses. Pick the store with “Folder…” or “File…”.");
  if (name && !/^https?:$/.test(name)) throw say(`“${scheme}//” is no address that a browser can read. It reads https://, and s3://, gs:// and abfs:// by their hosts' web addresses.`);
  try {
    return new URL(given, base).href;
  } catch {
    throw say(`“${text}” is not a web address; one begins with https://.`);
  }
}

/** The address of a catalog as a link names it; undefined where it is none, as data are read without. */
export function catalogAddress(text) {
  try {
    return text && webAddress(text);
  } catch {
    return undefined;
  }
}

/** Endings of the name of a store, or of an original file: the rest of an address is the path of a member. */
const STORE = /\.(zarr|zip|ozx|json|icechunk|cfdb|nc[34]?|cdf|h5|hdf5|he5|tiff?)$/i;

/** A metadata document, whose address people copy in place of its folder's. */
const DOCUMENT = /\/(zarr\.json|\.zarray|\.zgroup|\.zmetadata|\.zattrs)$/;

/** A segment of an address as people read it; one with a "%" that stands for itself stays as it is. */
export function readable(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const decoded = (segments) => segments.map(readable).join("/");

/** The address without its last `n` segments, and these. */
function cut(url, n) {
  const base = new URL(url);
  const segments = base.pathname.replace(/\/+$/, "").split("/");
  base.pathname = segments.slice(0, segments.length - n).join("/") || "/";
  return { base: base.href, path: decoded(segments.slice(segments.length - n)), name: readable(segments.at(-n - 1) || "") || base.host };
}

/** Whether an address has the name of a store in it, and so says where the store ends. */
export const namesStore = (address) => new URL(address).pathname.split("/").some((segment) => STORE.test(segment));

/**
 * The places that an address may mean, likeliest first: a member of a store that a segment names; a group; an array
 * that stands beside its coordinates. With the `version` of a repository, a member of one: where no segment names it, of one that ends anywhere.
 */
export async function placesOf(given, signal, version) {
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
  if (/\.(?:zip|ozx)$/i.test(segments[store] ?? "")) {
    const { base } = place(within);
    const { access, ...others } = await accessTo(base);
    const zip = await zipStore(base, { signal, ...others, ...(access && { fetch: async (request) => fetch(await access(request)) }) });
    return [{ ...place(within), source: zip, keys: [...zip.keys()] }];
  }
  if (version) {
    const ends = store < 0 ? segments.slice(1).map((_, n) => n) : [within];
    return ends.map((n) => ({ ...place(n), version }));
  }
  const beside = place(Math.min(1, segments.length - 1));
  return [...(within ? [place(within)] : []), place(0), { ...beside, name: beside.path || beside.name, alone: true }];
}

/** A file from this device: a zip by its first bytes, and else what the package finds it to be. */
export async function placeOfFile(file, signal) {
  const [p, k] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (p !== 0x50 || k !== 0x4b) return { name: file.name, path: "", source: file };
  const zip = await zipStore(file, { signal });
  return { name: file.name, path: "", source: zip, keys: [...zip.keys()] };
}

/** A folder's handle, from `showDirectoryPicker` or dropped. */
export const placeOfFolder = async (handle) => ({ name: handle.name, path: "", source: (await stores()).directoryStore(handle), folder: handle });

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
