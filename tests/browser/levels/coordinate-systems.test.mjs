/**
 * Coordinate systems of OME-Zarr 0.6: the cases of its conformance kit, each type there and back, levels in other systems,
 * and what is refused. In Node.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";

import { Levels, levelsOf, made } from "../support/levels.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const kit = JSON.parse(await readFile(join(NEIGHBOURS, "ome-transformations.json"), "utf8"));

/** An image of one array for each scale of its levels, whose own system is the first. */
function filesOfImage(systems, transformations, levels = [1], more = {}) {
  const [{ name: output, axes }] = systems;
  const ones = axes.map(() => 1);
  const datasets = levels.map((scale, nth) => ({ path: `${nth}`, coordinateTransformations: [{ type: "scale", scale: Array.isArray(scale) ? scale : ones.map(() => scale), input: { path: `${nth}` }, output: { name: output } }] }));
  const arrays = Object.fromEntries(levels.map((_, nth) => [nth, { shape: axes.map(() => 8 >> nth) }]));
  return made({ ome: { version: "0.6", multiscales: [{ coordinateSystems: systems, coordinateTransformations: transformations, datasets, ...more }] } }, { ...arrays, line: { shape: [4] }, long: { shape: [1_000_000, 3] } });
}

const image = (...parts) => levelsOf(filesOfImage(...parts));

const system = (name, axes = "yx") => ({ name, axes: [...axes].map((axis) => ({ name: axis, type: "space" })) });
const way = (type, parameters, input = "intrinsic", output = "stage") => ({ type, ...parameters, input: { name: input }, output: { name: output } });

function near(found, expected, absolute = 1e-9, relative = 0) {
  assert.equal(found.length, expected.length);
  found.forEach((point, nth) => {
    assert.equal(point.length, expected[nth].length);
    point.forEach((value, axis) => {
      const off = Math.abs(value - expected[nth][axis]);
      assert.ok(off <= absolute && (!relative || off <= relative * Math.max(Math.abs(expected[nth][axis]), absolute / relative)), `${found} for ${expected}`);
    });
  });
}

describe("the conformance kit of transformations", () => {
  for (const { name, systems, transformations, source, target, isError, absolute, relative } of kit) {
    test(name, async () => {
      const { levels } = await image(systems, transformations);
      const found = () => levels.transform(source.name, target.name).apply(source.coordinates);
      if (isError) return assert.throws(found, { name: "RangeError", message: /there are: input, output/ });
      near(found(), target.coordinates, absolute, relative);
    });
  }
  test("has 24 cases", () => assert.equal(kit.length, 24));
});

