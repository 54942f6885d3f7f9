/** Documents of a catalog: fetched within bounds, with the links that lead on. */
import { repeated } from "../access/requests.js";
import { afterRedirects } from "../fetch/redirects.js";
import { cancel } from "../fetch/exchange.js";
import { failure } from "../stores/common.js";

/** Most bytes of one document. */
const MOST_BYTES = 10 << 20;

/** Most documents that one call fetches, where no number is given. */
const MOST_DOCUMENTS = 2000;

/** Documents that are fetched at a time. */
const AT_ONCE = 8;

/** An address for messages: without its query and its user, which may be secrets. */
export const placeOf = (url) => String(url).split(/[?#]/)[0].replace(/\/\/[^/@]*@/, "//");

/**
 * Fetches documents with the caller's options.
 *
 * @typedef {object} Asking
 * @property {(request: Request) => Promise<any>} send
 * @property {HeadersInit} [headers]
 * @property {RequestCredentials} [credentials]
 * @property {string} origin that gets the headers
 * @property {number} [retries]
 * @property {number} [timeout]
 */

/** Documents that one call may fetch: catalogs and pages may lead on without an end. */
export class Budget {
  #place;
  #most;
  /** Documents that are left. */
  left;

  /**
   * @param {string} place address of the catalog, for messages
   * @param {number} [most]
   */
  constructor(place, most = MOST_DOCUMENTS) {
    if (!(most >= 1)) throw new TypeError("the option maxDocuments must be a number from 1 up");
    this.#place = place;
    this.#most = most;
    this.left = most;
  }

  /** Counts a document; throws where it is one too many. */
  take() {
    if (this.left-- >= 1) return;
    throw failure("UnsupportedError", `${this.#place}: ${this.#most} documents of the catalog were fetched, and there are more; give a smaller limit, the address of a catalog below, or a larger option maxDocuments`, { feature: `catalogs of more than ${this.#most} documents` });
  }
}

/**
 * The JSON at an address, and the address that it came from.
 *
 * @param {Asking} asking
 * @param {string} url
 * @param {{ signal?: AbortSignal, method?: string, body?: unknown, headers?: Record<string, string> }} [request]
 * @returns {Promise<{ object: any, url: string }>}
 */
export async function jsonAt(asking, url, { signal, method = "GET", body, headers: own } = {}) {
  const { headers, credentials, origin, retries, timeout } = asking;
  const place = placeOf(url);
  if (!/^https?:/i.test(url)) throw failure("UnsupportedError", `${place}: documents of catalogs are read from https: and http: addresses only`, { feature: "catalogs at other addresses" });
  const { username, password, origin: host } = new URL(url);
  if (username || password) throw failure("UnsupportedError", `${place}: addresses with a user or a password are not requested; use the option headers`, { feature: "a user or a password in an address" });
  const attempted = async (attempt) => {
    const send = ({ url, method, carries, redirect }) => {
      const all = new Headers(carries && host === origin ? headers : undefined);
      for (const [name, value] of Object.entries(own ?? {})) all.set(name, value);
      if (!carries) for (const name of new Headers(headers).keys()) all.delete(name);
      if (!all.has("accept")) all.set("accept", "application/geo+json, application/json");
      const sent = method === "GET" || body === undefined ? undefined : JSON.stringify(body);
      if (sent !== undefined) all.set("content-type", "application/json");
      return attempt.answer(async () => asking.send(new Request(url, { method, headers: all, credentials, signal: attempt.signal, redirect, body: sent })));
    };
    const fail = (reason, { status }) => failure("StoreError", `${place}: ${reason}`, { key: place, status });
    const { response, url: at } = await afterRedirects(new URL(url), { method, hasHeaders: headers !== undefined }, send, ({ body }) => cancel(body), fail);
    if (!response.ok) {
      const isMissing = response.status === 404 || response.status === 410;
      throw failure(isMissing ? "NotFoundError" : "StoreError", `${place}: the host answers a request for a document of the catalog with status ${response.status}`, { url: place, status: response.status });
    }
    const { text, isWhole } = await attempt.text(response, MOST_BYTES);
    if (!isWhole) throw failure("UnsupportedError", `${place}: the document has more than ${MOST_BYTES >> 20} MiB; give the address of an item or a collection of the catalog`, { feature: "documents of this size" });
    // The address that an access signed is no address to keep.
    return { object: parsed(text, place), url: response.redirected ? response.url : at.href };
  };
  return repeated(place, attempted, { signal, retries, timeout });
}

/** The JSON of a text. */
export function parsed(text, place) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw failure("InvalidMetadataError", `${place}: the document is not JSON: ${cause.message}`, { path: "", key: place, cause });
  }
}

/**
 * Links of a document, with absolute addresses; those that are none are left out.
 *
 * @param {any} object
 * @param {string | undefined} base
 * @param {string} rel
 * @returns {any[]}
 */
export function linksOf(object, base, rel) {
  const all = Array.isArray(object?.links) ? object.links.filter((link) => link?.rel === rel && typeof link.href === "string") : [];
  return all.flatMap((link) => {
    const href = addressOf(link.href, base);
    return href === undefined ? [] : [{ ...link, href }];
  });
}

/** An address, relative to another; undefined where it is none. */
export function addressOf(href, base) {
  try {
    return new URL(href, base).href;
  } catch {
    return undefined;
  }
}

/** What a function gives for each of a list, a few at a time, in order. */
export async function each(list, of) {
  const results = [];
  let next = 0;
  const run = async () => {
    while (next < list.length) {
      const at = next++;
      results[at] = await of(list[at]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, list.length) }, run));
  return results;
}

/**
 * Pages of a list, of which each names the next one, by GET or by POST with a body.
 *
 * @param {Asking} asking
 * @param {string} url of the first page
 * @param {{ signal?: AbortSignal, budget: Budget }} bounds
 * @param {{ method?: string, body?: any }} [first]
 */
export async function* pagesFrom(asking, url, { signal, budget }, first = {}) {
  /** @type {any} */
  let request = { ...first, href: url };
  const seen = new Set();
  while (request) {
    budget.take();
    const mark = JSON.stringify([request.method, request.href, request.body]);
    if (seen.has(mark)) throw failure("InvalidMetadataError", `${placeOf(url)}: the pages of the list lead in a circle`, { path: "", key: placeOf(url) });
    seen.add(mark);
    const { method, body, headers } = request;
    const page = await jsonAt(asking, request.href, { signal, method, body, headers });
    yield page;
    const [next] = linksOf(page.object, page.url, "next");
    const isPost = next?.method?.toUpperCase() === "POST";
    request = next && { href: next.href, method: isPost ? "POST" : "GET", headers: next.headers, body: isPost ? (next.merge ? { ...body, ...next.body } : next.body) : undefined };
  }
}
