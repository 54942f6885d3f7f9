/** Parallels and meridians in the explorer: which are drawn, where, and how their degrees are said. */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { boundsOf, netOf, stepFor } = await siteModule("earth/net.js");
const { vectorOf } = await siteModule("earth/vectors.js");
const SCREENSHOTS = join(ROOT, "target/screenshots");

test("lines of a view are at round degrees, about six of a kind across", () => {
  assert.deepEqual([180, 60, 36, 12, 1.2, 1e-3].map(stepFor), [30, 10, 10, 2, 0.2, 0.01]);
  const whole = netOf(undefined, 30);
  assert.deepEqual(whole.filter(({ isParallel }) => isParallel).map(({ label }) => label), ["60° S", "30° S", "0°", "30° N", "60° N"]);
  assert.deepEqual(whole.filter(({ isParallel }) => !isParallel).map(({ label }) => label), ["150° W", "120° W", "90° W", "60° W", "30° W", "0°", "30° E", "60° E", "90° E", "120° E", "150° E", "180°"]);
  // Across the seam of longitudes they go on.
  const pacific = netOf({ centre: vectorOf([179, 10]), radius: 4 }, 2);
  assert.deepEqual(pacific.filter(({ isParallel }) => !isParallel).map(({ label }) => label), ["176° E", "178° E", "180°", "178° W"]);
  assert.deepEqual(pacific.filter(({ isParallel }) => isParallel).map(({ label }) => label), ["6° N", "8° N", "10° N", "12° N", "14° N"]);
});

test("a circle's degrees are those of its edge, also nearer to a pole", () => {
  const { lats, lons } = boundsOf({ centre: vectorOf([20, 60]), radius: 10 });
  // The circle touches a meridian where the triangle with the pole has a right angle: sin(10°) / cos(60°).
  const around = (Math.asin(Math.sin(Math.PI / 18) / 0.5) * 180) / Math.PI;
  assert.deepEqual([...lats, ...lons].map((n) => Number(n.toFixed(9))), [50, 70, 20 - around, 20 + around].map((n) => Number(n.toFixed(9))));
  assert.deepEqual(boundsOf({ centre: vectorOf([20, 85]), radius: 10 }), { lats: [75, 90], lons: [-180, 180] });
});

describe("the explorer's graticule", () => {
  let explorer;
  let user;
  before(async () => {
    explorer = await startExplorer({ "/grids": join(NEIGHBOURS, "earth") }, { keeps: false });
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => explorer?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const points = () => user.page.$eval("#plot .graticule .line", (path) => path.getAttribute("d").split(/[ML]/).filter(Boolean).map((pair) => pair.split(",").map(Number)));
  const degreesIn = (text) => {
    const [, lat, ns, lon, ew] = /([\d.]+)° ([NS]), ([\d.]+)° ([EW])$/.exec(text);
    return [lon * (ew === "W" ? -1 : 1), lat * (ns === "S" ? -1 : 1)];
  };

  for (const name of ["polar.zarr", "lcc.zarr", "curvilinear-180.zarr"]) {
    test(`${name}: lines run where the tip says round degrees, which stand at their ends`, async () => {
      await user.show(`url=${explorer.site.url}/grids/${name}/v&graticule=1`);
      await user.page.waitForSelector("#plot .graticule .line");
      const labels = await user.texts("#plot .degrees-at span");
      assert.ok(labels.length >= 4 && labels.every((label) => /^[\d.]+°( [NSEW])?$/.test(label)), labels.join());
      const [, , wide, high] = (await user.page.$eval("#plot .overlay", (overlay) => overlay.getAttribute("viewBox"))).split(" ").map(Number);
      const steps = new Set(labels.map((label) => parseFloat(label)).filter(Boolean));
      const step = Math.min(...[...steps].flatMap((a) => [...steps].map((b) => Math.abs(a - b))).filter(Boolean));
      const inside = (await points()).filter(([x, y]) => x > 1 && y > 1 && x < wide - 1 && y < high - 1);
      assert.ok(inside.length > 20);
      for (const [x, y] of inside.filter((_, n) => n % Math.ceil(inside.length / 12) === 0)) {
        await user.point([x - 0.5, y - 0.5], [wide, high]);
        const here = degreesIn(await user.text(".tip .degrees"));
        await user.point([Math.min(wide - 1, x + 0.5), Math.min(high - 1, y + 0.5)], [wide, high]);
        const next = degreesIn(await user.text(".tip .degrees"));
        const apart = here.map((n, i) => Math.max(0.02, 1.5 * Math.abs(n - next[i])));
        const off = here.map((n, i) => Math.abs(n - step * Math.round(n / step)) / apart[i]);
        assert.ok(Math.min(...off) <= 1, `${here} at ${[x, y]} is on no line of ${step}°`);
      }
      await user.page.screenshot({ path: join(SCREENSHOTS, `graticule-${name}.png`) });
      assert.deepEqual(user.problems, []);
    });
  }

  for (const [width, height] of [[1280, 800], [390, 844]]) {
    test(`at ${width} x ${height} no degrees lie over others, or are cut off`, async () => {
      await user.page.setViewport({ width, height });
      for (const link of [`url=${explorer.site.url}/grids/lcc.zarr/v&graticule=1`, `url=${explorer.site.url}/grids/polar.zarr/v&graticule=1`, "projection=world&graticule=1", "projection=globe,10,60,1&graticule=1", "projection=north&graticule=1"]) {
        await user.show(link);
        await user.page.waitForSelector("#plot .graticule .line");
        const boxes = () => user.page.$$eval("#plot .degrees-at, #plot .degrees-at span", (list) => list.map((one) => one.getBoundingClientRect().toJSON()).filter((box) => box.width));
        await user.waitFor(() => document.querySelectorAll("#plot .degrees-at span").length >= 3);
        const list = await boxes();
        const labels = list.filter(({ height: tall }) => tall < 40);
        const [edge] = list.filter((one) => !labels.includes(one));
        for (const [i, a] of labels.entries()) {
          assert.ok(a.left >= edge.left && a.right <= edge.right && a.top >= edge.top && a.bottom <= edge.bottom, `${link}: ${JSON.stringify(a)} is cut off`);
          assert.deepEqual(labels.slice(i + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom), [], link);
        }
      }
      assert.deepEqual(user.problems, []);
    });
  }

  test("it is a choice, which the link has; ticks of degrees are not said twice", async () => {
    await user.show();
    assert.equal(await user.page.$("#plot .graticule"), null);
    await user.page.click("#graticule");
    await user.page.waitForSelector("#plot .graticule .line");
    await user.waitFor(() => location.hash.includes("graticule=1"));
    assert.deepEqual(await user.texts("#plot .degrees-at span"), []);
    const hash = (await user.page.evaluate(() => location.hash)).slice(1);
    await user.show(hash);
    await user.page.waitForSelector("#plot .graticule .line");
    await user.page.screenshot({ path: join(SCREENSHOTS, "graticule.png") });
    await user.page.click("#graticule");
    await user.waitFor(() => !document.querySelector("#plot .graticule") && !location.hash.includes("graticule"));
    assert.deepEqual(user.problems, []);
  });
});
