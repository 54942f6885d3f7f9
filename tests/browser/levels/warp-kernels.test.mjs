/** The parts of a warp by themselves: meshes within their tolerance, areas of quadrilaterals, and kernels along an axis. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Taps, addBox, addTent, axisOf, cellOn, pointOn } from "../../../src/web/levels/axis.js";
import { windowOf } from "../../../src/web/levels/extent.js";
import { Footprint, addArea } from "../../../src/web/levels/footprint.js";
import { Lists } from "../../../src/web/levels/lists.js";
import { lineOf, meshed } from "../../../src/web/levels/mesh.js";
import { methodOf } from "../../../src/web/levels/methods.js";

const ended = (steps) => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** Numbers from 0 to 1, the same in every run. */
function numbers(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

const slotted = (axis) => ({ ...axis, slot: (cell) => cell });

describe("a mesh", () => {
  const MAPS = {
    affine: (u, v) => [0.7 * u - 0.3 * v + 5, 0.2 * u + 1.1 * v],
    curved: (u, v) => [u + 40 * Math.sin(v / 90), v + 0.002 * u * v],
    polar: (u, v) => [(Math.atan2(v - 100, u - 90) * 180) / Math.PI + 180, Math.hypot(u - 90, v - 100)],
    edged: (u, v) => (Math.hypot(u - 90, v - 100) > 80 ? [NaN, NaN] : [u + 0.01 * v * v, Math.sqrt(6400 - (u - 90) ** 2 - (v - 100) ** 2)]),
  };
  for (const [name, place] of Object.entries(MAPS)) {
    for (const tolerance of [0.125, 0.01, 0]) {
      for (const byCorners of [false, true]) {
        test(`${name}, within ${tolerance}${byCorners ? ", by corners" : ""}`, () => {
          let calls = 0;
          const turn = name === "polar" ? 360 : 0;
          const counting = (u, v) => (calls++, place(u, v));
          const leaves = ended(meshed(counting, 203, 187, { tolerance, turn, byCorners }));
          const seen = new Uint8Array(203 * 187);
          const [cols, rows] = [new Float64Array(65), new Float64Array(65)];
          const half = byCorners ? 0 : 0.5;
          for (const leaf of leaves) {
            for (let line = 0; line < leaf.height; line++) {
              lineOf(leaf, line, byCorners, cols, rows);
              for (let i = 0; i < leaf.width; i++) {
                seen[(leaf.v + line) * 203 + leaf.u + i]++;
                const [col, row] = place(leaf.u + i + half, leaf.v + line + half);
                assert.equal(Number.isNaN(cols[i]), Number.isNaN(col));
                const off = turn ? Math.abs(((cols[i] - col + 540) % 360) - 180) : Math.abs(cols[i] - col);
                if (!Number.isNaN(col)) assert.ok(off <= tolerance + 1e-9 && Math.abs(rows[i] - row) <= tolerance + 1e-9, `${leaf.u + i} ${leaf.v + line}: ${cols[i]} ${rows[i]}, not ${col} ${row}`);
              }
            }
          }
          const empty = [...seen.keys()].filter((i) => !seen[i]);
          assert.ok(seen.every((count) => count <= 1), "no pixel twice");
          assert.ok(empty.every((i) => Number.isNaN(place((i % 203) + 0.5, Math.floor(i / 203) + 0.5)[0])), "no pixel is left out that has a place");
          if (name === "affine") assert.ok(tolerance ? calls < 200 : calls > 203 * 187 - 1, `${calls} places`);
          if (name === "curved" && tolerance === 0.125) assert.ok(calls < 7000, `${calls} places`);
        });
      }
    }
  }
});

describe("areas", () => {
  test("of a turned pixel are those of fine points in it", () => {
    const next = numbers(7);
    for (let nth = 0; nth < 40; nth++) {
      const [angle, width, height, x, y] = [next() * 6, 0.5 + 3 * next(), 0.5 + 3 * next(), 5 + 4 * next(), 5 + 4 * next()];
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const at = (s, t) => [x + s * width * cos - t * height * sin, y + s * width * sin + t * height * cos];
      const axes = { cols: slotted(axisOf(12)), rows: slotted({ ...axisOf(11) }) };
      const footprint = new Footprint();
      addArea(footprint, axes, [at(0, 0), at(1, 0), at(1, 1), at(0, 1)]);
      const found = new Map();
      for (let line = 0; line < footprint.rows.count; line++) {
        for (let i = footprint.from[line]; i < footprint.to[line]; i++) found.set(`${footprint.cols.cells[i]} ${footprint.rows.cells[line]}`, footprint.cols.weights[i] * footprint.rows.weights[line]);
      }
      const points = new Map();
      const count = 200;
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < count; j++) {
          const [col, row] = at((i + 0.5) / count, (j + 0.5) / count).map(Math.floor);
          if (col >= 0 && col < 12 && row >= 0 && row < 11) points.set(`${col} ${row}`, (points.get(`${col} ${row}`) ?? 0) + (width * height) / count ** 2);
        }
      }
      // Along an axis, a footprint is a box between two corners, which is off by an eighth at most.
      if (Math.min(width, height) * Math.min(Math.abs(cos), Math.abs(sin)) < 0.13) continue;
      for (const key of new Set([...found.keys(), ...points.keys()])) assert.ok(Math.abs((found.get(key) ?? 0) - (points.get(key) ?? 0)) < 0.02 * width * height, `${nth}: ${key}`);
    }
  });
});

