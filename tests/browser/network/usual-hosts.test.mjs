/** Hosts that people have: those that compress, refuse suffixes, hide what is missing, or have several machines. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { allows, bare404, byMachine, compresses, exposes, first, forbidsMissing, forMethod, hidesLength, on, refusesBeyond, refusesSuffixes, status, storesCompressed, transcodes, withoutCors } from "../support/faults.mjs";
import { itemsAt, startNetwork } from "../support/network.mjs";
import { BUILT, NEIGHBOURS, PACKAGE } from "../support/paths.mjs";
import { httpServer, rangeHttpServer } from "../support/servers.mjs";
import { indexSize, written } from "../support/written.mjs";
import { zipped } from "../support/zipped.mjs";

const node = await import(pathToFileURL(join(PACKAGE, "node.js")));
const [{ httpBytes: bytesBy }, { Exchange }] = await Promise.all(["stores/zip-bytes.js", "fetch/exchange.js"].map((path) => import(pathToFileURL(join(BUILT, path)))));
const httpBytes = (url, options) => bytesBy(url, options, Exchange);

const SHARDED = { shape: [64, 64], chunks: [32, 32], inner: [8, 8] };
const INDEX = indexSize(16);
const JSON_BYTES = (value) => Buffer.from(JSON.stringify(value));

/** A shard without a checksum: where its index is looked for too early, there are entries of 0xFF, which mean "missing". */
function unchecked() {
  const values = Buffer.alloc(4096, 255).fill(7, 3072);
  const index = Buffer.alloc(64);
  for (let nth = 0; nth < 4; nth++) {
    index.writeBigUInt64LE(BigInt(nth * 1024), nth * 16);
    index.writeBigUInt64LE(1024n, nth * 16 + 8);
  }
  const bytes = [{ name: "bytes", configuration: { endian: "little" } }];
  const document = {
    zarr_format: 3, node_type: "array", shape: [4096], data_type: "uint8", fill_value: 0,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4096] } }, chunk_key_encoding: { name: "default" },
    codecs: [{ name: "sharding_indexed", configuration: { chunk_shape: [1024], codecs: [{ name: "bytes" }], index_codecs: bytes } }],
  };
  return [["/unchecked/zarr.json", JSON_BYTES(document)], ["/unchecked/c/0", Buffer.concat([values, index])]];
}

/** A group of Zarr v2 with an array of two chunks, of which one is stored; neither has attributes. */
const OLD = [
  ["/old/.zgroup", JSON_BYTES({ zarr_format: 2 })],
  ["/old/a/.zarray", JSON_BYTES({ zarr_format: 2, shape: [4], chunks: [2], dtype: "|u1", compressor: null, fill_value: 9, order: "C", filters: null })],
  ["/old/a/0", Buffer.from([1, 2])],
];

/** The files of stores that other packages wrote, by their paths on a host. */
async function neighbours(...folders) {
  const found = [];
  for (const folder of folders) {
    const directory = join(NEIGHBOURS, folder);
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    found.push(...(await Promise.all(paths.map(async (path) => [path.slice(NEIGHBOURS.length), await readFile(path)]))));
  }
  return found;
}

