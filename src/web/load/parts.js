/**
 * Loading of the parts of the main module. `.tools/split` splits the module: the first part holds what an ordinary first
 * read runs, and the later parts, which share its memory and tables, hold all other functions.
 */
import { once } from "./once.js";

/** Module name of what the parts import from each other; the first part imports the function that loads a part. */
const OTHER = "r";

/** Addresses of the later parts, in the order of their numbers, each written out, so that bundlers find the files. */
const FILES = {
  codecs: () => new URL("./rectilinear_zarr_codecs_bg.wasm", import.meta.url),
  grids: () => new URL("./rectilinear_zarr_grids_bg.wasm", import.meta.url),
  more: () => new URL("./rectilinear_zarr_more_bg.wasm", import.meta.url),
  rest: () => new URL("./rectilinear_zarr_rest_bg.wasm", import.meta.url),
};

/** Whether the engine is WebKit. Chromium names AppleWebKit too; `navigator.vendor` is not there in workers. */
const IS_WEBKIT = /AppleWebKit(?!.*Chrom)/.test(globalThis.navigator?.userAgent ?? "");

/**
 * The module as one file, for WebKit; undefined for other engines. On a busy machine, one in five runs of 887 arrays
 * gave a wrong value there, or a trap, with the module in five parts (WebKitGTK 2.50).
 */
export const wholeFile = () => (IS_WEBKIT ? new URL("./rectilinear_zarr_whole_bg.wasm", import.meta.url) : undefined);

/** Names of the later parts, by their numbers less one. */
export const PARTS = Object.keys(FILES);

const fileOf = (name) => `rectilinear_zarr_${name}_bg.wasm`;

/** All imports of the module, for every part, and what the first part exports. */
let imports;
let first;
/** Compiled later parts, by their names. */
const compiled = {};
/** Finds a file's bytes by its name; returns undefined where the file is to be fetched, and null for an unsplit module. */
let find;
let start;
const started = new Promise((done) => (start = done));
/** Calls to make as soon as all parts are there. */
const next = [];
/** Rejects calls that are under way when a part cannot be loaded at once. */
let reject;
let failing;

/** Adds what the parts import from each other. wasm-bindgen's glue calls it before it instantiates the module. */
export function sharing(given) {
  // A later part asks for a function of the first one by its slot in the table of functions.
  const other = new Proxy({}, { get: (_, name) => (first ? (first[name] ?? first.T.get(parseInt(name, 36))) : loadAtOnce) });
  imports = { ...given, [OTHER]: other };
  return imports;
}

/** Takes the exports of the instantiated module, from wasm-bindgen's glue. */
export function shared(exports) {
  first = exports;
  start();
}

/** Whether the module is not split. */
const isUnsplit = () => first !== undefined && !first.T;

const isThere = (name) => name in compiled;

/** Whether all functions are there. */
export const isWhole = () => PARTS.every(isThere) || isUnsplit();

/** Writes the functions of a compiled part to their slots. */
function join(name, module) {
  new WebAssembly.Instance(module, imports);
  compiled[name] = module;
  if (!isWhole()) return;
  failing = reject = undefined;
  for (const run of next.splice(0)) run();
}

/** Joins compiled parts, by their names. */
export function joinAll(modules) {
  for (const [name, module] of Object.entries(modules)) join(name, module);
}

/** Calls a function when all parts are there. */
export const whenWhole = (run) => void (isWhole() ? run() : next.push(run));

const failure = (name, cause) =>
  Object.assign(
    new Error(
      `a package with missing or mixed files is not supported: ${fileOf(name)} cannot be loaded, or is of ` +
        "another version; check the network, deploy all files of the package together, and call again",
      { cause },
    ),
    { name: "UnsupportedError" },
  );

async function compile(name, priority) {
  const bytes = await find?.(fileOf(name));
  if (bytes === null || (!bytes && wholeFile())) return undefined;
  if (bytes) return WebAssembly.compile(bytes);
  const response = await fetch(FILES[name](), { priority });
  if (!response.ok) throw new Error(`HTTP ${response.status} for ${response.url}`);
  const isTyped = response.headers.get("Content-Type") === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

const loads = Object.fromEntries(
  PARTS.map((name) => {
    const load = once(async (priority) => {
      const found = compile(name, priority);
      found.catch(() => {});
      await started;
      if (isUnsplit()) return;
      try {
        // A request before the module came may have failed long ago.
        const module = await found.catch(() => compile(name, priority));
        if (!isThere(name)) join(name, module);
      } catch (cause) {
        throw failure(name, cause);
      }
    });
    return [name, load];
  }),
);

/** Sets what finds a file's bytes, until another is given. */
export function findBy(by) {
  find = by;
}

/**
 * Loads the named parts that are not there; returns undefined where all are.
 *
 * @param {string[]} names
 * @param {"high" | "low"} [priority] of the requests: low for parts that nothing waits for
 * @returns {Promise<unknown> | undefined}
 */
export function parts(names, priority = "high") {
  const missing = isUnsplit() ? [] : names.filter((name) => !isThere(name));
  return missing.length > 0 ? Promise.all(missing.map((name) => loads[name](priority))) : undefined;
}

/** Loads all parts; resolves to the compiled ones by their names, or to undefined where the module is not split. */
export async function whole(priority) {
  await parts(PARTS, priority);
  return isUnsplit() ? undefined : compiled;
}

/** Loads all parts, unless the module was never asked for, as by stores that are opened in JavaScript. */
export const wholeIfStarted = async () => void (first && (await whole()));

/** Whether all parts have to be there before the first call, because nothing can load them during a call. */
export const isNeededAtOnce = () => typeof XMLHttpRequest === "undefined";

/**
 * Loads a part by its number while a call of WebAssembly waits for it, which blocks the thread. This is the way of a call
 * that nothing in `foresight.js` foresaw. Tests read how often it was taken.
 */
function loadAtOnce(number) {
  const name = PARTS[number - 1];
  globalThis[Symbol.for("rectilinear-zarr.blocked")] = (globalThis[Symbol.for("rectilinear-zarr.blocked")] ?? 0) + 1;
  try {
    const request = new XMLHttpRequest();
    request.open("GET", FILES[name](), false);
    // Past the cache, where this request would wait for one that is under way, and that one for this thread. Hosts of
    // other origins may refuse the header.
    if (FILES[name]().origin === location.origin) request.setRequestHeader("Cache-Control", "no-cache");
    // Pages may not ask for bytes here, but for characters, whose lower eight bits are the bytes.
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status >= 400) throw new Error(`HTTP ${request.status} for ${FILES[name]()}`);
    join(name, new WebAssembly.Module(Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0))));
  } catch (cause) {
    const error = failure(name, cause);
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
