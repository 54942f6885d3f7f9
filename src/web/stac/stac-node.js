/** Entry `rectilinear-zarr/stac` in Node, whose fetch cannot read files. */
import { Group, RectilinearArray } from "../wasm/rectilinear_zarr.js";
import { stacBy } from "./catalog.js";

export const stac = /* @__PURE__ */ stacBy(async () => (Group.open ? { Group, RectilinearArray } : import("../load/node.js")));
