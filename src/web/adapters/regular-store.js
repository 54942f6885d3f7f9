/** Regular store: opened arrays and groups as a Zarr v3 store of regular, uncompressed arrays. */

import { arrayDocument, groupDocument } from "./regular-documents.js";
import { shownAs } from "./regular-types.js";
import { RegularView } from "./regular-view.js";
import { boundsOf } from "./store-parts.js";

const DOCUMENT = "zarr.json";

/** Pattern of chunk keys: path, then coordinates. */
const CHUNK = /^(.*)\/c((?:\/(?:0|[1-9]\d*))*)$/;

const utf8 = new TextEncoder();

class RegularStore {
  #root;
  #chunkShape;
  /** Promises of a view or a group by path. A path without a node is not kept, because one may be added. */
  #nodes = new Map();
  /** Promises of the documents of opened groups. */
  #documents = new WeakMap();

  constructor(root, { chunkShape }) {
    this.#root = root;
    this.#chunkShape = chunkShape;
    if (isArray(root)) this.#nodes.set("", Promise.resolve(new RegularView(root, shownAs(root), wishFor(root, chunkShape))));
    else if (typeof root?.array === "function") this.#nodes.set("", Promise.resolve(root));
    else throw new TypeError("asRegularStore takes an opened RectilinearArray or Group");
  }

  async get(key, { signal } = {}) {
    signal?.throwIfAborted();
    const [path, coords] = parsed(key);
    if (path === undefined) return undefined;
    const node = await unlessAborted(this.#node(path), signal);
    if (node === undefined) return undefined;
    const isArray = node instanceof RegularView;
    if (!coords) return utf8.encode(isArray ? arrayDocument(node) : await unlessAborted(this.#documentOf(node), signal));
    return isArray && node.has(coords) ? bytesOf(await node.chunk(coords, signal), node.type) : undefined;
  }

  async getRange(key, range, options) {
    const bytes = await this.get(key, options);
    return bytes?.slice(...boundsOf(range, bytes.length));
  }

  #node(path) {
    const known = this.#nodes.get(path);
    if (known) return known;
    const opening = isArray(this.#root) ? Promise.resolve(undefined) : this.#open(path);
    this.#nodes.set(path, opening);
    const forget = () => this.#nodes.delete(path);
    opening.then((node) => node ?? forget(), forget);
    return opening;
  }

  async #open(path) {
    try {
      return this.#view(await this.#root.array(path));
    } catch (error) {
      // The path may be a group, or have no node.
      if (!["NotFoundError", "InvalidMetadataError"].includes(error?.name)) throw error;
      return this.#root.group(path).catch((none) => {
        if (error.name === "NotFoundError" && none?.name === "NotFoundError") return undefined;
        throw error;
      });
    }
  }

  /** View of a member; a chunk shape given as a list applies to arrays of its rank only. */
  #view(array) {
    const wish = wishFor(array, this.#chunkShape);
    const isMeant = typeof this.#chunkShape === "function" || wish?.length === array.shape.length;
    return new RegularView(array, shownAs(array), isMeant ? wish : undefined);
  }

  #documentOf(group) {
    const known = this.#documents.get(group);
    if (known) return known;
    const writing = this.#groupDocument(group);
    this.#documents.set(group, writing);
    writing.catch(() => this.#documents.delete(group));
    return writing;
  }

  /** Document of a group, with consolidated members if it has them; arrays that cannot be shown are left out. */
  async #groupDocument(group) {
    const tree = group.tree();
    const members = tree && (await Promise.all(tree.map((entry) => this.#member(group, entry))));
    return groupDocument(group, members && new Map(members.filter(([, document]) => document)));
  }

  async #member(group, { path, kind, attrs }) {
    if (kind === "group") return [path, groupDocument({ attrs })];
    try {
      // Opening from consolidated metadata sends no request. The array is freed, because few members may be read.
      const array = await group.array(path);
      const document = arrayDocument(this.#view(array));
      array.free();
      return [path, document];
    } catch (error) {
      if (["UnsupportedError", "InvalidMetadataError"].includes(error?.name)) return [path];
      throw error;
    }
  }
}

const isArray = (opened) => typeof opened?.getChunk === "function";

const wishFor = (array, chunkShape) => (typeof chunkShape === "function" ? chunkShape(array) : chunkShape);

/** Path of a key, and the coordinates of a chunk key; empty for a key of neither a document nor a chunk. */
function parsed(key) {
  if (key === `/${DOCUMENT}`) return [""];
  if (key.endsWith(`/${DOCUMENT}`)) return [key.slice(1, -DOCUMENT.length - 1)];
  const [, path, coords] = CHUNK.exec(key) ?? [];
  if (path === undefined) return [];
  return [path.slice(1), coords.split("/").slice(1).map(Number)];
}

/** Promise that rejects when one waiting caller aborts; the shared work continues for the others. */
function unlessAborted(work, signal) {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/** Encodes a chunk by its codec; all platforms are little endian. */
function bytesOf(data, { name }) {
  if (name !== "string") return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const items = data.map((item) => utf8.encode(item));
  const bytes = new Uint8Array(items.reduce((sum, item) => sum + 4 + item.length, 4));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, items.length, true);
  let at = 4;
  for (const item of items) {
    view.setUint32(at, item.length, true);
    bytes.set(item, at + 4);
    at += 4 + item.length;
  }
  return bytes;
}

/** Makes a store of an opened array or group. */
export const asRegularStore = (opened, options = {}) => new RegularStore(opened, options);
