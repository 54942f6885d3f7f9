/**
 * Compiles the WebAssembly module on the first `open`, so that importing the package costs nothing
 * and needs no `init()`.
 */
import init from "./rectilinear_zarr.js";

/** @type {Promise<unknown> | undefined} */
let ready;

/**
 * A class with its `open`, through a module that `load` finds.
 *
 * @param {any} opened the class
 * @param {(source: unknown, options: unknown) => Promise<unknown>} open the module's function that opens it
 * @param {() => unknown} load gives the module's bytes, or undefined to fetch it from beside the glue
 * @param {() => void} [prepare] is called once the module is compiled
 */
export function openedBy(opened, open, load, prepare) {
  const compile = async () => {
    await init({ module_or_path: await load() });
    prepare?.();
  };
  opened.open = async (source, options) => {
    options?.signal?.throwIfAborted();
    ready ??= compile();
    try {
      await ready;
    } catch (error) {
      // A failed download must not be the answer for ever.
      ready = undefined;
      throw error;
    }
    return open(source, options);
  };
  return opened;
}
