/** Loading of the WebAssembly module at the first `open`: importing the package costs nothing and needs no `init()`. */
import { isAddress, moduleAt, sendEarly } from "../fetch/early.js";
import { Exchange } from "../fetch/exchange.js";
import { ofArray, ofGrid, ofGroup, shownInConsoles } from "../class/console.js";
import { fileAt } from "./files.js";
import { keptAlive, namingFreed } from "../class/freed.js";
import { listing, noted } from "../class/group-names.js";
import { OPEN, checkOptions, checkingOptions } from "../common/options.js";
import { allParts, expectPart, findBy, firstPart, startParts, timeoutOf } from "./parts.js";
import init, { ChunkGrid, Group, RectilinearArray, loadModulesBy, partJoined } from "../wasm/rectilinear_zarr.js";

/**
 * Makes a function that runs `begin` once and returns its promise; after a failure, such as a lost download, it runs
 * again.
 *
 * @template T
 * @template {unknown[]} Needs
 * @param {(...needs: Needs) => Promise<T>} begin
 */
function once(begin) {
  /** @type {Promise<T> | undefined} */
  let begun;
  return async (/** @type {Needs} */ ...needs) => {
    const mine = (begun ??= begin(...needs));
    try {
      return await mine;
    } catch (error) {
      // A later call may have begun anew.
      if (begun === mine) begun = undefined;
      throw error;
    }
  };
}

/** Imports of what loads the modules that few programs need. */
const finds = {
  stages: () => import("./codec-modules.js"),
  custom: () => import("../codecs/custom-stages.js"),
  files: () => import("../wasm/rectilinear_zarr_files.js"),
  hdf5: () => import("../wasm/rectilinear_zarr_hdf5.js"),
  systems: () => import("../wasm/rectilinear_zarr_systems.js"),
};

/**
 * Sets what is imported on platforms that cannot import later, such as Service Workers.
 *
 * @param {Partial<Record<keyof typeof finds, unknown>>} glue
 */
export function bringModules(glue) {
  for (const [name, module] of Object.entries(glue)) finds[name] = async () => module;
}

/** @typedef {(name: string) => any} Find finds the bytes of a module by its file */

/** Loads a module of virtual stores, whose address is written out, so that bundlers find the file. */
const indexes = (/** @type {"files" | "hdf5" | "systems"} */ name, /** @type {() => URL} */ url) =>
  once(async (/** @type {Find} */ load) => {
    const file = async () => (await load(`rectilinear_zarr_${name}_bg.wasm`)) ?? fileAt(url);
    const [module, bytes] = await Promise.all([finds[name](), file()]);
    await module.default({ module_or_path: bytes });
    return module;
  });

/** Modules of formats of original files; files of NetCDF-4 are of HDF5, which their first bytes tell. */
const ORIGINAL = { netcdf: "either", hdf5: "hdf5", tiff: "files" };

/** Module of the virtual store that an open asks for, or that is probably at its address; undefined for plain Zarr. */
function moduleFor(source, format) {
  if (!format) return moduleAt(source);
  if (format === "zarr") return undefined;
  return ORIGINAL[format] ?? "systems";
}

const others = {
  // Batches of chunks are planned and decoded by the later parts too.
  stages: once(async (/** @type {Find} */ load) => (await Promise.all([finds.stages(), allParts()]))[0].stageOpener(load)),
  custom: once(() => finds.custom()),
  files: indexes("files", () => new URL("./rectilinear_zarr_files_bg.wasm", import.meta.url)),
  hdf5: indexes("hdf5", () => new URL("./rectilinear_zarr_hdf5_bg.wasm", import.meta.url)),
  systems: indexes("systems", () => new URL("./rectilinear_zarr_systems_bg.wasm", import.meta.url)),
};

/** Whether the module is there. */
let isReady = false;

