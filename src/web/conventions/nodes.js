/** Metadata of the groups and arrays of a pyramid: from consolidated metadata without a request, or one document each. */

/**
 * An array, as far as a pyramid needs it.
 *
 * @typedef {{ name: string, path: string, attrs: Record<string, any>, shape?: number[], dimensionNames?: (string | null)[] }} ArrayNode
 * A level: a group with arrays of variables, or an array. Its groups are those around the array, the nearest first, up to
 * the pyramid's own group, which is not among them.
 *
 * @typedef {{ path: string, isArray: boolean, groups: { path: string, attrs: Record<string, any> }[], variables?: string[], array?: ArrayNode }} LevelNode
 */

/** Path of a member of a group. */
export const join = (folder, name) => [folder, name].filter(Boolean).join("/");

/** Path of the folder of a node, and its name. */
export function split(path) {
  const end = path.lastIndexOf("/");
  return [path.slice(0, Math.max(end, 0)), path.slice(end + 1)];
}

/** Paths of the folders that a node is in, the nearest first, without the outermost one. */
function foldersOf(path) {
  const [folder] = split(path);
  return folder === "" ? [] : [folder, ...foldersOf(folder)];
}

/** Result of an opening, or undefined where there is no such thing: nothing at all, or a node of the other kind. */
const found = (opening) =>
  opening.catch((error) => {
    if (!["NotFoundError", "InvalidMetadataError", "UnsupportedError"].includes(error.name)) throw error;
    // A node that is damaged, and not of the other kind, is reported when it is opened for reading.
  });

export class Nodes {
  /**
   * `arrays`, where it is given, receives each array that a request was made for, by its path: who gave it frees them.
   *
   * @param {any} group the pyramid's group
   * @param {AbortSignal} [signal]
   * @param {Map<string, any>} [arrays]
   * @param {import("./coordinate-systems.js").Graph & { others: any[] }} [scene] systems of the scene that the image is in, with those of others
   * @param {boolean} [attrs] the option `attrs` of arrays whose convention says all by the group's attributes
   */
  constructor(group, signal, arrays = undefined, scene = undefined, attrs = undefined) {
    this.group = group;
    this.signal = signal;
    this.arrays = arrays;
    this.scene = scene;
    this.attrs = attrs;
    this.opened = new Map();
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

  /** A member of the pyramid's group, opened for as long as `use` takes; undefined where there is none. @param {string} kind @param {string} path @param {(node: any) => any} use @param {boolean} [attrs] the option `attrs` */
  async using(kind, path, use, attrs = undefined) {
    const node = await found(this.group[kind](path, { signal: this.signal, attrs }));
    try {
      return node && (await use(node));
    } finally {
      node?.free();
    }
  }

  /** @param {string} path @param {boolean} [wanted] the option `attrs` @returns {Promise<ArrayNode | undefined>} */
  async array(path, wanted = undefined) {
    if (this.tree) return this.tree.get(path)?.kind === "array" ? this.tree.get(path) : undefined;
    const open = () => this.using("array", path, (array) => {
      this.arrays?.set(path, array.hold());
      const { attrs, shape, dimensionNames } = array;
      return { name: split(path)[1], path, attrs, shape, dimensionNames };
    }, wanted);
    if (!this.opened.has(path)) this.opened.set(path, open());
    return this.opened.get(path);
  }

  /** Arrays directly in a group that hold data of two axes or more, and are no coordinates or bounds of others. */
  gridsIn(folder) {
    const all = [...this.tree.values()].filter(({ kind, path }) => kind === "array" && split(path)[0] === folder);
    const aside = all.flatMap(({ attrs }) => `${attrs.coordinates ?? ""} ${attrs.bounds ?? ""}`.split(" "));
    return all.filter(({ shape, name }) => shape?.length >= 2 && !aside.includes(name));
  }

  /** The groups of these paths that exist. */
  async groupsAt(paths) {
    const attrsAt = async (path) => (this.tree ? this.tree.get(path)?.attrs : this.using("group", path, ({ attrs }) => attrs));
    const all = await Promise.all(paths.map(async (path) => ({ path, attrs: await attrsAt(path) })));
    return all.filter(({ attrs }) => attrs);
  }

  /**
   * A level by its path, and by the name of its array if it is a group. Undefined if there is nothing.
   *
   * @param {string} path
   * @param {string} [variable]
   * @param {boolean} [isAlone] whether the attributes of the groups around the array are not needed
   * @returns {Promise<LevelNode | undefined>}
   */
  async level(path, variable, isAlone = false) {
    const around = (inside) => (isAlone ? [] : this.groupsAt(foldersOf(inside)));
    const asArray = async (array) => ({ ...this.asLevel(path, array), groups: await around(path) });
    if (this.tree) {
      const entry = this.tree.get(path);
      if (entry?.kind === "array") return asArray(entry);
      if (!entry && path !== "") return undefined;
      const grids = this.gridsIn(path);
      const named = this.tree.get(join(path, variable));
      const array = named?.kind === "array" ? named : grids[0];
      const groups = await around(array?.path ?? join(path, "."));
      return { path, isArray: false, groups, variables: grids.map(({ name }) => name), array };
    }
    // GDAL's finest level is an array of the variable's name, beside groups that hold the others.
    const isNamed = split(path)[1] === variable;
    if (variable && !isNamed) {
      const inside = join(path, variable);
      const [array, groups] = await Promise.all([this.array(inside), around(inside)]);
      if (array || path === "" || groups.some((group) => group.path === path)) return { path, isArray: false, groups, array };
    }
    if (path === "") return { path, isArray: false, groups: [] };
    const groups = isNamed ? [] : await this.groupsAt([path]);
    if (groups.length > 0) return { path, isArray: false, groups: [...groups, ...(await around(path))] };
    const array = await this.array(path);
    return array && asArray(array);
  }

  /** A level that is an array. */
  asLevel(path, array) {
    return { path, isArray: true, groups: [], variables: [split(path)[1]], array };
  }
}
