/** Regular store: opened arrays and groups as a Zarr store of regular, uncompressed arrays. */

import { coordsOf, parsed } from "../views/keys.js";
import { RegularView } from "../views/view.js";
import { ShownNodes } from "../views/nodes.js";
import { boundsOf } from "../stores/common.js";
import { storedBytes } from "./stored-chunks.js";
import { viewOptions } from "../views/options.js";

const utf8 = new TextEncoder();

export class RegularStore {
  #nodes;

  /** @param {any} root @param {import("../views/options.js").ViewOptions} options */
  constructor(root, options) {
    this.#nodes = new ShownNodes(root, options);
  }

  /** @param {string} key @param {{ signal?: AbortSignal }} [options] */
  async get(key, { signal } = {}) {
    signal?.throwIfAborted();
    const { format } = this.#nodes;
    const found = parsed(key, format);
    if (found === undefined) return undefined;
    const { path, name, coords } = found;
    const node = this.#nodes.opened(path) ?? (await unlessAborted(this.#nodes.at(path), signal));
    if (node === undefined) return undefined;
    if (name) {
      const text = (await unlessAborted(this.#nodes.documents(path, node), signal))[name];
      return text === undefined ? undefined : utf8.encode(text);
    }
    if (!(node instanceof RegularView)) return undefined;
    const at = coordsOf(coords, node.shape.length, format);
    if (!node.has(at)) return undefined;
    const stored = storedBytes(node, at, signal);
    return (stored && (await stored)) ?? bytesOf(await node.chunk(at, signal), node.type);
  }

  async getRange(key, range, options) {
    const bytes = await this.get(key, options);
    return bytes?.slice(...boundsOf(range, bytes.length));
  }
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
export const asRegularStore = (opened, options) => new RegularStore(opened, viewOptions(options, "asRegularStore"));
