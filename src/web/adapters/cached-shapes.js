/**
 * Chunk shapes that pages have been told of, kept for a restart of a Service Worker in their midst: an array that has
 * grown would be shown in other chunks, under the same keys. Those of a source are forgotten with the last page that was
 * told of it.
 */

/** Name of the cache of the Cache API. */
const NAME = "rectilinear-zarr-views";

export class CachedShapes {
  #key;
  #living;
  #loading;
  #sources = new Map();
  #isDue = false;

  /**
   * @param {URL | string} url address of the worker, which tells its record from those of others
   * @param {() => Promise<Set<string>>} living finds the ids of the pages that are open
   */
  constructor(url, living) {
    this.#key = new URL(url);
    this.#key.searchParams.append("shapes", "1");
    this.#living = living;
  }

  /** Unreadable records are ignored. */
  #load() {
    this.#loading ??= this.#read().catch(() => {});
    return this.#loading;
  }

  async #read() {
    const found = await (await caches.open(NAME)).match(this.#key);
    if (!found) return;
    for (const [nth, { pages, shapes }] of await found.json()) {
      const { told, shapes: newer } = this.#source(nth);
      for (const page of pages) told.add(page);
      for (const [path, shape] of shapes) if (!newer.has(path)) newer.set(path, shape);
    }
  }

  #source(nth) {
    if (!this.#sources.has(nth)) this.#sources.set(nth, { told: new Set(), shapes: new Map() });
    return this.#sources.get(nth);
  }

  /**
   * Shapes that are kept of one of the worker's sources, by the paths of arrays.
   *
   * @param {number} nth place in the worker's query, which says the options too: they change the chunks as well
   */
  of(nth) {
    const { told, shapes } = this.#source(nth);
    let current;
    return {
      /**
       * Memory of the views of an opening, with what was kept before a restart; forgets that where no page is left that
       * was told. Views of an opening before, whose answers are made again, no longer set anything.
       */
      renew: async () => {
        const memory = {
          get: (path) => shapes.get(path),
          set: (path, shape) => {
            if (memory !== current) return;
            shapes.set(path, shape);
            this.#store();
          },
        };
        // The opening that begins last counts, whichever of them ends first.
        current = memory;
        await this.#load();
        const living = await this.#living();
        if (memory === current && ![...told].some((page) => living.has(page))) {
          told.clear();
          shapes.clear();
        }
        return memory;
      },
      /** Notes a page that has an answer. */
      tell: async (page) => {
        if (page === "" || told.has(page)) return;
        told.add(page);
        await this.#store();
      },
    };
  }

  /** Stores everything soon, once for all that changes at a time. A cache that is full keeps nothing. */
  async #store() {
    if (this.#isDue) return;
    this.#isDue = true;
    await this.#load();
    this.#isDue = false;
    const body = JSON.stringify([...this.#sources].map(([nth, { told, shapes }]) => [nth, { pages: [...told], shapes: [...shapes] }]));
    await caches.open(NAME).then((cache) => cache.put(this.#key, new Response(body))).catch(() => {});
  }
}
