/** Sparse matrices of AnnData: rows and columns as scipy gives them, and the requests that they take. In Node, but for one. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { crc32 } from "node:zlib";

import { openPage } from "../support/chromium.mjs";
import { SETS, expected, opened, plain, selectionOf, slice, sparse } from "../support/sparse.mjs";

const { anndata, classes, small } = expected;

/** Items of int64 are bigints, which JSON lacks. */
const items = ({ dtype }, list) => list.map((item) => (dtype === "int64" ? BigInt(item) : Number(item)));

/** Sum of up to 128 items of float32 in the order that numpy adds them in: eight lanes, and then the rest. */
function sumOf(data) {
  const whole = data.length - (data.length % 8);
  const lanes = Float32Array.from(data.subarray(0, 8));
  for (let at = 8; at < whole; at++) lanes[at % 8] += data[at];
  const add = (a, b) => Math.fround(a + b);
  const [a, b, c, d] = [0, 2, 4, 6].map((at) => add(lanes[at], lanes[at + 1]));
  return data.subarray(whole).reduce(add, add(add(a, b), add(c, d)));
}

describe("a sparse matrix of AnnData", () => {
  for (const version of [2, 3]) {
    test(`by row, in Zarr v${version}`, async () => {
      const { group, keys } = await opened(`anndata-v${version}.zarr`);
      const x = await sparse(group, "X");
      assert.deepEqual([x.format, x.shape, x.dtype, x.path], ["csr", [1000, 300], "float32", "X"]);
      assert.equal(keys.filter((key) => key.startsWith("/X")).length, 0, "consolidated metadata take no request");
      for (const { selection, ...rows } of anndata.rows) assert.deepEqual(plain(await x.rows(selectionOf(selection))), rows);
      for (const { selection, ...columns } of anndata.columns) assert.deepEqual(plain(await x.columns(selectionOf(selection))), columns);
      const { data, shape, stride } = await x.toDense();
      assert.deepEqual([crc32(data), shape, stride], [anndata.dense, [1000, 300], [300, 1]]);
    });
  }

  test("by column: rows go through all of it", async () => {
    const { group } = await opened("anndata-v3.zarr");
    const csc = await sparse(group, "layers/csc");
    assert.equal(csc.format, "csc");
    for (const { selection, ...columns } of anndata.columns) assert.deepEqual(plain(await csc.columns(selectionOf(selection))), columns);
    for (const { selection, ...rows } of anndata.rows) assert.deepEqual(plain(await csc.rows(selectionOf(selection))), rows);
    assert.equal(crc32((await csc.toDense()).data), anndata.dense);
  });

  test("one row and one column", async () => {
    const { group } = await opened("anndata-v3.zarr");
    const [x, csc] = [await sparse(group, "X"), await sparse(group, "layers/csc")];
    const { indices, data } = await x.row(17);
    assert.deepEqual([...indices], [0, 9, 15, 39, 41, 127, 144, 170, 177, 185, 231, 239, 246, 257, 281, 291]);
    assert.equal(data[0], 0.0019396271090954542);
    assert.deepEqual([sumOf(data), anndata.sums.row17], [6.8538713455200195, 6.8538713455200195]);
    assert.equal((await x.rows(slice(990, 1000))).data.length, 148);
    assert.deepEqual([(await x.row(999)).indices.length, [...(await x.row(-1)).indices].slice(0, 3)], [17, [17, 23, 26]]);
    const column = await csc.column(42);
    assert.deepEqual([...column.indices].slice(0, 6), [14, 16, 18, 21, 40, 60]);
    assert.deepEqual(await x.column(42), column);
    assert.deepEqual([sumOf(column.data), anndata.sums.column42], [30.636444091796875, 30.636444091796875]);
  });

  test("the size of a read is known from the pointers", async () => {
    const { group, keys } = await opened("anndata-v3.zarr");
    const x = await sparse(group, "X");
    for (const selection of [slice(17, 18), [5, 5, 3], slice(null), slice(40, 10, -7), [], 12]) {
      const { elements, bytes } = await x.size(selection);
      assert.deepEqual(keys, ["/zarr.json", "/X/indptr/c/0"], "nothing but pointers is read");
      const { group: other } = await opened("anndata-v3.zarr");
      const { indptr, indices, data } = await (await sparse(other, "X")).rows(selection);
      assert.deepEqual([elements, bytes], [data.length, indptr.byteLength + indices.byteLength + data.byteLength]);
    }
    assert.equal((await x.size(null, { as: "float64" })).bytes - (await x.size(null)).bytes, 4 * 15000);
  });

  test("the size of rows that repeat, fall or touch is that of the read", async () => {
    const selections = [[1, 0, 1], [0, 1, 2, 0], [0, 1, 1, 2], [3, 2, 1, 0], [2, 0], [0, 0], [3, 2], [5, 4, 6, 5], Int32Array.of(7, 7, 8, 6), slice(null, null, -1), slice(null, null, -2),
      slice(9, 3, -1), slice(2, 12, 2), slice(-1, -5, -1), slice(5, 5), slice(3, 5, -1), [-1, -2, -1, 0], [], null];
    for (const name of ["X", "layers/csc"]) {
      const { group } = await opened("anndata-v3.zarr");
      const matrix = await sparse(group, name);
      const along = (selection) => (matrix.format === "csr" ? matrix.rows(selection) : matrix.columns(selection));
      for (const selection of selections) {
        const { indptr, indices, data } = await along(selection);
        assert.deepEqual(await matrix.size(selection), { elements: data.length, bytes: indptr.byteLength + indices.byteLength + data.byteLength }, `${name} ${JSON.stringify(selection)}`);
      }
    }
  });

  test("selections are those of an axis", async () => {
    const { group } = await opened("anndata-v3.zarr");
    const x = await sparse(group, "X");
    const mask = Array.from({ length: 1000 }, (_, row) => row % 100 === 17);
    const rows = await x.rows(mask);
    assert.deepEqual(plain(rows), plain(await x.rows(slice(17, null, 100))));
    assert.deepEqual(rows, await x.rows(BigInt64Array.from([17, 117, -783, 317, 417, 517, 617, 717, 817, 917], BigInt)));
    assert.deepEqual((await x.rows(slice(-3, 5000))).shape, [3, 300]);
    const refused = [[[1000], /entry 0 of the list: index 1000/], [[0.5], /expected an integer, got 0.5/], ["X", /got "X"/], [slice(0, 5, 0), /step/], [[true], /as long as the axis, 1000, got 1/], [-1001, /index -1001/]];
    for (const [selection, message] of refused) await assert.rejects(x.rows(selection), { name: "SelectionError", axis: 0, message });
    await assert.rejects(x.columns([300]), { name: "SelectionError", axis: 1 });
    await assert.rejects(x.row([1]), { name: "SelectionError" });
  });

  test("rows that are far apart are one read", async () => {
    const { group, keys } = await opened("anndata-v3.zarr", { cacheBytes: 0 });
    const x = await sparse(group, "X");
    const whole = await x.rows(null);
    for (const selection of [slice(0, 1000, 2), [...Array(1000).keys()].filter((row) => row % 40 < 30)]) {
      keys.length = 0;
      const { indptr, indices, data } = await x.rows(selection);
      assert.deepEqual(keys.filter((key) => /c\/0$/.test(key)).length, 3, keys.join(" "));
      const wanted = Array.isArray(selection) ? selection : [...Array(500).keys()].map((row) => 2 * row);
      wanted.forEach((row, nth) => {
        const [from, to] = [whole.indptr[row], whole.indptr[row + 1]];
        assert.deepEqual(indices.subarray(indptr[nth], indptr[nth + 1]), whole.indices.subarray(from, to));
        assert.deepEqual(data.subarray(indptr[nth], indptr[nth + 1]), whole.data.subarray(from, to));
      });
    }
  });

  for (const matrix of small) {
    test(`${matrix.name}: ${matrix.format} of ${matrix.dtype}, without consolidated metadata`, async () => {
      const { group } = await opened("small.zarr");
      const x = await sparse(group, matrix.name);
      const all = await (matrix.format === "csr" ? x.rows(null) : x.columns(null));
      const { indptr, indices, shape } = matrix;
      assert.deepEqual(plain(all), { indptr, indices, data: items(matrix, matrix.data), shape });
      assert.deepEqual([all.indptr.constructor, all.indices.constructor], [Int32Array, Int32Array]);
      const dense = items(matrix, matrix.dense);
      assert.deepEqual([...(await x.toDense()).data], dense);
      const out = new all.data.constructor(dense.length).fill(all.data instanceof BigInt64Array ? 9n : 9);
      assert.equal((await x.toDense({ out })).data, out);
      assert.deepEqual([...out], dense);
      // Both axes in an order of one's own, put together again.
      for (const [axis, read] of [[0, "rows"], [1, "columns"]]) {
        const order = Array.from({ length: shape[axis] }, (_, nth) => shape[axis] - 1 - nth);
        const found = await x[read](order);
        const again = dense.map((item) => (typeof item === "bigint" ? 0n : 0));
        order.forEach((at, nth) => {
          for (let place = found.indptr[nth]; place < found.indptr[nth + 1]; place++) {
            const to = axis === 0 ? at * shape[1] + found.indices[place] : found.indices[place] * shape[1] + at;
            again[to] = matrix.dtype === "bool" ? found.data[place] : again[to] + found.data[place];
          }
        });
        assert.deepEqual(again, dense);
      }
    });
  }

  test("zeros that are stored stay zeros in every type", async () => {
    const { group } = await opened("small.zarr");
    const x = await sparse(group, "zeros");
    const wanted = small.find(({ name }) => name === "zeros").data;
    for (const as of ["float32", "int32", undefined]) assert.deepEqual([...(await x.rows(null, { as })).data], wanted);
    const wide = await sparse(group, "wide");
    const numbers = (await wide.rows(slice(1, 2), { int64: "number" })).data;
    assert.deepEqual(numbers, Float64Array.from(small[0].data.slice(0, 4), Number));
  });
});

