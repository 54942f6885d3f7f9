/** Areas on the explorer's map: what a text says, how far one reaches, and that statistics in a drawn one are those of the package. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { areaIn, areaOf, linesOf, reachOf } = await siteModule("answers/area.js");
const { byMonth, curvesOf } = await siteModule("answers/question.js");

const TRIANGLE = [[0, 10], [30, 10], [15, 40], [0, 10]];

test("pairs of numbers and GeoJSON say an area, and what is none is refused with a remedy", () => {
  const wanted = { type: "MultiPolygon", coordinates: [[TRIANGLE]] };
  for (const text of ["0 10, 30 10, 15 40", "0,10\n30,10\n15,40\n0,10", "[[0,10],[30,10],[15,40]]", "0;10;3e1;+10;15.0;40", JSON.stringify({ type: "Polygon", coordinates: [TRIANGLE] })]) {
    assert.deepEqual(areaOf(text).geojson, wanted, text);
  }
  const feature = { type: "Feature", properties: {}, geometry: { type: "MultiPolygon", coordinates: [[TRIANGLE], [TRIANGLE]] } };
  const { geojson } = areaOf(JSON.stringify({ type: "FeatureCollection", features: [feature, { type: "Feature", geometry: null }, feature] }));
  assert.equal(geojson.coordinates.length, 4);
  for (const [text, problem] of [
    ["0 10, 30 10, 15", /5 numbers/], ["0 10, 30 10", /fewer than three/], ["", /fewer than three/], ["0 10, 30 100, 15 40", /“30,100”/], ["Europe", /neither GeoJSON nor pairs/],
    ['{"type":"Point","coordinates":[1,2]}', /“Point” is no area/], ['{"a":1}', /no GeoJSON/], ['{"type":"FeatureCollection","features":[]}', /no polygon/], ['{"type":"Polygon","coordinates":[]}', /no ring/], ['{"type":"Polygon","coordinates":[7]}', /no list/],
  ]) assert.throws(() => areaOf(text), (error) => problem.test(error.message) && /longitude/.test(error.message), text);
});

test("corners that were drawn the long way stay so, and those around a pole close there", () => {
  const wide = areaIn([[-170, -10], [170, -10], [170, 10], [-170, 10]]);
  assert.deepEqual([wide.unwraps, wide.geojson.coordinates[0][0][1]], [false, [170, -10]]);
  const seam = areaIn([[170, -10], [190, -10], [190, 10], [170, 10]]);
  assert.deepEqual([seam.unwraps, seam.geojson.coordinates[0][0][1]], [true, [-170, -10]]);
  assert.deepEqual(linesOf(seam)[0].map(([lon]) => lon), [170, 190, 190, 170, 170]);
  const west = areaIn([[-400, 0], [-210, 0], [-210, 20]]);
  assert.ok(west.geojson.coordinates[0][0].every(([lon]) => lon >= -180));
  const tent = areaIn([[-170, 0], [0, 20], [170, 0]]);
  assert.deepEqual([tent.unwraps, linesOf(tent)[0].at(-1)], [false, [-170, 0]], "the last edge goes back over the map");
  const pole = areaIn([[0, 70], [90, 70], [180, 70], [270, 70]], true);
  const [line] = linesOf(pole);
  assert.equal(Math.abs(line.at(-1)[0] - line[0][0]), 360);
  const degree = { turns: [-360, 0, 360], toCell: ([lon, lat]) => [lat + 90, lon + 180] };
  assert.deepEqual(reachOf(pole, degree, [180, 360]), [[0, 180], [0, 360]]);
  assert.deepEqual(reachOf(areaOf("0.5 10.5, 30.5 10.5, 15 40.5"), degree, [180, 360]), [[100, 131], [180, 211]]);
  assert.deepEqual(reachOf(seam, degree, [180, 360]), [[80, 100], [0, 360]], "at both ends");
  assert.equal(reachOf(areaOf("0 60, 30 60, 15 80"), degree, [120, 360]), undefined, "beside the grid");
});

test("an area may have more corners than a call takes arguments", () => {
  const corners = Array.from({ length: 300_000 }, (_, i) => [30 * Math.cos((i * Math.PI) / 150_000), 20 * Math.sin((i * Math.PI) / 150_000)]);
  const many = areaOf(JSON.stringify({ type: "Polygon", coordinates: [corners] }));
  const degree = { turns: [-360, 0, 360], toCell: ([lon, lat]) => [lat + 90, lon + 180] };
  assert.deepEqual(reachOf(many, degree, [180, 360]), [[70, 110], [150, 210]]);
});

test("months of steps: their mean or extreme, and none of deviations", () => {
  const moments = [1, 1, 2, 12].map((month) => ({ date: [2024, month, 1], ms: 0 }));
  const { values, range } = byMonth(Float64Array.of(1, 3, NaN, 5), moments, "mean");
  assert.deepEqual([values[0], values[1], values[11], range], [2, NaN, 5, [2, 5]]);
  assert.equal(byMonth(Float64Array.of(1, 3, 4, 5), moments, "min").values[0], 1);
  assert.equal(byMonth(Float64Array.of(1, 3, 4, 5), moments, "max").values[0], 3);
  const state = { dataset: { shape: [4, 10, 20], axes: [{ moments }, {}, {}] }, axes: [1, 2], index: [0, 0, 0] };
  assert.deepEqual(curvesOf(state, "mean", {}).map(({ axis, byMonth: isByMonth }) => [axis, isByMonth]), [[0, undefined], [0, true]]);
  assert.equal(curvesOf(state, "std", {}).length, 1);
  assert.deepEqual(curvesOf({ dataset: { shape: [10, 20], axes: [{}, {}] }, axes: [0, 1], index: [0, 0] }, "mean", {}), [{ over: [0, 1] }]);
});

describe("an area on the page", () => {
  let explorer;
  let user;
  before(async () => (explorer = await startExplorer({})));
  after(() => explorer?.close());
  beforeEach(async () => {
    user = await explorer.page();
    await user.takeFiles();
    await user.show("url=data/clear-sky-2024.zarr/ghi&at=171");
    await user.page.click("#answers summary");
    await user.page.waitForSelector(".area-choices:not([hidden])");
  });
  afterEach(() => user.close());

  const press = (label) => user.page.evaluate((text) => [...document.querySelectorAll("#answers button, .area-bar button")].find((button) => button.textContent === text && button.checkVisibility()).click(), label);
  const choose = (words) => user.page.select('#answers select[aria-label="Curve"]', words);
  /** Where a place is on the screen. */
  const at = (lon, lat) => user.page.$eval("#plot", (plot, x, y) => {
    plot.scrollIntoView({ block: "center" });
    const box = plot.getBoundingClientRect();
    return [box.x + (box.width * (x + 180)) / 360, box.y + (box.height * (90 - y)) / 180];
  }, lon, lat);
  const curve = async () => {
    await press("Curve as CSV");
    const text = await user.page.evaluate(() => globalThis.saved.pop().text());
    return text.trim().split("\n").slice(1).map((line) => line.split(","));
  };
  /** What the package says of the steps, in an area whose corners are those of cells. */
  const CORNERS = [[0, 0], [40, 0], [40, 30], [0, 30]];
  const answered = async () => {
    const { RectilinearArray } = await import("../support/in-node.mjs").then(({ imported }) => imported("node.js"));
    const { zonal } = await import("../support/in-node.mjs").then(({ imported }) => imported("answers.js"));
    const array = await RectilinearArray.open(`${explorer.site.url}/data/clear-sky-2024.zarr/ghi`);
    try {
      const { mean, max } = await zonal(array, { type: "Polygon", coordinates: [[...CORNERS, CORNERS[0]]] }, { stats: ["mean", "max"], weights: "area" });
      return { mean: mean.data, max: max.data };
    } finally {
      array.free();
    }
  };

  test("clicks draw one, a double click closes it, and its curve by day and by month is the package's", async () => {
    await press("Draw an area");
    await user.says(".area-bar", /Click the corners/);
    const first = await user.text("#series h2").catch(() => "");
    for (const [i, corner] of CORNERS.entries()) {
      const place = await at(...corner);
      await user.page.mouse.click(...place, { count: i === CORNERS.length - 1 ? 2 : 1 });
      if (i < CORNERS.length - 1) await user.says(".area-bar", new RegExp(`^${i + 1} corner`));
    }
    await user.says(".area-choices .total", /^4 corners$/);
    assert.equal(await user.page.$eval("#series", ({ hidden }) => hidden), true, `no line was charted: ${first}`);
    assert.equal(await user.page.$eval(".area .line", (path) => path.getAttribute("d").length > 20), true);
    await user.says("#answers .choices .total", /^Reads at most \d+ chunks?, /);
    await press("Calculate");
    await user.says("#answers h3", /^Mean along time, over the area$/);
    await user.says("#answer", /^From .* weighted by area\. At 20 Jun 2024: mean .*, minimum .*, maximum .*, deviation .*\.$/);
    const wanted = await answered();
    const days = await curve();
    assert.equal(days.length, 366);
    // A click is told in whole pixels, which are half a degree here.
    for (const [i, [, value]] of days.entries()) assert.ok(Math.abs(value - wanted.mean[i]) < 0.1, `${i}: ${value}, not ${wanted.mean[i]}`);
    await choose("by month, over the area");
    await press("Calculate");
    await user.says("#answers h3", /^Mean by month, over the area$/);
    const months = await curve();
    assert.deepEqual(months.map(([month]) => month).slice(0, 3), ["Jan", "Feb", "Mar"]);
    const june = wanted.mean.slice(152, 182).reduce((a, b) => a + b) / 30;
    assert.ok(Math.abs(months[5][1] - june) < 0.1);
    assert.deepEqual(user.problems, []);
  });

  test("written corners are the package's to the last digit, on a globe too, and an area goes away again", async () => {
    await press("Write an area…");
    await user.page.type(".area-text textarea", "0 0, 40 0, 40");
    await press("Use this area");
    await user.says("#area-problem", /5 numbers, which make no pairs/);
    await user.page.type(".area-text textarea", " 30, 0 30");
    await press("Use this area");
    await user.says(".area-choices .total", /^4 corners$/);
    await user.page.select('#answers select[aria-label="Statistic"]', "max");
    await press("Calculate");
    await user.says("#answers h3", /^Maximum along time, over the area$/);
    const wanted = await answered();
    for (const [i, [, value]] of (await curve()).entries()) assert.ok(Math.abs(value - wanted.max[i]) < 1e-9, `${i}: ${value}, not ${wanted.max[i]}`);
    await user.page.select("#projection", "globe");
    await user.waitFor(() => /M/.test(document.querySelector(".area .line").getAttribute("d")));
    await press("Remove the area");
    assert.equal(await user.page.$eval(".area .line", (path) => path.getAttribute("d")), "");
    assert.equal(await user.page.$eval('#answers select[aria-label="Curve"]', ({ value }) => value), "along time, over the view");
    assert.deepEqual(user.problems, []);
  });

  test("keys alone draw one: space sets a corner at the cursor, backspace takes it away, escape leaves", async () => {
    await press("Draw an area");
    const { keyboard } = user.page;
    await user.page.waitForFunction(() => document.activeElement.id === "plot");
    const go = async (key, times) => {
      for (let n = 0; n < times; n++) await keyboard.press(key);
    };
    await go("ArrowRight", 1);
    await keyboard.press(" ");
    await keyboard.down("Shift");
    await go("ArrowRight", 2);
    await keyboard.up("Shift");
    await keyboard.press(" ");
    await keyboard.press("Backspace");
    await user.says(".area-bar", /^1 corner\./);
    await keyboard.press(" ");
    await keyboard.down("Shift");
    await go("ArrowUp", 2);
    await keyboard.up("Shift");
    await keyboard.press(" ");
    await keyboard.press("Enter");
    await user.says(".area-choices .total", /^3 corners$/);
    assert.equal(await user.page.$eval("#series", ({ hidden }) => hidden), true, "enter charted nothing");
    await press("Draw an area");
    await keyboard.press("Escape");
    assert.equal(await user.page.$eval(".area-bar", ({ hidden }) => hidden), true);
    assert.equal(await user.text(".area-choices .total"), "3 corners", "the one that was is left");
    assert.deepEqual(user.problems, []);
  });

  test("a file of GeoJSON that is dropped is an area", async () => {
    await user.page.evaluate(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(['{"type":"Polygon","coordinates":[[[0,0],[40,0],[40,30],[0,0]]]}'], "a.geojson"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    });
    await user.says(".area-choices .total", /^3 corners$/);
    assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true);
  });
});
