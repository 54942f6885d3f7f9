/** The explorer's maps of unstructured grids: which cell a place lies in, against all cells one by one; what is drawn, said and charted. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { diskStore, imported } from "../support/in-node.mjs";
import { startMade } from "../support/made.mjs";
import { ROOT } from "../support/paths.mjs";
import { siteModule } from "../support/site-modules.mjs";

const SCREENSHOTS = join(ROOT, "target/screenshots");
const COORDINATES = { icon: ["clon", "clat"], centres: ["clon", "clat"], reduced: ["longitude", "latitude"], ocean: ["lon", "lat"] };
const HOW = { icon: /^5,120 cells by clat and clon: each pixel shows the cell that it lies in\.$/, centres: /cell whose centre is the nearest\.$/, reduced: /cell whose centre is the nearest\.$/, ocean: /centre is the nearest, as far as cells reach\.$/ };

const APART = [-0.4, -0.2, 0, 0.2, 0.4]; // degrees, within which a pixel of the page lies around a place
const cellsAround = ({ cellAt }, lon, lat) => APART.flatMap((x) => APART.map((y) => cellAt(lon + x, lat + y)));

const { chunksIn } = await siteModule("earth/sphere/plan.js");

describe("chunks of a view of cells", () => {
  const [HEIGHT, WIDTH] = [1024, 2048];
  const grid = (long) => ({ shape: [Math.ceil((HEIGHT * WIDTH) / long)], chunkAt: ([at]) => ({ coords: [Math.floor(at / long)] }), bounds: ([nth]) => ({ start: [nth * long], stop: [(nth + 1) * long] }) });

  /** Chunks of cells that are numbered by rows, as far as `has(row, column)` says, and how many places were looked up. */
  function chunksOf(long, has = () => true, box = [[0, HEIGHT], [0, WIDTH]]) {
    let looked = 0;
    const placeAt = (row, column) => (looked++, has(row, column) ? row * WIDTH + column : -1);
    const found = chunksIn({ axis: 0, shape: [HEIGHT * WIDTH], placeAt }, { grid: grid(long) }, { shape: [HEIGHT, WIDTH], usual: [0, 1] }, box, [1, 1]);
    return { found, looked };
  }

  test("of a grid in one chunk few places are looked up, and none is there where no cell is in view", () => {
    const { found, looked } = chunksOf(HEIGHT * WIDTH);
    assert.deepEqual(found, [0]);
    assert.ok(looked <= 4, `${looked} places`);
    assert.deepEqual(chunksOf(HEIGHT * WIDTH, () => false).found, []);
    assert.deepEqual(chunksOf(HEIGHT * WIDTH, (row, column) => row > 700 && row < 720 && column > 500 && column < 530).found, [0]);
  });

  test("of several chunks all are found, by the places between them", () => {
    const { found, looked } = chunksOf((HEIGHT * WIDTH) / 4);
    assert.deepEqual(found, [0, 1, 2, 3]);
    assert.ok(looked < 2500, `${looked} places`);
    assert.deepEqual(chunksOf(WIDTH * 16).found, Array.from({ length: 64 }, (_, n) => n));
    assert.deepEqual(chunksOf(WIDTH * 128, undefined, [[300, 310], [0, 100]]).found, [2]);
  });
});

