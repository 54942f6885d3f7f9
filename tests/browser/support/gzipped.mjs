/** Arrays that are large enough for workers, written with the browser's gzip by the first page that asks for them. */

import { encoded } from "./encoded.mjs";

/**
 * Counts the workers that a page starts and ends, and their messages, and holds large buffers of answers weakly. Call
 * it before the package is used.
 */
export function spyOnWorkers() {
  const spied = { workers: [], sent: 0, answered: 0, ended: 0, large: [] };
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      spied.workers.push(this);
      this.addEventListener("message", ({ data }) => {
        // A worker file of a page may have messages of its own.
        if (!Array.isArray(data)) return;
        spied.answered++;
        const [{ buffer, length }] = data;
        if (2 * length >= buffer.byteLength) spied.large.push(new WeakRef(buffer));
      });
    }
    postMessage(message, ...rest) {
      spied.sent += message[0] instanceof Uint8Array ? 1 : 0;
      super.postMessage(message, ...rest);
    }
    terminate() {
      spied.ended++;
      super.terminate();
    }
  };
  return spied;
}

/** Resolves once `condition` holds. */
export async function until(condition, ms = 30_000) {
  const end = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${condition}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

/** Value of an item; neighbours differ, so that the data do not compress to almost nothing. */
const valueOf = (item) => (item % 8191) * 0.25 + (item >> 13);

/** Compressed bytes by an address: from the browser's cache, where an earlier page of this site has made them. */
async function madeOnce(address, make) {
  const cache = await caches.open("gzipped");
  const found = await cache.match(address);
  if (found) return new Uint8Array(await found.arrayBuffer());
  const bytes = await make();
  await cache.put(address, new Response(bytes));
  return bytes;
}

/** A store of `count` chunks of `items` float32 along one axis. */
export async function gzipped(count, items) {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [count * items],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [items] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "gzip", configuration: { level: 5 } }],
  };
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
  const chunks = Array.from({ length: count }, async (_, chunk) => {
    const values = () => new Float32Array(items).map((_, item) => valueOf(chunk * items + item)).buffer;
    store.set(`/c/${chunk}`, await madeOnce(new URL(`/gzipped/${items}/${chunk}`, import.meta.url), () => encoded(values(), "gzip")));
  });
  await Promise.all(chunks);
  return store;
}

/** Index of the first item that differs from the written value, or -1. */
export const differs = (data) => data.findIndex((value, item) => value !== valueOf(item));
