// Opens a store and lists what is in it: from consolidated metadata, by looking where a zip or a folder has metadata, or as its host lists it.
import { Group, RectilinearArray } from "rectilinear-zarr";
import { isOfRepository, versionOptions } from "../history/versions.js";
import { accessTo } from "../private/keep.js";
import { imageIn } from "./image.js";

export const CACHE_BYTES = 256 * 2 ** 20; // decoded chunks the package keeps for this page
const UNLISTED = "The group's metadata are not consolidated, and its host does not list what is in it. Add an array's name to the address or below, or have zarr.consolidate_metadata() run over the store.";
const PARTLY = "The group's metadata are not consolidated: listed is what its attributes name. There may be more; add its name below.";
const NO_GROUP = "This folder is no Zarr group; it holds the stores below.";
const ALONE = "This array was opened by itself. The address of its group, if its metadata are consolidated, shows what lies beside it.";

// Most stores list themselves: what looks through the others is loaded with the first of them.
const discover = (...given) => import("../discover/discover.js").then((module) => module.discover(...given));
const byStac = (...given) => import("../discover/stac.js").then((module) => module.placesByStac(...given));
const listed = (...given) => import("../discover/local.js").then((module) => module.listed(...given));

/** An array as the tree lists it. */
export const described = (path, { shape, dtype, dimensionNames, attrs }) => ({ path, kind: "array", shape, dtype, dimensionNames, attrs });

/** The levels of an image, in Zarr v2 without attributes of their own; undefined where they cannot be opened, which its first array may be. */
async function levelsOf(group, signal) {
  try {
    const { Levels } = await import("rectilinear-zarr/levels");
    return await Levels.open(group, { signal, attrs: false });
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
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

/** Opens groups of a source that is none itself. */
const groupsOf = (source, options) => (path, signal) => Group.open(source, { ...options, signal, path });

/**
 * Opens a place: `{ place, group, isRepository, entries, complete, attrs, note, open(path, signal), groupAt(path, signal), free() }`, of an image with `takeLevels()`, which gives its levels once, and `isBare(array)`, which tells of an array that was opened without its attributes. `entries` are those of
 * `Group.tree()`, with one of the path "" where the place itself is an array; where they cannot be listed only the array
 * that was asked for, and `note` says what to do. Rejects with the package's own errors.
 */
async function openCatalog(place, { signal, onRequest }) {
  let isRepository = Boolean(place.version);
  const heard = (info) => {
    isRepository ||= isOfRepository(info.key);
    onRequest(info);
  };
  const { source, path, keys, folder } = place;
  const options = { signal, onRequest: heard, cacheBytes: CACHE_BYTES, ...(await accessTo(source)), ...versionOptions(place.version) };
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
  const groupAt = group ? (wanted, opening) => group.group(wanted, { signal: opening }) : groupsOf(source, options);
  if (tree) return { place, group, isRepository, entries: tree, complete: true, attrs, note: "", open, groupAt, free };
  if (keys || folder) {
    const { entries, note } = await listed(place, { signal });
    if (!entries.length) throw Object.assign(new Error(`nothing in ${place.name} is Zarr: it has no zarr.json, .zarray or .zgroup`), { name: "NotFoundError" });
    return { place, group, entries, complete: !note, attrs, note, open, groupAt, free };
  }
  const image = imageIn(attrs);
  const first = path || image?.paths[0]; // of an image, what else there is can wait
  if (first) {
    // All levels of an image are asked for at once, the first of them too.
    let levels = image?.paths.includes(first) ? await levelsOf(group, signal) : undefined;
    const level = levels?.find((one) => one.path === first);
    const array = await (level ? levels.array(level.index) : open(first, signal)).catch((error) => (levels?.free(), free(), Promise.reject(error)));
    const handed = handing(open, first, array);
    const takeLevels = () => {
      const given = levels;
      levels = undefined;
      return given;
    };
    const catalog = { place, group, entries: [described(first, array)], complete: false, attrs, note: UNLISTED, open: handed.open, groupAt, takeLevels, isBare: (given) => given === array && Boolean(level) && array.zarrFormat === 2, free: () => (takeLevels()?.free(), handed.free(), free()) };
    return { ...catalog, later: (opening, beside) => discover(place, attrs, { signal: opening, array: catalog.entries[0], beside, group }) };
  }
  try {
    return { place, group, ...listing(await discover(place, attrs, { signal })), attrs, open, groupAt, free };
  } catch (error) {
    free();
    throw error;
  }
}

/** Members that a discovery found, with the words for how far it reached. */
function listing({ entries, complete }) {
  return { entries, complete, followed: true, note: complete ? "" : entries.length > 1 ? PARTLY : UNLISTED };
}

/** A folder that is no group, but whose host lists stores in it; undefined where there are none. */
async function openFolder(place, { signal, onRequest }) {
  const { entries, complete } = await discover(place, {}, { signal });
  if (!complete || !entries.some(({ error }) => !error)) return undefined;
  const access = await accessTo(place.source);
  const open = (path, opening) => RectilinearArray.open(place.source, { signal: opening, onRequest, cacheBytes: CACHE_BYTES, ...access, path });
  return { place, entries, complete, attrs: {}, note: NO_GROUP, open, groupAt: groupsOf(place.source, { onRequest, cacheBytes: CACHE_BYTES, ...access }), free: () => {} };
}

/** Looks for more in a catalog of which one array was opened, with coordinates that have these names. True where there is more. */
export async function listMore(catalog, beside, signal) {
  const { later } = catalog;
  if (!later) return false;
  catalog.later = undefined;
  const found = await later(signal, beside);
  if (found.entries.length <= catalog.entries.length) return false;
  Object.assign(catalog, listing(found));
  return true;
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
      if (!elsewhere) throw error;
      if (place === places.at(-1)) {
        const given = places.findLast(({ base, alone, keys, version }) => base && !alone && !keys && !version);
        const data = given && !given.path && !options.isByStac && (await byStac(given.base, options.signal));
        if (data?.length) return await openFirst(data, { ...options, isByStac: true }).catch((failure) => Promise.reject(Object.assign(failure, { stac: given.base }))); // its list has others
        const folder = given && error.name === "NotFoundError" && !earlier && (await openFolder(given, options));
        if (folder) return folder;
        // What is not there has no address in its error.
        throw Object.assign(isOther && earlier ? earlier : error, { from: place.base });
      }
      if (!isOther && error.name !== "NotFoundError") earlier = error;
    }
  }
}

