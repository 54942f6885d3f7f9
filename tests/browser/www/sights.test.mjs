/** What the explorer shows of each kind of store: buttons beside the picture, dates, what was never written, lone positions, labels alone, plates. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { coloursOf } from "../support/field.mjs";
import { apacheIndex } from "../support/listings.mjs";
import { startMade } from "../support/made.mjs";
import { files } from "../support/server.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { calendarOf, timeTicks } = await siteModule("model/times.js");
const { firstArray } = await siteModule("model/catalog.js");
const { scaleOf, ticksOf } = await siteModule("reading/scale.js");

const at = (year, month = 1, day = 1, hour = 0) => Date.UTC(year, month - 1, day, hour);

test("ticks of times stand at round dates, few enough for their labels", () => {
  const said = (from, to, wanted) => timeTicks([from, to], wanted).map(({ label }) => label);
  assert.deepEqual(said(at(2000), at(2001, 8, 22), 4), ["Jan 2000", "Jul 2000", "Jan 2001", "Jul 2001"]);
  assert.deepEqual(said(at(1950, 3), at(2020), 4), ["1960", "1980", "2000", "2020"]);
  assert.deepEqual(said(at(2024, 1, 1, 5), at(2024, 1, 1, 20), 4), ["1 Jan 2024 06:00", "1 Jan 2024 12:00", "1 Jan 2024 18:00"]);
  assert.deepEqual(said(at(2024, 2, 27), at(2024, 3, 2), 4), ["27 Feb 2024", "28 Feb 2024", "29 Feb 2024", "1 Mar 2024", "2 Mar 2024"]);
  for (const [from, to] of [[NaN, NaN], [1e300, 2e300], [0, 0], [-9e15, 9e15]]) assert.ok(timeTicks([from, to], 4).length <= 5, `${from} to ${to}`);
  for (const { v, label } of timeTicks([at(-500), at(2024)], 5)) assert.equal(new Date(v).getUTCFullYear(), Number(label));
});

test("colours of integers of many digits have labels of twelve letters at most, which tell them apart", () => {
  const said = (...range) => ticksOf(scaleOf({ range })).map(({ label }) => label);
  assert.deepEqual(said(9007199250000000, 9007199250001151), ["…000,000", "…000,500", "…001,000"]);
  assert.deepEqual(said(-9007199250001151, -9007199250000000), ["−…001,000", "−…000,500", "−…000,000"]);
  assert.deepEqual(said(0, 1e15), ["0", "2e14", "4e14", "6e14", "8e14", "1e15"]);
  assert.deepEqual(said(-9007199250000000, -8892099250000000), ["−9e15", "−8.95e15", "−8.9e15"]);
  assert.deepEqual(said(0, 3e9), ["0", "5e8", "1e9", "1.5e9", "2e9", "2.5e9", "3e9"]);
  assert.deepEqual(said(0, 12), ["0", "2", "4", "6", "8", "10", "12"]);
  assert.deepEqual(said(948e6, 949e6), ["948,000,000", "948,500,000", "949,000,000"]);
});

test("dates of a calendar of 360 days rise evenly among those of the page, and are said as they are", () => {
  const { placed, momentAt, labelAt } = calendarOf("360_day");
  const labels = Array.from({ length: 720 }, (_, n) => `${2003 + Math.floor(n / 360)}-${String(1 + (Math.floor(n / 30) % 12)).padStart(2, "0")}-${String(1 + (n % 30)).padStart(2, "0")}T06:00:00.000Z`);
  const values = new Float64Array(labels.length).fill(NaN);
  placed(values, labels);
  for (const [n, label] of labels.entries()) {
    const [year, month, day] = label.slice(0, 10).split("-").map(Number);
    assert.deepEqual(momentAt(values[n]), { date: [year, month, day], ms: 6 * 36e5 }, label);
    assert.equal(labelAt(values[n]), label);
    if (n % 30 === 0) assert.ok(values[n] >= at(year, month) && values[n] < at(year, month, 2), "months begin where the page's do");
    const days = n > 0 ? (values[n] - values[n - 1]) / 864e5 : 1;
    assert.ok(days > 28 / 30 - 1e-6 && days < 31 / 30 + 1e-6, `${label} is ${days} days after the one before`);
  }
  const leap = calendarOf("all_leap");
  const two = new Float64Array([NaN, NaN]);
  leap.placed(two, ["2003-02-29T00:00:00.000Z", "2003-03-01T00:00:00.000Z"]);
  assert.ok(two[0] < two[1] && two[1] === at(2003, 3));
  assert.deepEqual(leap.momentAt(two[0]).date, [2003, 2, 29]);
  // Of the other calendars the values stand as they came.
  const own = new Float64Array([5]);
  calendarOf("noleap").placed(own, ["2003-02-28T00:00:00.000Z"]);
  assert.equal(own[0], 5);
});

describe("what the explorer shows of each kind of store", () => {
  let made;
  let explorer;
  let user;

  before(async () => {
    made = await startMade("sights.py", { "/listed": listed });
    explorer = made.explorer;
  });
  after(() => made?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  /** A host that lists the folders of an image, which lies in a folder that is no group. */
  async function listed(request, response) {
    if (!request.url.endsWith("/")) return files(made.directory)(request, response);
    const index = request.url === "/" ? "<title>Index of /listed/</title><a href='image.zarr/'>image.zarr/</a>" : await apacheIndex(join(made.directory, request.url), `/listed${request.url}`).catch(() => undefined);
    return response.writeHead(index ? 200 : 404, { "Content-Type": "text/html;charset=UTF-8" }).end(index);
  }

  const link = (path, more = "") => `url=${explorer.site.url}/made/${path}${more}`;
  const frame = async (hash) => {
    await user.page.goto("about:blank");
    await user.page.goto(`${explorer.site.url}/?embed=1#${hash}`);
    await user.settled();
  };
  const boxes = (selector) => user.page.$$eval(selector, (list) => list.filter((one) => one.checkVisibility()).map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return { left, top, right, bottom };
  }));
  const overlap = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;

  for (const [width, height] of [[1440, 900], [1024, 768], [390, 844], [640, 420]]) {
    test(`at ${width} x ${height} no button lies over a map, its colours or its ticks, in a frame neither`, async () => {
      await user.page.setViewport({ width, height });
      const views = [link("climate.zarr/tas"), link("image.zarr"), link("ends.zarr/v", "&range=0,1"), link("ends.zarr/far")].flatMap((at) => [() => user.show(at), () => frame(at)]);
      for (const open of views) {
        await open();
        const buttons = await boxes("#figure .zoom button");
        assert.equal(buttons.length, 4);
        for (const [what, least] of [["#plot", 1], [".colourbar .ramp", 0], [".colourbar .scale span", 0], [".ticks-x span", 2]]) {
          const found = await boxes(what);
          assert.ok(found.length >= least, what);
          assert.deepEqual(found.filter((box) => buttons.some((button) => overlap(button, box))), [], `${what} of ${await user.text("#title")}`);
        }
        assert.ok(buttons.every(({ left, right, top, bottom }) => right - left >= 24 && bottom - top >= 24 && left >= 0 && right <= width));
      }
    });
  }

  test("in a frame the names of channels and of flags are in view", async () => {
    await user.page.setViewport({ width: 640, height: 420 });
    for (const path of ["image.zarr", "climate.zarr/cover"]) {
      await frame(link(path));
      const names = await boxes(".flags li");
      assert.ok(names.length >= 2);
      assert.ok(names.every(({ bottom }) => bottom <= 420), JSON.stringify(names));
      assert.ok(await user.page.$eval("main", ({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight));
    }
  });

  test("values that are times have dates beside their colours, beside their line, and for their range", async () => {
    await user.show(link("climate.zarr/when"));
    assert.deepEqual(await user.texts(".scale span"), ["Jan 2000", "Jul 2000", "Jan 2001", "Jul 2001"]);
    assert.match(await user.text("[aria-label='Range of values']"), /1 Jan 2000 00:00 – 22 Aug 2001 00:00/);
    assert.deepEqual(await boxes("#low, #high"), []);
    await user.show(link("climate.zarr/time"));
    const said = await user.texts("#figure .ticks-y span");
    assert.ok(said.length >= 3 && said.every((text) => /^\d+ (Jan|Feb) 2024$/.test(text)), said.join(", "));
    assert.deepEqual(user.problems, []);
  });

  test("a picture of which nothing is stored says so, and one of which something is does not", async () => {
    await user.show(link("climate.zarr/unwritten"));
    await user.says(".no-data", /^Nothing is stored for this picture: each cell has the fill value, 0\.$/);
    assert.ok((await boxes(".no-data")).length);
    await user.show(link("climate.zarr/partly"));
    assert.deepEqual(await boxes(".no-data"), []);
  });

  test("the unit of a line lies over nothing else", async () => {
    for (const [width, height] of [[390, 844], [640, 420], [1280, 800]]) {
      await user.page.setViewport({ width, height });
      for (const open of [user.show, frame]) {
        await open(link("climate.zarr/station_height"));
        await user.waitFor(() => document.querySelector(".unit-y"));
        const [unit] = await boxes("#figure .unit-y");
        for (const what of ["#title", ".line-zoom button", "#figure .plot", "#figure .ticks-y span:not(.unit-y)"]) assert.deepEqual((await boxes(what)).filter((box) => overlap(unit, box)), [], `${what} at ${width}`);
      }
    }
    assert.deepEqual(user.problems, []);
  });

  test("of arrays that are alike the one that says what it is opens first", async () => {
    const entry = (path, attrs) => ({ path, kind: "array", dtype: "float32", shape: [35, 72], dimensionNames: ["lat", "lon"], attrs });
    assert.equal(firstArray([entry("basin", {}), entry("cover", { long_name: "Land cover" })]), "cover");
    assert.equal(firstArray([entry("basin", {}), { ...entry("cover", { long_name: "Land cover" }), shape: [5, 5] }]), "basin");
    // What places the cells of others is no field, how many values it has.
    const cells = { ...entry("t", { coordinates: "clat clon" }), shape: [2, 5120], dimensionNames: ["time", "cell"] };
    const corners = { ...entry("clat_vertices", {}), shape: [5120, 3], dimensionNames: ["cell", "nv"] };
    const grid = ["clat", "clon", "edges"].map((path) => ({ ...entry(path, {}), shape: [80, 200] }));
    assert.equal(firstArray([corners, ...grid, cells]), "edges");
    assert.equal(firstArray([corners, ...grid.slice(0, 2), cells]), "t");
    assert.equal(firstArray([{ ...corners, path: "a/corners" }, { ...entry("a/lat", { bounds: "corners" }), shape: [3] }, { ...cells, path: "a/t" }]), "a/t");
    assert.equal(firstArray([corners]), "clat_vertices");
    await user.show(link("climate.zarr"));
    assert.equal(await user.text("#title"), "Air temperature"); // of 40 steps, before twelve
  });

  test("an axis of one position is a line of words below the others, and steps of months have their names", async () => {
    await user.show(link("climate.zarr/monthly"));
    assert.deepEqual(await user.texts(".axis:not([hidden]) .now"), ["16 Jan 2023 12:00", "member = 0"]);
    assert.equal((await boxes(".axis .tools")).length, 1);
    await user.page.keyboard.press("ArrowRight");
    await user.says(".axis .now", /^15 Feb 2023/);
    await frame(link("climate.zarr/monthly"));
    assert.deepEqual(await user.texts(".axis:not([hidden]) .now"), ["16 Jan 2023 12:00", "member = 0"]);
    assert.equal((await boxes(".axis .track.whole")).length, 1);
    await user.page.setViewport({ width: 390, height: 420 });
    await user.waitFor(() => [...document.querySelectorAll(".whole .block b")].map((label) => label.textContent).join() === "Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec");
    assert.deepEqual(user.problems, []);
  });

  test("an area is answered for a grid that has a transform alone, as for one with coordinates", async () => {
    const answers = [];
    for (const store of ["transform.zarr", "coordinates.zarr"]) {
      await user.show(link(`${store}/height`));
      await user.page.$eval("#answers details", (details) => (details.open = true));
      await user.waitFor(() => [...document.querySelectorAll("#answers button")].some((one) => one.textContent === "Write an area…" && one.checkVisibility()));
      const press = (text) => user.page.evaluate((wanted) => [...document.querySelectorAll("#answers button")].find((one) => one.textContent === wanted).click(), text);
      await press("Write an area…");
      await user.page.$eval(".area-text textarea", (box) => (box.value = "9.01 47.83, 9.05 47.82, 9.06 47.845, 9.015 47.84"));
      await press("Use this area");
      await user.says("#answers", /4 corners/);
      await user.waitFor(() => [...document.querySelectorAll("#answers button")].some((one) => one.textContent === "Calculate" && !one.disabled));
      await press("Calculate");
      await user.says("#answer", /mean/i);
      answers.push(await user.text("#answer"));
    }
    assert.equal(answers[0], answers[1]);
    assert.match(answers[0], /mean \d+(\.\d+)? m, minimum/);
    assert.deepEqual(user.problems, []);
  });

  test("a comparison begins by saying what to do next", async () => {
    await user.show(link("climate.zarr/tas", "&at=3"));
    await user.page.evaluate(() => [...document.querySelectorAll(".choices button")].find((one) => one.textContent === "Compare with this step").click());
    await user.says("#reading-note", /^Each cell less its value at 4 Jan 2024\. Go to another step to see how it differs\.$/);
    await user.page.keyboard.press("ArrowRight");
    await user.says("#reading-note", /^Each cell less its value at 4 Jan 2024\.$/);
    assert.deepEqual(user.problems, []);
  });

  test("labels that are opened alone have the colours and the words that they have over their image", async () => {
    await user.show(link("image.zarr", "&labels=cells,100"));
    await user.waitFor(() => {
      const canvas = document.querySelector("#plot canvas.labels");
      return canvas && !canvas.hidden && canvas.width > 1 && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((part) => part > 0);
    });
    const cells = [[16, 20], [40, 60]];
    const over = await user.page.$eval("#plot canvas.labels", (canvas, list) => list.map(([row, column]) => [...canvas.getContext("2d").getImageData(Math.floor(((column + 0.5) / 96) * canvas.width), Math.floor(((row + 0.5) / 64) * canvas.height), 1, 1).data.slice(0, 3)]), cells);
    await user.show(link("image.zarr/labels/cells/0"));
    const alone = await coloursOf(user);
    const wide = alone.length === 96 * 64 ? 1 : 2;
    assert.deepEqual(cells.map(([row, column]) => alone[Math.floor(row / wide) * (96 / wide) + Math.floor(column / wide)]), over);
    assert.deepEqual(over[0], [255, 0, 0]);
    await user.point([20, 16], [96, 64]);
    assert.match(await user.text(".tip"), /1, class mitotic/);
    assert.deepEqual(user.problems, []);
  });

  test("an image that a folder lists has its channels, its levels and its places", async () => {
    await user.show(`url=${explorer.site.url}/listed/`);
    assert.match(await user.text(".tree-note"), /no Zarr group/);
    assert.equal(await user.text("#title"), "Two channels");
    assert.deepEqual(await user.page.$$eval(".channel-list li label", (list) => list.map(({ textContent }) => textContent)), ["DAPI", "GFP"]);
    assert.match(await user.text(".ruler"), /µm/);
    await user.point([20, 16], [96, 64]);
    assert.match(await user.text(".tip"), /y = 8 µm, x = 10 µm/);
    assert.deepEqual(user.problems, []);
  });

  for (const plate of ["01", "02", "03", "04", "05", "06", "05f"]) {
    test(`the wells of a plate open their first images: OME-Zarr 0.${plate.slice(1)}`, async () => {
      await user.show(link(`plate${plate}.zarr`));
      await user.waitFor(() => document.querySelectorAll(".plate .well").length === 3);
      const wells = () => user.page.$$eval(".plate .well", (list) => list.map((one) => [one.getAttribute("aria-label"), one.getAttribute("aria-pressed")]));
      assert.deepEqual(await wells(), [["Well A1", "true"], ["Well A2", "false"], ["Well B2", "false"]]);
      const field = plate === "05f" ? "first" : "0";
      await user.waitFor((title) => document.querySelector("#title").textContent === title, `A1 ${field}`);
      await user.page.click('.plate .well[aria-label="Well B2"]');
      await user.waitFor((title) => document.querySelector("#title").textContent === title, `B2 ${field}`);
      await user.settled();
      await user.point([10, 10], [48, 32]);
      assert.match(await user.text(".tip"), /^DAPI 12, GFP 12/);
      assert.deepEqual((await wells()).map(([, pressed]) => pressed), ["false", "false", "true"]);
      assert.deepEqual(user.problems, []);
    });
  }
});
