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
 * `run(body, args)` calls a function as that of a page does, here; the global `sourceOf` gives the store of an entry.
 */
export async function startNode() {
  const [support, found] = await Promise.all([import("./index.mjs"), imported("node.js")]);
  Object.assign(globalThis, { sourceOf: ({ path }) => diskStore(path) });
  return { run: (body, args) => body({ ...found, support }, args) };
}

/** That, with zarrita, the adapters and the comparison helpers as globals, as `openZarrita` has them in a page. */
export async function zarritaInNode() {
  const [zarr, adapters, compare] = await Promise.all([import("zarrita"), imported("adapters.js"), import("./regular.mjs")]);
  Object.assign(globalThis, { zarr, ...adapters, ...compare });
  return startNode();
}
