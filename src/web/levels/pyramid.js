/** The class of the entry `levels`: the levels of a pyramid, finest first, and reads from them. */
import { axesIn, boundsOf, resolutionOf, selecting } from "../conventions/grid.js";
import { join, split } from "../conventions/nodes.js";
import { described } from "./set.js";
import { checkedBox, levelAt, pixelsIn } from "./window.js";
import { OPEN, checkOptions, given } from "../common/options.js";

/** Finds the class of groups, which opens URLs. */
let classOfGroups;

/** The class of levels, with the way to the class of groups. */
export function levelsBy(find) {
  classOfGroups = find;
  return Levels;
}

const unnamed = () => new TypeError("name a variable: the metadata is not consolidated, so the arrays of the level are not known");

/** What is known where there are no coordinate systems. */
const noSystem = (name) => {
  throw new RangeError(`there is no coordinate system ${JSON.stringify(name)}: the metadata of the pyramid state none`);
};
const NO_RELATIONS = { transform: noSystem, plane: noSystem };

const range = ([start, stop]) => ({ start, stop, step: null });

/** A group of one's own, with its attributes: that of a caller, which he may free, or the one at an address or in a store. */
const heldGroup = async (source, options) => (typeof source?.tree === "function" ? source.hold() : (await classOfGroups()).open(source, { ...options, attrs: undefined }));

/** Arrays that were opened for levels, by their paths; once it was freed it keeps none, as where one level is refused before another has come. */
class Kept extends Map {
  #isFreed = false;

  set(path, array) {
    if (!this.#isFreed) return super.set(path, array);
    array.free();
    return this;
  }

  free() {
    this.#isFreed = true;
    for (const array of this.values()) array.free();
    this.clear();
  }
}

class Levels extends Array {
  #group;
  #places;
  #coordinates;
  #variable;
  #relations;
  #arrays = new Map();
  /** Arrays whose metadata were read for the levels, by their paths: they are not asked for again. */
  #read = new Kept();

  /** Lists that methods of arrays make are plain ones. */
  static get [Symbol.species]() {
    return Array;
  }