describe("chunks by class", () => {
  const [start, stop] = classes.bounds.slice(5, 7);

  for (const [name, chunks] of [["aligned", 1], ["regular", 2]]) {
    test(`a class takes the pointers and ${chunks} of each array's chunks where they are ${name}`, async () => {
      const { group, keys } = await opened("classes.zarr");
      const x = await sparse(group, name);
      const { data, indptr } = await x.rows(slice(start, stop));
      const sum = data.reduce((all, item) => all + item, 0);
      assert.deepEqual([start, stop, data.length, indptr.at(-1)], [428, 509, 1207, 1207]);
      assert.ok(Math.abs(sum - classes.sums[5]) < 1e-9 && Math.abs(sum - 602.6681846309802) < 1e-9);
      const of = (array) => keys.filter((key) => key.startsWith(`/${name}/${array}/`));
      assert.deepEqual(["indptr", "indices", "data"].map((array) => of(array).length), [1, chunks, chunks]);
      if (chunks === 1) assert.deepEqual([of("indices"), of("data")], [["/aligned/indices/c/5"], ["/aligned/data/c/5"]]);
    });
  }

  test("every class is the sum that scipy gives", async () => {
    const { group } = await opened("classes.zarr");
    const x = await sparse(group, "aligned");
    for (const [nth, sum] of classes.sums.entries()) {
      const { data } = await x.rows(slice(...classes.bounds.slice(nth, nth + 2)));
      assert.equal(data.length, classes.edges[nth]);
      assert.ok(Math.abs(data.reduce((all, item) => all + item, 0) - sum) < 1e-9);
    }
  });
});

