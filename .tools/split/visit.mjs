// What the scenarios of the profile share: visits of arrays with the instrumented package, each on a fresh page, and the
// hosts of the data.
//
// A page has the first part of the module, and then the parts that src/web/load asked for. The package's own code
// decides about them: its `parts.js` here only notes which were asked for (.tools/split/counter.mjs).
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { answered } from "./stores.mjs";
import { startOrigin } from "../../tests/browser/support/origin.mjs";
import { FIXTURES } from "../../tests/browser/support/paths.mjs";
import { files, startSite } from "../../tests/browser/support/server.mjs";

const ROOT = join(import.meta.dirname, "../..");
const [directory] = process.argv.slice(2);
const packaged = (name) => pathToFileURL(join(directory, name));

/** Functions called with each request for a chunk of a made store, by its number; the answer waits for them. */
const gates = new Map();
/** Stores that the site serves. */
const made = [];
const ofMade = async ({ url, headers }, response) => {
  const [, nth, key] = /^\/(\d+)(\/.*)$/.exec(url);
  if (!key.endsWith("zarr.json")) await gates.get(Number(nth))?.();
  const [status, head, body] = answered(made[nth].get(key), headers.range);
  response.writeHead(status, head).end(body);
};
export const site = await startSite({ "/demo": files(join(ROOT, "www/public/data")), "/made": ofMade });
export const origin = await startOrigin();

/** Serves a store on the page's own origin; returns its address. */
export function served(store) {
  made.push(store);
  return `${site.url}/made/${made.length - 1}`;
}

// What a step leaves to the garbage collector is freed between steps, with the parts that were there when its own step
// ended: the time of a collection would decide about the parts of what it frees.
let current = { there: 1 };
const left = [];
globalThis.FinalizationRegistry = class extends FinalizationRegistry {
  constructor(free) {
    super(({ held, of }) => left.push({ free: () => free(held), of }));
  }
  register(target, held, ...token) {
    super.register(target, { held, of: current }, ...token);
  }
};

// What a page has and Node has not. Workers wait for all parts, so these do nothing.
globalThis.location = new URL(site.url);
globalThis.navigator = { hardwareConcurrency: 4 };
globalThis.Worker = class {
  postMessage() {}
  terminate() {}
};

const { pageWith, partsThere, seen } = await import(packaged("parts.js"));
const { openedBy } = await import(packaged("open.js"));
const { allowWorkers } = await import(packaged("workers.js"));
const { labelled } = await import(packaged("by-label.js"));
const { streaming } = await import(packaged("stream.js"));
const glue = await import(packaged("rectilinear_zarr.js"));

const load = (name) => readFile(packaged(name));
export const RectilinearArray = labelled(streaming(openedBy(glue.RectilinearArray, glue.openArray, load, allowWorkers)));

/** Names of the errors that steps may end with. */
const EXPECTED = "AbortError CodecError InvalidMetadataError NotFoundError RangeError SelectionError StoreError TypeError UnsupportedError".split(" ");

const settled = () => new Promise((done) => setTimeout(done));

/** Runs a part of a scenario on a fresh page. Its errors are those of the package, which belong to a visit. */
export async function step(label, run) {
  current = { there: 1 };
  pageWith(1);
  const failure = await run().then(() => "", (error) => error);
  await settled();
  if (failure && !EXPECTED.includes(failure.name)) throw failure;
  if (process.env.PROFILE_LOG) console.error(`${label}: ${seen()}${failure && `, ${failure.message.slice(0, 120)}`}`);
  current.there = partsThere();
  freeLeft();
}

/** Frees what was collected. */
function freeLeft() {
  for (const { free, of } of left.splice(0)) {
    pageWith(of.there);
    free();
  }
}

/** Frees all that the steps left. */
export async function end() {
  do {
    freeLeft();
    await settled();
    globalThis.gc();
    await settled();
  } while (left.length > 0);
}

const PROPERTIES = "shape dtype fields dimensionNames attrs fillValue path zarrFormat chunkGrid innerChunkGrid writeChunkSizes readChunkSizes timeUnit metadata codecs foreignCodecs".split(" ");

/** Opens an array, looks at its properties, reads these selections with all of these options, and frees it. */
export async function visit(source, { open, selections = [() => null], options = [undefined] } = {}) {
  const array = await RectilinearArray.open(source, open);
  for (const name of PROPERTIES) void array[name];
  const origin = array.shape.map(() => 0);
  if (array.shape.every((length) => length > 0)) array.chunkGrid.bounds(array.chunkGrid.chunkAt(origin).coords);
  if (origin.length > 0) array.chunkGrid.runs(0);
  void [array.chunkGrid.shape, array.chunkGrid.isRegular];
  array.plan();
  array.hold().free();
  for (const selection of selections) for (const given of options) await array.get(selection(array), given);
  if (array.shape.every((length) => length > 0)) await array.getChunk(origin);
  array.free();
}

