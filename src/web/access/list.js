/** Names below an address that pages can read: what the host lists, asked for with the caller's options. */
import { azure } from "./azure.js";
import { gcs } from "./gcs.js";
import { namesBelow } from "./names.js";
import { s3 } from "./s3.js";

/** Addresses of buckets without keys. */
const PUBLIC = [s3(), gcs(), azure()];

/** HTTPS address of a bucket's address; others stay as they are. */
function webAddress(url) {
  for (const access of PUBLIC) {
    try {
      const found = access.address(url);
      if (found) return found;
    } catch {
      // Azure's addresses without an account are refused below, as no URL of a host.
    }
  }
  return url;
}

/**
 * Lists the names one level below an address.
 *
 * @param {string | URL} address
 * @param {import("../../types/access.js").ListOptions} [options]
 * @returns {Promise<import("../../types/access.js").Names>}
 */
export async function list(address, { access, fetch: own, headers, credentials, ...patience } = {}) {
  for (const one of [access ?? []].flat()) {
    const place = one.address(String(address)) ?? String(address);
    if (/^https?:/.test(place) && one.covers(place)) return one.list(place, { ...patience, fetch: own });
  }
  const base = new URL(webAddress(String(address)), globalThis.document?.baseURI ?? globalThis.location?.href);
  const { search } = base;
  base.search = "";
  base.hash = "";
  const fetch = own ?? ((request) => globalThis.fetch(request));
  const send = async (url, signal, accept) => {
    const at = new URL(url);
    // A signature of the address is sent with each page.
    if (search && at.origin === base.origin) at.search = at.search ? `${at.search}&${search.slice(1)}` : search;
    const all = new Headers(at.origin === base.origin ? headers : undefined);
    if (accept && !all.has("accept")) all.set("accept", accept);
    return fetch(new Request(at, { headers: all, credentials: credentials ?? undefined, signal }));
  };
  return namesBelow(base.href, { ...patience, send });
}
