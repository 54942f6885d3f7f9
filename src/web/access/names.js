/** Names below an address, by whatever its host lists: a bucket, a container, or the index page of a web server. */
import { failure } from "../stores/common.js";
import { indexNames } from "./index-page.js";
import { bucketNames, containerNames } from "./bucket-names.js";

/** Hosts whose addresses begin with the bucket: `https://host/bucket/key`. */
const BUCKET_IN_PATH = /^(?:s3[.-].*amazonaws\.com(?:\.cn)?|s3\.amazonaws\.com|storage\.googleapis\.com|data\.source\.coop)$/;

/** Hosts whose name begins with the bucket: `https://bucket.host/key`. */
const BUCKET_IN_HOST = /\.(?:s3[.-].*amazonaws\.com(?:\.cn)?|s3\.amazonaws\.com|storage\.googleapis\.com|digitaloceanspaces\.com|r2\.dev)$/;

const AZURE = /\.blob\.(?:core\.|storage\.azure\.net)/;

/**
 * Root and path below it of an address whose first `count` segments name the bucket.
 *
 * @returns {[URL, string]}
 */
function splitAt(url, count) {
  const segments = url.pathname.split("/").filter(Boolean);
  const root = new URL(`/${segments.slice(0, count).join("/")}`, url);
  return [root, segments.slice(count).join("/")];
}

/** What may list an address, the likeliest first. */
function ways(url) {
  const bucket = (count) => async (asking) => {
    const found = await bucketNames(...splitAt(url, count), asking);
    return found.folders.length + found.files.length > 0 ? found : undefined;
  };
  if (BUCKET_IN_PATH.test(url.hostname)) return [bucket(1)];
  if (BUCKET_IN_HOST.test(url.hostname)) return [bucket(0)];
  if (AZURE.test(url.hostname)) return [(asking) => containerNames(...splitAt(url, 1), asking)];
  const folder = new URL(url);
  folder.pathname = `${url.pathname.replace(/\/+$/, "")}/`;
  const index = (asking) => indexNames(folder, asking);
  return url.pathname.length > 1 ? [index, bucket(1)] : [index];
}

/** Whether another request may bring another answer. */
const mayPass = ({ status }) => status === undefined || status === 429 || status >= 500;

/**
 * Names one level below an address.
 *
 * @param {string} address an HTTPS or HTTP address, without secrets
 * @param {import("./pages.js").Asking} asking
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export async function namesBelow(address, asking) {
  const url = new URL(address);
  const all = ways(url);
  let first;
  const names = async (patience) => {
    for (const way of all) {
      try {
        const found = await way({ ...asking, ...patience });
        if (found) return found;
      } catch (error) {
        asking.signal?.throwIfAborted();
        first ??= error;
        // Other ways meet the same host.
        if (!patience && mayPass(error)) return undefined;
      }
    }
    return undefined;
  };
  // What a host does not have may come without CORS, which looks as a fault of the network does: other ways come first.
  const found = (all.length > 1 ? await names({ retries: 0 }) : undefined) ?? (all.length === 1 || (first && mayPass(first)) ? await names() : undefined);
  if (found) return found;
  const place = `${url.origin}${url.pathname}`;
  throw failure("StoreError", `${place}: the host lists no names there${first ? `: ${first.message}` : ""}; consolidate the metadata, or name members by their paths`, { key: place, status: first?.status, cause: first });
}
