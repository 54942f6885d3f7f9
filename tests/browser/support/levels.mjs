/** Fixtures of pyramids for tests in Node: their files in a Map, with documents to change, and what is asked of them. */

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { NEIGHBOURS, PACKAGE } from "./paths.mjs";

export const SETS = join(NEIGHBOURS, "levels");

const load = (file) => import(pathToFileURL(join(PACKAGE, file)).href);
export const { Group } = await load("node.js");
export const { Levels, scene } = await load("levels-node.js");

/** The files of a fixture by key, as bytes. */
export async function filesOf(name) {
  const entries = await readdir(join(SETS, name), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.map(async (file) => [file.slice(join(SETS, name).length), await readFile(file)]);
  return new Map(await Promise.all(pairs));
}

/** Changes the documents of a store: `change(document, path)` for each node, consolidated copies included. */
export function edited(files, change) {
  const nodes = (document, path) => {
    change(document, path);
    for (const [name, node] of Object.entries(document.consolidated_metadata?.metadata ?? {})) change(node, name);
    return document;
  };
  const isDocument = (key) => key.endsWith("zarr.json");
  const path = (key) => key.slice(1).replace(/\/?zarr\.json$/, "");
  const encoded = (key, bytes) => new TextEncoder().encode(JSON.stringify(nodes(JSON.parse(new TextDecoder().decode(bytes)), path(key))));
  return new Map([...files].map(([key, bytes]) => [key, isDocument(key) ? encoded(key, bytes) : bytes]));
}

/** Removes the copies of consolidated metadata. */
export const bare = (files) => edited(files, (document) => delete document.consolidated_metadata);

/** A group whose requests are listed. */
export async function opened(files, options) {
  const asked = [];
  const store = {
    get(key) {
      asked.push(key.replace(/^\//, ""));
      return files.get(key);
    },
  };
  const group = await Group.open(store, options);
  asked.length = 0;
  return { group, asked };
}

/** The levels of a fixture, or of files. */
export async function levelsOf(source, options) {
  const { group, asked } = await opened(typeof source === "string" ? await filesOf(source) : source);
  const levels = await Levels.open(group, options);
  return { levels, group, asked, opening: [...asked] };
}

/** A group of one document and, if given, arrays of zeros by path. */
export function made(attributes, arrays = {}) {
  const group = { zarr_format: 3, node_type: "group", attributes };
  const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
  const array = ({ shape, ...more }) => ({
    zarr_format: 3, node_type: "array", shape, data_type: "float32", fill_value: 0, codecs, attributes: {},
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape.map((size) => Math.max(size, 1)) } },
    chunk_key_encoding: { name: "default" }, ...more,
  });
  const documents = [["/zarr.json", group], ...Object.entries(arrays).map(([path, given]) => [`/${path}/zarr.json`, array(given)])];
  return new Map(documents.map(([key, document]) => [key, new TextEncoder().encode(JSON.stringify(document))]));
}
