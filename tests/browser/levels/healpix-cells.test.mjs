/** Cells of points and points of cells are those of healpix-geo, at every level that is read; run in Node. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";

import { NEIGHBOURS, PACKAGE } from "../support/paths.mjs";

const { Group } = await import(join(PACKAGE, "node.js"));
const { healpix } = await import(join(PACKAGE, "healpix.js"));

const SETS = join(NEIGHBOURS, "healpix");
const layout = JSON.parse(await readFile(join(SETS, "oracle.json"), "utf8"));
const content = gunzipSync(await readFile(join(SETS, "oracle.bin.gz")));
const numbers = content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength);

/** Points and cells, by the formulas of `tests/neighbours/healpix_sets.py`. */
const points = [
  ...Array.from({ length: layout.points }, (_, i) => [((i * 137.50776405003785) % 360) - 180, ((i * 0.7548776662466927) % 1) * 180 - 90]),
  ...layout.edges,
];
const cellsOf = (level) => Array.from({ length: layout.cells }, (_, i) => Math.floor((((i + 0.5) * 0.6180339887498949) % 1) * 12 * 4 ** level));

/** Cells of healpix-geo at each level. */
function* answers() {
  let at = 0;
  const next = (Items, count) => {
    const found = new Items(numbers, at, count);
    at += found.byteLength;
    return found;
  };
  for (let level = layout.levels[0]; level < layout.levels[1]; level++) {
    const [ring, zuniq] = [next(BigUint64Array, layout.cells), next(BigUint64Array, layout.cells)];
    for (const ellipsoid of layout.ellipsoids) {
      const found = next(BigUint64Array, points.length);
      const [longitudes, latitudes] = [next(Float64Array, layout.cells), next(Float64Array, layout.cells)];
      const corners = [next(Float64Array, 4 * layout.cells), next(Float64Array, 4 * layout.cells)];
      yield { level, ellipsoid, ring, zuniq, found, longitudes, latitudes, corners };
    }
  }
  assert.equal(at, numbers.byteLength, "every number of the oracle was compared");
}

const WGS84 = { name: "WGS84", semi_major_axis: 6378137, inverse_flattening: 298.257223563 };

/** A grid of all cells of a level, of which no value is stored. */
async function gridOf(level, ellipsoid = "sphere", scheme = "nested") {
  const text = (document) => new TextEncoder().encode(JSON.stringify(document));
  const dggs = { name: "healpix", refinement_level: level, indexing_scheme: scheme, spatial_dimension: "cells" };
  const array = {
    zarr_format: 3,
    node_type: "array",
    shape: [12 * 4 ** level],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1024] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    dimension_names: ["cells"],
    attributes: { dggs: ellipsoid === "WGS84" ? { ...dggs, ellipsoid: WGS84 } : dggs },
  };
  const group = await Group.open(new Map([["/zarr.json", text({ zarr_format: 3, node_type: "group" })], ["/t/zarr.json", text(array)]]));
  return healpix(group, "t");
}

const isNear = (a, b, tolerance, about) => assert.ok(Math.abs(a - b) <= tolerance, `${about}: ${a} and ${b}`);

/** Difference of two longitudes, in degrees of a circle at a latitude. */
const apart = (a, b, latitude) => Math.abs(((a - b + 540) % 360) - 180) * Math.cos((latitude * Math.PI) / 180);

describe("HEALPix cells", () => {
  for (const { level, ellipsoid, ring, zuniq, found, longitudes, latitudes, corners } of answers()) {
    test(`of level ${level} on ${ellipsoid} are healpix-geo's`, async () => {
      const [nested, ringed, unique] = await Promise.all(["nested", "ring", "zuniq"].map((scheme) => gridOf(level, ellipsoid, scheme)));
      const at = points.map(([longitude, latitude]) => nested.cellAt(longitude, latitude));
      assert.deepEqual(at, Array.from(found, Number));
      points.forEach(([longitude, latitude], i) => {
        for (const grid of [ringed, unique]) assert.equal(nested.cellAt(...grid.centre(grid.cellAt(longitude, latitude))), at[i]);
      });
      cellsOf(level).forEach((cell, i) => {
        const centre = nested.centre(cell);
        isNear(apart(centre[0], longitudes[i], centre[1]), 0, 1e-12, `longitude of ${cell}`);
        isNear(centre[1], latitudes[i], 1e-12, `latitude of ${cell}`);
        assert.ok(centre[0] >= 0 && centre[0] < 360);
        nested.corners(cell).forEach(([longitude, latitude], corner) => {
          const [wantedLongitude, wantedLatitude] = corners.map((values) => values[4 * i + corner]);
          isNear(latitude, wantedLatitude, 1e-12, `latitude of corner ${corner} of ${cell}`);
          isNear(apart(longitude, wantedLongitude, latitude), 0, 1e-12, `longitude of corner ${corner} of ${cell}`);
          assert.ok(Math.abs(longitude - centre[0]) <= 180);
        });
        for (const [grid, id] of [[ringed, Number(ring[i])], [unique, zuniq[i]]]) {
          assert.deepEqual(grid.centre(id), centre);
          assert.equal(grid.cellAt(...centre), id);
        }
      });
    });
  }

  test("are those of published examples", async () => {
    const at = async (level, ellipsoid, scheme) => (await gridOf(level, ellipsoid, scheme)).cellAt(11.6, 48.1);
    const munich = { 0: [0, 0], 2: [10, 10], 10: [710052, 710048], 16: [2908374920, 2908356980] };
    for (const [level, cells] of Object.entries(munich)) assert.deepEqual([await at(Number(level), "sphere"), await at(Number(level), "WGS84")], cells);
    assert.deepEqual([await at(20), await at(24)], [744543979520, 190603258757323]);
    const sphere = await gridOf(2);
    assert.deepEqual([sphere.cellAt(45, 41.8103149), (await gridOf(2, "WGS84")).cellAt(45, 41.8103149)], [12, 3]);
    // The sentence of CF 1.13 on ellipsoids: the latitude is not 41.810.
    isNear((await gridOf(0, "WGS84")).centre(0)[1], 41.938, 5e-4, "the first cell's latitude");
    const corners = [[202.5, 19.4712], [213.75, 30], [202.5, 41.8103], [191.25, 30]];
    sphere.corners(40).forEach((corner, i) => corner.forEach((degrees, each) => isNear(degrees, corners[i][each], 5e-5, `corner ${i}`)));
    const fine = await gridOf(10, "sphere", "ring");
    isNear(apart(fine.centre(3681701)[0], 127.001953125, 24.5), 0, 1e-12, "longitude of ring cell 3681701");
    assert.equal((await gridOf(2, "sphere", "zuniq")).cellAt(202.5, 30), 1459166279268040704n);
    // A turn more or less is the same place.
    assert.deepEqual([-720, 0, 360].map((turn) => sphere.cellAt(11.6 + turn, 48.1)), [10, 10, 10]);
    // Parents and children, in each scheme.
    for (const scheme of ["nested", "ring", "zuniq"]) {
      const grid = await gridOf(6, "sphere", scheme);
      const cell = grid.cellAt(11.6, 48.1);
      for (const level of [0, 1, 3, 6]) {
        const outer = grid.parent(cell, level);
        assert.equal(outer, grid.cellAt(11.6, 48.1, level));
        const children = grid.children(outer, level);
        assert.equal(children.length, 4 ** (6 - level));
        assert.equal(new Set(children).size, children.length);
        assert.ok(children.includes(cell) && children.every((child) => grid.parent(child, level) === outer));
      }
    }
  });
});
