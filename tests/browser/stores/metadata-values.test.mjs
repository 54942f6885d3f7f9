/** Values in metadata: integers beyond 2^53 keep their digits wherever metadata is handed out, and nobody can change it. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import * as adapters from "../../../pkg/adapters.js";
import * as installed from "../../../pkg/node.js";
import * as tools from "../support/custom-codecs.mjs";
import { ROOT } from "../support/paths.mjs";

const run = promisify(execFile);
const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const { Group, RectilinearArray } = installed;

/** Writes arrays with large integers in both formats, and prints what zarr-python reads of them, with each number's type. */
const WRITE = `
import json, sys, warnings, zarr
warnings.simplefilter("ignore")
folder = sys.argv[1]
attrs = {"edge": [2**53, -2**53, 2**53 + 1, -2**53 - 1], "deep": {"most": 2**64 - 1, "least": [-2**63, [2**63 - 1]]}, "huge": 10**30, "float": [1e18, 1e300, 0.5], "plain": [0, -7, "9007199254740993", None, True]}
fills = [("int64", -2**63), ("int64", 2**63 - 1), ("int64", 2**53 + 1), ("int64", 2**53), ("int64", -5), ("uint64", 2**64 - 1), ("uint64", 7), ("float64", 0.25)]
said = lambda v: [type(v).__name__, str(v)] if type(v) in (int, float) else {k: said(x) for k, x in v.items()} if isinstance(v, dict) else [said(x) for x in v] if isinstance(v, list) else v
found = {}
for format in (2, 3):
    root = f"{folder}/v{format}"
    zarr.create_group(root, zarr_format=format, attributes=attrs)
    for nth, (dtype, fill) in enumerate(fills):
        zarr.create_array(root, name=f"a{nth}", shape=(2,), chunks=(2,), dtype=dtype, fill_value=fill, zarr_format=format, attributes=attrs, config={"write_empty_chunks": True})[...] = fill
    group = zarr.open_group(root, mode="r")
    found[root] = {"attrs": said(dict(group.attrs)), "fills": [said(group[f"a{nth}"].fill_value.item()) for nth in range(len(fills))], "types": [dtype for dtype, _ in fills]}
    assert all(said(dict(group[f"a{nth}"].attrs)) == found[root]["attrs"] for nth in range(len(fills)))
print(json.dumps(found))
`;

/** Reads folders that views were written to. */
const READ = `
import json, sys, zarr
said = lambda v: [type(v).__name__, str(v)] if type(v) in (int, float) else {k: said(x) for k, x in v.items()} if isinstance(v, dict) else [said(x) for x in v] if isinstance(v, list) else v
print(json.dumps([said(dict(zarr.open(folder, mode="r").attrs)) for folder in sys.argv[1:]]))
`;

/** Whether a number of Python is one of ours: a bigint beyond 2^53, where the integer is exact, and else a number. */
function same([type, text], value) {
  const isLarge = type === "int" && (BigInt(text) > 2n ** 53n || BigInt(text) < -(2n ** 53n));
  return isLarge ? value === BigInt(text) : typeof value === "number" && value === Number(text);
}

const isNumber = (said) => Array.isArray(said) && ["int", "float"].includes(said[0]);

/** Compares values of JSON with what Python says of them. */
function compare(said, value, place = "") {
  if (isNumber(said)) return assert.ok(same(said, value), `${place}: ${typeof value} ${value} for ${said}`);
  if (said === null || typeof said !== "object") return assert.equal(value, said, place);
  assert.deepEqual(Object.keys(value), Object.keys(said), place);
  for (const [name, inner] of Object.entries(said)) compare(inner, value[name], `${place}/${name}`);
}

/** A store of the files in a folder. */
async function loaded(folder) {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(paths.map(async (path) => [path.slice(folder.length), new Uint8Array(await readFile(path))])));
}

const text = (value) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

