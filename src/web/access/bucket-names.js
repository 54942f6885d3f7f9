/** Names in buckets and containers, page by page, as S3, Google Cloud Storage, Azure and hosts like them list them. */
import { element, elements } from "./bodies.js";
import { failure } from "../stores/common.js";
import { pages, textOf } from "./pages.js";

/** A key with a slash at its end, which is the prefix of all names below it. */
const folderOf = (key) => (key === "" || key.endsWith("/") ? key : `${key}/`);

/** An address with a query, without parameters that are undefined. Signatures are of `%20`, which URLSearchParams would write as `+`. */
function asked(root, query) {
  const url = new URL(root);
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  url.search = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return url;
}

/** Decodes what `encoding-type=url` encodes; some hosts write a space as `+`. */
const decoded = (text) => decodeURIComponent(text.replace(/\+/g, " "));

/**
 * Names one level below a key.
 *
 * @param {URL} root the bucket's address
 * @param {string} key
 * @param {(url: URL) => Promise<Response>} ask
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export function bucketNames(root, key, ask) {
  const prefix = folderOf(key);
  const place = `${root.origin}${root.pathname.replace(/\/$/, "")}/${prefix}`;
  return pages(async (token) => {
    const url = asked(root, { "list-type": "2", delimiter: "/", "encoding-type": "url", prefix, "continuation-token": token });
    const text = await textOf(await ask(url), url);
    const read = element(text, "EncodingType") === "url" ? decoded : (name) => name;
    const below = (name) => read(name).slice(prefix.length);
    const keys = elements(text, "Contents").map((body) => element(body, "Key") ?? "");
    const folders = elements(text, "CommonPrefixes").map((body) => element(body, "Prefix") ?? "");
    return {
      folders: folders.map((name) => below(name).replace(/\/$/, "")),
      files: keys.map(below),
      next: element(text, "IsTruncated") === "true" ? element(text, "NextContinuationToken") : undefined,
    };
  }, place);
}

/**
 * Names one level below a key.
 *
 * @param {URL} root the container's address, with or without a slash at its end
 * @param {string} key
 * @param {(url: URL) => Promise<Response>} ask
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export function containerNames(root, key, ask) {
  const prefix = folderOf(key);
  const place = `${root.origin}${root.pathname.replace(/\/+$/, "")}`;
  return pages(async (marker) => {
    const page = asked(place, { restype: "container", comp: "list", delimiter: "/", prefix, marker: marker || undefined });
    const text = await textOf(await ask(page), page);
    const below = (body) => (element(body, "Name") ?? "").slice(prefix.length);
    return {
      folders: elements(text, "BlobPrefix").map((body) => below(body).replace(/\/$/, "")),
      files: elements(text, "Blob").map(below),
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
 * Names one level below a key, by the JSON interface of Google Cloud Storage.
 *
 * @param {URL} root the address of the bucket's objects
 * @param {string} key
 * @param {(url: URL) => Promise<Response>} ask
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export function jsonNames(root, key, ask) {
  const prefix = folderOf(key);
  const place = `${root.origin}${root.pathname}/${prefix}`;
  return pages(async (token) => {
    const url = asked(root, { prefix, delimiter: "/", fields: "prefixes,items(name),nextPageToken", pageToken: token });
    const { prefixes = [], items = [], nextPageToken } = pageOf(await textOf(await ask(url), url), place);
    return {
      folders: prefixes.map((name) => name.slice(prefix.length).replace(/\/$/, "")),
      files: items.map(({ name }) => name.slice(prefix.length)),
      next: nextPageToken,
    };
  }, place);
}