describe("the explorer's maps of unstructured grids", () => {
  let made;
  let expected;
  let user;

  before(async () => {
    made = await startMade("unstructured.py");
    expected = JSON.parse(await readFile(join(made.directory, "expected.json"), "utf8"));
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => made?.close());
  beforeEach(async () => (user = await made.explorer.page()));
  afterEach(() => user.close());

  const at = (name, more = "") => `url=${made.explorer.site.url}/made/${name}.zarr/t${more}`;
  const pointAt = (lon, lat, click) => user.point([((lon + 540) % 360) - 0.5, 90 - lat - 0.5], [360, 180], { click });
  const whole = "&view=1,1,1";
  const shot = (name) => user.page.screenshot({ path: join(SCREENSHOTS, `earth-scattered-${name}.png`) });

  /** `cellAt` of a store, and how many times its making let the page answer. */
  async function cellsBy(name) {
    const [{ binsOf }, { outlinesOf }, { cellsOf }] = await Promise.all(["bins", "outlines", "cells"].map((file) => siteModule(`earth/scattered/${file}.js`)));
    const { RectilinearArray } = await imported("node.js");
    let turns = 0;
    const turn = async () => void turns++;
    const degrees = async (path) => {
      const array = await RectilinearArray.open(diskStore(`${name}.zarr`, made.directory), { path });
      const { data } = await array.get(null, { decode: "cf", as: "float64" });
      return Float32Array.from(data, (v) => (array.attrs.units === "radian" ? (v * 180) / Math.PI : v));
    };
    const [lons, lats] = await Promise.all(COORDINATES[name].map(degrees));
    const outlines = name === "icon" ? await outlinesOf(...(await Promise.all(["clon_vertices", "clat_vertices"].map(degrees))), 3, turn) : undefined;
    return cellsOf(await binsOf(lons, lats, turn), outlines, lons.length);
  }

  for (const name of Object.keys(COORDINATES)) {
    test(`${name}: each of a thousand places is in the cell that numpy finds among all`, async () => {
      const { cellAt } = await cellsBy(name);
      const { places } = expected[name];
      assert.ok(places.length > 900);
      const wrong = places.filter(([lon, lat, cell]) => cellAt(lon, lat) !== cell).map(([lon, lat, cell]) => `${lon}, ${lat}: ${cellAt(lon, lat)}, not ${cell}`);
      assert.deepEqual(wrong, []);
    });

    test(`${name}: pixels show their cells, the tip names them, and a click charts one`, async () => {
      await user.show(at(name, whole));
      await user.page.addStyleTag({ content: ".zoom { display: none }" }); // which lies over some cells
      assert.match(await user.text("#figure .note"), HOW[name]);
      const all = expected[name].places;
      const some = [...all.filter(([, , cell]) => cell < 0).slice(0, 2), ...all.filter(([, , cell]) => cell >= 0).slice(0, name === "ocean" ? 3 : 8)];
      const grid = await cellsBy(name);
      for (const [lon, lat] of some) {
        await pointAt(lon, lat);
        // A pixel of the screen is a cell of the map, whose middle may lie in a neighbour of the place's cell.
        const { cell, value } = await user.page.$eval(".tip", (tip) => ({ cell: /cell (-?\d+)/.exec(tip.querySelector(".degrees").textContent)?.[1], value: tip.querySelector("b").textContent }));
        const around = cellsAround(grid, lon, lat);
        assert.ok(around.includes(Number(cell)), `${lon}, ${lat}: cell ${cell} is none of ${around}`);
        const values = expected[name].values;
        assert.equal(value, cell < 0 ? "no data" : `${Number(values[cell].toPrecision(5)).toLocaleString("en", { maximumFractionDigits: 6 })} °C`);
      }
      const [lon, lat] = all.find(([east, north]) => cellsAround(grid, east, north).every((cell) => cell >= 0));
      await pointAt(lon, lat, true);
      await user.says("#series h2", /^Along time at /);
      await user.page.click('[aria-label="Next step, time"]');
      await user.waitFor(() => document.querySelector("#view").dataset.at === "1");
      await user.settled();
      await shot(name);
      assert.deepEqual(user.problems, []);
    });
  }

  test("a pixel of the picture is coloured by the value of its cell", async () => {
    await user.show(at("icon", `${whole}&coast=0&colours=viridis&range=-5,40`));
    await user.waitFor(() => document.querySelector("#plot canvas")?.width > 0);
    const { width, height, data } = await user.page.evaluate(() => {
      const canvas = document.querySelector("#plot canvas");
      const { width: wide, height: tall } = canvas;
      return { width: wide, height: tall, data: [...canvas.getContext("2d").getImageData(0, 0, wide, tall).data] };
    });
    const [{ cellAt }, { colourTable, loadColours }] = await Promise.all([cellsBy("icon"), siteModule("model/colormap.js")]);
    await loadColours("viridis");
    const table = colourTable("viridis");
    const { values } = expected.icon;
    let [seen, wrong] = [0, 0];
    for (let n = 0; n < width * height; n += 37) {
      const place = [((n % width) + 0.02) * (360 / width) - 180, 90 - (Math.floor(n / width) + 0.02) * (180 / height)]; // of the sample, its first corner
      const entry = Math.floor(((values[cellAt(...place)] + 5) / 45) * 256);
      seen++;
      if ([0, 1, 2].some((k) => Math.abs(data[4 * n + k] - table[3 * entry + k]) > 1)) wrong++;
    }
    assert.ok(seen > 1000);
    assert.ok(wrong < seen / 50, `${wrong} of ${seen} pixels show another cell`); // of samples on the side between two
  });

  test("a region opens with its cells in view, a globe shows them, and observations of a ship stay a line", async () => {
    await user.show(at("icon", "&projection=globe,10,45,1"));
    await user.page.waitForSelector("#figure .warped", { timeout: 60_000 });
    await shot("globe");
    await user.show(at("track"));
    assert.equal(await user.page.$eval("#plot", ({ ariaLabel }) => ariaLabel.startsWith("Line plot")), true);
    await user.show(`url=${made.explorer.site.url}/made/icon.zarr/clat`);
    assert.equal(await user.page.$eval("#plot", ({ ariaLabel }) => ariaLabel.startsWith("Line plot")), true);
    assert.deepEqual(user.problems, []);
  });
});
