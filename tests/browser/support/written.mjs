/** Arrays for network tests, written in memory; each value is its own position. */

import { gzipSync } from "node:zlib";

import { indices, strides } from "./boxes.mjs";

const INDEX_CODECS = [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }];

const CRC32C = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

function crc32c(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC32C[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Items of the box of `edges` at `start`: each is its C-order position in the array, or -1 past the extent. */
function items(shape, start, edges) {
  const step = strides(shape);
  const found = new Int32Array(edges.reduce((a, b) => a * b, 1));
  let at = 0;
  for (const index of indices(edges)) {
    const place = index.map((within, axis) => start[axis] + within);
    const isInside = place.every((coordinate, axis) => coordinate < shape[axis]);
    found[at++] = isInside ? place.reduce((sum, coordinate, axis) => sum + coordinate * step[axis], 0) : -1;
  }
  return Buffer.from(found.buffer);
}

/** Shard of inner chunks with its index and checksum at the end; `order` is the order of the chunks. */
function shardOf(chunks, order) {
  const index = Buffer.alloc(indexSize(chunks.length));
  let offset = 0;
  for (const nth of order) {
    index.writeBigUInt64LE(BigInt(offset), nth * 16);
    index.writeBigUInt64LE(BigInt(chunks[nth].length), nth * 16 + 8);
    offset += chunks[nth].length;
  }
  index.writeUInt32LE(crc32c(index.subarray(0, -4)), index.length - 4);
  return Buffer.concat([...order.map((nth) => chunks[nth]), index]);
}

/** Bytes of the index of a shard of `count` inner chunks. */
export const indexSize = (count) => count * 16 + 4;

/**
 * Files of an int32 array below `/name/`, by path. With `inner`, chunks are shards of inner chunks of that shape.
 * Without `gzip`, chunks and inner chunks are uncompressed; `isReversed` stores the inner chunks of a shard in reverse
 * order.
 */
export function written(name, { shape, chunks, inner, gzip = false, isReversed = false }) {
  const bytes = [{ name: "bytes", configuration: { endian: "little" } }];
  if (gzip) bytes.push({ name: "gzip", configuration: { level: 1 } });
  const shards = { name: "sharding_indexed", configuration: { chunk_shape: inner, codecs: bytes, index_codecs: INDEX_CODECS } };
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "int32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: inner ? [shards] : bytes,
  };
  const encode = (start, edges) => (gzip ? gzipSync(items(shape, start, edges), { level: 1 }) : items(shape, start, edges));
  const files = new Map([[`/${name}/zarr.json`, Buffer.from(JSON.stringify(metadata))]]);
  for (const coords of indices(shape.map((extent, axis) => Math.ceil(extent / chunks[axis])))) {
    const start = coords.map((chunk, axis) => chunk * chunks[axis]);
    files.set(`/${name}/c/${coords.join("/")}`, inner ? shard(start) : encode(start, chunks));
  }
  return files;

  function shard(start) {
    const counts = chunks.map((edge, axis) => edge / inner[axis]);
    const starts = [...indices(counts)].map((index) => index.map((nth, axis) => start[axis] + nth * inner[axis]));
    const order = starts.map((_, nth) => (isReversed ? starts.length - 1 - nth : nth));
    return shardOf(starts.map((start) => encode(start, inner)), order);
  }
}
