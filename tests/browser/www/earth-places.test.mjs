/** Places in the explorer: longitudes from 0 to 360, Gaussian latitudes, the finer coast, large grids of places, and pins kept across arrays. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startMade } from "../support/made.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";

const GRIDS = join(NEIGHBOURS, "earth");
const SCREENSHOTS = join(ROOT, "target/screenshots");
const { gaussian, pins } = JSON.parse(await readFile(join(GRIDS, "oracle.json"), "utf8"));

/** Vertices of the coast of world-atlas, at a scale of 1:110 or 1:50 million, decoded by topojson's rules. */
async function verticesOf(scale) {
  const atlas = createRequire(join(ROOT, "www/package.json")).resolve(`world-atlas/land-${scale}m.json`);
  const { arcs, transform } = JSON.parse(await readFile(atlas, "utf8"));
  return arcs.flatMap((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]) => [(x += dx), (y += dy)].map((n, k) => n * transform.scale[k] + transform.translate[k]));
  });
}

describe("places in the explorer", () => {
  let explorer;
  let made;
  let user;

  before(async () => {
    made = await startMade("earth.py", { "/grids": GRIDS }, { keeps: false });
    explorer = made.explorer;
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => made?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const at = (path, more = "") => `url=${explorer.site.url}/grids/grids.zarr/${path}${more}`;
  const shot = (name) => user.page.screenshot({ path: join(SCREENSHOTS, `earth-${name}.png`) });
  const coast = () => user.page.$eval("#plot .coast .line", (path) => path.getAttribute("d").split(/[ML]/).filter(Boolean).map((pair) => pair.split(",").map(Number)));
  /** Row and column of the pin in the link, before its positions along the other axes. */
  const pointed = () => user.page.evaluate(() => /point=([^&]*)/.exec(location.hash)?.[1].split(",").slice(0, 2).map(Number));
  const choose = async (path) => {
    await user.page.click(`[data-path="${path}"]`);
    await user.waitFor((wanted) => document.querySelector('[role="treeitem"][aria-selected="true"]')?.dataset.path === wanted, path);
    await user.settled();
  };

  /** Checks that vertices of the coast are where `cellOf([lon, lat])` puts them, as column and row from the top. */
  async function hasCoast(vertices, cellOf, scale) {
    await user.waitFor((wanted) => document.querySelector("#plot .coast")?.dataset.scale === wanted, String(scale));
    const points = new Set((await coast()).map((pair) => pair.map((n) => n.toFixed(2)).join()));
    const near = ([x, y]) => [-0.01, 0, 0.01].some((dx) => [-0.01, 0, 0.01].some((dy) => points.has(`${(x + dx).toFixed(2)},${(y + dy).toFixed(2)}`)));
    for (const vertex of vertices) assert.ok(near(cellOf(vertex)), `no coast at ${vertex}`);
  }
  const some = (vertices, isNear) => {
    const found = vertices.filter(([lon, lat]) => Math.abs(lon) < 179 && lat > -80 && isNear(lon, lat));
    assert.ok(found.length > 5);
    return found.filter((_, i) => i % Math.ceil(found.length / 40) === 0);
  };

  test("longitudes from 0 to 360 have the coast on both sides of Greenwich, and are said east and west", async () => {
    await user.show(at("east/t"));
    const vertices = await verticesOf(110);
    await hasCoast(some(vertices, () => true), ([lon, lat]) => [((lon + 360) % 360) / 4, (90 - lat) / 4], 110);
    for (const [column, row, words] of [[89, 9, "52° N, 2° W"], [0, 9, "52° N, 2° E"], [45, 30, "32° S, 178° W"]]) {
      await user.point([column, row], [90, 45]);
      assert.equal(await user.text(".tip span"), words);
    }
    await shot("east");
    assert.deepEqual(user.problems, []);
  });

  test("latitudes at unequal distances have the coast between their rows", async () => {
    await user.show(at("west/t"));
    const rowOf = (lat) => {
      const i = Math.min(gaussian.length - 2, Math.max(0, gaussian.findLastIndex((each) => each <= lat)));
      return i + 0.5 + (lat - gaussian[i]) / (gaussian[i + 1] - gaussian[i]);
    };
    await hasCoast(some(await verticesOf(110), () => true), ([lon, lat]) => [(lon + 180) / 2.5, 64 - rowOf(lat)], 110);
    assert.deepEqual(user.problems, []);
  });

  test("the finer coast is loaded as one zooms in, and the coarser one stands again for the whole", async () => {
    const asked = [];
    explorer.given.delay = (url) => (url.includes("land-50m") && asked.push(url), 0);
    await user.show("at=100");
    await user.waitFor(() => document.querySelector("#plot .coast")?.dataset.scale === "110");
    assert.equal(asked.length, 0);
    await user.show("at=100&view=132,192,12"); // 42 N, 12 E
    await hasCoast(some(await verticesOf(50), (lon, lat) => Math.hypot(lon - 12, lat - 42) < 6), ([lon, lat]) => [lon + 180, 90 - lat], 50);
    assert.ok((await coast()).length < 20_000, "of the coast, what is around the view");
    await shot("finer");
    await user.page.click('[aria-label="Show all of it"]');
    await user.waitFor(() => document.querySelector("#plot .coast").dataset.scale === "110");
    assert.deepEqual(user.problems, []);
  });

  test("a grid of more places than are read says degrees between them", async () => {
    const asked = [];
    explorer.given.delay = (url) => (asked.push(url), 0);
    await user.show(`url=${explorer.site.url}/made/wide.zarr/v&view=700,750,20`);
    await user.says("#earth", /read at every 2 by 2 cells and interpolated between/);
    await user.point([0.5, 0.5], [2, 2]);
    const cell = Number((await user.text(".tip b")).replaceAll(",", ""));
    const [row, column] = [Math.floor(cell / 1500), cell % 1500];
    const [, lat, lon] = /^about ([\d.]+)° N, ([\d.]+)° E$/.exec(await user.text(".tip .degrees"));
    assert.ok(Math.abs(lat - (30 + 0.02 * row + 0.003 * column)) < 0.001 && Math.abs(lon - (10 + 0.03 * column - 0.004 * row)) < 0.001, `${lat}, ${lon} at ${row}, ${column}`);
    assert.ok(new Set(asked.filter((url) => url.includes("/lat/c/"))).size <= 12);
    await user.storage();
    assert.match(await user.text("#ledger"), /Place on the Earth/);
    assert.deepEqual(user.problems, []);
  });

  for (const [store, words, most, close] of [["bent.zarr", "every 2 by 2", 400, 6e-4], ["crumbs.zarr", "every 128 by 64", 512, 5e-3]]) {
    test(`of two coordinates of 2000 x 2000 cells at most ${most} chunks are read, once, and degrees are right all over the grid: ${store}`, async () => {
      const { places, degrees } = JSON.parse(await readFile(join(made.directory, "bent.json"), "utf8"));
      explorer.site.requests.length = 0;
      await user.show(`url=${explorer.site.url}/made/${store}/v`);
      await user.says("#earth", new RegExp(`read at ${words} cells and interpolated between`));
      for (const name of ["lat", "lon"]) {
        const urls = explorer.site.requests.map(({ url }) => url).filter((url) => url.includes(`/${name}/c/`));
        assert.equal(new Set(urls).size, urls.length, "no chunk twice");
        assert.ok(urls.length > 0 && urls.length <= most, `${urls.length} chunks of ${name}`);
      }
      /** Checks what the tip says of the cell under the pointer, which it gives. */
      const told = async () => {
        const cell = Number((await user.text(".tip b")).replaceAll(",", ""));
        assert.ok(degrees[cell], `cell ${cell} is none around the places`);
        const [lon, lat] = degrees[cell];
        const [, north, side, turn] = /^about ([\d.]+)° N, ([\d.]+)° (E|W)$/.exec(await user.text(".tip .degrees"));
        const east = turn === "E" ? Number(side) : -Number(side);
        assert.ok(Math.abs(lat - north) <= close && Math.abs(lon - east) <= close, `${north}, ${east} is not ${lat}, ${lon}`);
        return cell;
      };
      for (const [row, column] of places) {
        await user.point([column, row], [2000, 2000]);
        await told();
      }
      // Of four cells under a pixel one is drawn; nearer, each of them is.
      const [row, column] = places.at(-1);
      await user.page.focus("#plot");
      for (let nth = 0; nth < 6; nth++) await user.page.keyboard.press("+");
      await user.settled();
      await user.says("#earth", /interpolated between/);
      const box = await user.page.$eval("#plot .overlay", (overlay) => overlay.getAttribute("viewBox").split(" ").map(Number));
      assert.ok(box[2] < 500, `${box[2]} columns`);
      await user.point([(column + 0.5 - box[0]) / box[2] - 0.5, (row + 0.5 - box[1]) / box[3] - 0.5], [1, 1]);
      assert.equal(await told(), row * 2000 + column);
      assert.deepEqual(user.problems, []);
    });
  }

  test("the coast leaves the pin of a link where it is", async () => {
    await user.show("at=10&point=20,20");
    await user.page.waitForSelector("#plot .coast");
    await user.page.waitForSelector("#plot .pin");
    assert.deepEqual(user.problems, []);
  });

  test("a pin stays at its place on the Earth as other arrays of the store are opened", async () => {
    for (const [row, column, lon, lat] of pins) {
      await user.show(at("local/u", `&point=${row},${column}`));
      assert.deepEqual(await pointed(), [row, column]);
      await user.says("#earth", /those of lat and lon/);
      await user.says("#series h2", /^Along time/);
      await choose("east/t");
      await user.says("#series h2", /^Along time at \d/);
      assert.deepEqual(await pointed(), [Math.floor((90 - lat) / 4), Math.floor(((lon + 360) % 360) / 4)]);
      await choose("west/t");
      await user.says("#series h2", /^Along time at /);
      const [gaussRow, gaussColumn] = await pointed();
      assert.equal(gaussColumn, Math.floor((((lon + 540) % 360)) / 2.5));
      assert.equal(gaussRow, gaussian.reduce((best, each, i) => (Math.abs(each - lat) < Math.abs(gaussian[best] - lat) ? i : best), 0));
      await choose("west/still"); // which has no axis to chart along
      await user.page.waitForSelector("#plot .pin");
      assert.deepEqual(await user.page.$eval("#plot .pin", (pin) => ["x", "y"].map((name) => Number(pin.getAttribute(name)))), [gaussColumn, 63 - gaussRow]);
      await choose("local/u");
      await user.says("#series h2", /^Along time at j/);
      assert.deepEqual(await pointed(), [row, column]);
    }
    await user.page.click("#series .quiet");
    await choose("east/t");
    assert.equal(await user.page.$eval("#series", ({ hidden }) => hidden), true);
    assert.deepEqual(user.problems, []);
  });
});
