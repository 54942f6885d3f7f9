/** A zip by its address, as `open` takes it: the hierarchy of Zarr in it, or an original file that it stores. */
import { fileStore, isOriginal } from "./local-file.js";
import { failure } from "./common.js";
import { openZip } from "./zip-store.js";

/** Options of `open` that are those of the zip's requests. */
const REQUESTS = ["signal", "fetch", "headers", "redirect", "retries", "timeout", "credentials"];

/** The address of a zip and a path in it, of an address that leads into one; the query and the fragment are the zip's. */
export function intoZip(source) {
  const [, zip, path, rest] = /^([^?#]*?\.(?:zip|ozx))\/+([^?#]*)(.*)$/is.exec(String(source)) ?? [];
  if (zip === undefined) return undefined;
  try {
    return { zip: zip + rest, path: decodeURIComponent(path) };
  } catch {
    throw failure("StoreError", `${zip}: the path in it is badly encoded: ${JSON.stringify(path)}; write a percent sign as %25`, { key: zip });
  }
}

/** Names of metadata documents. */
const DOCUMENT = /(?:^|\/)(?:zarr\.json|\.zgroup|\.zarray|\.zmetadata)$/;

/** Most names of files that an error lists. */
const MOST_NAMES = 5;

const listed = (names) => names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? ", …" : "");

/** The error that a zip has not what was asked for, with names of what it has. */
function missing(store, what, names) {
  const all = listed(names.map((name) => JSON.stringify(name)));
  return failure("NotFoundError", `${store.place} has ${what}; ${all ? `it has ${all}: open one by an address that ends in its name, or by { path }` : "it has no files"}`, { tried: [store.place] });
}

/** Folders that hold stores: those of metadata documents, without those within others of them. */
function storesIn(names) {
  const folders = [...new Set(names.filter((name) => DOCUMENT.test(name)).map((name) => name.replace(/\/?[^/]*$/, "")))].sort();
  const found = [];
  // A folder comes before what is within it, but other names may lie between them.
  for (const folder of folders) {
    const above = folder.split("/").slice(0, -1).map((_, nth, all) => all.slice(0, nth + 1).join("/"));
    if (!above.some((each) => found.includes(each))) found.push(folder);
  }
  return found;
}

/** The error that a zip has stores in folders, and none at its root, where Zarr's zips have theirs. */
function inFolders(store, folders, isAddress) {
  const [first] = folders;
  const address = isAddress ? `the address ${store.place}/${first.split("/").map(encodeURIComponent).join("/")} or ` : "";
  return failure("NotFoundError", `${store.place} has no Zarr at its root, but in the folder${folders.length > 1 ? "s" : ""} ${listed(folders.map((name) => JSON.stringify(name)))}: open ${address}{ path: ${JSON.stringify(first)} }`, { tried: [store.place] });
}

/**
 * The store of a zip, and the options of opening what is in it; or the address of an original file that the zip stores, with
 * options that answer requests for it, and the file.
 *
 * @param {string | URL | Blob} source
 * @param {any} options of `open`
 * @param {typeof import("../fetch/exchange.js").Exchange} Exchange what sends requests
 */
export async function zipAt(source, options, Exchange) {
  const format = options?.format === "zip" ? undefined : options?.format;
  const rest = { ...options, format };
  const own = Object.fromEntries(REQUESTS.filter((name) => (rest[name] ?? undefined) !== undefined).map((name) => [name, rest[name]]));
  const into = options?.format === "zip" ? undefined : intoZip(source);
  let store;
  try {
    store = await openZip(into?.zip ?? source, own, Exchange);
  } catch (error) {
    // A folder may have such a name.
    if (into && (error.status === 404 || error.status === 403)) return [source, options];
    throw error;
  }
  const path = [into?.path, options?.path].filter(Boolean).join("/");
  const found = store.original(path);
  if (found) return [...(await fileStore(found.file, { ...rest, path: found.below, access: undefined })), found.file];
  const names = into?.path || !path ? [...store.keys()].map((key) => key.slice(1)) : [];
  if (into?.path) {
    const folder = into.path.replace(/\/+$/, "");
    if (!names.some((name) => name.startsWith(`${folder}/`))) throw missing(store, `no file ${JSON.stringify(into.path)}`, names);
    return [store, { ...rest, path: [folder, options?.path].filter(Boolean).join("/") }];
  }
  if (!path) {
    const stores = storesIn(names);
    const originals = names.filter(isOriginal);
    if (originals.length && stores.length === 0) throw missing(store, "no Zarr", originals);
    if (stores.length && !stores.includes("")) throw inFolders(store, stores, typeof source === "string" || source?.[Symbol.toStringTag] === "URL");
  }
  return [store, rest];
}
