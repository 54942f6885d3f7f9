/**
 * Loading of the main WebAssembly module, which the build cuts into a first part and seven that load later, where Rust
 * asks for them (`src/parts.rs`). Every engine loads the same files, and nothing blocks the thread.
 *
 * A later part imports the first one's memory, function table and stack pointer, and writes its functions to their slots
 * of the table. Each file carries the mark of its build in a custom section, so that files of two builds never meet.
 */
import { BUILD, SHARED } from "../wasm/build.js";
import { fileAt } from "./files.js";

/** Addresses of the parts, each written out, so that bundlers find the files. */
const FILES = {
  main: () => new URL("./rectilinear_zarr_bg.wasm", import.meta.url),
  opening: () => new URL("./rectilinear_zarr_opening_bg.wasm", import.meta.url),
  virtual: () => new URL("./rectilinear_zarr_virtual_bg.wasm", import.meta.url),
  codecs: () => new URL("./rectilinear_zarr_codecs_bg.wasm", import.meta.url),
  grids: () => new URL("./rectilinear_zarr_grids_bg.wasm", import.meta.url),
  calls: () => new URL("./rectilinear_zarr_calls_bg.wasm", import.meta.url),
  answers: () => new URL("./rectilinear_zarr_answers_bg.wasm", import.meta.url),
  zones: () => new URL("./rectilinear_zarr_zones_bg.wasm", import.meta.url),
};

/** Names of the later parts that workers may need to decode. */
const DECODING = ["opening", "codecs", "grids", "calls"];

const fileOf = (name) => (name === "main" ? "rectilinear_zarr_bg.wasm" : `rectilinear_zarr_${name}_bg.wasm`);

/** Default of the option `timeout`, in milliseconds. */
const TIMEOUT = 30_000;

/** Factor of the timeout after which a part whose answer has begun must be there. */
const BODY = 10;

/** Longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Finds a file's bytes by its name; returns undefined where the file is to be fetched. */
let find;

/** Exports of the first part, and its function that notes a loaded part. */
let first;
let note;
let begin;
const begun = new Promise((done) => (begin = done));

/** Loads under way and done, by the names of parts. */
const loads = new Map();

/** Names of parts whose last load failed: browsers keep some failures, and requests that are under way. */
const failed = new Set();

/** Compiled modules of the later parts that are joined, by their names. */
const joined = {};

/** Told of each part that joins, with its compiled module. */
let tell;

/** Instances of the later parts and of what they share, or promises of them, by name: the function table refers to their functions. */
const instances = new Map();

/** Sets what finds a file's bytes, until another is given. */
export function findBy(by) {
  find = by;
}

/**
 * Lets later parts join the first one.
 *
 * @param {WebAssembly.Exports} exports of the first part
 * @param {(name: string) => void} joinedPart the first part's function that notes a loaded part
 */
export function startParts(exports, joinedPart) {
  first = exports;
  note = joinedPart;
  begin();
}

const isOurs = (module) => module !== undefined && new TextDecoder().decode(WebAssembly.Module.customSections(module, "build")[0]) === BUILD;

/** Modules of the functions that a later part shares with others, by the names of their sections. @returns {[string, ArrayBuffer][]} */
const sharedBy = (name, module) => (SHARED[name] ?? []).map((section) => [section, WebAssembly.Module.customSections(module, section)[0]]);

/** Instances of compiled files, those that are missing made by `make`: they write their functions to their slots. */
const instancesOf = (files, make) =>
  files.map(([key, file]) => {
    if (!instances.has(key)) instances.set(key, make(file, { __wasm_split: first }));
    return instances.get(key);
  });

/** Notes a later part whose functions, and those that it shares with others, are in their slots. */
function join(name, module) {
  joined[name] = module;
  note(name);
  tell?.(name, module);
}

/** Sets what is told of each part that joins. */
export function tellOfParts(by) {
  tell = by;
}

