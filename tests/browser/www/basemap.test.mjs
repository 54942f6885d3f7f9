/** The base map that a catalog names: where its tiles lie under a picture, when they are asked for, and whose they are said to be. */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { explorerFiles, startExplorer } from "../support/explorer.mjs";
import { python } from "../support/made.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";
import { siteModule } from "../support/site-modules.mjs";
import { colourAt, startTiles } from "../support/tiles.mjs";

globalThis.document = { baseURI: "https://host/" };
const { basemapOf } = await siteModule("basemap/document.js");
const { mercatorOf, placesOf, pitchOf } = await siteModule("basemap/places.js");
const { addressOf, chosenFor } = await siteModule("basemap/tiles.js");
const SCREENSHOTS = join(ROOT, "target/screenshots");
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");
const CREDIT = "© <b>Nobody</b>";

test("what a catalog says of a base map is checked, and completed", () => {
  const url = "https://tiles/{z}/{x}/{y}.png?key=1";
  const read = (given) => basemapOf(given, "https://host/data/explorer.json");
  assert.deepEqual(read({ url, attribution: "A" }), { url, attribution: "A", link: undefined, minzoom: 0, maxzoom: 19, tileSize: 256, opacity: 1, shown: true });
  assert.equal(read({ url: "tiles/{z}/{x}/{-y}.webp", attribution: "A" }).url, "https://host/data/tiles/{z}/{x}/{-y}.webp");
  assert.equal(read({ url, attribution: "A", link: "about.html" }).link, "https://host/data/about.html");
  const bad = [
    [{ attribution: "A" }, /\/basemap\/url: it is missing; write the address of a tile/],
    [{ url: "https://tiles/{z}/{x}.png", attribution: "A" }, /\/basemap\/url: write the address of a tile with \{z\}, \{x\} and \{y\}/],
    [{ url: "file:///{z}/{x}/{y}.png", attribution: "A" }, /\/basemap\/url: A page cannot read file:/],
    [{ url }, /\/basemap\/attribution: it is missing; write whose map it is/],
    [{ url, attribution: " " }, /\/basemap\/attribution: write whose map it is/],
    [{ url, attribution: "A", link: "javascript:alert(1)" }, /\/basemap\/link: “javascript:” is no address of the web/],
    [{ url, attribution: "A", maxzoom: 1.5 }, /\/basemap\/maxzoom: write a whole number from 0 to 24/],
    [{ url, attribution: "A", minzoom: 5, maxzoom: 4 }, /\/basemap\/maxzoom: write a number that is not below minzoom/],
    [{ url, attribution: "A", tileSize: 5000 }, /\/basemap\/tileSize: write how many pixels/],
    [{ url, attribution: "A", opacity: 0 }, /\/basemap\/opacity: write a number from 0\.05 to 1/],
    [{ url, attribution: "A", shown: "no" }, /\/basemap\/shown: write true or false/],
  ];
  for (const [given, pattern] of bad) assert.throws(() => read(given), pattern);
});

test("addresses of tiles count from the north, or from the south", () => {
  assert.equal(addressOf({ url: "t/{z}/{x}/{y}.png" }, 3, 2 * 8 + 5), "t/3/5/2.png");
  assert.equal(addressOf({ url: "t/{z}/{x}/{-y}.png" }, 3, 2 * 8 + 5), "t/3/5/5.png");
});

