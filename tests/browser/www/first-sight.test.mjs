/** The explorer at first sight: what stands there while its code travels, and where the picture and its colours are. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";

describe("the explorer at first sight", () => {
  let explorer;
  let user;
  before(async () => (explorer = await startExplorer({}, { keeps: false })));
  after(() => explorer?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const boxes = (...selectors) => user.page.evaluate((list) => list.map((selector) => {
    const { left, top, right, bottom, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { left, top, right, bottom, width, height };
  }), selectors);

  test("while the code travels the catalog's title and the picture's place stand there", async () => {
    const { stores: [{ title }] } = JSON.parse(await readFile(join(ROOT, "www/public/explorer.json"), "utf8"));
    let release;
    const held = new Promise((done) => (release = done));
    explorer.given.delay = (url) => (/_bg-.*\.wasm$/.test(url) ? held : 0);
    await user.page.goto(`${explorer.site.url}/`, { waitUntil: "domcontentloaded" });
    await user.says("#title", new RegExp(`^${title}$`));
    const [{ width, height }] = await boxes(".skeleton");
    assert.ok(width > 600 && height > 300, `${width} x ${height}`);
    release();
    await user.settled();
    assert.equal(await user.page.$eval(".skeleton", (skeleton) => skeleton.checkVisibility()), false);
    assert.deepEqual(user.problems, []);
  });

  for (const [name, hash, isInline] of [["", "", true], [", of a store that the address names", "#url=data/clear-sky-2024.zarr/hours/ghi", true], [", where no script may stand in the page", "", false]]) {
    test(`the catalog's title stands there before the page's code${name}`, async () => {
      const { stores } = JSON.parse(await readFile(join(ROOT, "www/public/explorer.json"), "utf8"));
      const { title } = stores.find(({ url, array }) => (hash ? hash.endsWith(`${url}/${array}`) : true)) ?? assert.fail("no such store");
      let release;
      const held = new Promise((done) => (release = done));
      explorer.given.delay = (url) => ((isInline ? /\/assets\/explorer-.*\.js$/ : /_bg-.*\.wasm$/).test(url) ? held : 0);
      if (!isInline) explorer.given.headers = { "Content-Security-Policy": "script-src 'self' 'wasm-unsafe-eval'" };
      explorer.site.requests.length = 0;
      const going = user.page.goto(`${explorer.site.url}/${hash}`);
      await user.says("#title", new RegExp(`^${title}$`));
      release();
      await going;
      await user.settled();
      const asked = explorer.site.requests.map(({ url }) => url);
      assert.equal(asked.filter((url) => url === "/explorer.json").length, 1);
      const wasm = asked.filter((url) => url.endsWith(".wasm"));
      assert.equal(new Set(wasm).size, wasm.length, "nothing comes twice");
      assert.ok(asked.indexOf("/explorer.json") < asked.findIndex((url) => url.endsWith(".wasm")));
      assert.deepEqual(user.problems, []);
    });
  }

  test("the colours stand beside the picture, and chunks where they are asked for", async () => {
    await user.show();
    const [plot, bar] = await boxes("#plot", ".colourbar");
    assert.ok(bar.left >= plot.right && Math.abs(bar.bottom - plot.bottom) < 2 && bar.right <= 1280, JSON.stringify([plot, bar]));
    const shown = () => user.page.$$eval(".side, .sums, .chunks .line, .where .detail", (list) => list.filter((one) => one.checkVisibility()).length);
    assert.equal(await shown(), 0);
    // The parts that say it travel when they are asked for, and tell of the steps before.
    assert.equal(await user.page.$eval("#side", ({ textContent }) => textContent.trim()), "");
    await user.page.click("#chunks");
    await user.says(".tally", /5 fetched by this step/);
    assert.deepEqual(await user.texts("#ledger .row b"), ["20 Jun 2024", "Opening"]);
    await user.waitFor(() => document.querySelector(".chunks .line"));
    assert.ok((await shown()) > 3);
    assert.deepEqual(user.problems, []);
  });

  test("on a phone the picture comes before all but the heading, and is all in view", async () => {
    await user.page.setViewport({ width: 390, height: 844 });
    await user.show();
    const [title, plot, bar, contents] = await boxes("#title", "#plot", ".colourbar", ".contents");
    assert.ok(title.bottom <= plot.top && plot.bottom <= bar.top + 30 && plot.bottom < 500 && contents.top > bar.bottom, JSON.stringify([title, plot, bar, contents]));
    assert.ok(plot.width > 300 && (await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)));
    assert.deepEqual(user.problems, []);
  });

  test("the picture fills the screen where that is asked for", async () => {
    await user.show();
    const [before] = await boxes("#plot");
    await user.page.click('#figure [aria-label="Full screen"]');
    await user.waitFor(() => document.fullscreenElement?.id === "stage");
    await user.page.click('#figure [aria-label="Full screen"]');
    await user.waitFor(() => !document.fullscreenElement);
    await user.settled();
    const [after_] = await boxes("#plot");
    assert.deepEqual(after_, before);
    assert.deepEqual(user.problems, []);
  });
});
