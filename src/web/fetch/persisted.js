/**
 * Persistent bytes in a named cache of the Cache API (option `persist`). All failures are ignored: without a Cache API
 * (Node, insecure contexts), or without space, bytes are fetched as if the option were off.
 */

/**
 * The address under which bytes are kept: in place of a query, which may be a signature, it has the query's digest. What
 * Rust adds says which bytes they are.
 */
async function addressOf(url) {
  const [, place, query, part = ""] = /^([^?]*)\?((?!rectilinear-zarr-bytes=).*?)(&rectilinear-zarr-bytes=[-\d]+)?$/.exec(url) ?? [];
  if (!query) return url;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(query));
  return `${place}?${new BigUint64Array(digest).join("-")}${part}`;
}

/** Stored bytes of an address, or undefined. */
export async function kept(name, url) {
  try {
    const cache = await caches.open(name);
    const found = await cache.match(await addressOf(url));
    return found && new Uint8Array(await found.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Stores the bytes of an address. */
export async function keep(name, url, bytes) {
  try {
    const cache = await caches.open(name);
    await cache.put(await addressOf(url), new Response(bytes));
  } catch {
    // The read does not depend on the cache.
  }
}

/** Deletes a named cache. */
export async function forget(name) {
  try {
    await caches.delete(name);
  } catch {
    // Without a Cache API there is nothing to delete.
  }
}
