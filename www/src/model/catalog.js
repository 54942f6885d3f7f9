// Opens a store and lists what is in it: from consolidated metadata, or by looking where a zip or a folder has metadata.
import { Group, RectilinearArray } from "rectilinear-zarr";
import { plural } from "./format.js";

export const CACHE_BYTES = 256 * 2 ** 20; // decoded chunks the package keeps for this page
const MOST_OPENED = 2000; // nodes of a zip or a folder that are opened one by one to be listed
const METADATA = /(?:^|\/)(?:zarr\.json|\.zarray|\.zgroup)$/;

const UNLISTED = "The group's metadata are not consolidated, and a host cannot be asked what is in a group. Add an array's name to the address, or have zarr.consolidate_metadata() run over the store.";
const ALONE = "This array was opened by itself. The address of its group, if its metadata are consolidated, shows what lies beside it.";

const described = (path, { shape, dtype, dimensionNames, attrs }) => ({ path, kind: "array", shape, dtype, dimensionNames, attrs });

/** Paths of everything in a list of keys that has metadata. */
const nodesIn = (keys) => [...new Set(keys.filter((key) => METADATA.test(key)).map((key) => key.slice(1).split("/").slice(0, -1).join("/")))].sort();

/** The same of a folder, without going into arrays, whose chunks may be many. */
async function walked(folder, path = "", found = []) {
  const children = [];
  let kind;
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === "directory") children.push(handle);
    else if (name === ".zarray") kind = "array";
    else if (name === ".zgroup") kind = "group";
    else if (name === "zarr.json") kind = JSON.parse(await (await handle.getFile()).text()).node_type;
  }
  if (kind) found.push(path);
  if (kind === "array") return found;
  for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length <= MOST_OPENED) await walked(child, path ? `${path}/${child.name}` : child.name, found);
  }
  return found;
}

/** What a node is; one that can't be read says why. */
async function look(source, path, options) {
  try {
    const array = await RectilinearArray.open(source, { ...options, path });
    const entry = described(path, array);
    array.free();
    return entry;
  } catch (error) {
    options.signal?.throwIfAborted();
    const group = await Group.open(source, { ...options, path }).catch(() => undefined);
    if (!group) return { path, kind: "array", attrs: {}, error: error.message };
    const { attrs } = group;
    group.free();
    return { path, kind: "group", attrs };
  }
}

/** Entries for every node of a zip or a folder, the groups above them included. */
async function listed(place, options) {
  const paths = place.keys ? nodesIn(place.keys) : await walked(place.folder);
  const entries = await Promise.all(paths.slice(0, MOST_OPENED).map((path) => look(place.source, path, options)));
  const known = new Set(paths);
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const above = path.slice(0, at);
      if (!known.has(above)) entries.push({ path: above, kind: "group", attrs: {} });
      known.add(above);
    }
  }
  const note = paths.length > MOST_OPENED ? `Only the first ${plural(MOST_OPENED, "array")} and groups are listed.` : "";
  return { entries: entries.filter(({ path, kind }) => path !== "" || kind === "array").sort((a, b) => (a.path < b.path ? -1 : 1)), note };
}

/** `open`, but that the array at `path`, which is open already, is given out first: its metadata are asked for once. */
function handing(open, path, array) {
  let first = array;
  return {
    free: () => first?.free(),
    async open(wanted, signal) {
      if (wanted !== path || !first) return open(wanted, signal);
      const given = first;
      first = undefined;
      return given;
    },
  };
}

/**
 * Opens a place: `{ place, entries, complete, attrs, note, open(path, signal), free() }`. `entries` are those of
 * `Group.tree()`, with one of the path "" where the place itself is an array; where they cannot be listed only the array
 * that was asked for, and `note` says what to do. Rejects with the package's own errors.
 */
async function openCatalog(place, { signal, onRequest }) {
  const options = { signal, onRequest, cacheBytes: CACHE_BYTES };
  const { source, path, keys, folder } = place;
  const byItself = (wanted, opening) => RectilinearArray.open(source, { ...options, signal: opening, path: wanted });
  if (place.alone) {
    const array = await byItself(path, signal);
    return { place, entries: [described(path, array)], complete: false, attrs: {}, note: ALONE, ...handing(byItself, path, array) };
  }
  let group;
  try {
    group = await Group.open(source, options);
  } catch (error) {
    signal?.throwIfAborted();
    if (!keys && !folder) throw error;
  }
  const attrs = group?.attrs ?? {};
  const tree = group?.tree();
  const free = () => group?.free();
  const open = group ? (wanted, opening) => group.array(wanted, { signal: opening }) : byItself;
  if (tree) return { place, entries: tree, complete: true, attrs, note: "", open, free };
  if (keys || folder) {
    const { entries, note } = await listed(place, { signal });
    if (!entries.length) throw Object.assign(new Error(`nothing in ${place.name} is Zarr: it has no zarr.json, .zarray or .zgroup`), { name: "NotFoundError" });
    return { place, entries, complete: !note, attrs, note, open, free };
  }
  if (!path) return { place, entries: [], complete: false, attrs, note: UNLISTED, open, free };
  const array = await open(path, signal);
  const handed = handing(open, path, array);
  return { place, entries: [described(path, array)], complete: false, attrs, note: UNLISTED, open: handed.open, free: () => (handed.free(), free()) };
}

/** The first of the places that is one, opened. Rejects with what says most about why none is. */
export async function openFirst(places, options) {
  let earlier;
  for (const place of places) {
    try {
      return await openCatalog(place, options);
    } catch (error) {
      options.signal.throwIfAborted();
      const elsewhere = error.name === "NotFoundError" || error.name === "InvalidMetadataError" || error.status === 403;
      const isOther = error.path === "/node_type"; // a group where an array was looked for, or the reverse
      if (!elsewhere || place === places.at(-1)) throw isOther && earlier ? earlier : error;
      if (!isOther && error.name !== "NotFoundError") earlier = error;
    }
  }
}

/** The array to show first: that of the most axes, then of the most cells, and no coordinate where there is anything else. */
export function firstArray(entries, below = "") {
  const within = entries.filter(({ path, kind, error }) => kind === "array" && !error && (!below || path === below || path.startsWith(`${below}/`)));
  const cells = ({ shape = [] }) => shape.reduce((n, size) => n * size, 1);
  const worth = ({ path, shape = [], dimensionNames, dtype = "" }) => [
    /^(bool|u?int|b?float)/.test(dtype), !(shape.length === 1 && dimensionNames?.[0] === path.split("/").at(-1)), Math.min(shape.length, 3),
  ].reduce((n, part) => n * 4 + Number(part), 0);
  return within.sort((a, b) => worth(b) - worth(a) || cells(b) - cells(a))[0]?.path;
}
