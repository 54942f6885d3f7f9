/** JPEG 2000 and Blosc's Snappy by HTTP, as imagecodecs, GDAL and ecCodes write them, and what loads for whom. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { crc32 } from "node:zlib";

import { withHelpers } from "../support/with-helpers.mjs";
import { openPage } from "../support/chromium.mjs";
import { recordMemories } from "../support/instances.mjs";
import { NEIGHBOURS, PACKAGE } from "../support/paths.mjs";
import { files } from "../support/server.mjs";

const SETS = join(NEIGHBOURS, "codecs");
const GRIB = join(NEIGHBOURS, "grib");
const json = async (path) => JSON.parse(await readFile(path, "utf8"));

const images = (await json(join(SETS, "index.json"))).filter(({ feature }) => ["jpeg2000", "blosc-snappy"].includes(feature));
const grib = await json(join(GRIB, "index.json"));
const messages = grib.messages.filter(({ name }) => name.startsWith("jpeg2000"));

/** In the page: the decoder modules that have been loaded. */
const HELPERS = `
  const modules = () => [...new Set(performance.getEntriesByType("resource").map(({ name }) => /zarr_(\\w+)_bg\\.wasm$/.exec(name)?.[1]))].filter((name) => name && !["calls", "codecs", "grids", "opening"].includes(name)).sort();
  const told = ({ name, message, codec }) => ({ name, message, codec });
  const text = (json) => new TextEncoder().encode(JSON.stringify(json));
  const little = { name: "bytes", configuration: { endian: "little" } };
  const documentOf = (shape, data_type, codecs) => ({ zarr_format: 3, node_type: "array", shape, data_type, chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" }, fill_value: 0, codecs });
  /** Items of a message in a store, as text, because JSON has no NaN. */
  async function message(RectilinearArray, name, configuration, shape) {
    const chunk = new Uint8Array(await (await fetch("/grib/" + name + ".grib2")).arrayBuffer());
    const bytes = text(documentOf(shape, "float64", [{ name: "gribberish", configuration }]));
    const array = await RectilinearArray.open({ get: (key) => (key === "/zarr.json" ? bytes : chunk) }, { workers: 0, cacheBytes: 0 });
    return Array.from((await array.get()).data, String);
  }
`;

/* global documentOf, little, message, modules, text, told */

