/** Entry `rectilinear-zarr/stac`: catalogs, collections and items of STAC, and what their assets open as. */
import { Group, RectilinearArray } from "../wasm/rectilinear_zarr.js";
import { stacBy } from "./catalog.js";

// The entry that the page has loaded opens URLs, which may be the one with the module inside; else the usual one does.
export const stac = /* @__PURE__ */ stacBy(async () => (Group.open ? { Group, RectilinearArray } : import("../load/index.js")));
