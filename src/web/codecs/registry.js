/** Custom codecs: the page's registry, and the form of a codec that is one function. */
import { isBuiltIn } from "./built-in.js";
import { checkOptions } from "../common/options.js";

/** Loader of each codec: a function that returns its entry, or the URL of a module that exports it. */
const loaders = new Map();

/** Names of built-in codecs that the page replaces. */
const replaced = new Set();

/** Whether a value can be a loader. A codec's class is a function, too, but would be called without `new`. */
export const isLoader = (load) => load instanceof URL || (typeof load === "function" && !load.fromConfig);

/** Codecs of the page, for all arrays that are opened from now on. */
export const codecs = {
  set(name, load, options) {
    if (typeof name !== "string" || !isLoader(load)) {
      throw new TypeError("codecs.set expects a codec's name, and a function that gives the codec, such as () => Zstd, or the URL of its module");
    }
    checkOptions("codecs.set", options, "override");
    // As a name of Zarr v3, or an id of v2.
    const isOurs = isBuiltIn(name) || isBuiltIn(`numcodecs.${name}`);
    if (isOurs && !options?.override) throw new TypeError(`the codec "${name}" is built in; pass { override: true } to replace it`);
    if (isOurs) replaced.add(name);
    loaders.set(name, load);
  },
  has: (name) => loaders.has(name),
  delete: (name) => (replaced.delete(name), loaders.delete(name)),
};

/** Whether any codec is registered. */
export const isUsed = () => loaders.size > 0;

/** Loader of a codec, by the first of these names that is registered: for the page in place of a built-in one, for the array, or for the page. */
export function loaderOf(names, registry, isOurs) {
  const first = (get) => names.map(get).find((load) => load !== undefined);
  if (isOurs) return first((name) => (replaced.has(name) ? loaders.get(name) : undefined));
  return first((name) => registry?.get(name)) ?? first((name) => loaders.get(name));
}

/** Registers a codec that is one function of the encoded chunk. */
export function decoder(name, decode, given) {
  checkOptions("decoder", given, "kind override");
  const { kind, ...options } = given ?? {};
  if (typeof decode !== "function") throw new TypeError("decoder expects a codec's name, and a function that decodes a chunk");
  const fromConfig = (configuration, meta) => ({ kind, decode: (encoded) => decode(encoded, { configuration, ...meta }) });
  codecs.set(name, () => ({ fromConfig }), options);
}
