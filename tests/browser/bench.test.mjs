/** The benchmark's page, built: it fills its table with what both readers took, once they gave the same. Speed is no test. */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { ROWS } from "../../www/src/bench/reads.js";
import { launch } from "./support/chromium.mjs";
import { ROOT } from "./support/paths.mjs";
import { files, listen } from "./support/server.mjs";

const SCREENSHOTS = join(ROOT, "target/screenshots");

describe("the benchmark's page", () => {
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
    await page.goto(`${site.url}/bench.html`);
    await page.select("#mib", "4");
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const state = (wanted) => page.waitForSelector(`body[data-state="${wanted}"]`, { timeout: 120_000 });

  test("stops where it is told to", async () => {
    await page.focus("#start");
    await page.keyboard.press("Enter");
    await state("running");
    assert.equal(await page.$eval("#start", (button) => button.textContent), "Stop");
    await page.keyboard.press("Enter");
    await state("stopped");
    assert.equal(await page.$eval("#status", (status) => status.textContent), "Stopped");
    assert.ok((await page.$$("#table tr[data-ratio]")).length < ROWS.length);
    assert.deepEqual(problems, []);
  });

  test("fills a row for each read, and says the same as text", async () => {
    await page.focus("#start");
    await page.keyboard.press("Enter");
    await state("done");
    const cells = await page.$$eval("#table tbody tr", (rows) => rows.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)));
    assert.equal(cells.length, ROWS.length);
    for (const [nth, numbers] of cells.entries()) {
      assert.equal(numbers.length, 3, `row ${nth}: ${numbers}`);
      for (const number of numbers) assert.ok(Number(number) > 0 && Number.isFinite(Number(number)), `row ${nth}: ${numbers}`);
    }
    await page.click("#copy");
    const lines = (await page.$eval("#text", (area) => area.value)).split("\n").slice(4, 4 + ROWS.length);
    assert.deepEqual(lines.map((line) => line.trim().split(/\s+/).slice(-3)), cells);
    assert.deepEqual(problems, []);
  });

  for (const [name, width, height] of [["wide", 1280, 900], ["narrow", 390, 844], ["least", 360, 740]]) {
    for (const scheme of ["light", "dark"]) {
      test(`fits a ${name} window, ${scheme}`, async () => {
        await page.setViewport({ width, height });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await page.evaluate(() => document.fonts.ready);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
        await page.screenshot({ path: join(SCREENSHOTS, `bench-${name}-${scheme}.png`), fullPage: true });
      });
    }
  }
});
