/** The glue of the module of virtual stores, which wasm-bindgen writes beside this file in a build. */

/** Starts the module. */
export default function init(options: { module_or_path: Response | BufferSource }): Promise<unknown>;
