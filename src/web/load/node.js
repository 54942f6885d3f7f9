/** Entry for Node, whose fetch cannot read files. */
import { readFile } from "node:fs/promises";

import { coordinated, labelled } from "../labels/by-label.js";
import { joining } from "../class/concat.js";
import { listed } from "../codecs/listed.js";
import { notOnDisk } from "./missing-files.js";
import { openedBy } from "./open.js";
import * as glue from "../wasm/rectilinear_zarr.js";
import { typed } from "../class/is.js";
import { streaming } from "../class/stream.js";

export { ChunkGrid } from "../wasm/rectilinear_zarr.js";
export { codecs, decoder } from "../codecs/registry.js";
export { slice } from "../class/slice.js";

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