describe("over HTTP in Chromium", () => {
  let page;
  before(async () => (page = await openPage({ "/sparse": SETS })));
  after(() => page?.close());

  test("a class takes four requests from cold, and what is not used is not loaded", async () => {
    page.site.requests.length = 0;
    const found = await page.run(async ({ Group, slice }) => {
      const { sparse } = await import("rectilinear-zarr/sparse");
      const x = await sparse(await Group.open("/sparse/classes.zarr"), "aligned");
      const { indptr, indices, data, shape } = await x.rows(slice(428, 509));
      return { pointers: indptr.length, indices: indices.length, sum: data.reduce((all, item) => all + item, 0), shape };
    });
    assert.deepEqual([found.pointers, found.indices, found.shape], [82, 1207, [81, 300]]);
    assert.ok(Math.abs(found.sum - 602.6681846309802) < 1e-9);
    const asked = page.site.requests.map(({ url }) => url);
    const keys = asked.filter((url) => url.startsWith("/sparse/")).map((url) => url.slice("/sparse/classes.zarr/".length));
    assert.deepEqual(keys.sort(), ["aligned/data/c/5", "aligned/indices/c/5", "aligned/indptr/c/0", "zarr.json"]);
    const scripts = asked.filter((url) => url.startsWith("/pkg/"));
    for (const name of ["scan.js", "ragged.js", "table.js"]) assert.ok(!scripts.includes(`/pkg/${name}`), name);
    assert.ok(scripts.includes("/pkg/sparse-matrix.js"));
  });
});
