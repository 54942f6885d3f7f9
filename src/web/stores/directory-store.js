/** Directory store: a folder that the user picked (`showDirectoryPicker`) or dropped, or an origin private folder. */

import { boundsOf, bytesOf, segmentsOf } from "./common.js";

/** Most folders whose handles are kept; beyond that, all are looked up again. */
const MOST_FOLDERS = 4096;

/** Errors of the file system that mean "not found": no such name, or a file in place of a folder, or the reverse. */
const NOTHING = ["NotFoundError", "TypeMismatchError"];

/** Result of a look-up, or undefined where nothing is found. */
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
  /** Promises of handles by path. A missing folder is not kept, because it may be created. */
  #folders = new Map();

  constructor(root) {
    if (typeof root?.getFileHandle !== "function") {
      throw new TypeError("directoryStore expects a FileSystemDirectoryHandle, such as showDirectoryPicker() returns");
    }
    this.#root = root;
  }

  /** @param {string} key @param {{ signal?: AbortSignal }} [options] */
  async get(key, { signal } = {}) {
    const file = await this.#file(key, signal);
    return file && read(file, signal);
  }

  /** @param {string} key @param {any} range @param {{ signal?: AbortSignal }} [options] */
  async getRange(key, range, { signal } = {}) {
    const file = await this.#file(key, signal);
    return file && read(file.slice(...boundsOf(range, file.size)), signal);
  }

  /**
   * Names one level below a path.
   *
   * @param {string} path without a slash at its start; `""` for the root
   * @param {{ signal?: AbortSignal }} [options]
   */
  async list(path, { signal } = {}) {
    const folder = await this.#folder(path === "" ? [] : segmentsOf(`/${path}`));
    const names = { folders: /** @type {string[]} */ ([]), files: /** @type {string[]} */ ([]) };
    if (!folder) return names;
    for await (const [name, handle] of folder.entries()) {
      signal?.throwIfAborted();
      (handle.kind === "directory" ? names.folders : names.files).push(name);
    }
    return names;
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

  /** Handle of a folder, looked up once for all its files. */
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

/** Makes a store of the files below a folder. */
export const directoryStore = (handle) => new DirectoryStore(handle);
