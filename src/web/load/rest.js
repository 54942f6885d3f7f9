/**
 * Loading of the rest of the main module. `.tools/split-module.mjs` splits the module in two: the first part holds what
 * an ordinary first read runs, and the rest, which shares its memory and tables, holds all other functions.
 */
import { once } from "./once.js";

/** Module name of what the parts import from each other; the first part imports the function that loads the rest. */
const OTHER = "r";

/** All imports of the module, for both parts, and what the first part exports. */
let imports;
let first;
/** The compiled rest, once it is there. */
let compiled;
/** Finds a file's bytes by its name; returns undefined where the file is to be fetched, and null for an unsplit module. */
let find;
let start;
const started = new Promise((done) => (start = done));
/** Calls to make as soon as the rest is there. */
const next = [];
/** Rejects calls that are under way when the rest cannot be loaded at once. */
let reject;
let failing;

/** Adds what the parts import from each other. wasm-bindgen's glue calls it before it instantiates the module. */
export function sharing(given) {
  // A part that lacks a function of the other asks for it by its slot in the table of functions.
  const other = new Proxy({}, { get: (_, name) => (first ? (first[name] ?? first.T.get(parseInt(name, 36))) : loadAtOnce) });
  imports = { ...given, [OTHER]: other };
  return imports;
}

/** Takes the exports of the instantiated module, from wasm-bindgen's glue. */
export function shared(exports) {
  first = exports;
  start();
}

/** Whether all functions are there: the rest is, or the module is not split. */
export const isWhole = () => compiled !== undefined || (first !== undefined && !first.T);

/** Writes the functions of the compiled rest to their slots. */
export function join(rest) {
  new WebAssembly.Instance(rest, imports);
  compiled = rest;
  for (const run of next.splice(0)) run();
}

/** Calls a function when the rest is there. */
export const whenWhole = (run) => void (isWhole() ? run() : next.push(run));

const address = () => new URL("rectilinear_zarr_rest_bg.wasm", import.meta.url);

const failure = (cause) =>
  Object.assign(
    new Error(
      "a package with missing or mixed files is not supported: rectilinear_zarr_rest_bg.wasm cannot be loaded, or is of " +
        "another version; check the network, deploy all files of the package together, and call again",
      { cause },
    ),
    { name: "UnsupportedError" },
  );

async function compile() {
  const bytes = await find?.("rectilinear_zarr_rest_bg.wasm");
  if (bytes === null) return undefined;
  if (bytes) return WebAssembly.compile(bytes);
  const response = await fetch(address(), { priority: "low" });
  if (!response.ok) throw new Error(`HTTP ${response.status} for ${response.url}`);
  const isTyped = response.headers.get("Content-Type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

const load = once(async () => {
  const found = compile();
  found.catch(() => {});
  await started;
  if (isWhole()) return;
  try {
    const module = await found;
    if (!isWhole()) join(module);
  } catch (cause) {
    throw failure(cause);
  }
});

/**
 * Loads the rest; resolves to the compiled module, or to undefined where the module is not split.
 *
 * @param {(name: string) => unknown} [by] finds a file's bytes, until another is given
 */
export async function rest(by) {
  find = by ?? find;
  if (!isWhole()) await load();
  return compiled;
}

/** Whether the rest has to be there before the first call, because nothing can load it during a call. */
export const isNeededAtOnce = () => typeof XMLHttpRequest === "undefined";

/**
 * Loads the rest while a call of WebAssembly waits for it, which blocks the thread. This is the way of a call that
 * nothing in `waiting.js` foresaw. Tests read how often it was taken.
 */
function loadAtOnce() {
  globalThis[Symbol.for("rectilinear-zarr.blocked")] = (globalThis[Symbol.for("rectilinear-zarr.blocked")] ?? 0) + 1;
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address(), false);
    // Pages may not ask for bytes here, but for characters, whose lower eight bits are the bytes.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status >= 400) throw new Error(`HTTP ${request.status} for ${address()}`);
    join(new WebAssembly.Module(Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0))));
  } catch (cause) {
    const error = failure(cause);
    // The call above this one, if it is asynchronous, never ends.
    reject?.(error);
    failing = undefined;
    throw error;
  }
}

/** Resolves or rejects as a promise does, or rejects where `loadAtOnce` fails. */
export function unlessLost(promise) {
  if (isWhole()) return promise;
  failing ??= new Promise((_, fail) => (reject = fail));
  return Promise.race([promise, failing]);
}
