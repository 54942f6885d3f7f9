/** Stores of folders on the disk, for tests that run in Node. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Readable of a folder; `keys` lists the requested keys that are there. `changed` maps keys to other bytes, to the text of
 * other JSON documents, or to undefined for files that are not there.
 */
export function diskStore(directory, changed = {}) {
  const keys = [];
  const get = async (key) => {
    if (key in changed) return typeof changed[key] === "string" ? new TextEncoder().encode(changed[key]) : changed[key];
    const bytes = await readFile(join(directory, key)).catch((error) => {
      if (error.code !== "ENOENT" && error.code !== "EISDIR" && error.code !== "ENOTDIR") throw error;
    });
    if (bytes) keys.push(key);
    return bytes && new Uint8Array(bytes);
  };
  return { keys, get };
}