describe("JPEG 2000", () => {
  let page;
  let isLost = false;
  const served = files(PACKAGE);
  const pkg = (request, response) => {
    if (isLost && request.url.endsWith("jpeg2000_bg.wasm")) response.writeHead(404).end();
    else served(request, response);
  };
  const again = (request, response) => ((isLost = false), response.writeHead(204).end());
  before(async () => (page = await openPage({ "/pkg": pkg, "/sets": SETS, "/grib": GRIB, "/again": again }, { before: recordMemories })));
  after(() => page?.close());
  const run = async (body, args) => {
    await page.renew();
    return page.run(withHelpers(HELPERS, body), args);
  };

  test("arrays of imagecodecs, GDAL and virtual-tiff have their writers' values", async () => {
    assert.ok(images.length >= 14, `${images.length}`);
    const found = await run(
      async ({ RectilinearArray }, { names }) => {
        const results = {};
        for (const name of names) {
          const array = await RectilinearArray.open(new URL(`/sets/${name}.zarr`, location.href));
          const { data, shape } = await array.get();
          results[name] = { shape, bytes: [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)], here: array.codecs.every(({ here }) => here) };
        }
        return { results, modules: modules() };
      },
      { names: images.map(({ name }) => name) },
    );
    for (const { name, shape, crc32: wanted } of images) {
      const { bytes, ...rest } = found.results[name];
      assert.deepEqual(rest, { shape, here: true }, name);
      assert.equal(crc32(Uint8Array.from(bytes)), wanted, name);
    }
    assert.deepEqual(found.modules, ["jpeg2000", "rare"]);
  });

  test("names may have the prefix of numcodecs, and Zarr v2 has the image as its compressor", async () => {
    const found = await run(async ({ RectilinearArray }) => {
      const chunk = new Uint8Array(await (await fetch("/sets/jpeg2k-u2.zarr/c/0/0")).arrayBuffer());
      const one = async (key, document) => {
        const bytes = text(document);
        const array = await RectilinearArray.open({ get: (asked) => (asked === key ? bytes : /\d/.test(asked) ? chunk : undefined) });
        return [...new Uint8Array((await array.get()).data.buffer)];
      };
      const named = (name) => one("/zarr.json", documentOf([24, 20], "uint16", [name]));
      const older = { zarr_format: 2, shape: [24, 20], chunks: [24, 20], dtype: "<u2", fill_value: 0, order: "C" };
      const id = { id: "imagecodecs_jpeg2k" };
      const read = [await named("imagecodecs_jpeg2k"), await named("numcodecs.imagecodecs_jpeg2k")];
      read.push(await one("/.zarray", { ...older, filters: null, compressor: id }), await one("/.zarray", { ...older, filters: [id], compressor: null }));
      return { read, modules: modules() };
    });
    const { crc32: wanted } = images.find(({ name }) => name === "jpeg2k-u2");
    assert.deepEqual(found.read.map((bytes) => crc32(Uint8Array.from(bytes))), [wanted, wanted, wanted, wanted]);
    assert.deepEqual(found.modules, ["jpeg2000"]);
  });

  test("GRIB2 messages load it with the first of template 40, and have the values of ecCodes", async () => {
    assert.ok(messages.length >= 7, `${messages.length}`);
    const found = await run(
      async ({ RectilinearArray }, { messages, shape }) => {
        await message(RectilinearArray, "simple-wave-16", {}, shape);
        await message(RectilinearArray, "ccsds-bitmap", {}, shape);
        const before = modules();
        const values = {};
        for (const { name, configuration } of messages) values[name] = await message(RectilinearArray, name, configuration, shape);
        return { before, values, after: modules() };
      },
      { messages, shape: grib.shape },
    );
    assert.deepEqual([found.before, found.after], [["grib"], ["grib", "jpeg2000"]]);
    for (const { name } of messages) {
      const wanted = await readFile(join(GRIB, `${name}.bin`));
      const numbers = Array.from(new Float64Array(wanted.buffer.slice(wanted.byteOffset, wanted.byteOffset + wanted.length)), String);
      assert.deepEqual(found.values[name], numbers, name);
    }
  });

  test("a file that cannot be fetched is named where the message is read, and the next read tries again", async () => {
    isLost = true;
    const found = await run(
      async ({ RectilinearArray }, { shape }) => {
        const failed = await message(RectilinearArray, "jpeg2000-wave-16", {}, shape).catch(told);
        const other = (await message(RectilinearArray, "simple-wave-16", {}, shape)).length;
        await fetch("/again/");
        return { failed, other, read: (await message(RectilinearArray, "jpeg2000-wave-16", {}, shape)).length };
      },
      { shape: grib.shape },
    );
    assert.equal(found.failed.name, "UnsupportedError");
    assert.match(found.failed.message, /rectilinear_zarr_jpeg2000_bg\.wasm.*404/);
    assert.deepEqual([found.other, found.read], [grib.points, grib.points]);
    // The page's own log of what was not found.
    page.errors.splice(0);
  });

  test("an image whose header claims more than its chunk is refused before it is decoded", async () => {
    const found = await run(async ({ RectilinearArray }) => {
      const image = new Uint8Array(await (await fetch("/sets/jpeg2k-codestream.zarr/c/0/0")).arrayBuffer());
      const errors = [];
      for (const [at, size] of [[8, 21], [8, 60_000], [12, 60_000], [12, 2 ** 32 - 1]]) {
        const chunk = image.slice();
        new DataView(chunk.buffer).setUint32(at, size);
        const bytes = text(documentOf([24, 20], "uint16", ["imagecodecs_jpeg2k"]));
        const array = await RectilinearArray.open({ get: (key) => (key === "/zarr.json" ? bytes : chunk) });
        errors.push(await array.get().catch(told));
      }
      return { errors, memory: globalThis.memories.map(({ buffer }) => buffer.byteLength) };
    });
    assert.ok(found.memory.length > 0 && found.memory.every((bytes) => bytes < 16 * 2 ** 20), `memory of the modules is ${found.memory} bytes`);
    for (const { message, ...rest } of found.errors) {
      assert.deepEqual(rest, { name: "CodecError", codec: "imagecodecs_jpeg2k" });
      assert.match(message, /bytes|tiles/);
    }
  });

  test("codecs on demand decode no index of a shard and no whole shard, which are refused by name", async () => {
    const found = await run(async ({ RectilinearArray }) => {
      const [lzma, jpeg2k] = ["numcodecs.lzma", "imagecodecs_jpeg2k"];
      const sharded = (codecs, index = [little]) => ({ name: "sharding_indexed", configuration: { chunk_shape: [1, 3], codecs, index_codecs: index } });
      const one = async (codecs) => {
        const bytes = text(documentOf([2, 3], "uint16", codecs));
        const array = await RectilinearArray.open({ get: (key) => (key === "/zarr.json" ? bytes : new Uint8Array(100)) });
        return array.get().then(() => undefined, told);
      };
      return [
        await one([sharded(["numcodecs.pcodec"]), "zstd"]),
        await one([sharded([little], [little, lzma])]),
        await one([sharded([little], [jpeg2k])]),
        await one([sharded([jpeg2k]), "crc32c"]),
        await one([sharded([little]), lzma]),
      ];
    });
    const [pcodec, index, image, inner, outer] = found;
    for (const [error, words] of [[index, /lzma/], [image, /imagecodecs_jpeg2k/], [pcodec, /"numcodecs\.pcodec" inside of shards/], [inner, /"imagecodecs_jpeg2k" inside of shards/]]) {
      assert.equal(error?.name, "UnsupportedError", JSON.stringify(error));
      assert.match(error.message, words);
    }
    // A whole shard within a codec on demand is bytes like others: those here are none of lzma.
    assert.deepEqual([outer?.name, outer?.codec], ["CodecError", "numcodecs.lzma"]);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