describe("hosts that people have", () => {
  const files = () => {
    const sparse = written("sparse", { shape: [16, 16], chunks: [8, 8] });
    sparse.delete("/sparse/c/1/1");
    const all = new Map([...written("sharded", SHARDED), ...sparse, ...unchecked(), ...OLD]);
    all.set("/sun.zip", zipped([...written("x", { shape: [64, 64], chunks: [64, 64] })].map(([path, bytes]) => [path.slice(3), bytes])));
    return all;
  };
  let network;
  let near;
  let far;
  before(async () => ({ near, far } = network = await startNetwork(files())));
  afterEach(() => network.settle());
  after(() => network?.close());

  const read = (...wanted) => itemsAt(network, ...wanted);
  const sum = (url) =>
    network.run(async ({ RectilinearArray }, url) => {
      const { data } = await (await RectilinearArray.open(url)).get();
      return data.reduce((sum, value) => sum + value, 0);
    }, url);
  const PLACES = [[0, 9], [0, 33], [33, 0], [33, 33]];
  const RIGHT = PLACES.map(([row, column]) => row * 64 + column);
  const UNCHECKED = 3072 * 255 + 1024 * 7;
  const preflights = () => far.log.filter(({ method }) => method === "OPTIONS").length;

  for (const [what, rules] of [
    ["compresses what accepts it", [compresses]],
    ["tells the length of a compressed body whatever is accepted", [forMethod("HEAD", (exchange) => { exchange.range = undefined; exchange.bytes &&= exchange.bytes.subarray(100); })]],
    ["tells a length that is too long", [forMethod("HEAD", (exchange) => { exchange.range = undefined; exchange.bytes &&= Buffer.concat([exchange.bytes, Buffer.alloc(70)]); })]],
    ["stores files compressed, and decompresses them", [transcodes]],
  ]) {
    test(`another origin that ${what}: shards, with a checksum or none`, async () => {
      far.rules = rules;
      assert.deepEqual(await read(`${far.url}/sharded`, PLACES), RIGHT);
      assert.equal(await sum(`${far.url}/unchecked`), UNCHECKED);
    });
  }

  test("a host that compresses is asked no more than others, and without a preflight", async () => {
    far.rules = [compresses];
    await read(`${far.url}/sharded`, PLACES);
    assert.equal(far.asked().filter(([, path]) => path === "c/0/0").length, 3);
    assert.equal(preflights(), 0);
  });

  for (const [what, rules] of [["compresses what accepts it", [compresses]], ["stores files compressed", [storesCompressed]], ["decompresses such files", [transcodes]], ["compresses, and refuses HEAD", [compresses, forMethod("HEAD", status(405))]], ["compresses, and hides lengths", [compresses, forMethod("HEAD", hidesLength)]]]) {
    test(`a zip on a host that ${what}, from a page and in Node`, async () => {
      far.rules = rules;
      const found = await network.run(async ({ RectilinearArray }, url) => {
        const { zipStore } = await import("rectilinear-zarr/stores");
        return (await (await RectilinearArray.open(await zipStore(url))).get([5, 5])).data[0];
      }, `${far.url}/sun.zip`);
      assert.equal(found, 5 * 64 + 5);
      // Node finds no zip.js beside the package; the bytes are what the host decides.
      const bytes = await httpBytes(`${far.url}/sun.zip`, { maxWholeBytes: 2 ** 20 });
      const zip = far.files.get("/sun.zip");
      assert.deepEqual(Buffer.from(await bytes.end(100)), zip.subarray(-100));
      assert.deepEqual(Buffer.from(await bytes.read(30, 60)), zip.subarray(30, 60));
      assert.equal(bytes.size, zip.length);
    });
  }

  for (const code of [400, 416]) {
    test(`a zip on a host that answers ${code} to a range that ends beyond the file: its end is asked for once more`, async () => {
      far.rules = [refusesBeyond(code)];
      const bytes = await httpBytes(`${far.url}/sun.zip`, { maxWholeBytes: 2 ** 20 });
      const zip = far.files.get("/sun.zip");
      assert.deepEqual(Buffer.from(await bytes.end(100)), zip.subarray(-100));
      const { length } = zip;
      assert.deepEqual(far.asked().map(([range]) => range), ["HEAD", `bytes=${length - 100}-${length}`, `bytes=${length - 100}-${length - 1}`]);
    });
  }

  for (const [what, rules] of [["http-server 14.1.1", [httpServer]], ["RangeHTTPServer 1.4.0", [rangeHttpServer]], ...[403, 405, 500, 501].map((code) => [`a host that answers suffixes with ${code}`, [refusesSuffixes(code)]])]) {
    test(`${what}: shards on the page's own origin and in Node, by their places`, async () => {
      near.rules = far.rules = rules;
      assert.deepEqual(await read("/near/sharded", PLACES, { retries: 3 }), RIGHT);
      assert.equal(near.asked().filter(([asked]) => asked === `bytes=-${INDEX}`).length, 1, "asked once");
      assert.equal(near.asked().filter(([asked]) => asked === "all").length, 0);
      const array = await node.RectilinearArray.open(`${far.url}/sharded`);
      assert.equal((await array.get([33, 33])).data[0], 33 * 64 + 33);
    });
  }

  for (const [what, rules] of [["403", [forbidsMissing]], ["404 without CORS headers", [bare404]]]) {
    test(`${what} for what is missing: v2 arrays and groups, attributes, sparse chunks`, async () => {
      far.rules = rules;
      assert.deepEqual(await read(`${far.url}/old/a`, [[0], [3]]), [1, 9]);
      const member = await network.run(async ({ Group }, url) => {
        const group = await Group.open(url);
        return [...(await (await group.array("a")).get()).data];
      }, `${far.url}/old`);
      assert.deepEqual(member, [1, 2, 9, 9]);
      assert.deepEqual(await read(`${far.url}/sparse`, [[0, 1], [15, 15]]), [1, 0]);
    });

    test(`${what} for what is missing: Icechunk of both versions, and references in Parquet, by addresses that do not tell the format`, async () => {
      far.files = new Map(await neighbours("icechunk/v1", "icechunk/v2", "parquet/plain"));
      far.rules = rules;
      for (const name of ["icechunk/v1", "icechunk/v2", "parquet/plain"]) {
        const kinds = await network.run(async ({ Group }, url) => (await Group.open(url)).tree().map(({ kind }) => kind), `${far.url}/${name}`);
        assert.ok(kinds.includes("array"), `${name}: ${kinds}`);
      }
      far.files = near.files;
    });

    test(`${what} for what is missing: kerchunk's JSON, cfdb, original files and zips, by their addresses`, async () => {
      far.files = new Map([...(await neighbours("kerchunk", "cfdb", "netcdf")), ...near.files]);
      far.rules = rules;
      const paths = [...far.files.keys()];
      const ends = ["kerchunk/single.json", ".cfdb", "netcdf/by-hand.nc", "sun.zip"];
      for (const path of ends.map((end) => paths.find((path) => path.endsWith(end)) ?? assert.fail(end))) {
        const read = await network.run(async ({ Group }, url) => {
          const group = await Group.open(url).catch(async (error) => (url.endsWith(".zip") ? undefined : Promise.reject(error)));
          return group ? group.tree().filter(({ kind }) => kind === "array").length : 1;
        }, `${far.url}${path}`);
        assert.ok(read > 0, path);
      }
      const zip = await network.run(async ({ RectilinearArray }, url) => (await (await RectilinearArray.open(url)).get([5, 5])).data[0], `${far.url}/sun.zip`);
      assert.equal(zip, 5 * 64 + 5);
      // A document that no reference names is missing without a question to the host.
      const error = await network.run(async ({ Group, support }, url) => support.rejection(async () => (await Group.open(url)).array("none")), `${far.url}/kerchunk/single.json`);
      assert.equal(error.name, "NotFoundError");
      // The references themselves: what is not there is an error of the host, and no empty group.
      const absent = await network.run(async ({ Group, support }, url) => support.rejection(() => Group.open(url, { retries: 0 })), `${far.url}/kerchunk/none.json`);
      assert.ok(["NotFoundError", "StoreError"].includes(absent?.name), JSON.stringify(absent));
      assert.match(absent.message, /none\.json/);
      far.files = near.files;
    });

    test(`${what} for what is missing: HDF5, NetCDF and TIFF by their addresses, whether these tell the format or not`, async () => {
      far.files = new Map(await neighbours("hdf5", "netcdf", "tiff"));
      const files = [["/hdf5/netcdf-00.nc", "hdf5"], ["/hdf5/masks-latest.h5", "hdf5"], ["/netcdf/by-hand.nc", "netcdf"], ["/tiff/TIFF", "tiff"]];
      files[3][0] = [...far.files.keys()].find((path) => /\.tiff?$/.test(path)) ?? assert.fail("no TIFF");
      for (const [path, format] of files) far.files.set(`/plain/${format}`, far.files.get(path));
      /** Arrays of a file with the sums of their bytes, and what opening a member that is not there says. */
      const opened = (url, options) => network.run(async ({ Group, RectilinearArray, support }, [url, options]) => {
        const group = await Group.open(url, options);
        const sums = {};
        const arrays = group.tree().filter(({ kind, dtype, shape }) => kind === "array" && /^u?int|^float(32|64)$/.test(dtype) && shape.reduce((items, edge) => items * edge, 1) < 1e5).slice(0, 6);
        for (const { path } of arrays) {
          const array = await group.array(path);
          const { data } = await array.get();
          sums[path] = new Uint8Array(data.buffer, data.byteOffset, data.byteLength).reduce((sum, byte) => (sum * 31 + byte) % 1e9, 0);
          array.free();
        }
        const [name] = Object.keys(sums);
        const alone = await RectilinearArray.open(url, { ...options, path: name });
        return { sums, shape: alone.shape.length > 0, none: (await support.rejection(() => group.array("none"))).name };
      }, [url, options]);
      for (const [path, format] of files) {
        for (const [address, options] of [[path, {}], [`/plain/${format}`, {}], [`/plain/${format}`, { format }]]) {
          far.rules = [];
          const right = await opened(`${far.url}${address}`, options);
          far.rules = rules;
          assert.deepEqual(await opened(`${far.url}${address}`, options), right, `${address} ${JSON.stringify(options)}`);
          assert.ok(Object.keys(right.sums).length > 0, address);
          assert.equal(right.none, "NotFoundError");
        }
      }
      for (const [path, options] of [["/hdf5/none.h5", {}], ["/netcdf/none.nc", {}], ["/tiff/none.tif", {}], ["/none", { format: "hdf5" }], ["/none", { format: "netcdf" }], ["/none", { format: "tiff" }]]) {
        const absent = await network.run(({ Group, support }, [url, options]) => support.rejection(() => Group.open(url, { ...options, retries: 0 })), [`${far.url}${path}`, options]);
        assert.ok(["NotFoundError", "StoreError"].includes(absent?.name), `${path}: ${JSON.stringify(absent)}`);
        assert.ok(absent.message.includes(path.slice(1).split("/").pop()) && absent.message.includes(new URL(far.url).host), `${path}: ${absent.message}`);
      }
      far.files = near.files;
    });

    test(`${what} for a chunk of a host that answers 404 otherwise is an error`, async () => {
      const failing = what === "403" ? status(403) : withoutCors;
      far.rules = [on(/c\/1\/1$/, failing)];
      const error = await read(`${far.url}/sparse`, [[0, 1], [15, 15]]);
      assert.equal(error.name, "StoreError", JSON.stringify(error));
    });
  }

  test("a chunk that comes without CORS headers for a while is read, and nothing that fails is missing after that", async () => {
    far.rules = [bare404, on(/c\/0\/1$/, first(2, withoutCors))];
    const error = await read(`${far.url}/sparse`, [[0, 8], [15, 15]], { retries: 3 });
    assert.equal(error.name, "StoreError", JSON.stringify(error));
    assert.match(error.key, /c\/1\/1$/);
  });

  test("no CORS at all is told after one retry, and told from no host", async () => {
    far.rules = [withoutCors];
    const error = await read(`${far.url}/old/a`, [[0]], { retries: 3 });
    assert.equal(error.name, "StoreError");
    assert.match(error.message, /answers, but does not allow this page to read it \(CORS\)/);
    assert.ok(far.log.length <= 9, JSON.stringify(far.log.map(({ method, path }) => [method, path])));
    const nobody = await read("http://127.0.0.2:9/x", [[0]]);
    assert.match(nobody.message, /no answer/);
  });

  test("a token goes with ranges on a host that allows Range and Authorization alone", async () => {
    far.rules = [allows("Range, Authorization"), exposes("ETag, Content-Range, Content-Length")];
    assert.deepEqual(await read(`${far.url}/sharded`, PLACES, { headers: { authorization: "Bearer sekret" } }), RIGHT);
  });

  test("machines that give a file an ETag each: shards and zips are read; a file that changed is an error", async () => {
    near.rules = [byMachine(3)];
    assert.deepEqual(await read("/near/sharded", [...PLACES, [8, 8], [16, 16], [40, 40]]), [...RIGHT, 8 * 65, 16 * 65, 40 * 65]);
    far.rules = [byMachine(2), exposes("ETag")];
    assert.deepEqual(await read(`${far.url}/sharded`, PLACES), RIGHT);
    const found = await network.run(async ({ RectilinearArray }, url) => {
      const { zipStore } = await import("rectilinear-zarr/stores");
      return (await (await RectilinearArray.open(await zipStore(url))).get([5, 5])).data[0];
    }, `${far.url}/sun.zip`);
    assert.equal(found, 5 * 64 + 5);
    await network.settle();
    near.rules = [byMachine(2)];
    const changed = await network.run(async ({ RectilinearArray, support }) => {
      globalThis.array = await RectilinearArray.open("/near/sharded");
      await globalThis.array.get([0, 0]);
      await globalThis.array.get([0, 9]);
      return (await support.rejection(() => Promise.resolve())) ?? null;
    });
    assert.equal(changed, null);
    near.files.set("/sharded/c/0/0", written("sharded", { ...SHARDED, isReversed: true }).get("/sharded/c/0/0"));
    const error = await network.run(({ support }) => support.rejection(() => globalThis.array.get([0, 17])));
    near.files = files();
    far.files = near.files;
    assert.match(error?.message ?? "no error", /changed while it was read/);
  });
});
