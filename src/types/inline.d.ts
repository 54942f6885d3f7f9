/**
 * The entry point `rectilinear-zarr/inline`: the main entry point, with the WebAssembly inside the JavaScript.
 *
 * @module rectilinear-zarr/inline
 */

export * from "./index.js";