const begin = once(async (/** @type {WebAssembly.Module} */ module, /** @type {Find} */ load, /** @type {(() => void) | undefined} */ prepare) => {
  startParts(await init({ module_or_path: module }), partJoined);
  loadModulesBy((name) => others[name](load));
  for (const [name, opened] of Object.entries({ Group, RectilinearArray })) namingFreed(opened, name);
  keptAlive(ChunkGrid);
  shownInConsoles(ChunkGrid, "ChunkGrid", ofGrid, "array.chunkGrid");
  prepare?.();
  isReady = true;
});

/** Loads the first part, within this caller's timeout. */
const main = async (timeout, load, prepare) => begin(await firstPart(timeout), load, prepare);

/** An address of a host, as far as the file of a zip in it, and what follows: nothing, or a path in the zip. */
const ZIP = /^(?:https?:|(?![a-z][a-z0-9+.-]*:))[^?#]*?\.(?:zip|ozx)(\/[^?#]+)?(?:[?#]|$)/i;

/** Whether a source is a zip, or an address that leads into one. */
function isZip(source, format) {
  if (format === "zip") return true;
  const [all, path] = (isAddress(source) && ZIP.exec(source)) || [];
  return format ? path !== undefined && format in ORIGINAL : all !== undefined;
}

/** Whether a source is a file of this computer. */
const isLocalFile = (source) => /^(?:File|Blob)$/.test(source?.[Symbol.toStringTag]);

/** Waits for the first part, or for the caller's abort if that is earlier. */
async function ready({ signal, ...options }, load, prepare) {
  const loading = main(timeoutOf(options), load, prepare);
  if (!signal) return loading;
  let stop;
  const aborted = new Promise((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    await Promise.race([loading, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Adds `open` to a class, with a module that `load` finds.
 *
 * @param {any} opened the class
 * @param {(source: any, options?: any) => Promise<unknown>} open function of the module that opens an object
 * @param {(name: string) => unknown} load returns a module's bytes, or undefined to fetch the file beside its glue
 * @param {() => void} [prepare] called once the module is compiled
 */
export function openedBy(opened, open, load, prepare) {
  const isGroup = opened === Group;
  const name = isGroup ? "Group" : "RectilinearArray";
  shownInConsoles(opened, name, isGroup ? ofGroup : ofArray);
  checkingOptions(opened);
  if (isGroup) listing(opened);
  opened.open = async (source, options) => {
    checkOptions(`${name}.open`, options, OPEN);
    options?.signal?.throwIfAborted();
    let opening = [source, options];
    // The entry `access` wraps what sends requests.
    for (const access of [options?.access ?? []].flat()) {
      if (!access.opening) throw new TypeError("access must be of rectilinear-zarr/access");
      [source, options] = access.opening(source, options);
    }
    findBy(load);
    if (isZip(source, options?.format)) {
      expectPart("main");
      const [opens, own, file] = await (await import("../stores/zip-address.js")).zipAt(source, options, Exchange);
      [source, options] = [opens, own];
      opening = [file ?? opens, own];
    }
    if (isLocalFile(source)) [source, options] = await (await import("../stores/local-file.js")).localFile(source, options);
    const module = moduleFor(source, options?.format);
    const isOther = module !== undefined;
    let drop;
    if (!isReady) {
      // The first part comes first: a page waits longest for it.
      const loading = ready(options ?? {}, load, prepare);
      // A failure is reported where the part is needed.
      const expect = (/** @type {string | undefined} */ name) => void others[name]?.(load).catch(() => {});
      expect(module);
      // Parts that will be needed beside the first one, as far as the arguments tell.
      if (isGroup || isOther) expectPart("opening");
      if (isOther) expectPart("virtual");
      // Most original files are compressed.
      if (isOther && module !== "systems") expectPart("codecs");
      if (!isAddress(source)) expectPart("calls");
      // Where no `zarr.json` is, documents of Zarr v2 may be.
      if (module !== "systems") drop = sendEarly(source, options ?? undefined, () => expectPart("opening"), isOther ? expect : undefined);
      try {
        await loading;
      } catch (error) {
        drop?.();
        throw error;
      }
    }
    try {
      return noted(await open(source, options), [...opening, isOther]);
    } finally {
      drop?.();
    }
  };
  return opened;
}
