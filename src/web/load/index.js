/** Entry for browsers, workers and bundlers: the WebAssembly module lies beside the glue and is found by its URL. */
import { coordinated, labelled } from "./by-label.js";
import { joining } from "./concat.js";
import { listed } from "./listed.js";
import { openedBy } from "./open.js";
import * as glue from "./rectilinear_zarr.js";
import { typed } from "./is.js";
import { streaming } from "./stream.js";
import { allowWorkers } from "./workers.js";

export { ChunkGrid } from "./rectilinear_zarr.js";
export { codecs, decoder } from "./registry.js";
export { slice } from "./slice.js";
const load = () => undefined;
export const RectilinearArray = /* @__PURE__ */ joining(labelled(listed(typed(streaming(openedBy(glue.RectilinearArray, glue.openArray, load, allowWorkers))))), glue.Joining);
export const Group = /* @__PURE__ */ coordinated(openedBy(glue.Group, glue.openGroup, load, allowWorkers));