describe("an axis", () => {
  test("that goes around is closed, with a gap or without", () => {
    assert.deepEqual(axisOf(36, 36.0001), { size: 36, turn: 36, around: 36 });
    assert.deepEqual(axisOf(34, 36), { size: 34, turn: 36, around: 36 });
    assert.deepEqual(axisOf(34, 36.4), { size: 34, turn: 36.4, around: 0 });
    assert.deepEqual(axisOf(37, 36), { size: 37, turn: 36, around: 0 });
    assert.deepEqual(axisOf(5), { size: 5, turn: 0, around: 0 });
    assert.deepEqual([-1, 36, 71, 34, 35].map((cell) => cellOn(axisOf(35, 36), cell)), [-1, 0, -1, 34, -1]);
    assert.deepEqual([-0.5, 36.4, 34, 33.9, 72.9, -2.6].map((place) => pointOn(axisOf(34, 36.4), place)), [-1, 0, -1, 33, 0, 33]);
  });

  test("has its last edge outside, and the edge of a cell in the next one, whatever rounding does", () => {
    const axis = axisOf(8);
    assert.deepEqual([0, -1e-9, -1e-3, 3, 3 - 1e-12, 8, 8 - 1e-12, 7.999, NaN, Infinity].map((place) => pointOn(axis, place)), [0, 0, -1, 3, 3, -1, -1, 7, -1, -1]);
  });

  const tapsOf = (add, axis, ...more) => {
    const taps = new Taps();
    add(taps, slotted(axis), ...more);
    return taps.cells.slice(0, taps.count).map((cell, i) => [cell, Number(taps.weights[i].toFixed(6))]);
  };

  test("gives kernels their cells and weights", () => {
    assert.deepEqual(tapsOf(addTent, axisOf(8), 2.5, 1), [[2, 1]]);
    assert.deepEqual(tapsOf(addTent, axisOf(8), 2.75, 1), [[2, 0.75], [3, 0.25]]);
    assert.deepEqual(tapsOf(addTent, axisOf(8), 0.25, 1), [[0, 0.75]]);
    assert.deepEqual(tapsOf(addTent, axisOf(8, 8), 0.25, 1), [[7, 0.25], [0, 0.75]]);
    assert.deepEqual(tapsOf(addTent, axisOf(8), 3, 2), [[1, 0.25], [2, 0.75], [3, 0.75], [4, 0.25]]);
    assert.deepEqual(tapsOf(addTent, axisOf(8), 9, 2), []);
    assert.deepEqual(tapsOf(addBox, axisOf(8), 1.5, 3.25), [[1, 0.5], [2, 1], [3, 0.25]]);
    assert.deepEqual(tapsOf(addBox, axisOf(8), 3.25, 1.5), [[1, 0.5], [2, 1], [3, 0.25]]);
    assert.deepEqual(tapsOf(addBox, axisOf(8), 2, 4), [[2, 1], [3, 1]]);
    assert.deepEqual(tapsOf(addBox, axisOf(8), -3, 0.5), [[0, 0.5]]);
    assert.deepEqual(tapsOf(addBox, axisOf(3), -Infinity, Infinity), [[0, 1], [1, 1], [2, 1]]);
    assert.deepEqual(tapsOf(addBox, axisOf(8), 6, Infinity), [[6, 1], [7, 1]]);
    assert.deepEqual(tapsOf(addBox, axisOf(8), 2.5, 2.5 + 1e-9), [[2, 1]]);
    assert.deepEqual(tapsOf(addBox, axisOf(8, 8), 7.5, 8.5), [[7, 0.5], [0, 0.5]]);
    assert.deepEqual(tapsOf(addBox, axisOf(2, 3), 1, 8e15 + 1).length, 3, "many turns at once");
    assert.deepEqual(tapsOf(addBox, axisOf(2, 3), 0, 7.5), [[0, 2], [1, 2], [0, 1], [1, 0.5]]);
  });

  test("is read where kernels reach, in one range or two", () => {
    const cols = (places, method, size, turn) => windowOf(new Lists(Float64Array.from(places), Float64Array.of(0.5, 1.5)), methodOf(method, [1, 1]), { cols: axisOf(size, turn), rows: axisOf(4) })?.cols;
    assert.deepEqual(cols([2.5, 3.5, 4.5], "nearest", 100), [[2, 5]]);
    assert.deepEqual(cols([2.75, 3.75, 4.75], "bilinear", 100), [[2, 6]]);
    assert.deepEqual(cols([2, 3, 4], "average", 100), [[2, 4]]);
    assert.deepEqual(cols([98.5, 99.5, 100.5], "nearest", 100), [[98, 100]]);
    assert.deepEqual(cols([98.5, 99.5, 100.5], "nearest", 100, 100), [[98, 100], [0, 1]]);
    assert.deepEqual(cols([98.5, 99.5, 100.5], "nearest", 98, 100), [[0, 1]]);
    assert.deepEqual(cols([200.5, 201.5], "nearest", 100), undefined);
    assert.deepEqual(cols([1e9 - 0.5, 1e9 + 0.5], "nearest", 1e9, 1e9), [[1e9 - 1, 1e9], [0, 1]]);
  });
});

test("bilinear kernels are as wide as pixels, as GDAL rounds them", () => {
  const scale = (ratio, isNarrow) => methodOf("bilinear", ratio, isNarrow).scale;
  assert.deepEqual([scale([0.2, 0.9]), scale([1.05, 1.04]), scale([1.06, 1]), scale([1.97, 3.5]), scale([4, 4], true)], [[1, 1], [1, 1], [1.06, 1], [2, 3.5], [1, 1]]);
});