/** Slices of an array that overlap, so that reads of them share chunks. */
const slices = ({ shape }) => [0, 1, 2, 3, 4].map((nth) => shape.map((length) => ({ start: Math.floor((nth * length) / 6), stop: Math.ceil(((nth + 2) * length) / 6) })));

/** Reads of one array that share chunks; one is aborted, and the array is freed before the answers. */
export async function together(source, { open, options } = {}) {
  const array = await RectilinearArray.open(source, open);
  const first = array.shape.map(() => 0);
  const controller = new AbortController();
  const left = array.get(null, { signal: controller.signal });
  const reads = [array.get(), array.get(first), array.getChunk(first), array.get(null, options), ...slices(array).map((slice) => array.get(slice)), left.catch(() => {})];
  controller.abort();
  array.free();
  await Promise.all(reads);
}

/** Reads a whole array three times, then every second row and column of it. */
export async function again(source, open) {
  const array = await RectilinearArray.open(source, open);
  for (let nth = 0; nth < 3; nth++) await array.get();
  await array.get(array.shape.map(() => ({ step: 2 })));
  array.free();
}

/**
 * Reads parts of one array again and again, as a viewer does that moves and returns: with a read that is aborted before
 * each, at once and while its requests are on their way, and then one after another.
 */
export async function walk(source, { open, times = 3 } = {}) {
  const array = await RectilinearArray.open(source, open);
  const parts = [null, ...slices(array), null];
  for (const wait of [async () => {}, settled]) {
    for (const part of parts) {
      const controllers = [new AbortController(), new AbortController()];
      const left = controllers.map(({ signal }) => array.get(part, { signal }).catch(() => {}));
      for (const controller of controllers) {
        await wait();
        controller.abort();
      }
      await Promise.all([...left, array.get(part)]);
    }
    await array.getChunk(array.shape.map(() => 0), { signal: AbortSignal.timeout(0) }).catch(() => {});
  }
  for (let nth = 0; nth < times; nth++) for (const part of parts) await array.get(part);
  array.free();
}

/** Reads of parts that are all aborted while the host has their requests, so that these are withdrawn; then of the whole. */
export async function leave(store) {
  for (let nth = 0; nth < 6; nth++) {
    const [array, number] = [await RectilinearArray.open(served(store)), made.length - 1];
    const controllers = [new AbortController(), new AbortController()];
    let open;
    const opened = new Promise((done) => (open = done));
    const asked = new Promise((done) => gates.set(number, () => (done(), opened)));
    const reads = controllers.map(({ signal }) => array.get([null, ...slices(array)][nth], { signal }).catch(() => {}));
    await asked;
    for (const controller of controllers) controller.abort();
    await Promise.all(reads);
    gates.delete(number);
    open();
    await array.get();
    array.free();
  }
}

/** Single items, ranges, ends and steps, of an array of any rank; those that need more of the module come last. */
export const SELECTIONS = [
  ({ shape }) => shape.map(() => 0),
  ({ shape }) => shape.map(() => -1),
  ({ shape }) => shape.map((length, axis) => (axis === 0 ? 0 : { start: 1, stop: length, step: 1 })),
  ({ shape }) => shape.map((_, axis) => (axis === 0 ? null : { start: -1, stop: null, step: null })),
  ({ shape }) => shape.map((length, axis) => (axis === 0 ? { start: length + 1, stop: 3, step: null } : null)),
  ({ shape }) => shape.map((length, axis) => ({ start: axis === 0 ? -length - 1 : 0, stop: length + 5, step: null })),
  ({ shape }) => shape.map((_, axis) => (axis === 0 ? null : 0)),
  ({ shape }) => shape.map((_, axis) => (axis === shape.length - 1 ? null : 0)),
  ({ shape }) => shape.map((_, axis) => (axis === 1 ? null : 0)),
  () => [],
  () => null,
  ({ shape }) => shape.map(() => ({ start: 1, stop: null, step: 2 })),
  ({ shape }) => shape.map((_, axis) => (axis === 0 ? { start: null, stop: null, step: -1 } : null)),
  ({ shape }) => shape.map((_, axis) => (axis === 0 ? 0 : { start: -1, stop: null, step: -2 })),
];

/** Lists of fixtures, by the name of their file. */
export const list = (name) => JSON.parse(readFileSync(join(FIXTURES, name), "utf8"));

/** Addresses of a fixture on the page's own origin, and on another one. */
export const local = (name) => `${site.url}/data/${name}.zarr`;
export const remote = (name) => `${origin.url}/${name}.zarr`;
