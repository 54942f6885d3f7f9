/** The explorer's kinds of views in WebKit: opened, drawn, stepped, zoomed, charted, answered and saved, with the values that were written. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { python } from "../browser/support/made.mjs";
import { ROOT } from "../browser/support/paths.mjs";
import { files, listen } from "../browser/support/server.mjs";
import { launch } from "../browser/support/webkit.mjs";

describe("views of the explorer in WebKit", () => {
  let directory;
  let site;
  let browser;
  let page;
  const problems = [];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-webkit-"));
    await python(join(ROOT, "tests/oracle/sights.py"), directory);
    const [dist, made] = [files(join(ROOT, "www/dist")), files(directory)];
    site = await listen((request, response) => {
      if (!request.url.startsWith("/made/")) return dist(request, response);
      request.url = request.url.slice("/made".length);
      return made(request, response);
    });
    browser = await launch();
    page = await browser.newPage();
    page.on("pageerror", (error) => problems.push(String(error)));
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  /** Runs a function in the page. */
  const run = (body, ...args) => page.evaluate(`(${body})(...${JSON.stringify(args)})`);
  /** Waits until a function of the page gives something, and gives that. */
  const until = (body, ...args) => page.evaluate(`(async (list) => {
    for (let found; ; await new Promise((done) => setTimeout(done, 50))) if ((found = await (${body})(...list))) return found;
  })(${JSON.stringify(args)})`);
  const settled = () => until(() => document.querySelector("#view")?.getAttribute("aria-busy") === "false");
  const says = (selector, pattern) => until((at, source) => new RegExp(source).exec(document.querySelector(at)?.textContent ?? "")?.[0], selector, pattern.source);
  const show = async (path, more = "") => {
    await page.goto("about:blank");
    await page.goto(`${site.url}/#url=${site.url}/made/${path}${more}`);
    await settled();
    await run(() => {
      globalThis.saved = [];
      const addressOf = URL.createObjectURL;
      URL.createObjectURL = (blob) => (globalThis.saved.push(blob), addressOf.call(URL, blob));
      const { click: press } = HTMLAnchorElement.prototype;
      HTMLAnchorElement.prototype.click = function () {
        if (!this.download) press.call(this); // the window would go to what it saves
      };
    });
  };
  const click = (selector, text = "") => until((at, wanted) => {
    const found = [...document.querySelectorAll(at)].find((one) => one.textContent.startsWith(wanted) && one.checkVisibility());
    found?.click();
    return Boolean(found);
  }, selector, text);
  const unfold = (selector) => run((at) => (document.querySelector(at).open = true, true), `${selector} details`);
  /** What the tip says of a cell of a picture of `[rows, columns]`. */
  const tipAt = (cell, size) => run(([row, column], [rows, columns]) => {
    const box = document.querySelector("#plot .overlay").getBoundingClientRect();
    const [clientX, clientY] = [box.left + (box.width * (column + 0.5)) / columns, box.top + (box.height * (row + 0.5)) / rows];
    document.querySelector("#plot").dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
    return [...document.querySelectorAll("#plot .tip > *")].map(({ textContent }) => textContent);
  }, cell, size);
  /** How many colours the window shows of the plot, which is looked at as the GPU may have drawn it. */
  const coloursShown = async () => {
    await run(() => document.querySelector("#plot").scrollIntoView());
    const shot = await page.screenshot();
    return page.evaluate(`(async () => {
      const box = document.querySelector("#plot").getBoundingClientRect();
      const picture = new Image();
      picture.src = "data:image/png;base64,${shot}";
      await picture.decode();
      const scale = picture.naturalWidth / innerWidth;
      const [width, height] = [Math.round(box.width * 0.8), Math.round(box.height * 0.5)];
      const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
      context.drawImage(picture, (box.left + box.width * 0.1) * scale, (box.top + box.height * 0.1) * scale, width * scale, height * scale, 0, 0, width, height);
      return new Set(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)).size;
    })()`);
  };

  test("a map opens, is drawn, stepped, zoomed and charted, and its link restores it", async () => {
    await show("climate.zarr");
    assert.equal(await says("#title", /^Air temperature$/), "Air temperature");
    assert.ok((await coloursShown()) > 50);
    await click(".axis button[aria-label^='Next step']");
    await says(".where .now", /^2 Jan 2024$/);
    await settled();
    const cell = (row, column, step) => Math.cos((2 * (85 - 5 * row) * Math.PI) / 180) * 20 + Math.sin((3 * 5 * column * Math.PI) / 180) * 4 + 280 + step;
    const [value, where] = await tipAt([10, 20], [35, 72]);
    assert.ok(Math.abs(parseFloat(value) - cell(10, 20, 1)) < 0.01, value);
    assert.match(where, /35° N, 100° E/);
    await run(() => document.querySelector("#plot").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
    await says("#series h2", /^Along time at/);
    await click(".zoom button");
    const link = await until(() => /view=/.test(location.hash) && location.href);
    await settled();
    await page.goto("about:blank");
    await page.goto(link);
    await settled();
    await says("#series h2", /^Along time at/);
    assert.deepEqual(problems, []);
  });

  test("values and pictures are saved with what was written", async () => {
    await show("climate.zarr/cover");
    await unfold("#take");
    const save = async (label) => {
      await click("#take button", label);
      await until(() => globalThis.saved.length === 1);
    };
    await save("Values as CSV");
    const lines = (await run(() => globalThis.saved.pop().text())).trim().split("\n").filter((line) => !line.startsWith("#"));
    assert.equal(lines.length, 36);
    const wave = (row, column) => Math.cos((2 * (85 - 5 * row) * Math.PI) / 180) * 20 + Math.sin((3 * 5 * column * Math.PI) / 180) * 4 + 280;
    for (const [row, column] of [[0, 0], [17, 30], [34, 71]]) assert.equal(Number(lines[row + 1].split(",")[column + 1]), Math.floor(Math.abs(wave(row, column)) % 3));
    await save("Values as .npy");
    assert.match(await run(async () => new TextDecoder("latin1").decode((await globalThis.saved.pop().arrayBuffer()).slice(1, 6))), /^NUMPY/);
    await save("Picture as PNG");
    const [width, height] = await run(async () => {
      const { width: across, height: down } = await createImageBitmap(globalThis.saved.pop());
      return [across, down];
    });
    assert.ok(width > 300 && height > 150, `${width} x ${height}`);
    assert.deepEqual(problems, []);
  });

  test("a mean is calculated in an area, and a globe is drawn", async () => {
    await show("climate.zarr/tas", "&projection=globe,20,30,1");
    await until(() => document.querySelector("#figure .warped"));
    assert.ok((await coloursShown()) > 50);
    await show("climate.zarr/tas");
    await unfold("#answers");
    await click("#answers button", "Write an area…");
    await run(() => (document.querySelector(".area-text textarea").value = "0 0, 60 0, 60 50"));
    await click("#answers button", "Use this area");
    await click("#answers button", "Calculate");
    assert.match(await says("#answer", /From .* to .*/), /K/);
    assert.deepEqual(problems, []);
  });

  test("images with labels, a plate, dates as values and a list are shown", async () => {
    await show("image.zarr", "&labels=cells,100");
    await until(() => document.querySelector("#plot canvas.labels"));
    assert.match((await tipAt([16, 20], [64, 96])).join("; "), /cells 1, class mitotic/);
    assert.match(await says(".ruler", /µm/), /µm/);
    await show("plate05.zarr");
    await click(".plate .well[aria-label='Well B2']");
    assert.equal(await says("#title", /^B2 0$/), "B2 0");
    await show("climate.zarr/when");
    assert.equal(await says(".scale", /Jan 2000/), "Jan 2000");
    await show("climate.zarr/station_name", "&columns=station_height");
    await says(".list", /Station 8.*8 m/);
    assert.deepEqual(problems, []);
  });
});