/** All that a generator makes. */
function made(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

test("pixels lie in the map where their places do, also across its seam, and no view takes more than 40 tiles", () => {
  // 8 degrees around the seam of longitudes, rows from 60° N to 56° N.
  const place = { x: (n) => n, y: (n) => n, window: { x: 0, y: 0, width: 800, height: 400 } };
  const earth = { toDegrees: ([row, column]) => [((176 + column / 100 + 180) % 360) - 180, 60 - row / 100] };
  const blocks = made(placesOf(place, earth, [400, 800]));
  assert.equal(blocks.length, 50 * 100);
  assert.ok(blocks.every(({ isExact }) => !isExact), "a block that the seam runs through is even");
  for (const { top, left, xs, ys } of blocks.filter((_, n) => n % 97 === 0)) {
    const [x, y] = mercatorOf(earth.toDegrees([top + 4, left + 4]));
    const off = [xs.reduce((sum, n) => sum + n) / 4 - x, ys.reduce((sum, n) => sum + n) / 4 - y];
    assert.ok(Math.abs(off[0] - Math.round(off[0])) < 1e-9 && Math.abs(off[1]) < 1e-6, `${off}`);
  }
  const pitch = pitchOf(blocks);
  assert.ok(Math.abs(pitch * 360 - 0.01 * Math.sqrt(1 / Math.cos((58 * Math.PI) / 180))) < 1e-4, "of 0.01 degree, less along a parallel");
  const { z, numbers } = chosenFor(blocks, pitch, [400, 800], { minzoom: 0, maxzoom: 19, tileSize: 256 });
  assert.equal(z, 7);
  const columns = new Set(numbers.map((number) => number % 128));
  assert.ok(columns.has(127) && columns.has(0) && columns.size === 4, [...columns].join());
  assert.ok(chosenFor(blocks, pitch, [400, 800], { minzoom: 0, maxzoom: 19, tileSize: 64 }).numbers.length <= 40);
  assert.equal(chosenFor(blocks, pitch, [400, 800], { minzoom: 0, maxzoom: 4, tileSize: 256 }).z, 4);
  assert.deepEqual(chosenFor(blocks, pitch, [400, 800], { minzoom: 12, maxzoom: 19, tileSize: 256 }).numbers, []);
});

describe("the explorer's base map", () => {
  let directory; // of a repository
  let explorer;
  let tiles;
  let catalog;
  let user;

  before(async () => {
    const dist = explorerFiles();
    const answer = (request, response) => (request.url.split("?")[0] === "/explorer.json" ? response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(catalog)) : dist(request, response));
    directory = await mkdtemp(join(tmpdir(), "rectilinear-basemap-"));
    explorer = await startExplorer({ "/grids": join(NEIGHBOURS, "earth"), "/site": answer, "/versions": directory });
    tiles = await startTiles();
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await explorer?.close();
    await tiles?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    tiles.requests.length = 0;
    Object.assign(tiles.given, { status: () => 200, delay: () => 0, isOpen: true });
    catalog = { basemap: { url: `${tiles.url}/{z}/{x}/{y}.png`, attribution: CREDIT, link: "https://host.example/licence", opacity: 0.5 }, stores: [{ url: "data/clear-sky-2024.zarr" }] };
    user = await explorer.page();
  });
  afterEach(() => user.close());

  async function open(hash = "", query = "") {
    await user.page.goto("about:blank");
    await user.page.goto(`${explorer.site.url}/site/${query}${hash && `#${hash}`}`);
    await user.settled();
  }
  /** Waits until all tiles of the view are drawn. */
  const drawn = () => user.waitFor(() => /^(\d+)\/\1$/.test(document.querySelector("canvas.basemap:not([hidden])")?.dataset.tiles ?? ""));
  /** Red, green, blue and opacity of the map at a part of the picture. */
  const pixelAt = ([u, v]) => user.page.$eval("canvas.basemap", (canvas, across, down) => [...canvas.getContext("2d").getImageData(Math.floor(across * canvas.width), Math.floor(down * canvas.height), 1, 1).data], u, v);
  const zoomNow = () => Number(/^\/(\d+)/.exec(tiles.asked().at(-1))[1]);

  /** Checks a pixel's colour by its place, unless that is at the edge of a tile. */
  function compare(pixel, place, close) {
    if (Math.abs(place[1]) > 85) return assert.deepEqual(pixel, [0, 0, 0, 0]) ?? 0; // beyond the map
    const wanted = colourAt(zoomNow(), place);
    if (wanted.slice(0, 2).some((n) => n < close + 2 || n > 253 - close)) return 0;
    assert.ok(pixel[3] === 255 && [0, 1].every((k) => Math.abs(pixel[k] - wanted[k]) <= close) && pixel[2] === wanted[2], `${pixel} at ${place}, not ${wanted}`);
    return 1;
  }

  test("it lies under a map of latitudes and longitudes, which lets it through, and says whose it is", async () => {
    await open();
    await drawn();
    let compared = 0;
    for (const u of [0.07, 0.23, 0.52, 0.71, 0.94]) for (const v of [0.11, 0.28, 0.43, 0.66, 0.81]) compared += compare(await pixelAt([u, v]), [-180 + 360 * u, 90 - 180 * v], 2);
    assert.ok(compared > 15, `${compared}`);
    assert.deepEqual(await pixelAt([0.5, 0.01]), [0, 0, 0, 0], "no such map has the poles");
    assert.equal(await user.page.$eval("#plot .sheet canvas:not(.basemap)", (canvas) => getComputedStyle(canvas).opacity), "0.5");
    assert.deepEqual(await user.page.$eval(".attribution", (link) => [link.textContent, link.href, link.children.length, link.checkVisibility()]), [CREDIT, "https://host.example/licence", 0, true]);
    assert.ok(tiles.asked().length <= 40);
    assert.equal(new Set(tiles.asked()).size, tiles.asked().length, "each is asked for once");
    assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true);
    await user.page.screenshot({ path: join(SCREENSHOTS, "basemap.png") });
    assert.deepEqual(user.problems, []);
  });

  for (const name of ["polar.zarr", "lcc.zarr", "curvilinear-180.zarr"]) {
    test(`${name}: it lies where the tip says degrees`, async () => {
      await open(`url=${explorer.site.url}/grids/${name}/v`);
      await drawn();
      let compared = 0;
      for (const part of [[0.2, 0.3], [0.5, 0.45], [0.7, 0.25], [0.35, 0.7], [0.8, 0.8], [0.55, 0.62]]) {
        // The tip says the middle of a cell.
        const size = await user.page.$eval("#plot .overlay", (overlay) => overlay.getAttribute("viewBox").split(" ").slice(2).map(Number));
        const cell = part.map((n, k) => Math.floor(n * size[k]));
        await user.point(cell, size);
        const text = await user.page.$eval(".tip .degrees", ({ textContent }) => textContent).catch(() => "");
        const [, lat, ns, lon, ew] = /([\d.]+)° ([NS]), ([\d.]+)° ([EW])$/.exec(text) ?? [];
        if (!lat) continue;
        compared += compare(await pixelAt(cell.map((n, k) => (n + 0.5) / size[k])), [lon * (ew === "W" ? -1 : 1), lat * (ns === "S" ? -1 : 1)], 4);
      }
      assert.ok(compared >= 2, `${compared}`);
      await user.page.screenshot({ path: join(SCREENSHOTS, `basemap-${name}.png`) });
      assert.deepEqual(user.problems, []);
    });
  }

  test("it is turned with the globe, and beside it there is none", async () => {
    await open("url=data/clear-sky-2024.zarr&projection=globe,20,30,1");
    await drawn();
    assert.equal((await pixelAt([0.02, 0.02]))[3], 0);
    const [lon, lat] = [20, 30];
    assert.equal(compare(await pixelAt([0.5, 0.5]), [lon, lat], 3), 1);
    // Straight to the east of the middle by 30 degrees of a great circle.
    const [a, c] = [lat, 30].map((n) => (n * Math.PI) / 180);
    const place = [lon + (Math.atan2(Math.sin(c), Math.cos(c) * Math.cos(a)) * 180) / Math.PI, (Math.asin(Math.sin(a) * Math.cos(c)) * 180) / Math.PI];
    assert.equal(compare(await pixelAt([0.75, 0.5]), place, 4), 1);
    await user.page.screenshot({ path: join(SCREENSHOTS, "basemap-globe.png") });
    assert.deepEqual(user.problems, []);
  });

  test("data without gaps hide it, and then no tile is asked for; its switch and the link change that", async () => {
    catalog.basemap.opacity = 1;
    await open();
    await user.page.waitForSelector(".basemap-choice:not([hidden])");
    await new Promise((done) => setTimeout(done, 600));
    assert.deepEqual(tiles.asked(), []);
    assert.equal(await user.page.$eval(".attribution", (link) => link.checkVisibility()), false);
    await user.page.$eval(".basemap-choice input[type=range]", (range) => {
      range.value = 40;
      range.dispatchEvent(new Event("input"));
    });
    await drawn();
    await user.waitFor(() => location.hash.includes("basemap=40"));
    await user.page.click("#basemap");
    await user.waitFor(() => location.hash.includes("basemap=0") && document.querySelector("canvas.basemap").hidden && !document.querySelector(".attribution").checkVisibility());
    assert.equal(await user.page.$eval("#plot .sheet canvas:not(.basemap)", (canvas) => getComputedStyle(canvas).opacity), "1");
    const hash = await user.page.evaluate(() => location.hash);
    tiles.requests.length = 0;
    await open(hash.slice(1));
    await user.page.waitForSelector(".basemap-choice:not([hidden])");
    assert.equal(await user.page.$eval("#basemap", ({ checked }) => checked), false);
    assert.deepEqual(tiles.asked(), []);
    assert.deepEqual(user.problems, []);
  });

  test("as the map moves, tiles are asked for once it stands, and requests for what left the view end", async () => {
    await open();
    await drawn();
    tiles.requests.length = 0;
    tiles.given.delay = () => 3000;
    await user.page.focus("#plot");
    for (let n = 0; n < 8; n++) await user.page.keyboard.press("+");
    await user.waitFor(() => document.querySelector("canvas.basemap").dataset.tiles?.startsWith("0/"));
    const asked = tiles.asked();
    assert.ok(asked.length > 0 && new Set(asked.map((url) => /^\/(\d+)/.exec(url)[1])).size === 1, asked.join());
    assert.ok((await pixelAt([0.5, 0.5]))[3] === 255, "until they come the coarser ones stand in");
    tiles.given.delay = () => 0;
    await user.page.keyboard.press("0");
    await drawn();
    assert.deepEqual(user.problems, []);
  });

  test("tiles that fail leave the plain ground, and a word on it", async () => {
    tiles.given.status = ({ x }) => (x % 2 ? 404 : 200);
    await open();
    await user.says(".basemap-choice .total", /^\d+ tiles of it could not be read\.$/);
    const alphas = await user.page.$eval("canvas.basemap", (canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, Math.floor(canvas.height / 2), canvas.width, 1);
      return [...new Set(data.filter((_, n) => n % 4 === 3))].sort();
    });
    assert.ok(alphas.includes(0) && alphas.includes(255), alphas.join());
    tiles.given.isOpen = false; // no CORS
    await open("url=data/clear-sky-2024.zarr");
    await user.says(".basemap-choice .total", /tiles of it could not be read/);
    assert.equal(await user.page.$eval(".attribution", (link) => link.checkVisibility()), false);
    assert.deepEqual(user.problems, []);
  });

  test("a base map that is none is said, and left out", async () => {
    delete catalog.basemap.attribution;
    await open();
    await user.says("#error", /The base map is left out: \/basemap\/attribution: it is missing; write whose map it is/);
    assert.equal(await user.page.$("canvas.basemap"), null);
    assert.ok(await user.page.$eval("#plot", (plot) => plot.checkVisibility()));
    assert.deepEqual(tiles.asked(), []);
    assert.deepEqual(user.problems, []);
  });

  test("pictures that are taken have it under the data, and whose it is", async () => {
    await user.takeFiles();
    await open("url=data/clear-sky-2024.zarr&projection=globe,20,30,1");
    await drawn();
    const save = async (label, count) => {
      await user.page.$$eval("#take button", (buttons, name) => buttons.find(({ textContent }) => textContent === name).click(), label);
      await user.waitFor((n) => globalThis.saved.length === n, count);
    };
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.page.waitForSelector("#take .choices button");
    await save("Picture as SVG", 1);
    const text = await user.page.evaluate(() => globalThis.saved[0].text());
    const [under, over] = [...text.matchAll(/<image [^>]*>/g)].map(([tag]) => tag);
    assert.ok(!/ opacity=/.test(under) && / opacity="0\.5"/.test(over), "the map is below");
    assert.ok(text.includes("© &lt;b&gt;Nobody"));
    const shown = await pixelAt([0.5, 0.5]);
    await save("Picture as PNG", 2);
    const size = await user.page.evaluate(async () => {
      const { width, height } = await createImageBitmap(globalThis.saved[1]);
      return [width, height];
    });
    assert.ok(size[0] > 500, `${size}`);
    assert.deepEqual(await pixelAt([0.5, 0.5]), shown, "the page has its own again");
    assert.deepEqual(user.problems, []);
  });

  test("it stands on a phone and in a frame, and nothing overflows", async () => {
    for (const [name, [width, height], query] of [["narrow", [390, 844], ""], ["frame", [640, 420], "?embed=1"]]) {
      await user.page.setViewport({ width, height });
      await open("url=data/clear-sky-2024.zarr", query);
      await drawn();
      const [plot, credit] = await user.page.evaluate(() => ["#plot", ".attribution"].map((selector) => {
        const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
        return { left, right, top, bottom };
      }));
      assert.ok(credit.left >= plot.left && credit.right <= plot.right + 1 && credit.bottom <= plot.bottom + 1, JSON.stringify([plot, credit]));
      assert.equal(await user.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
      await user.page.screenshot({ path: join(SCREENSHOTS, `basemap-${name}.png`) });
      await user.page.evaluate(axe);
      assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)), []);
    }
    assert.deepEqual(user.problems, []);
  });

  test("the picture of another version has it too", async () => {
    await python(join(ROOT, "tests/oracle/versions.py"), directory, `${explorer.site.url}/versions`);
    await open(`url=${explorer.site.url}/versions/image.icechunk/steps/warmth&at=0&beside=tag:two`);
    for (const [plot, frame] of [["#plot", "#figure"], ["#plot-beside", "#beside"]]) {
      await user.waitFor((at) => /^(\d+)\/\1$/.test(document.querySelector(`${at} canvas.basemap:not([hidden])`)?.dataset.tiles ?? ""), plot);
      assert.equal(await user.page.$eval(`${frame} .attribution`, (link) => link.checkVisibility()), true);
    }
    const colours = await user.page.$$eval("canvas.basemap", (list) => list.map((canvas) => [...canvas.getContext("2d").getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data]));
    assert.equal(colours.length, 2);
    assert.deepEqual(colours[0], colours[1]);
    assert.equal(colours[0][3], 255);
    assert.deepEqual(user.problems, []);
  });

  test("without a base map in the catalog nothing of it is loaded", async () => {
    delete catalog.basemap;
    explorer.site.requests.length = 0;
    await open();
    await user.lettered();
    assert.deepEqual(explorer.site.requests.filter(({ url }) => /basemap/.test(url)), []);
    assert.equal(await user.page.$("#basemap"), null);
    assert.deepEqual(user.problems, []);
  });
});
