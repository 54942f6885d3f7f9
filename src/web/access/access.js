/** Entry `rectilinear-zarr/access`: keys to private buckets, for the option `access` of every `open`, and lists of names. */
export { azure } from "./azure.js";
export { gcs } from "./gcs.js";
export { planetary } from "./planetary.js";
export { s3 } from "./s3.js";

/** @type {typeof import("./list.js").list} */
export const list = async (address, options) => (await import("./list.js")).list(address, options);
