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

/** Names of the folders in each folder, by its path, of keys that begin with a slash: all in one pass. */
function foldersOfKeys(keys) {
  /** @type {Map<string, Set<string>>} */
  const all = new Map([["", new Set()]]);
  const add = (path) => {
    let below;
    for (let at = path; ; ) {
      const known = all.get(at);
      const names = known ?? new Set();
      if (below !== undefined) names.add(below);
      if (known) return;
      all.set(at, names);
      const end = at.lastIndexOf("/");
      below = at.slice(end + 1);
      at = at.slice(0, Math.max(0, end));
    }
  };
  for (const key of keys) if (typeof key === "string" && key.startsWith("/")) add(key.slice(1, Math.max(1, key.lastIndexOf("/"))));
  return all;
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

/**
 * What lists the names one level below a path of a source.
 *
 * @param {Opening} opening
 * @param {AbortSignal | undefined} signal
 * @param {boolean} [isOfAll] whether folders alone are asked for, of many paths
 * @returns {(path: string) => Promise<import("../../types/access.js").Names>}
 */
function namesOf([source, options, isVirtual], signal, isOfAll = false) {
  if (isVirtual) throw failure("UnsupportedError", "a virtual store lists its members by tree(), and no host is asked for them");
  if (typeof source === "string" || source?.[Symbol.toStringTag] === "URL") {
    const { access, fetch, headers, credentials, retries, timeout } = options ?? {};
    const asked = { access: access ?? undefined, fetch: fetch ?? undefined, headers: headers ?? undefined, credentials: credentials ?? undefined, retries: retries ?? undefined, timeout: timeout ?? undefined, signal };
    return (path) => listAddress(addressBelow(source, path), asked);
  }
  if (typeof source?.list === "function") return async (path) => source.list(path, { signal });
  if (typeof source?.keys === "function") {
    if (!isOfAll) return async (path) => namesOfKeys(source.keys(), path);
    const all = foldersOfKeys(source.keys());
    return async (path) => ({ folders: [...(all.get(path) ?? [])], files: [] });
  }
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
  return namesOf(opened, options?.signal ?? undefined)(path);
}

/**
 * What is at a path below a group: its entry, and those below it where its metadata are consolidated; undefined for a
 * folder that is neither an array nor a group.
 */
async function nodeAt(group, path, signal) {
  try {
    return await group.entry(path, { signal });
  } catch (error) {
    if (error.name === "NotFoundError" || error.name === "InvalidMetadataError") return undefined;
    throw error;
  }
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

/** Runs a few calls at a time; none begins after one has failed. */
function turns(most) {
  const waiting = [];
  let [left, failed] = [most, /** @type {{ reason: unknown } | undefined} */ (undefined)];
  return async (call) => {
    if (left > 0) left--;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      if (failed) throw failed.reason;
      return await call();
    } catch (reason) {
      failed ??= { reason };
      throw reason;
    } finally {
      const next = waiting.shift();
      if (next) next();
      else left++;
    }
  };
}

/** Whether a name is that of a folder that may be a member. */
const isName = (name) => name !== "" && !name.startsWith(".") && !name.includes("/");

/** Members of a group down to a depth, as its store lists them. */
async function asListed(group, opened, depth, signal) {
  let left = MOST_MEMBERS;
  const inTurn = turns(AT_ONCE);
  const namesIn = namesOf(opened, signal, true);
  const isWithin = ({ path }) => path.split("/").length <= depth;
  const below = async (above) => {
    const names = await inTurn(async () => {
      const { folders } = await namesIn([group.path, above].filter(Boolean).join("/"));
      left -= folders.length;
      if (left < 0) throw failure("UnsupportedError", `more than ${MOST_MEMBERS} folders are below the group; list a group below it`);
      return folders.filter(isName).sort();
    });
    const found = names.map(async (name) => {
      const path = above ? `${above}/${name}` : name;
      const [entry, inside] = (await inTurn(() => nodeAt(group, path, signal))) ?? [];
      if (!entry) return [];
      if (inside) return [entry, ...inside.map((each) => ({ ...each, path: `${path}/${each.path}` })).filter(isWithin)];
      return entry.kind === "group" && path.split("/").length < depth ? [entry, ...(await below(path))] : [entry];
    });
    return (await Promise.all(found)).flat();
  };
  return below("");
}
