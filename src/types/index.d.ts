/**
 * The types of rectilinear-zarr: Zarr arrays and groups in the browser, rectilinear (variable-length) chunks first.
 *
 * Every method that reads returns a promise, which rejects with one of the errors in `errors.d.ts` or, after an
 * abort, with `signal.reason`. One page for each class, and for what goes in and comes out.
 *
 * @module rectilinear-zarr
 */

export * from "./source.js";
export * from "./selection.js";
export * from "./region.js";
export * from "./reading.js";
export * from "./cf.js";
export * from "./chunk-grid.js";
export * from "./array.js";
export * from "./group.js";
export * from "./errors.js";
