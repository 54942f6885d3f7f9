/** A folder as a store: one that the user picked (`showDirectoryPicker`) or dropped, or the origin's private one. */

import { boundsOf, bytesOf, segmentsOf } from "./store-parts.js";

/** The most folders whose handles are kept; beyond, all are looked up anew. */
const MOST_FOLDERS = 4096;

/** How the file system says that there is nothing: no such name, or a file where a folder is meant, or the reverse. */
const NOTHING = ["NotFoundError", "TypeMismatchError"];

/** What a look-up gives, or undefined where there is nothing. */
async function found(lookup) {
  try {
    return await lookup;
  } catch (error) {
    if (NOTHING.includes(error?.name)) return undefined;
    throw error;
  }
}

class DirectoryStore {
  #root;
  /** Promises of handles by path. A folder that is not there may come, so that it is not is never kept. */
  #folders = new Map();

  constructor(root) {
    if (typeof root?.getFileHandle !== "function") {
      throw new TypeError("directoryStore takes a FileSystemDirectoryHandle, such as showDirectoryPicker() gives");
    }
    this.#root = root;
  }

  async get(key, { signal } = {}) {
    const file = await this.#file(key, signal);
    return file && read(file, signal);
  }

  async getRange(key, range, { signal } = {}) {
    const file = await this.#file(key, signal);
    return file && read(file.slice(...boundsOf(range, file.size)), signal);
  }

  async #file(key, signal) {
    const segments = segmentsOf(key);
    signal?.throwIfAborted();
    const folder = await this.#folder(segments.slice(0, -1));
    signal?.throwIfAborted();
    const handle = folder && (await found(folder.getFileHandle(segments.at(-1))));
    signal?.throwIfAborted();
    return handle && found(handle.getFile());
  }

  /** The handle of a folder, each looked up once however many files are wanted of it. */
  async #folder(segments) {
    if (segments.length === 0) return this.#root;
    const path = segments.join("/");
    const known = this.#folders.get(path);
    if (known) return known;
    if (this.#folders.size >= MOST_FOLDERS) this.#folders.clear();
    const lookup = this.#lookUp(segments);
    this.#folders.set(path, lookup);
    const forget = () => this.#folders.get(path) === lookup && this.#folders.delete(path);
    lookup.then((folder) => folder ?? forget(), forget);
    return lookup;
  }

  async #lookUp(segments) {
    const parent = await this.#folder(segments.slice(0, -1));
    return parent && found(parent.getDirectoryHandle(segments.at(-1)));
  }
}

async function read(file, signal) {
  signal?.throwIfAborted();
  const bytes = await found(bytesOf(file));
  signal?.throwIfAborted();
  return bytes;
}

/** The files below a folder, by their paths in it. */
export const directoryStore = (handle) => new DirectoryStore(handle);
