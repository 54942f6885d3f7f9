/** Entry with the WebAssembly module inside its JavaScript, for platforms that cannot fetch a second file. */
import { coordinated, labelled } from "./by-label.js";
import { joining } from "./concat.js";
import { modules } from "./inlined.js";
import { listed } from "./listed.js";
import { openedBy } from "./open.js";
import * as glue from "./rectilinear_zarr.js";
import { typed } from "./is.js";
import { streaming } from "./stream.js";

export { ChunkGrid } from "./rectilinear_zarr.js";
export { codecs, decoder } from "./registry.js";
export { slice } from "./slice.js";

const others = {
  "rectilinear_zarr_grib_bg.wasm": () => import("./inlined-grib.js"),
  "rectilinear_zarr_jpeg2000_bg.wasm": () => import("./inlined-jpeg2000.js"),
  "rectilinear_zarr_lzma_bg.wasm": () => import("./inlined-lzma.js"),
  "rectilinear_zarr_pcodec_bg.wasm": () => import("./inlined-pcodec.js"),
  "rectilinear_zarr_rare_bg.wasm": () => import("./inlined-rare.js"),
  "rectilinear_zarr_systems_bg.wasm": () => import("./inlined-systems.js"),
  "rectilinear_zarr_zfp_bg.wasm": () => import("./inlined-zfp.js"),
};

/** Bytes of a module, stored as base64 of gzip, which is two thirds of base64 alone. */
async function load(name) {
  const text = modules[name] ?? (await others[name]()).module;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export const RectilinearArray = /* @__PURE__ */ joining(labelled(listed(typed(streaming(openedBy(glue.RectilinearArray, glue.openArray, load))))), glue.Joining);
export const Group = /* @__PURE__ */ coordinated(openedBy(glue.Group, glue.openGroup, load));
