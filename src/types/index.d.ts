/**
 * The main entry point `rectilinear-zarr`: Zarr arrays and groups in the browser, rectilinear (variable-length) chunk
 * grids included.
 *
 * Every method that reads returns a promise. It rejects with an error listed under "Throws", which has a `name` and
 * fields as in `errors.d.ts`, or, after an abort, with `signal.reason`. Calls on an array or group that was freed fail
 * with a FreedError.
 *
 * @module rectilinear-zarr
 */

export * from "./source.js";
export * from "./open-options.js";
export * from "./selection.js";
export * from "./region.js";
export * from "./reading.js";
export * from "./data-types.js";
export * from "./cf.js";
export * from "./array-properties.js";
export * from "./codecs.js";
export * from "./array.js";
export * from "./group.js";
export * from "./errors.js";
