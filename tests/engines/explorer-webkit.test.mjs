/** The explorer in WebKit, which refuses more than 100 changes of the address in 10 s. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { ROOT } from "../browser/support/paths.mjs";
import { files, listen } from "../browser/support/server.mjs";
import { launch } from "../browser/support/webkit.mjs";

describe("the explorer in WebKit", () => {
  let site;
  let browser;
  let page;
  const problems = [];

  /** Runs a function in the page. */
  const run = (body, ...args) => page.evaluate(`(${body})(...${JSON.stringify(args)})`);
  const settled = () => run(async () => {
    while (document.querySelector("#view")?.getAttribute("aria-busy") !== "false") await new Promise((done) => setTimeout(done, 50));
  });
  const show = async (hash = "") => {
    await page.goto("about:blank");
    await page.goto(`${site.url}/${hash}`);
    await settled();
  };

  before(async () => {
    site = await listen(files(join(ROOT, "www/dist")));
    browser = await launch();
    page = await browser.newPage();
    page.on("pageerror", (error) => problems.push(String(error)));
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  test("a slider that is dragged for ten seconds leaves a picture, and the link of where it stands", async () => {
    await show();
    const { writes, steps, took } = await run(async () => {
      let count = 0;
      const write = history.replaceState;
      history.replaceState = (...given) => {
        count++;
        write.apply(history, given);
      };
      const slider = document.querySelector(".track input");
      const began = performance.now();
      let at = 0;
      for (; performance.now() < began + 10_000 || at <= 100; at++) {
        slider.value = 152 + (at % 29);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => setTimeout(done, 20));
      }
      await new Promise((done) => setTimeout(done, 1500));
      return { writes: count, steps: at, took: performance.now() - began };
    });
    assert.ok(steps > 100, `${steps} steps`);
    assert.ok(writes >= 1 && writes <= 2 * Math.ceil(took / 1000), `${writes} writes in ${took} ms`);
    await settled();
    const { at, link, error } = await run(() => ({ at: document.querySelector("#view").dataset.at, link: location.hash, error: document.querySelector("#error").hidden }));
    // The picture is drawn by the GPU where there is one, so it is looked at as the window shows it.
    await page.evaluate(`document.querySelector("#plot").scrollIntoView()`);
    const shot = await page.screenshot();
    const colours = await page.evaluate(`(async () => {
      const box = document.querySelector("#plot").getBoundingClientRect();
      const picture = new Image();
      picture.src = "data:image/png;base64,${shot}";
      await picture.decode();
      const scale = picture.naturalWidth / innerWidth;
      const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 200 });
      const context = canvas.getContext("2d");
      context.drawImage(picture, box.left * scale, box.top * scale, 400, 200, 0, 0, 400, 200);
      return new Set(new Uint32Array(context.getImageData(0, 0, 400, 200).data.buffer)).size;
    })()`);
    assert.equal(link, at === "171" ? "" : `#at=${at}`);
    assert.ok(colours > 1000, `${colours} colours`);
    assert.equal(error, true);
    assert.deepEqual(problems, []);
  });

  test("sharded hours are read, and a click picks the cell that was named", async () => {
    await show("#url=data/clear-sky-2024.zarr/hours/ghi&at=5,12");
    const [named, charted] = await run(async () => {
      const plot = document.querySelector("#plot");
      const box = plot.querySelector(".overlay").getBoundingClientRect();
      let x = Math.ceil(box.left + box.width / 2);
      const cell = (at) => Math.floor(((at - box.left) / box.width) * 72);
      while (cell(x) === cell(x - 0.5)) x++;
      const y = Math.round(box.top + box.height / 2);
      plot.dispatchEvent(new PointerEvent("pointermove", { clientX: x - 0.5, clientY: y, bubbles: true }));
      const said = plot.querySelector(".tip span").textContent;
      plot.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
      const heading = () => document.querySelector("#series h2")?.textContent; // which comes with the first line
      while (!heading()) await new Promise((done) => setTimeout(done, 50));
      return [said, heading()];
    });
    assert.match(charted, new RegExp(`at hour = 12.5 h, ${named}$`));
    assert.deepEqual(problems, []);
  });
});
