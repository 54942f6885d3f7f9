/**
 * AWS Signature Version 4 for requests to S3 and hosts that speak like it, in a request's query or in its headers.
 *
 * Only what S3 defines: paths are neither normalised nor encoded twice, and bodies are not signed.
 * Spec: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
import { failure } from "../stores/common.js";

const ALGORITHM = "AWS4-HMAC-SHA256";
const UNSIGNED = "UNSIGNED-PAYLOAD";

/** Seconds for which an address that is signed by its query is valid. */
const VALID = 3600;

/** Milliseconds in which such an address stays the same, so that a browser's cache finds what it has. */
const STABLE = 600_000;

const encoder = new TextEncoder();

/** Percent-encodes all but letters, digits and `-._~`, as signatures do. */
const encoded = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));

const hmacKey = (bytes) => crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

const hmac = async (key, text) => crypto.subtle.sign("HMAC", key, encoder.encode(text));

/** The key of a day, a region and a service. */
async function signingKey({ secretAccessKey }, scope) {
  /** @type {BufferSource} */
  let key = encoder.encode(`AWS4${secretAccessKey}`);
  for (const step of scope.split("/")) key = await hmac(await hmacKey(key), step);
  return hmacKey(key);
}

/** Promises of signing keys by scope, for each object of credentials. */
const keys = new WeakMap();

function keyOf(credentials, scope) {
  const known = keys.get(credentials);
  if (known?.scope === scope) return known.key;
  const key = signingKey(credentials, scope);
  keys.set(credentials, { scope, key });
  return key;
}

/** A percent sign that stands for itself. */
const PERCENT = /%(?![\da-f]{2})/gi;

/** A path as it is signed: each segment decoded once and encoded in the one way that all hosts expect. */
const canonicalPath = (pathname) =>
  pathname.split("/").map((segment) => encoded(decodeURIComponent(segment.replace(PERCENT, "%25")))).join("/");

/** Pairs of a query, as they are signed. */
const pairsOf = (search) =>
  search
    .replace(/^\?/, "")
    .split("&")
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf("=");
      const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
      return [encoded(decodeURIComponent(name)), encoded(decodeURIComponent(value))];
    });

const canonicalQuery = (pairs) =>
  pairs
    .map(([name, value]) => `${name}=${value}`)
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
    .join("&");

const canonicalHeader = (value) => value.trim().replace(/\s+/g, " ");

async function signature(credentials, { method, path, query, headers, payload, stamp, scope }) {
  if (!globalThis.crypto?.subtle) throw failure("UnsupportedError", "signatures of S3 need a secure context, which has crypto.subtle: serve the page by https:, or from localhost", { feature: "signatures in a page that is not secure" });
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${canonicalHeader(headers[name])}\n`).join("");
  const canonical = [method, path, query, lines, names.join(";"), payload].join("\n");
  const text = [ALGORITHM, stamp, scope, await sha256(canonical)].join("\n");
  return hex(await hmac(await keyOf(credentials, scope), text));
}

const stampOf = (time) => new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, "");

/**
 * Signs a request in its query: it needs no header, so no preflight.
 *
 * @param {{ method: string, url: string }} request
 * @param {{ accessKeyId: string, secretAccessKey: string, sessionToken?: string }} credentials
 * @param {{ region: string, service?: string, time: number, seconds?: number, query?: Record<string, string>, exact?: boolean }} options
 * `time` in milliseconds since 1970; `query` has further parameters
 * @returns {Promise<string>} the signed address
 */
export async function signedUrl({ method, url }, credentials, { region, service = "s3", time, seconds = VALID, query = {}, exact = false }) {
  const address = new URL(url);
  const stamp = stampOf(exact ? time : Math.floor(time / STABLE) * STABLE);
  const scope = `${stamp.slice(0, 8)}/${region}/${service}/aws4_request`;
  const pairs = pairsOf(address.search);
  const add = (name, value) => pairs.push([encoded(name), encoded(value)]);
  for (const [name, value] of Object.entries(query)) add(name, value);
  add("X-Amz-Algorithm", ALGORITHM);
  add("X-Amz-Credential", `${credentials.accessKeyId}/${scope}`);
  add("X-Amz-Date", stamp);
  add("X-Amz-Expires", String(seconds));
  add("X-Amz-SignedHeaders", "host");
  if (credentials.sessionToken) add("X-Amz-Security-Token", credentials.sessionToken);
  const text = canonicalQuery(pairs);
  const path = canonicalPath(address.pathname);
  const signed = await signature(credentials, { method, path, query: text, headers: { host: address.host }, payload: UNSIGNED, stamp, scope });
  address.search = `?${text}&X-Amz-Signature=${signed}`;
  return address.href;
}

/**
 * The headers that sign a request.
 *
 * @param {{ method: string, url: string }} request
 * @param {{ accessKeyId: string, secretAccessKey: string, sessionToken?: string }} credentials
 * @param {{ region: string, service?: string, time: number, headers?: Record<string, string>, payload?: string }} options
 * `headers` are signed and sent too; `payload` is the hash of the body, where it is signed
 * @returns {Promise<Record<string, string>>}
 */
export async function signedHeaders({ method, url }, credentials, { region, service = "s3", time, headers = {}, payload = UNSIGNED }) {
  const address = new URL(url);
  const stamp = stampOf(time);
  const scope = `${stamp.slice(0, 8)}/${region}/${service}/aws4_request`;
  const sent = { ...headers, "x-amz-date": stamp, "x-amz-content-sha256": payload };
  if (credentials.sessionToken) sent["x-amz-security-token"] = credentials.sessionToken;
  const all = { host: address.host, ...sent };
  const signed = await signature(credentials, {
    method,
    path: canonicalPath(address.pathname),
    query: canonicalQuery(pairsOf(address.search)),
    headers: all,
    payload,
    stamp,
    scope,
  });
  const names = Object.keys(all).sort().join(";");
  const authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signed}`;
  return { ...sent, authorization };
}
