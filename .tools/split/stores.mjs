// Stores of arrays for the profile, in memory.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { FIXTURES } from "../../tests/browser/support/paths.mjs";

/** First bytes of a frame of zstd. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Status, headers and body of the answer of a host that has these bytes. */
export function answered(bytes, asked) {
  if (!bytes) return [404, {}, null];
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(asked ?? "") ?? [];
  if (!from) return [200, { "Accept-Ranges": "bytes", ETag: '"1"', "Content-Length": bytes.length }, bytes];
  const part = bytes.slice(Number(from), to ? Number(to) + 1 : bytes.length);
  return [206, { "Content-Range": `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`, ETag: '"1"', "Content-Length": part.length }, part];
}

/** A host of a store, for the option `fetch`. */
export const hostOf = (store) => async (request) => {
  const [status, headers, body] = answered(store.get(new URL(request.url).pathname), request.headers.get("range"));
  return new Response(body, { status, headers });
};

/** Content of a chunk of float32 of this shape. */
export const contentOf = (chunk) => new Uint8Array(Float32Array.from({ length: chunk.reduce((a, b) => a * b) }, (_, i) => (i % 8191) * 0.25 + (i >> 13)).buffer);

/** Configurations of codecs, as libraries write them. */
const CONFIGURATIONS = { gzip: { level: 5 }, blosc: { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 4, blocksize: 0 } };

const ENCODED = { gzip: (content) => new Uint8Array(gzipSync(content)) };

/** Store of an array of float32 in equal chunks; `bytes` are those of a chunk, where Node does not have the codec. */
export function stored(shape, chunk, codec, bytes = ENCODED[codec]?.(contentOf(chunk)) ?? contentOf(chunk)) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, ...(codec ? [{ name: codec, configuration: CONFIGURATIONS[codec] }] : [])],
  };
  const keys = shape.reduce((found, length, axis) => found.flatMap((key) => Array.from({ length: length / chunk[axis] }, (_, nth) => `${key}/${nth}`)), ["/c"]);
  return new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))], ...keys.map((key) => [key, bytes])]);
}

/** Store of an array with attributes of these kinds, as text of JSON. */
export function withAttributes(text) {
  const store = stored([8], [4]);
  const document = new TextDecoder().decode(store.get("/zarr.json"));
  return store.set("/zarr.json", new TextEncoder().encode(document.replace(/}$/, `, "attributes": ${text}, "dimension_names": ["x"]}`)));
}

/** Store with another document in place of its own. */
function withDocument(store, change) {
  const document = JSON.parse(new TextDecoder().decode(store.get("/zarr.json")));
  return store.set("/zarr.json", new TextEncoder().encode(JSON.stringify({ ...document, ...change(document) })));
}

/** Store of an array of equal shards, whose inner chunks are one byte each. */
export function withShards(shards, inner) {
  const store = withDocument(stored([1], [1]), ({ codecs: [bytes] }) => ({
    shape: [shards * inner],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [inner] } },
    codecs: [{ name: "sharding_indexed", configuration: { chunk_shape: [1], codecs: [bytes], index_codecs: [bytes] } }],
  }));
  const shard = new Uint8Array(inner * 17);
  const view = new DataView(shard.buffer);
  for (let nth = 0; nth < inner; nth++) {
    shard[nth] = nth;
    view.setBigUint64(inner + 16 * nth, BigInt(nth), true);
    view.setBigUint64(inner + 16 * nth + 8, 1n, true);
  }
  for (let nth = 0; nth < shards; nth++) store.set(`/c/${nth}`, shard);
  return store;
}

/** Store of an array of shards with a codec in their index. */
export const withIndex = (codec) =>
  withDocument(stored([8], [8]), ({ codecs: [little] }) => ({
    codecs: [{ name: "sharding_indexed", configuration: { chunk_shape: [4], codecs: [little], index_codecs: [little, codec] } }],
  }));

/** Store of an array of this shape that holds one chunk. */
export function sparse(shape, chunk) {
  const store = withDocument(stored([1], [1]), () => ({ shape, chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } } }));
  store.delete("/c/0");
  return store.set(`/c/${shape.map(() => 0).join("/")}`, new Uint8Array(400));
}

/** The metadata document of a fixture; undefined where it is none, or is no JSON. */
function documentOf(read) {
  try {
    return JSON.parse(new TextDecoder().decode(read("zarr.json")));
  } catch {
    return undefined;
  }
}

/**
 * Store of an array on a regular grid that is the first chunk of the fixture at a path; undefined where the fixture has none, or
 * shards.
 */
export function firstChunk(path) {
  const { read } = fixture(path.replace(/\.zarr$/, ""));
  const document = documentOf(read);
  const { chunk_shape: equal, chunk_shapes: lists } = document?.chunk_grid?.configuration ?? {};
  const shape = equal ?? lists?.map((edges) => (Array.isArray(edges) ? [edges[0]].flat()[0] : edges));
  const bytes = Array.isArray(shape) && read(`c/${shape.map(() => 0).join("/")}`);
  if (!bytes || document.codecs?.some(({ name }) => name === "sharding_indexed")) return undefined;
  const grid = { name: "regular", configuration: { chunk_shape: shape } };
  const changed = { ...document, shape, chunk_grid: grid, chunk_key_encoding: { name: "default" } };
  return new Map([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(changed))],
    [`/c/${shape.map(() => 0).join("/")}`, bytes],
  ]);
}

/** Store of an array of one axis and one chunk, encoded by this codec. */
export function oneChunk(data_type, length, chunk, codec = { name: "zstd" }) {
  const codecs = [{ name: "bytes", configuration: { endian: "little" } }, codec];
  const store = withDocument(stored([1], [1]), () => ({ data_type, codecs, shape: [length], chunk_grid: { name: "regular", configuration: { chunk_shape: [length] } } }));
  return store.set("/c/0", chunk);
}

/** Length in bytes of the decoded content that the header of a frame of zstd states; 0 where it states none. */
function statedLength(bytes, at) {
  const head = bytes[at + 4];
  const isSingle = (head >> 5) & 1;
  const size = [isSingle, 2, 4, 8][head >> 6];
  const from = at + 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][head & 3];
  const length = Number(bytes.subarray(from, from + size).reduceRight((sum, byte) => sum * 256 + byte, 0));
  return { length: size === 2 ? length + 256 : length, blocks: from + size };
}

/** Frames of zstd in a file, wherever they begin, as arrays of bytes that are one chunk each. */
export function zstdFrames(bytes) {
  const found = [];
  for (let at = bytes.indexOf(MAGIC); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    const { length, blocks } = statedLength(bytes, at);
    let [end, isLast] = [blocks, false];
    while (!isLast && end + 3 <= bytes.length) {
      const head = bytes.readUIntLE(end, 3);
      isLast = (head & 1) === 1;
      end += 3 + (((head >> 1) & 3) === 1 ? 1 : head >> 3);
    }
    if (bytes[at + 4] & 4) end += 4;
    if (length === 0 || length > 1 << 24 || end > bytes.length) continue;
    found.push(oneChunk("uint8", length, new Uint8Array(bytes.subarray(at, end))));
  }
  return found;
}

/** Functions that read a fixture's values, whole and in part. */
export function fixture(name) {
  const read = (key) => {
    try {
      return new Uint8Array(readFileSync(join(FIXTURES, `${name}.zarr`, key)));
    } catch {
      return undefined;
    }
  };
  const range = (key, { offset, length, suffixLength }) => (suffixLength ? read(key)?.slice(-suffixLength) : read(key)?.slice(offset, offset + length));
  return { read, range };
}
