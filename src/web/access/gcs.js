/** Access to Google Cloud Storage, by a bearer token or by HMAC keys. */
import { accessTo } from "./access-to.js";
import { among, bucketOf, checkedText, encodedKey, endpointOf } from "./addresses.js";
import { onDemand } from "./on-demand.js";
import { bucketAccess } from "./s3.js";

const HOST = "https://storage.googleapis.com";

const SCHEMES = ["gs", "gcs"];

function checkedToken(found) {
  const token = typeof found === "string" ? found : (found?.token ?? found?.access_token);
  if (typeof token !== "string" || token === "") throw new TypeError("credentials of gcs must be a text, or an object with a text token");
  return { token: checkedText(token, "token of gcs"), expiration: found?.expiration };
}

/** Bucket and key of an address of this host, which may name the bucket as a host or in the path. */
function placeOf({ hostname, pathname }) {
  if (hostname.endsWith(".storage.googleapis.com")) return { bucket: hostname.slice(0, -".storage.googleapis.com".length), key: pathname.slice(1) };
  const [, bucket, key = ""] = /^\/([^/]+)(?:\/(.*))?$/.exec(pathname) ?? [];
  return { bucket, key };
}

/**
 * Access to buckets of Google Cloud Storage.
 *
 * @param {import("../../types/access.js").GcsOptions} [options]
 */
export function gcs({ buckets, credentials, hmac, api = "xml", endpoint = HOST } = {}) {
  if (api !== "xml" && api !== "json") throw new TypeError(`the option api must be "xml" or "json", not ${JSON.stringify(api)}`);
  const base = new URL(endpointOf(endpoint));
  if (hmac) return bucketAccess({ endpoint: base.origin, region: "auto", buckets, credentials: hmac }, "gcs", SCHEMES, "hmac", base.origin === HOST);
  const isOwn = among(buckets);
  const covers = (url) => isOwn(placeOf(url).bucket) && (url.origin === base.origin || (base.origin === HOST && url.protocol === "https:" && url.hostname.endsWith(".storage.googleapis.com")));

  /** The address of the JSON interface, which answers pages of all origins. */
  function byJson(url) {
    if (api !== "json" || url.pathname.startsWith("/storage/v1/")) return url.href;
    const { bucket, key } = placeOf(url);
    return `${base.origin}/storage/v1/b/${bucket}/o/${encodeURIComponent(decodeURIComponent(key))}?alt=media`;
  }

  return accessTo({
    name: "gcs",
    plain: { service: "gcs", options: { api, buckets, endpoint }, keys: credentials && "credentials" },
    credentials,
    check: checkedToken,
    address(url) {
      const found = bucketOf(url, SCHEMES);
      return found && isOwn(found.bucket) ? `${base.origin}/${found.bucket}/${encodedKey(found.key)}${found.query}` : undefined;
    },
    covers,
    sign(request, { token }) {
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${token}`);
      return new Request(byJson(new URL(request.url)), new Request(request, { headers, redirect: "error" }));
    },
    hint: "give another token, or a function that returns a new one when it ends",
    async list(url, ask) {
      const { bucket, key } = placeOf(new URL(url));
      const { bucketNames, jsonNames } = await onDemand.names();
      const root = api === "json" ? `${base.origin}/storage/v1/b/${bucket}/o` : `${base.origin}/${bucket}`;
      return (api === "json" ? jsonNames : bucketNames)(new URL(root), key, ask);
    },
  });
}
