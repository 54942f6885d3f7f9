/**
 * Persistent bytes in a named cache of the Cache API (option `persist`). All failures are ignored: without a Cache API
 * (Node, insecure contexts), or without space, bytes are fetched as if the option were off.
 */

/**
 * The address under which bytes are kept: in place of a query, which may be a signature, it has the query's digest. What
 * Rust adds says which bytes they are, and what follows that which version of a file.
 */
async function addressOf(url) {
  const [, place, query, part = ""] = /^([^?]*)\?((?!rectilinear-zarr-bytes=).*?)(&rectilinear-zarr-bytes=[-_\d]+)?$/.exec(url) ?? [];
  if (!query) return url;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(query));
  return `${place}?${new BigUint64Array(digest).join("-")}${part}`;
}

/** The bytes that a named cache keeps of the values of a source, or of one file. */
export class Persisted {
  /** Of a file, nothing is found or kept while its version, the end of addresses, is not told: its parts belong together. */
  constructor(name, version) {
    this.name = name;
    this.version = version;
  }

  /** Tells the version of a file from others: by what the host says of it, and by its first bytes. */
  tell(said, head) {
    let [one, two] = [0, 0];
    for (const byte of [...new TextEncoder().encode(said), ...head]) {
      one = Math.imul(one ^ byte, 0x9e3779b1);
      one ^= one >>> 15;
      two = Math.imul(two ^ one, 0x85ebca6b);
    }
    this.version = `_${one}_${two}`;
  }

  /** Stored bytes of an address, or undefined. */
  async find(url) {
    try {
      const cache = await caches.open(this.name);
      const found = await cache.match(await addressOf(url));
      return found && new Uint8Array(await found.arrayBuffer());
    } catch {
      return undefined;
    }
  }

  /** Stores the bytes of an address, unless the version is another one by now. */
  async keep(url, bytes) {
    try {
      if (!url.endsWith(this.version)) return;
      const cache = await caches.open(this.name);
      await cache.put(await addressOf(url), new Response(bytes));
    } catch {
      // The read does not depend on the cache.
    }
  }

  /** Deletes the cache. */
  async clear() {
    if (this.version) this.version = undefined;
    try {
      await caches.delete(this.name);
    } catch {
      // Without a Cache API there is nothing to delete.
    }
  }
}