describe("transformations between systems", () => {
  const cases = {
    "affine with a shift": [way("affine", { affine: [[0, 2, 3], [-4, 0, 5]] }), [[1, 10], [23, 1]]],
    "bigints in a matrix": [way("affine", { affine: [[1, 0, 2 ** 60], [0, 1, 0]] }), [[0, 1], [2 ** 60, 1]]],
    "a sequence, the first one first": [way("sequence", { transformations: [{ type: "translation", translation: [0.1, 0.9] }, { type: "scale", scale: [2, 3] }] }), [[1, 1], [2.2, 5.7]]],
    "a sequence of none": [way("sequence", { transformations: [] }), [[1, 2], [1, 2]]],
    "byDimension that swaps": [way("byDimension", { transformations: [
      { transformation: { type: "translation", translation: [-1] }, inputAxes: [1], outputAxes: [0] }, { transformation: { type: "scale", scale: [2] }, inputAxes: [0], outputAxes: [1] },
    ] }), [[3, 10], [9, 6]]],
    "scales of 1e-9 and 1e6": [way("scale", { scale: [1e-9, 1e6] }), [[2, 3], [2e-9, 3e6]]],
    "a bijection within a sequence": [way("sequence", { transformations: [{ type: "bijection", forward: { type: "scale", scale: [2, 2] }, inverse: { type: "scale", scale: [0.5, 0.5] } }] }), [[1, 3], [2, 6]]],
  };
  for (const [name, [step, [from, to]]] of Object.entries(cases)) {
    test(`${name}, there and back, stated in either direction`, async () => {
      const { levels } = await image([system("intrinsic"), system("stage")], [step]);
      near(levels.transform("intrinsic", "stage").apply([from]), [to]);
      near(levels.transform("stage", "intrinsic").apply([to]), [from], 1e-6);
      const { levels: turned } = await image([system("stage"), system("intrinsic")], [step]);
      near(turned.transform("intrinsic", "stage").apply([from]), [to]);
    });
  }

  test("between systems of other numbers of axes", async () => {
    const affine = way("affine", { affine: [[1, 0, 0], [2, 3, 4], [5, 6, 7]] }, "ij", "zyx");
    const { levels } = await image([system("ij", "ij"), system("zyx", "zyx")], [affine]);
    assert.deepEqual(levels.transform("ij", "zyx").apply([[1, 10]]), [[1, 36, 72]]);
    assert.throws(() => levels.transform("zyx", "ij"), { name: "UnsupportedError", feature: "inverse of affine" });
    const four = [system("in", "ljki"), system("out", "zyx")];
    const parts = [{ transformation: { type: "translation", translation: [0.5, 1.5] }, inputAxes: [3, 2], outputAxes: [1, 2] }, { transformation: { type: "scale", scale: [2] }, inputAxes: [1], outputAxes: [0] }];
    const { levels: some } = await image(four, [way("byDimension", { transformations: parts }, "in", "out")]);
    assert.deepEqual(some.transform("in", "out").apply([[100, 3, 5, 7]]), [[6, 7.5, 6.5]]);
    assert.throws(() => some.transform("out", "in"), { name: "UnsupportedError", feature: "inverse of byDimension" });
    const up = way("projectAxis", { createdOutputs: [0, 1] }, "in", "out");
    const { levels: raised } = await image([system("in", "ij"), system("out", "czyx")], [up]);
    assert.deepEqual(raised.transform("in", "out").apply([[3, 4]]), [[0, 0, 3, 4]]);
    assert.deepEqual(raised.transform("out", "in").apply([[9, 9, 3, 4]]), [[3, 4]]);
    const { levels: other } = await image([system("in", "cij"), system("out", "zyx")], [way("projectAxis", { droppedInputs: [0], createdOutputs: [0] }, "in", "out")]);
    assert.deepEqual(other.transform("in", "out").apply([[9, 3, 4]]), [[0, 3, 4]]);
    assert.throws(() => other.transform("out", "in"), { name: "UnsupportedError", feature: "inverse of projectAxis" });
  });

  test("by the fewest steps, around those that have no inverse", async () => {
    const steps = [way("scale", { scale: [0, 0] }, "c", "a"), way("scale", { scale: [2, 2] }, "a", "b"), way("scale", { scale: [5, 5] }, "b", "c")];
    const { levels } = await image(["a", "b", "c"].map((name) => system(name)), steps);
    assert.deepEqual(levels.transform("a", "c").apply([[1, 1]]), [[10, 10]]);
    assert.deepEqual(levels.transform("c", "a").matrix, [[0, 0, 0], [0, 0, 0]]);
    assert.deepEqual(levels.transform("b", "b").matrix, [[1, 0, 0], [0, 1, 0]]);
  });
});

