/** Sparse matrices that are damaged, too large for a call, aborted or freed: errors that say where. In Node. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Spans, groupOf, made, opened, slice, sparse, vector } from "../support/sparse.mjs";

const CSR = { "encoding-type": "csr_matrix", "encoding-version": "0.1.0", shape: [3, 4] };

/** A matrix of three rows and four columns, parts of which a test replaces. */
const matrix = ({ attributes = CSR, indptr = [0, 2, 2, 5], indices = [0, 3, 1, 2, 3], data = [1, 2, 3, 4, 5], types = {}, without } = {}) => {
  const { indptr: pointerType = "int32", indices: indexType = "int32", data: dataType = "float32" } = types;
  const arrays = { indptr: [pointerType, indptr], indices: [indexType, indices], data: [dataType, data] };
  const kept = Object.entries(arrays).filter(([name]) => name !== without);
  return made(groupOf("x", attributes), ...kept.map(([name, [type, items]]) => vector(`x/${name}`, type, items)));
};

const whole = async (parts, read = (x) => x.rows(null)) => read(await sparse(await matrix(parts), "x"));

describe("a damaged sparse matrix", () => {
  test("is read where it is not damaged", async () => {
    const { indptr, indices, data, shape } = await whole();
    assert.deepEqual([[...indptr], [...indices], [...data], shape], [[0, 2, 2, 5], [0, 3, 1, 2, 3], [1, 2, 3, 4, 5], [3, 4]]);
    const x = await sparse(await matrix({ indptr: [0, 2, 9, 5] }), "x");
    assert.deepEqual([...(await x.row(0)).data], [1, 2]);
    const short = await sparse(await matrix({ indptr: [0, 2, 2, 4] }), "x");
    assert.deepEqual([...(await short.row(0)).data], [1, 2]);
    for (const read of [() => short.row(2), () => short.size(null), () => short.rows([2, 0])]) {
      await assert.rejects(read(), { name: "InvalidMetadataError", key: "x/indptr", path: "/3" });
    }
  });

  const faults = {
    "pointers that fall": [{ indptr: [0, 4, 2, 5] }, "x/indptr", "/2", /2 is less than 4, the pointer before it/],
    "pointers that lead beyond the data": [{ indptr: [0, 2, 6, 6] }, "x/indptr", "/2", /6 leads beyond the 5 elements/],
    "negative pointers": [{ indptr: [-1, 2, 2, 5] }, "x/indptr", "/0", /-1 is less than 0/],
    "pointers that do not begin with 0": [{ indptr: [1, 2, 2, 5] }, "x/indptr", "/0", /expected 0, got 1/],
    "pointers that end before the data": [{ indptr: [0, 2, 2, 4] }, "x/indptr", "/3", /the last one is 4, and there are 5 elements/],
    "pointers that are not stored": [{ indptr: [0, 0, 0, 0] }, "x/indptr", "/3", /the last one is 0, and there are 5 elements/],
    "64-bit pointers beyond 2^53": [{ indptr: [0, 2, 2, 2n ** 60n], types: { indptr: "int64" } }, "x/indptr", "/3", /beyond the 5 elements/],
    "an index that is no column": [{ indices: [0, 3, 1, 4, 3] }, "x/indices", "/3", /index 4 is outside the axis of length 4/],
    "a negative index": [{ indices: [0, 3, -1, 2, 3] }, "x/indices", "/2", /index -1/],
    "an index beyond 32 bits": [{ indices: [0, 3, 1, 2 ** 40, 3], types: { indices: "int64" } }, "x/indices", "", /outside the axis of length 4/],
    "too few pointers": [{ indptr: [0, 2, 5] }, "x/indptr/zarr.json", "/shape/0", /3 rows have 4 pointers, not 3/],
    "fewer indices than data": [{ indices: [0, 3, 1, 2] }, "x/indices/zarr.json", "/shape/0", /4 indices and 5 items/],
    "indices that are no integers": [{ types: { indices: "float32" } }, "x/indices/zarr.json", "/data_type", /expected integers, got float32/],
    "a missing array": [{ without: "indptr" }, "x/zarr.json", "", /has no member "indptr"/],
    "no encoding": [{ attributes: {} }, "x/zarr.json", "/attributes/encoding-type", /is no sparse matrix.*options format and shape/],
    "another encoding": [{ attributes: { ...CSR, "encoding-type": "dataframe" } }, "x/zarr.json", "/attributes/encoding-type", /got "dataframe"/],
    "an encoding named as a member of all objects": [{ attributes: { ...CSR, "encoding-type": "constructor" } }, "x/zarr.json", "/attributes/encoding-type", /got "constructor"/],
    "no shape": [{ attributes: { "encoding-type": "csr_matrix" } }, "x/zarr.json", "/attributes/shape", /two lengths, got undefined/],
    "a shape of one length": [{ attributes: { ...CSR, shape: [3] } }, "x/zarr.json", "/attributes/shape", /got \[3\]/],
    "a shape of one large number": [{ attributes: { ...CSR, shape: [2 ** 60] } }, "x/zarr.json", "/attributes/shape", /got \["?1152921504606847000"?\]/],
    "a negative shape": [{ attributes: { ...CSR, shape: [-3, 4] } }, "x/zarr.json", "/attributes/shape", /got \[-3,4\]/],
  };
  for (const [name, [parts, key, path, message]] of Object.entries(faults)) {
    test(name, async () => {
      await assert.rejects(whole(parts), { name: "InvalidMetadataError", key, path, message });
    });
    if (!/pointers that (fall|lead|end|are)|index/.test(name)) continue;
    test(`${name}, in reads through all of it`, async () => {
      for (const read of [(x) => x.columns(null), (x) => x.toDense()]) {
        await assert.rejects(whole(parts, read), { name: "InvalidMetadataError", key, path, message });
      }
    });
  }

  test("in Zarr v2, errors name its documents", async () => {
    const bad = { "/X/.zattrs": JSON.stringify({ "encoding-type": "csr_matrix", shape: 5 }), "/.zmetadata": undefined };
    const { group } = await opened("anndata-v2.zarr", { changed: bad });
    await assert.rejects(sparse(group, "X"), { name: "InvalidMetadataError", key: "X/.zattrs", path: "/shape" });
    const { group: other } = await opened("anndata-v2.zarr", { changed: { "/X/data/.zarray": undefined, "/.zmetadata": undefined } });
    await assert.rejects(sparse(other, "X"), { name: "InvalidMetadataError", key: "X/.zgroup", path: "" });
  });

  test("elements that no sum is defined for are refused", async () => {
    const texts = { "/x/data/zarr.json": vector("x/data", "float32", [1, 2, 3, 4, 5])["/x/data/zarr.json"].replace('"float32"', '"complex64"').replace('"fill_value":0', '"fill_value":[0,0]') };
    const group = await made(groupOf("x", CSR), vector("x/indptr", "int32", [0, 2, 2, 5]), vector("x/indices", "int32", [0, 3, 1, 2, 3]), texts);
    await assert.rejects(sparse(group, "x"), { name: "UnsupportedError", feature: "sparse complex64" });
  });

  test("features that are hashed may be more than 2^53", async () => {
    const x = await sparse(await matrix({ attributes: { ...CSR, shape: [3, 2 ** 60] } }), "x");
    assert.deepEqual(x.shape, [3, 2 ** 60]);
    const { indices, shape } = await x.rows(null);
    assert.deepEqual([[...indices], shape], [[0, 3, 1, 2, 3], [3, 2 ** 60]]);
    await assert.rejects(matrix({ attributes: { ...CSR, shape: [3, -(2 ** 60)] } }).then((group) => sparse(group, "x")), { name: "InvalidMetadataError", path: "/attributes/shape" });
  });

  test("format and shape may be given", async () => {
    const group = await matrix({ attributes: {} });
    const x = await sparse(group, "x", { format: "csc", shape: [4, 3] });
    assert.deepEqual([...(await x.columns([2])).indices], [1, 2, 3]);
    await assert.rejects(sparse(group, "x", { format: "coo", shape: [4, 3] }), TypeError);
    await assert.rejects(sparse(group, "x", { format: "csr", shape: [4] }), TypeError);
    await assert.rejects(sparse(group, "y"), { name: "NotFoundError" });
    await assert.rejects(sparse("https://host/x"), { name: "TypeError", message: /opened Group/ });
    await assert.rejects(sparse(group, "x/data"), { name: "InvalidMetadataError", message: /this is an array/ });
  });
});

