/** Entry for Node, whose fetch cannot read files. */
import { readFile } from "node:fs/promises";

import { coordinated, labelled } from "./by-label.js";
import { joining } from "./concat.js";
import { fileOnDisk } from "./files.js";
import { listed } from "./listed.js";
import { openedBy } from "./open.js";
import * as glue from "./rectilinear_zarr.js";
import { typed } from "./is.js";
import { streaming } from "./stream.js";

export { ChunkGrid } from "./rectilinear_zarr.js";
export { codecs, decoder } from "./registry.js";
export { slice } from "./slice.js";
const load = (name) => fileOnDisk(() => new URL(name, import.meta.url), readFile);
export const RectilinearArray = /* @__PURE__ */ joining(labelled(listed(typed(streaming(openedBy(glue.RectilinearArray, glue.openArray, load))))), glue.Joining);
export const Group = /* @__PURE__ */ coordinated(openedBy(glue.Group, glue.openGroup, load));
