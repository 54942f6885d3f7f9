/** The package in this process, for tests of what no browser has a part in: adapters, labels, levels. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { FIXTURES, PACKAGE } from "./paths.mjs";

/** Imports an entry of the package: "node.js" or "adapters.js". */
export const imported = (entry) => import(pathToFileURL(join(PACKAGE, entry)));

/** The values of a folder, by default of the fixtures, by their keys. */
export function diskStore(path, directory = FIXTURES) {
  const get = (key) => {
    try {
      return new Uint8Array(readFileSync(join(directory, path, key)));
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EISDIR"].includes(error.code)) return undefined;
      throw error;
    }
  };
  return { get };
}

/**
 * Makes zarrita, the adapters and the comparison helpers globals, as `openZarrita` does in a page, and `sourceOf`, the
 * store of an entry. `run(body, args)` is that of a page.
 */
export async function zarritaInNode() {
  const [zarr, adapters, compare, support, found] = await Promise.all([
    import("zarrita"),
    imported("adapters.js"),
    import("./regular.mjs"),
    import("./index.mjs"),
    imported("node.js"),
  ]);
  Object.assign(globalThis, { zarr, ...adapters, ...compare, sourceOf: ({ path }) => diskStore(path) });
  return { run: (body, args) => body({ ...found, support }, args) };
}
