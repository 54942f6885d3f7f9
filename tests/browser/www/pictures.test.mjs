/** Pictures that the explorer saves: the colours of values at their cells, the legend, the line; and the iframe of a view. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { launchDrawing } from "../support/chromium.mjs";
import { startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const run = promisify(execFile);
const chromatic = await import(pathToFileURL(createRequire(join(ROOT, "www/package.json")).resolve("d3-scale-chromatic")));
const MARGIN = 20;

/** The colour of d3's map for a value, as `[r, g, b]`: the nearest of 256 below. */
function colourOf(map, v, [low, high]) {
  const part = Math.min(255, Math.floor(((v - low) / (high - low)) * 256)) / 255;
  const text = chromatic[map](part);
  const [, hex] = /^#(.{6})$/.exec(text) ?? [];
  return hex ? hex.match(/../g).map((two) => parseInt(two, 16)) : text.match(/\d+/g).map(Number);
}

for (const [how, browse] of [["a canvas", undefined], ["the GPU", launchDrawing]]) {
  describe(`pictures that the explorer saves, drawn on ${how}`, () => {
    let directory;
    let explorer;
    let user;
    let guest; // a page of others

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), "rectilinear-explorer-"));
      await run(python, ["-W", "ignore", join(ROOT, "tests/oracle/explorer.py"), directory]);
      explorer = await startExplorer({ "/made": directory, "/guest": (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html>${guest}`) }, browse ? { browse } : {});
    });
    after(async () => {
      await explorer?.close();
      if (directory) await rm(directory, { recursive: true, force: true });
    });
    beforeEach(async () => {
      user = await explorer.page();
      await user.page.setViewport({ width: 1100, height: 800, deviceScaleFactor: 2 });
      await user.page.evaluateOnNewDocument(() => {
        globalThis.saved = [];
        HTMLAnchorElement.prototype.click = function () {
          saved.push({ name: this.download, content: fetch(this.href).then((answer) => answer.blob()) });
        };
      });
    });
    afterEach(() => user.close());

    const show = async (path) => {
      await user.show(`url=${explorer.site.url}/made/store.zarr/${path}`);
      await user.page.$eval("#take details", (details) => (details.open = true));
      await user.page.waitForSelector("#take .choices", { timeout: 60_000 });
    };
    const expected = async (path, index) => JSON.parse((await run(python, ["-W", "ignore", "-c", `import json, sys, numpy as np, zarr
a = zarr.open_array(sys.argv[1], mode="r", path=sys.argv[2])[${index}].astype("float64")
a = np.where(a == -99, np.nan, a * 0.5 - 20)
print(json.dumps(np.where(np.isnan(a), None, a).tolist()))`, join(directory, "store.zarr"), path])).stdout);

    /** Presses a button that saves a picture; gives its name, size, and the colours at points of it, in the page's pixels. */
    const saved = async (label) => {
      await user.page.evaluate((text) => [...document.querySelectorAll("#take button")].find((button) => button.textContent === text && button.checkVisibility()).click(), label);
      await user.waitFor(() => globalThis.saved.length > 0);
      const { name, width, height, type } = await user.page.evaluate(async () => {
        const { name, content } = saved.pop();
        const blob = await content;
        const image = await createImageBitmap(blob);
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        globalThis.at = (x, y, w = 1, h = 1) => [...context.getImageData(Math.floor(x * devicePixelRatio), Math.floor(y * devicePixelRatio), w, h).data];
        return { name, width: image.width, height: image.height, type: blob.type };
      });
      assert.equal(type, "image/png");
      return { name, width, height, at: (x, y) => user.page.evaluate((left, top) => globalThis.at(left, top).slice(0, 3), x, y) };
    };
    /** Whether a rectangle of the saved picture has more than one colour. */
    const hasInk = (x, y, width, height) => user.page.evaluate((...box) => {
      const [left, top, wide, tall] = box;
      const data = globalThis.at(left, top, Math.floor(wide * devicePixelRatio), Math.floor(tall * devicePixelRatio));
      return new Set(data.map((_, i) => (i % 4 ? "" : data.slice(i, i + 3).join()))).size > 2;
    }, x, y, width, height);
    /** Boxes of elements, from the left and top of another. */
    const boxesIn = (root, selectors) => user.page.evaluate((from, list) => {
      const origin = document.querySelector(from).getBoundingClientRect();
      return list.map((selector) => {
        const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
        return { x: left - origin.left, y: top - origin.top, width, height };
      });
    }, root, selectors);

    /** Checks the colour of each cell of a picture, of which the plot lies in a frame that begins at a height. */
    async function hasColours(picture, plot, frameAt, values) {
      for (const [r, row] of values.entries()) {
        for (const [c, v] of row.entries()) {
          const got = await picture.at(MARGIN + plot.x + (plot.width * (c + 0.5)) / 6, frameAt + plot.y + (plot.height * (r + 0.3)) / 4);
          if (v === null) assert.ok(Math.min(...got) > 200, `no data is not coloured: ${got}`);
          else assert.deepEqual(got, colourOf("interpolateViridis", v, [-20, 100]), `${r}, ${c}: ${v}`);
        }
      }
    }

    test("each cell has the colour of its value, with title, ticks, units and colour bar, in the screen's pixels", async () => {
      await show("run/temp&at=3,1&range=-20,100&colours=viridis&chunks=0");
      const picture = await saved("Picture as PNG");
      assert.equal(picture.name, "temp.png");
      const [frame, plot, tick, bar, unit] = await boxesIn("#figure .frame", ["#figure .frame", "#plot", "#figure .ticks-x span", ".colourbar .bar", ".colourbar .unit"]);
      assert.equal(picture.width, Math.round((Math.max(320, frame.width) + 2 * MARGIN) * 2));
      const frameAt = picture.height / 2 - MARGIN - frame.height;
      const values = await expected("run/temp", "3, 1");
      await hasColours(picture, plot, frameAt, values);
      const middle = MARGIN + bar.x + bar.width / 2; // it stands upright, its lowest value below
      assert.ok(bar.height > 4 * bar.width, `${bar.width} x ${bar.height}`);
      assert.deepEqual(await picture.at(middle, frameAt + bar.y + bar.height - 1), colourOf("interpolateViridis", 0, [0, 1]));
      assert.deepEqual(await picture.at(middle, frameAt + bar.y + 1), colourOf("interpolateViridis", 1, [0, 1]));
      assert.ok(await hasInk(MARGIN, MARGIN, 100, 20), "title");
      assert.ok(await hasInk(MARGIN + tick.x, frameAt + tick.y, tick.width, tick.height), "tick");
      assert.ok(await hasInk(MARGIN + unit.x, frameAt + unit.y, unit.width, unit.height), "unit");
      assert.ok(!await hasInk(0, 0, picture.width / 2, MARGIN - 2), "no edge shines through");
      assert.deepEqual(user.problems, []);
    });

    /** Presses a button that saves an SVG; gives its name, its words and what it is made of, and the colours at points of it, in the page's pixels. */
    const savedVectors = async (label) => {
      await user.page.evaluate((text) => [...document.querySelectorAll("#take button")].find((button) => button.textContent === text && button.checkVisibility()).click(), label);
      await user.waitFor(() => globalThis.saved.length > 0);
      const found = await user.page.evaluate(async () => {
        const { name, content } = saved.pop();
        const blob = await content;
        const text = await blob.text();
        const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`; // as another program has it: without the page's style sheets
        await image.decode();
        const context = new OffscreenCanvas(image.width * devicePixelRatio, image.height * devicePixelRatio).getContext("2d");
        context.drawImage(image, 0, 0, image.width * devicePixelRatio, image.height * devicePixelRatio);
        globalThis.at = (x, y, w = 1, h = 1) => [...context.getImageData(Math.floor(x * devicePixelRatio), Math.floor(y * devicePixelRatio), w, h).data];
        const count = (selector) => root.querySelectorAll(selector).length;
        return { name, type: blob.type, root: root.localName, height: image.height, words: [...root.querySelectorAll("text")].map(({ textContent }) => textContent), images: count("image"), coast: count("g path[d]"), links: count("[href]:not([href^='data:image/png'])") };
      });
      return { ...found, at: (x, y) => user.page.evaluate((left, top) => globalThis.at(left, top).slice(0, 3), x, y) };
    };

    test("as SVG, cells have the same colours in an embedded picture, and words and ticks are text", async () => {
      await show("run/temp&at=3,1&range=-20,100&colours=viridis&chunks=0");
      const picture = await savedVectors("Picture as SVG");
      assert.deepEqual([picture.name, picture.type, picture.root, picture.images, picture.links], ["temp.svg", "image/svg+xml", "svg", 2, 0]);
      const [frame, plot, bar] = await boxesIn("#figure .frame", ["#figure .frame", "#plot", ".colourbar .bar"]);
      const frameAt = picture.height - MARGIN - frame.height;
      const values = await expected("run/temp", "3, 1");
      await hasColours(picture, plot, frameAt, values);
      const middle = MARGIN + bar.x + bar.width / 2;
      assert.deepEqual(await picture.at(middle, frameAt + bar.y + bar.height - 1), colourOf("interpolateViridis", 0, [0, 1]));
      const ticks = await user.texts("#figure .ticks-x span, #figure .ticks-y span");
      const title = await user.text("#title");
      for (const word of [...ticks, title]) assert.ok(picture.words.includes(word), `“${word}” is none of ${picture.words}`);
      assert.deepEqual(user.problems, []);
    });

    test("in another width, cells are drawn anew at that size, and the page stays as it was", async () => {
      await show("run/temp&at=3,1&range=-20,100&colours=viridis&chunks=0");
      const sizes = () => user.page.$eval("#plot canvas", ({ width, height }) => [width, height]);
      const before = await sizes();
      const [frame, plot] = await boxesIn("#figure .frame", ["#figure .frame", "#plot"]);
      const values = await expected("run/temp", "3, 1");
      for (const wide of [500, 5000]) {
        await user.page.$eval("#picture-width", (input, value) => (input.value = value), wide);
        const picture = await saved("Picture as PNG");
        assert.equal(picture.width, wide);
        const scale = wide / (Math.max(320, frame.width) + 2 * MARGIN);
        const at = (x, y) => picture.at((x * scale) / 2, (y * scale) / 2); // its points are said for a page of two pixels each
        const frameAt = picture.height / scale - MARGIN - frame.height;
        for (const [r, row] of values.entries()) {
          for (const [c, v] of row.entries()) {
            if (v === null) continue;
            const got = await at(MARGIN + plot.x + (plot.width * (c + 0.5)) / 6, frameAt + plot.y + (plot.height * (r + 0.3)) / 4);
            assert.deepEqual(got, colourOf("interpolateViridis", v, [-20, 100]), `${wide}: ${r}, ${c}: ${v}`);
          }
        }
      }
      assert.deepEqual(await sizes(), before);
      await user.page.$eval("#picture-width", (input) => (input.value = "100000"));
      await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find(({ textContent }) => textContent === "Picture as PNG").click());
      assert.equal(await user.page.evaluate(() => globalThis.saved.length), 0);
      assert.deepEqual(user.problems, []);
    });

    test("boundaries of chunks and the colours of flags are in it", async () => {
      await show("gaps&chunks=1");
      const picture = await saved("Picture as PNG");
      const [frame, plot] = await boxesIn("#figure .frame", ["#figure .frame", "#plot"]);
      const frameAt = picture.height / 2 - MARGIN - frame.height;
      const line = await picture.at(MARGIN + plot.x + plot.width / 2, frameAt + plot.y + plot.height * 0.1);
      assert.ok(Math.min(...line) > 200, `${line}`); // white, between two chunks
      await show("read/classes");
      const flags = await saved("Picture as PNG");
      const [list, ...swatches] = await boxesIn("#legend .flags", ["#legend .flags", ...[1, 2, 3].map((n) => `#legend .flags li:nth-child(${n}) i`)]);
      const colours = [];
      for (const { x, y, width, height } of swatches) colours.push(await flags.at(MARGIN + x + width / 2, flags.height / 2 - MARGIN - list.height + y + height / 2));
      assert.deepEqual(colours, [0, 1, 2].map((i) => chromatic.schemeObservable10[i].slice(1).match(/../g).map((two) => parseInt(two, 16))));
      assert.deepEqual(user.problems, []);
    });

    test("the line through a cell goes through its values", async () => {
      await show("run/temp&at=1,2&point=2,4&along=0&chunks=0");
      await user.waitFor(() => [...document.querySelectorAll("#take button")].some((button) => button.textContent === "Line as PNG" && button.checkVisibility()));
      const picture = await saved("Line as PNG");
      assert.equal(picture.name, "temp-line.png");
      const [frame, plot] = await boxesIn("#series .frame", ["#series .frame", "#series-plot"]);
      const frameAt = picture.height / 2 - MARGIN - frame.height;
      const values = await expected("run/temp", ":, 2, 2, 4");
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const room = (high - low) * 0.06;
      const accent = [11, 107, 115]; // of the page's light colours
      for (const [i, v] of values.entries()) {
        const [x, y] = [(i + 0.5) / values.length, (high + room - v) / (high - low + 2 * room)];
        const near = [];
        for (let by = -3; by <= 3; by++) near.push(await picture.at(MARGIN + plot.x + plot.width * x, frameAt + plot.y + plot.height * y + by));
        assert.ok(near.some((colour) => colour.every((one, n) => Math.abs(one - accent[n]) < 60)), `${i}: ${JSON.stringify(near)}`);
      }
      assert.deepEqual(user.problems, []);
    });

    if (how === "a canvas") {
      test("the iframe's markup shows the view", async () => {
        await show("run/temp&at=3,1");
        await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find(({ textContent }) => textContent === "Embed").click());
        const markup = await user.page.$eval("#code", ({ value }) => value);
        const address = await user.page.evaluate(() => location.href);
        guest = markup;
        await user.page.goto(`${explorer.site.url}/guest/`);
        const frame = await user.page.$eval("iframe", ({ src, width, height, title }) => ({ src, width, height, title }));
        assert.deepEqual(frame, { src: address.replace("/#", "/?embed=1#"), width: "640", height: "420", title: "Temperature" });
        const content = await (await user.page.$("iframe")).contentFrame();
        await content.waitForSelector('#view[aria-busy="false"][data-at="3,1"]', { timeout: 60_000 });
        assert.deepEqual(user.problems, []);
      });
    }
  });
}
