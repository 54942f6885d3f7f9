/** The explorer after its picture stands: what comes late moves nothing, replaces nothing, and is waited for by what says that the page is busy. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";

import { startExplorer } from "../support/explorer.mjs";
import { until } from "../support/network.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";
import { listen } from "../support/server.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const ASSETS = join(ROOT, "www/dist/assets");

describe("the explorer after its picture stands", () => {
  let directory;
  let explorer;
  let gate; // holds back answers of the site
  let user;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-steady-"));
    await promisify(execFile)(python, ["-W", "ignore", join(ROOT, "tests/oracle/field.py"), directory]);
    explorer = await startExplorer({ "/made": directory, "/run.icechunk": join(NEIGHBOURS, "icechunk/v2"), "/earth": join(NEIGHBOURS, "earth") }, { keeps: false });
    // The page's address is that of a server between, which keeps what a test holds back until it lets it go.
    gate = { held: /^$/, waiting: 0, isOpen: true };
    gate.site = await listen(async (request, response) => {
      if (gate.held.test(request.url) && !gate.isOpen) {
        gate.waiting++;
        await until(() => gate.isOpen);
      }
      const answer = await fetch(`${explorer.site.url}${request.url}`, { method: request.method, headers: request.headers.range ? { range: request.headers.range } : {} });
      const headers = Object.fromEntries([...answer.headers].filter(([name]) => !/^(content-encoding|content-length|transfer-encoding|connection|keep-alive)$/.test(name)));
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  after(async () => {
    await gate?.site.close();
    await explorer?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    Object.assign(gate, { held: /^$/, waiting: 0, isOpen: true });
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const show = async (hash = "") => {
    await user.page.goto("about:blank");
    await user.page.goto(`${gate.site.url}/${hash && `#${hash}`}`, { waitUntil: "domcontentloaded" });
    await user.settled();
  };
  /** Name of the built script that has a text. */
  const fileWith = async (text) => {
    const names = (await readdir(ASSETS)).filter((name) => name.endsWith(".js"));
    const found = await Promise.all(names.map(async (name) => (await readFile(join(ASSETS, name), "utf8")).includes(text)));
    return names.find((_, i) => found[i]) ?? assert.fail(`no script says “${text}”`);
  };
  /** Where the parts of the page are, in whole pixels from its top. */
  const places = () => user.page.evaluate(() => Object.fromEntries(["#figure", "#plot", "#axes", ".track", "#legend", ".colourbar"].map((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return [selector, box && [box.top + scrollY, box.left, box.width, box.height].map(Math.round).join()];
  })));

  for (const [name, hash, text, come] of [
    ["the box for a date", "", "is no date", ".date-box"],
    ["the picker of versions", "url=run.icechunk/t2m", "Read the history", "#snapshot option"],
    ["words on the place on the Earth", "url=earth/curvilinear-180.zarr/v", "interpolated between", "#earth:not([hidden])"],
  ]) {
    test(`${name} moves neither the picture nor its controls as it comes`, async () => {
      Object.assign(gate, { held: new RegExp(await fileWith(text)), isOpen: false });
      await show(hash);
      await until(() => gate.waiting > 0);
      await user.lettered();
      const before = await places();
      assert.equal(await user.page.$(come), null);
      gate.isOpen = true;
      await user.page.waitForSelector(come, { timeout: 60_000 });
      await user.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      assert.deepEqual(await places(), before);
      assert.deepEqual(user.problems, []);
    });
  }

  test("a step that is asked for as soon as an axis is there goes on from where the array opens", async () => {
    await user.page.evaluateOnNewDocument(() => addEventListener("DOMContentLoaded", () => {
      const axes = document.querySelector("#axes") ?? document.body; // the page before has none
      const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      new MutationObserver((_, watch) => axes.childElementCount && (watch.disconnect(), press())).observe(axes, { childList: true });
    }));
    await show();
    await user.page.waitForSelector('#view[aria-busy="false"][data-at="172"]');
    assert.equal(await user.text(".where .now"), "21 Jun 2024");
    await user.waitFor(() => location.hash === "#at=172");
    assert.deepEqual(user.problems, []);
  });

  test("labels of chunks are fitted again to letters that come after the picture", async () => {
    await show();
    await user.lettered();
    const labels = () => user.page.$$eval(".block b", (list) => list.map((label) => `${label.textContent}: ${label.closest(".cut") ? "cut" : "whole"}`));
    assert.ok((await labels()).every((text) => text.endsWith("whole")));
    const [face] = (await readdir(ASSETS)).filter((name) => /mono.*\.woff2$/.test(name));
    await user.page.addStyleTag({ content: `
      @font-face { font-family: "Late"; src: url("/assets/${face}"); size-adjust: 500%; }
      .block b { font-family: "Late", "IBM Plex Sans"; }` });
    await user.page.evaluate(() => document.fonts.load('12px "Late"'));
    await user.waitFor(() => [...document.querySelectorAll(".block b")].some((label) => label.closest(".cut"))); // others have room over their neighbours
    assert.deepEqual(user.problems, []);
  });

  test("an item of the tree is the same element as the tree is listed again, and as another is chosen", async () => {
    await show("url=made/store.zarr/steps/warmth");
    await user.page.evaluate(() => document.querySelectorAll('[role="treeitem"]').forEach((item) => (item.isFirst = true)));
    await user.page.click('[data-path="scales/crossing"]');
    await user.says("#title", /crossing/);
    await user.settled();
    const others = await user.page.$$eval('[role="treeitem"]', (items) => items.filter((item) => !item.isFirst).map(({ dataset }) => dataset.path));
    assert.deepEqual(others.sort(), ["scales/crossing", "steps/warmth"], "which look otherwise now");
    assert.equal(await user.page.$$eval('[role="treeitem"][tabindex="0"]', (items) => items.map(({ dataset }) => dataset.path).join()), "scales/crossing");
    assert.deepEqual(user.problems, []);
  });

  test("the page is busy from the move of a view until what it lacks is drawn", async () => {
    await show("at=100");
    const busy = await user.page.evaluate(() => {
      document.querySelector('[aria-label="Zoom in"]').click();
      return document.querySelector("#view").ariaBusy;
    });
    assert.equal(busy, "true");
    await user.settled();
    await user.waitFor(() => location.hash.includes("view=")); // links are written twice a second
    await user.page.setViewport({ width: 900, height: 700 });
    await user.settled();
    assert.deepEqual(user.problems, []);
  });
});
