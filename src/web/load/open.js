/** Loading of the WebAssembly module at the first `open`: importing the package costs nothing and needs no `init()`. */
import { keptAlive, namingFreed } from "./freed.js";
import init, { ChunkGrid, Group, RectilinearArray, loadModulesBy } from "./rectilinear_zarr.js";

/**
 * Makes a function that runs `begin` once and returns its promise; after a failure, such as a lost download, it runs
 * again.
 *
 * @template T
 * @template {unknown[]} Needs
 * @param {(...needs: Needs) => Promise<T>} begin
 */
function once(begin) {
  /** @type {Promise<T> | undefined} */
  let begun;
  return async (/** @type {Needs} */ ...needs) => {
    begun ??= begin(...needs);
    try {
      return await begun;
    } catch (error) {
      begun = undefined;
      throw error;
    }
  };
}

/** Imports of the glue of modules that few programs need. */
const finds = {
  rare: () => import("./rectilinear_zarr_rare.js"),
  systems: () => import("./rectilinear_zarr_systems.js"),
};

/**
 * Sets the glue of modules on platforms that cannot import later, such as Service Workers.
 *
 * @param {Partial<Record<keyof typeof finds, unknown>>} glue
 */
export function bringModules(glue) {
  for (const [name, module] of Object.entries(glue)) finds[name] = async () => module;
}

const loader = (name) =>
  once(async (load) => {
    const module = await finds[name]();
    await module.default({ module_or_path: await load(`rectilinear_zarr_${name}_bg.wasm`) });
    return module;
  });
const others = { rare: loader("rare"), systems: loader("systems") };

const main = once(async (load, prepare) => {
  await init({ module_or_path: await load("rectilinear_zarr_bg.wasm") });
  loadModulesBy((name) => others[name](load));
  for (const [name, opened] of Object.entries({ Group, RectilinearArray })) namingFreed(opened, name);
  keptAlive(ChunkGrid);
  prepare?.();
});

/**
 * Adds `open` to a class, with a module that `load` finds.
 *
 * @param {any} opened the class
 * @param {(source: unknown, options: unknown) => Promise<unknown>} open function of the module that opens an object
 * @param {(name: string) => unknown} load returns a module's bytes, or undefined to fetch the file beside its glue
 * @param {() => void} [prepare] called once the module is compiled
 */
export function openedBy(opened, open, load, prepare) {
  opened.open = async (source, options) => {
    options?.signal?.throwIfAborted();
    // A failure is reported where the module is needed.
    if (options?.format && options.format !== "zarr") others.systems(load).catch(() => {});
    await main(load, prepare);
    return open(source, options);
  };
  return opened;
}