describe("levels in another system", () => {
  const flat = [system("intrinsic"), system("stage")];

  test("are scaled and moved, and keep their arrays", async () => {
    const step = way("sequence", { transformations: [{ type: "scale", scale: [10, 20] }, { type: "translation", translation: [100, 200] }] });
    const { levels } = await image(flat, [step], [0.5, 1]);
    const stage = levels.in("stage");
    assert.ok(stage instanceof Levels);
    // The centre of the first element is at the translation.
    assert.deepEqual(stage.map(({ transform }) => transform), [[10, 0, 195, 0, 5, 97.5], [20, 0, 190, 0, 10, 95]]);
    assert.deepEqual(stage.map(({ resolution }) => resolution), [[10, 5], [20, 10]]);
    assert.equal(stage[0].from, "coordinateTransformations of the datasets, sequence to stage");
    assert.equal(stage[0].scale, undefined);
    assert.deepEqual(levels[0].transform, [0.5, 0, -0.25, 0, 0.5, -0.25]);
    const { selection, bounds } = stage.window([215, 107.5, 224, 112]);
    assert.deepEqual(bounds, [215, 107.5, 225, 112.5]);
    assert.deepEqual(selection, [{ start: 2, stop: 3, step: null }, { start: 2, stop: 3, step: null }]);
    assert.deepEqual(stage.in("intrinsic")[1].transform, levels[1].transform);
    levels.free();
    assert.deepEqual((await (await stage.array(1)).get()).shape, [4, 4]);
    stage.free();
  });

  test("are turned, and say so", async () => {
    const turned = (await image(flat, [way("rotation", { rotation: [[0, -1], [1, 0]] })], [2])).levels.in("stage");
    // y = -column, x = row: the element (row 1, column 3) has its centre at x 2, y -6.
    assert.deepEqual(turned[0].transform.map((value) => value + 0), [0, 2, -1, -2, 0, 1]);
    assert.match(turned[0].from, /rotation to stage, not along the axes$/);
    assert.deepEqual(turned[0].bounds, [-1, -15, 15, 1]);
    assert.deepEqual(turned.window([1.5, -6.5, 2.5, -5.5]).selection, [{ start: 1, stop: 2, step: null }, { start: 3, stop: 4, step: null }]);
    const swapped = (await image(flat, [way("mapAxis", { mapAxis: [1, 0] })])).levels.in("stage");
    assert.deepEqual(swapped[0].transform, [0, 1, -0.5, 1, 0, -0.5]);
    const back = (await image(flat, [way("affine", { affine: [[2, 1, 0], [0, 4, 0]] }, "stage", "intrinsic")])).levels.in("stage");
    assert.deepEqual(back[0].transform, [0.25, 0, -0.125, -0.125, 0.5, -0.1875]);
    assert.match(back[0].from, /inverse of affine, not along the axes$/);
  });

  test("whose planes lie across other axes are refused, and those beside them are not", async () => {
    const three = [system("intrinsic", "zyx"), system("stage", "zyx")];
    const tilted = [[1, 0, 0], [0, 0.6, -0.8], [0, 0.8, 0.6]];
    const aboutX = [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]];
    assert.match((await image(three, [way("rotation", { rotation: tilted })])).levels.in("stage")[0].from, /not along/);
    const { levels } = await image(three, [way("rotation", { rotation: aboutX })]);
    assert.throws(() => levels.in("stage"), { name: "UnsupportedError", feature: "a plane that depends on other axes", message: /rotation to stage; use levels\.transform/ });
    const flatten = await image([system("intrinsic", "zyx"), system("stage", "yx")], [way("affine", { affine: [[0, 1, 1, 0], [0, 1, 1, 0]] })]);
    assert.throws(() => flatten.levels.in("stage"), { name: "UnsupportedError", feature: "a plane that is a line" });
  });
});

