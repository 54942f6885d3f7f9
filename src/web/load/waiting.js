/** Calls that wait for the rest of the main module, and the first read, after which it loads. */
import { isWhole, rest, unlessLost, whenWhole } from "./rest.js";

/** Options that the first part of the module knows. Calls with others wait for the rest. */
const OPTIONS = {
  open: new Set(
    "cacheBytes coalesceGap coalesceMax concurrency credentials fetch headers maxChunkBytes missingStatuses onRequest path redirect retries signal timeout workers zarrFormat".split(" "),
  ),
  get: new Set(["as", "onProgress", "order", "signal"]),
};

const known = (call, options) => options === undefined || options === null || Object.keys(options).every((name) => OPTIONS[call].has(name) || options[name] === undefined);

/** Whether an axis is selected by a number, by a slice or as a whole, and not by a list. */
const isPlain = (item) => typeof item !== "object" || item === null || "start" in item;

const plain = (selection) => typeof selection !== "object" || selection === null || Object.values(selection).every(isPlain);

/** Whether the first part of the module has the code of a call, by the names of methods of arrays that return promises. */
const READS = {
  get: (selection, options) => plain(selection) && known("get", options),
  getChunk: (_, options) => known("get", options),
  getEncoded: () => false,
  getPoints: () => false,
  prefetch: () => false,
  refresh: () => false,
  decodeTime: () => false,
  sel: () => false,
  openStream: () => false,
};

/** Endings of the addresses of virtual stores. */
const VIRTUAL = /\.(json|parq|parquet|icechunk|cfdb)\/*([?#]|$)/;

/** Whether the ending of an address says that a virtual store is there. */
export const isVirtual = (source) => (typeof source === "string" || source instanceof URL) && VIRTUAL.test(source);

/** Whether the first part of the module can open an array with these options. */
export const opensAlone = (options) => known("open", { ...options, format: options?.format === "zarr" ? undefined : options?.format });

/** Loads the rest; a failure is reported where a call needs it. */
const soon = () => void rest().catch(() => {});

/** Makes the methods of a class wait for the rest where they need it, until it is there. */
export function waitingForRest({ prototype }) {
  if (isWhole()) return;
  const methods = Object.keys(READS).map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)]);
  for (const [name, { value: method }] of methods) {
    prototype[name] = async function (...given) {
      if (isWhole()) return method.apply(this, given);
      if (READS[name](...given)) {
        const reading = unlessLost(method.apply(this, given));
        reading.then(soon, soon);
        return reading;
      }
      // The caller may free the array while its call waits.
      const held = this.hold();
      try {
        await rest();
        return await method.apply(held, given);
      } finally {
        held.free();
      }
    };
  }
  whenWhole(() => Object.defineProperties(prototype, Object.fromEntries(methods)));
}