/** Attributes that say what an array is of. */
const SAYING = ["long_name", "standard_name", "units", "flag_meanings"];

/** Attributes that name what lies beside an array to place its cells, and the ends of such names. */
const PLACING = ["coordinates", "bounds", "climatology", "grid_mapping"];
const BOUNDS = /_(bnds|bounds|vertices)$/;

/** Paths of the arrays that others name as coordinates, bounds and the like. */
const placing = (entries) => new Set(entries.flatMap(({ path, attrs }) => PLACING.flatMap((name) => String(attrs?.[name] ?? "").split(/[\s:,]+/)).map((name) => path.replace(/[^/]*$/, name))));

/** The array to show first: that of the most axes, then of the most cells, then one that says what it is, and no coordinate where there is anything else. */
export function firstArray(entries, below = "") {
  const within = entries.filter(({ path, kind, error }) => kind === "array" && !error && (!below || path === below || path.startsWith(`${below}/`)));
  const cells = ({ shape = [] }) => shape.reduce((n, size) => n * size, 1);
  const named = placing(entries);
  const isBeside = ({ path, shape = [], dimensionNames }) => named.has(path) || BOUNDS.test(path) || (shape.length === 1 && dimensionNames?.[0] === path.split("/").at(-1));
  const worth = ({ shape = [], dtype = "", ...entry }) => [
    /^(bool|u?int|b?float)/.test(dtype), !isBeside({ shape, ...entry }), Math.min(shape.length, 3),
  ].reduce((n, part) => n * 4 + Number(part), 0);
  const said = ({ attrs }) => Number(SAYING.some((name) => attrs?.[name] !== undefined));
  return within.sort((a, b) => worth(b) - worth(a) || cells(b) - cells(a) || said(b) - said(a))[0]?.path;
}
