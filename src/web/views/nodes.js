/** Nodes of a store of regular arrays: views of arrays, and groups, with the documents that describe them. */
import { axesInOme, omeInOrder } from "./ome-axes.js";
import { documentsOf, groupDocuments } from "./documents.js";
import { RegularView } from "./view.js";
import { viewOf } from "./by-options.js";
import { changedAttrs } from "./options.js";

/** Load what few stores need; a Service Worker, which cannot import later, sets them. */
const finds = { geozarr: () => import("./geozarr.js") };

/** @param {Partial<typeof finds>} glue */
export const bringViews = (glue) => Object.assign(finds, glue);

const isArray = (opened) => typeof opened?.getChunk === "function";

/** Attributes of what a view shows, with the dimensions that xarray names in the order of the view. */
export function attrsShown({ array, order, type }) {
  const attrs = type.attrsOf?.(array.attrs) ?? array.attrs;
  const names = attrs._ARRAY_DIMENSIONS;
  return order && names?.length === order.length ? { ...attrs, _ARRAY_DIMENSIONS: order.map((axis) => names[axis]) } : attrs;
}

export class ShownNodes {
  #root;
  #options;
  #memberOptions;
  /** Promises of a view or a group by path. A path without a node is not kept, because one may be added. */
  #nodes = new Map();
  #opened = new Map();
  /** Promises of the documents of opened groups. */
  #documents = new WeakMap();
  #geo;

  /** @param {any} root an opened array or group @param {import("./options.js").ViewOptions} options */
  constructor(root, options) {
    const { cacheBytes, geozarr, zarrFormat = root?.zarrFormat } = options;
    this.#root = root;
    this.#options = options;
    this.format = zarrFormat;
    this.#memberOptions = cacheBytes === undefined ? undefined : { cacheBytes };
    if (!isArray(root) && typeof root?.array !== "function") throw new TypeError("asRegularStore takes an opened RectilinearArray or Group");
    if (isArray(root)) {
      if (this.#memberOptions) throw new TypeError("the option cacheBytes of a store is for the arrays of a group; give it to RectilinearArray.open");
      if (geozarr) throw new TypeError("the option geozarr takes a group, whose coordinates say where its arrays lie; open the group of this array");
    }
    const node = isArray(root) ? viewOf(root, "", options, { isAlone: true }) : root;
    this.#keep("", Promise.resolve(node));
  }

  /** The view or the group at a path that is opened already: waiting for a promise takes longer than a small chunk. */
  opened(path) {
    return this.#opened.get(path);
  }

  /** The view or the group at a path; undefined where there is none. */
  at(path) {
    return this.#nodes.get(path) ?? this.#keep(path, isArray(this.#root) ? Promise.resolve(undefined) : this.#open(path));
  }

  #keep(path, opening) {
    this.#nodes.set(path, opening);
    const forget = () => path !== "" && this.#nodes.delete(path);
    opening.then((node) => (node ? this.#opened.set(path, node) : forget()), forget);
    return opening;
  }

  async #open(path) {
    try {
      return await this.#viewOf(await this.#root.array(path, this.#memberOptions), path);
    } catch (error) {
      // The path may be a group, or have no node.
      if (!["NotFoundError", "InvalidMetadataError"].includes(error?.name)) throw error;
      return this.#root.group(path).catch((none) => {
        if (error.name === "NotFoundError" && none?.name === "NotFoundError") return undefined;
        throw error;
      });
    }
  }

  /** View of a member. Where it does not name its dimensions, the image of OME-Zarr that it belongs to does. */
  async #viewOf(array, path) {
    const isNamed = !this.#options.dimensions || array.dimensionNames?.some((name) => name !== null);
    const names = isNamed ? undefined : await this.#axesOf(path);
    return viewOf(array, path, this.#options, { names: names?.length === array.shape.length ? names : undefined });
  }

  /** Names of an array's axes by the nearest group above it that has it in an image of OME-Zarr. */
  async #axesOf(path) {
    for (let end = path.length; end > 0; ) {
      end = Math.max(0, path.lastIndexOf("/", end - 1));
      // A group that cannot be read names no axes, and its arrays are read all the same.
      const above = await this.at(path.slice(0, end)).catch(() => undefined);
      const names = above && !(above instanceof RegularView) && axesInOme(above.attrs, path.slice(end === 0 ? 0 : end + 1));
      if (names) return names;
    }
    return undefined;
  }

  /** Documents of a node by name. */
  documents(path, node) {
    if (node instanceof RegularView) return this.#ofArray(path, node);
    const known = this.#documents.get(node);
    if (known) return known;
    const writing = this.#ofGroup(path, node);
    this.#documents.set(node, writing);
    writing.catch(() => this.#documents.delete(node));
    return writing;
  }

  async #ofArray(path, view) {
    return documentsOf(view, await this.#attrs(path, attrsShown(view), (geo) => geo.ofArray(path, view)), this.format);
  }

  /** Documents of a group, with consolidated members if it has them; arrays that cannot be shown are left out. */
  async #ofGroup(path, group) {
    const tree = group.tree();
    const members = tree && (await Promise.all(tree.map((entry) => this.#member(group, path, entry))));
    return groupDocuments(await this.#groupAttrs(path, group.attrs), this.format, members?.filter(([, documents]) => documents));
  }

  async #member(group, folder, { path, kind, attrs }) {
    const whole = folder === "" ? path : `${folder}/${path}`;
    if (kind === "group") return [path, groupDocuments(await this.#groupAttrs(whole, attrs), this.format)];
    try {
      // Opening from consolidated metadata sends no request. The array is freed, because few members may be read.
      const array = await group.array(path);
      try {
        return [path, await this.#ofArray(whole, await this.#viewOf(array, whole))];
      } finally {
        array.free();
      }
    } catch (error) {
      if (["UnsupportedError", "InvalidMetadataError"].includes(error?.name)) return [path];
      throw error;
    }
  }

  #groupAttrs(path, attrs) {
    return this.#attrs(path, omeInOrder(attrs, this.#options.dimensions), (geo) => geo.ofGroup(path, attrs));
  }

  /** Attributes as they are shown: with those of GeoZarr, then changed by the caller's function. */
  async #attrs(path, attrs, geoOf) {
    const { geozarr } = this.#options;
    if (geozarr) this.#geo ??= finds.geozarr().then(({ GeoAttributes }) => new GeoAttributes(this.#root));
    return changedAttrs(this.#options, path, geozarr ? { ...attrs, ...(await geoOf(await this.#geo)) } : attrs);
  }
}
