/** Entry for browsers, workers and bundlers: the WebAssembly module lies beside the glue and is found by its URL. */
import { coordinated, labelled } from "../labels/by-label.js";
import { joining, listed, streaming, typed } from "../class/array-methods.js";
import { openedBy } from "./open.js";
import * as glue from "../wasm/rectilinear_zarr.js";
import { allowWorkers } from "./workers.js";

export { ChunkGrid } from "../wasm/rectilinear_zarr.js";
export { codecs, decoder } from "../codecs/registry.js";
export { slice } from "../common/slice.js";
const load = () => undefined;
export const RectilinearArray = /* @__PURE__ */ joining(labelled(listed(typed(streaming(openedBy(glue.RectilinearArray, glue.openArray, load, allowWorkers))))), glue.Joining);
export const Group = /* @__PURE__ */ coordinated(openedBy(glue.Group, glue.openGroup, load, allowWorkers));
