/** Worker script: an instance of the page's compiled module that decodes batches of chunks. */
import { bytesModule, decoded } from "../codecs/stages.js";
import { needed } from "./codec-modules.js";
import { joinAll, startParts } from "./parts.js";
import init, { decodeParcel, partJoined, planParcel } from "../wasm/rectilinear_zarr.js";

const ready = () => postMessage(null);

/** Functions of the modules that were sent with batches, or loaded here, by name. */
const functions = {};

/** Loads a module that another one hands a chunk to. */
const more = async (name) => (await needed(name, () => undefined)).functions;

/** Finds an array's custom codecs, in a worker that has such codecs. */
let codecsOf;

/** Sets what finds custom codecs. */
export function bringCodecs(find) {
  codecsOf = find;
}

function decodedByStages({ custom, ...modules }, parcel, buffer) {
  for (const name in modules) functions[name] ??= bytesModule(modules[name]);
  const own = modules.rare ? functions.rare : { decodeParcel, planParcel };
  if (!custom) return decoded(own, functions, parcel, more, buffer);
  return codecsOf(custom).then((codecs) => decoded(own, { ...functions, custom: codecs }, parcel, more, buffer));
}

/** Batches without answers, in the order in which they came. */
const batches = [];

function answer(batch, answers) {
  const older = batches.indexOf(batch);
  batches.splice(older, 1);
  /** @type {any} */ (globalThis).postMessage([answers, batch, older], [answers.buffer, batch.buffer]);
}

/** Throws outside of any promise, which tells the page that the worker failed. */
const fail = (error) =>
  setTimeout(() => {
    throw error;
  });

function decode(batch, buffer, modules) {
  batches.push(batch);
  const answers = modules ? decodedByStages(modules, batch, buffer) : decodeParcel(batch, buffer);
  if (answers instanceof Promise) answers.then((answers) => answer(batch, answers)).catch(fail);
  else answer(batch, answers);
}

/** Starts the module; the page sends nothing more until the worker is ready. */
async function begin(module, lock) {
  startParts(await init({ module_or_path: module }), partJoined);
  const hold = () => {
    ready();
    return new Promise(() => {});
  };
  // The lock is held until the worker ends, which tells the page. Without locks, the page is not told.
  if (navigator.locks) navigator.locks.request(lock, hold).catch(ready);
  else ready();
}

addEventListener("message", ({ data }) => {
  // A user's worker may have messages of its own.
  if (!Array.isArray(data)) return;
  const [first, second, modules] = data;
  if (first instanceof Uint8Array) decode(first, second, modules);
  else if (first instanceof WebAssembly.Module) begin(first, second).catch(fail);
  // Later parts of the module come before the first batch.
  else if (first?.parts) joinAll(first.parts);
});
