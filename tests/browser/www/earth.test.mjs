/** The explorer's maps on the Earth: degrees and coast lines of grids in many systems, against PROJ. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";

const GRIDS = join(NEIGHBOURS, "earth");
const SCREENSHOTS = join(ROOT, "target/screenshots");
const { grids, pyramid } = JSON.parse(await readFile(join(GRIDS, "oracle.json"), "utf8"));
const turned = (lon) => lon - 360 * Math.round(lon / 360);

/** Longitude and latitude of a text such as "48.12° N, 11.58° E", and half of its last figure. */
function placeIn(text) {
  const [, lat, ns, lon, ew] = /([\d.]+)° ([NS]), ([\d.]+)° ([EW])$/.exec(text) ?? assert.fail(`"${text}" is no place`);
  return { lon: lon * (ew === "W" ? -1 : 1), lat: lat * (ns === "S" ? -1 : 1), off: 0.51 * 10 ** -lat.split(".")[1].length };
}

describe("the explorer's maps on the Earth", () => {
  let explorer;
  let user;

  before(async () => {
    explorer = await startExplorer({ "/grids": GRIDS, "/levels": join(NEIGHBOURS, "levels") }, { keeps: false });
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => explorer?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const at = (path, more = "") => `url=${explorer.site.url}/grids/${path}${more}`;
  const words = (pattern) => user.says("#earth", pattern);
  const shot = (name) => user.page.screenshot({ path: join(SCREENSHOTS, `earth-${name}.png`) });
  /** Points of the coast in units of the picture. */
  const coast = async () => (await user.page.waitForSelector("#plot .coast", { timeout: 60_000 })) && user.page.$eval("#plot .coast .line", (path) => path.getAttribute("d").split(/[ML]/).filter(Boolean).map((pair) => pair.split(",").map(Number)));

  /** Checks the tip over cells of the oracle, and the coast at its vertices; `isUp` where rows lead north. */
  async function checks(name, { shape: [rows, columns], places, coast: vertices }, isUp) {
    const down = (row) => (isUp ? rows - row : row);
    for (const [row, column, lon, lat] of places) {
      await user.point([column, down(row + 0.5) - 0.5], [columns, rows]);
      assert.equal(await user.text(".tip b"), (1000 * row + column).toLocaleString("en"));
      const found = placeIn(await user.text(".tip .degrees"));
      assert.ok(Math.abs(turned(found.lon - lon)) <= found.off && Math.abs(found.lat - lat) <= found.off, `${[found.lon, found.lat]} is not ${[lon, lat]}`);
    }
    const points = await coast();
    assert.ok(vertices.length > 4);
    for (const [row, column] of vertices) {
      const near = Math.min(...points.map(([x, y]) => Math.hypot(x - column, y - down(row))));
      assert.ok(near < 0.03, `no coast at row ${row}, column ${column}, but ${near} cells away`);
    }
    await shot(name);
  }

  const PROJECTED = {
    "utm.zarr": [/from EPSG:32633/, false], "wkt.zarr": [/from the WKT/, false], "projjson.zarr": [/from the PROJJSON/, false], "lcc.zarr": [/lambert_conformal_conic/, true], "polar.zarr": [/polar_stereographic/, false], "goes.zarr": [/geostationary/, false],
    "rotated.zarr": [/rotated_latitude_longitude/, true], "geozarr.zarr": [/from EPSG:3035/, false],
  };
  for (const [name, [pattern, isUp]] of Object.entries(PROJECTED)) {
    test(`${name}: says degrees beside x and y, and draws the coast through the projection`, async () => {
      explorer.given.status = (url) => (url.includes("land-50m") ? 404 : 200); // whose vertices are others
      await user.show(at(`${name}/v`));
      await words(pattern);
      await checks(name, grids[name], isUp);
      assert.equal(await user.page.$eval("#coast", ({ parentElement }) => parentElement.hidden), false);
      assert.deepEqual(user.problems, []);
    });
  }

  for (const name of ["curvilinear-180.zarr", "curvilinear-360.zarr"]) {
    test(`${name}: latitudes and longitudes of two axes give degrees, and the coast across the seam`, async () => {
      explorer.given.status = (url) => (url.includes("land-50m") ? 404 : 200);
      await user.show(at(`${name}/v`));
      await words(/those of nav_lat and nav_lon\.$/);
      await checks(name, grids[name], true);
      await user.point([1, 48], [80, 50]); // row 1: its place is missing
      assert.equal(await user.text(".tip b"), "1,001");
      assert.equal(await user.page.$(".tip .degrees"), null);
      assert.deepEqual(user.problems, []);
    });
  }

  test("of a system that is not known, x and y alone are said, and why", async () => {
    await user.show(at("unknown.zarr/v"));
    await words(/EPSG:99999, of which this page cannot calculate degrees/);
    await user.point([3, 4], [90, 80]);
    assert.equal(await user.text(".tip b"), "4,003");
    assert.equal(await user.page.$(".tip .degrees"), null);
    assert.equal(await user.page.$("#plot .coast"), null);
    assert.equal(await user.page.$eval("#coast", ({ parentElement }) => parentElement.hidden), true);
    assert.deepEqual(user.problems, []);
  });

  test("a pyramid's own system gives degrees to its arrays", async () => {
    await user.show(`url=${explorer.site.url}/levels/topozarr.zarr/0/band`);
    await words(/Degrees are calculated/);
    await user.point([400, 300], [800, 600]);
    assert.equal(await user.text(".tip b"), "300,400");
    const { lon, lat, off } = placeIn(await user.text(".tip .degrees"));
    assert.ok(Math.abs(lon - pyramid[0]) <= off && Math.abs(lat - pyramid[1]) <= off && off < 1e-5, `${[lon, lat]} is not ${pyramid}`);
    assert.deepEqual(user.problems, []);
  });
});
