// Selections, options and sources of first reads.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

import Blosc from "../../../tests/node_modules/numcodecs/dist/blosc.js";
import Gzip from "../../../tests/node_modules/numcodecs/dist/gzip.js";
import Zstd from "../../../tests/node_modules/numcodecs/dist/zstd.js";
import { SELECTIONS, again, leave, remote, served, site, step, together, visit, walk } from "../visit.mjs";
import { contentOf, fixture, hostOf, oneChunk, sparse, stored, withAttributes, withShards, zstdFrames } from "../stores.mjs";

const ROOT = join(import.meta.dirname, "../../..");

/** Contents that compressors treat differently: by their length, a float at each place. */
const CONTENTS = {
  zeros: () => 0,
  steps: (i) => Math.floor(i / 97),
  smooth: (i) => Math.sin(i / 1000) * 100,
  rounded: (i) => Math.round(Math.sin(i / 50) * 1000) / 10,
  noise: (i) => ((i * 2654435761) % 4294967296) / 7,
  days: (i) => (i % 365) + Math.floor(i / 4096) * 0.5,
};

/** Frame of zstd. */
const frame = async (content, level) => new Uint8Array(await Zstd.fromConfig({ id: "zstd", level }).encode(content));

/** Names of blosc's compressors and shuffles that its first pages have. */
const [COMPRESSORS, SHUFFLES] = [["lz4", "lz4hc", "zstd", "zlib", "blosclz"], ["noshuffle", "shuffle", "bitshuffle"]];

/** A chunk of float32 in blosc, and the codec's metadata. */
async function bloscChunk(content, cname, shuffle, clevel) {
  const chunk = await Blosc.fromConfig({ id: "blosc", cname, clevel, shuffle, blocksize: 0, elementsize: 4 }).encode(content);
  return [new Uint8Array(chunk), { name: "blosc", configuration: { cname, clevel, shuffle: SHUFFLES[shuffle], typesize: 4, blocksize: 0 } }];
}

/** A store's chunk of this shape, as the libraries encode it that Node does not have. */
async function chunkOf(shape, codec) {
  if (codec === "zstd") return frame(contentOf(shape), 3);
  if (codec === "blosc") return (await bloscChunk(contentOf(shape), "lz4", 1, 5))[0];
  return undefined;
}

