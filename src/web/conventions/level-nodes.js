/** Metadata of the groups and arrays of a pyramid: from consolidated metadata without a request, or one document each. */

/**
 * An array, as far as a pyramid needs it.
 *
 * @typedef {{ name: string, path: string, attrs: Record<string, any>, shape?: number[], dimensionNames?: (string | null)[] }} ArrayNode
 * @typedef {{ path: string, isArray: boolean, attrs: Record<string, any>, variables?: string[], array?: ArrayNode }} LevelNode
 */

/** Path of a member of a group. */
export const join = (folder, name) => [folder, name].filter(Boolean).join("/");

/** Path of the folder of a node, and its name. */
export function split(path) {
  const end = path.lastIndexOf("/");
  return [path.slice(0, Math.max(end, 0)), path.slice(end + 1)];
}

/** Result of an opening, or undefined where there is no such thing: nothing at all, or a node of the other kind. */
const found = (opening) =>
  opening.catch((error) => {
    if (!["NotFoundError", "InvalidMetadataError", "UnsupportedError"].includes(error.name)) throw error;
    // A node that is damaged, and not of the other kind, is reported when it is opened for reading.
  });

export class Nodes {
  /** @param {any} group the pyramid's group @param {AbortSignal} [signal] */
  constructor(group, signal) {
    Object.assign(this, { group, signal, opened: new Map() });
    let list;
    try {
      list = group.tree();
    } catch (error) {
      if (error.name !== "UnsupportedError") throw error;
    }
    this.tree = list && new Map(list.map((entry) => [entry.path, { ...entry, name: split(entry.path)[1] }]));
  }

  /** Throws for an attribute of a member that is not valid, with the JSON pointer below its attributes. */
  check(isValid, member, pointer, reason) {
    if (isValid) return;
    const [document, attributes] = this.group.zarrFormat === 2 ? [".zattrs", ""] : ["zarr.json", "/attributes"];
    const [key, path] = [join(join(this.group.path, member), document), attributes + pointer];
    throw Object.assign(new Error(`${key}: ${path}: ${reason}`), { name: "InvalidMetadataError", path, key });
  }

  /** A member of the pyramid's group, opened for as long as `use` takes; undefined where there is none. */
  async using(kind, path, use) {
    const node = await found(this.group[kind](path, { signal: this.signal }));
    try {
      return node && (await use(node));
    } finally {
      node?.free();
    }
  }

  /** @returns {Promise<ArrayNode | undefined>} */
  async array(path) {
    if (this.tree) return this.tree.get(path)?.kind === "array" ? this.tree.get(path) : undefined;
    const open = () => this.using("array", path, ({ attrs, shape, dimensionNames }) => ({ name: split(path)[1], path, attrs, shape, dimensionNames }));
    if (!this.opened.has(path)) this.opened.set(path, open());
    return this.opened.get(path);
  }

  /** Arrays directly in a group that hold data of two axes or more, and are no coordinates or bounds of others. */
  gridsIn(folder) {
    const all = [...this.tree.values()].filter(({ kind, path }) => kind === "array" && split(path)[0] === folder);
    const aside = all.flatMap(({ attrs }) => `${attrs.coordinates ?? ""} ${attrs.bounds ?? ""}`.split(" "));
    return all.filter(({ shape, name }) => shape?.length >= 2 && !aside.includes(name));
  }

  /**
   * A level: a group with arrays of variables, or an array. Undefined if there is nothing.
   *
   * @returns {Promise<LevelNode | undefined>}
   */
  async level(path, variable) {
    if (this.tree) {
      const entry = this.tree.get(path);
      if (entry?.kind === "array") return this.asLevel(path, entry);
      if (!entry && path !== "") return undefined;
      const grids = this.gridsIn(path);
      const array = this.tree.get(join(path, variable ?? ""));
      return { path, isArray: false, attrs: entry?.attrs ?? this.group.attrs, variables: grids.map(({ name }) => name), array: array?.kind === "array" ? array : grids[0] };
    }
    const isNamed = split(path)[1] === variable;
    const inside = variable === undefined || isNamed ? undefined : await this.array(join(path, variable));
    if (inside || path === "") return { path, isArray: false, attrs: path === "" ? this.group.attrs : {}, array: inside };
    const group = isNamed ? undefined : await this.using("group", path, ({ attrs }) => ({ path, isArray: false, attrs }));
    const array = group ? undefined : await this.array(path);
    return array ? this.asLevel(path, array) : group;
  }

  /** A level that is an array. */
  asLevel(path, array) {
    return { path, isArray: true, attrs: {}, variables: [split(path)[1]], array };
  }
}
