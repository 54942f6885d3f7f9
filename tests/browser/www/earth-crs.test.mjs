/** The explorer's systems of the Earth: codes and grid mappings against PROJ, meshes of points, axes of coordinates. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { NEIGHBOURS, ROOT } from "../support/paths.mjs";

const from = (name) => import(pathToFileURL(join(ROOT, "www/src/earth", name)));
const [{ along, unwound }, { meshOf }, { projectedOf }] = await Promise.all(["along.js", "mesh.js", "projected.js"].map(from));
const { codes } = JSON.parse(await readFile(join(NEIGHBOURS, "earth/oracle.json"), "utf8"));

/** The earth of a grid of 100 cells around a place, in a system. */
const gridAt = ([x, y], size, crs, mapping) => projectedOf({ axes: [{}, {}], shape: [10, 10] }, [0, 1], { crs, mapping, transform: [size, 0, x - 5 * size, 0, -size, y + 5 * size] });
const turned = (lon) => lon - 360 * Math.round(lon / 360);

describe("the explorer's systems of the Earth", () => {
  for (const [code, points] of Object.entries(codes)) {
    test(`${code} is where PROJ puts it`, () => {
      const isDegrees = ["EPSG:4326", "EPSG:4258"].includes(code);
      const isShifted = ["EPSG:27700", "EPSG:2056"].includes(code); // by a grid in PROJ
      for (const [lon, lat, x, y] of points) {
        const earth = gridAt([x, y], isDegrees ? 0.01 : 1000, { code });
        assert.match(earth.words, new RegExp(code));
        const [a, b] = earth.toDegrees([5, 5]);
        const off = isShifted ? 1e-4 : 2e-7;
        assert.ok(Math.abs(turned(a - lon)) < off && Math.abs(b - lat) < off, `${[a, b]} is not ${[lon, lat]}`);
        const [row, column] = earth.toCell([lon, lat]);
        assert.ok(Math.abs(row - 5) < 0.05 && Math.abs(column - 5) < 0.05, `${[row, column]}`);
      }
    });
  }

  test("a system that is not known has words and no degrees", () => {
    const earth = gridAt([0, 0], 1, { code: "EPSG:99999" });
    assert.equal(earth.toDegrees, undefined);
    assert.match(earth.words, /EPSG:99999, of which this page cannot calculate degrees/);
    assert.equal(gridAt([0, 0], 1, { wkt: "LOCAL_CS[\"none\"]" }).toDegrees, undefined);
  });

  test("axes are found by bisection, rising, falling and across the seam, and other axes are none", () => {
    for (const values of [[1, 2, 4, 8], [8, 4, 2, 1], unwound([350, 355, 0, 5])]) {
      const axis = along(values);
      values.forEach((value, i) => {
        assert.equal(axis.at(i + 0.5), value);
        assert.equal(axis.find(value), i + 0.5);
      });
      assert.ok(Math.abs(axis.find(axis.at(4.25)) - 4.25) < 1e-12 && Math.abs(axis.find(axis.at(-1)) + 1) < 1e-12);
    }
    assert.deepEqual([[1], [1, NaN, 3], [1, 3, 2], [1, 1]].map((values) => along(values)), [undefined, undefined, undefined, undefined]);
  });

  test("a mesh around the pole and across the seam finds each of its places, and none outside", async () => {
    // Rings around the north pole: rows from 89.5 to 70.5 degrees, columns around.
    const [rows, columns] = [20, 73];
    const lats = Array.from({ length: rows * columns }, (_, n) => 89.5 - Math.floor(n / columns));
    const lons = Array.from({ length: rows * columns }, (_, n) => (n % columns) * 5);
    const mesh = await meshOf(lons, lats, [rows, columns], async () => {});
    for (const [row, column] of [[0.5, 0.5], [10.25, 36.5], [18.9, 71.75], [3.5, 35.9]]) {
      const found = mesh.find(mesh.placeAt([row, column]));
      assert.ok(found && Math.hypot(found[0] - row, found[1] - column) < 1e-4, `${found} is not ${[row, column]}`);
    }
    assert.equal(mesh.find([10, 60]), undefined);
    assert.equal(mesh.find([10, -85]), undefined);
    assert.deepEqual(mesh.placeAt([4, 9]), [45, 85.5]);
  });

  test("cells without places are left out of a mesh", async () => {
    const lons = [0, 1, 2, 0, NaN, 2, 0, 1, 2];
    const lats = [0, 0, 0, 1, NaN, 1, 2, 2, 2];
    const mesh = await meshOf(lons, lats, [3, 3], async () => {});
    assert.equal(mesh.find([0.5, 0.5]), undefined);
    assert.equal(mesh.placeAt([1, 1]), undefined);
    assert.deepEqual(mesh.placeAt([1, 2]), [2, 1]);
  });
});
