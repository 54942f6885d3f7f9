/** Entry `rectilinear-zarr/levels` in Node, whose fetch cannot read files. */
import { levelsBy } from "./pyramid.js";
import { Group } from "../wasm/rectilinear_zarr.js";

export const Levels = /* @__PURE__ */ levelsBy(async () => (Group.open ? Group : (await import("../load/node.js")).Group));
export { scene } from "./pyramid.js";