describe("integers beyond 2^53 in metadata", () => {
  let directory;
  let written;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-metadata-"));
    written = JSON.parse((await run(python, ["-c", WRITE, directory])).stdout);
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test("have the digits that zarr-python reads, in attributes, fill values and listings", async () => {
    for (const [root, { attrs, fills }] of Object.entries(written)) {
      const store = await loaded(root);
      const group = await Group.open(store);
      compare(attrs, group.attrs, root);
      for (const [nth, fill] of fills.entries()) {
        const array = await group.array(`a${nth}`);
        compare(attrs, array.attrs, `${root}/a${nth}`);
        compare(attrs, array.metadata.attributes, `${root}/a${nth}/metadata`);
        compare(fill, array.metadata.fill_value, `${root}/a${nth}/fill_value`);
        assert.equal(String(array.fillValue), fill[1]);
      }
    }
  });

  test("are listed by consolidated metadata with their digits", async () => {
    const inner = '{"zarr_format":3,"node_type":"group","attributes":{"large":18446744073709551615}}';
    const document = `{"zarr_format":3,"node_type":"group","attributes":{"large":-9007199254740993},"consolidated_metadata":{"kind":"inline","must_understand":false,"metadata":{"g":${inner}}}}`;
    const group = await Group.open(new Map([["/zarr.json", text(document)]]));
    assert.deepEqual([group.attrs.large, group.tree()[0].attrs.large], [-9007199254740993n, 18446744073709551615n]);
  });

  test("are written by views so that zarr-python reads them again", async () => {
    const folders = [];
    for (const [root] of Object.entries(written)) {
      const group = await Group.open(await loaded(root));
      for (const zarrFormat of [2, 3]) {
        for (const name of ["", "a0"]) {
          const store = adapters.asRegularStore(name ? await group.array(name) : group, { zarrFormat });
          const folder = `${root}-as-v${zarrFormat}-${name}`;
          const keys = zarrFormat === 3 ? ["zarr.json"] : [name ? ".zarray" : ".zgroup", ".zattrs"];
          await mkdir(folder);
          for (const key of keys) await writeFile(join(folder, key), await store.get(`/${key}`));
          folders.push(folder);
        }
      }
    }
    const found = JSON.parse((await run(python, ["-c", READ, ...folders])).stdout);
    const { attrs } = Object.values(written)[0];
    for (const [nth, { _FillValue: missing, ...said }] of found.entries()) {
      assert.deepEqual(said, attrs, folders[nth]);
      // In Zarr v2 the fill value means missing, which v3 has an attribute for.
      assert.deepEqual(missing, folders[nth].endsWith("v2-as-v3-a0") ? ["int", String(-(2n ** 63n))] : undefined, folders[nth]);
    }
  });

  test("reach custom codecs, in their configuration and as the fill value", async () => {
    const told = [];
    const codecs = new Map([["x", () => ({ fromConfig: (configuration, { fillValue }) => (told.push([configuration, fillValue]), { decode: (bytes) => bytes }) })]]);
    const codec = '{"name":"x","configuration":{"key":18446744073709551615,"small":3,"list":[-9223372036854775808]}}';
    const time = '{"name":"numpy.datetime64","configuration":{"unit":"s","scale_factor":1}}';
    const cases = [["9007199254740993", '"int64"', 9007199254740993n], ["18446744073709551615", '"uint64"', 2n ** 64n - 1n], ["5", '"int64"', 5n]];
    cases.push(["9007199254740993", '"float64"', 2 ** 53], ["-9223372036854775808", time, -(2n ** 63n)], ['"NaT"', time, -(2n ** 63n)], ["7", time, 7n], ["7", '"int16"', 7]);
    for (const [fill, type, expected] of cases) {
      const document = JSON.stringify(tools.document([tools.little, "x"], { fill_value: "#", data_type: "@" })).replace('"#"', fill).replace('"@"', type).replace('"x"', codec);
      await RectilinearArray.open(new Map([["/zarr.json", text(document)]]), { codecs });
      assert.deepEqual(told.pop(), [{ key: 18446744073709551615n, small: 3, list: [-9223372036854775808n] }, expected], `${type} ${fill}`);
    }
  });
});

