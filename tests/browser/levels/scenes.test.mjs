/** Scenes of OME-Zarr 0.6: the conformance kit's own groups, images placed among others, and what is refused. In Node. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";

import { Levels, made, opened, scene } from "../support/levels.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const kit = JSON.parse(await readFile(join(NEIGHBOURS, "ome-transformations.json"), "utf8"));

const system = (name, axes = "yx") => ({ name, axes: [...axes].map((axis) => ({ name: axis, type: "space" })) });
const end = (given) => (typeof given === "string" ? { name: given } : given);
const way = (type, parameters, input, output) => ({ type, ...parameters, input: end(input), output: end(output) });
const of = (path, name = "physical") => ({ path, name });

/** An image of one level of 8 by 8 elements, by its path in a scene: its document and that of its array. */
function image(path, { scale = [1, 1], systems = [system("physical")], transformations } = {}) {
  const datasets = [{ path: "0", coordinateTransformations: [{ type: "scale", scale, input: { path: "0" }, output: { name: systems[0].name } }] }];
  const ome = { version: "0.6", multiscales: [{ coordinateSystems: systems, coordinateTransformations: transformations, datasets }] };
  const files = made({ ome }, { 0: { shape: scale.map(() => 8) } });
  return [...files].map(([key, bytes]) => [`/${path}${key}`, bytes]);
}

/** Opens a scene of these images; `asked` lists what was requested. */
async function openedScene(attributes, ...images) {
  const files = new Map([...made({ ome: { version: "0.6", scene: attributes } }), ...images.flat()]);
  const { group, asked } = await opened(files);
  return { found: await scene(group), group, asked };
}

/** A stage with two cameras, one turned, one finer and shifted. */
const STAGE = {
  coordinateSystems: [system("stage")],
  coordinateTransformations: [
    way("rotation", { rotation: [[0, -1], [1, 0]] }, of("wide"), "stage"),
    way("translation", { translation: [100, 200] }, of("fine"), "stage"),
  ],
};
const WIDE = image("wide", { scale: [2, 2] });
const FINE = image("fine", { scale: [0.5, 0.5], systems: [system("physical"), system("tilted")], transformations: [way("scale", { scale: [10, 10] }, "physical", "tilted")] });

describe("the conformance kit of transformations, as scenes", () => {
  for (const { name, systems, transformations, source, target, isError, absolute, relative } of kit) {
    test(name, async () => {
      const { found } = await openedScene({ coordinateSystems: systems, coordinateTransformations: transformations });
      const points = () => found.transform(source.name, target.name).apply(source.coordinates);
      if (isError) return assert.throws(points, { name: "RangeError", message: /there are: input, output/ });
      points().forEach((point, nth) => point.forEach((value, axis) => {
        const expected = target.coordinates[nth][axis];
        const off = Math.abs(value - expected);
        assert.ok(off <= absolute && off <= relative * Math.max(Math.abs(expected), absolute / relative), `${value} for ${expected}`);
      }));
    });
  }
});

