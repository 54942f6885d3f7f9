/** Entry with the WebAssembly module inside its JavaScript, for platforms that cannot fetch a second file. */
import { coordinated, labelled } from "../labels/by-label.js";
import { joining, listed, streaming, typed } from "../class/array-methods.js";
import { modules } from "../wasm/inlined.js";
import { openedBy } from "./open.js";
import * as glue from "../wasm/rectilinear_zarr.js";

export { ChunkGrid } from "../wasm/rectilinear_zarr.js";
export { codecs, decoder } from "../codecs/registry.js";
export { slice } from "../common/slice.js";

const others = {
  "rectilinear_zarr_files_bg.wasm": () => import("../wasm/files.inlined.js"),
  "rectilinear_zarr_grib_bg.wasm": () => import("../wasm/grib.inlined.js"),
  "rectilinear_zarr_hdf5_bg.wasm": () => import("../wasm/hdf5.inlined.js"),
  "rectilinear_zarr_hdf5filters_bg.wasm": () => import("../wasm/hdf5filters.inlined.js"),
  "rectilinear_zarr_jpeg2000_bg.wasm": () => import("../wasm/jpeg2000.inlined.js"),
  "rectilinear_zarr_lzma_bg.wasm": () => import("../wasm/lzma.inlined.js"),
  "rectilinear_zarr_pcodec_bg.wasm": () => import("../wasm/pcodec.inlined.js"),
  "rectilinear_zarr_rare_bg.wasm": () => import("../wasm/rare.inlined.js"),
  "rectilinear_zarr_systems_bg.wasm": () => import("../wasm/systems.inlined.js"),
  "rectilinear_zarr_zfp_bg.wasm": () => import("../wasm/zfp.inlined.js"),
};

/** Bytes of a module, stored as base64 of gzip, which is two thirds of base64 alone. */
async function load(name) {
  const text = modules[name] ?? (await others[name]()).module;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export const RectilinearArray = /* @__PURE__ */ joining(labelled(listed(typed(streaming(openedBy(glue.RectilinearArray, glue.openArray, load))))), glue.Joining);
export const Group = /* @__PURE__ */ coordinated(openedBy(glue.Group, glue.openGroup, load));