describe("the document of an array", () => {
  const configured = { name: "blosc", configuration: { typesize: 2, cname: "zstd", clevel: 5, shuffle: "shuffle", blocksize: 0 } };
  const shards = { name: "sharding_indexed", configuration: { chunk_shape: [1, 3], codecs: [tools.little, "x"], index_codecs: [tools.little] } };

  /** All objects and lists in a value, itself included. */
  const parts = (value) => (value === null || typeof value !== "object" ? [] : [value, ...Object.values(value).flatMap(parts)]);

  test("and the configurations of its codecs cannot be changed, in Zarr v3 and v2", async () => {
    const older = tools.older({ filters: [{ id: "delta", dtype: "<i2", of: { levels: [1] } }], compressor: { id: "zlib", level: 2 } });
    for (const document of [tools.document([tools.little, configured], { attributes: { a: [1, { b: 2 }] } }), tools.document([shards]), tools.document(["vlen-utf8"], { data_type: "string", fill_value: "" }), older]) {
      const isOlder = document.zarr_format === 2;
      const array = await RectilinearArray.open(new Map([[isOlder ? "/.zarray" : "/zarr.json", text(document)]]));
      for (const part of [array.metadata, ...array.codecs.map(({ configuration }) => configuration)].flatMap(parts)) {
        assert.ok(Object.isFrozen(part), JSON.stringify(part));
        assert.throws(() => void (part.added = 1), TypeError);
      }
      assert.equal(array.metadata, array.metadata);
      assert.ok(!Object.isFrozen(structuredClone(array.metadata).codecs ?? structuredClone(array.metadata).filters));
    }
  });

  test("nor can attributes, of which all readers of an array or a group have the same; a copy can", async () => {
    const attributes = { a: [1, { b: 2 }], scale_factor: 2 };
    const consolidated_metadata = { kind: "inline", must_understand: false, metadata: { x: tools.document([tools.little], { attributes }) } };
    const group = await Group.open(new Map([["/zarr.json", text({ zarr_format: 3, node_type: "group", attributes, consolidated_metadata })]]));
    const array = await group.array("x");
    for (const node of [group, array]) {
      assert.equal(node.attrs, node.attrs);
      for (const part of parts(node.attrs)) {
        assert.ok(Object.isFrozen(part), JSON.stringify(part));
        assert.throws(() => void (part.added = 1), TypeError);
      }
      const copy = structuredClone(node.attrs);
      copy.a.push(3);
      assert.deepEqual([copy.a, node.attrs], [[1, { b: 2 }, 3], attributes]);
    }
    // What a view's function is given is a copy.
    const store = adapters.asRegularStore(group, { attributes: (_, attrs) => Object.assign(attrs, { a: attrs.a.length }) });
    assert.deepEqual(JSON.parse(new TextDecoder().decode(await store.get("/x/zarr.json"))).attributes, { ...attributes, a: 2 });
    assert.deepEqual([group.attrs, array.attrs], [attributes, attributes]);
  });

  test("is not changed by a codec that changes what it is told, nor is what the next instance is told", async () => {
    const seen = [];
    const entry = {
      fromConfig(configuration, meta) {
        seen.push(JSON.stringify([configuration, meta.codecs]));
        const items = meta.shape[0] * meta.shape[1];
        meta.shape.length = meta.codecs.length = 0;
        configuration.step += configuration.list.push(9);
        return { kind: "array_to_bytes", decode: () => new Int16Array(items).fill(configuration.step) };
      },
    };
    const x = { name: "x", configuration: { step: 1, list: [] } };
    const grid = { chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[1, 3], [2]] } }, shape: [4, 2] };
    const open = () => RectilinearArray.open(tools.storeOf(tools.document([x], grid), Uint8Array.of(1), 2), { codecs: new Map([["x", () => entry]]) });
    for (const array of [await open(), await open()]) {
      assert.deepEqual(await tools.read(array), Array(8).fill(2));
      assert.deepEqual([array.codecs[0].configuration, array.metadata.codecs[0]], [x.configuration, x]);
    }
    // Each array has an instance for each shape of chunks.
    assert.deepEqual(seen, Array(4).fill(JSON.stringify([x.configuration, [x]])));
  });

  test("of the list of codecs, each caller has a list of its own", async () => {
    const array = await RectilinearArray.open(tools.storeOf(tools.document([tools.little, configured]), tools.bytesOf()));
    array.codecs.length = 0;
    array.codecs[0].here = false;
    assert.deepEqual(array.codecs.map(({ name, here }) => [name, here]), [["bytes", true], ["blosc", true]]);
  });
});
