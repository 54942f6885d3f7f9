/** The documentation as `make demo` serves it: every page is there, the search box finds pages and classes, and all of it fits a phone. */

import assert from "node:assert/strict";
import { mkdir, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { launch } from "../support/chromium.mjs";
import { ROOT } from "../support/paths.mjs";
import { files, listen } from "../support/server.mjs";

const PAGES = join(ROOT, "www/docs");
/** Links of the sidebar, which a script puts there. */
const LINKS = ".tsd-navigation a[href*='documents/']";
const SCREENSHOTS = join(ROOT, "target/screenshots");

/** Front matter of each page. */
const matters = await Promise.all(
  (await readdir(PAGES)).filter((name) => name.endsWith(".md")).map(async (name) => {
    const text = await readFile(join(PAGES, name), "utf8");
    const [, title, group] = /^---\ntitle: (.*)\ngroup: (.*)\n---\n/.exec(text) ?? assert.fail(`${name} says no title and group`);
    return { name, text, title, group };
  }),
);

describe("the documentation's site", () => {
  let site;
  let browser;
  let page;
  const problems = [];
  before(async () => {
    [site, browser] = await Promise.all([listen(files(join(ROOT, "www/dist"))), launch(), mkdir(SCREENSHOTS, { recursive: true })]);
    page = await browser.newPage();
    page.on("pageerror", (error) => problems.push(String(error)));
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const show = async (path, [width, height] = [1280, 800]) => {
    await page.setViewport({ width, height });
    await page.goto(`${site.url}/${path}`);
    await page.waitForSelector(LINKS, { timeout: 60_000 });
  };
  /** The pages that the sidebar lists, with their addresses. */
  const listed = () =>
    page.$$eval(LINKS, (links) => links.map(({ textContent, href }) => [textContent, new URL(href).pathname.slice(1)]));

  test("every page is short, and lies in one of three groups", () => {
    for (const { name, text, group } of matters) {
      const lines = text.trimEnd().split("\n");
      assert.ok(lines.length <= 200, `${name} has ${lines.length} lines`);
      assert.deepEqual(lines.filter((line) => line.length > 120), [], name);
      assert.match(group, /^(Guide|Reference|Project)$/, name);
      assert.equal(text.replaceAll(/^```.*?^```/gms, "").match(/^# /gm)?.length, 1, `${name} has one heading of the first level`);
    }
  });

  test("the explorer links to it, and it lists every page", async () => {
    await page.goto(`${site.url}/`);
    await page.$eval(".docs", (link) => link.click());
    await page.waitForSelector(LINKS, { timeout: 60_000 });
    assert.equal(new URL(page.url()).pathname, "/api/");
    assert.deepEqual((await listed()).map(([title]) => title).sort(), matters.map(({ title }) => title).sort());
  });

  const found = async (words) => {
    await show("api/");
    await page.click("#tsd-search-trigger");
    await page.focus("#tsd-search-input");
    await page.keyboard.sendCharacter(words); // at once, as what is found for a part of the words would stand first
    await page.waitForSelector("#tsd-search-results a", { timeout: 60_000 });
    return page.$$eval("#tsd-search-results a", (links) => links.map(({ textContent, href }) => [textContent.trim(), new URL(href).pathname]));
  };

  test("the search box finds a page by a word of its text", async () => {
    const word = "CloudFront";
    assert.deepEqual(matters.filter(({ text }) => text.includes(word)).map(({ name }) => name), ["recipes.md"]);
    const [[title, path], ...others] = await found(word);
    assert.match(title, /^Recipes/);
    assert.equal(path, "/api/documents/Recipes.html");
    assert.deepEqual(others, []);
  });

  for (const [words, title] of [
    ["CORS", "Hosting"],
    ["canvas", "Recipes"],
    ["leaflet", "Recipes for maps"],
    ["maplibre", "Viewers"],
    ["csv", "Recipes"],
    ["optimizeDeps", "Troubleshooting"],
    ["jupyter", "Notebooks"],
    ["zarrita", "Coming from zarrita"],
    ["concatenate", "Sources"],
    ["unpkg", "Start"],
  ]) {
    test(`the search box finds a page before options, by what people type: ${words}`, async () => {
      const first = (await found(words)).slice(0, 4).map(([name]) => name.split(/\s*\n/)[0]);
      assert.ok(first.some((name) => name.startsWith(title)), `${title} is not among ${first.join(", ")}`);
    });
  }

  test("the search box finds a class by its name", async () => {
    const [[, path]] = await found("RectilinearArray");
    assert.equal(path, "/api/classes/rectilinear-zarr.RectilinearArray.html");
  });

  for (const [name, size] of [["wide", [1280, 800]], ["narrow", [390, 844]]]) {
    test(`fits a ${name} window`, async () => {
      await show("api/");
      const paths = ["api/", "api/classes/rectilinear-zarr.RectilinearArray.html", ...(await listed()).map(([, path]) => path)];
      for (const path of paths) {
        await show(path, size);
        const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(width <= inner, `${path} scrolls sideways: ${width}`);
        await page.screenshot({ path: join(SCREENSHOTS, `docs-${name}-${path.replaceAll(/.*\/(?=.)|\.html|\//g, "")}.png`) });
      }
    });
  }

  test("nothing was thrown", () => assert.deepEqual(problems, []));
});
