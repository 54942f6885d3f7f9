/**
 * Bytes kept by the browser beyond the page's life, in a named cache of the Cache API. Nothing depends on it: where there is
 * no Cache API (Node, pages without a secure context), or no room, bytes are fetched as if it were off.
 */

/** The bytes that are kept for an address, if any are. */
export async function kept(name, url) {
  try {
    const cache = await caches.open(name);
    const found = await cache.match(url);
    return found && new Uint8Array(await found.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Keeps bytes for an address. */
export async function keep(name, url, bytes) {
  try {
    const cache = await caches.open(name);
    await cache.put(url, new Response(bytes));
  } catch {
    // Nobody waits for it.
  }
}

/** Forgets everything that is kept. */
export async function forget(name) {
  try {
    await caches.delete(name);
  } catch {
    // There is nothing to forget.
  }
}
