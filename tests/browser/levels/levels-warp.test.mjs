/** Reads of boxes give the pixels of GDAL's warp: each method at many sizes, and grids in one system read in another. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { inflateSync } from "node:zlib";
import proj4 from "proj4";

import { levelsOf, made } from "../support/levels.mjs";

const cases = JSON.parse(await readFile(new URL("warped.json", import.meta.url), "utf8"));

proj4.defs("EPSG:3413", "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84 +units=m");
proj4.defs("EPSG:3031", "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +datum=WGS84 +units=m");
proj4.defs("EPSG:3035", "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +towgs84=0,0,0 +units=m");

/** The formulas of tests/neighbours/warp_sets.py. */
const VALUES = {
  ramp: (row, col) => 8 * row + col,
  index: (row, col, width) => row * width + col,
  classes: (row, col) => (row * row + 3 * col * col + row * col) % 5,
  noise: (row, col) => (row * 7919 + col * 104729 + row * col * 31) % 1009,
};

/** The levels of a source: one array. */
async function opened({ kind, shape, transform, crs, missing = [] }) {
  const [height, width] = shape;
  const values = new Float64Array(height * width).map((_, i) => VALUES[kind](Math.floor(i / width), i % width, width));
  for (const [[top, bottom, down], [left, right, across]] of missing) {
    for (let row = top; row < bottom; row += down) for (let col = left; col < right; col += across) values[row * width + col] = NaN;
  }
  const files = made({ "spatial:transform": transform, "spatial:dimensions": ["y", "x"], "proj:code": crs }, { t: { shape, dimension_names: ["y", "x"], data_type: "float64" } });
  files.set("/t/c/0/0", new Uint8Array(values.buffer));
  return (await levelsOf(files, { variable: "t" })).levels;
}

/** Source pixels of a fixture's `places`. */
function unpacked(text) {
  const bytes = inflateSync(Buffer.from(text, "base64"));
  let sum = 0;
  return Array.from({ length: bytes.length / 4 }, (_, i) => (sum += bytes.readInt32LE(4 * i)));
}

const expectedOf = ({ values, places }) => values ?? unpacked(places).map((value) => (value < 0 ? null : value));

/** Places of every `step`-th pixel of lines and columns. */
const thinned = (data, [height, width], step = 1) => Array.from(data).filter((_, i) => Math.floor(i / width) % step === 0 && (i % width) % step === 0 && i < height * width);

/** Pixels that differ by more than a millionth, with their numbers. */
const offOf = (data, expected, tolerance) => expected.flatMap((value, i) => (Number.isNaN(data[i]) === (value === null) && !(Math.abs(data[i] - value) > tolerance) ? [] : [[i, data[i], value]]));

/**
 * Values that GDAL leaves out where the pixel under the centre is missing, for kernels wider than a pixel: sparse data would
 * vanish. A mean over the whole source, by the triangles' heights at its pixels.
 */
function wideMean({ kind, shape: [height, width], transform: [a, , c, , e, f], missing }, box, [lines, columns], i) {
  const isMissing = (row, col) => missing.some(([[top, bottom, down], [left, right, across]]) => row >= top && row < bottom && (row - top) % down === 0 && col >= left && col < right && (col - left) % across === 0);
  const edges = [(box[2] - box[0]) / columns, (box[3] - box[1]) / lines];
  const x = (box[0] + ((i % columns) + 0.5) * edges[0] - c) / a;
  const y = (box[3] - (Math.floor(i / columns) + 0.5) * edges[1] - f) / e;
  let [sum, total] = [0, 0];
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      const weight = Math.max(0, 1 - Math.abs(col + 0.5 - x) / Math.max(1, edges[0] / a)) * Math.max(0, 1 - Math.abs(row + 0.5 - y) / Math.max(1, edges[1] / -e));
      if (isMissing(row, col)) continue;
      sum += weight * VALUES[kind](row, col, width);
      total += weight;
    }
  }
  return x < 0 || x >= width || y < 0 || y >= height || total === 0 ? null : sum / total;
}

describe("boxes in the data's own system equal GDAL's", () => {
  for (const { source, box, crs, size, method, as, ...found } of cases.filter(({ name }) => !name)) {
    const [height, width] = size;
    test(`${method} of ${source.kind}${source.missing?.length ? " with gaps" : ""} ${box} ${size.join(" x ")} ${as ?? ""}`, async () => {
      const levels = await opened(source);
      const { data, shape, method: used } = await levels.read({ bbox: box, crs, width, height, method, ...(as && { as, fill: 250 }) });
      assert.deepEqual([shape, used], [size, method]);
      const isWide = method === "bilinear" && source.missing && (box[2] - box[0]) / width > source.transform[0] * 1.06;
      const expected = expectedOf(found).map((value, i) => (value === null && isWide ? wideMean(source, box, size, i) : value));
      const off = offOf(as ? [...data].map((value) => (value === 250 ? NaN : value)) : data, expected, 1e-6);
      assert.deepEqual(off, []);
    });
  }
});

describe("boxes in other systems equal GDAL's", () => {
  for (const { name, source, box, crs, size, step, method, ...found } of cases.filter(({ name }) => name)) {
    const [height, width] = size;
    test(`${method}: ${name} in ${crs} from ${source.transform[2]}`, async () => {
      const levels = await opened(source);
      const expected = expectedOf(found);
      const { data } = await levels.read({ bbox: box, crs, width, height, method, proj4, tolerance: 0 });
      // The transverse Mercators of proj4 and of PROJ differ by a tenth of a millimetre, and neighbours by 1000.
      const exact = offOf(thinned(data, size, step), expected, method === "nearest" ? 0 : 1e-3);
      assert.deepEqual(exact, []);
      if (method !== "nearest") return;
      // By the mesh, a pixel near an edge may be the next one, and nothing else.
      const { data: meshed } = await levels.read({ bbox: box, crs, width, height, method, proj4 });
      const off = offOf(meshed, expected, 0);
      const columns = source.shape[1];
      const isNext = ([, got, want]) => want === null || Number.isNaN(got) || [0, 1, columns - 1].includes(Math.abs((got % columns) - (want % columns))) && Math.abs(Math.floor(got / columns) - Math.floor(want / columns)) <= 1;
      assert.ok(off.every(isNext), "neighbours");
      assert.ok(off.length <= expected.length / 10, `${off.length} of ${expected.length} pixels differ`);
    });
  }
});
