/** Lines of the explorer enlarged: by dragging, wheel, keys, buttons and fingers, with finer steps read where the whole has every nth. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startMade } from "../support/made.mjs";
import { ROOT } from "../support/paths.mjs";
import { cellOf, planes } from "../support/planes.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { cutLine, spanIn } = await siteModule("view/axes/part.js");
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");
const SCREENSHOTS = join(ROOT, "target/screenshots");

test("a span lies within its axis and is not too short, and a line is cut to the values that reach into it", () => {
  assert.equal(spanIn([0, 100], 100), undefined);
  assert.equal(spanIn([-50, 200], 100), undefined);
  assert.deepEqual(spanIn([-10, 10], 100), [0, 20]);
  assert.deepEqual(spanIn([95, 115], 100), [80, 100]);
  assert.deepEqual(spanIn([50, 50.1], 100), [48.05, 52.05]);
  assert.deepEqual(spanIn([1000.3, 1999.6], 10_000), [1000, 2000]);
  assert.equal(spanIn([1, 2], 3), undefined); // of so few cells all are in view
  const values = Object.assign(Float64Array.of(5, NaN, 7, 8), { labels: ["a", "b", "c", "d"] });
  const line = { values, range: [5, 8], plane: { note: "", shown: [{ axis: 0, stop: 40, step: 10, count: 4, first: 0 }] } };
  assert.equal(cutLine(line, undefined), line);
  const cut = cutLine(line, [12, 29.5]);
  assert.deepEqual([[...cut.values], cut.values.labels, cut.range, cut.plane.span, cut.plane.shown[0].first, cut.plane.shown[0].count], [[NaN, 7], ["b", "c"], [7, 7], [12, 29.5], 10, 2]);
  assert.equal(cutLine(line, [11, 19]).range, undefined);
});

describe("lines that are enlarged", () => {
  const host = planes({ hours: { shape: [10_000, 4, 4], chunk: [1, 4, 4] } });
  const LONG = 3000; // chunks of four items, of which a picture takes 512
  /** A host of one long axis, whose items are their places. */
  const long = (request, response) => {
    const nth = /\/c\/(\d+)$/.exec(request.url)?.[1];
    if (nth) return response.end(Buffer.from(Float64Array.from({ length: 4 }, (_, i) => 4 * Number(nth) + i).buffer));
    if (!request.url.endsWith("/long/zarr.json")) return response.writeHead(404).end();
    return response.end(JSON.stringify({ zarr_format: 3, node_type: "array", shape: [4 * LONG], data_type: "float64", fill_value: 0, dimension_names: ["n"], chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }] }));
  };
  let made;
  let explorer;
  let user;

  before(async () => {
    made = await startMade("less.py", { "/planes": host.handle, "/axis": long });
    ({ explorer } = made);
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => made?.close());
  beforeEach(async () => {
    user = await explorer.page();
    await user.takeFiles();
  });
  afterEach(() => user.close());

  const hash = () => user.page.evaluate(() => location.hash);
  const ticks = () => user.texts("#series .ticks-x span");
  const summary = () => user.text("#series .total");
  const rested = (nth = 0) => user.waitFor((n) => {
    const figure = document.querySelectorAll("#series .line-figure")[n];
    return figure && !figure.hasAttribute("aria-busy");
  }, nth);
  const boxOf = async (plot = "#series-plot") => {
    await user.page.$eval(plot, (element) => element.scrollIntoView({ block: "center" }));
    return (await user.page.$(plot)).boundingBox();
  };
  const drag = async (from, to, plot) => {
    const { x, y, width, height } = await boxOf(plot);
    await user.page.mouse.move(x + width * from, y + height / 2);
    await user.page.mouse.down();
    await user.page.mouse.move(x + width * ((from + to) / 2), y + height / 2);
    await user.page.mouse.move(x + width * to, y + height / 2);
    await user.page.mouse.up();
  };
  const spanOf = async () => (/span=([^&]+)/.exec(await hash())?.[1] ?? "").split(",").filter(Boolean).map(Number);
  const untilSpan = (wanted) => user.waitFor((text) => {
    const found = /span=([^&]+)/.exec(location.hash)?.[1] ?? "";
    const [a, b] = [found, text].map((list) => list.split(",").filter(Boolean).map(Number));
    return a.length === b.length && a.every((n, i) => Math.abs(n - b[i]) <= 0.02 * Math.max(1, b[1] - b[0]));
  }, wanted.join());
  const press = async (name) => {
    await user.page.evaluate((label) => [...document.querySelectorAll("#series .line-zoom button")].find((button) => button.title === label).click(), name);
  };
  const table = async () => {
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.waitFor(() => [...document.querySelectorAll("#take button")].some((button) => button.textContent === "Line as CSV" && button.checkVisibility()));
    await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find((button) => button.textContent === "Line as CSV").click());
    await user.waitFor(() => globalThis.saved.length);
    const text = await user.page.evaluate(() => globalThis.saved.pop().text());
    return text.trim().split("\n").filter((line) => !line.startsWith("#")).slice(1).map((line) => line.split(","));
  };

  test("a drag over a part of a line that has every 20th step reads all steps of it, and the link says which", async () => {
    await user.show(`url=${explorer.site.url}/planes/hours&at=8000&point=1,2,8000`);
    await user.says("#series .note", /every 20th/);
    host.given.log.length = 0;
    await drag(0.78, 0.82);
    await untilSpan([7800, 8200]);
    await rested();
    const asked = new Set(host.given.log.map(({ path }) => path));
    assert.ok(asked.size >= 375 && asked.size <= 420, `${asked.size} chunks`);
    assert.equal(await user.text("#series .note"), "");
    const [from, to] = await spanOf();
    assert.match(await summary(), new RegExp(`^${Math.floor(from).toLocaleString("en")} to ${(Math.ceil(to) - 1).toLocaleString("en")}\\. From `));
    const rows = await table();
    assert.deepEqual(rows.map((row) => row.map(Number)), Array.from({ length: Math.ceil(to) - Math.floor(from) }, (_, i) => [Math.floor(from) + i, cellOf(1, 2) + Math.floor(from) + i]));
    // What the pointer says is the step that stands there, and a click goes to it.
    const { x, y, width, height } = await boxOf();
    await user.page.mouse.move(x + width / 2, y + height / 2);
    const middle = Math.floor((from + to) / 2);
    const [value, place] = await user.texts("#series-plot .tip > *");
    assert.equal(place, `time = ${middle.toLocaleString("en")}`);
    assert.equal(value, (cellOf(1, 2) + middle).toLocaleString("en"));
    await user.page.mouse.click(x + width / 2, y + height / 2);
    await user.waitFor((wanted) => document.querySelector("#view").dataset.at === wanted, String(middle));
    // The link restores it, and the way back leads to the whole.
    const link = (await hash()).slice(1);
    await user.show(link);
    await user.says("#series .total", /^7,\d+ to 8,\d+\. From /);
    await rested();
    assert.equal((await table()).length, rows.length);
    await press("Show all of it");
    await untilSpan([]);
    await user.says("#series .note", /every 20th/);
    assert.equal((await table()).length, 500);
    assert.deepEqual(user.problems, []);
  });

  test("the wheel enlarges with ctrl alone, around the pointer", async () => {
    await user.show(`url=${explorer.site.url}/made/store.zarr/days/tasmax&at=5&point=2,3,5`);
    await user.says("#series h2", /^Along time/);
    const { x, y, width, height } = await boxOf();
    await user.page.mouse.move(x + width * 0.25, y + height / 2);
    await user.page.mouse.wheel({ deltaY: -50 });
    await new Promise((done) => setTimeout(done, 300));
    assert.deepEqual(await spanOf(), []);
    const now = await boxOf();
    await user.page.mouse.move(now.x + now.width * 0.25, now.y + now.height / 2);
    await user.page.keyboard.down("Control");
    await user.page.mouse.wheel({ deltaY: -114 }); // about twice
    await user.waitFor(() => /span=/.test(location.hash));
    const [from, to] = await spanOf();
    assert.ok(Math.abs(to - from - 20) < 1.5 && Math.abs(from + 0.25 * (to - from) - 10) < 0.5, `${from} to ${to}`);
    await user.page.mouse.wheel({ deltaY: 500 });
    await user.page.keyboard.up("Control");
    await untilSpan([]);
    assert.deepEqual(user.problems, []);
  });

  test("keys enlarge around the step or the cursor, which the part follows; ticks and values are those in view", async () => {
    await user.show(`url=${explorer.site.url}/made/store.zarr/days/tasmax&at=5&point=2,3,5`);
    await user.says("#series h2", /^Along time/);
    const before = await ticks();
    await user.page.focus("#series-plot");
    for (let n = 0; n < 3; n++) await user.page.keyboard.press("+");
    await untilSpan([5.5 - 5.5 / 1.5 ** 3, 5.5 + 34.5 / 1.5 ** 3]); // around the step
    const [, to] = await spanOf();
    assert.notDeepEqual(await ticks(), before);
    assert.match((await ticks()).join(), /Feb 2020/);
    for (let n = 0; n < 12; n++) await user.page.keyboard.press("ArrowRight");
    await user.waitFor((end) => Number(/span=([^,]+),([^&]+)/.exec(location.hash)?.[2]) > end, to + 3);
    assert.match(await user.text("#series-plot .tip"), /Feb 2020/);
    const [low, high] = (await summary()).match(/From (\S+) K to (\S+) K/).slice(1).map(Number);
    const rows = await table();
    assert.deepEqual([Math.min(...rows.map(([, v]) => v)), Math.max(...rows.map(([, v]) => v))].map((v) => Number(v.toPrecision(5))), [low, high]);
    await user.page.focus("#series-plot");
    await user.page.keyboard.press("-");
    await user.page.keyboard.press("0");
    await untilSpan([]);
    assert.deepEqual(await ticks(), before);
    assert.deepEqual(user.problems, []);
  });

  test("both lines of a plane are enlarged on their own, and buttons do what keys do", async () => {
    await user.show(`url=${explorer.site.url}/made/store.zarr/days/tasmax/&at=0`);
    await user.show(`url=${explorer.site.url}/made/pyramid.zarr/0/up&point=1000,500`);
    await user.says("#series h2", /^Along x and y/);
    await drag(0.25, 0.5, "#series-plot-2");
    await untilSpan([0, 2048, 512, 1024]);
    await press("Zoom in"); // of the first
    await untilSpan([250, 1274, 512, 1024]);
    assert.equal(await user.page.$$eval("#series .line-zoom", (list) => list.filter((one) => one.checkVisibility()).length), 2);
    await rested(1);
    await user.show((await hash()).slice(1));
    await user.says("#series h2", /^Along x and y/);
    await untilSpan([250, 1274, 512, 1024]);
    // Another cell keeps the parts.
    await user.point([0, 0], [2, 2], { click: true });
    await user.waitFor(() => !/point=1000,500/.test(location.hash));
    await untilSpan([250, 1274, 512, 1024]);
    await user.page.evaluate(() => [...document.querySelectorAll("#series button")].find(({ textContent }) => textContent === "Close").click());
    await user.waitFor(() => !/span|point/.test(location.hash));
    assert.deepEqual(user.problems, []);
  });

  test("the line of an array of one axis is enlarged too, and read more finely", async () => {
    await user.show(`url=${explorer.site.url}/axis/long`);
    await user.says("#figure .note", /every 24th along n/);
    await user.waitFor(() => document.querySelector("#figure .line-zoom"));
    await drag(0.5, 0.6, "#plot");
    await untilSpan([6000, 7200]);
    await user.says("#figure .note", /^$/);
    await user.settled();
    const { x, y, width, height } = await boxOf("#plot");
    await user.page.mouse.move(x + width / 2, y + height / 2);
    const [value, place] = await user.texts("#figure .tip > *");
    assert.equal(place, `n = ${value}`);
    assert.ok(Math.abs(Number(value.replace(",", "")) - 6600) < 20, value);
    const [low, high] = await user.page.$$eval("#low, #high", (list) => list.map((input) => Number(input.value)));
    assert.ok(low > 5900 && high < 7300, `${low} to ${high}`);
    await user.show((await hash()).slice(1));
    await untilSpan([6000, 7200]);
    assert.equal(await user.text("#figure .note"), "");
    await user.waitFor(() => document.querySelector("#figure .line-zoom"));
    await user.page.focus("#plot");
    await user.page.keyboard.press("0");
    await untilSpan([]);
    await user.says("#figure .note", /every 24th along n/);
    // A map has none of it.
    await user.show(`url=${explorer.site.url}/made/store.zarr/days/tasmax`);
    assert.equal(await user.page.$("#figure .line-zoom"), null);
    assert.deepEqual(user.problems, []);
  });

  test("fingers enlarge it by a pinch, and one moves what is enlarged", async () => {
    await user.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await user.show(`url=${explorer.site.url}/made/store.zarr/days/tasmax&at=5&point=2,3,5`);
    await user.says("#series h2", /^Along time/);
    const { x, y, width, height } = await boxOf();
    const session = await user.page.createCDPSession();
    const touch = (type, parts) => session.send("Input.dispatchTouchEvent", { type, touchPoints: parts.map((part, id) => ({ x: x + width * part, y: y + height / 2, id })) });
    await touch("touchStart", [0.4]);
    await touch("touchStart", [0.4, 0.6]);
    for (const by of [0.02, 0.06, 0.1, 0.15, 0.2]) await touch("touchMove", [0.4 - by, 0.6 + by]);
    await touch("touchEnd", []);
    await untilSpan([40 / 3, 80 / 3]);
    await touch("touchStart", [0.7]);
    for (const at of [0.65, 0.5, 0.3, 0.2]) await touch("touchMove", [at]);
    await touch("touchEnd", []);
    await user.waitFor(() => Number(/span=([^,]+)/.exec(location.hash)?.[1]) > 17);
    const [from, to] = await spanOf();
    assert.ok(Math.abs(from - 40 / 3 - 0.5 * (40 / 3)) < 1.5 && Math.abs(to - from - 40 / 3) < 0.8, `${from} to ${to}`);
    await user.page.screenshot({ path: join(SCREENSHOTS, "line-zoom-narrow.png") });
    assert.deepEqual(user.problems, []);
  });

  test("two cells and their differences are enlarged together, and axe finds nothing", async () => {
    await user.show(`url=${explorer.site.url}/made/store.zarr/days/tasmax&at=12&point=2,3,5&point2=4,6,5&span=10,20&less=days/tasmin`);
    await user.says("#series h2", /^Along time$/);
    await rested();
    const rows = await table();
    assert.equal(rows.length, 10);
    const { line } = JSON.parse(await readFile(join(made.directory, "expected.json"), "utf8"));
    rows.forEach((row, i) => assert.ok(row.length === 3 && Math.abs(Number(row[1]) - line[10 + i]) < 1e-4, `${row}`));
    await user.page.$eval("#series-plot", (plot) => plot.scrollIntoView({ block: "center" }));
    await user.page.screenshot({ path: join(SCREENSHOTS, "line-zoom.png") });
    await user.page.evaluate(axe);
    assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id }) => id)), []);
    assert.deepEqual(user.problems, []);
  });
});
