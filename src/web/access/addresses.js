/** Addresses of buckets: their parts, and the HTTPS addresses that they stand for. */

/** Percent-encodes a key for a path: slashes stay, every other character is literal. */
export const encodedKey = (key) => key.split("/").map(encodeURIComponent).join("/");

/**
 * Splits `scheme://bucket/key?query`; undefined for other text.
 *
 * @param {string} url
 * @param {string[]} schemes
 */
export function bucketOf(url, schemes) {
  const [, scheme, bucket, key = "", query = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)(?:\/([^?#]*))?(\?[^#]*)?/i.exec(String(url)) ?? [];
  return scheme && schemes.includes(scheme.toLowerCase()) ? { bucket, key, query } : undefined;
}

/** Makes the check whether a bucket is one of those of the option `buckets`: without it, every one is. */
export function among(buckets) {
  const names = buckets === undefined ? undefined : [buckets].flat();
  if (names?.some((name) => !/^[\w.-]+$/.test(name))) throw new TypeError(`the option buckets must be a list of names, not ${JSON.stringify(buckets)}`);
  return (bucket) => !names || names.includes(bucket);
}

/** Checks an endpoint, and returns its URL without a slash at its end. */
export function endpointOf(endpoint) {
  let url;
  try {
    url = new URL(endpoint);
  } catch {
    throw new TypeError(`the option endpoint must be a URL, such as https://minio.example.org, not ${JSON.stringify(endpoint)}`);
  }
  if (!/^https?:$/.test(url.protocol) || url.search || url.username) throw new TypeError(`the option endpoint must be an https:// or http:// URL without a query or a user, not ${url.protocol}//${url.host}${url.pathname}`);
  return url.href.replace(/\/+$/, "");
}

/** A text that a header can carry, or a TypeError that does not repeat it. */
export function checkedText(text, what) {
  if (/[^!-~]/.test(text)) throw new TypeError(`${what} must be visible ASCII`);
  return text;
}
