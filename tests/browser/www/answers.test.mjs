/** The page of answers, built: it draws three figures from the embedded year, with the values that the data have. */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { launch } from "../support/chromium.mjs";
import { ROOT } from "../support/paths.mjs";
import { files, listen } from "../support/server.mjs";

const SCREENSHOTS = join(ROOT, "target/screenshots");

describe("the page of answers", () => {
  let site;
  let browser;
  let page;
  const problems = [];
  before(async () => {
    [site, browser] = await Promise.all([listen(files(join(ROOT, "www/dist"))), launch()]);
    await mkdir(SCREENSHOTS, { recursive: true });
    page = await browser.newPage();
    page.on("pageerror", (error) => problems.push(String(error.stack ?? error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(`${site.url}/answers.html`);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const drawn = async (id) => {
    await page.waitForSelector(`#${id}[data-state]`, { timeout: 50_000 });
    assert.equal(await page.$eval(`#${id}`, ({ dataset }) => dataset.state), "drawn", await page.$eval(`#${id} figcaption`, (caption) => caption.textContent));
  };

  test("has a curve by month for each band, which swings with the sun", async () => {
    await drawn("months");
    const curves = await page.$$eval("#months .curve", (lines) => lines.map((line) => line.getAttribute("points").split(" ").map((point) => Number(point.split(",")[1]))));
    assert.deepEqual(curves.map(({ length }) => length), [12, 12, 12, 12]);
    // Above is more: the north has its summer in June, the south in December.
    const highest = curves.map((heights) => heights.indexOf(Math.min(...heights)));
    assert.ok([5, 6].includes(highest[0]) && [5, 6].includes(highest[1]) && [0, 11].includes(highest[3]), `${highest}`);
  });

  test("has a map of countries by their mean", async () => {
    await drawn("countries");
    const found = Object.fromEntries(await page.$$eval("#countries .country", (paths) => paths.map((path) => [path.querySelector("title").textContent.split(": ")[0], [path.querySelector("title").textContent.split(": ")[1], path.getAttribute("fill")]])));
    assert.ok(Object.keys(found).length > 170);
    const energy = (name) => Number(found[name][0]);
    assert.ok(energy("Algeria") > 7 && energy("Australia") < 5 && energy("Antarctica") < 0.5, `${JSON.stringify(found.Algeria)} ${JSON.stringify(found.Antarctica)}`);
    assert.ok(new Set(Object.values(found).map(([, fill]) => fill)).size > 30);
  });

  test("has the pixels of another projection", async () => {
    await drawn("pole");
    const [middle, far] = await page.$eval("#pole canvas", (canvas) => [[200, 200], [20, 200]].map(([x, y]) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data]));
    assert.ok(middle[3] === 255 && middle[0] > 150, `${middle}`);
    assert.ok(far[3] === 255 && far.join() !== middle.join(), `${far}`);
    await page.screenshot({ path: join(SCREENSHOTS, "answers.png"), fullPage: true });
  });

  test("fits a phone, and nothing was thrown", async () => {
    await page.setViewport({ width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
    assert.deepEqual(problems, []);
  });
});
