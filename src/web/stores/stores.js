/** The package's second entry, `rectilinear-zarr/stores`: a picked folder, and a zip, as stores. */
export { directoryStore } from "./directory-store.js";
export { zipStore } from "./zip-store.js";