/** Stores of arrays of one chunk with each codec, by what is in them. */
async function compressed() {
  const found = [];
  for (const [name, at] of Object.entries(CONTENTS)) {
    for (const length of [5, 700, 40_000, 1 << 20]) {
      const isLarge = length > 40_000;
      const content = new Uint8Array(Float32Array.from({ length }, (_, i) => at(i)).buffer);
      for (const level of isLarge ? [1, 5] : [-5, 1, 3, 9, 19]) {
        found.push([`zstd ${level} of ${length} ${name}`, oneChunk("float32", length, await frame(content, level))]);
      }
      for (const level of [1, 5, 9]) {
        const chunk = new Uint8Array(await Gzip.fromConfig({ id: "gzip", level }).encode(content));
        found.push([`gzip ${level} of ${length} ${name}`, oneChunk("float32", length, chunk, { name: "gzip", configuration: { level } })]);
      }
      for (const cname of COMPRESSORS) {
        for (const shuffle of [0, 1, 2]) {
          const [chunk, codec] = await bloscChunk(content, cname, shuffle, isLarge ? 5 : 9);
          found.push([`blosc ${cname} ${SHUFFLES[shuffle]} of ${length} ${name}`, oneChunk("float32", length, chunk, codec)]);
        }
      }
    }
  }
  return found;
}
/** Files with frames of zstd: the demo's data, and fixtures whose names say so. */
const FRAMES = () =>
  [["www/public/data", /./], ["tests/fixtures", /^[^/]*zstd[^/]*\//]].flatMap(([folder, isWanted]) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => isWanted.test(relative(join(ROOT, folder), path))),
  );

/** Attributes as libraries write them. */
const ATTRIBUTES = [
  "{}",
  '{ "units": "K", "scale_factor": 0.01, "add_offset": -273.15, "valid_range": [-32768, 32767], "flags": [true, false, null] }',
  '{ "_FillValue": 9.969209968386869e+36, "missing_value": 1e20, "eps": 2.220446049250313e-16, "tiny": 5e-324, "large": 1.7976931348623157E308 }',
  '{ "_FillValue": NaN, "valid_min": -Infinity, "valid_max": Infinity }',
  '{ "title": "K\\u00e4se \\ud83e\\uddc0 \\"\\n\\t", "nested": { "a": { "b": [[1, 2], [3.5, -4]] } }, "größe": "°C" }',
  '{ "spatial:transform": [0.1234567890123456789, 0, -180.00000000000003, 0, -0.1, 90], "proj:code": "EPSG:4326", "zarr_conventions": [] }',
  '{ "exact": 9007199254740993, "longest": 123456789012345678901234567890 }',
];

/** Large chunks and rows of small ones, plain and compressed, from each kind of source, by one read and by several. */
async function chunks() {
  const [LARGE, SMALL] = [{ shape: [1 << 10, 1 << 10], chunk: [1 << 8, 1 << 10] }, { shape: [64, 64], chunk: [8, 8] }];
  const [LINE, CUBE] = [{ shape: [1 << 20], chunk: [1 << 18] }, { shape: [12, 128, 128], chunk: [12, 128, 128] }];
  const PARTS = [...SELECTIONS, ({ shape }) => shape.map((length) => ({ start: 5, stop: length - 9 }))];
  for (const { shape, chunk } of [LARGE, SMALL, LINE, CUBE]) {
    for (const codec of [undefined, "zstd", "gzip", "blosc"]) {
      const store = stored(shape, chunk, codec, await chunkOf(chunk, codec));
      const sources = { map: store, values: { get: (key) => store.get(key) }, promises: { get: async (key) => store.get(key) }, URL: "https://host.test" };
      for (const [name, source] of Object.entries(sources)) {
        const label = `${codec ?? "plain"} chunks of ${chunk} by ${name}`;
        for (const open of [{ workers: 2 }, { workers: 0, cacheBytes: 0 }]) {
          await step(label, () => visit(source, { selections: PARTS, open: { ...open, fetch: hostOf(store) } }));
          await step(`${label} at once`, () => together(source, { open: { ...open, fetch: hostOf(store) }, options: { order: "center" } }));
        }
        // Caches that hold all of the array, a chunk or two, and none.
        for (const cacheBytes of [1 << 26, 1 << 19, 1 << 8]) await step(`${label} again`, () => walk(source, { open: { cacheBytes, fetch: hostOf(store) } }));
      }
      await step(`${codec ?? "plain"} chunks of ${chunk}`, () => visit(served(store), { selections: PARTS }));
      await step(`${codec ?? "plain"} chunks of ${chunk} at once`, () => together(served(store)));
      await step(`${codec ?? "plain"} chunks of ${chunk} again`, () => walk(served(store)));
      await step(`${codec ?? "plain"} chunks of ${chunk}, left`, () => leave(store));
    }
  }
}

/** Results of many MiB, which take other ways: by whole rows, in turns, and with chunks that workers decode or do not. */
async function large() {
  for (const codec of [undefined, "zstd", "gzip", "blosc"]) {
    const [shape, chunk] = [[1 << 12, 1 << 12], [1 << 9, 1 << 9]];
    const store = stored(shape, chunk, codec, await chunkOf(chunk, codec));
    const sources = { map: store, values: { get: (key) => store.get(key) }, promises: { get: async (key) => store.get(key) }, URL: served(store) };
    for (const [name, source] of Object.entries(sources)) {
      for (const open of [undefined, { workers: 0, cacheBytes: 0 }]) await step(`64 MiB of ${codec ?? "plain"} chunks by ${name}`, () => again(source, open));
    }
  }
}

/** Many shards and many chunks in each, from each kind of source, by reads that come again. */
async function shards() {
  for (const [count, inner] of [[2, 600], [40, 33], [300, 4], [1000, 2]]) {
    const store = withShards(count, inner);
    const soon = () => new Promise((done) => setImmediate(done));
    const part = (bytes, { offset, length, suffixLength }) => (suffixLength ? bytes.slice(-suffixLength) : bytes.slice(offset, offset + length));
    const later = { get: async (key) => (await soon(), store.get(key)?.slice()), getRange: async (key, range) => (await soon(), part(store.get(key), range)) };
    for (const [name, source] of Object.entries({ URL: served(store), map: store, promises: later })) {
      for (const open of [undefined, { coalesceGap: 0 }, { coalesceGap: 0, concurrency: 3 }]) await step(`${count} shards by ${name}`, () => visit(source, { open }));
      for (const cacheBytes of [1 << 26, 1 << 9]) await step(`${count} shards by ${name} again`, () => walk(source, { open: { cacheBytes } }));
    }
  }
}

export async function run() {
  for (const name of ["codec-zstd", "codec-little", "sharded-zstd", "sharded-gaps"]) {
    await step(`${name} at once`, () => together(remote(name)));
    await step(`${name} at once, in order`, () => together(remote(name), { options: { order: "center" } }));
  }
  for (const text of ATTRIBUTES) await step(`attributes ${text}`, () => visit(served(withAttributes(text))));
  // Chunks of real data, whose streams use more of the decoders than those of the fixtures.
  for (const name of ["altitude.zarr/0/altitude", "altitude.zarr/1/altitude", "altitude.zarr/0/lat", "clear-sky-2024.zarr/ghi", "clear-sky-2024.zarr/hours/ghi"]) {
    await step(name, () => visit(`${site.url}/demo/${name}`, { selections: [({ shape }) => shape.map((_, axis) => (axis === 0 && shape.length > 2 ? 0 : null))] }));
  }
  for (const [label, store] of await compressed()) await step(label, () => visit(served(store), { selections: SELECTIONS }));
  // Frames inside of blosc and of shards too, each as a chunk by itself: other streams use more of the decoder.
  for (const file of FRAMES()) {
    for (const store of zstdFrames(readFileSync(file)).slice(0, 4)) await step(`zstd in ${file}`, () => visit(served(store)));
  }
  for (const name of ["codec-zstd", "blosc-lz4-shuffle", "codec-little", "sharded-zstd", "rectilinear-lists", "codec-transpose-120", "dtype-string-zstd", "scalar-default"]) {
    await step(`selections ${name}`, () => visit(remote(name), { selections: SELECTIONS }));
  }
  await step("a URL object", () => visit(new URL(remote("codec-zstd"))));
  await step("a URL object of an array on a regular grid", () => visit(new URL(served(stored([64], [16])))));
  const { signal } = new AbortController();
  await step("options", () => visit(remote("codec-zstd"), { options: [{ as: "float32" }, { order: "center", onProgress() {} }, { signal }], selections: SELECTIONS }));
  await step("options of open", () => visit(remote("codec-zstd"), { open: { workers: 0, cacheBytes: 0, onRequest() {}, headers: { a: "b" }, concurrency: 2, retries: 1, timeout: 10_000, missingStatuses: [403, 404], signal, zarrFormat: 3, fetch: (request) => fetch(request) } }));
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
  await chunks();
  await large();
  await shards();
  await step("more chunks than a list has room for", () => visit(sparse([2 ** 40], [1])));
  await step("a result that is too large", () => visit(sparse([1e9, 1e9], [1e6, 1e6])));
  await step("a chunk that is too large", () => visit(sparse([200], [100]), { open: { maxChunkBytes: 399 } }));
  await step("part of a large missing chunk", () => visit(sparse([2e9, 1e9], [1e9, 1e9]), { selections: [() => [15e8, { start: 10, stop: 14 }]] }));
  globalThis.Worker = class {
    constructor() {
      throw new Error("no workers here");
    }
  };
  await step("workers that cannot be made", () => visit(stored([1 << 20], [1 << 18], "gzip"), { open: { workers: 2 } }));
}
