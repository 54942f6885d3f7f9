/** Names in buckets and containers, page by page, as S3, Google Cloud Storage, Azure and hosts like them list them. */
import { element, elements, withoutComments } from "./bodies.js";
import { failure } from "../stores/common.js";
import { pageAt, pages } from "./pages.js";

/** A path without percent signs, or as it is where it is badly encoded. */
function decodedPath(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The key of a path with a slash at its end, which is the prefix of all names below it. */
function folderOf(path) {
  const key = decodedPath(path);
  return key === "" || key.endsWith("/") ? key : `${key}/`;
}

/** An address with a query, without parameters that are undefined. Signatures are of `%20`, which URLSearchParams would write as `+`. */
function asked(root, query) {
  const url = new URL(root);
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  url.search = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return url;
}

/** Decodes a name; throws where it is badly encoded. */
function decoded(text, place) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw failure("StoreError", `${place}: a name of the host's list is badly encoded: ${JSON.stringify(text.slice(0, 80))}`, { key: place });
  }
}

/** The text of a page of a list, whose element of all is `root`. */
async function listAt(asking, url, root, place) {
  const text = withoutComments((await pageAt(asking, url)).text);
  if (!new RegExp(`<${root}[\\s>/]`).test(text)) {
    throw failure("StoreError", `${place}: the host's answer is no list of names (${root}); check the endpoint`, { key: place });
  }
  return text;
}

/** The rest of the names that begin with a prefix; a host may send others. */
const below = (names, prefix) => names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));

/**
 * Names one level below a path.
 *
 * @param {URL} root the bucket's address
 * @param {string} path of a key, percent-encoded
 * @param {import("./pages.js").Asking} asking
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export function bucketNames(root, path, asking) {
  const prefix = folderOf(path);
  const place = `${root.origin}${root.pathname.replace(/\/$/, "")}/${prefix}`;
  return pages(async (token) => {
    const url = asked(root, { "list-type": "2", delimiter: "/", "encoding-type": "url", prefix, "continuation-token": token });
    const text = await listAt(asking, url, "ListBucketResult", place);
    // Some hosts write a space as `+`.
    const read = element(text, "EncodingType") === "url" ? (name) => decoded(name.replace(/\+/g, " "), place) : (name) => name;
    const keys = elements(text, "Contents").map((body) => element(body, "Key") ?? "");
    const next = element(text, "IsTruncated") === "true" ? (element(text, "NextContinuationToken") ?? "") : undefined;
    if (next === "") throw failure("StoreError", `${place}: the host's list goes on, and has no token of its next page, so its names are not all known; it must know ListObjectsV2`, { key: place });
    const folders = elements(text, "CommonPrefixes").map((body) => element(body, "Prefix") ?? "");
    return {
      folders: below(folders.map(read), prefix).map((name) => name.replace(/\/$/, "")),
      files: below(keys.map(read), prefix),
      next,
    };
  }, place);
}

/**
 * Names one level below a path.
 *
 * @param {URL} root the container's address, with or without a slash at its end
 * @param {string} path of a key, percent-encoded
 * @param {import("./pages.js").Asking} asking
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export function containerNames(root, path, asking) {
  const prefix = folderOf(path);
  const place = `${root.origin}${root.pathname.replace(/\/+$/, "")}`;
  return pages(async (marker) => {
    const page = asked(place, { restype: "container", comp: "list", delimiter: "/", prefix, marker: marker || undefined });
    const text = await listAt(asking, page, "EnumerationResults", place);
    const nameIn = (body) => element(body, "Name") ?? decoded(element(body, "Name", ' Encoded="true"') ?? "", place);
    const names = (kind) => below(elements(text, kind).map(nameIn), prefix);
    return {
      folders: names("BlobPrefix").map((name) => name.replace(/\/$/, "")),
      files: names("Blob"),
      next: element(text, "NextMarker"),
    };
  }, `${place}/${prefix}`);
}

/** A page of a list as JSON. @returns {{ prefixes?: string[], items?: { name: string }[], nextPageToken?: string }} */
function pageOf(text, place) {
  try {
    const { prefixes = [], items = [], nextPageToken } = JSON.parse(text);
    const areTexts = [...prefixes, ...items.map(({ name }) => name), nextPageToken ?? ""].every((name) => typeof name === "string");
    if (areTexts) return { prefixes, items, nextPageToken };
  } catch {
    // Told below.
  }
  throw failure("StoreError", `${place}: the host's list of names is not that of Google Cloud Storage; check the endpoint, and the option api`, { key: place });
}

/**
 * Names one level below a path, by the JSON interface of Google Cloud Storage.
 *
 * @param {URL} root the address of the bucket's objects
 * @param {string} path of a key, percent-encoded
 * @param {import("./pages.js").Asking} asking
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export function jsonNames(root, path, asking) {
  const prefix = folderOf(path);
  const place = `${root.origin}${root.pathname}/${prefix}`;
  return pages(async (token) => {
    const url = asked(root, { prefix, delimiter: "/", fields: "prefixes,items(name),nextPageToken", pageToken: token });
    const { prefixes = [], items = [], nextPageToken } = pageOf((await pageAt(asking, url)).text, place);
    return {
      folders: below(prefixes, prefix).map((name) => name.replace(/\/$/, "")),
      files: below(items.map(({ name }) => name), prefix),
      next: nextPageToken,
    };
  }, place);
}
