/**
 * Program of a project that installed the package: reads every array of the index from disk through a store, or over
 * HTTP where an address is given. Prints the differences as JSON.
 *
 *   node node-user.mjs FIXTURES SUPPORT [URL]
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { RectilinearArray } from "rectilinear-zarr";

const [fixtures, support, url] = process.argv.slice(2);
const { compareEntry } = await import(pathToFileURL(join(support, "compare.mjs")));

/** Store of a directory; a missing file is undefined. */
const disk = (directory) => ({
  get: (key) =>
    readFile(join(directory, key)).catch((error) => {
      if (["ENOENT", "ENOTDIR", "EISDIR"].includes(error.code)) return undefined;
      throw error;
    }),
});

const found = {};
for (const entry of JSON.parse(await readFile(join(fixtures, "index.json"), "utf8"))) {
  const bytes = await readFile(join(fixtures, entry.expected));
  const source = url ? `${url}/${entry.path}` : disk(join(fixtures, entry.path));
  found[entry.name] = await compareEntry(RectilinearArray, source, entry, bytes);
}
console.log(JSON.stringify(found));
