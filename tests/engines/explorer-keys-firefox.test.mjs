/** The explorer by keys alone in Firefox: every stop of the tab key is seen and has a ring, nothing holds the focus, Escape leaves, and steps are said. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { launch } from "../browser/support/firefox.mjs";
import { ROOT } from "../browser/support/paths.mjs";
import { files, listen } from "../browser/support/server.mjs";

const MOST_TABS = 120;

describe("the explorer by keys alone in Firefox", () => {
  let site;
  let browser;
  let page;
  const problems = [];

  before(async () => {
    site = await listen(files(join(ROOT, "www/dist")));
    browser = await launch();
    page = await browser.newPage();
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(site.url);
    await page.waitForSelector('#view[aria-busy="false"]');
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const here = () => page.evaluate(() => {
    const now = document.activeElement;
    const { top, bottom } = now.getBoundingClientRect();
    const around = [now, now.closest("label"), now.firstElementChild].filter(Boolean).map((one) => getComputedStyle(one));
    return {
      name: now.id || now.ariaLabel || now.textContent.trim().slice(0, 30),
      isSeen: bottom > 0 && top < innerHeight, isLast: now.matches(".foot a"),
      isRinged: around.some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) > 0),
    };
  });
  const tabTo = async (selector) => {
    for (let n = 0; n < MOST_TABS; n++) {
      if (await page.evaluate((at) => document.activeElement.matches(at), selector)) return;
      await press("Tab");
    }
    assert.fail(`no tab leads to ${selector}`);
  };

  test("tabs lead from the address to the end of the page", async () => {
    await page.focus("#url");
    const stops = [];
    do {
      await press("Tab");
      stops.push(await here());
    } while (!stops.at(-1).isLast && stops.length < MOST_TABS);
    assert.ok(stops.length > 20 && stops.at(-1).isLast, stops.at(-1).name);
    assert.deepEqual(stops.filter(({ isSeen, isRinged }) => !isSeen || !isRinged), []);
    for (const name of ["plot", "colours", "low", "projection", "coast"]) assert.ok(stops.some((stop) => stop.name === name), name);
  });

  test("a step, a cell and its line are reached, said, and left by Escape", async () => {
    await page.focus("#url");
    await tabTo(".track input");
    await press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("#view").dataset.at === "172");
    await page.waitForFunction(() => /^21 Jun 2024: /.test(document.querySelector("#status").textContent));
    await page.focus("#url");
    await tabTo("#plot");
    await press("ArrowRight");
    await page.waitForFunction(() => !document.querySelector("#figure .tip").hidden);
    await press("Enter");
    await page.waitForFunction(() => /^Along time at/.test(document.querySelector("#series h2")?.textContent ?? ""));
    await page.waitForFunction(() => /Along time at/.test(document.querySelector("#status").textContent));
    await press("Escape");
    assert.equal(await page.$eval("#figure .tip", ({ hidden }) => hidden), true);
    await page.focus("#brand, .brand");
    await tabTo("#stores summary");
    await press("Enter");
    await tabTo("#stores a");
    await press("Escape");
    assert.equal(await page.$eval("#stores details", ({ open }) => open), false);
    assert.ok(await page.evaluate(() => document.activeElement.matches("#stores summary")));
    assert.deepEqual(problems, []);
  });
});
