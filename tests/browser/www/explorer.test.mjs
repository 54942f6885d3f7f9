/** The explorer, built: what it draws is the data, what it says it fetched is what was fetched. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { launch } from "../support/chromium.mjs";
import { explorerFiles } from "../support/explorer.mjs";
import { FIXTURES, PACKAGE, ROOT } from "../support/paths.mjs";
import { files, listen } from "../support/server.mjs";

const SCREENSHOTS = join(ROOT, "target/screenshots");
const GHI = "data/clear-sky-2024.zarr/ghi";
const MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const ZONES = [24, 42, 48, 42, 24];
const SOLSTICE = 171;
const starts = (lengths) => lengths.map((_, i) => lengths.slice(0, i).reduce((a, b) => a + b, 0));

/** Without the line that Chromium itself writes for every 404. */
const others = (problems) => problems.filter((problem) => !/status of 404/.test(problem));

/** An array of which nothing is stored. */
const metadata = (shape, chunk_shapes) =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "uint8",
    chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes } },
    chunk_key_encoding: { name: "default" },
    fill_value: 7,
    codecs: ["bytes"],
  });

const { RectilinearArray } = await import(pathToFileURL(join(PACKAGE, "node.js")));
const { colourIndex, colourTable, loadColours } = await import(pathToFileURL(join(ROOT, "www/src/model/colormap.js")));
await loadColours("viridis");

