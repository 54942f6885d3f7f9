/** Loads the modules of codecs that the main module lacks, at the first array that needs them. */
import { bytesModule, decoded, everyStage, planned } from "../codecs/stages.js";
import { fileAt } from "./files.js";
import { decodeParcel, planParcel } from "../wasm/rectilinear_zarr.js";

/** Addresses of the modules, each written out, so that bundlers find the files. */
const files = {
  grib: () => new URL("./rectilinear_zarr_grib_bg.wasm", import.meta.url),
  hdf5filters: () => new URL("./rectilinear_zarr_hdf5filters_bg.wasm", import.meta.url),
  jpeg2000: () => new URL("./rectilinear_zarr_jpeg2000_bg.wasm", import.meta.url),
  lzma: () => new URL("./rectilinear_zarr_lzma_bg.wasm", import.meta.url),
  pcodec: () => new URL("./rectilinear_zarr_pcodec_bg.wasm", import.meta.url),
  rare: () => new URL("./rectilinear_zarr_rare_bg.wasm", import.meta.url),
  zfp: () => new URL("./rectilinear_zarr_zfp_bg.wasm", import.meta.url),
};

/** @type {Record<string, Promise<{ module: WebAssembly.Module, functions: any }>>} */
const loaded = {};

async function compiled(name, load) {
  const file = `rectilinear_zarr_${name}_bg.wasm`;
  try {
    const bytes = (await load(file)) ?? (await (await fileAt(files[name])).arrayBuffer());
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    const remedy = cause.remedy ? `${cause.remedy}; ` : "";
    throw new Error(`cannot load ${file}, which this array's codecs need (${cause.message}); ${remedy}deploy all files of the package together`, { cause });
  }
}

/** A module, loaded once; after a failure, such as a lost download, it is loaded again. */
export function needed(name, load) {
  loaded[name] ??= compiled(name, load).then((module) => ({ module, functions: bytesModule(module) }));
  loaded[name].catch(() => delete loaded[name]);
  return loaded[name];
}

/** Opens the stages of arrays, with modules that `load` finds. */
export function stageOpener(load) {
  return {
    /**
     * Loads the modules of a query: a batch with a job for each chunk shape, without bytes. `custom` are custom
     * codecs among them, which only the calling thread has.
     */
    async open(query, isRare, custom) {
      const modules = {};
      const functions = custom ? { custom } : {};
      const add = async (name) => {
        const found = await needed(name, load);
        modules[name] = found.module;
        functions[name] = found.functions;
      };
      // The query is in memory of WebAssembly.
      const asked = query.slice();
      if (isRare) await add("rare");
      const own = functions.rare ?? { decodeParcel, planParcel };
      const stages = planned(own, asked).flatMap(({ stages }) => everyStage(own, stages).reverse());
      const names = new Set(stages.map(([name]) => name));
      await Promise.all([...names].filter((name) => name in files).map(add));
      let reply = new Uint8Array(2 * 8);
      reply[0] = 8;
      for (const [name, head] of stages) {
        if (name in functions) reply = functions[name].supportReply(head);
        else if (name) reply = head;
        if (reply[8] > 0) break;
      }
      const more = async (name) => (await needed(name, load)).functions;
      if (custom) modules.custom = custom.shared;
      return { reply, modules, start: custom?.start, decode: (parcel) => decoded(own, functions, parcel, more) };
    },
  };
}
