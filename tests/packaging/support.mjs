/** Page for every way of shipping one: a page that reads one array, and the values that it must find. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { FIXTURES, NEIGHBOURS, oracle } from "../browser/support/paths.mjs";

const entry = (await oracle("index.json")).find(({ name }) => name === "pattern-months");

/** Where the array is in the fixtures. */
export const ARRAY = join(FIXTURES, entry.path);

const { edge, period, cases } = JSON.parse(await readFile(join(NEIGHBOURS, "large.json"), "utf8"));
const { chunk, codecs, dataType } = cases.find(({ module }) => module === "pcodec");

/** Source of a function that reads an array whose codec has a module of its own, on the page or until a worker answers. */
const onDemand = `async function onDemand(RectilinearArray, options, isDone) {
    const chunk_grid = { name: "regular", configuration: { chunk_shape: [${edge}, ${edge}] } };
    const document = { zarr_format: 3, node_type: "array", shape: [${12 * edge}, ${edge}], data_type: "${dataType}", chunk_grid,
      chunk_key_encoding: { name: "default" }, fill_value: 0, codecs: ${JSON.stringify(codecs)} };
    const chunk = Uint8Array.from(atob("${chunk}"), (letter) => letter.charCodeAt(0));
    const get = (key) => (key === "/zarr.json" ? new TextEncoder().encode(JSON.stringify(document)) : key.startsWith("/c/") ? chunk : undefined);
    const array = await RectilinearArray.open({ get }, options);
    const end = performance.now() + 50_000;
    let data;
    do data = (await array.get()).data;
    while (!isDone() && performance.now() < end);
    if (!isDone()) throw new Error("no worker decoded the codec that is loaded on demand");
    if (data.some((value, i) => value !== i % ${period})) throw new Error("the codec that is loaded on demand gave other values");
  }`;

/** A module that reads `/data.zarr` by the package of this name, and writes what it found on the page. */
export const reader = (name = "rectilinear-zarr") => `import { RectilinearArray, slice } from "${name}";
  ${onDemand}
  onDemand(RectilinearArray, { workers: 0 }, () => true)
    .then(() => RectilinearArray.open(new URL("/data.zarr", location.href)))
    .then(async (array) => (await array.get([slice(30, 61), null, 5])).data)
    .then((data) => (document.body.dataset.read = JSON.stringify([...data])))
    .catch((error) => (document.body.dataset.read = String(error.stack ?? error)));`;

/** That page through the entry `levels`, which finds the class of groups by itself, or beside another entry. */
export const levelsReader = (beside = "") => `${beside && `import { Group } from "${beside}"; globalThis.used = Group;`}
  import { Levels } from "rectilinear-zarr/levels";
  const group = new TextEncoder().encode(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {} }));
  const stored = async (key) => {
    const response = await fetch("/data.zarr" + key.slice(2));
    return new Uint8Array(await response.arrayBuffer());
  };
  Levels.open({ get: (key) => (key === "/zarr.json" ? group : key.startsWith("/t/") ? stored(key) : undefined) }, { variable: "t" })
    .then((levels) => levels.array(0))
    .then(async (array) => (await array.get([{ start: 30, stop: 61, step: null }, null, 5])).data)
    .then((data) => (document.body.dataset.read = JSON.stringify([...data])))
    .catch((error) => (document.body.dataset.read = String(error.stack ?? error)));`;

/** That page, reading by a worker: over and over until one has decoded something, or for fifty seconds. */
export const workingReader = `import { RectilinearArray, slice } from "rectilinear-zarr";
  let answers = 0;
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => (answers += Array.isArray(data) ? 1 : 0));
    }
  };
  ${onDemand}
  const reading = async () => {
    await onDemand(RectilinearArray, { workers: 1, cacheBytes: 0 }, () => answers > 0);
    answers = 0;
    const array = await RectilinearArray.open(new URL("/data.zarr", location.href), { workers: 1, cacheBytes: 0 });
    const end = performance.now() + 50_000;
    let data;
    do data = (await array.get([slice(30, 61), null, 5])).data;
    while (!answers && performance.now() < end);
    if (!answers) throw new Error("no worker decoded anything");
    return data;
  };
  reading()
    .then((data) => (document.body.dataset.read = JSON.stringify([...data])))
    .catch((error) => (document.body.dataset.read = String(error.stack ?? error)));`;

