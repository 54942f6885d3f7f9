/** Access to S3, and to hosts that speak like it: MinIO, SeaweedFS, Ceph, R2, Garage, and Google Cloud Storage with HMAC keys. */
import { accessTo } from "./access-to.js";
import { among, bucketOf, checkedText, encodedKey, endpointOf } from "./addresses.js";
import { onDemand } from "./on-demand.js";

/** A region where none is given: S3 answers with the right one. */
const REGION = "us-east-1";

/** Hosts of AWS: `s3.REGION.amazonaws.com`, with or without the bucket, or an access point, before it. */
const AWS = /^(?:(.+)\.)?s3[.-](?:(?:dualstack|accelerate|fips|accesspoint)[.-])*(?:([a-z]{2}(?:-[a-z]+)+-\d+)\.)?amazonaws\.com(?:\.cn)?$/;

/** A copy, as the caller may renew an object in place. AWS STS writes the names with capitals. */
function checkedKeys(found) {
  const field = (name) => found?.[name] ?? found?.[name[0].toUpperCase() + name.slice(1)];
  const [accessKeyId, secretAccessKey] = ["accessKeyId", "secretAccessKey"].map((name) => {
    const text = field(name);
    if (typeof text !== "string" || text === "") throw new TypeError(`credentials of s3 must have the texts accessKeyId and secretAccessKey; ${name} is missing`);
    return text;
  });
  const sessionToken = field("sessionToken");
  checkedText(accessKeyId + (sessionToken ?? ""), "credentials of s3");
  return { accessKeyId, secretAccessKey, sessionToken, expiration: field("expiration") };
}

/**
 * Access to buckets of S3.
 *
 * @param {import("../../types/access.js").S3Options} [options]
 */
export const s3 = (options) => bucketAccess(options, "s3", ["s3", "s3a", "s3n"], "credentials");

/**
 * Access to buckets by signatures of S3.
 *
 * @param {import("../../types/access.js").S3Options | undefined} options
 * @param {string} name of the service, for messages
 * @param {string[]} schemes of its addresses
 * @param {string} option that holds its keys
 * @param {boolean} [isByHost] whether addresses with the bucket in the host are of the endpoint too
 */
export function bucketAccess({ region, endpoint, forcePathStyle = endpoint !== undefined, buckets, credentials, requesterPays = false, by = "query" } = {}, name, schemes, option, isByHost = !forcePathStyle) {
  if (by !== "query" && by !== "headers") throw new TypeError(`the option by must be "query" or "headers", not ${JSON.stringify(by)}`);
  const base = endpoint === undefined ? undefined : endpointOf(endpoint);
  const own = base && new URL(base);
  // Loads beside the WebAssembly module. Where that fails, the first request tries again.
  if (credentials !== undefined) onDemand.sigv4().catch(() => {});
  /** @type {Record<string, string>} */
  const payer = requesterPays ? { "x-amz-request-payer": "requester" } : {};
  /** Regions that hosts have named, by bucket. */
  const regions = new Map();

  /**
   * Address of the bucket of a URL, its name, and the region that is in the URL; undefined where it is not of this service.
   *
   * @returns {any}
   */
  function placeAt(url) {
    const inPath = (root, at) => {
      const bucket = url.pathname.slice(root.length + 1).split("/")[0];
      return { bucket, root: `${url.origin}${root}/${bucket}`, region: at };
    };
    if (!own) {
      const [found, bucket, at] = AWS.exec(url.hostname) ?? [];
      if (found === undefined || url.protocol !== "https:") return undefined;
      return bucket === undefined ? inPath("", at) : { bucket, root: `${url.origin}/`, region: at };
    }
    const root = own.pathname.replace(/\/+$/, "");
    if (url.protocol !== own.protocol || !`${url.pathname}/`.startsWith(`${root}/`)) return undefined;
    if (url.host === own.host) return inPath(root);
    const isBelow = isByHost && url.host.endsWith(`.${own.host}`);
    return isBelow ? { bucket: url.host.slice(0, -own.host.length - 1), root: `${url.origin}${root}/`, region: undefined } : undefined;
  }

  const isOwn = among(buckets);

  const regionOf = ({ bucket, region: at }) => regions.get(bucket) ?? at ?? region ?? REGION;

  /** HTTPS address of a bucket, without a slash at its end. */
  function home(bucket) {
    if (own) return forcePathStyle ? `${base}/${bucket}` : `${own.protocol}//${bucket}.${own.host}${own.pathname.replace(/\/+$/, "")}`;
    // Without a region, the name of the host leads to that of the bucket.
    const at = regions.get(bucket) ?? region;
    const host = at ? `s3.${at}.amazonaws.com${at.startsWith("cn-") ? ".cn" : ""}` : "s3.amazonaws.com";
    // A host name has no capital letters, and S3's certificate covers no further dots.
    return forcePathStyle || /[.A-Z]/.test(bucket) ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
  }

  /** The URL that a request goes to: in a bucket's region, where its host has named one. */
  function placed(url, { bucket }) {
    const known = regions.get(bucket);
    if (own || !known) return url.href;
    const to = new URL(url);
    to.hostname = url.hostname.replace(/s3[.-](dualstack\.)?(?:[a-z0-9-]+\.)?(amazonaws\.com)/, `s3.$1${known}.$2`);
    return to.href;
  }

  return accessTo({
    name,
    plain: { service: name, options: { region, endpoint, forcePathStyle, buckets, requesterPays, by }, keys: credentials && option },
    credentials,
    check: checkedKeys,
    address(url) {
      const found = bucketOf(url, schemes);
      return found && isOwn(found.bucket) ? `${home(found.bucket)}/${encodedKey(found.key)}${found.query}` : undefined;
    },
    covers(url) {
      const place = placeAt(url);
      return place !== undefined && isOwn(place.bucket);
    },
    async sign(request, found, time) {
      const { method } = request;
      const { signedHeaders, signedUrl } = await onDemand.sigv4();
      const here = new URL(request.url);
      const place = placeAt(here);
      const url = placed(here, place);
      const options = { region: regionOf(place), time };
      if (by === "query") {
        return new Request(await signedUrl({ method, url }, found, { ...options, query: payer }), request);
      }
      const all = new Headers(request.headers);
      for (const [name, value] of Object.entries(await signedHeaders({ method, url }, found, { ...options, headers: payer }))) all.set(name, value);
      // A redirect to another host would carry the headers along, and may be to the bucket's region.
      return new Request(url, new Request(request, { headers: all, redirect: "manual" }));
    },
    moves({ region: named, isElsewhere }, status, url) {
      const place = placeAt(url);
      const isOther = named !== undefined && named !== regionOf(place) && (status === 301 || status === 307 || isElsewhere === true);
      if (isOther) regions.set(place.bucket, named);
      return isOther;
    },
    hint: "give other credentials, or a function that returns new ones when they end",
    async list(url, ask) {
      const at = new URL(url);
      const place = placeAt(at);
      if (!place) throw new TypeError(`${at.origin} is not of this access to ${name}`);
      const root = new URL(place.root);
      const { bucketNames } = await onDemand.names();
      return bucketNames(root, at.pathname.slice(root.pathname.length).replace(/^\//, ""), ask);
    },
  });
}
