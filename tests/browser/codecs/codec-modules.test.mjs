/** The modules with one decoder each: on the page and in workers, in shards, from damaged bytes, and lost on the way. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS, PACKAGE } from "../support/paths.mjs";
import { files } from "../support/server.mjs";
import { withHelpers } from "../support/with-helpers.mjs";

const { edge, period, cases } = JSON.parse(await readFile(join(NEIGHBOURS, "large.json"), "utf8"));

/** Chunks of the array in each read: enough for workers to start. */
const CHUNKS = 12;

/** In the page: a store of chunks that are all the same; the helpers of tests of workers. */
const HELPERS = `
  const { spyOnWorkers, until } = await import("/support/gzipped.mjs");
  const spied = spyOnWorkers();
  const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const text = (json) => new TextEncoder().encode(JSON.stringify(json));
  const little = { name: "bytes", configuration: { endian: "little" } };

  function storeOf({ dataType, codecs, chunk }, { edge, chunks, sharded = false, version = 3, change = (bytes) => bytes }) {
    const shape = [chunks * edge, edge];
    const bytes = change(bytesOf(chunk));
    const common = { shape, fill_value: 0 };
    if (version === 2) {
      const dtype = { uint16: "<u2", int32: "<i4", float32: "<f4", float64: "<f8" }[dataType];
      const old = ({ name, configuration }) => ({ id: name === "gribberish" ? "grib" : name.replace("numcodecs.", ""), ...configuration });
      const filters = codecs.filter(({ name }) => name !== "bytes").map(old);
      const zarray = { zarr_format: 2, ...common, chunks: [edge, edge], dtype, order: "C", filters, compressor: null };
      const get = (key) => (key === "/.zarray" ? text(zarray) : /^\\/\\d+\\.\\d+$/.test(key) ? bytes : undefined);
      return { get };
    }
    let [stored, inner] = [bytes, codecs];
    if (sharded) {
      // Two inner chunks that share their bytes, side by side.
      inner = [{ name: "sharding_indexed", configuration: { chunk_shape: [edge, edge], codecs, index_codecs: [little], index_location: "start" } }];
      stored = new Uint8Array(32 + bytes.length);
      new BigUint64Array(stored.buffer, 0, 4).set([32n, BigInt(bytes.length), 32n, BigInt(bytes.length)]);
      stored.set(bytes, 32);
    }
    const chunk_shape = [sharded ? 2 * edge : edge, edge];
    const grid = { name: "regular", configuration: { chunk_shape } };
    const document = { zarr_format: 3, node_type: "array", ...common, data_type: dataType, chunk_grid: grid, chunk_key_encoding: { name: "default" }, codecs: inner };
    return { get: (key) => (key === "/zarr.json" ? text(document) : key.startsWith("/c/") ? stored : undefined) };
  }

  const differs = ({ first, step }, period, data) => data.findIndex((value, i) => value !== first + (i % period) * step);
`;

/* global differs, spied, storeOf, until */