  /** @param {any} source @param {any} [options] @param {any} [scene] systems of the scene that the image is in, of `scene.js` */
  static async open(source, options, scene) {
    checkOptions("Levels.open", options, `${OPEN} variable`);
    const { variable, attrs, ...more } = given(options);
    more.signal?.throwIfAborted();
    const group = await heldGroup(source, more);
    const arrays = new Kept();
    try {
      const { shown, levels, places, coordinates, relations = NO_RELATIONS } = await described(group, { variable, attrs, signal: more.signal, arrays, scene });
      const opened = Object.assign(new Levels(), shown);
      opened.push(...levels);
      [opened.#group, opened.#read, opened.#places, opened.#coordinates, opened.#variable, opened.#relations] = [group, arrays, places, coordinates, variable, relations];
      return opened;
    } catch (error) {
      arrays.free();
      group.free();
      throw error;
    }
  }

  in(name) {
    const levels = this.map((level) => {
      const { transform, words } = this.#relations.plane(name, this.#places[level.index].vectors);
      return { ...level, scale: undefined, translation: undefined, transform, resolution: resolutionOf(transform), bounds: level.shape && boundsOf(transform, level.shape), from: ["coordinateTransformations of the datasets", ...words].join(", ") };
    });
    const { kind, crs, axes, channels, systems, conventions } = /** @type {any} */ (this);
    const turned = Object.assign(new Levels(), { kind, crs, axes, channels, systems, conventions });
    turned.push(...levels);
    [turned.#group, turned.#places, turned.#variable, turned.#relations] = [this.#group.hold(), this.#places, this.#variable, this.#relations];
    for (const [path, array] of this.#read) turned.#read.set(path, array.hold());
    return /** @type {any} */ (turned);
  }

  transform(from, to) {
    return this.#relations.transform(from, to);
  }

  at(resolution, options) {
    checkOptions("at", options, "round");
    return levelAt(this, resolution, given(options).round);
  }

  window(bbox, options) {
    checkOptions("window", options, "resolution round");
    const { resolution, round } = given(options);
    const isDegrees = this.#coordinates === "degrees";
    const box = checkedBox(bbox, isDegrees);
    const level = resolution === undefined ? this[0] : this.at(resolution, { round });
    const found = pixelsIn(level, box, isDegrees);
    if (!found) return undefined;
    const { rows, cols, list, transform, bounds } = found;
    return { level, selection: selecting(this.#places[level.index].at, range(rows), list ?? range(cols)), transform, bounds };
  }

  /** The array of a level and a variable, opened. */
  async #opened(nth, wanted) {
    const variable = wanted ?? this.#variable;
    const level = this[nth?.index ?? nth];
    if (!level) throw new RangeError(`there is no level ${String(nth)}; the last one is ${this.length - 1}`);
    const { isKnown } = this.#places[level.index];
    if (isKnown) {
      const at = this.#pathOf(level, variable);
      return this.#read.get(at)?.hold() ?? this.#group.array(at);
    }
    // A level that was not looked at, because the layout says all: a group or an array, which is found out here.
    const { path } = level;
    const inside = join(path, variable);
    if (variable && split(path)[1] !== variable) return this.#group.array(inside);
    return this.#group.array(path).catch(async (error) => {
      if (!["NotFoundError", "InvalidMetadataError"].includes(error.name)) throw error;
      if (variable) return this.#group.array(inside);
      const group = await this.#group.group(path).catch(() => Promise.reject(error));
      group.free();
      throw unnamed();
    });
  }

  /** Path of the array of a level whose node is known. */
  #pathOf({ path, variables, index }, variable) {
    if (this.#places[index].isArray) {
      // A variable beside the array that the level names: GDAL's finest level is an array, and the others are groups.
      return !variable || /** @type {any} */ (this).kind === "ome" ? path : join(split(path)[0], variable);
    }
    const name = variable || (variables?.[0] ?? this.find((other) => other.variables?.length)?.variables[0]);
    if (name === undefined) throw unnamed();
    return join(path, name);
  }

  async array(nth, variable) {
    return this.#opened(nth, variable);
  }

  /** An array that stays open for tiles. */
  #kept(nth, variable) {
    const key = JSON.stringify([nth, variable ?? this.#variable]);
    const arrays = this.#arrays;
    if (!arrays.has(key)) arrays.set(key, this.#opened(nth, variable).catch((error) => (arrays.delete(key), Promise.reject(error))));
    return arrays.get(key);
  }

  /** What reads of pixels know of the pyramid. */
  #hooks() {
    return {
      coordinates: this.#coordinates,
      arrayOf: (nth, variable) => this.#kept(nth, variable),
      axesOf: (nth, array) => axesIn(array, this.#places[nth].at),
    };
  }

  async read(wanted) {
    checkOptions("a read of levels", wanted, "bbox crs width height method variable selection fill as level tolerance proj4 epsg project maxPixels signal mask scale decode");
    const options = given(wanted);
    options.signal?.throwIfAborted();
    const [{ read }] = await Promise.all([import("./read.js"), import("./warp.js")]);
    return read(this, options, this.#hooks());
  }

  async tile(z, x, y, wanted) {
    checkOptions("tile", wanted, "variable select size method grid level project maxPixels signal mask scale decode");
    const options = given(wanted);
    options.signal?.throwIfAborted();
    const [{ tile }] = await Promise.all([import("./tile.js"), import("./warp.js")]);
    return tile(this, [z, x, y], options, this.#hooks());
  }

  free() {
    for (const opening of this.#arrays.values()) opening.then((array) => array.free(), () => {});
    this.#arrays.clear();
    this.#read.free();
    this.#group.free();
  }
}
if (Symbol.dispose) Levels.prototype[Symbol.dispose] = Levels.prototype.free;

/** Opens a scene. @param {any} source @param {any} [options] */
export async function scene(source, options) {
  checkOptions("scene", options, OPEN);
  const { openScene } = await import("./scene.js");
  const group = await heldGroup(source, given(options));
  return openScene(Levels, group, given(options).signal);
}
