/** Entry `rectilinear-zarr/stores`: a folder or a zip file as a store. */
export { directoryStore } from "./directory-store.js";
export { zipStore } from "./zip-store.js";
