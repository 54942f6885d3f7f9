/**
 * The entry `rectilinear-zarr/inline`: the main entry, with the WebAssembly inside the JavaScript.
 *
 * @module rectilinear-zarr/inline
 */

export * from "./index.js";