describe("bounds of reads of a sparse matrix", () => {
  test("a read through all of it is refused above maxBytes, before the indices are read", async () => {
    const { group, keys } = await opened("anndata-v3.zarr");
    const [x, csc] = [await sparse(group, "X"), await sparse(group, "layers/csc")];
    // 15000 elements of 4 and 4 bytes, and pointers of 8.
    const [ofX, ofCsc] = [15000 * 8 + 1001 * 8, 15000 * 8 + 301 * 8];
    await assert.rejects(x.columns([42], { maxBytes: ofX - 1 }), { name: "RangeError", message: new RegExp(`"X" is compressed by rows.*takes ${ofX} bytes.*compressed by columns`) });
    await assert.rejects(csc.row(42, { maxBytes: ofCsc - 1 }), { name: "RangeError", message: new RegExp(`${ofCsc} bytes`) });
    assert.deepEqual(keys.filter((key) => /indices|data/.test(key)), []);
    assert.equal((await x.columns([42], { maxBytes: ofX })).data.length, 61);
    await assert.rejects(x.toDense({ maxBytes: 1_199_999 }), { name: "RangeError", message: /shape \[1000,300\] takes 1200000 bytes/ });
    await x.toDense({ maxBytes: 1_200_000 });
  });

  test("a result is refused above maxBytes, before its elements are read", async () => {
    const { group, keys } = await opened("anndata-v3.zarr");
    const x = await sparse(group, "X");
    const { bytes } = await x.size(slice(0, 10));
    await assert.rejects(x.rows(slice(0, 10), { maxBytes: bytes - 1 }), { name: "RangeError", message: new RegExp(`${bytes} bytes`) });
    assert.deepEqual(keys.filter((key) => /indices|data/.test(key)), []);
    assert.equal((await x.rows(slice(0, 10), { maxBytes: bytes })).shape[0], 10);
    // Repetitions count, of rows and of columns.
    await assert.rejects(x.rows(Array(2000).fill(5), { maxBytes: 200_000 }), RangeError);
    await assert.rejects(x.columns(Array(2000).fill(42), { maxBytes: 200_000 }), RangeError);
    await assert.rejects(x.rows(5, { maxBytes: "1" }), TypeError);
  });

  test("a matrix as large as those that make other readers ask for all memory is refused at once", async () => {
    const shape = [6_000_000, 20_000];
    const group = await made(groupOf("x", { ...CSR, shape }), vector("x/indices", "int32", [], { length: 6_000_000_000 }), vector("x/data", "float32", [], { length: 6_000_000_000 }),
      ...[{ ...vector("x/indptr", "int64", [], { length: 6_000_001, chunk: 1000 }), "/x/indptr/c/6000": new Uint8Array(BigInt64Array.from({ length: 1000 }, () => 6_000_000_000n).buffer) }]);
    const x = await sparse(group, "x");
    await assert.rejects(x.column(7), { name: "RangeError", message: /takes 48048000008 bytes/ });
    await assert.rejects(x.toDense(), { name: "RangeError", message: /takes 480000000000 bytes/ });
    await assert.rejects(x.row(-1), { name: "RangeError", message: /takes 48000000016 bytes/ });
  });

  test("elements beyond the first 2^31 are read", async () => {
    const start = 5_000_000_000;
    const length = start + 7;
    const tail = (path, dtype, items) => {
      const { [`/${path}/c/0`]: bytes, ...document } = { ...vector(path, dtype, items, { chunk: 1000 }), ...vector(path, dtype, [], { length, chunk: 1000 }) };
      return { ...document, [`/${path}/c/5000000`]: bytes };
    };
    const arrays = [tail("x/indices", "int32", [3, 1, 0, 2, 1, 2, 3]), tail("x/data", "float32", [1, 2, 3, 4, 5, 6, 7])];
    const indptr = vector("x/indptr", "int64", [0, start, start + 2, start + 4, length, length]);
    const x = await sparse(await made(groupOf("x", { ...CSR, shape: [5, 4] }), indptr, ...arrays), "x");
    const { indptr: found, indices, data } = await x.rows([3, 1, 4]);
    assert.deepEqual([[...found], [...indices], [...data]], [[0, 3, 5, 5], [1, 2, 3, 3, 1], [5, 6, 7, 1, 2]]);
    assert.deepEqual(await x.size([0, 3]), { elements: start + 3, bytes: 3 * 8 + (start + 3) * 8 });
    await assert.rejects(x.row(0), RangeError);
  });

  test("dense results go to the array that is given, if it fits", async () => {
    const x = await sparse(await matrix(), "x");
    await assert.rejects(x.toDense({ out: new Float64Array(12) }), { name: "TypeError", message: /Float32Array/ });
    await assert.rejects(x.toDense({ out: new Float32Array(13) }), { name: "RangeError", message: /13 items/ });
    const { data } = await x.toDense({ as: "float64", out: new Float64Array(12).fill(7) });
    assert.deepEqual([...data], [1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 4, 5]);
  });

  for (const [chunk, parts] of [[100_000, [300_000, 600_000]], [undefined, undefined], [2_100_000, [2 ** 21, 2_110_000]]]) {
    test(`a read through all of it goes by parts: chunks of ${chunk ?? "all"} elements`, async () => {
      const [total, rows, columns] = [parts?.at(-1) ?? 50_000, 1000, 97];
      const [indices, data] = [Int32Array.from({ length: total }, (_, at) => (at * 31 + (at >> 10)) % columns), Float64Array.from({ length: total }, (_, at) => at + 1)];
      // Rows of very unequal length, some of them empty; the first one reaches over parts.
      const indptr = Float64Array.from({ length: rows + 1 }, (_, row) => (row === 0 ? 0 : Math.floor(total * (0.6 + 0.4 * (Math.floor(row / 3) / Math.floor(rows / 3))))));
      indptr[rows] = total;
      const arrays = [vector("x/indices", "int32", indices, { chunk }), vector("x/data", "float64", data, { chunk: chunk && chunk / 2 }), vector("x/indptr", "int64", indptr)];
      const x = await sparse(await made(groupOf("x", { ...CSR, shape: [rows, columns] }), ...arrays), "x");
      const told = [];
      const found = await x.columns([50, 7, 50], { onProgress: ({ elements }) => told.push(elements) });
      assert.deepEqual(told, parts ?? [total]);
      const rowsOf = Array.from({ length: rows }, (_, row) => Array(indptr[row + 1] - indptr[row]).fill(row)).flat();
      const hits = (column) => [...indices.keys()].filter((at) => indices[at] === column);
      const wanted = [50, 7, 50].map(hits);
      assert.deepEqual([...found.indptr], [0, wanted[0].length, wanted[0].length + wanted[1].length, total && wanted.flat().length]);
      assert.deepEqual(found.indices, Int32Array.from(wanted.flat(), (at) => rowsOf[at]));
      assert.deepEqual(found.data, Float64Array.from(wanted.flat(), (at) => data[at]));
      const dense = new Float64Array(rows * columns);
      indices.forEach((column, at) => (dense[rowsOf[at] * columns + column] += data[at]));
      assert.deepEqual((await x.toDense()).data, dense);
      // One row is long, which is a read of its own, and hundreds are short; the last ones are read first.
      for (const selection of parts ? [[999, 0, 999]] : [slice(null, null, 2), slice(null, null, -1)]) {
        const order = Array.isArray(selection) ? selection : Array.from({ length: rows / Math.abs(selection.step) }, (_, nth) => (selection.step > 0 ? 2 * nth : rows - 1 - nth));
        const part = await x.rows(selection);
        assert.deepEqual(part.data, Float64Array.from(order.flatMap((row) => Array.from(data.subarray(indptr[row], indptr[row + 1])))));
        assert.deepEqual(part.indices, Int32Array.from(part.data, (item) => indices[item - 1]));
      }
    });
  }

  test("many long rows are read a few at a time", async () => {
    const group = await made(vector("d", "float64", Float64Array.from({ length: 400_000 }, (_, at) => at)));
    const array = await group.array("d");
    const { get } = array;
    const reads = { under: 0, most: 0, all: 0 };
    array.get = async (...call) => {
      reads.most = Math.max(reads.most, ++reads.under);
      reads.all++;
      return get.apply(array, call).finally(() => reads.under--);
    };
    const long = Array.from({ length: 40 }, (_, nth) => [nth * 10_000, nth * 10_000 + 5000]);
    // Two hundred short spans between the twentieth and the next are one read.
    const short = Array.from({ length: 200 }, (_, nth) => [195_500 + 20 * nth, 195_501 + 20 * nth]);
    const all = [...long.slice(0, 20), ...short, ...long.slice(20)];
    const data = await new Spans(all.flat()).read(array, {});
    assert.deepEqual(data, Float64Array.from(all.flatMap(([start, stop]) => Array.from({ length: stop - start }, (_, nth) => start + nth))));
    // The class of the result is known from an empty read.
    assert.deepEqual(reads, { under: 0, most: 8, all: 40 + 1 + 1 });
  });

  test("progress is told, and an abort ends a read with its reason", async () => {
    const { group } = await opened("classes.zarr");
    const x = await sparse(group, "aligned");
    const told = [];
    await x.columns([3], { onProgress: (progress) => told.push(progress) });
    assert.deepEqual(told.at(-1), { elements: 15000, totalElements: 15000 });
    const reason = new Error("enough");
    for (const read of ["rows", "columns"]) await assert.rejects(x[read]([1], { signal: AbortSignal.abort(reason) }), reason);
    await assert.rejects(x.toDense({ signal: AbortSignal.abort(reason) }), reason);
    await assert.rejects(sparse(group, "aligned", { signal: AbortSignal.abort(reason) }), reason);
  });

  test("a freed matrix says so", async () => {
    const x = await sparse(await matrix(), "x");
    x.free();
    for (const call of [() => x.rows([0]), () => x.columns([0]), () => x.size([0]), () => x.toDense()]) await assert.rejects(call, { name: "FreedError" });
    assert.throws(() => x.free(), { name: "FreedError" });
    // Reads under way end with their values.
    const y = await sparse(await matrix(), "x");
    const reading = Promise.all([y.rows(null), y.columns(null), y.size(null), y.toDense()]);
    y.free();
    const [rows, columns, { elements }, dense] = await reading;
    assert.deepEqual([rows.data.length, columns.data.length, elements, dense.data.length], [5, 5, 5, 12]);
  });
});
