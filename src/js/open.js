/**
 * Compiles the WebAssembly module on the first `open`, so that importing the package costs nothing
 * and needs no `init()`.
 */
import init, { RectilinearArray, openArray } from "./rectilinear_zarr.js";

/**
 * The class, opened through a module that `load` finds.
 *
 * @param {() => unknown} load gives the module's bytes, or undefined to fetch it from beside the glue
 */
export function compiledBy(load) {
  /** @type {Promise<unknown> | undefined} */
  let ready;
  const compile = async () => init({ module_or_path: await load() });
  RectilinearArray.open = async (source, options) => {
    options?.signal?.throwIfAborted();
    ready ??= compile();
    try {
      await ready;
    } catch (error) {
      // A failed download must not be the answer for ever.
      ready = undefined;
      throw error;
    }
    return openArray(source, options);
  };
  return RectilinearArray;
}
