/**
 * Persistent bytes in a named cache of the Cache API (option `persist`). All failures are ignored: without a Cache API
 * (Node, insecure contexts), or without space, bytes are fetched as if the option were off.
 */

/** Stored bytes of an address, or undefined. */
export async function kept(name, url) {
  try {
    const cache = await caches.open(name);
    const found = await cache.match(url);
    return found && new Uint8Array(await found.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Stores the bytes of an address. */
export async function keep(name, url, bytes) {
  try {
    const cache = await caches.open(name);
    await cache.put(url, new Response(bytes));
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