describe("the explorer", () => {
  let site;
  let browser;
  let page;
  let problems;
  let ghi;
  let slow = /^$/; // addresses that the server answers once the test releases them
  let release;
  let released;

  before(async () => {
    const dist = explorerFiles();
    const fixtures = files(FIXTURES);
    site = await listen(async (request, response) => {
      if (slow.test(request.url)) await released;
      if (request.url === "/wide/zarr.json") return response.end(metadata([9000, 9000], [9000, 9000]));
      if (request.url === "/long/zarr.json") return response.end(metadata([1e9, 2, 3], [[[1, 1e9]], 2, 3]));
      if (!request.url.startsWith("/fixtures/")) return dist(request, response);
      request.url = request.url.slice("/fixtures".length);
      fixtures(request, response);
    });
    browser = await launch();
    ghi = await RectilinearArray.open(`${site.url}/${GHI}`);
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  beforeEach(async () => {
    problems = [];
    slow = /^$/;
    released = new Promise((resolve) => (release = resolve));
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    page.on("pageerror", (error) => problems.push(String(error.stack ?? error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  });
  afterEach(() => page.close());

  const settled = (at) => page.waitForSelector(`#view[aria-busy="false"]${at === undefined ? "" : `[data-at="${at}"]`}`, { timeout: 60_000 });
  const show = async (hash = "", at = SOLSTICE) => {
    await page.goto(`${site.url}/${hash && `#${hash}`}`);
    await settled(at);
  };
  const storage = async () => {
    await page.$eval("#chunks", (box) => box.checked || box.click());
    await page.waitForSelector("#ledger .total");
  };
  const text = (selector) => page.$eval(selector, (element) => element.textContent);
  const state = (chunk) => page.$eval(`.block[data-chunk="${chunk}"]`, (block) => block.dataset.state);
  /** Opens an address as a user does, and waits for the page to be done with it. */
  const openAddress = async (address) => {
    await page.$eval("#url", (input) => (input.value = ""));
    await page.type("#url", address);
    await page.keyboard.press("Enter");
    await settled();
  };
  /** The chunk keys of `array` asked of the host while `work` runs, in order. */
  const chunksDuring = async (work, array = GHI) => {
    const before = site.requests.length;
    await work();
    const paths = site.requests.slice(before).map(({ url }) => url);
    return paths.filter((url) => url.includes(`${array}/c/`)).map((url) => url.split("/c/")[1]).sort();
  };
  /** RGBA of pixels of the canvas, `[column, row]` each; all of them as a count of distinct colours. */
  const canvas = (cells = []) =>
    page.evaluate(async (wanted) => {
      // What was changed is drawn with the next frame.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const element = document.querySelector("#plot canvas");
      const { width, height } = element;
      const { data } = element.getContext("2d").getImageData(0, 0, width, height);
      const at = (x, y) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 4)];
      return { width, height, pixels: wanted.map(([x, y]) => at(x, y)), colours: new Set(new Uint32Array(data.buffer)).size };
    }, cells);
  /** The colour that cell (lat row, lon column) of a day must have, from the package's own answer. */
  const colourOf = async (day, row, column) => {
    const { data } = await ghi.get([day, row, column]);
    const index = colourIndex(data[0] * ghi.attrs.scale_factor, [0, 12]);
    return [...colourTable("inferno").slice(index * 3, index * 3 + 3), 255];
  };
  const CELLS = [[0, 0], [359, 179], [270, 57], [180, 90], [10, 150]];
  const assertDrawn = async (day) => {
    const { width, height, pixels, colours } = await canvas(CELLS);
    assert.deepEqual([width, height], [360, 180]);
    assert.ok(colours > 50, `${colours} colours`);
    for (const [i, [x, y]] of CELLS.entries()) assert.deepEqual(pixels[i], await colourOf(day, 179 - y, x), `day ${day}, pixel ${x}, ${y}`);
  };

  test("opens on the embedded data and draws its values, north up", async () => {
    await show();
    await assertDrawn(SOLSTICE);
    // The polar night of June: inferno begins with (0, 0, 4).
    assert.deepEqual((await canvas([[100, 178]])).pixels, [[0, 0, 4, 255]]);
    assert.match(await text("#title"), /2024/);
    assert.match(await text("#dek"), /unequal length/);
    assert.match(await text("#sums"), /366 = 31 \+ 29 \+ 31/);
    assert.equal(await text(".unit"), "kWh m⁻² d⁻¹");
    assert.match(await text(".where"), /20 Jun 2024/);
    assert.deepEqual(await page.$$eval(".scale span", (ticks) => ticks.map((tick) => tick.textContent)), ["0", "2", "4", "6", "8", "10", "12"]);
    assert.deepEqual(problems, []);
  });

  test("a step within a month asks for nothing; a step into the next asks for that month alone", async () => {
    assert.deepEqual(await chunksDuring(() => show()), ["5/0/0", "5/1/0", "5/2/0", "5/3/0", "5/4/0"]);
    assert.deepEqual([await state(5), await state(6)], ["now", "none"]);

    const within = async () => {
      for (let day = SOLSTICE + 1; day < 182; day++) {
        await page.keyboard.press("ArrowRight");
        await settled(day);
      }
    };
    assert.deepEqual(await chunksDuring(within), []);
    assert.equal(await state(5), "held");
    await storage();
    assert.match(await text(".steps li:first-child"), /10 steps, all from cache/);

    const into = async () => {
      await page.keyboard.press("ArrowRight");
      await settled(182);
    };
    assert.deepEqual(await chunksDuring(into), ["6/0/0", "6/1/0", "6/2/0", "6/3/0", "6/4/0"]);
    assert.deepEqual([await state(5), await state(6), await state(7)], ["held", "now", "none"]);
    assert.match(await text(".where"), /1 Jul 2024/);
    assert.match(await text(".steps li:first-child"), /1 Jul 2024.*5 of 5 chunks/);
    await assertDrawn(182);
    assert.deepEqual(problems, []);
  });

  test("says the bytes that were fetched, where storage is asked for: by a key too", async () => {
    await show();
    const isShown = () => page.$eval(".side", (side) => side.checkVisibility());
    assert.equal(await isShown(), false);
    await page.keyboard.press("s");
    await page.waitForFunction(() => document.querySelector(".side").checkVisibility() && location.hash.includes("chunks=1"));
    await page.waitForSelector(".steps li:first-child summary");
    await page.click(".steps li:first-child summary");
    await page.waitForSelector(".steps li:first-child tbody tr");
    const rows = await page.$$eval(".steps li:first-child tbody tr", (list) => list.map((row) => [...row.cells].map((cell) => cell.textContent)));
    const sizes = await Promise.all(ZONES.map(async (_, zone) => (await readFile(join(ROOT, "www/public", GHI, `c/5/${zone}/0`))).length));
    const kilobytes = (n) => (n < 1000 ? `${n} B` : `${Number((n / 1000).toPrecision(3))} kB`);
    assert.deepEqual(rows.map((row) => row.slice(0, 3)).sort(), sizes.map((size, zone) => [`ghi/c/5/${zone}/0`, "200", kilobytes(size)]));
    assert.match(await text(".steps li:first-child summary"), new RegExp(kilobytes(sizes.reduce((a, b) => a + b))));
    assert.deepEqual(problems, []);
  });

  test("draws chunk boundaries where the chunk grid has them, and leaves them out unless they are asked for", async () => {
    await show();
    assert.equal(await page.$(".chunks .line"), null);
    await page.click("#chunks");
    const lines = await page.$$eval(".chunks .line", (list) => list.map((line) => [line.dataset.axis, Number(line.dataset.at), line.y1.baseVal.value]));
    assert.deepEqual(lines, starts(ZONES).slice(1).map((at) => ["1", at, 180 - at]));
    const places = await page.evaluate(() => {
      const plot = document.querySelector("#plot").getBoundingClientRect();
      return [...document.querySelectorAll(".chunks .line")].map((line) => (line.getBoundingClientRect().top - plot.top) / plot.height);
    });
    places.forEach((place, i) => assert.ok(Math.abs(place - (1 - starts(ZONES)[i + 1] / 180)) < 0.01, `line ${i} at ${place}`));

    const blocks = await page.evaluate(() => {
      const track = document.querySelector(".blocks").getBoundingClientRect();
      return [...document.querySelectorAll(".block")].map((block) => (block.getBoundingClientRect().left - track.left) / track.width);
    });
    assert.equal(blocks.length, 12);
    blocks.forEach((place, i) => assert.ok(Math.abs(place - starts(MONTHS)[i] / 366) < 0.001, `month ${i} at ${place}`));
    assert.deepEqual(await page.$$eval(".block", (list) => list.map((block) => block.textContent)).then((all) => all.slice(0, 3)), ["Jan31", "Feb29", "Mar31"]);

    await page.click("#chunks");
    assert.equal(await page.$(".chunks .line"), null);
    assert.deepEqual(problems, []);
  });

  test("jumps by a click on the strip, by keys and by the buttons", async () => {
    await show();
    const { height } = await (await page.$('.block[data-chunk="2"]')).boundingBox();
    const keys = await chunksDuring(async () => {
      await page.locator('.block[data-chunk="2"]').click({ offset: { x: 2, y: height / 2 } });
      await settled(60);
    });
    assert.deepEqual(keys, ["2/0/0", "2/1/0", "2/2/0", "2/3/0", "2/4/0"]);
    assert.match(await text(".where"), /1 Mar 2024/);
    await page.keyboard.press("PageUp"); // the strip's slider has the focus
    await settled(91);
    await page.keyboard.press("ArrowLeft");
    await settled(90);
    await page.click('[aria-label="Next chunk, time"]');
    await settled(91);
    await page.click('[aria-label="Previous step, time"]');
    await settled(90);
    assert.match(await page.$eval(".track input", (input) => input.getAttribute("aria-valuetext")), /31 Mar 2024, chunk 3 of 12, 31 steps, in cache/);
    assert.deepEqual(problems, []);
  });

  test("plays and pauses", async () => {
    await show();
    await page.click('[aria-label="Play, time"]');
    await page.waitForFunction((from) => Number(document.querySelector("#view").dataset.at) > from + 3, { timeout: 60_000 }, SOLSTICE);
    await page.click('[aria-label="Pause, time"]');
    await settled();
    const at = await page.$eval("#view", (view) => view.dataset.at);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(await page.$eval("#view", (view) => view.dataset.at), at);
    assert.deepEqual(problems, []);
  });

  test("quick stepping ends on the last step's picture", async () => {
    await show();
    await page.focus(".track input");
    for (let i = 0; i < 5; i++) await page.keyboard.press("PageUp");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await settled(308);
    await new Promise((resolve) => setTimeout(resolve, 300)); // anything late would come now
    await assertDrawn(308);
    assert.deepEqual(problems, []);
  });

  test("an answer that comes late is not drawn over a later step", async () => {
    await show();
    await page.focus(".track input");
    slow = /ghi\/c\/7\//;
    await page.keyboard.press("PageUp");
    await settled(182);
    await page.keyboard.press("PageUp"); // August, slow
    await page.waitForSelector('#view[aria-busy="true"]');
    assert.equal(await state(7), "reading");
    await page.keyboard.press("ArrowLeft"); // 31 July, in cache
    await settled(212);
    release();
    await new Promise((resolve) => setTimeout(resolve, 1000)); // it would come now
    await assertDrawn(212);
    assert.equal(await state(7), "none");
    assert.deepEqual(problems, []);
  });

  test("draws as many cells of a large plane as the screen shows, and draws an axis of a thousand million chunks", async () => {
    await show();
    await openAddress(`${site.url}/wide`);
    assert.match(await text(".note"), /every 16th along axis 0 and every 16th along axis 1\. Zooming in draws more/);
    assert.deepEqual(await canvas().then(({ width, height }) => [width, height]), [563, 563]);
    await openAddress(`${site.url}/long`);
    assert.equal(await text(".block"), "1,000,000,000 chunks");
    await page.focus(".track input");
    await page.keyboard.press("End");
    await settled(999_999_999);
    assert.match(await text(".where"), /chunk 1,000,000,000 of 1,000,000,000/);
    const lens = await page.$$eval(".lens .block", (list) => list.map((block) => [Number(block.dataset.chunk), block.dataset.state]));
    assert.equal(lens.length, 14);
    assert.deepEqual(lens.slice(-2), [[999_999_998, "none"], [999_999_999, "missing"]]);
    assert.deepEqual(others(problems), []);
  });

  test("tells the value under the pointer and under the keyboard's cursor", async () => {
    await show();
    const value = async (row, column) => `${((await ghi.get([SOLSTICE, row, column])).data[0] * 0.02).toFixed(2)} kWh m⁻² d⁻¹`;
    const box = await (await page.$("#plot canvas")).boundingBox();
    await page.mouse.move(box.x + (box.width * 270.5) / 360, box.y + (box.height * 57.5) / 180);
    assert.equal(await text(".tip b"), await value(122, 270));
    assert.match(await text(".tip"), /32\.5° N, 90\.5° E.*chunk 5, 3, 0/);
    await page.mouse.move(0, 0);
    await page.focus("#plot");
    await page.keyboard.press("ArrowUp"); // the cursor appears in the middle
    await page.keyboard.press("ArrowUp");
    assert.equal(await text("#status"), `${await value(91, 180)}, 1.5° N, 0.5° E`);
    assert.deepEqual(problems, []);
  });

  test("says an error in words and keeps what was open", async () => {
    await show();
    await openAddress(`${site.url}/data/clear-sky-2024.zarr/nothing`);
    assert.match(await text("#error"), /NotFoundError: .*nothing/);
    await openAddress("http://");
    assert.match(await text("#error"), /not a web address/);
    await openAddress(`${site.url}/fixtures/broken/missing-shape.zarr`);
    assert.match(await text("#error"), /InvalidMetadataError/);
    await assertDrawn(SOLSTICE);
    await page.click('[aria-label="Next step, time"]');
    await settled(SOLSTICE + 1);
    await assertDrawn(SOLSTICE + 1);
    assert.deepEqual(others(problems), []);
  });

  test("shows an array whose chunk is broken, and which one it is", async () => {
    await show();
    await openAddress(`${site.url}/fixtures/broken/chunk-crc32c-data.zarr`);
    assert.match(await text("#error"), /could not be decoded.*CodecError: .*crc32c/);
    assert.equal(await text("#title"), "chunk-crc32c-data.zarr");
    await storage();
    assert.match(await text(".tally"), /1 failed/);
    assert.ok(await page.$('#figure .states [data-state="failed"]'));
    assert.deepEqual(others(problems), []);
  });

  test("opens other arrays: two axes, one axis, four, none, and an empty one", async () => {
    await show();
    await page.click("#chunks");
    await openAddress(`${site.url}/fixtures/rectilinear-lists.zarr`);
    const whole = new Int32Array((await readFile(join(FIXTURES, "rectilinear-lists.bin"))).buffer.slice(0, 14 * 22 * 4));
    const range = [Math.min(...whole), Math.max(...whole)];
    const drawn = await canvas([[0, 0], [21, 0], [0, 13], [12, 5]]);
    assert.deepEqual([drawn.width, drawn.height], [22, 14]);
    const expected = [0, 21, 13 * 22, 5 * 22 + 12].map((i) => [...colourTable("inferno").slice(colourIndex(whole[i], range) * 3, colourIndex(whole[i], range) * 3 + 3), 255]);
    assert.deepEqual(drawn.pixels, expected);
    const lines = await page.$$eval(".chunks .line", (list) => list.map((line) => [line.dataset.axis, Number(line.dataset.at)]));
    assert.deepEqual(lines, [["0", 1], ["0", 10], ["1", 10], ["1", 11], ["1", 14]]);

    await openAddress(`${site.url}/fixtures/pattern-resized.zarr`);
    assert.equal(await page.$eval(".frame", (frame) => frame.dataset.kind), "line");
    assert.ok((await canvas()).colours > 1);
    assert.deepEqual(await page.$$eval(".chunks .line", (list) => list.map((line) => Number(line.dataset.at))), [10, 30, 50]);

    await openAddress(`${site.url}/fixtures/rectilinear-4d.zarr`);
    assert.equal((await page.$$(".axis")).length, 2);
    assert.match(await page.evaluate(() => location.hash), /at=0,0/);

    await openAddress(`${site.url}/fixtures/scalar-v2.zarr`);
    assert.match(await text(".scalar"), /\d/);
    await openAddress(`${site.url}/fixtures/zero-regular.zarr`);
    assert.equal(await text(".scalar"), "This array has no cells");

    await page.goBack();
    await page.waitForFunction(() => document.querySelector("#title").textContent === "scalar-v2.zarr", { timeout: 60_000 });
    await settled();
    assert.deepEqual(others(problems), []);
  });

  test("a link restores the view", async () => {
    await show("at=60&colours=viridis&range=0,9&chunks=1", 60);
    assert.match(await text(".where"), /1 Mar 2024/);
    assert.equal(await page.$eval("#colours", (select) => select.value), "viridis");
    const { data } = await ghi.get([60, 122, 270]);
    const index = colourIndex(data[0] * 0.02, [0, 9]) * 3;
    assert.deepEqual((await canvas([[270, 57]])).pixels[0], [...colourTable("viridis").slice(index, index + 3), 255]);
    assert.equal((await page.$$(".chunks .line")).length, 4);
    await page.click('[aria-label="Next step, time"]');
    await settled(61);
    await page.waitForFunction(() => location.hash === "#at=61&colours=viridis&range=0,9&chunks=1", { timeout: 60_000 });
    const address = encodeURIComponent(`${site.url}/fixtures/codec-zstd.zarr`);
    await page.goto("about:blank");
    await show(`url=${address}&at=3`, 3);
    assert.equal(await text("#title"), "codec-zstd.zarr");
    assert.deepEqual(problems, []);
  });

  for (const [name, width, height] of [["wide", 1280, 800], ["narrow", 390, 844], ["least", 360, 740]]) {
    for (const scheme of ["light", "dark"]) {
      test(`fits a ${name} window, ${scheme}`, async () => {
        await page.setViewport({ width, height });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await show();
        await page.keyboard.press("PageUp");
        await settled(182);
        await page.waitForSelector("html.lettered");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
        await page.screenshot({ path: join(SCREENSHOTS, `explorer-${name}-${scheme}.png`) });
        assert.deepEqual(problems, []);
      });
    }
  }
});
