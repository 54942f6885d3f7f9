/** Files of views of every kind, saved in Chromium and opened by numpy, pandas, xarray and GDAL: they hold what xarray has of the same selection. */

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { python, startMade } from "../support/made.mjs";
import { ROOT } from "../support/paths.mjs";

const BUTTONS = { csv: "Values as CSV", npy: "Values as .npy", nc: "Values as NetCDF", tif: "Values as GeoTIFF" };

describe("files that the explorer saves", () => {
  let made;
  let differences;
  const offered = {};
  const titles = {};
  const cases = {};

  before(async () => {
    made = await startMade("taken.py");
    Object.assign(cases, JSON.parse(await readFile(join(made.directory, "cases.json"), "utf8")));
    const saved = join(made.directory, "saved");
    await mkdir(saved);
    const user = await made.explorer.page();
    await user.takeFiles();
    await user.show(`url=${made.explorer.site.url}/made/down.zarr/lat`);
    await user.page.click("#take summary");
    for (const [name, [link, endings]] of Object.entries(cases)) {
      // Another link in the same page, as a visitor pastes it.
      await user.page.evaluate((hash) => new Promise((done) => {
        addEventListener("popstate", () => setTimeout(done), { once: true });
        location.hash = hash;
      }), `url=${made.explorer.site.url}/made/${link}`);
      await user.settled();
      // Where a grid lies is found beside the picture.
      const isOffered = (words) => words.every((text) => [...document.querySelectorAll("#take .choices button")].some((one) => one.textContent === text && !one.hidden));
      await user.page.waitForFunction(isOffered, { timeout: 10_000 }, endings.map((ending) => BUTTONS[ending])).catch(() => undefined);
      titles[name] = await user.text("#title");
      offered[name] = await user.page.$$eval("#take .choices button", (list) => list.filter((one) => !one.hidden).map((one) => one.textContent));
      const files = await user.page.evaluate(async (labels) => {
        const found = {};
        for (const [ending, label] of labels) {
          [...document.querySelectorAll("#take .choices button")].find((one) => one.textContent === label).click();
          while (!globalThis.saved.length) await new Promise((done) => setTimeout(done, 5));
          const bytes = new Uint8Array(await globalThis.saved.pop().arrayBuffer());
          found[ending] = Array.from(bytes, (n) => String.fromCharCode(n)).join("");
        }
        return found;
      }, Object.entries(BUTTONS).filter(([, label]) => offered[name].includes(label)));
      for (const [ending, bytes] of Object.entries(files)) await writeFile(join(saved, `${name}.${ending}`), Buffer.from(bytes, "latin1"));
    }
    assert.deepEqual(user.problems, []);
    await user.close();
    differences = JSON.parse(await python(join(ROOT, "tests/oracle/taken.py"), made.directory, saved));
  });
  after(() => made?.close());

  test("hold what xarray has of the same selection, in each kind of view", () => {
    assert.deepEqual(differences, {});
  });

  test("are offered where a format has a form for them, and nowhere else", () => {
    for (const [name, buttons] of Object.entries(offered)) {
      const endings = Object.keys(BUTTONS).filter((ending) => buttons.includes(BUTTONS[ending]));
      assert.deepEqual(endings, cases[name][1], name);
    }
  });

  test("a TIFF is called by its file, and not by the number of its image", () => {
    assert.equal(titles.slope, "slope.tif");
    assert.equal(titles.height, "height");
  });

  test("means, extremes and deviations, over the view and by month, are those of xarray", async () => {
    const wanted = JSON.parse(await readFile(join(made.directory, "answers.json"), "utf8"));
    const user = await made.explorer.page();
    await user.takeFiles();
    await user.show(`url=${made.explorer.site.url}/made/months.zarr/t&at=3`);
    await user.lettered();
    await user.page.click("#answers summary");
    const isShown = (text) => [...document.querySelectorAll("#answers button")].some((one) => one.textContent === text && !one.hidden && !one.disabled);
    const press = async (label) => {
      await user.waitFor(isShown, label);
      await user.page.evaluate((text) => [...document.querySelectorAll("#answers button")].find((one) => one.textContent === text).click(), label);
    };
    for (const [how, curves] of Object.entries(wanted)) {
      for (const [curve, values] of Object.entries(curves)) {
        await user.waitFor(() => document.querySelector("#answers select"));
        await user.page.select('#answers select[aria-label="Statistic"]', how);
        await user.page.select('#answers select[aria-label="Curve"]', curve);
        await press("Calculate");
        const title = { mean: "Mean", max: "Maximum", std: "Deviation" }[how];
        await user.waitFor((text) => document.querySelector("#answers h3").textContent.startsWith(text) && [...document.querySelectorAll("#answers button")].some((one) => one.textContent === "Stop" && one.hidden), `${title} ${curve}`);
        await press("Curve as CSV");
        const found = (await user.page.evaluate(() => globalThis.saved.pop().text())).trim().split("\n").filter((line) => line[0] !== "#").slice(1).map((line) => line.split(",").at(-1));
        assert.equal(found.length, values.length, `${how} ${curve}`);
        found.forEach((text, i) => assert.ok(values[i] === null ? text === "" : Math.abs(Number(text) - values[i]) <= 1e-5 * Math.max(1, Math.abs(values[i])), `${how} ${curve}, ${i}: ${text}, not ${values[i]}`));
      }
    }
    assert.deepEqual(user.problems, []);
    await user.close();
  });

  test("a file that is asked for before it is known where its cells lie waits for that", async () => {
    const user = await made.explorer.page();
    await user.takeFiles();
    let answer;
    const held = new Promise((done) => (answer = done));
    made.explorer.given.delay = (url) => (/rotated\.zarr\/(lat|lon)\/c/.test(url) ? held : 0);
    await user.show(`url=${made.explorer.site.url}/made/rotated.zarr/tas`);
    await user.lettered(); // which move what is folded
    await user.page.click("#take summary");
    await user.waitFor(() => document.querySelector("#take .choices"));
    await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find((one) => one.textContent === "Values as NetCDF").click());
    setTimeout(answer, 300);
    await user.waitFor(() => globalThis.saved.length);
    const text = await user.page.evaluate(async () => new TextDecoder("latin1").decode(await globalThis.saved.pop().arrayBuffer()));
    assert.match(text, /rotated_latitude_longitude/);
    assert.match(text, /degrees_north/);
    made.explorer.reset();
    assert.deepEqual(user.problems, []);
    await user.close();
  });
});
