/** The explorer without a pointer: from an address to a file, by tab, arrows, enter and the space bar alone. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startMade } from "../support/made.mjs";

const MOST_TABS = 150; // presses until something that can be reached is

describe("the explorer by keys alone", () => {
  let made;
  let explorer;
  let user;

  before(async () => {
    made = await startMade("sights.py");
    explorer = made.explorer;
  });
  after(() => made?.close());
  beforeEach(async () => {
    user = await explorer.page();
    await user.takeFiles();
  });
  afterEach(() => user.close());

  const press = async (...keys) => {
    for (const key of keys) await user.page.keyboard.press(key);
  };

  /** Whether what has the focus is seen, matches a selector, and says a text where one is given. */
  const isAt = (selector, text) => user.page.evaluate((at, wanted) => {
    const now = document.activeElement;
    return now.matches(at) && now.checkVisibility() && (!wanted || (now.textContent || now.getAttribute("aria-label")).startsWith(wanted));
  }, selector, text);

  /** Goes by the tab key to what matches, forwards or `back`; what has the focus on the way has a ring. */
  async function tabTo(selector, text, { back = false } = {}) {
    for (let n = 0; n < MOST_TABS; n++) {
      if (await isAt(selector, text)) return;
      if (back) await user.page.keyboard.down("Shift");
      await press("Tab");
      if (back) await user.page.keyboard.up("Shift");
    }
    assert.fail(`no tab leads to ${selector} ${text ?? ""}`);
  }

  /** Marks all of a box, so that what is typed takes its place. */
  async function mark() {
    await user.page.keyboard.down("Control");
    await press("a");
    await user.page.keyboard.up("Control");
  }

  const open = async (path) => {
    await tabTo("#url");
    await mark();
    await user.page.keyboard.type(`${explorer.site.url}/made/${path}`);
    await press("Enter");
    await user.says("#contents summary", new RegExp(path.split("/")[0]));
    await user.settled();
  };
  /** Whether a ring is around what has the focus, or around its line in the tree. */
  const hasRing = () => user.page.evaluate(() => [document.activeElement, document.activeElement.firstElementChild].some((one) => {
    const { outlineStyle, outlineWidth } = one ? getComputedStyle(one) : {};
    return one && outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  }));

  test("a store opens, its tree is led through, and its map is stepped, zoomed and read", async () => {
    await user.show();
    await open("climate.zarr");
    await user.says("#title", /^Air temperature$/);
    await tabTo('[role="treeitem"]');
    assert.ok(await hasRing());
    await press("Home");
    assert.ok(await isAt('[data-path="basin"]'));
    await press("ArrowDown", "Enter");
    await user.says("#title", /^Land cover$/);
    await tabTo('[role="treeitem"]');
    await press("Home");
    for (let n = 0; n < 20 && !(await isAt('[data-path="tas"]')); n++) await press("ArrowDown");
    await press("Enter");
    await user.says("#title", /^Air temperature$/);
    await user.settled();
    await tabTo(".track input");
    await press("ArrowRight", "ArrowRight");
    await user.says(".where .now", /^3 Jan 2024$/);
    await press("PageUp");
    await user.says(".where .now", /^4 Jan 2024$/);
    await tabTo("#plot", undefined, { back: true });
    assert.ok(await hasRing());
    await press("+", "+");
    await user.waitFor(() => /view=/.test(location.hash));
    await press("ArrowRight");
    await user.says("#status", /K, \d/);
    assert.ok(await user.page.$eval(".tip", (tip) => !tip.hidden));
    await press("0");
    await user.waitFor(() => !/view=/.test(location.hash));
    await press("Enter");
    await user.says("#series h2", /^Along time at/);
    await user.says("#status", /Along time at/);
    await tabTo("#series .plot, #series-plot");
    await press("ArrowRight");
    await user.waitFor(() => [...document.querySelectorAll("#series .tip")].some((tip) => !tip.hidden));
    await tabTo("#series button", "Close", { back: true });
    await press("Enter");
    await user.waitFor(() => document.querySelector("#series").hidden);
    // Where nothing is focused, or the picture, s shows the storage.
    await tabTo("#plot", undefined, { back: true });
    await press("s");
    await user.waitFor(() => document.querySelector("#ledger .total"));
    assert.deepEqual(user.problems, []);
  });

  test("an area is drawn and its mean calculated", async () => {
    await user.show(`url=${explorer.site.url}/made/climate.zarr/tas`);
    await tabTo("#answers summary");
    await press("Enter");
    await tabTo("#answers button", "Draw an area");
    await press("Enter");
    assert.ok(await isAt("#plot"));
    await press("ArrowUp", "Space");
    for (const key of ["ArrowRight", "ArrowDown"]) {
      await user.page.keyboard.down("Shift");
      await press(key);
      await user.page.keyboard.up("Shift");
      await press("Space");
    }
    await user.says(".area-bar", /^3 corners/);
    await press("Enter");
    await user.says("#answers", /3 corners/);
    assert.ok(await isAt("#answers button", "Calculate"));
    await press("Enter");
    await user.says("#answer", /From .* to/);
    await tabTo("#answers button", "Remove the area");
    await press("Enter");
    await user.waitFor(() => ![...document.querySelectorAll("#answers button")].some((one) => one.textContent === "Remove the area" && one.checkVisibility()));
    assert.deepEqual(user.problems, []);
  });

  test("colours, a projection and the range are chosen", async () => {
    await user.show(`url=${explorer.site.url}/made/climate.zarr/tas`);
    await tabTo("#colours");
    await press("Enter");
    await user.page.waitForSelector('[role="listbox"]:popover-open');
    await press("v", "Enter");
    await user.waitFor(() => /colours=viridis/.test(location.hash) && document.activeElement.id === "colours");
    await tabTo("#low");
    await mark();
    await user.page.keyboard.type("250");
    await press("Enter");
    await user.waitFor(() => /range=250,/.test(location.hash));
    await tabTo("#projection");
    await press("ArrowDown");
    await user.page.waitForSelector(".warped");
    await user.waitFor(() => /projection=globe/.test(location.hash));
    await tabTo("#plot", undefined, { back: true });
    await press("+");
    await user.waitFor(() => /projection=globe,[^&]*,1\.5/.test(location.hash));
    await press("ArrowRight");
    await user.says("#status", / K, /);
    await press("Enter");
    await user.says("#series h2", /^Along time at/);
    assert.deepEqual(user.problems, []);
  });

  test("labels are laid over an image, channels left out, and a well of a plate opened", async () => {
    await user.show();
    await open("image.zarr");
    await user.says("#title", /^Two channels$/);
    await user.page.waitForSelector("#labels", { visible: true });
    await tabTo("#labels");
    await press("Space");
    await user.page.waitForSelector("#plot canvas.labels");
    await tabTo(".labels-choice input[type=range]");
    await press("End");
    await user.waitFor(() => /labels=cells,100/.test(location.hash));
    await tabTo("#channel-1");
    await press("Space");
    await user.waitFor(() => /channels=0(&|$)/.test(location.hash));
    await tabTo("#url", undefined, { back: true });
    await open("plate05.zarr");
    await user.page.waitForSelector(".plate .well");
    await tabTo(".plate .well", "Well B2");
    await press("Enter");
    await user.says("#title", /^B2 0$/);
    assert.deepEqual(user.problems, []);
  });

  test("the view is taken along, the page is helped out of an error, and the menu of stores closes", async () => {
    await user.show(`url=${explorer.site.url}/made/climate.zarr/tas`);
    await tabTo("#take summary");
    await press("Enter");
    await tabTo("#take button", "Values as CSV");
    await press("Enter");
    await user.waitFor(() => globalThis.saved.length === 1);
    assert.match(await user.page.evaluate(() => globalThis.saved.pop().text()), /^#.*Air temperature/);
    await tabTo("#take button", "JavaScript");
    await press("Enter");
    await user.waitFor(() => /rectilinear-zarr/.test(document.querySelector("#code").value));
    await tabTo("#url", undefined, { back: true });
    await press("End");
    await user.page.keyboard.type("/nothing");
    await press("Enter");
    await user.page.waitForSelector("#error:not([hidden])");
    await tabTo("#error button", "Dismiss");
    await press("Enter");
    await user.waitFor(() => document.querySelector("#error").hidden && !document.body.matches(":has(#error:focus-within)"));
    await tabTo("#stores summary", undefined, { back: true });
    await press("Enter");
    await tabTo("#stores a");
    await press("Escape");
    await user.waitFor(() => !document.querySelector("#stores details").open && document.activeElement.matches("summary"));
    assert.deepEqual(user.problems, []);
  });

  for (const [width, height] of [[1280, 800], [390, 844]]) {
    test(`at ${width} x ${height} tabs lead down the page, to what is seen and has a ring, and back the same way`, async () => {
      await user.page.setViewport({ width, height });
      await user.show(`url=${explorer.site.url}/made/climate.zarr/tas&point=5,7,3`);
      await user.says("#series h2", /^Along time at/);
      await user.page.$$eval("details:not(.stores details, .contents details)", (list) => list.forEach((each) => (each.open = true)));
      await user.says("#health", /HTTP version/);
      await user.page.focus("#url");
      const here = () => user.page.evaluate(() => {
        const now = document.activeElement;
        const { top, bottom, left } = now.getBoundingClientRect();
        const line = now.closest("label, [role='treeitem']") ?? now;
        const isRinged = [now, line, now.firstElementChild].some((one) => one && getComputedStyle(one).outlineStyle !== "none" && parseFloat(getComputedStyle(one).outlineWidth) > 0);
        return { name: now.id || now.ariaLabel || now.textContent.trim().slice(0, 30), top: top + scrollY, left, isSeen: bottom > 0 && top < innerHeight, isRinged, isLast: now.matches(".foot a") };
      });
      const stops = [await here()];
      while (!stops.at(-1).isLast && stops.length < MOST_TABS) {
        await press("Tab");
        stops.push(await here());
      }
      assert.ok(stops.length > 40 && stops.at(-1).isLast, `${stops.length} stops, the last ${stops.at(-1).name}`);
      for (const [nth, stop] of stops.entries()) {
        assert.ok(stop.isSeen && stop.isRinged, `${stop.name} ${stop.isSeen ? "has no ring" : "is not seen"}`);
        const former = stops[nth - 1];
        // In a row, or in the column beside, a stop may be higher than the one before it.
        if (nth) assert.ok(stop.top >= former.top - 64 || stop.left > former.left + 100, `${stop.name} is above ${former.name}`);
      }
      for (const stop of stops.toReversed().slice(1)) {
        if (stop.name === "pick-folder") break; // the buttons beside the address are there while that has the focus
        await user.page.keyboard.down("Shift");
        await press("Tab");
        await user.page.keyboard.up("Shift");
        assert.equal((await here()).name, stop.name);
      }
      assert.deepEqual(user.problems, []);
    });
  }
});
