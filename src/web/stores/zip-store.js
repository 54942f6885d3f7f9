/**
 * Zip store: the central directory is read once, by [zip.js](https://gildas-lormeau.github.io/zip.js), which is loaded
 * with the first zip. After that, each file or part of a file is one request.
 */

import { boundsOf, failure, nextTurn, segmentsOf } from "./common.js";
import { blobBytes, httpBytes } from "./zip-bytes.js";
import { ZipEntry } from "./zip-entry.js";

/** Bytes of the end that are read at once, which hold the whole directory of a zip of a thousand files. */
const TAIL = 128 * 1024;

/** Most bytes of a directory: some two million files. */
const MOST_DIRECTORY = 256 * 2 ** 20;

/** Milliseconds of reading a directory before the page gets its turn. */
const TURN = 8;

/** Most bytes of inflated files that are kept, for reads of their parts, such as the inner chunks of a shard. */
const KEPT = 64 * 2 ** 20;

/** Names of metadata documents, and the most bytes of one that is parsed. */
const DOCUMENTS = ["zarr.json", ".zarray", ".zattrs", ".zgroup", ".zmetadata"];
const MOST_DOCUMENT = 64 * 2 ** 20;

class ZipStore {
  #bytes;
  #entries;
  #maxEntryBytes;
  /** Promises of inflated files, least recently used first. */
  #inflated = new Map();

  constructor(bytes, entries, maxEntryBytes) {
    this.#bytes = bytes;
    this.#entries = entries;
    this.#maxEntryBytes = maxEntryBytes;
  }

  keys() {
    return this.#entries.keys();
  }

  /** What messages call the zip. */
  get place() {
    return this.#bytes.place;
  }

