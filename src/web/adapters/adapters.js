/** Entry `rectilinear-zarr/adapters`: arrays and groups for programs that read only regular chunks. */
export { fetchHandler } from "./fetch-handler.js";
export { registerViews } from "./register-views.js";
export { asRegularStore } from "./regular-store.js";
export { toZarrita } from "./to-zarrita.js";
