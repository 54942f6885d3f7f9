/** Tables by column: AnnData's data frames as pandas has them, and CF variables as xarray has them. In Node. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { NEIGHBOURS } from "../support/paths.mjs";
import { expected, groupOf, made, opened, slice, sparse, table, vector } from "../support/sparse.mjs";

const { table: frame } = expected.anndata;
const KINDS = { cls: "category", stage: "category", batch: "category", count: "number", flag: "boolean", truth: "boolean", score: "number", serial: "number", note: "category", name: "text" };

describe("a data frame of AnnData", () => {
  for (const version of [2, 3]) {
    test(`every column, in Zarr v${version}`, async () => {
      const { group, keys } = await opened(`anndata-v${version}.zarr`);
      const obs = await table(group, "obs");
      assert.deepEqual([obs.names, obs.length, obs.path], [frame.names, frame.length, "obs"]);
      assert.deepEqual(keys.filter((key) => key.startsWith("/obs")), [], "no column is read before it is asked for");
      for (const [name, items] of Object.entries(frame.columns)) {
        const { kind, data } = await obs.column(name);
        assert.deepEqual([name, kind, data.length], [name, KINDS[name], 1000]);
        assert.deepEqual(frame.rows.map((row) => data[row]), items, name);
        assert.deepEqual([...(await obs.column(name, frame.rows)).data], items, name);
      }
      assert.deepEqual((await obs.index(frame.rows)).data, frame.index);
      assert.deepEqual((await obs.index()).data.slice(0, 3), ["cell0", "cell1", "cell2"]);
    });
  }

  test("categories, their codes and their order", async () => {
    const { group } = await opened("anndata-v3.zarr");
    const obs = await table(group, "obs");
    const cls = await obs.column("cls");
    assert.deepEqual(cls.data.slice(0, 14), ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c0", "c1"]);
    assert.deepEqual([cls.categories.length, cls.of, cls.ordered, cls.codes.constructor], [12, "text", false, Int8Array]);
    const { categories, of, ordered, codes } = await obs.column("stage", slice(0, 3));
    assert.deepEqual([categories, of, ordered, [...codes]], [["early", "late"], "text", true, [-1, 1, 0]]);
    const batch = await obs.column("batch");
    assert.deepEqual([batch.of, batch.categories], ["number", [10, 11, 12]]);
  });

  test("rows of the matrix where a column says so", async () => {
    const { group } = await opened("anndata-v3.zarr");
    const [obs, x] = [await table(group, "obs"), await sparse(group, "X")];
    const { data } = await obs.column("cls");
    const { shape, indices } = await x.rows(Array.from(data, (cls) => cls === "c5"));
    assert.deepEqual(shape, [83, 300]);
    assert.deepEqual(indices, (await x.rows(slice(5, null, 12))).indices);
  });

  test("of encoding 0.1, by anndata 0.7: categories lie in a group of their own", async () => {
    const { group } = await opened("anndata-0.7.zarr", { sets: NEIGHBOURS });
    const old = await table(group, "obs");
    assert.deepEqual([old.names, old.length], [["cls", "stage", "score"], 6]);
    const { data, categories } = await old.column("cls", slice(1, 4));
    assert.deepEqual([data, categories], [["c1", "c2", "c0"], ["c0", "c1", "c2"]]);
    const stage = await old.column("stage");
    assert.deepEqual([stage.data, stage.categories, stage.ordered], [["a", null, "b", "a", "b", null], ["b", "a"], true]);
    assert.deepEqual((await old.column("score")).data, Float64Array.of(0, 0.25, 0.5, 0.75, 1, 1.25));
    assert.deepEqual((await old.index([-1])).data, ["cell5"]);
    assert.deepEqual([...(await (await sparse(group, "X")).row(3)).indices], [3]);
  });

  test("nullable texts and large integers, without consolidated metadata", async () => {
    const { group } = await opened("small.zarr");
    const own = await table(group, "frame");
    assert.deepEqual([own.names, own.length], [["text", "serial", "of", "large"], 4]);
    assert.deepEqual(await own.column("text"), { kind: "text", data: ["a", null, "", "d"] });
    assert.deepEqual(await own.column("serial"), { kind: "number", data: BigInt64Array.of(2n ** 53n + 1n, 2n, 3n, -4n) });
    assert.deepEqual((await own.column("of")).data, [2.5, null, 1.5, 2.5]);
    assert.deepEqual(await own.column("large", slice(1, 4)), { kind: "number", data: [2n ** 60n, 3n, 4n] });
    assert.deepEqual(await own.index(), { kind: "number", data: Float64Array.of(10, 20, 30, 40) });
  });
});

describe("variables of CF along a dimension", () => {
  for (const version of [2, 3]) {
    test(`every column, in Zarr v${version}`, async () => {
      const { group } = await opened(`points-v${version}.zarr`);
      const points = await table(group, "", { dimension: "obs" });
      assert.deepEqual([points.names, points.length], [["depth", "species", "temperature", "time", "wet"], 9]);
      for (const [name, items] of Object.entries(expected.points)) {
        const { data, labels } = await points.column(name);
        assert.deepEqual(labels ?? Array.from(data, (item) => (Number.isNaN(item) ? null : item)), items, name);
      }
      const time = await points.column("time", slice(1, 2));
      assert.deepEqual([time.kind, [...time.data]], ["time", [Date.UTC(2024, 1, 27, 18)]]);
      assert.equal(await points.index(), undefined);
      const features = await table(group, "", { dimension: "traj" });
      assert.deepEqual(await features.index(), { kind: "text", data: ["a", "b"] });
    });
  }

  test("one of several dimensions has to be named", async () => {
    const { group } = await opened("points-v3.zarr");
    await assert.rejects(table(group), { name: "UnsupportedError", message: /dimensions obs, traj; pass the option dimension/ });
    await assert.rejects(table(group, "", { dimension: "z" }), { name: "SelectionError", message: /obs, traj/ });
    const { group: bare } = await opened("small.zarr");
    await assert.rejects(table(bare), { name: "UnsupportedError", message: /not consolidated/ });
  });
});

describe("a damaged table", () => {
  const FRAME = { "encoding-type": "dataframe", "encoding-version": "0.2.0", _index: "_index", "column-order": ["n"] };
  const index = vector("t/_index", "int32", [0, 1, 2]);
  const nullable = (mask) => [groupOf("t/n", { "encoding-type": "nullable-integer" }), vector("t/n/values", "int32", [1, 2, 3]), ...mask];
  const categorical = (...codes) => [
    groupOf("t/n", { "encoding-type": "categorical", ordered: false }),
    vector("t/n/codes", "int32", codes),
    vector("t/n/categories", "int32", [7, 8]),
  ];

  test("is read where it is not damaged", async () => {
    const group = await made(groupOf("t", FRAME), index, ...nullable([vector("t/n/mask", "uint8", [0, 1, 0])]));
    assert.deepEqual(await (await table(group, "t")).column("n"), { kind: "number", data: [1, null, 3] });
  });

  const faults = {
    "no column order": [{ ...FRAME, "column-order": undefined }, [], "t/zarr.json", "/attributes/column-order"],
    "a column order of numbers": [{ ...FRAME, "column-order": [1] }, [], "t/zarr.json", "/attributes/column-order"],
    "no index": [{ ...FRAME, _index: undefined }, [], "t/zarr.json", "/attributes/_index"],
    "a column of another length": [FRAME, [vector("t/n", "int32", [1, 2])], "t/n/zarr.json", "/shape/0"],
    "a mask of another length": [FRAME, nullable([vector("t/n/mask", "uint8", [0, 1])]), "t/n/mask/zarr.json", "/shape/0"],
    "a missing mask": [FRAME, nullable([]), "t/n/zarr.json", ""],
    "missing categories": [FRAME, categorical(0, 1, 0).slice(0, 2), "t/n/zarr.json", ""],
    "a code beyond the categories": [FRAME, categorical(0, 1, 2), "t/n/codes", "/2"],
    "a negative code": [FRAME, categorical(0, -2, 1), "t/n/codes", "/1"],
  };
  for (const [name, [attributes, values, key, path]] of Object.entries(faults)) {
    test(name, async () => {
      const group = await made(groupOf("t", attributes), index, ...values);
      await assert.rejects(async () => (await table(group, "t")).column("n"), { name: "InvalidMetadataError", key, path });
    });
  }

  test("a code of a part, whose place in the array is not known", async () => {
    const own = await table(await made(groupOf("t", FRAME), index, ...categorical(0, 1, 2)), "t");
    await assert.rejects(own.column("n", slice(2, 3)), { name: "InvalidMetadataError", key: "t/n/codes", path: "", message: /code 2 names none of the 2 categories/ });
    assert.deepEqual((await own.column("n", slice(0, 2))).data, [7, 8]);
  });

  test("columns that are not there, and encodings that are not known", async () => {
    const awkward = groupOf("t/n", { "encoding-type": "awkward-array" });
    const own = await table(await made(groupOf("t", FRAME), index, awkward), "t");
    await assert.rejects(own.column("n"), { name: "UnsupportedError", message: /"awkward-array".*categorical/ });
    await assert.rejects(own.column("m"), { name: "SelectionError", message: /no column "m"; the columns are n/ });
    await assert.rejects(own.index([3]), { name: "SelectionError" });
    const gone = await table(await made(groupOf("t", FRAME), index), "t");
    await assert.rejects(gone.column("n"), { name: "InvalidMetadataError", key: "t/zarr.json", path: "" });
    await assert.rejects(table(await made(groupOf("t", FRAME)), "t"), { name: "InvalidMetadataError", key: "t/zarr.json", message: /"_index"/ });
    await assert.rejects(table(undefined, "t"), { name: "TypeError", message: /opened Group/ });
    const reason = new Error("enough");
    await assert.rejects(own.index(null, { signal: AbortSignal.abort(reason) }), reason);
    const reading = own.index();
    own.free();
    assert.equal((await reading).data.length, 3);
    await assert.rejects(own.index(), { name: "FreedError" });
  });
});