describe("modules with one decoder each", () => {
  let page;
  let lost = new Set();
  const served = files(PACKAGE);
  const pkg = (request, response) => {
    if (lost.has(request.url.split("/").pop())) response.writeHead(404).end();
    else served(request, response);
  };
  before(async () => (page = await openPage({ "/pkg": pkg })));
  after(() => page?.close());
  const run = async (body, args) => {
    await page.renew();
    return page.run(withHelpers(HELPERS, body), { edge, period, chunks: CHUNKS, ...args });
  };

  for (const entry of cases) {
    for (const [how, more] of [["", {}], [" inside shards", { sharded: true }], [" of Zarr v2", { version: 2 }]]) {
      test(`${entry.module}: workers decode what this thread decodes${how}`, async () => {
        const found = await run(
          async ({ RectilinearArray }, { entry, more, edge, period, chunks }) => {
            const store = storeOf(entry, { edge, chunks, ...more });
            const alone = await RectilinearArray.open(store, { workers: 0, cacheBytes: 0 });
            const here = await alone.get();
            const none = spied.workers.length;
            const array = await RectilinearArray.open(store, { workers: 2, cacheBytes: 0 });
            await until(async () => (await array.get(), spied.answered > 0));
            const there = await array.get();
            return { differ: [here, there].map(({ data }) => differs(entry, period, data)), none, length: there.data.length };
          },
          { entry, more },
        );
        assert.deepEqual(found, { differ: [-1, -1], none: 0, length: CHUNKS * edge * edge });
      });
    }

    test(`${entry.module}: damaged chunks are errors of the codec, here and in workers, and other reads go on`, async () => {
      const found = await run(
        async ({ RectilinearArray }, { entry, edge, period, chunks }) => {
          const good = await RectilinearArray.open(storeOf(entry, { edge, chunks }), { workers: 2, cacheBytes: 0 });
          await until(async () => (await good.get(), spied.answered > 0));
          let seed = 7;
          const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
          const names = {};
          const odd = [];
          for (let nth = 0; nth < 60; nth++) {
            const change = (bytes) => {
              if (nth % 4 === 0) return bytes.subarray(0, random(bytes.length));
              for (let left = 1 + random(4); left > 0; left--) bytes[random(bytes.length)] ^= 1 << random(8);
              return bytes;
            };
            // Workers take all chunks of a part of the mutants.
            const options = nth % 3 === 0 ? { workers: 2, cacheBytes: 0 } : { workers: 0, cacheBytes: 0 };
            const array = await RectilinearArray.open(storeOf(entry, { edge, chunks: nth % 3 === 0 ? chunks : 1, change }), options);
            await array.get().then(
              () => (names.read = (names.read ?? 0) + 1),
              (error) => {
                names[error.name] = (names[error.name] ?? 0) + 1;
                if (!/c\/\d+\/0/.test(error.message) || /decoder that failed/.test(error.message)) odd.push(error.message);
              },
            );
          }
          return { names, odd, differs: differs(entry, period, (await good.get()).data) };
        },
        { entry },
      );
      assert.deepEqual(found.odd, []);
      assert.equal(found.differs, -1);
      assert.ok(found.names.CodecError > 10, JSON.stringify(found.names));
      assert.deepEqual(Object.keys(found.names).filter((name) => !["CodecError", "UnsupportedError", "read"].includes(name)), []);
    });
  }

  test("a file that cannot be fetched is named, and the next open tries again", async () => {
    const name = "rectilinear_zarr_lzma_bg.wasm";
    const opened = async ({ RectilinearArray }, { entry, edge, period }) => {
      const open = () => RectilinearArray.open(storeOf(entry, { edge, chunks: 1 }), { workers: 0 });
      const failed = await open().then(() => undefined, (error) => error.message);
      await fetch("/again/");
      const array = await open();
      return { failed, differs: differs(entry, period, (await array.get()).data) };
    };
    lost = new Set([name]);
    await page.close();
    page = await openPage({ "/pkg": pkg, "/again": (request, response) => (lost.clear(), response.writeHead(204).end()) });
    const found = await run(opened, { entry: cases.find(({ module }) => module === "lzma") });
    assert.match(found.failed, new RegExp(`${name}.*404`));
    assert.equal(found.differs, -1);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});

describe("each module that takes and gives bytes only", () => {
  for (const name of ["grib", "jpeg2000", "lzma", "pcodec", "rare", "zfp"]) {
    test(`${name} exports what the loader calls, and imports nothing that it needs`, async () => {
      const module = new WebAssembly.Module(await readFile(join(PACKAGE, `rectilinear_zarr_${name}_bg.wasm`)));
      const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
      const wanted = ["__wbindgen_free", "__wbindgen_malloc", "__wbindgen_start", "decodeParcel", "memory", ...(name === "rare" ? ["planParcel", "chooseStages"] : ["supportReply"])];
      assert.deepEqual(wanted.filter((name) => !exported.includes(name)), []);
      // wasm-bindgen fills the table of JavaScript's values with one function, which does nothing here.
      const imported = WebAssembly.Module.imports(module);
      assert.ok(imported.length <= 1 && imported.every(({ kind, name }) => kind === "function" && /init_externref_table/.test(name)), JSON.stringify(imported));
    });
  }
});
