/** Series of arrays with missing chunks keep their budget, and polygons without extent have no cells: both in Node. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { PACKAGE } from "../support/paths.mjs";

const { RectilinearArray } = await import(join(PACKAGE, "node.js"));
const { series, zonal } = await import(join(PACKAGE, "answers.js"));

const json = (value) => new TextEncoder().encode(JSON.stringify(value));
const document = (shape, chunk_shape, dimension_names, attributes = {}) => json({
  zarr_format: 3, node_type: "array", shape, data_type: "float64", fill_value: 0, dimension_names, attributes,
  chunk_grid: { name: "regular", configuration: { chunk_shape } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
});
const bytesOf = (numbers) => new Uint8Array(Float64Array.from(numbers).buffer);

/** An array of chunks of 64 KiB, of which those are stored whose number `isStored`. */
function sparse(chunks, isStored) {
  const items = 8192;
  const files = new Map([["/zarr.json", document([chunks, items], [1, items], ["t", "x"])]]);
  for (let n = 0; n < chunks; n++) if (isStored(n)) files.set(`/c/${n}/0`, bytesOf(new Float64Array(items).fill(n)));
  return RectilinearArray.open(files);
}

test("a budget of bytes holds where the first chunks are not stored", async () => {
  for (const [chunks, isStored] of [[1024, (n) => n % 4 === 2], [257, (n) => n % 16 !== 0]]) {
    const array = await sparse(chunks, isStored);
    let last;
    for await (const part of series(array, [null, 0], { budget: { bytes: 500_000 } })) last = part;
    assert.ok(last.bytes <= 1_000_000, `${chunks} chunks: ${last.bytes} bytes`);
    assert.equal(last.exact, false);
    last.known.forEach((known, n) => known && assert.equal(last.data[n], isStored(n) ? n : 0));
    array.free();
  }
});

test("polygons without extent along an axis cover nothing", async () => {
  const files = new Map([["/v/zarr.json", document([18, 36], [18, 36], ["lat", "lon"])], ["/v/c/0/0", bytesOf(new Float64Array(648).fill(1))], ["/zarr.json", json({ zarr_format: 3, node_type: "group" })]]);
  for (const [name, count, first] of [["lat", 18, -85], ["lon", 36, -175]]) {
    files.set(`/${name}/zarr.json`, document([count], [count], [name], { units: name === "lat" ? "degrees_north" : "degrees_east" }));
    files.set(`/${name}/c/0`, bytesOf(Array.from({ length: count }, (_, i) => first + 10 * i)));
  }
  const array = await RectilinearArray.open(files, { path: "v" });
  for (const ring of [[[0, 0], [10, 0], [5, 0], [0, 0]], [[3, -20], [3, 20], [3, 5], [3, -20]], [[0, 90], [50, 90], [20, 90], [0, 90]]]) {
    const { count } = await zonal(array, { type: "Polygon", coordinates: [ring] }, { stats: ["count"] });
    assert.deepEqual([...count.data], [0]);
  }
  array.free();
});
