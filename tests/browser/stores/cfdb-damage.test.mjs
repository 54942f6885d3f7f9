/** Files of cfdb's that are damaged, foreign, cut short or changed while they are read, and hosts that are odd. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";

import { ignoresRange } from "../support/faults.mjs";
import { startNetwork } from "../support/network.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = join(NEIGHBOURS, "cfdb");
const series = await readFile(join(SETS, "pruned.cfdb"));
const expected = await readFile(join(SETS, "pruned-series.bin"));

/** The file with other bytes from a place on. */
function changed(at, bytes) {
  const copy = Buffer.from(series);
  copy.set(bytes, at);
  return copy;
}
/** Where the block of a key begins: its hash, its next one and two lengths come before a timestamp and the key. */
const blockOf = (key) => series.indexOf(key) - 32;
const offset = (number) => [0, 8, 16, 24, 32, 40].map((bits) => Math.floor(number / 2 ** bits) % 256);

/** Result of reading some of the series. */
async function read({ RectilinearArray, support }, { url, options = {}, selection = null }) {
  let bytes;
  const error = await support.rejection(async () => {
    globalThis.array = await RectilinearArray.open(url, { path: "series", workers: 0, ...options });
    const { data } = await globalThis.array.get(selection);
    bytes = [...new Uint8Array(data.buffer)];
  });
  return { error, bytes };
}

describe("damaged files of cfdb's", () => {
  let network;
  let near;
  before(async () => ({ near } = network = await startNetwork(new Map())));
  afterEach(async () => {
    await network.settle();
    near.files = new Map();
  });
  after(() => network?.close());

  const block = blockOf("series!0");
  for (const [what, bytes, options, name, words] of [
    ["nothing", undefined, { format: "cfdb" }, "NotFoundError", /no cfdb file/],
    ["an empty file", Buffer.alloc(0), { format: "cfdb" }, "StoreError", /416/],
    ["a page", Buffer.from("<!doctype html><title>Hello</title>"), { format: "cfdb" }, "NotFoundError", /no Booklet signature/],
    ["a part of the head", series.subarray(0, 100), {}, "InvalidMetadataError", /ends after 100 bytes/],
    ["the first half", series.subarray(0, series.length / 2), {}, "StoreError", /shorter than its index says/],
    ["another version", changed(16, [9]), {}, "UnsupportedError", /version 9 of Booklet/],
    ["a writer's file", changed(33, [255, 255, 255, 255]), {}, "UnsupportedError", /a writer has open/],
    ["a chain in a circle", changed(block, [...Buffer.alloc(13), ...offset(block)]), {}, "InvalidMetadataError", /goes in a circle/],
    ["a value beyond the file", changed(block + 21, [255, 255, 255, 255]), {}, "StoreError", /series|pruned|file\.cfdb/],
    ["a document that is none", changed(series.indexOf('{"dataset_type"'), Buffer.from("[")), {}, "InvalidMetadataError", /file\.cfdb.*JSON/s],
    ["a document that lacks a member", changed(series.indexOf('"variables"'), Buffer.from('"vXriables"')), {}, "InvalidMetadataError", /\/variables/],
    ["a chunk that is something else", changed(block + 32 + 8, Buffer.alloc(60)), {}, "CodecError", /lz4_frame/],
  ]) {
    test(what, async () => {
      if (bytes) near.files.set("/file.cfdb", bytes);
      const { error } = await network.run(read, { url: "/near/file.cfdb", options });
      assert.equal(error?.name, name, error?.message);
      assert.match(error.message, words);
    });
  }

  test("a hierarchy of Zarr may be called so, too", async () => {
    near.files.set("/file.cfdb/zarr.json", Buffer.from('{"zarr_format":3,"node_type":"group","attributes":{"a":1}}'));
    const attrs = await network.run(async ({ Group }) => (await Group.open("/near/file.cfdb")).attrs, {});
    assert.deepEqual(attrs, { a: 1 });
  });

  test("a host that ignores ranges gives the same values", async () => {
    near.files.set("/file.cfdb", series);
    near.rules = [ignoresRange];
    const { error, bytes } = await network.run(read, { url: "/near/file.cfdb" });
    assert.equal(error?.message, undefined);
    assert.deepEqual(Buffer.from(bytes), expected);
  });

  test("a file that is changed while it is read: an error that says so until refresh() reads the new one", async () => {
    near.files.set("/file.cfdb", series);
    const first = await network.run(read, { url: "/near/file.cfdb", selection: [[0, 1]] });
    assert.deepEqual(Buffer.from(first.bytes), expected.subarray(0, 8));
    // Two values change places, and so where each is found.
    const swapped = Buffer.from(series);
    const [one, other] = ["series!32", "series!64"].map(blockOf);
    const next = blockOf("series!96");
    swapped.set(series.subarray(other, next), one);
    swapped.set(series.subarray(one, other), one + next - other);
    const table = series.length - 997 * 6;
    for (let at = table; at < series.length; at += 6) {
      const place = series.readUIntLE(at, 6);
      if (place === one) swapped.set(offset(one + next - other), at);
      if (place === other) swapped.set(offset(one), at);
    }
    near.files.set("/file.cfdb", swapped);
    const again = (refreshes = false) =>
      network.run(async ({ support }, refreshes) => {
        let bytes;
        const error = await support.rejection(async () => {
          if (refreshes) await globalThis.array.refresh();
          const { data } = await globalThis.array.get([[40, 100]]);
          bytes = [...new Uint8Array(data.buffer)];
        });
        return { error, bytes };
      }, refreshes);
    const { error } = await again();
    assert.equal(error?.name, "StoreError", error?.message);
    assert.match(error.message, /changed while it was read/);
    assert.match((await again()).error?.message, /has changed since it was opened; call refresh\(\)/);
    const { bytes, error: none } = await again(true);
    assert.equal(none?.message, undefined);
    assert.deepEqual(Buffer.from(bytes), Buffer.concat([expected.subarray(160, 164), expected.subarray(400, 404)]));
  });

  test("refresh reads the file as it is now", async () => {
    near.files.set("/file.cfdb", series);
    await network.run(read, { url: "/near/file.cfdb" });
    // The same variables with other values, and an index of another length.
    near.files.set("/file.cfdb", await readFile(join(SETS, "reindexed.cfdb")));
    const bytes = await network.run(async () => {
      await globalThis.array.refresh();
      const { data } = await globalThis.array.get();
      return [...new Uint8Array(data.buffer)];
    }, {});
    assert.deepEqual(Buffer.from(bytes), await readFile(join(SETS, "reindexed-series.bin")));
  });

  test("who leaves while the index is read leaves nothing behind", async () => {
    near.files.set("/file.cfdb", series);
    const found = await network.run(async ({ RectilinearArray, support }) => {
      const array = await RectilinearArray.open("/near/file.cfdb", { path: "series", workers: 0 });
      const controller = new AbortController();
      const reading = support.rejection(() => array.get(null, { signal: controller.signal }));
      controller.abort(new Error("enough"));
      const { message } = await reading;
      const { data } = await array.get([[5]]);
      return { message, bytes: [...new Uint8Array(data.buffer)] };
    }, {});
    assert.equal(found.message, "enough");
    assert.deepEqual(Buffer.from(found.bytes), expected.subarray(20, 24));
  });
});
