/** A zip by its address, as `open` takes it: the hierarchy of Zarr in it, or an original file that it stores. */
import { fileStore, isOriginal } from "./local-file.js";
import { failure } from "./common.js";
import { openZip } from "./zip-store.js";

/** Options of `open` that are those of the zip's requests. */
const REQUESTS = ["signal", "fetch", "headers", "redirect", "timeout", "credentials"];

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

/** The error that a zip has not what was asked for, with names of what it has. */
function missing(store, what, names) {
  const listed = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name));
  const all = listed.join(", ") + (names.length > MOST_NAMES ? ", …" : "");
  return failure("NotFoundError", `${store.place} has ${what}; ${all ? `it has ${all}: open one by an address that ends in its name, or by { path }` : "it has no files"}`, { tried: [store.place] });
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
    if (into && error.status === 404) return [source, options];
    throw error;
  }
  const path = [into?.path, options?.path].filter(Boolean).join("/");
  const found = store.original(path);
  if (found) return [...(await fileStore(found.file, { ...rest, path: found.below, access: undefined })), found.file];
  if (into || !path) {
    const names = [...store.keys()].map((key) => key.slice(1));
    if (into) throw missing(store, `no file ${JSON.stringify(into.path)}`, names);
    const originals = names.filter(isOriginal);
    if (originals.length && !names.some((name) => DOCUMENT.test(name))) throw missing(store, "no Zarr", originals);
  }
  return [store, rest];
}
