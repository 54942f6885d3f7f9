/** The page on formats says which class of array each data type is read as: every row of its table is read. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { PACKAGE, ROOT } from "../browser/support/paths.mjs";

const { RectilinearArray } = await import(join(PACKAGE, "node.js"));

/** Configurations of the data types that have one. */
const CONFIGURATION = {
  "numpy.datetime64": { unit: "D", scale_factor: 1 },
  "numpy.timedelta64": { unit: "s", scale_factor: 1 },
  fixed_length_utf32: { length_bytes: 8 },
  null_terminated_bytes: { length_bytes: 3 },
  raw_bytes: { length_bytes: 3 },
  struct: { fields: [["a", "int16"], ["b", "float32"]] },
  ndarray: { dtype: "float32", shape: [null, 2] },
  "vlen-ndarray": { dtype: "int16", inner_shape: [] },
};

/** The fill value of a data type. */
function fillOf(name) {
  if (name === "bool") return false;
  if (name === "struct") return "AAAAAAAA";
  if (name === "raw_bytes") return "AAAA";
  if (name === "bytes") return [];
  if (name.startsWith("complex") || name === "r16") return [0, 0];
  return /string|utf32|_bytes|ndarray/.test(name) ? "" : name.endsWith("e8m0fnu") ? 1 : 0;
}

/** A store with an array of a data type and no chunks; objects are Zarr v2's. */
function storeOf(name) {
  const text = new TextEncoder();
  if (name === "v2:object") {
    const document = { zarr_format: 2, shape: [4], chunks: [2], dtype: "|O", fill_value: 0, order: "C", compressor: null, filters: [{ id: "json2" }] };
    return new Map([["/.zarray", text.encode(JSON.stringify(document))]]);
  }
  const codec = name === "string" ? "vlen-utf8" : /^(variable_length_)?bytes$/.test(name) ? "vlen-bytes" : name.endsWith("ndarray") ? "vlen-ndarray" : "bytes";
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: CONFIGURATION[name] ? { name, configuration: CONFIGURATION[name] } : name,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default" },
    fill_value: fillOf(name),
    codecs: [codec === "bytes" ? { name: codec, configuration: { endian: "little" } } : { name: codec }],
    attributes: {},
  };
  return new Map([["/zarr.json", text.encode(JSON.stringify(document))]]);
}

/** Names that a pattern of the table stands for. */
const STAND = { "r*": ["r16"], "complex_float*": ["complex_float16", "complex_float32", "complex_float8_e4m3"] };

/** The classes that `data` has for a data type, of items in a list too. */
async function read(name) {
  const array = await RectilinearArray.open(storeOf(name));
  const { data } = await array.get();
  return Array.isArray(data) ? `list of ${data[0]?.constructor.name}` : data.constructor.name;
}

/** The class that a cell of the table names, in this engine. */
function expectedOf(cell) {
  if (cell === "list") return /^list of/;
  if (cell === "list of `string`") return /^list of String$/;
  const name = cell.replace(/^list of `(\w+)`$/, "list of $1").replaceAll("`", "");
  const here = name === "Float16Array" && !("Float16Array" in globalThis) ? "Float32Array" : name;
  return new RegExp(`^${here}$`);
}

test("each data type is read as the class that the page says", async () => {
  const page = await readFile(join(ROOT, "www/docs/formats.md"), "utf8");
  const section = page.split("\n## Data types and typed arrays\n")[1].split("\n## ")[0];
  const rows = [...section.matchAll(/^\| (`.*?) \| .* \| (.*) \|$/gm)];
  let checked = 0;
  for (const [, names, cell] of rows) {
    for (const [, name] of names.matchAll(/`([^`]+)`/g)) {
      for (const one of STAND[name] ?? [name]) {
        assert.match(await read(one), expectedOf(cell), one);
        checked++;
      }
    }
  }
  assert.ok(checked > 40, `the search found ${checked} data types`);
});