describe("matrices in arrays of the store", () => {
  const systems = [system("intrinsic"), system("stage"), system("camera")];
  const little = { name: "bytes", configuration: { endian: "little" } };
  const numbers = (rows, dataType = "float64", Numbers = Float64Array) => {
    const shape = [rows.length, rows[0].length];
    const document = { zarr_format: 3, node_type: "array", shape, data_type: dataType, fill_value: 0, codecs: [little], chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" } };
    return [new TextEncoder().encode(JSON.stringify(document)), new Uint8Array(Numbers.from(rows.flat()).buffer)];
  };
  const put = (files, path, [document, bytes]) => files.set(`/${path}/zarr.json`, document).set(`/${path}/c/0/0`, bytes);
  const AFFINE = [[0, 2, 3], [-4, 0, 5]];
  const TURN = [[0, -1], [1, 0]];
  const stored = (transformations) => {
    const files = filesOfImage(systems, transformations);
    put(files, "coordinateTransformations/affine", numbers(AFFINE));
    put(files, "turn", numbers(TURN, "int32", Int32Array));
    return files;
  };

  test("an affine and a rotation, there and back, and within others", async () => {
    const files = stored([
      way("affine", { path: "coordinateTransformations/affine" }),
      way("sequence", { transformations: [{ type: "translation", translation: [1, 2] }, { type: "rotation", path: "turn" }] }, "intrinsic", "camera"),
    ]);
    const { levels } = await levelsOf(files);
    near(levels.transform("intrinsic", "stage").apply([[1, 10]]), [[23, 1]]);
    near(levels.transform("stage", "intrinsic").apply([[23, 1]]), [[1, 10]]);
    near(levels.transform("intrinsic", "camera").apply([[1, 10]]), [[-12, 2]]);
    near(levels.transform("camera", "intrinsic").apply([[-12, 2]]), [[1, 10]]);
    assert.match(levels.in("camera")[0].from, /not along the axes/);
    levels.free?.();
  });

  test("one that is not there matters to those who ask for it alone, and numbers in the metadata cost no request", async () => {
    const { levels } = await levelsOf(stored([way("affine", { path: "none" }), way("rotation", { path: "turn" }, "intrinsic", "camera")]));
    near(levels.transform("intrinsic", "camera").apply([[1, 10]]), [[-10, 1]]);
    assert.throws(() => levels.transform("intrinsic", "stage"), { name: "NotFoundError", message: /0: the affine of the array "none" cannot be read/ });
    const { opening } = await levelsOf(stored([way("affine", { affine: AFFINE, path: "coordinateTransformations/affine" })]));
    assert.ok(opening.every((key) => !key.includes("affine")), opening.join());
  });
});

describe("transformations that are refused", () => {
  const flat = [system("intrinsic"), system("stage")];
  const deep = (times) => (times === 0 ? { type: "identity" } : { type: "sequence", transformations: [deep(times - 1)] });
  const part = (transformation, inputAxes, outputAxes) => ({ transformation, inputAxes, outputAxes });
  const one = { type: "identity" };
  const cases = {
    "a field": [way("displacements", { path: "field" }), "UnsupportedError", /type displacements are not supported, as they are fields/],
    "a field of places": [way("coordinates", { path: "field" }), "UnsupportedError", /type coordinates are not supported, as they are fields/],
    "an unknown type": [way("toString", {}), "UnsupportedError", /toString/],
    "a matrix that is not there": [way("affine", { path: "matrix" }), "NotFoundError", /0: the affine of the array "matrix" cannot be read: .*matrix/],
    "a matrix of one axis": [way("rotation", { path: "line" }), "InvalidMetadataError", /0: the rotation of the array "line" cannot be read: expected an array of up to 17 rows and columns, found one of the shape \[4\]/],
    "a matrix of a million rows": [way("affine", { path: "long" }), "InvalidMetadataError", /shape \[1000000, 3\]/],
    "numbers of a scale in an array": [way("scale", { path: "matrix" }), "UnsupportedError", /array of its own/],
    "no type": [way(undefined, {}), "InvalidMetadataError", /type/],
    "a scale of three": [way("scale", { scale: [1, 2, 3] }), "InvalidMetadataError", /0\/scale: expected 2 numbers/],
    "text in a matrix": [way("affine", { affine: [[1, 0, "0"], [0, 1, 0]] }), "InvalidMetadataError", /affine/],
    "a ragged matrix": [way("affine", { affine: [[1, 0, 0], [0, 1]] }), "InvalidMetadataError", /affine/],
    "an affine of a third axis": [way("affine", { affine: [[1, 0, 0], [0, 1, 0], [0, 0, 0]] }), "InvalidMetadataError", /leads to 3 axes/],
    "a rotation of three": [way("rotation", { rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }), "InvalidMetadataError", /rotation/],
    "an axis mapped twice": [way("mapAxis", { mapAxis: [0, 0] }), "InvalidMetadataError", /mapAxis/],
    "a mapped axis beyond": [way("mapAxis", { mapAxis: [0, 2] }), "InvalidMetadataError", /mapAxis/],
    "a mapped axis left out": [way("mapAxis", { mapAxis: [1] }), "InvalidMetadataError", /mapAxis/],
    "an axis given twice": [way("byDimension", { transformations: [part(one, [1], [1]), part(one, [1], [1])] }), "InvalidMetadataError", /given twice/],
    "an axis not given": [way("byDimension", { transformations: [part(one, [0], [1])] }), "InvalidMetadataError", /each axis/],
    "parts of other axes": [way("byDimension", { transformations: [part(one, [0, 1], [0])] }), "InvalidMetadataError", /2 axes/],
    "axes as names": [way("byDimension", { transformations: [part(one, ["y"], ["x"])] }), "InvalidMetadataError", /inputAxes/],
    "17 in each other": [way("sequence", { transformations: [deep(17)] }), "InvalidMetadataError", /more than 16/],
    "600 in a row": [way("sequence", { transformations: Array(600).fill(one) }), "InvalidMetadataError", /256/],
    "numbers that overflow": [way("sequence", { transformations: Array(3).fill({ type: "scale", scale: [1e200, 1] }) }), "InvalidMetadataError", /no numbers/],
    "no list": [undefined, "UnsupportedError", /no transformation leads from intrinsic to stage/],
    "labels elsewhere": [{ type: "identity", input: { name: "intrinsic" }, output: { name: "stage", path: "labels/cells" } }, "UnsupportedError", /no transformation/],
  };
  for (const [name, [step, error, message]] of Object.entries(cases)) {
    test(`${name}: levels open, and the other system is refused`, async () => {
      const { levels } = await image(flat, step && [step]);
      assert.deepEqual(levels[0].transform, [1, 0, -0.5, 0, 1, -0.5]);
      assert.throws(() => levels.in("stage"), { name: error, message });
      assert.throws(() => levels.transform("intrinsic", "stage"), { name: error, message });
    });
  }

  test("inverses of what has none", async () => {
    for (const [type, parameters] of [["scale", { scale: [1, 0] }], ["affine", { affine: [[1, 2, 0], [2, 4, 1]] }], ["affine", { affine: [[0.1, 0.3, 0], [0.2, 0.6, 1]] }], ["bijection", { forward: { type: "identity" } }]]) {
      const { levels } = await image(flat, [way(type, parameters, "stage", "intrinsic")]);
      assert.throws(() => levels.in("stage"), ({ name, message }) => (type === "bijection" ? name === "InvalidMetadataError" && /inverse\/type/.test(message) : name === "UnsupportedError" && /no inverse/.test(message)), type);
    }
  });

  test("systems that there are not, two of one name, and points of other axes", async () => {
    const { levels } = await image(flat, [way("identity", {})]);
    for (const name of ["x", undefined, 3]) assert.throws(() => levels.in(name), { name: "RangeError", message: /intrinsic, stage/ });
    for (const points of [[[1]], [[1, 2, 3]], [[1, "2"]], [1, 2], "ab", undefined]) assert.throws(() => levels.transform("intrinsic", "stage").apply(points), { name: "TypeError", message: /2 numbers/ });
    assert.deepEqual(levels.transform("intrinsic", "stage").apply([Float32Array.of(1, 2)]), [[1, 2]]);
    const { levels: twice } = await image([...flat, system("stage")], [way("identity", {})]);
    assert.throws(() => twice.in("stage"), { name: "InvalidMetadataError", message: /one name/ });
    const { levels: none } = await levelsOf(made({}, { 0: { shape: [2, 2] } }), { variable: "0" });
    assert.throws(() => none.in("stage"), { name: "RangeError", message: /state none/ });
  });
});
