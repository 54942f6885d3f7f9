/**
 * The codec conditional around each codec that takes bytes, wherever that one is: in the main module, in rare, in a
 * module of its own, or of the page. On the page, in workers and inside shards, and from damaged chunks.
 */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";
import { withHelpers } from "../support/with-helpers.mjs";

const FILTERS = join(NEIGHBOURS, "hdf5filters");
const { edge, period, cases } = JSON.parse(await readFile(join(NEIGHBOURS, "large.json"), "utf8"));

/** Arrays of imagecodecs and GDAL whose codecs after "bytes" take bytes. */
const SETS = ["imagecodecs-bz2", "imagecodecs-lz4-zstd", "imagecodecs-lzma", "imagecodecs-lzw", "jpeg2k-u2", "jpeg2k-i1", "jpeg2k-12-bits"];

/** In the page. */
const HELPERS = `
  const { spyOnWorkers, until } = await import("/support/gzipped.mjs");
  const text = (json) => new TextEncoder().encode(JSON.stringify(json));
  const told = ({ name, message, codec }) => ({ name, message, codec });
  const bytesOf = ({ data }) => \`\${new Uint8Array(data.buffer, data.byteOffset, data.byteLength)}\`;
  const conditional = (codecs, header_bits) => ({ name: "conditional", configuration: { codecs, header_bits } });
  const little = { name: "bytes", configuration: { endian: "little" } };
  /** A document of one or more equal chunks. */
  const documentOf = (codecs, more) => ({ zarr_format: 3, node_type: "array", shape: [6], data_type: "int16", chunk_grid: { name: "regular", configuration: { chunk_shape: [6] } }, chunk_key_encoding: { name: "default" }, fill_value: 0, codecs, ...more });
  const storeOf = (document, chunk) => ({ get: (key) => (key === "/zarr.json" ? text(document) : key.startsWith("/c") ? chunk : undefined) });
  const ITEMS = Int16Array.of(1, 0, -2, 5, 300, -6);
  const PLAIN = new Uint8Array(ITEMS.buffer);
  function headed(header, bytes) {
    const whole = new Uint8Array(header.length + bytes.length);
    whole.set(header);
    whole.set(bytes, header.length);
    return whole;
  }

  /** An array's chunks with all of its codecs after the first within conditional, which were all applied, as another array. */
  async function wrapped(RectilinearArray, array, options) {
    const { metadata } = array;
    // imagecodecs writes images without a codec that makes bytes.
    const [first, ...rest] = metadata.codecs[0].name === "bytes" ? metadata.codecs : [little, ...metadata.codecs];
    const document = { ...structuredClone(metadata), codecs: [first, conditional(rest, 16)] };
    const mask = 2 ** rest.length - 1;
    const get = async (key) => {
      if (key === "/zarr.json") return text(document);
      const stored = await array.getEncoded(key.split("/").slice(2).map(Number));
      return stored && headed([mask & 255, mask >> 8], stored);
    };
    return RectilinearArray.open({ get }, options);
  }
`;

/* global ITEMS, PLAIN, bytesOf, conditional, documentOf, headed, little, spyOnWorkers, storeOf, told, until, wrapped */

