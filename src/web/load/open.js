/**
 * Compiles the WebAssembly module on the first `open`, so that importing the package costs nothing
 * and needs no `init()`.
 */
import { keptAlive, namingFreed } from "./freed.js";
import init, { ChunkGrid, Group, RectilinearArray, loadModulesBy } from "./rectilinear_zarr.js";

/**
 * Something that is begun once, and anew where it failed: a failed download must not be the answer for ever.
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

/** Where the glue of the modules comes from that few need. */
const finds = {
  rare: () => import("./rectilinear_zarr_rare.js"),
  systems: () => import("./rectilinear_zarr_systems.js"),
};

/**
 * Has glue at hand where nothing can be imported later, as in a Service Worker.
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
 * A class with its `open`, through a module that `load` finds.
 *
 * @param {any} opened the class
 * @param {(source: unknown, options: unknown) => Promise<unknown>} open the module's function that opens it
 * @param {(name: string) => unknown} load gives a module's bytes, or undefined to fetch it from beside its glue
 * @param {() => void} [prepare] is called once the module is compiled
 */
export function openedBy(opened, open, load, prepare) {
  opened.open = async (source, options) => {
    options?.signal?.throwIfAborted();
    // What comes of it is told to whoever needs the module.
    if (options?.format && options.format !== "zarr") others.systems(load).catch(() => {});
    await main(load, prepare);
    return open(source, options);
  };
  return opened;
}
