// Runs the scenario of an ordinary first visit with an instrumented module, and prints the numbers of the functions
// that it ran, as JSON: node .tools/profile.mjs DIRECTORY, a package whose rest.js counts (.tools/split-module.mjs).
//
// The scenario is what pages do before the rest of the module is there: see `needed` in src/web/load/rest.js for what
// waits for it. Anything else runs all the same, but a page stands still while the rest loads.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

import { answer, startOrigin } from "../tests/browser/support/origin.mjs";
import { files, startSite } from "../tests/browser/support/server.mjs";

const FIXTURES = join(import.meta.dirname, "../tests/fixtures");
const [directory] = process.argv.slice(2);
const packaged = (name) => pathToFileURL(join(directory, name));

// What a page has and Node has not. Workers wait for the rest, so these do nothing.
const site = await startSite({ "/demo": files(join(import.meta.dirname, "../www/public/data")) });
const origin = await startOrigin();
globalThis.location = new URL(site.url);
globalThis.navigator = { hardwareConcurrency: 4 };
globalThis.Worker = class {
  postMessage() {}
  terminate() {}
};

const { ran, count } = await import(packaged("rest.js"));
const { openedBy } = await import(packaged("open.js"));
const { allowWorkers } = await import(packaged("workers.js"));
const glue = await import(packaged("rectilinear_zarr.js"));

const RectilinearArray = openedBy(glue.RectilinearArray, glue.openArray, (name) => readFile(packaged(name)), allowWorkers);

/** Names of the errors that steps may end with. */
const EXPECTED = "AbortError CodecError InvalidMetadataError NotFoundError RangeError SelectionError StoreError TypeError UnsupportedError".split(" ");

/** Runs a part of the scenario. Its errors are those of the package, which belong to a visit. */
async function step(label, run) {
  const before = ran.size;
  count(true);
  const failure = await run().then(() => "", (error) => error);
  if (failure && !EXPECTED.includes(failure.name)) throw failure;
  if (process.env.PROFILE_LOG) console.error(`${label}: ${ran.size - before} more functions${failure && `, ${failure.message.slice(0, 120)}`}`);
}

const PROPERTIES = "shape dtype fields dimensionNames attrs fillValue path zarrFormat chunkGrid innerChunkGrid writeChunkSizes readChunkSizes timeUnit metadata codecs foreignCodecs".split(" ");

/** Opens an array, looks at its properties, reads these selections with all of these options, and frees it. */
async function visit(source, { open, selections = [() => null], options = [undefined] } = {}) {
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

/** Reads of one array that share chunks; one is aborted, and the array is freed before the answers. */
async function together(source, open) {
  const array = await RectilinearArray.open(source, open);
  const first = array.shape.map(() => 0);
  const controller = new AbortController();
  const left = array.get(null, { signal: controller.signal });
  const reads = [array.get(), array.get(first), array.getChunk(first), array.get(null, { order: "center" }), left.catch(() => {})];
  controller.abort();
  array.free();
  await Promise.all(reads);
}

/** Single items, ranges, steps and ends, of an array of any rank. */
const SELECTIONS = [
  ({ shape }) => shape.map(() => 0),
  ({ shape }) => shape.map(() => -1),
  ({ shape }) => shape.map((length, axis) => (axis === 0 ? 0 : { start: 1, stop: length, step: 2 })),
  ({ shape }) => shape.map((_, axis) => (axis === 0 ? null : { start: -1, stop: null, step: null })),
  ({ shape }) => shape.map((_, axis) => (axis === 0 ? null : 0)),
  ({ shape }) => shape.map((_, axis) => (axis === shape.length - 1 ? null : 0)),
  ({ shape }) => shape.map((_, axis) => (axis === 1 ? null : 0)),
  () => [],
  () => null,
];

const list = (name) => JSON.parse(readFileSync(join(FIXTURES, name), "utf8"));
/** A frame of blosc that holds bytes as they are, in blocks of 64 KiB. */
function framed(content) {
  const head = Buffer.alloc(16);
  head.set([2, 1, 0x32, 4]);
  [content.length, Math.min(1 << 16, content.length), content.length + 16].forEach((number, nth) => head.writeUInt32LE(number, 4 + 4 * nth));
  return new Uint8Array(Buffer.concat([head, content]));
}

/** A host of a store, for the option `fetch`. */
const hostOf = (store) => (request) => {
  const bytes = store.get(new URL(request.url).pathname);
  if (!bytes) return Promise.resolve(new Response(null, { status: 404 }));
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
  if (!from) return Promise.resolve(new Response(bytes, { headers: { "Accept-Ranges": "bytes", ETag: '"1"' } }));
  const part = bytes.slice(Number(from), to ? Number(to) + 1 : bytes.length);
  return Promise.resolve(new Response(part, { status: 206, headers: { "Content-Range": `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`, ETag: '"1"' } }));
};

/** Store of an array of float32 in equal chunks. */
function stored(shape, chunk, codec) {
  const content = new Uint8Array(Float32Array.from({ length: chunk.reduce((a, b) => a * b) }, (_, i) => (i % 8191) * 0.25 + (i >> 13)).buffer);
  const bytes = { gzip: () => new Uint8Array(gzipSync(content)), blosc: () => framed(content) }[codec]?.() ?? content;
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, ...(codec ? [{ name: codec, configuration: codec === "gzip" ? { level: 5 } : undefined }] : [])],
  };
  const keys = shape.reduce((found, length, axis) => found.flatMap((key) => Array.from({ length: length / chunk[axis] }, (_, nth) => `${key}/${nth}`)), ["/c"]);
  return new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))], ...keys.map((key) => [key, bytes])]);
}