describe("conditional around codecs of every module", () => {
  let page;
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "conditional-"));
    for (const kind of ["plain", "szip", "nbit", "scaleoffset"]) {
      await writeFile(join(folder, `${kind}.h5`), gunzipSync(await readFile(join(FILTERS, `${kind}-latest.h5.gz`))));
    }
    page = await openPage({ "/sets": join(NEIGHBOURS, "codecs"), "/filters": folder });
  });
  after(async () => {
    await page?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const run = async (body, args) => {
    await page.renew();
    return page.run(withHelpers(HELPERS, body), args);
  };

  test("filters of HDF5 give what they give alone", async () => {
    const found = await run(async ({ Group, RectilinearArray }) => {
      const seen = {};
      for (const kind of ["plain", "szip", "nbit", "scaleoffset"]) {
        const group = await Group.open(new URL(`/filters/${kind}.h5`, location.href), { workers: 0 });
        for (const { path } of await group.members()) {
          const array = await group.array(path);
          const [first, ...filters] = array.codecs.map(({ name }) => name);
          const isFilter = filters.some((name) => name.startsWith("hdf5.")) && first === "bytes" && array.dtype !== "string";
          if (!isFilter || (seen[filters] ?? 0) >= 3) continue;
          const alone = await array.get();
          if (!ArrayBuffer.isView(alone.data)) continue;
          const around = await wrapped(RectilinearArray, array, { workers: 0 });
          if (!around.codecs.every(({ here }) => here)) throw new Error(`${path} is not here`);
          if (bytesOf(await around.get()) !== bytesOf(alone)) throw new Error(`${kind} ${path} differs`);
          seen[filters] = (seen[filters] ?? 0) + 1;
        }
      }
      return seen;
    });
    for (const name of ["bitshuffle", "lz4", "lzf", "nbit", "scaleoffset", "szip"]) {
      assert.ok(Object.keys(found).some((filters) => filters.split(",").includes(`hdf5.${name}`)), `${name} of ${JSON.stringify(found)}`);
    }
    assert.ok(Object.keys(found).some((filters) => filters.includes(",")), "filters after each other");
  });

  test("codecs of imagecodecs, JPEG 2000 among them, give what they give alone", async () => {
    const found = await run(
      async ({ RectilinearArray }, { names }) => {
        const equal = {};
        for (const name of names) {
          const array = await RectilinearArray.open(new URL(`/sets/${name}.zarr`, location.href), { workers: 0 });
          equal[name] = bytesOf(await (await wrapped(RectilinearArray, array, { workers: 0 })).get()) === bytesOf(await array.get());
        }
        return equal;
      },
      { names: SETS },
    );
    assert.deepEqual(Object.values(found).filter((equal) => equal !== true), [], JSON.stringify(found));
  });

  for (const module of ["lzma", "jpeg2000", "rare"]) {
    for (const sharded of [false, true]) {
      test(`${module}: workers decode what this thread decodes${sharded ? " inside shards" : ""}`, async () => {
        const found = await run(
          async ({ RectilinearArray }, { entry, sharded, edge, period }) => {
            const spied = spyOnWorkers();
            const at = entry.codecs.findIndex(({ name }) => name === "bytes") + 1;
            const codecs = [...entry.codecs.slice(0, at), conditional(["crc32c", ...entry.codecs.slice(at)])];
            const chunk = headed([2], Uint8Array.from(atob(entry.chunk), (letter) => letter.charCodeAt(0)));
            const shards = { name: "sharding_indexed", configuration: { chunk_shape: [edge, edge], codecs, index_codecs: [little], index_location: "start" } };
            const shard = new Uint8Array(32 + chunk.length);
            new BigUint64Array(shard.buffer, 0, 4).set([32n, BigInt(chunk.length), 32n, BigInt(chunk.length)]);
            shard.set(chunk, 32);
            const document = documentOf(sharded ? [shards] : codecs, {
              shape: [12 * edge, edge],
              data_type: entry.dataType,
              chunk_grid: { name: "regular", configuration: { chunk_shape: [sharded ? 2 * edge : edge, edge] } },
            });
            const store = storeOf(document, sharded ? shard : chunk);
            const here = await (await RectilinearArray.open(store, { workers: 0, cacheBytes: 0 })).get();
            const array = await RectilinearArray.open(store, { workers: 2, cacheBytes: 0 });
            await until(async () => (await array.get(), spied.answered > 0));
            const there = await array.get();
            const { first, step } = entry;
            return [here, there].map(({ data }) => [data.length, data.findIndex((value, i) => value !== first + (i % period) * step)]);
          },
          { entry: cases.find((entry) => entry.module === module), sharded, edge, period },
        );
        const whole = [12 * edge * edge, -1];
        assert.deepEqual(found, [whole, whole]);
      });
    }
  }

  test("a codec of the page, which is told of the array, alone and after codecs of ours", async () => {
    const found = await run(async ({ RectilinearArray, codecs, decoder }) => {
      const metas = [];
      decoder("my.flip", (bytes, { dataType, shape, configuration }) => (metas.push({ dataType, shape, configuration }), Uint8Array.from(bytes, (byte) => byte ^ 255)));
      const flip = (bytes) => bytes.map((byte) => byte ^ 255);
      const mine = { name: "my.flip", configuration: { by: 255 } };
      const shuffle = { name: "shuffle", configuration: { elementsize: 2 } };
      const shuffled = Uint8Array.from(PLAIN, (_, i) => PLAIN[(i % 6) * 2 + Math.floor(i / 6)]);
      const one = async (list, chunk, options) => {
        const array = await RectilinearArray.open(storeOf(documentOf([little, ...list]), chunk), options);
        return `${(await array.get()).data}` === `${ITEMS}` && array.codecs.every(({ here }) => here);
      };
      const results = [
        await one([conditional([mine])], headed([1], flip(PLAIN))),
        await one([conditional([mine])], headed([0], PLAIN)),
        await one([conditional([shuffle, mine])], headed([3], flip(shuffled))),
        await one([conditional([shuffle, mine])], headed([1], shuffled)),
        await one([conditional([conditional([mine, shuffle]), mine])], headed([3], flip(headed([1], flip(PLAIN))))),
        await one([conditional([mine]), mine], flip(headed([1], flip(PLAIN)))),
        await one([conditional([{ name: "my.own" }])], headed([1], flip(PLAIN)), { codecs: new Map([["my.own", () => ({ fromConfig: () => ({ decode: async (bytes) => flip(bytes) }) })]]) }),
      ];
      codecs.delete("my.flip");
      return { results, meta: metas[0], same: metas.every(({ dataType, shape }) => dataType === "int16" && `${shape}` === "6") };
    });
    assert.deepEqual(found, { results: Array(7).fill(true), meta: { dataType: "int16", shape: [6], configuration: { by: 255 } }, same: true });
  });

  test("a codec of the page in workers, by its address", async () => {
    const found = await run(async ({ RectilinearArray, codecs }) => {
      const spied = spyOnWorkers();
      const module = "export default { fromConfig: () => ({ decode: (bytes) => bytes.map((byte) => byte ^ 255) }) };";
      codecs.set("my.there", new URL(URL.createObjectURL(new Blob([module], { type: "text/javascript" }))));
      const items = 1 << 18;
      const document = documentOf([little, conditional(["my.there", "numcodecs.lzma"])], { shape: [12 * items], chunk_grid: { name: "regular", configuration: { chunk_shape: [items] } } });
      const array = await RectilinearArray.open(storeOf(document, headed([1], new Uint8Array(2 * items).fill(254))), { workers: 2, cacheBytes: 0 });
      await until(async () => (await array.get(), spied.answered > 0));
      const { data } = await array.get();
      codecs.delete("my.there");
      return [data.length, data.every((item) => item === 257)];
    });
    assert.deepEqual(found, [12 << 18, true]);
  });

  test("what cannot be read is named: unknown codecs, other kinds, damage", async () => {
    const found = await run(async ({ RectilinearArray, codecs, decoder }) => {
      const one = async (inner, chunk) => {
        const opened = await RectilinearArray.open(storeOf(documentOf([little, conditional(inner)]), chunk ?? headed([0], PLAIN))).catch(told);
        if (opened.message) return opened;
        const array = opened;
        const here = array.codecs.map(({ here }) => here);
        return { here, ...(await array.get().then(() => ({ name: "read" }), told)), stored: (await array.getEncoded([0])).length };
      };
      decoder("my.items", (items) => items, { kind: "array_to_array" });
      const results = {
        unknown: await one(["numcodecs.lzma", "my.none"]),
        alone: await one(["my.none"]),
        kind: await one(["numcodecs.pcodec"]),
        custom: await one(["my.items"]),
        short: await one(["numcodecs.lzma"], new Uint8Array(0)),
        bit: await one(["numcodecs.lzma"], headed([2], PLAIN)),
        damaged: await one(["numcodecs.lzma"], headed([1], PLAIN)),
        length: await one(["numcodecs.lzma"], headed([0], PLAIN.slice(1))),
        settings: await one([{ name: "numcodecs.lzma", configuration: { format: 77 } }]),
      };
      codecs.delete("my.items");
      return results;
    });
    const { unknown, alone, kind, custom, short, bit, damaged, length, settings } = found;
    for (const error of [unknown, alone]) {
      assert.equal(error.name, "UnsupportedError");
      assert.match(error.message, /"my\.none".*codecs\.set/);
      assert.deepEqual([error.here, error.stored], [[true, false], 13]);
    }
    for (const [error, name] of [[kind, /numcodecs\.pcodec/], [custom, /my\.items/]]) {
      assert.equal(error.name, "UnsupportedError");
      assert.match(error.message, name);
      assert.match(error.message, /within "conditional".*must encode bytes as bytes/);
    }
    assert.deepEqual([short.name, short.codec, bit.codec, damaged.codec, length.codec], ["CodecError", "conditional", "conditional", "numcodecs.lzma", "conditional"]);
    assert.match(bit.message, /bit 1 of the header/);
    assert.equal(settings.name, "InvalidMetadataError");
    assert.match(settings.message, /\/codecs\/1\/configuration\/codecs\/0\/configuration\/format.*77/);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
