/** Entry `rectilinear-zarr/levels`: the levels of a pyramid, their places on the Earth, windows and tiles. */
import { levelsBy } from "./pyramid.js";
import { Group } from "../wasm/rectilinear_zarr.js";

// The entry that the page has loaded opens URLs, which may be the one with the module inside; else the usual one does.
export const Levels = /* @__PURE__ */ levelsBy(async () => (Group.open ? Group : (await import("../load/index.js")).Group));
export { scene } from "./pyramid.js";
