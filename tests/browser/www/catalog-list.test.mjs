/** The stores of a catalog as the first screen of the explorer: cards, the search, links past it, and the way back to it. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { explorerFiles, startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";

const SCREENSHOTS = join(ROOT, "target/screenshots");
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");

const few = [
  { url: "data/clear-sky-2024.zarr", array: "hours/ghi", title: "Noon in June", description: "Irradiance under a cloudless sky.", thumbnail: "thumbnails/hours.webp", at: [5, 12], bbox: [-180, -90, 180, 90], time: ["2024-01-01", "2024-12-31"] },
  { url: "data/altitude.zarr", title: "Altitude", thumbnail: "thumbnails/altitude.webp", bbox: [-10, 35, 20.5, 60], time: ["1940-03", null] },
  { url: "data/months/quarter.json", title: "A quarter in NetCDF", time: [null, "2001"] },
];

describe("a catalog that begins with its list", () => {
  let explorer;
  let given;
  let user;

  before(async () => {
    const dist = explorerFiles();
    explorer = await startExplorer({ "/site": (request, response) => (request.url.split("?")[0] === "/explorer.json" ? response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(given)) : dist(request, response)) }, { watches: true });
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => explorer?.close());
  beforeEach(async () => {
    given = { title: "Weather of Utopia", first: "list", stores: few };
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const open = async (rest = "") => {
    await user.page.goto("about:blank");
    await user.page.goto(`${explorer.site.url}/site/${rest}`);
    await user.settled();
  };
  const isShown = (selector) => user.page.$eval(selector, (element) => element.checkVisibility());
  const hash = () => user.page.evaluate(() => decodeURIComponent(location.hash));
  const shown = () => user.page.$$eval(".landing .card", (list) => list.filter((card) => card.checkVisibility()).map((card) => card.querySelector("b").textContent));

  test("shows titles, words, time and area, and reads no data", async () => {
    const from = explorer.site.requests.length;
    await open();
    assert.deepEqual(await shown(), ["Noon in June", "Altitude", "A quarter in NetCDF"]);
    assert.equal(await user.text(".landing h1"), "Weather of Utopia");
    assert.equal(await user.page.title(), "Weather of Utopia");
    assert.deepEqual(await user.texts(".landing .extent"), ["1 Jan 2024 to 31 Dec 2024", "90° S to 90° N, all longitudes", "since Mar 1940", "35° N to 60° N, 10° W to 20.5° E", "until 2001"]);
    assert.equal(await hash(), "");
    assert.deepEqual([await isShown("#view"), await isShown("#stores"), await isShown(".skip"), await isShown("#error")], [false, false, false, false]);
    await user.waitFor(() => document.querySelector(".landing .thumb img")?.complete);
    assert.deepEqual(explorer.site.requests.slice(from).filter(({ url }) => /\/data\//.test(url)), []);
    assert.deepEqual(user.problems, []);
  });

  test("is searched by words of titles, addresses, times and areas, and told of", async () => {
    await open();
    const search = async (text) => {
      await user.page.$eval(".landing .filter", (box) => (box.value = ""));
      await user.page.type(".landing .filter", text);
      return shown();
    };
    assert.deepEqual(await search("altitude"), ["Altitude"]);
    assert.equal(await user.text(".landing .found"), "1 of 3 stores");
    assert.deepEqual(await search("1940"), ["Altitude"]);
    assert.deepEqual(await search("2024 cloudless"), ["Noon in June"]);
    assert.deepEqual(await search("months/quarter"), ["A quarter in NetCDF"]);
    assert.deepEqual(await search("nothing of it"), []);
    assert.equal(await user.text(".landing .found"), "0 of 3 stores");
    assert.deepEqual(user.problems, []);
  });

  test("a card opens its store by keys alone, Back returns to the list, and the arrows leave the address alone there", async () => {
    await open();
    await user.page.focus(".landing .filter");
    await user.page.keyboard.press("Tab");
    await user.page.keyboard.press("Enter");
    await user.says("#title", /^Clear-sky irradiance/);
    await user.settled();
    assert.match(await hash(), /clear-sky-2024.zarr\/hours\/ghi&at=5,12/);
    assert.equal(await isShown(".landing"), false);
    assert.equal(await isShown("#stores summary"), true);
    await user.page.goBack();
    await user.waitFor(() => document.querySelector(".landing").checkVisibility());
    assert.equal(await hash(), "");
    await user.page.evaluate(() => document.activeElement.blur());
    for (const key of ["ArrowRight", "PageDown", " ", "s"]) await user.page.keyboard.press(key);
    await new Promise((done) => setTimeout(done, 300));
    assert.equal(await hash(), "");
    await user.page.goForward();
    await user.says("#title", /^Clear-sky irradiance/);
    await user.settled();
    // The name of the page leads back, and so does an empty address.
    assert.equal(await user.page.$eval(".brand", ({ title }) => title), "Back to the list of the stores");
    await user.page.$eval("#url", (input) => (input.value = ""));
    await user.page.focus("#url");
    await user.page.keyboard.press("Enter");
    await user.waitFor(() => document.querySelector(".landing").checkVisibility() && location.hash === "");
    assert.deepEqual(user.problems, []);
  });

  test("a link to data goes past it, and so does an address that is written on it", async () => {
    await open(`#url=${explorer.site.url}/site/data/altitude.zarr/0/altitude`);
    assert.equal(await isShown(".landing"), false);
    assert.equal(await isShown("#figure"), true);
    await open();
    await user.page.type("#url", `${explorer.site.url}/site/data/altitude.zarr/0/altitude`);
    await user.page.keyboard.press("Enter");
    await user.says("#contents h2", /altitude\.zarr/);
    await user.settled();
    assert.equal(await isShown(".landing"), false);
    await open();
    await user.page.type("#url", `${explorer.site.url}/site/data/none.zarr`);
    await user.page.keyboard.press("Enter");
    await user.says("#error", /Nothing is there/);
    assert.equal(await isShown("#title"), true);
    await user.page.click("#dek a");
    await user.waitFor(() => document.querySelector(".landing").checkVisibility() && !document.querySelector("#error").checkVisibility());
    assert.deepEqual(user.problems, []);
  });

  test("more than eight stores begin with it unless the catalog says otherwise, fewer only where it says so; frames never do", async () => {
    const many = Array.from({ length: 9 }, (_, n) => ({ ...few[0], title: `Store ${n}` }));
    for (const [catalog, isList] of [[{ stores: many }, true], [{ first: "store", stores: many }, false], [{ stores: few }, false]]) {
      given = catalog;
      await open();
      assert.equal(await user.page.$eval("#view", (view) => view.checkVisibility()), !isList);
    }
    given = { stores: many };
    await open("?embed=1");
    assert.equal(await isShown("#figure"), true);
    assert.deepEqual(user.problems, []);
  });

  for (const [name, width, height] of [["wide", 1280, 800], ["narrow", 390, 844], ["320", 320, 640]]) {
    for (const scheme of ["light", "dark"]) {
      test(`fits a ${name} window, and axe finds nothing, ${scheme}`, async () => {
        await user.page.setViewport({ width, height });
        await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        given.stores = [...few, ...Array.from({ length: 9 }, (_, i) => ({ url: `s${i}.zarr`, title: `Store ${i}`, description: "Words about it. ".repeat(i + 1), bbox: [0, 0, 10 * i, 10] }))];
        await open();
        await user.page.evaluate(() => document.fonts.ready);
        assert.ok(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
        await user.waitFor(() => document.querySelector(".landing .thumb img")?.complete);
        await user.page.screenshot({ path: join(SCREENSHOTS, `catalog-list-${name}-${scheme}.png`) });
        await user.page.evaluate(axe);
        assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.length} of ${nodes[0].html.slice(0, 160)}`)), []);
        assert.deepEqual(user.problems, []);
      });
    }
  }
});