  /**
   * The file that is the first part of a path, by its parts, and the path in it; undefined where the path leads to none. It
   * must be stored as it is.
   *
   * @param {string} path
   */
  original(path) {
    const names = path.split("/").filter(Boolean);
    const count = names.findIndex((_, nth) => this.#entries.has(`/${names.slice(0, nth + 1).join("/")}`)) + 1;
    if (!count) return undefined;
    const name = names.slice(0, count).join("/");
    const [key, below] = [`/${name}`, names.slice(count).join("/")];
    const entry = /** @type {ZipEntry} */ (this.#entry(key));
    if (!entry.isStored) {
      const message = `${this.place}: ${name} is compressed, so that its parts cannot be read alone; write the zip without compression (zip -0), or open the file outside of it`;
      throw failure("UnsupportedError", message, { feature: "an original file that a zip compresses" });
    }
    const part = (/** @type {number} */ start, /** @type {number} */ stop, /** @type {AbortSignal | undefined} */ signal) =>
      this.#reading(key, entry.part(this.#bytes, start, stop, signal), signal);
    return { file: { name, size: entry.size, part }, below };
  }

  /** @param {string} key @param {{ signal?: AbortSignal }} [options] */
  async get(key, { signal } = {}) {
    const entry = this.#entry(key, signal);
    return entry && this.#reading(key, this.#whole(key, entry, signal), signal);
  }

  /** @param {string} key @param {any} range @param {{ signal?: AbortSignal }} [options] */
  async getRange(key, range, { signal } = {}) {
    const entry = this.#entry(key, signal);
    if (!entry) return undefined;
    const [start, stop] = boundsOf(range, entry.size);
    if (entry.isStored) return this.#reading(key, entry.part(this.#bytes, start, stop, signal), signal);
    return (await this.#reading(key, this.#kept(key, entry), signal)).slice(start, stop);
  }

  #entry(key, signal) {
    signal?.throwIfAborted();
    segmentsOf(key);
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const place = `${this.#bytes.place}: ${key.slice(1)}`;
    if (entry.lacking) {
      throw failure("UnsupportedError", `${place} needs ${entry.lacking}; write the zip without it`, { feature: entry.lacking });
    }
    return entry;
  }

  async #whole(key, entry, signal) {
    const size = Math.max(entry.size, entry.storedSize);
    if (size > MOST_DOCUMENT && DOCUMENTS.includes(segmentsOf(key).at(-1) ?? "")) {
      const message = `${this.#bytes.place}: ${key.slice(1)} has ${size} bytes; of metadata, at most ${MOST_DOCUMENT} are read`;
      throw failure("UnsupportedError", message, { feature: "metadata of this size" });
    }
    if (size <= this.#maxEntryBytes) return entry.whole(this.#bytes, signal);
    const message = `${this.#bytes.place}: ${key.slice(1)} has ${entry.size} bytes, more than maxEntryBytes (${this.#maxEntryBytes})`;
    throw failure("UnsupportedError", message, { feature: "maxEntryBytes" });
  }

  /** Inflated file for reads of its parts. It is shared, so no reader's signal aborts it. */
  #kept(key, entry) {
    const inflating = this.#inflated.get(key) ?? this.#whole(key, entry);
    this.#inflated.delete(key);
    this.#inflated.set(key, inflating);
    inflating.catch(() => this.#inflated.delete(key));
    let kept = 0;
    for (const other of [...this.#inflated.keys()].reverse()) {
      kept += this.#entries.get(other).size;
      if (kept > KEPT && other !== key) this.#inflated.delete(other);
    }
    return inflating;
  }

  async #reading(key, read, signal) {
    try {
      const data = await read;
      signal?.throwIfAborted();
      return data;
    } catch (cause) {
      signal?.throwIfAborted();
      if (["StoreError", "UnsupportedError"].includes(cause?.name)) throw cause;
      const message = `${this.#bytes.place}: ${key.slice(1)} is damaged: ${cause?.message}; write the zip again, or fetch it again`;
      throw failure("StoreError", message, { key, cause });
    }
  }
}

/** Whether a source is a `Blob`, of any realm. */
const isBlob = (source) => ["Blob", "File"].includes(source?.[Symbol.toStringTag]);

/** zip.js, which a page without a bundler finds by its import map alone. */
function loadZip() {
  return import("@zip.js/zip.js/lib/zip-core-reader.js").catch((cause) => {
    const message = `zips are read by the package @zip.js/zip.js, which cannot be loaded (${cause?.message}); install it, or name "@zip.js/zip.js/" in the page's import map`;
    throw failure("UnsupportedError", message, { feature: "a zip without @zip.js/zip.js", cause });
  });
}

/**
 * Opens a zip.
 *
 * @param {any} source
 * @param {any} options
 * @param {typeof import("../fetch/exchange.js").Exchange} Exchange what sends requests
 */
export async function openZip(source, options, Exchange) {
  const { maxWholeBytes = 128 * 2 ** 20, maxEntryBytes = 2 ** 30, signal } = options;
  signal?.throwIfAborted();
  const bytes = isBlob(source) ? blobBytes(source) : await httpBytes(source, { ...options, maxWholeBytes }, Exchange);
  const { ZipReader } = await loadZip();
  const entries = new Map();
  try {
    const reader = await endOf(bytes, signal);
    let began = performance.now();
    // Any name is accepted, because names are only compared with keys. Of entries with one name, the last one counts.
    for await (const entry of new ZipReader(reader, { filenameValidation: "tolerant" }).getEntriesGenerator()) {
      signal?.throwIfAborted();
      if (!entry.directory) entries.set(`/${entry.filename}`, new ZipEntry(entry));
      if (performance.now() - began < TURN) continue;
      await nextTurn();
      began = performance.now();
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (["StoreError", "UnsupportedError"].includes(cause?.name)) throw cause;
    const message = `${bytes.place}: not a zip file, or cut short (${cause?.message}); check the address, or fetch it again`;
    throw failure("StoreError", message, { key: bytes.place, cause });
  }
  return new ZipStore(bytes, entries, maxEntryBytes);
}

/** Reader for zip.js, which reads the end several times. */
async function endOf(bytes, signal) {
  const tail = await bytes.end(TAIL, signal);
  const first = bytes.size - tail.length;
  return {
    size: bytes.size,
    async readUint8Array(offset, length) {
      if (length > MOST_DIRECTORY) {
        const message = `${bytes.place}: its directory has ${length} bytes; at most ${MOST_DIRECTORY} are read`;
        throw failure("UnsupportedError", message, { feature: "a zip with a directory of this size" });
      }
      const stop = Math.min(offset + length, bytes.size);
      return offset >= first ? tail.slice(offset - first, stop - first) : bytes.read(offset, stop, signal);
    },
  };
}
