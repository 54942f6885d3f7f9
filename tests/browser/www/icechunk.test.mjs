/** The explorer over repositories of Icechunk: the picker of versions, two versions side by side, and their links. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";

const SETS = join(NEIGHBOURS, "icechunk");
const sets = JSON.parse(await readFile(join(SETS, "index.json"), "utf8"));
const { refs, versions } = sets.find(({ repository }) => repository === "v2");
const older = sets.find(({ repository }) => repository === "v1");
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");
const [{ history }] = versions; // of main, newest first

/** Values that icechunk read: float32 of 8 x 12, or int16 of 91 x 4 x 6, of the nth version of a set. */
const wind = async (nth, set = "v2") => {
  const bytes = await readFile(join(SETS, `${set}-${nth}-surface-wind.bin`));
  return (row, column) => bytes.readFloatLE((row * 12 + column) * 4);
};
const t2m = async (nth) => {
  const bytes = await readFile(join(SETS, `v2-${nth}-t2m.bin`));
  return (time, row, column) => bytes.readInt16LE(((time * 4 + row) * 6 + column) * 2);
};
const NTH = { main: 0, dev: 1, v1: 2, third: 3 };

describe("the explorer over versions", () => {
  let explorer;
  let user;

  before(async () => (explorer = await startExplorer({ "/run.icechunk": join(SETS, "v2"), "/icechunk": SETS })));
  after(() => explorer?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const hash = () => user.page.evaluate(() => decodeURIComponent(location.hash));
  const repository = (path, more = "") => `url=${explorer.site.url}/run.icechunk/${path}${more}`;
  const chosen = (id) => user.page.$eval(id, ({ selectedOptions: [option] }) => option?.textContent);
  const listed = (id) => user.page.$$eval(`${id} option`, (list) => list.map(({ textContent }) => textContent));
  const isThere = (selector) => user.page.waitForSelector(selector, { visible: true, timeout: 60_000 });
  /** Chooses in a box, and waits until the page says so. */
  const choose = async (id, value, pattern) => {
    await isThere(id);
    await user.page.select(id, value);
    await user.says(".history .total", pattern);
    await user.settled();
  };
  const number = (text) => (text === "no data" ? NaN : Number(text.replace("−", "-").replaceAll(",", "")));
  /** Value of a cell as the tip of a picture says it. */
  const seen = async (cell, size, figure = "#figure", plot = "#plot") => {
    await user.point(cell, size, { plot });
    return number(await user.text(`${figure} .tip b`));
  };
  const isNear = (value, expected) => assert.ok(Math.abs(value - expected) <= 1e-4 * Math.abs(expected), `${value} is not ${expected}`);
  const windSeen = async (column, row, figure, plot) => seen([column, row], [12, 8], figure, plot);
  /** Waits until the picture beside stands. */
  const besideStands = () => isThere('#beside[aria-busy="false"] .frame[data-kind="map"]');

  test("lists branches, tags and the history with dates and messages, and opens another", async () => {
    await user.show(repository("surface/wind"));
    await isThere("#version");
    assert.deepEqual(await listed("#version"), [...Object.keys(refs.branches), ...Object.keys(refs.tags)]);
    assert.equal(await chosen("#version"), "main");
    const dates = history.map(({ writtenAt }) => {
      const [date, time] = new Date(writtenAt).toISOString().split("T");
      return `${Number(date.slice(8))} ${new Date(writtenAt).toLocaleString("en", { month: "short", timeZone: "UTC" })} ${date.slice(0, 4)} ${time.slice(0, 5)}`;
    });
    assert.deepEqual(await listed("#snapshot"), history.map(({ message }, i) => `${dates[i]} · ${message}`));
    assert.equal(await user.text(".history .total"), `${history[0].message}. Committed ${dates[0]} UTC as ${history[0].id}.`);
    assert.doesNotMatch(await hash(), /branch|tag|snapshot/);
    isNear(await windSeen(3, 1), (await wind(NTH.main))(1, 3));

    await choose("#version", "branch:dev", /Calm in the north/);
    assert.match(await hash(), /&branch=dev/);
    isNear(await windSeen(3, 1), 7);
    await choose("#version", "tag:v1", /First month and the next/);
    assert.match(await hash(), /&tag=v1/);
    isNear(await windSeen(3, 1), (await wind(NTH.v1))(1, 3));
    await user.page.goBack();
    await user.says(".history .total", /Calm in the north/);
    await user.settled();
    isNear(await windSeen(3, 1), 7);
    assert.deepEqual(user.problems, []);
  });

  test("a snapshot opens where the user stands, and a link restores it with its branch", async () => {
    const third = await t2m(NTH.third);
    await user.show(repository("t2m", "&at=59"));
    await user.page.click('[aria-label="Next step, time"]');
    await user.settled();
    await choose("#snapshot", history[2].id, /First month and the next/);
    assert.equal(await user.page.$eval("#view", ({ dataset }) => dataset.at), "60");
    const before = await t2m(NTH.v1);
    assert.equal(await seen([5, 2], [6, 4]), before(60, 2, 5));
    await choose("#snapshot", history[1].id, /Third month/);
    assert.equal(await seen([5, 2], [6, 4]), third(60, 2, 5));
    assert.notEqual(third(60, 2, 5), before(60, 2, 5));
    const link = (await hash()).slice(1);
    assert.match(link, new RegExp(`&branch=main&snapshot=${history[1].id}&at=60`));
    await user.show(link);
    await user.says(".history .total", /Third month/);
    assert.deepEqual([await chosen("#version"), await listed("#snapshot").then((list) => list.length)], ["main", history.length]); // newer ones too
    assert.equal(await seen([5, 2], [6, 4]), third(60, 2, 5));
    await user.show(repository("t2m", `&snapshot=${history[1].id}&at=60`));
    await user.says(".history .total", /Third month/);
    assert.match(await chosen("#version"), new RegExp(`snapshot ${history[1].id.slice(0, 6)}`));
    assert.equal(await listed("#snapshot").then((list) => list.length), history.length - 1);
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.page.waitForSelector("#take .choices", { timeout: 60_000 });
    await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find(({ textContent }) => textContent === "JavaScript").click());
    assert.match(await user.page.$eval("#code", ({ value }) => value), new RegExp(`path: "t2m", snapshot: "${history[1].id}"`));
    assert.deepEqual(user.problems, []);
  });

  test("the picture beside shows how its chunks stand once it is drawn", async () => {
    await user.show(repository("t2m", "&at=3&beside=tag:v1"));
    await besideStands();
    await user.waitFor(() => document.querySelector("#plot-beside path[data-state]") && !document.querySelector('#plot-beside [data-state="reading"]'));
    assert.deepEqual(user.problems, []);
  });

  test("two versions stand side by side: both step, zoom and turn together, in the same colours", async () => {
    const [main, first] = [await t2m(NTH.main), await t2m(NTH.v1)];
    await user.show(repository("t2m", "&at=59&each=1&colours=inferno"));
    await isThere("#beside-of");
    await user.page.select("#beside-of", "tag:v1");
    await besideStands();
    assert.match(await hash(), /&beside=tag:v1/);
    await user.says("#beside h2", /tag v1 · .*First month/);
    await user.page.click('[aria-label="Next step, time"]');
    await user.settled();
    await besideStands();
    const both = async (cell, size) => [await seen(cell, size), await seen(cell, size, "#beside", "#plot-beside")];
    await user.waitFor(() => document.querySelector("#beside").getAttribute("aria-busy") === "false");
    assert.deepEqual(await both([4, 1], [6, 4]), [main(60, 1, 4), first(60, 1, 4)]);
    assert.notEqual(main(60, 1, 4), first(60, 1, 4));
    await user.waitFor((range) => document.querySelector("#low").value === String(range[0]) && document.querySelector("#high").value === String(range[1]), [first(60, 1, 4), main(60, 1, 4)]); // each is the same everywhere

    await user.page.focus("#plot-beside");
    await user.page.keyboard.press("Escape");
    await user.page.select("#rows", "0");
    await user.settled();
    await user.waitFor(() => document.querySelector("#beside .ticks-x").textContent === document.querySelector("#figure .ticks-x").textContent && document.querySelector("#beside .ticks-y").textContent === document.querySelector("#figure .ticks-y").textContent);
    await besideStands();
    const link = (await hash()).slice(1);
    assert.match(link, /axes=0,2/);
    await user.show(link);
    await besideStands();
    await user.waitFor(() => document.querySelector("#beside .ticks-y").textContent === document.querySelector("#figure .ticks-y").textContent);
    assert.deepEqual(await both([3, 70], [6, 91]), [main(70, 2, 3), first(70, 2, 3)]);

    await user.page.evaluate(() => document.querySelector("#beside [aria-label='Zoom in']").click());
    await user.waitFor(() => /view=/.test(location.hash));
    const boxes = () => user.page.$$eval("#figure .overlay, #beside .overlay", (list) => list.map((overlay) => overlay.getAttribute("viewBox")));
    await user.waitFor(() => new Set([...document.querySelectorAll("#figure .overlay, #beside .overlay")].map((overlay) => overlay.getAttribute("viewBox"))).size === 1);
    const size = (await boxes())[0].split(" ").slice(2).map(Number); // in rounded numbers, as the zoom is around a pixel
    assert.deepEqual(size.map((n) => Number(n.toFixed(6))), [3, 45.5]);
    assert.deepEqual(user.problems, []);
  });

  test("the same value has the same colour in both pictures", async () => {
    await user.show(repository("surface/wind", "&beside=branch:dev"));
    await besideStands();
    const [main, dev] = [await wind(NTH.main), await wind(NTH.dev)];
    /** Colours of the rows from the fifth on, which are the same in both versions, and of the first. */
    const colours = () => user.page.evaluate(() => ["#figure", "#beside"].map((root) => {
      document.querySelector(`${root} .plot`).dispatchEvent(new CustomEvent("repaint"));
      const canvas = document.querySelector(`${root} canvas`);
      const copy = new OffscreenCanvas(12, 8);
      const context = copy.getContext("2d");
      context.imageSmoothingEnabled = false;
      context.drawImage(canvas, 0, 0, 12, 8);
      return [...context.getImageData(0, 0, 12, 8).data];
    }));
    await user.waitFor(() => document.querySelector("#beside").getAttribute("aria-busy") === "false");
    const [one, two] = await colours();
    assert.equal(main(6, 3), dev(6, 3));
    assert.notEqual(main(1, 3), dev(1, 3));
    assert.deepEqual(two.slice(4 * 12 * 4), one.slice(4 * 12 * 4));
    assert.notDeepEqual(two.slice(0, 4 * 12 * 4), one.slice(0, 4 * 12 * 4));
    assert.ok(new Set(one.slice(4 * 12 * 4)).size > 10);
    await user.page.select("#colours", "viridis");
    await user.waitFor(() => /colours=viridis/.test(location.hash));
    await user.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const [first, second] = await colours();
    assert.deepEqual(second.slice(4 * 12 * 4), first.slice(4 * 12 * 4));
    assert.notDeepEqual(first, one);

    await user.page.evaluate(() => document.querySelector('[data-path="t2m"]').click());
    await user.says("#title", /^t2m$/);
    await user.settled();
    await besideStands();
    await user.waitFor(() => /Heat map of t2m/.test(document.querySelector("#plot-beside").getAttribute("aria-label")));
    await user.page.click(".beside-head button");
    assert.equal(await user.page.$("#beside"), null);
    assert.doesNotMatch(await hash(), /beside/);
    assert.deepEqual(user.problems, []);
  });

  test("a version without the array is an error, and what was open stays, in the picker too", async () => {
    await user.show(repository("surface/wind"));
    await isThere("#snapshot");
    await user.page.select("#snapshot", history.at(-1).id); // the empty one that every repository begins with
    await user.says("#error", /Nothing is there.*still here/);
    await user.settled();
    await user.waitFor((id) => document.querySelector("#snapshot").value === id, history[0].id);
    isNear(await windSeen(3, 1), (await wind(NTH.main))(1, 3));
    await user.page.select("#beside-of", history.at(-1).id);
    await user.says(".beside-note", /no .*array|nothing|not/i);
    await user.page.select("#beside-of", "branch:dev");
    await besideStands();
    assert.equal(await user.text(".beside-note"), "");
    await user.show(repository("surface/wind", "&tag=absent"));
    await user.says("#error", /tag.*absent.*v1/s);
    for (const nonsense of ["&snapshot=short", "&tag=v1&branch=dev", "&beside=what"]) {
      await user.show(repository("surface/wind", nonsense));
      await user.says(".history .total", /Another title/);
      assert.equal(await user.page.$("#beside"), null);
    }
    assert.deepEqual(user.problems, []);
  });

  test("version 1, which lists no names, and an address that does not say where the repository ends", async () => {
    const site = explorer.site.url;
    await user.show(`url=${site}/icechunk/v1/surface/wind&branch=dev`);
    await isThere("#version");
    assert.deepEqual(await listed("#version"), ["dev"]);
    assert.equal(await user.page.$eval("#snapshot", (select) => select.checkVisibility()), false);
    isNear(await windSeen(3, 1), (await wind(NTH.dev, "v1"))(1, 3));
    await user.page.evaluate(() => [...document.querySelectorAll(".history button")].find(({ textContent }) => textContent === "Read the history").click());
    await user.says(".history .total", /Calm in the north/);
    const dev = older.versions.find(({ options }) => options.branch === "dev").history;
    assert.equal((await listed("#snapshot")).length, dev.length);
    await choose("#snapshot", dev[1].id, /First month|^$/);
    isNear(await windSeen(3, 1), (await wind(NTH.v1, "v1"))(1, 3));

    await user.show(`url=${site}/icechunk/v2`);
    await user.says(".history .total", /Another title/);
    assert.match(await hash(), /v2\/t2m&branch=main/);
    const tree = await user.tree();
    await user.show((await hash()).slice(1));
    assert.deepEqual(await user.tree(), tree);
    await user.show(); // a store without versions
    assert.equal(await user.page.$(".history:not([hidden])"), null);
    assert.deepEqual(user.problems, []);
  });

  test("axe finds nothing with two pictures, and a narrow page does not scroll sideways", async () => {
    await user.show(repository("t2m", "&beside=tag:v1"));
    await besideStands();
    await user.page.evaluate(axe);
    assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`)), []);
    await user.page.setViewport({ width: 360, height: 740 });
    assert.ok(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(user.problems, []);
  });
});