/** A worker file of a page, with a codec of its own, which says where it decoded. */
export const workerFile = `import { decoder } from "rectilinear-zarr/worker";
  import { flip } from "./flip.js";
  decoder("my.flip", (bytes) => (new BroadcastChannel("decoded").postMessage("worker"), flip(bytes)));`;

/** Module that the page and its worker file both import. */
export const flip = `export const flip = (bytes) => bytes.map((byte) => byte ^ 0x5a);`;

/** That of `workingReader`, by a worker file of the page. */
export const customReader = `import { RectilinearArray, decoder, slice } from "rectilinear-zarr";
  import { flip } from "./flip.js";
  let there = 0;
  new BroadcastChannel("decoded").onmessage = () => there++;
  decoder("my.flip", flip);
  const edge = 512;
  const start = () => new Worker(new URL("./my-worker.js", import.meta.url), { type: "module" });
  const chunk_grid = { name: "regular", configuration: { chunk_shape: [edge, edge] } };
  const document_ = { zarr_format: 3, node_type: "array", shape: [12 * edge, edge], data_type: "int32", chunk_grid,
    chunk_key_encoding: { name: "default" }, fill_value: 0, codecs: [{ name: "bytes", configuration: { endian: "little" } }, "my.flip"] };
  const chunk = flip(new Uint8Array(Int32Array.from({ length: edge * edge }, (_, i) => i).buffer));
  const get = (key) => (key === "/zarr.json" ? new TextEncoder().encode(JSON.stringify(document_)) : key.startsWith("/c/") ? chunk : undefined);
  const reading = async () => {
    const flipped = await RectilinearArray.open({ get }, { workers: start, cacheBytes: 0 });
    const end = performance.now() + 50_000;
    do {
      const { data } = await flipped.get();
      if (data.some((value, i) => value !== i % (edge * edge))) throw new Error("the page's codec gave other values");
    } while (!there && performance.now() < end);
    if (!there) throw new Error("the worker file decoded nothing");
    const array = await RectilinearArray.open(new URL("/data.zarr", location.href));
    return (await array.get([slice(30, 61), null, 5])).data;
  };
  reading()
    .then((data) => (document.body.dataset.read = JSON.stringify([...data])))
    .catch((error) => (document.body.dataset.read = String(error.stack ?? error)));`;

/** A page that loads a script of its own. */
export const page = (script, head = "") =>
  `<!doctype html><link rel="icon" href="data:,">${head}<body><script type="module" src="${script}"></script>`;

/** Values that the module finds, by zarr-python. */
export async function expected() {
  const bytes = await readFile(join(FIXTURES, entry.expected));
  const whole = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  return [...whole].filter((_, i) => i % 6 === 5 && i >= 30 * 24 && i < 61 * 24);
}

/** Open a page that reads, and compare what it found; nothing but what is `allowed` may be complained of on the way. */
export async function reads(browser, url, allowed) {
  const tab = await browser.newPage();
  const errors = [];
  tab.on("pageerror", (error) => errors.push(String(error)));
  tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  try {
    await tab.goto(url);
    await tab.waitForFunction("document.body?.dataset.read", { timeout: 180_000 }).catch((error) => errors.push(String(error)));
    const read = await tab.evaluate("document.body.dataset.read");
    assert.deepEqual(errors.filter((error) => !allowed?.test(error)), []);
    assert.deepEqual(JSON.parse(read), await expected());
  } finally {
    await tab.close();
  }
}
