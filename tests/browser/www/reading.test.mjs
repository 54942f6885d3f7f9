/** The explorer's picture: labels that can be read, colours that mean what they say, and the cell that was named. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { python, startMade } from "../support/made.mjs";
import { ROOT } from "../support/paths.mjs";

const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");

describe("the explorer's picture", () => {
  let explorer;
  let stores;
  let user;

  before(async () => {
    stores = await startMade("explorer.py", {}, { watches: true });
    explorer = stores.explorer;
  });
  after(() => stores?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const made = (path) => `url=${explorer.site.url}/made/store.zarr/read/${path}`;
  const hash = () => user.page.evaluate(() => location.hash);
  const isHidden = (selector) => user.page.$eval(selector, (element) => element.checkVisibility() === false);
  const range = () => user.page.$$eval("#low, #high", (list) => list.map(({ value }) => Number(value)));
  /** The colour of a pixel in the next frame, with which changes are drawn. */
  const pixel = (x, y) => user.page.evaluate(async (at) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [...document.querySelector("#plot canvas").getContext("2d").getImageData(...at, 1, 1).data];
  }, [x, y]);

  test("a click picks the cell that the tooltip named, although clicks say whole pixels only", async () => {
    await user.show();
    await user.page.$eval("#plot", (plot) => plot.scrollIntoView({ block: "center" }));
    const named = await user.page.evaluate(() => {
      const plot = document.querySelector("#plot");
      const box = document.querySelector("#plot .overlay").getBoundingClientRect();
      // The first place right of the middle where whole pixels fall into another cell than the half ones before them.
      let x = Math.ceil(box.left + box.width / 2);
      const cell = (at) => Math.floor(((at - box.left) / box.width) * 360);
      while (cell(x) === cell(x - 0.5)) x++;
      const y = Math.round(box.top + box.height / 2);
      plot.dispatchEvent(new PointerEvent("pointermove", { clientX: x - 0.5, clientY: y, bubbles: true }));
      const where = plot.querySelector(".tip span").textContent;
      plot.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
      return where;
    });
    await user.says("#series h2", /Along time/);
    assert.equal(await user.text("#series h2"), `Along time at ${named}`);
    assert.deepEqual(user.problems, []);
  });

  test("a step that takes its time dims the old picture and the new date until it is drawn", async () => {
    await user.show();
    const faint = () => user.page.$eval("#figure canvas", (canvas) => Number(getComputedStyle(canvas).opacity) < 0.5);
    const colour = (name) => user.page.$eval(`.where .${name}`, (element) => getComputedStyle(element).color);
    assert.equal(await faint(), false);
    let release;
    const held = new Promise((done) => (release = done));
    explorer.given.delay = (url) => (/ghi\/c\/6/.test(url) ? held : 0);
    await user.page.click('[aria-label="Next chunk, time"]');
    await user.waitFor(() => {
      const [canvas, now, detail] = ["#figure canvas", ".where .now", ".where .detail"].map((each) => getComputedStyle(document.querySelector(each)));
      return Number(canvas.opacity) < 0.5 && now.color === detail.color; // no heading of what is shown
    });
    assert.equal(await user.page.$eval("#view", (view) => view.getAttribute("aria-busy")), "true");
    release();
    await user.settled();
    assert.equal(await faint(), false);
    assert.notEqual(await colour("now"), await colour("detail"));
    assert.deepEqual(user.problems, []);
  });

  test("labels of chunks are whole or left out, and ticks stand apart", async () => {
    for (const width of [1280, 700, 360]) {
      await user.page.setViewport({ width, height: 800 });
      await user.show(`${made("wind")}&at=3`);
      const cut = () => user.page.$$eval(".block > *", (list) => list.filter((label) => {
        const [inner, outer] = [label.getBoundingClientRect(), label.parentElement.getBoundingClientRect()];
        const isOver = label.parentElement.matches(".over"); // it has room over the blocks beside its own
        return inner.width > 0 && !isOver && (inner.left < outer.left - 0.5 || inner.right > outer.right + 0.5);
      }).map((label) => label.textContent));
      assert.deepEqual(await cut(), [], `${width}`);
      await user.point([0, 0], [2, 2], { click: true });
      await user.says("#series h2", /Along hour/);
      for (const ticks of ["#axes .whole .block b", "#series .ticks-x span", "#series .ticks-y span", "#figure .ticks-x span"]) {
        const overlaps = await user.page.$$eval(ticks, (list) => {
          const boxes = list.map((tick) => tick.getBoundingClientRect()).sort((a, b) => a.left - b.left || a.top - b.top);
          return boxes.filter((box, i) => i && box.left < boxes[i - 1].right + 2 && box.top < boxes[i - 1].bottom && box.bottom > boxes[i - 1].top).length;
        });
        assert.equal(overlaps, 0, `${ticks} at ${width}`);
      }
    }
    assert.ok((await user.texts("#series .ticks-x span")).length > 0);
    assert.deepEqual(user.problems, []);
  });

  test("whole numbers are said in full, those beyond 2^53 too", async () => {
    await user.show(made("people"));
    await user.point([0, 0], [2, 2]);
    assert.equal(await user.text(".tip b"), "1,234,567");
    await user.point([0, 1], [2, 2]);
    assert.equal(await user.text(".tip b"), "12,345,678");
    assert.deepEqual(await range(), [8, 12345678]);
    await user.show(made("ids"));
    for (const [x, y, said] of [[0, 0, "1,152,921,504,606,846,977"], [1, 1, "1,152,921,504,608,081,543"]]) {
      await user.point([x, y], [2, 2]);
      assert.equal(await user.text(".tip b"), said);
    }
    await user.page.select("#rows", "1"); // turned, they stay with their cells
    await user.settled();
    await user.point([1, 0], [2, 2]);
    assert.equal(await user.text(".tip b"), "1,152,921,504,606,846,979");
    assert.deepEqual(user.problems, []);
  });

  test("attributes are said with the digits of integers beyond 2^53, and their range is the legend's", async () => {
    await user.show(made("wide"));
    await user.page.waitForSelector("#about dd");
    const said = await user.texts("#about dt, #about dd");
    const of = (name) => said[said.indexOf(name) + 1];
    assert.deepEqual([of("valid_range"), of("seed")], ["[0,1152921504606846976]", "18446744073709551615"]);
    assert.deepEqual(await range(), [0, 1.15292e18]);
    assert.deepEqual(user.problems, []);
  });

  test("flags have a colour each and a name, and no ramp", async () => {
    await user.show(made("classes"));
    assert.deepEqual(await user.texts(".flags li"), ["open water", "ice", "land"]);
    const named = await user.page.$$eval(".flags i", (list) => list.map((swatch) => getComputedStyle(swatch).backgroundColor.match(/\d+/g).map(Number)));
    assert.equal(new Set(named.map(String)).size, 3);
    assert.deepEqual([await pixel(0, 0), await pixel(1, 0), await pixel(2, 0), await pixel(0, 1)].map((rgba) => rgba.slice(0, 3)), [...named, named[2]]);
    assert.deepEqual(await pixel(1, 1), [128, 128, 128, 255]); // 9, which has no name
    for (const gone of [".colourbar", "#low", "#colours"]) assert.ok(await isHidden(gone), gone);
    await user.point([1, 0], [3, 2]);
    assert.equal(await user.text(".tip b"), "ice (2)");
    assert.deepEqual(user.problems, []);
  });

  test("the range spans the steps that were drawn, and the link says it; each step has its own where that is chosen", async () => {
    await user.show(made("spike"));
    assert.deepEqual(await range(), [0, 5]);
    assert.doesNotMatch(await hash(), /range/); // whoever opens the link finds the same
    const step = async () => {
      await user.page.click('[aria-label="Next step, step"]');
      await user.settled();
      await user.page.evaluate(() => new Promise((done) => setTimeout(done, 600))); // links are written twice a second
    };
    await step();
    assert.deepEqual(await range(), [0, 11_000]);
    assert.match(await hash(), /range=0,11000/);
    await step();
    assert.deepEqual(await range(), [0, 11_000]);
    const link = await hash();
    assert.match(link, /range=0,11000/);
    await user.page.click("#each");
    assert.deepEqual(await range(), [12, 17]);
    assert.match(await hash(), /each=1/);
    assert.doesNotMatch(await hash(), /range/);
    await user.show((await hash()).slice(1));
    assert.deepEqual(await range(), [12, 17]);
    await step();
    assert.deepEqual(await range(), [0, 5]);
    await user.page.click("#each");
    assert.deepEqual(await range(), [0, 17]);
    await user.show(link.slice(1));
    assert.deepEqual(await range(), [0, 11_000]); // the colours of whoever copied it
    assert.equal(await user.page.$eval("#lock", ({ checked }) => checked), true);
    assert.deepEqual(user.problems, []);
  });

  test("the boxes of a range say what is wrong in them, and show large ends whole", async () => {
    await user.show(made("spike"));
    const type = async (id, text) => {
      await user.page.$eval(id, (input) => input.select());
      await user.page.keyboard.press("Backspace");
      if (text) await user.page.type(id, text);
      await user.page.keyboard.press("Enter");
    };
    const invalid = () => user.page.$$eval("#low, #high", (list) => list.map((input) => input.getAttribute("aria-invalid")));
    await type("#low", "100");
    await user.says("#range-problem", /^The lower end has to be below the upper one\.$/);
    assert.deepEqual(await invalid(), ["true", "true"]);
    assert.doesNotMatch(await hash(), /range/);
    await type("#low", "");
    await user.says("#range-problem", /^Write a number in each of the two\.$/);
    assert.deepEqual(await invalid(), ["true", "false"]);
    await type("#low", "1e-3");
    await user.waitFor(() => location.hash.includes("range=0.001,5"));
    assert.equal(await user.text("#range-problem"), "");
    await type("#high", "-4");
    await user.says("#range-problem", /below/);
    await user.page.focus("#colours"); // what was wrong goes with the next picture
    await user.page.click('[aria-label="Next step, step"]');
    await user.settled();
    assert.equal(await user.text("#range-problem"), "");
    assert.deepEqual(await range(), [0.001, 5]);
    await user.show(made("wide"));
    await user.lettered();
    const cut = await user.page.$$eval("#low, #high", (list) => list.map((input) => input.scrollWidth > input.clientWidth));
    assert.deepEqual(cut, [false, false]);
    assert.equal(await user.page.$eval("#high", ({ value }) => value.length), 19);
    assert.deepEqual(user.problems, []);
  });

  test("a range that is kept stays, and lets go", async () => {
    await user.show(`${made("spike")}&at=2`);
    await user.page.click("#lock");
    await user.page.click('[aria-label="Next step, step"]');
    await user.settled();
    assert.deepEqual(await range(), [12, 17]);
    assert.match(await hash(), /range=12,17/);
    await user.page.click("#lock");
    assert.deepEqual(await range(), [0, 17]);
    assert.deepEqual(user.problems, []);
  });

  test("a map can run the other way, and a range leave out the extremes", async () => {
    await user.show("colours=viridis-r&at=171");
    const [low, high] = [await pixel(0, 179), await pixel(270, 57)];
    assert.deepEqual(low, [253, 231, 37, 255]); // the polar night in viridis's last colour
    await user.page.click("#reversed");
    assert.equal(await hash(), "#colours=viridis");
    assert.deepEqual((await pixel(0, 179)), [68, 1, 84, 255]);
    assert.notDeepEqual(await pixel(270, 57), high);
    await user.show(made("spike"));
    await user.page.evaluate(() => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "2–98 %").click());
    assert.deepEqual(await range(), [0, 5]); // of six values none is left out
    await user.show("url=data/clear-sky-2024.zarr/inputs/altitude");
    await user.page.evaluate(() => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "2–98 %").click());
    const script = "import zarr, json, sys, numpy as np\na = zarr.open_array(sys.argv[1], mode='r')[...]\nprint(json.dumps(np.quantile(a[a != -9999], [0.02, 0.98], method='nearest').tolist()))";
    const ends = await python("-c", script, join(ROOT, "www/public/data/clear-sky-2024.zarr/inputs/altitude"));
    assert.deepEqual(await range(), JSON.parse(ends));
    assert.deepEqual(user.problems, []);
  });

  test("the contents can be filtered by name", async () => {
    await user.page.setRequestInterception(true);
    const node = { zarr_format: 3, node_type: "array", data_type: "uint8", shape: [2, 2], fill_value: 0, codecs: [{ name: "bytes" }], chunk_key_encoding: { name: "default" }, chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } } };
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`group${i % 3}/array${i}`, { ...node, attributes: { long_name: i === 123 ? "Wind gust" : "" } }]));
    const groups = Object.fromEntries([0, 1, 2].map((i) => [`group${i}`, { zarr_format: 3, node_type: "group", attributes: {} }]));
    user.page.on("request", (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === explorer.site.url) return request.continue();
      const headers = { "access-control-allow-origin": "*" };
      if (pathname !== "/many.zarr/zarr.json") return request.respond({ status: 404, headers });
      request.respond({ status: 200, headers, body: JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: { kind: "inline", must_understand: false, metadata: { ...groups, ...many } } }) });
    });
    await user.show("url=https://many.example/many.zarr");
    const closed = await user.tree();
    await user.page.type(".filter", "gust");
    assert.deepEqual(await user.tree(), ["group0", "group0/array123"]);
    await user.page.$eval(".filter", (input) => (input.value = ""));
    await user.page.type(".filter", "array29");
    assert.deepEqual((await user.tree()).filter((path) => path.includes("/")).length, 11); // 29 and 290 to 299
    for (let i = 0; i < 7; i++) await user.page.keyboard.press("Backspace");
    assert.ok((await user.tree()).length >= closed.length);
    await user.show();
    assert.equal(await isHidden(".filter"), true); // where there is little to filter
    assert.deepEqual(user.problems, []);
  });

  test("a picture without data has no range and no colour bar", async () => {
    await user.show(made("empty"));
    assert.ok(await isHidden(".colourbar"));
    assert.match(await user.text(".no-data"), /No data/);
    assert.equal(await isHidden(".no-data"), false);
    assert.deepEqual(await user.page.$$eval("#low, #high", (list) => list.map(({ value }) => value)), ["", ""]);
    assert.equal(await user.page.$eval("#lock", ({ disabled }) => disabled), true);
    assert.deepEqual(user.problems, []);
  });

  test("other axes drawn leave the user where they were", async () => {
    await user.show("at=171");
    await user.page.select("#rows", "0"); // time down, latitude stepped
    await user.settled();
    assert.match(await user.text(".where .now"), /^0\.5° N$/); // the middle, and not the pole
    await user.page.select("#rows", "1");
    await user.settled();
    assert.match(await user.text(".where .now"), /20 Jun 2024/);
    await user.point([200, 30], [360, 180], { click: true }); // the cell that is charted stays in the picture
    await user.says("#series h2", /at 59\.5° N, 20\.5° E/);
    await user.page.select("#rows", "0");
    await user.settled();
    assert.match(await user.text(".where .now"), /^59\.5° N$/);
    assert.deepEqual(user.problems, []);
  });

  test("single values are drawn without a complaint in the console", async () => {
    const said = [];
    user.page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
    for (const [path, value] of [["one_number", "2.5"], ["one_truth", "true"]]) {
      await user.show(`${made(path)}&point=1&along=0&range=3,4`);
      assert.equal(await user.text(".scalar"), value);
      await user.page.click("#plot");
      await user.page.keyboard.press("ArrowUp");
      await user.page.keyboard.press("Enter");
      await user.page.setViewport({ width: 500, height: 700 });
    }
    await user.page.setViewport({ width: 1280, height: 800 });
    await user.show("point=90,180"); // a line, which is closed by what opens next
    await user.says("#series h2", /Along/);
    await user.page.click('[data-path="sun/solar_constant"]');
    await user.says("#title", /constant/);
    await user.settled();
    await user.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await user.show(made("one_text"));
    await user.page.waitForSelector(".listing td");
    assert.match(await user.text(".listing td"), /word/);
    // What a graphics driver says of its own pace and losses is not the page's.
    assert.deepEqual(said.filter((text) => !/status of 404|GL Driver Message|CONTEXT_LOST_WEBGL/.test(text)), []);
    assert.equal(await user.page.evaluate(() => document.body.innerHTML.includes("NaN")), false);
    assert.deepEqual(user.problems, []);
  });

  test("axe finds nothing, with a series and groups open", async () => {
    await user.show("point=90,180");
    await user.says("#series h2", /Along/);
    await user.page.evaluate(axe);
    const found = await user.page.evaluate(async () => {
      const { violations, incomplete } = await globalThis.axe.run(document, { rules: { "label-content-name-mismatch": { enabled: true } } });
      return [...violations, ...incomplete.filter(({ id }) => id === "label-content-name-mismatch")].map(({ id, nodes }) => `${id}: ${nodes.length} of ${nodes[0].html.slice(0, 160)}`);
    });
    assert.deepEqual(found, []);
    assert.deepEqual(user.problems, []);
  });
});
