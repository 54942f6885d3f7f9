/** First request of an open, sent while the WebAssembly module loads: it saves a cold page one round trip. */

/** Endings of the addresses of virtual stores, by the module that looks up their keys. */
const ENDINGS = { systems: /\.(json|parq|parquet|icechunk|cfdb)\/*([?#]|$)/, files: /\.(nc3|cdf|tiff?)(\/[^/?#]|[?#]|$)/i, hdf5: /\.(nc4|hdf5|h5|he5)(\/[^/?#]|[?#]|$)/i, either: /\.nc(\/[^/?#]|[?#]|$)/i };

/** First bytes of an original file, by the module of its format. */
const MARKS = { files: /^(?:CDF|II|MM)/, hdf5: /^\x89HDF/ };

/** Range of the request for the first bytes of an original file. */
const HEAD = "bytes=0-65535";

/** Whether a source is an address, and no store. */
export const isAddress = (source) => typeof source === "string" || source?.[Symbol.toStringTag] === "URL";

/** Paths of members that need no normalisation. */
const PATH = /^(\w[\w.-]*(\/\w[\w.-]*)*)?$/;

/** URL of an ordinary address, without its fragment; undefined for others. */
function urlOf(source) {
  try {
    const url = new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href);
    url.hash = "";
    return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
  } catch {
    return undefined;
  }
}

/** An address that leads into an original file. */
const INNER = /^(.*?\.(?:nc\d?|cdf|tiff?|h\w*5))\/.+/i;

/**
 * URL that an open asks for first, of an original file or of a `zarr.json`; undefined where the module may ask for something
 * else.
 */
function firstAt(source, path, isFile) {
  const url = isAddress(source) && PATH.test(path) ? urlOf(source) : undefined;
  if (url) url.pathname = isFile ? url.pathname.replace(INNER, "$1") : `${url.pathname.replace(/\/+$/, "")}/${path}${path && "/"}zarr.json`;
  return url?.href;
}

/**
 * Module of the original file with these first bytes.
 *
 * @param {Uint8Array} bytes
 */
export function moduleOf(bytes) {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  return Object.keys(MARKS).find((name) => MARKS[name].test(start));
}

/** First bytes of an answer, which is read by others too. */
async function startOf(answer) {
  const reader = (await answer).clone().body.getReader();
  const { value } = await reader.read();
  reader.cancel();
  return value;
}

/** An address without its host, whose name may end as a file's. */
const withoutHost = (source) => String(source).replace(/^\w[\w+.-]*:\/\/[^/?#]*/, "");

/** Module of the virtual store that the ending of an address says is there: `either` where the first bytes of it tell. */
export const moduleAt = (source) => (isAddress(source) ? Object.keys(ENDINGS).find((name) => ENDINGS[name].test(withoutHost(source))) : undefined);

/** Most requests at a time. The opens beyond wait for the module, which limits their requests. */
const MOST = 6;

/** Requests that the module has not taken, by URL. */
const sent = new Map();

/**
 * Sends the first request of an open, where it is known. Returns a function that aborts it, unless the module took it.
 *
 * @param {unknown} source
 * @param {Record<string, any> | undefined} options
 * @param {() => void} absent called where the document of a plain hierarchy is not there
 * @param {(module?: string) => void} [told] where the address is of an original file: called with its module, if its first bytes tell it
 * @returns {(() => void) | undefined}
 */
export function sendEarly(source, { fetch: own, headers, redirect, zarrFormat, credentials, path, signal } = {}, absent, told) {
  const isPlain = !own && !headers && !redirect && zarrFormat !== 2;
  // Outside of browsers the module is a file, and there is no round trip to save.
  if (!isPlain || !globalThis.location || sent.size >= MOST) return undefined;
  const controller = new AbortController();
  try {
    const url = firstAt(source, path ?? "", told);
    // A second open of an address sends its own request.
    if (!url || sent.has(url)) return undefined;
    const { fetch } = globalThis;
    const range = told ? HEAD : "";
    const request = new Request(url, { credentials: credentials ?? undefined, ...(told && { headers: { Range: range }, cache: "no-store" }), signal: controller.signal });
    const early = { answer: fetch(request), fetch, controller, credentials: request.credentials, cache: request.cache, range };
    // The module reports a failure.
    if (told) startOf(early.answer).then((start) => told(moduleOf(start))).catch(() => {});
    else early.answer.then(({ status }) => status === 404 && absent()).catch(() => {});
    const drop = () => {
      signal?.removeEventListener("abort", drop);
      if (sent.get(url) !== early) return;
      sent.delete(url);
      controller.abort();
    };
    signal?.addEventListener("abort", drop);
    sent.set(url, early);
    return drop;
  } catch {
    // The module says what is wrong with the address or the options.
    controller.abort();
    return undefined;
  }
}

/**
 * Answer of the request that was sent early, if it is the same as this one.
 *
 * @param {(request: Request) => Promise<Response>} fetch
 * @param {Request} request
 * @param {AbortSignal} signal aborts the request from here on
 * @returns {Promise<Response> | undefined}
 */
export function takeEarly(fetch, { url, method, cache, credentials, redirect, headers }, signal) {
  const early = sent.get(url);
  const isSame = early?.fetch === fetch && method === "GET" && cache === early.cache && credentials === early.credentials && redirect === "follow";
  // Another open of the address may have a token, and must not have an answer that was given without it.
  if (!isSame || [...headers.values()].join() !== early.range) return undefined;
  sent.delete(url);
  const follow = () => early.controller.abort(signal.reason);
  signal.addEventListener("abort", follow);
  if (signal.aborted) follow();
  return early.answer;
}
