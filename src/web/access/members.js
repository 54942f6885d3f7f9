/** Names and members of a group, as its store lists them. */
import { failure } from "../stores/common.js";
import { list as listAddress } from "./list.js";
import { encodedKey } from "./addresses.js";

/** Most arrays and groups that `members` opens. */
const MOST_MEMBERS = 10_000;

/** Members that are opened at a time. */
const AT_ONCE = 16;

/**
 * Refuses options that a call does not have. An import of the main entry's check would be a circle in bundles of workers,
 * where this file is a part of one script.
 */
function checkNames(call, options, names) {
  const unknown = Object.keys(options ?? {}).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`${call} has no option ${unknown}; it has ${names.join(", ")}`);
}

/** Names one level below a path, of keys that begin with a slash. */
function namesOfKeys(keys, path) {
  const prefix = path === "" ? "/" : `/${path}/`;
  const folders = new Set();
  const files = new Set();
  for (const key of keys) {
    if (typeof key !== "string" || !key.startsWith(prefix)) continue;
    const rest = key.slice(prefix.length);
    const end = rest.indexOf("/");
    if (rest) (end < 0 ? files : folders).add(end < 0 ? rest : rest.slice(0, end));
  }
  return { folders: [...folders], files: [...files] };
}

/** The address of a path below another, whose query stays. */
function addressBelow(source, path) {
  if (path === "") return String(source);
  const [, base, query = ""] = /^([^?#]*)(\?[^#]*)?/.exec(String(source)) ?? [];
  return `${base.replace(/\/+$/, "")}/${encodedKey(path)}${query}`;
}

/**
 * What a group was opened with: source, options, and whether that is a virtual store.
 *
 * @typedef {[source: any, options: Record<string, any> | undefined, isVirtual: boolean]} Opening
 */

/** @param {Opening} opening */
async function namesAt([source, options, isVirtual], path, signal) {
  if (isVirtual) throw failure("UnsupportedError", "a virtual store lists its members by tree(), and no host is asked for them");
  if (typeof source === "string" || source?.[Symbol.toStringTag] === "URL") {
    const { access, fetch, headers, credentials, retries, timeout } = options ?? {};
    const asked = { access: access ?? undefined, fetch: fetch ?? undefined, headers: headers ?? undefined, credentials: credentials ?? undefined, retries: retries ?? undefined, timeout: timeout ?? undefined, signal };
    return listAddress(addressBelow(source, path), asked);
  }
  if (typeof source?.list === "function") return source.list(path, { signal });
  if (typeof source?.keys === "function") return namesOfKeys(source.keys(), path);
  throw failure("UnsupportedError", "this store has no method list, so its names are not known; consolidate the metadata, or name members by their paths");
}

/**
 * Names one level below a group.
 *
 * @param {any} group
 * @param {Opening} opened source and options of the open that the group came from
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function list(group, opened, options) {
  const { path } = group;
  checkNames("list", options, ["signal"]);
  options?.signal?.throwIfAborted();
  return namesAt(opened, path, options?.signal ?? undefined);
}

/** What is known of an opened array. */
function entryOf(array, path) {
  const { shape, dtype, dimensionNames, attrs, chunkGrid } = array;
  return { path, kind: "array", shape: [...shape], dtype, ...(dimensionNames ? { dimensionNames } : {}), chunkRuns: shape.map((_, axis) => chunkGrid.runs(axis)), attrs };
}

/** Stands for an array that this version cannot read. */
const UNREADABLE = { free() {} };

/** A member by its name, an array or a group, which the caller frees; undefined for a folder that is neither. */
async function memberOf(group, name, signal) {
  const missing = (error) => {
    if (error.name === "NotFoundError" || error.name === "InvalidMetadataError") return undefined;
    if (error.name === "UnsupportedError") return UNREADABLE;
    throw error;
  };
  const array = await group.array(name, { signal }).catch(missing);
  return array ?? group.group(name, { signal }).catch(missing);
}

/**
 * Members of a group, down to a depth, in the order of their names, each group before its members.
 *
 * @param {any} group
 * @param {Opening} opened
 * @param {{ depth?: number, signal?: AbortSignal } | undefined} options
 * @param {() => any[] | undefined} consolidated method of groups: what consolidated metadata list
 */
export async function members(group, opened, options, consolidated) {
  const tree = consolidated.call(group);
  checkNames("members", options, ["depth", "signal"]);
  const depth = options?.depth ?? 1;
  if (!(depth >= 1)) throw new TypeError(`the option depth must be a number of levels from 1, not ${depth}`);
  options?.signal?.throwIfAborted();
  return tree ? tree.filter(({ path }) => path.split("/").length <= depth) : asListed(group, opened, depth, options?.signal ?? undefined);
}

/**
 * All members of a group: what consolidated metadata list, or else the store.
 *
 * @param {any} group
 * @param {Opening} opened
 * @param {{ list: true, signal?: AbortSignal }} options
 * @param {() => any[] | undefined} consolidated
 * @param {WeakMap<any, any[]>} listed keeps the list by its group
 */
export async function tree(group, opened, options, consolidated, listed) {
  checkNames("tree", options, ["list", "signal"]);
  if (options?.list !== true) throw new TypeError("tree expects no options, or { list: true }, which asks the store for names");
  options.signal?.throwIfAborted();
  const entries = consolidated.call(group) ?? (await asListed(group, opened, Infinity, options.signal ?? undefined));
  listed.set(group, entries);
  return entries;
}

/** Members of a group down to a depth, as its store lists them. */
async function asListed(group, opened, depth, signal) {
  let left = MOST_MEMBERS;
  const below = async (parent, before, levels) => {
    const { folders } = await namesAt(opened, parent.path, signal);
    left -= folders.length;
    if (left < 0) throw failure("UnsupportedError", `more than ${MOST_MEMBERS} folders are below the group; list a group below it`);
    const names = folders.filter((name) => !name.startsWith(".")).sort();
    const found = [];
    const entries = [];
    try {
      for (let at = 0; at < names.length; at += AT_ONCE) {
        const opening = names.slice(at, at + AT_ONCE).map((name) => memberOf(parent, name, signal));
        for (const settled of await Promise.allSettled(opening)) found.push(settled.status === "fulfilled" ? settled.value : undefined);
        // Rejects as the first of them did.
        await Promise.all(opening);
      }
      for (const [at, member] of found.entries()) {
        const path = before + names[at];
        if (member === UNREADABLE) entries.push({ path, kind: "array", attrs: {} });
        else if (member?.shape) entries.push(entryOf(member, path));
        else if (member) {
          entries.push({ path, kind: "group", attrs: member.attrs });
          if (levels > 1) entries.push(...(await below(member, `${path}/`, levels - 1)));
        }
      }
    } finally {
      for (const member of found) member?.free();
    }
    return entries;
  };
  return below(group, "", depth);
}
