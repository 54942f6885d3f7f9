/** Arrays beside an array: coordinates and grid mappings, in its group and in those above it. */

/** Passes over what is not there, or cannot be read. */
function passed(error) {
  if (!["NotFoundError", "InvalidMetadataError", "UnsupportedError"].includes(error.name)) throw error;
}

const words = (text) => (typeof text === "string" ? text.split(/\s+/) : []);

const joined = (...parts) => parts.filter(Boolean).join("/");

/**
 * Array that was found: its name is the path from the group, its path that in the source.
 *
 * @typedef {{ name: string, path: string, zarrFormat: number, attrs: any, shape: number[], dimensionNames?: (string | null)[], dtype: string }} Found
 */

export class Around {
  /** Arrays that were opened in the search, by their name. */
  #opened = new Map();

  constructor(group, name, array, signal) {
    const segments = name.split("/").slice(0, -1);
    /** Folders of the array, the nearest first; that of the group is "". */
    this.folders = [...segments.map((_, i) => segments.slice(0, segments.length - i).join("/")), ""];
    this.group = group;
    this.array = array;
    this.options = { signal };
    const arrays = group.tree()?.filter(({ shape }) => shape);
    this.listed = arrays && new Map(arrays.map((entry) => [entry.path, entry]));
  }

  /** Names of the arrays in the array's group, where consolidated metadata lists them. */
  get listedNames() {
    const [folder] = this.folders;
    const names = [...(this.listed?.keys() ?? [])].map((name) => name.split("/"));
    return names.filter((segments) => segments.slice(0, -1).join("/") === folder).map((segments) => segments.at(-1));
  }

  /** Attributes, path and format of the group that has the array as a direct child. */
  async parent() {
    const { group, folders, options } = this;
    if (!this.holder) {
      const opened = folders[0] === "" ? group : await group.group(folders[0], options).catch(passed);
      const { attrs = {}, path, zarrFormat } = opened ?? {};
      this.holder = { attrs, path, zarrFormat };
      if (opened !== group) opened?.free();
    }
    return this.holder;
  }

  /**
   * The array of a name, in the nearest group that has one.
   *
   * @returns {Promise<Found | undefined>}
   */
  async find(name) {
    for (const folder of this.folders) {
      const place = joined(folder, name);
      const found = this.listed ? this.listed.get(place) : await this.#probe(place);
      if (found) {
        const { attrs, shape, dimensionNames, dtype } = found;
        return { name: place, path: joined(this.group.path, place), zarrFormat: this.array.zarrFormat, attrs, shape, dimensionNames, dtype };
      }
    }
    return undefined;
  }

  async #probe(place) {
    if (!this.#opened.has(place)) {
      this.#opened.set(place, await this.group.array(place, this.options).catch(passed));
    }
    return this.#opened.get(place);
  }

  /** The coordinate along one of the array's dimensions for which `fits` holds; `names` are tried besides those that attributes name. */
  async along(names, fits) {
    const { attrs, dimensionNames } = this.array;
    const named = [...words(attrs.coordinates), ...words((await this.parent()).attrs.coordinates), ...dimensionNames];
    for (const name of new Set([...named, ...names, ...this.listedNames])) {
      const found = name && (await this.find(name));
      if (found?.shape.length === 1 && dimensionNames.includes(found.dimensionNames?.[0] ?? name) && fits(found, name)) return found;
    }
    return undefined;
  }

  /** Opens an array that was found; the caller frees it. */
  async open(name) {
    const array = this.#opened.get(name);
    this.#opened.delete(name);
    return array ?? this.group.array(name, this.options);
  }

  /** Frees the arrays that were opened in the search. */
  free() {
    for (const array of this.#opened.values()) array?.free();
  }
}
