/** The explorer's catalog: what explorer.json says is what the page shows and opens, and a bad one is named by its place. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { explorerFiles, startExplorer } from "../support/explorer.mjs";
import { FIXTURES, ROOT } from "../support/paths.mjs";
import { allow, listen } from "../support/server.mjs";

// The validator that eslint brings along; a dependency of its own would be the same package once more.
const Ajv = createRequire(createRequire(import.meta.url).resolve("eslint"))("ajv");
// The page's address, beside which the embedded data lie.
globalThis.document = { baseURI: "https://host/" };
const { catalogOf } = await import(pathToFileURL(join(ROOT, "www/src/catalog/document.js")));
const SCREENSHOTS = join(ROOT, "target/screenshots");
const read = (path) => readFile(join(ROOT, path), "utf8");
const axe = await read("tests/node_modules/axe-core/axe.min.js");
const schema = JSON.parse(await read("www/public/explorer.schema.json"));
const [example, ...others] = [...(await read("www/docs/catalog.md")).matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text);
assert.ok(others.length, "the page has examples");
const EMBEDDED = "Cloudless sunlight, every day of 2024";

/** Catalogs that nothing can be made of: the place at fault, words of the remedy, and whether the schema refuses it too. */
const url = "data/clear-sky-2024.zarr";
const BAD = [
  ["[]", /explorer\.json: write an object with the member stores/],
  ["{", /explorer\.json: it is not JSON \(.*comma/],
  [{}, /\/stores: it is missing; write a list/],
  [{ stores: [] }, /\/stores: write a list of 1 to 500 stores/],
  [{ stores: ["data/a.zarr"] }, /\/stores: write a list of 1 to 500 stores, each an object/],
  [{ title: "  ", stores: [{ url }] }, /\/title: write a text that is not empty/],
  [{ stores: [{ title: "A" }] }, /\/stores\/0\/url: it is missing; write an address/],
  [{ stores: [{ url }, { url: 5 }] }, /\/stores\/1\/url: write an address/],
  [{ stores: [{ url, colours: "mauve" }] }, /\/stores\/0\/colours: write a name/],
  [{ stores: [{ url, colours: 7 }] }, /\/stores\/0\/colours: write a name/],
  [{ stores: [{ url, range: [9] }] }, /\/stores\/0\/range: write two numbers that rise/],
  [{ stores: [{ url, at: ["12"] }] }, /\/stores\/0\/at: write a list of whole numbers/],
  [{ stores: [{ url, axes: [-1, 0] }] }, /\/stores\/0\/axes: write a list of the numbers/],
  [{ stores: [{ url, view: [1, 2] }] }, /\/stores\/0\/view: write three numbers/],
  [{ stores: [{ url, coast: "no" }] }, /\/stores\/0\/coast: write true or false/],
  [{ stores: [{ url, array: "/ghi" }] }, /\/stores\/0\/array: write the path/],
  [{ stores: [{ url, array: "a/../ghi" }] }, /\/stores\/0\/array: write the path/],
  [{ first: "map", stores: [{ url }] }, /\/first: write “list” or “store”/],
  [{ basemap: "osm", stores: [{ url }] }, /\/basemap: write an object of a map's url and attribution/],
  [{ theme: "red", stores: [{ url }] }, /\/theme: write an object of colours/],
  [{ stores: [{ url, bbox: [0, 1, 2] }] }, /\/stores\/0\/bbox: write four numbers of degrees/],
  [{ stores: [{ url, time: ["2020-01-01", "May"] }] }, /\/stores\/0\/time: write two dates/],
  [{ stores: [{ url, time: ["2020"] }] }, /\/stores\/0\/time: write two dates/],
  [{ stores: [{ url, range: [9, 1] }] }, /\/stores\/0\/range: write two numbers that rise/, "here alone"],
  [{ stores: [{ url, bbox: [0, 50, 20, 10] }] }, /\/stores\/0\/bbox: write four numbers of degrees/, "here alone"],
  [{ stores: [{ url, time: [null, null] }] }, /\/stores\/0\/time: write two dates/, "here alone"],
  [{ logo: "javascript:alert(1)", stores: [{ url }] }, /\/logo: “javascript:” is no address of the web/, "here alone"],
  [{ stores: [{ url, thumbnail: "data:image/png;base64,AAAA" }] }, /\/stores\/0\/thumbnail: “data:” is no address of the web/, "here alone"],
  [{ stores: [{ url: "file:///a.zarr" }] }, /\/stores\/0\/url: A page cannot read file:/, "here alone"],
];

describe("the explorer's catalog", () => {
  let explorer;
  let elsewhere;
  let given; // the text of the catalog, or a handler
  let user;

  before(async () => {
    const dist = explorerFiles();
    const answer = (request, response) => {
      const path = request.url.split("?")[0];
      if (!path.endsWith("/explorer.json")) return dist(request, response);
      if (typeof given === "function") return given(request, response);
      response.writeHead(200, { "Content-Type": "application/json" }).end(given);
    };
    explorer = await startExplorer({ "/site": answer, "/fixtures": FIXTURES });
    elsewhere = await listen((request, response) => allow(request, response) || answer(request, response));
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await explorer?.close();
    await elsewhere?.close();
  });
  beforeEach(async () => {
    given = example;
    user = await explorer.page();
  });
  afterEach(() => user.close());

  /** Opens the page that has the catalog beside it. */
  const open = async (rest = "") => {
    await user.page.goto("about:blank");
    await user.page.goto(`${explorer.site.url}/site/${rest}`);
    await user.settled();
  };
  const hash = () => user.page.evaluate(() => decodeURIComponent(location.hash));
  const isHidden = (selector) => user.page.$eval(selector, (element) => !element.checkVisibility());
  const cards = () => user.page.$$eval(".card", (list) => list.map((card) => [card.querySelector("b").textContent, decodeURIComponent(card.getAttribute("href")), card.getAttribute("aria-current")]));
  const openMenu = async () => {
    await user.page.click("#stores summary");
    await user.waitFor(() => document.querySelector(".card"));
  };

  test("the example of the documentation names the page, and opens its first store as it says", async () => {
    await open();
    const base = `${explorer.site.url}/site/data`;
    assert.equal(await hash(), `#url=${base}/clear-sky-2024.zarr/hours/ghi&at=5,12&view=27,36,2&colours=viridis&range=0,1100`);
    assert.equal(await user.text("#title"), "Clear-sky irradiance on a horizontal surface");
    assert.deepEqual(await user.page.$$eval("#low, #high, #colours", (list) => list.map(({ value }) => value)), ["viridis", "0", "1100"]);
    assert.equal((await user.text(".brand")).trim(), "Sunlight");
    assert.match(await user.page.title(), / · Sunlight$/);
    assert.equal(await user.page.$eval(".logo", (image) => image.src), `${explorer.site.url}/site/favicon.svg`);
    assert.equal(await user.text("#stores summary"), "2 stores");
    assert.equal((await user.page.$$(".card, .thumb")).length, 0, "thumbnails are asked for where the menu is open");
    await openMenu();
    const [[first, firstLink, isOpen], [second, secondLink, isOther]] = await cards();
    assert.deepEqual([first, isOpen, second, isOther], ["Noon in June", "true", "Altitude", null]);
    assert.equal(firstLink, `#url=${base}/clear-sky-2024.zarr/hours/ghi&at=5,12&view=27,36,2&colours=viridis&range=0,1100`);
    assert.equal(secondLink, `#url=${base}/altitude.zarr`);
    await user.waitFor(() => document.querySelector(".thumb img")?.complete);
    assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true);
    assert.deepEqual(user.problems, []);
  });

  test("members that the page does not know are passed over, with a word in the console", async () => {
    const warned = [];
    user.page.on("console", (message) => message.type() === "warn" && warned.push(message.text()));
    given = JSON.stringify({ title: "Later", crs: "EPSG:4326", stores: [{ url: "data/clear-sky-2024.zarr/ghi", "a/b~": 1, colours: "viridis" }] });
    await open();
    assert.equal((await user.text(".brand")).trim(), "Later");
    assert.equal(await user.page.$eval("#colours", ({ value }) => value), "viridis");
    assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true);
    assert.match(warned.join("\n"), /\/crs: there is no member of this name, so it is passed over; the names are .*title[^]*\/stores\/0\/a~1b~0: there is no member/);
    assert.deepEqual(user.problems, []);
  });

  test("a card opens its store with the keyboard alone, and Back returns to the first", async () => {
    await open();
    await user.page.focus("#stores summary");
    await user.page.keyboard.press("Enter");
    await user.waitFor(() => document.querySelector(".card"));
    await user.page.keyboard.press("Escape");
    assert.equal(await user.page.$eval("#stores details", (details) => details.open), false);
    await user.page.keyboard.press("Enter");
    await user.page.waitForSelector("#stores details[open] .card", { visible: true });
    for (const nth of [0, 1]) {
      await user.page.keyboard.press("Tab");
      assert.equal(await user.page.evaluate((at) => document.activeElement === document.querySelectorAll(".card")[at], nth), true);
    }
    await user.page.keyboard.press("Enter");
    await user.says("#contents h2", /altitude\.zarr/);
    await user.settled();
    assert.match(await hash(), /^#url=.*\/site\/data\/altitude\.zarr\//);
    assert.equal(await user.page.evaluate(() => document.activeElement.localName), "summary");
    assert.equal(await isHidden(".cards"), true);
    await user.page.goBack();
    await user.says("#contents h2", /clear-sky-2024\.zarr/);
    await user.settled();
    assert.match(await hash(), /hours\/ghi&at=5,12/);
    assert.deepEqual(user.problems, []);
  });

  test("many stores are searched by words of their titles, descriptions and addresses", async () => {
    const stores = Array.from({ length: 12 }, (_, n) => ({ url: `data/altitude.zarr?n=${n}`, title: `Altitude ${n}`, description: n % 2 ? "of the sea" : "of land" }));
    given = JSON.stringify({ first: "store", stores });
    await open();
    await openMenu();
    await user.page.type(".cards .filter", "SEA altitude");
    assert.equal(await user.text(".cards .found"), "6 of 12 stores");
    assert.deepEqual(await user.page.$$eval(".card", (list) => list.filter((card) => card.checkVisibility()).map((card) => card.querySelector("b").textContent)), [1, 3, 5, 7, 9, 11].map((n) => `Altitude ${n}`));
    await user.page.screenshot({ path: join(SCREENSHOTS, "catalog-search.png") });
    await user.page.type(".cards .filter", " nothing");
    assert.equal(await user.text(".cards .found"), "0 of 12 stores");
    assert.deepEqual(user.problems, []);
  });

  test("an address that names a store opens it, whatever the catalog has first", async () => {
    await open(`#url=${explorer.site.url}/fixtures/codec-zstd.zarr`);
    assert.equal(await user.text("#title"), "codec-zstd.zarr");
    await user.says(".brand", /Sunlight/);
    await user.page.$eval("#url", (input) => (input.value = ""));
    await user.page.focus("#url");
    await user.page.keyboard.press("Enter"); // an empty address is that of the first store
    await user.says("#title", /Clear-sky irradiance/);
    assert.deepEqual(user.problems, []);
  });

  test("a catalog of another origin is named in the address, and its stores lie beside it", async () => {
    await user.show();
    await user.page.goto(`${explorer.site.url}/?catalog=${encodeURIComponent(`${elsewhere.url}/explorer.json`)}`);
    await user.says("#title", /Clear-sky irradiance/);
    await user.settled();
    assert.match(await hash(), new RegExp(`^#url=${elsewhere.url}/data/clear-sky-2024.zarr/hours/ghi`));
    assert.match(await user.page.evaluate(() => location.search), /^\?catalog=/);
    assert.equal(await user.page.$eval(".brand", ({ href }) => new URL(href).search.startsWith("?catalog=")), true);
    await user.page.goto(`${explorer.site.url}/?catalog=/nothing/explorer.json`);
    await user.says("#error", /catalog can't be used\. .*\/nothing\/explorer\.json: the host answered 404; check the address/);
    await user.says("#title", new RegExp(`^${EMBEDDED}$`));
    await user.page.goto(`${explorer.site.url}/?catalog=ftp://host/explorer.json`);
    await user.says("#error", /“ftp:\/\/” is no address that a browser can read/);
    await user.says("#title", new RegExp(`^${EMBEDDED}$`));
    assert.deepEqual(user.problems, []);
  });

  test("a catalog that is bad is refused by its place and a remedy", () => {
    for (const [catalog, words] of BAD) {
      const text = typeof catalog === "string" ? catalog : JSON.stringify(catalog);
      assert.throws(() => catalogOf(text, "https://host/explorer.json"), { name: "Catalog", message: words }, text);
    }
  });

  test("the page says why a catalog is bad, and opens as without one", async () => {
    for (const [catalog, words] of BAD.slice(0, 3)) {
      given = typeof catalog === "string" ? catalog : JSON.stringify(catalog);
      await open();
      await user.says("#error", words).catch(async (error) => assert.fail(`${given}: ${await user.text("#error")} ${error}`));
      assert.match(await user.text("#error"), /^The page's catalog can't be used\. /);
      assert.equal(await user.text("#title"), EMBEDDED);
      assert.equal(await isHidden("#stores"), true);
    }
    assert.deepEqual(user.problems, []);
  });

  test("a host without a catalog, or with a page in its place, is no fault", async () => {
    for (const answer of [(_, response) => response.writeHead(404).end(), (_, response) => response.writeHead(403).end("<Error/>"), (_, response) => response.end("<!doctype html><title>Home</title>"), (request) => request.destroy()]) {
      given = answer;
      await open();
      assert.equal(await user.text("#title"), EMBEDDED);
      assert.equal(await isHidden("#error"), true);
      assert.equal(await hash(), "");
    }
    assert.deepEqual(user.problems, []);
  });

  test("texts stay texts", async () => {
    const nasty = '<img src=x onerror="globalThis.hurt = true"><b>bold</b>';
    given = JSON.stringify({ title: nasty, stores: [{ url, title: nasty, description: nasty }, { url: "data/altitude.zarr" }] });
    await open();
    await openMenu();
    assert.equal((await user.text(".brand")).trim(), nasty);
    assert.equal(await user.text(".card b"), nasty);
    assert.equal((await user.page.$$(".brand img, .card img, .card b b")).length, 0);
    assert.equal(await user.page.evaluate(() => globalThis.hurt), undefined);
    assert.deepEqual(user.problems, []);
  });

  test("the catalog that comes with the page opens the embedded data, and all of its stores", async () => {
    given = await read("www/public/explorer.json");
    await open();
    assert.equal(await user.text("#title"), EMBEDDED);
    assert.equal(await hash(), "");
    await openMenu();
    const links = (await cards()).map(([, link]) => link);
    assert.ok(links.length > 3);
    await user.waitFor((count) => [...document.querySelectorAll(".card .thumb img")].filter(({ complete, naturalWidth, naturalHeight }) => complete && naturalWidth * 3 === naturalHeight * 4).length === count, links.length);
    const seen = await user.page.$$eval(".card .thumb img", (list) => list.map((image) => {
      const context = new OffscreenCanvas(32, 24).getContext("2d");
      context.drawImage(image, 0, 0, 32, 24);
      return context.getImageData(0, 0, 32, 24).data.join();
    }));
    assert.equal(new Set(seen).size, links.length, "each has a picture of its own");
    for (const link of links) {
      await open(link);
      assert.equal(await isHidden("#error"), true, link);
      assert.equal(await isHidden("#figure"), false, link);
    }
    assert.deepEqual(user.problems, []);
  });

  test("the schema takes and refuses the same catalogs", async () => {
    const validate = new Ajv().compile(schema);
    for (const good of [example, ...others, await read("www/public/explorer.json")]) assert.ok(validate(JSON.parse(good)), JSON.stringify(validate.errors));
    for (const [catalog, , alone] of BAD.filter(([each]) => each !== "{")) {
      assert.equal(validate(typeof catalog === "string" ? JSON.parse(catalog) : catalog), alone !== undefined, JSON.stringify(catalog));
    }
    const written = await fetch(`${explorer.site.url}/explorer.schema.json`).then((answer) => answer.json());
    assert.deepEqual(written, schema);
  });

  for (const [name, width, height] of [["wide", 1280, 800], ["narrow", 390, 844]]) {
    for (const scheme of ["light", "dark"]) {
      test(`the menu fits a ${name} window and axe finds nothing, ${scheme}`, async () => {
        await user.page.setViewport({ width, height });
        await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        given = JSON.stringify({ ...JSON.parse(example), first: "store", stores: [...JSON.parse(example).stores, ...Array.from({ length: 12 }, (_, i) => ({ url: `s${i}.zarr`, title: `Store ${i}`, description: "Words about it. ".repeat(i + 1) }))] });
        await open();
        await openMenu();
        await user.lettered();
        assert.ok(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
        const box = await user.page.$eval(".cards", (element) => element.getBoundingClientRect().toJSON());
        assert.ok(box.left >= 0 && box.right <= width && box.bottom <= height, JSON.stringify(box));
        await user.page.screenshot({ path: join(SCREENSHOTS, `catalog-${name}-${scheme}.png`) });
        await user.page.evaluate(axe);
        const found = await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.length} of ${nodes[0].html.slice(0, 160)}`));
        assert.deepEqual(found, []);
        assert.deepEqual(user.problems, []);
      });
    }
  }
});