describe("scenes", () => {
  test("list their systems, those of their images, and the images, by a document each", async () => {
    const { found, asked } = await openedScene(STAGE, WIDE, FINE);
    assert.deepEqual(found.images, ["wide", "fine"]);
    assert.deepEqual(found.systems.map(({ name, path, from }) => [name, path, from]), [["stage", undefined, "the scene"], ["physical", "wide", "the datasets"], ["physical", "fine", "the datasets"], ["tilted", "fine", "scale from physical"]]);
    assert.deepEqual([...new Set(asked)].sort(), ["fine/zarr.json", "wide/zarr.json"]);
    found.free();
  });

  test("lead from one image to another, through the scene and through images' own systems", async () => {
    const { found } = await openedScene(STAGE, WIDE, FINE);
    // Of the wide camera, y 3 and x 5 are y -5 and x 3 on the stage.
    assert.deepEqual(found.transform(of("wide"), "stage").apply([[3, 5]]), [[-5, 3]]);
    assert.deepEqual(found.transform(of("wide"), of("fine")).apply([[3, 5]]), [[-105, -197]]);
    assert.deepEqual(found.transform(of("wide"), of("fine", "tilted")).apply([[3, 5]]), [[-1050, -1970]]);
    const { matrix } = found.transform(of("fine", "tilted"), { name: "stage" });
    assert.deepEqual(matrix, [[0.1, 0, 100], [0, 0.1, 200]]);
  });

  test("open their images, which lie in the scene's systems too, and say where they are turned", async () => {
    const { found, group } = await openedScene(STAGE, WIDE, FINE);
    const levels = await found.levels("wide");
    found.free();
    group.free();
    assert.ok(levels instanceof Levels);
    assert.deepEqual(levels.systems.map(({ name, path }) => [name, path]), [["physical", undefined], ["stage", ""], ["physical", "fine"], ["tilted", "fine"]]);
    assert.deepEqual(levels[0].transform, [2, 0, -1, 0, 2, -1]);
    const stage = levels.in("stage");
    assert.deepEqual(stage[0].transform.map((value) => value + 0), [0, 2, -1, -2, 0, 1]);
    assert.match(stage[0].from, /rotation to stage, not along the axes$/);
    assert.deepEqual(stage.in("physical")[0].transform, levels[0].transform);
    assert.deepEqual(levels.in(of("wide"))[0].transform, levels[0].transform);
    assert.deepEqual(levels.transform("physical", of("fine")).apply([[3, 5]]), [[-105, -197]]);
    assert.deepEqual(levels.in(of("fine"))[0].transform.map((value) => value + 0), [0, 2, -201, -2, 0, -99]);
    levels.free();
    assert.deepEqual((await (await stage.array(0)).get()).shape, [8, 8]);
    stage.free();
  });

  test("of one name, the image's own system comes before the scene's", async () => {
    const attributes = { coordinateSystems: [system("physical")], coordinateTransformations: [way("scale", { scale: [7, 7] }, of("a"), "physical")] };
    const { found } = await openedScene(attributes, image("a"));
    const levels = await found.levels("a");
    assert.deepEqual(levels.transform("physical", "physical").matrix, [[1, 0, 0], [0, 1, 0]]);
    assert.deepEqual(levels.transform("physical", { name: "physical" }).matrix, [[7, 0, 0], [0, 7, 0]]);
    assert.deepEqual(levels.in({ name: "physical", path: "" })[0].resolution, [7, 7]);
  });

  test("planes across other axes are refused, and points are not", async () => {
    const aboutX = [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]];
    const attributes = { coordinateSystems: [system("stage", "zyx")], coordinateTransformations: [way("rotation", { rotation: aboutX }, of("a"), "stage")] };
    const { found } = await openedScene(attributes, image("a", { scale: [1, 1, 1], systems: [system("physical", "zyx")] }));
    const levels = await found.levels("a");
    assert.throws(() => levels.in("stage"), { name: "UnsupportedError", feature: "a plane that depends on other axes", message: /scene\/coordinateTransformations.*rotation to stage; use levels\.transform/ });
    assert.deepEqual(levels.transform("physical", "stage").apply([[1, 0, 2]]), [[0.6, 0.8, 2]]);
  });

  test("an image that is not there leaves the others, and is an error when it is opened", async () => {
    const { found } = await openedScene(STAGE, FINE);
    assert.deepEqual(found.transform(of("fine"), "stage").matrix, [[1, 0, 100], [0, 1, 200]]);
    assert.throws(() => found.transform(of("wide"), "stage"), { name: "RangeError", message: /"wide: physical"; there are: stage, fine: physical, fine: tilted/ });
    await assert.rejects(found.levels("wide"), { name: "NotFoundError" });
    await assert.rejects(found.levels("other"), { name: "RangeError", message: /no image "other"; there are: wide, fine/ });
    await assert.rejects(found.levels("fine", { path: "x" }), { name: "TypeError", message: /no option path/ });
  });

  test("faults name the document and the place in it", async () => {
    const bad = image("a", { systems: [system("physical"), system("other")], transformations: [way("scale", { scale: [1] }, "physical", "other")] });
    const { found: alone } = await openedScene({ coordinateTransformations: [way("identity", {}, of("a"), "world")] }, bad);
    const { found } = await openedScene({ coordinateTransformations: [way("mapAxis", { mapAxis: [0, 0] }, of("a"), of("b"))] }, bad, image("b"));
    assert.throws(() => alone.transform(of("a"), of("a", "other")), { name: "InvalidMetadataError", key: "a/zarr.json", path: "/attributes/ome/multiscales/0/coordinateTransformations/0/scale" });
    assert.throws(() => found.transform(of("a"), of("b")), { name: "InvalidMetadataError", key: "zarr.json", path: "/attributes/ome/scene/coordinateTransformations/0/mapAxis" });
    const many = Array.from({ length: 65 }, (_, nth) => way("identity", {}, of(`i${nth}`), "w"));
    await assert.rejects(openedScene({ coordinateTransformations: many }), { name: "InvalidMetadataError", message: /more than 64 images/ });
    const { group } = await opened(made({ title: "no scene" }));
    await assert.rejects(scene(group), { name: "NotFoundError", message: /no attribute ome\.scene/ });
    await assert.rejects(scene(group, { image: "a" }), { name: "TypeError", message: /no option image/ });
    const { found: odd } = await openedScene({ coordinateSystems: 5, coordinateTransformations: "x" });
    assert.deepEqual([odd.systems, odd.images], [[], []]);
    assert.throws(() => odd.transform("a", "b"), { name: "RangeError", message: /there are: none/ });
  });
});
