/** Names in groups whose metadata is not consolidated: a group remembers where it was opened, and lists when it is asked. */

/** What the open that a group came from was called with, by the group. */
export const sources = new WeakMap();

/**
 * Notes what an opened object was opened with, and returns it.
 *
 * @template T
 * @param {T} found
 * @param {unknown[]} opening
 */
export function noted(found, opening) {
  sources.set(/** @type {any} */ (found), opening);
  return found;
}

/** What `tree({ list: true })` gave last, by the group. */
const listed = new WeakMap();

/** Adds `list`, `members`, `toReferences` and the listing of `tree` to the class of groups, whose groups come from the same open. */
export function listing({ prototype }) {
  // Two entries of the package may be imported side by side.
  if (prototype.list) return;
  const { group, tree: own } = prototype;
  prototype.group = async function (path, options) {
    return noted(await group.call(this, path, options), sources.get(this));
  };
  for (const name of "toReferences list members tree".split(" ")) {
    prototype[name] = async function (options) {
      const found = await (name === "toReferences" ? import("../stores/references.js") : import("../access/members.js"));
      return found[name](this, sources.get(this), options, own, listed);
    };
  }
  const tree = prototype.tree;
  prototype.tree = function (options) {
    return options ? tree.call(this, options) : (own.call(this) ?? listed.get(this));
  };
}