/** Store of an array of shards with a codec in their index. */
function withIndex(codec) {
  const store = stored([8], [8]);
  const document = JSON.parse(new TextDecoder().decode(store.get("/zarr.json")));
  const [little] = document.codecs;
  document.codecs = [{ name: "sharding_indexed", configuration: { chunk_shape: [4], codecs: [little], index_codecs: [little, codec] } }];
  return store.set("/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
}

const local = (name) => `${site.url}/data/${name}.zarr`;
const remote = (name) => `${origin.url}/${name}.zarr`;

const fixture = (name) => {
  const read = (key) => {
    try {
      return new Uint8Array(readFileSync(join(FIXTURES, `${name}.zarr`, key)));
    } catch {
      return undefined;
    }
  };
  const range = (key, { offset, length, suffixLength }) => (suffixLength ? read(key)?.slice(-suffixLength) : read(key)?.slice(offset, offset + length));
  return { read, range };
};

// Ordinary arrays: most of the fixtures. Those with codecs of the other module wait for it, and so for the rest.
const UNUSUAL = /^numcodecs|vlen-bytes|other-text-number/;
for (const index of ["index.json", "index-v2.json", "index-dtypes.json", "index-grids.json", "index-tensorstore.json"]) {
  for (const { name, path, arrayPath, proposals } of list(index).filter(({ name }) => !UNUSUAL.test(name) && !/^dtype-(?!string|datetime|struct|complex(64|128))/.test(name))) {
    await step(name, () => visit(`${site.url}/data/${path}`, { open: { path: arrayPath, proposals } }));
  }
}

// Codecs of other modules, up to where the array waits for them, and those that no module has.
for (const name of ["filter-delta-big", "filter-delta-shards", "lzma-alone-filters", "pcodec-classic", "broken/codec-unknown"]) {
  await step(name, () => visit(local(name)));
}
for (const codec of ["numcodecs.lzma", "numcodecs.pcodec", "numcodecs.bz2", "gzip", "nobody.wrote-this"]) {
  await step(`${codec} in the index of shards`, () => visit(withIndex(codec)));
}

// Selections, options and other sources.
for (const name of ["codec-zstd", "blosc-lz4-shuffle", "codec-little", "sharded-zstd", "rectilinear-lists", "codec-transpose-120", "dtype-string-zstd", "scalar-default"]) {
  await step(`selections ${name}`, () => visit(remote(name), { selections: SELECTIONS }));
}
const abort = new AbortController();
await step("options", () => visit(remote("codec-zstd"), { options: [{ as: "float32" }, { order: "center", onProgress() {} }, { signal: abort.signal }], selections: SELECTIONS }));
await step("options of open", () => visit(remote("codec-zstd"), { open: { workers: 0, cacheBytes: 0, onRequest() {}, headers: { a: "b" }, concurrency: 2, retries: 1, timeout: 10_000, missingStatuses: [403, 404], signal: abort.signal, zarrFormat: 3, fetch: (request) => fetch(request) } }));
await step("workers", () => visit(remote("codec-gzip"), { open: { workers: 2 } }));
await step("names", () => visit(remote("names-and-attributes"), { selections: [({ dimensionNames }) => ({ [dimensionNames[0]]: 0 })] }));
await step("an address on the page", () => visit("data/v2-little-f4.zarr/", { open: { workers: "auto", coalesceGap: 0, coalesceMax: 1 << 20, maxChunkBytes: 1 << 28, credentials: "omit", redirect: "follow", format: "zarr" } }));
for (const name of ["codec-zstd", "sharded-zstd", "codec-little"]) {
  const { read, range } = fixture(name);
  const keys = ["/zarr.json", ...[0, 1, 2, 3].flatMap((i) => [0, 1, 2].flatMap((j) => [`/c/${i}/${j}`, ...[0, 1, 2].map((k) => `/c/${i}/${j}/${k}`)]))];
  await step("map", () => visit(new Map(keys.map((key) => [key, read(key)]).filter(([, bytes]) => bytes)), { selections: SELECTIONS }));
  await step("values", () => visit({ get: read }, { selections: SELECTIONS }));
  await step("promises", () => visit({ get: async (key) => read(key), getRange: async (key, part) => range(key, part) }, { selections: SELECTIONS }));
}

// Large chunks and rows of small ones, plain and compressed, from each kind of source, by one read and by several.
const [LARGE, SMALL] = [{ shape: [1 << 10, 1 << 10], chunk: [1 << 8, 1 << 10] }, { shape: [64, 64], chunk: [8, 8] }];
const [LINE, CUBE] = [{ shape: [1 << 20], chunk: [1 << 18] }, { shape: [12, 128, 128], chunk: [12, 128, 128] }];
const PARTS = [...SELECTIONS, ({ shape }) => shape.map((length) => ({ start: 5, stop: length - 9 }))];
for (const { shape, chunk } of [LARGE, SMALL, LINE, CUBE]) {
  for (const codec of [undefined, "gzip", "blosc"]) {
    const store = stored(shape, chunk, codec);
    const sources = { map: store, values: { get: (key) => store.get(key) }, promises: { get: async (key) => store.get(key) }, URL: "https://host.test" };
    for (const [name, source] of Object.entries(sources)) {
      const label = `${codec ?? "plain"} chunks of ${chunk} by ${name}`;
      for (const open of [{ workers: 2 }, { workers: 0, cacheBytes: 0 }]) {
        await step(label, () => visit(source, { selections: PARTS, open: { ...open, fetch: hostOf(store) } }));
        await step(`${label} at once`, () => together(source, { ...open, fetch: hostOf(store) }));
      }
    }
  }
}
// Chunks of real data, whose streams use more of the decoders than those of the fixtures.
for (const name of ["altitude.zarr/0/altitude", "altitude.zarr/1/altitude", "altitude.zarr/0/lat", "clear-sky-2024.zarr/ghi", "clear-sky-2024.zarr/hours/ghi"]) {
  await step(name, () => visit(`${site.url}/demo/${name}`, { selections: [({ shape }) => shape.map((_, axis) => (axis === 0 && shape.length > 2 ? 0 : null))] }));
}
const one = JSON.parse(new TextDecoder().decode(stored([1], [1]).get("/zarr.json")));
/** Store of an array of this shape that holds one chunk. */
const sparse = (shape, chunk) => {
  const chunk_grid = { name: "regular", configuration: { chunk_shape: chunk } };
  const document = new TextEncoder().encode(JSON.stringify({ ...one, shape, chunk_grid }));
  return new Map([["/zarr.json", document], [`/c/${shape.map(() => 0).join("/")}`, new Uint8Array(400)]]);
};
await step("more chunks than a list has room for", () => visit(sparse([2 ** 40], [1])));
await step("a result that is too large", () => visit(sparse([1e9, 1e9], [1e6, 1e6])));
await step("a chunk that is too large", () => visit(sparse([200], [100]), { open: { maxChunkBytes: 399 } }));
await step("part of a large missing chunk", () => visit(sparse([2e9, 1e9], [1e9, 1e9]), { selections: [() => [15e8, { start: 10, stop: 14 }]] }));
for (const name of ["codec-zstd", "codec-little", "sharded-zstd", "sharded-gaps"]) await step(`${name} at once`, () => together(remote(name), {}));

// Errors of a first visit.
const fails = (pattern, status, times = Infinity) => (request, response) => times > 0 && answer(pattern, status)(request, response) && times-- > 0;
const after = async (intercept, run) => {
  const usual = origin.intercept;
  origin.intercept = intercept;
  await run().finally(() => (origin.intercept = usual));
};
await step("nothing there", () => visit(local("nothing-there")));
await step("nothing there, by its path", () => visit(local("nothing-there"), { open: { path: "a/b" } }));
await step("a group", () => visit(local("groups/consolidated")));
for (const status of [401, 403, 500]) {
  await step(`${status}`, () => after(fails(/./, status), () => visit(remote("codec-zstd"), { open: { retries: 0 } })));
  await step(`${status} for a chunk`, () => after(fails(/\/c\//, status), () => visit(remote("codec-zstd"), { open: { retries: 0 } })));
}
await step("after 503", () => after(fails(/./, 503, 2), () => visit(remote("codec-zstd"))));
await step("no network", () => visit("http://127.0.0.1:9/a.zarr", { open: { retries: 0 } }));
for (const { name, path } of list("broken.json").filter(({ name }) => /^(json-|format-|codec-unknown$|grid-unknown$|data-type-unknown$|shard-index-checksum|chunk-(bytes|gzip|zstd|blosc|crc32c)-(truncated|checksum|garbage|html|empty|data))/.test(name))) {
  await step(name, () => visit(`${site.url}/data/${path}`));
}
for (const { name, path } of list("broken-v2.json")) await step(name, () => visit(`${site.url}/data/${path}`));
await step("selection", () => visit(local("codec-zstd"), { selections: [() => [1e9]] }));
await step("selection of too many axes", () => visit(local("codec-zstd"), { selections: [() => [0, 0, 0, 0, 0]] }));
await step("option", () => visit(local("codec-zstd"), { options: [{ as: "float99" }] }));
for (const open of [{ credentials: "perhaps" }, { timeout: -1 }, { workers: "many" }, { cacheBytes: "much" }, { headers: 5 }, { zarrFormat: 4 }, { format: "other" }, { redirect: "never" }, 5]) {
  await step("option of open", () => visit(local("codec-zstd"), { open }));
}
await step("a source that is none", () => visit(5));
for (const url of ["mailto:nobody", "http://a b"]) await step(url, () => visit(url));
await step("abort", async () => {
  abort.abort();
  await visit(local("codec-zstd"), { options: [{ signal: abort.signal }] });
});
await step("abort before anything is asked for", async () => {
  const controller = new AbortController();
  const opening = RectilinearArray.open(remote("codec-zstd"), { signal: controller.signal });
  controller.abort();
  await opening;
});
for (const asked of [/zarr\.json$/, /\/c\//]) {
  await step(`abort while ${asked} is under way`, async () => {
    const controller = new AbortController();
    const stops = (request) => (asked.test(request.url) && setTimeout(() => controller.abort(), 5), asked.test(request.url));
    await after(stops, () => visit(remote("codec-little"), { open: { signal: controller.signal }, options: [{ signal: controller.signal }] }));
  });
}

globalThis.Worker = class {
  constructor() {
    throw new Error("no workers here");
  }
};
await step("workers that cannot be made", () => visit(stored([1 << 20], [1 << 18], "gzip"), { open: { workers: 2 } }));

process.stdout.write(JSON.stringify([...ran].sort((a, b) => a - b)), () => process.exit());
