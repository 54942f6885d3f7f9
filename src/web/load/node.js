/** Entry for Node, whose fetch cannot read files. */
import { readFile } from "node:fs/promises";

import { coordinated, labelled } from "../labels/by-label.js";
import { joining, listed, streaming, typed } from "../class/array-methods.js";
import { notOnDisk } from "./missing-files.js";
import { openedBy } from "./open.js";
import * as glue from "../wasm/rectilinear_zarr.js";

export { ChunkGrid } from "../wasm/rectilinear_zarr.js";
export { codecs, decoder } from "../codecs/registry.js";
export { slice } from "../common/slice.js";

/** Reads a file of the package. A bundle for a server may have left it behind, or its script without an address. */
async function load(name) {
  let url;
  try {
    url = new URL(name, import.meta.url);
    return await readFile(url);
  } catch (cause) {
    throw url && cause.code !== "ENOENT" ? cause : notOnDisk(cause);
  }
}

export const RectilinearArray = /* @__PURE__ */ joining(labelled(listed(typed(streaming(openedBy(glue.RectilinearArray, glue.openArray, load))))), glue.Joining);
export const Group = /* @__PURE__ */ coordinated(openedBy(glue.Group, glue.openGroup, load));