/** Joins compiled parts by their names, in a worker, which may block. */
export function joinAll(modules) {
  for (const [name, module] of Object.entries(modules)) {
    const shared = sharedBy(name, module).map(([section, bytes]) => [section, new WebAssembly.Module(bytes)]);
    instancesOf([...shared, [name, module]], (file, imports) => new WebAssembly.Instance(file, imports));
    join(name, module);
  }
}

async function fetched(name, cache, answered) {
  const response = await fileAt(FILES[name], { priority: "high", cache }, answered);
  const isTyped = response.headers.get("Content-Type") === "application/wasm";
  const compiling = isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  return compiling.catch((error) => {
    if (error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  });
}

/** The compiled file of a part, which must be of this build. A stale copy in the browser's cache is asked for anew. */
async function compiled(name, answered) {
  const bytes = await find?.(fileOf(name));
  if (bytes) answered();
  const module = await (bytes ? WebAssembly.compile(bytes) : fetched(name, failed.has(name) ? "reload" : "default", answered));
  if (isOurs(module)) return module;
  const again = bytes ? undefined : await fetched(name, "reload", answered);
  if (isOurs(again)) return again;
  throw new Error((again ?? module) ? "it is of another build" : "it is not a WebAssembly module, or not all of one");
}

/** A load: promises of its first answer, of the compiled module, and of the part's being there. */
function loading(name) {
  const load = {};
  load.answered = new Promise((answered) => (load.compiled = compiled(name, answered)));
  load.done = load.compiled.then(async (module) => {
    if (name === "main") return;
    const shared = await Promise.all(sharedBy(name, module).map(async ([section, bytes]) => [section, await WebAssembly.compile(bytes)]));
    await begun;
    // Chromium before 115 refuses to start more than 4 kB at once on a page.
    const files = [...shared, [name, module]];
    await Promise.all(instancesOf(files, WebAssembly.instantiate)).catch((error) => {
      for (const [key] of files) instances.delete(key);
      throw error;
    });
    join(name, module);
  });
  load.done.catch(() => {});
  return load;
}

/** The result of work, or an error after a number of milliseconds; 0 means without a limit. */
function inTime(work, ms) {
  if (ms === 0 || ms > LONGEST) return work;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new DOMException(`nothing came for ${ms} ms (option timeout)`, "TimeoutError")), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function load(name, timeout) {
  if (!loads.has(name)) loads.set(name, loading(name));
  const shared = loads.get(name);
  try {
    await inTime(Promise.race([shared.answered, shared.compiled]), timeout);
    await inTime(shared.done, BODY * timeout);
    return await shared.compiled;
  } catch (cause) {
    // The next call asks again. Calls that have longer timeouts wait on for this answer.
    if (loads.get(name) === shared) loads.delete(name);
    failed.add(name);
    const message =
      `a package with missing or mixed files is not supported: ${fileOf(name)} cannot be loaded (${cause.message}); ` +
      `${cause.remedy ?? "check the network"}; deploy all files of the package together, and call again`;
    throw Object.assign(new Error(message, { cause }), { name: "UnsupportedError" });
  }
}

/** The option `timeout` as the module will read it. What is wrong with it, the module says. */
export const timeoutOf = (options) => (options?.timeout >= 0 ? Number(options.timeout) : TIMEOUT);

/** The compiled first part. */
export const firstPart = (timeout) => load("main", timeout);

/** Loads a later part, once; rejects after `timeout` milliseconds. */
export const loadPart = (name, timeout) => load(name, timeout);

/** Begins to load a later part that will probably be needed. A wrong guess costs a request. */
export const expectPart = (name) => void load(name, TIMEOUT).catch(() => {});

/** Loads all parts that decode; resolves to the compiled later ones, by their names. */
export async function allParts(timeout = TIMEOUT) {
  await Promise.all(DECODING.map((name) => load(name, timeout)));
  return joined;
}
