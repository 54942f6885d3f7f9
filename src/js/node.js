/** The package's entry in Node, whose fetch cannot read files. */
import { readFile } from "node:fs/promises";

import { compiledBy } from "./open.js";

export { ChunkGrid } from "./rectilinear_zarr.js";
export { slice } from "./slice.js";
export const RectilinearArray = /* @__PURE__ */ compiledBy(() =>
  readFile(new URL("./rectilinear_zarr_bg.wasm", import.meta.url)),
);
