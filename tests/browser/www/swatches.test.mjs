/** The explorer's list of colour maps: a picture of each, by mouse and by keys alone. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";

describe("the list of colour maps", () => {
  let explorer;
  let user;
  before(async () => (explorer = await startExplorer({})));
  after(() => explorer?.close());
  beforeEach(async () => {
    user = await explorer.page();
    await user.show();
  });
  afterEach(() => user.close());

  const isOpen = () => user.page.evaluate(() => Boolean(document.querySelector("#swatches:popover-open")));
  const opened = () => user.waitFor(() => document.querySelector("#swatches:popover-open") && document.activeElement.closest("#swatches"));
  const focused = () => user.page.evaluate(() => document.activeElement.dataset.name ?? document.activeElement.id);
  const value = () => user.page.$eval("#colours", (select) => select.value);

  test("a click opens it with a picture of each map, and another chooses one", async () => {
    await user.page.$eval("#colours", (select) => select.scrollIntoView({ block: "center" }));
    await user.page.click("#colours");
    await opened();
    const names = await user.page.$$eval("#colours option", (list) => list.map((option) => option.value));
    const shown = await user.page.$$eval('#swatches [role="option"]', (list) => list.map((option) => {
      const canvas = option.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, 256, 1);
      return [option.dataset.name, [...data.slice(0, 3)], [...data.slice(-4, -1)], canvas.checkVisibility()];
    }));
    assert.deepEqual(shown.map(([name]) => name).sort(), names.sort());
    assert.ok(shown.every(([, , , isVisible]) => isVisible));
    assert.equal(new Set(shown.map(([, from, to]) => `${from} ${to}`)).size, names.length, "no two pictures are alike");
    assert.deepEqual(shown.find(([name]) => name === "viridis").slice(1, 3), [[68, 1, 84], [253, 231, 37]]);
    assert.equal(await focused(), "inferno");
    const box = await user.page.$eval("#swatches", (list) => {
      const { left, right, top, bottom } = list.getBoundingClientRect();
      return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    });
    assert.ok(box, "the list lies within the window");
    await user.page.click('#swatches [data-name="viridis"]');
    assert.equal(await isOpen(), false);
    assert.equal(await value(), "viridis");
    assert.equal(await focused(), "colours");
    await user.waitFor(() => location.hash.includes("colours=viridis"));
    await user.page.click("#colours");
    await opened();
    await user.page.click("#colours");
    assert.equal(await isOpen(), false, "a second press closes it");
    await user.page.click("#colours");
    await opened();
    await user.page.click("#reversed");
    assert.equal(await isOpen(), false, "a press beside it closes it");
    assert.deepEqual(user.problems, []);
  });

  test("keys open it, lead through it, find a name by its letters, choose and leave", async () => {
    const { keyboard } = user.page;
    await user.page.focus("#colours");
    await keyboard.press("Enter");
    await opened();
    await keyboard.press("ArrowDown");
    assert.equal(await focused(), "magma");
    await keyboard.press("End");
    assert.equal(await focused(), "phase");
    await keyboard.press("Home");
    assert.equal(await focused(), "inferno");
    await keyboard.type("ba");
    assert.equal(await focused(), "balance");
    await keyboard.press("Escape");
    assert.deepEqual([await isOpen(), await focused(), await value()], [false, "colours", "inferno"]);
    await keyboard.press(" ");
    await opened();
    await keyboard.type("bal");
    await keyboard.press("Enter");
    assert.deepEqual([await isOpen(), await value()], [false, "balance"]);
    assert.equal(await user.page.$eval('#colours', (select) => select.labels[0].textContent), "Colours");
    assert.deepEqual(user.problems, []);
  });

  test("of a difference only diverging maps can be chosen, and reversed maps are shown so", async () => {
    await user.page.$eval("#reversed", (box) => box.click());
    await user.page.evaluate(() => [...document.querySelectorAll("button")].find((button) => button.textContent === "Compare with this step").click());
    await user.settled();
    await user.waitFor(() => document.querySelector('#colours option[value="inferno"]').disabled);
    await user.page.focus("#colours");
    await user.page.keyboard.press("Enter");
    await opened();
    const free = await user.page.$$eval('#swatches [role="option"]:not([aria-disabled])', (list) => list.map((option) => option.dataset.name));
    assert.deepEqual(free, ["rdbu", "puor", "balance", "curl"]);
    await user.page.$eval('#swatches [data-name="viridis"]', (option) => option.click());
    assert.equal(await isOpen(), true, "what cannot be chosen is not");
    assert.deepEqual(user.problems, []);
  });
});
