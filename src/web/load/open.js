/** Loading of the WebAssembly module at the first `open`: importing the package costs nothing and needs no `init()`. */
import { sendEarly } from "./early.js";
import { keptAlive, namingFreed } from "./freed.js";
import { once } from "./once.js";
import init, { ChunkGrid, Group, RectilinearArray, loadModulesBy } from "./rectilinear_zarr.js";
import { isVirtual, partsOfOpen } from "./foresight.js";
import { PARTS, findBy, isNeededAtOnce, parts, unlessLost, whole, wholeFile } from "./parts.js";
import { waitingForParts } from "./waiting.js";

/** Imports of what loads the modules that few programs need. */
const finds = {
  chains: () => import("./codec-modules.js"),
  foreign: () => import("./foreign-chain.js"),
  systems: () => import("./rectilinear_zarr_systems.js"),
};

/**
 * Sets what is imported on platforms that cannot import later, such as Service Workers.
 *
 * @param {Partial<Record<keyof typeof finds, unknown>>} glue
 */
export function bringModules(glue) {
  for (const [name, module] of Object.entries(glue)) finds[name] = async () => module;
}

const others = {
  chains: once(async (load) => (await finds.chains()).chains(load)),
  foreign: once(() => finds.foreign()),
  systems: once(async (load) => {
    const module = await finds.systems();
    await module.default({ module_or_path: await load("rectilinear_zarr_systems_bg.wasm") });
    return module;
  }),
};

/** Whether the module is there. */
let isReady = false;

const main = once(async (load, prepare) => {
  // Where there is nothing to wait for, the request is sent at once.
  const first = async () => {
    const found = load("rectilinear_zarr_bg.wasm");
    return init({ module_or_path: (found && (await found)) ?? wholeFile() });
  };
  await Promise.all([first(), isNeededAtOnce() && whole()]);
  loadModulesBy(async (name) => (await Promise.all([others[name](load), whole()]))[0]);
  for (const [name, opened] of Object.entries({ Group, RectilinearArray })) namingFreed(opened, name);
  keptAlive(ChunkGrid);
  waitingForParts(RectilinearArray);
  prepare?.();
  isReady = true;
});

/**
 * Adds `open` to a class, with a module that `load` finds.
 *
 * @param {any} opened the class
 * @param {(source: unknown, options: unknown) => Promise<unknown>} open function of the module that opens an object
 * @param {(name: string) => unknown} load returns a module's bytes, or undefined to fetch the file beside its glue
 * @param {() => void} [prepare] called once the module is compiled
 */
export function openedBy(opened, open, load, prepare) {
  opened.open = async (source, options) => {
    options?.signal?.throwIfAborted();
    // A failure is reported where the module is needed.
    const isOther = options?.format ? options.format !== "zarr" : isVirtual(source);
    if (isOther) others.systems(load).catch(() => {});
    findBy(load);
    const needed = partsOfOpen(source, options ?? undefined);
    // The module comes first: a page waits longest for it.
    const loading = Promise.all([main(load, prepare), parts(opened === Group ? PARTS : needed)]);
    loading.catch(() => {});
    const drop = needed.includes("rest") || isReady ? undefined : sendEarly(source, options ?? undefined);
    try {
      await loading;
      return await unlessLost(open(source, options));
    } finally {
      drop?.();
    }
  };
  return opened;
}
