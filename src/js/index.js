/**
 * The package's entry in browsers, workers and bundlers: the WebAssembly module lies beside the glue
 * and is found by its URL.
 */
import { compiledBy } from "./open.js";

export { ChunkGrid } from "./rectilinear_zarr.js";
export { slice } from "./slice.js";
export const RectilinearArray = /* @__PURE__ */ compiledBy(() => undefined);
