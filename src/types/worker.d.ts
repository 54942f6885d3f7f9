/**
 * The entry point `rectilinear-zarr/worker`: a worker file of the page imports it, and registers custom codecs, with which
 * its workers decode. The page registers them too, and names the file in the option `workers` of `open`.
 *
 * @example
 * // my-worker.js
 * import { codecs } from "rectilinear-zarr/worker";
 * codecs.set("my.zstd", async () => (await import("numcodecs/zstd")).default);
 *
 * @module rectilinear-zarr/worker
 */

export { codecs, decoder } from "./codecs.js";
