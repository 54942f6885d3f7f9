/** The class of the entry `levels`: the levels of a pyramid, finest first, and reads from them. */
import { selecting } from "./level-grid.js";
import { join, split } from "./level-nodes.js";
import { described } from "./level-set.js";
import { checkedBox, levelAt, pixelsIn } from "./level-window.js";

/** Finds the class of groups, which opens URLs. */
let classOfGroups;

/** The class of levels, with the way to the class of groups. */
export function levelsBy(find) {
  classOfGroups = find;
  return Levels;
}

const range = ([start, stop]) => ({ start, stop, step: null });

class Levels extends Array {
  #group;
  #places;
  #coordinates;
  #variable;
  #arrays = new Map();

  /** Lists that methods of arrays make are plain ones. */
  static get [Symbol.species]() {
    return Array;
  }

  static async open(source, options = {}) {
    const { variable, ...more } = options;
    more.signal?.throwIfAborted();
    const group = typeof source?.tree === "function" ? source.hold() : await (await classOfGroups()).open(source, more);
    try {
      const { shown, levels, places, coordinates } = await described(group, { variable, signal: more.signal });
      const opened = Object.assign(new Levels(), shown);
      opened.push(...levels);
      [opened.#group, opened.#places, opened.#coordinates, opened.#variable] = [group, places, coordinates, variable];
      return opened;
    } catch (error) {
      group.free();
      throw error;
    }
  }

  at(resolution, { round } = {}) {
    return levelAt(this, resolution, round);
  }

  window(bbox, { resolution, round } = {}) {
    const isDegrees = this.#coordinates === "degrees";
    const box = checkedBox(bbox, isDegrees);
    const level = resolution === undefined ? this[0] : this.at(resolution, { round });
    const found = pixelsIn(level, box, isDegrees);
    if (!found) return undefined;
    const { rows, cols, list, transform, bounds } = found;
    return { level, selection: selecting(this.#places[level.index].at, range(rows), list ?? range(cols)), transform, bounds };
  }

  /** Path of a level's array of a variable. */
  #pathOf(nth, variable = this.#variable) {
    const level = this[nth?.index ?? nth];
    if (!level) throw new RangeError(`there is no level ${String(nth)}; the last one is ${this.length - 1}`);
    const { path, variables, index } = level;
    if (this.#places[index].isArray) {
      // A variable beside the array that the level names: GDAL's finest level is an array, and the others are groups.
      return variable === undefined || this.kind === "ome" ? path : join(split(path)[0], variable);
    }
    const name = variable ?? variables?.[0] ?? this.find((other) => other.variables?.length)?.variables[0];
    if (name === undefined) throw new TypeError("name a variable: the metadata is not consolidated, so the arrays of the level are not known");
    return join(path, name);
  }

  async array(nth, variable) {
    return this.#group.array(this.#pathOf(nth, variable));
  }

  /** An array that stays open for tiles. */
  #kept(nth, variable) {
    const path = this.#pathOf(nth, variable);
    const arrays = this.#arrays;
    if (!arrays.has(path)) arrays.set(path, this.#group.array(path).catch((error) => (arrays.delete(path), Promise.reject(error))));
    return arrays.get(path);
  }

  async tile(z, x, y, options = {}) {
    options.signal?.throwIfAborted();
    const { tile } = await import("./level-tile.js");
    return tile(this, [z, x, y], options, {
      coordinates: this.#coordinates,
      arrayOf: (nth, variable) => this.#kept(nth, variable),
      axesOf: (nth) => [this.#places[nth].at.y, this.#places[nth].at.x],
    });
  }

  free() {
    for (const opening of this.#arrays.values()) opening.then((array) => array.free(), () => {});
    this.#arrays.clear();
    this.#group.free();
  }
}
if (Symbol.dispose) Levels.prototype[Symbol.dispose] = Levels.prototype.free;
