/** The explorer's box for a date: it goes to the step that xarray finds nearest, in calendars that xarray leaves to cftime by their own days. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { faults, startFields } from "../support/field.mjs";

describe("the explorer's box for a date", () => {
  let fields;
  let user;

  before(async () => (fields = await startFields()));
  after(() => fields?.close());
  beforeEach(async () => (user = await fields.explorer.page()));
  afterEach(() => user.close());

  const at = () => user.page.$eval("#view", (view) => Number(view.dataset.at));
  const type = async (text) => {
    await user.page.waitForSelector(".date-box"); // which comes after the picture
    await user.page.$eval(".date", (input) => (input.value = ""));
    await user.page.type(".date", text);
    await user.page.keyboard.press("Enter");
  };
  const goes = async (text, step) => {
    await type(text);
    await user.waitFor((wanted) => document.querySelector("#view").dataset.at === wanted, String(step));
    assert.equal(await at(), step, text);
    const [year] = text.split("-");
    if (["1990", "2030"].includes(year)) await user.says(".date-box .problem", new RegExp(`^${text} is ${year === "1990" ? "before the first" : "after the last"} step; this is \\d+ \\w+ \\d{4}`)); // beyond the axis
    else assert.equal(await user.text(".date-box .problem"), "");
    assert.notEqual(await user.page.$eval(".date", (input) => input.getAttribute("aria-invalid")), "true");
  };

  for (const calendar of ["standard", "360_day", "noleap"]) {
    test(`goes to the nearest step of the calendar ${calendar}`, async () => {
      await user.show(`${fields.at(`store.zarr/dates/${calendar}/heat`)}&at=7`);
      for (const [text, step] of Object.entries(fields.expected.dates[calendar])) await goes(text, step);
      assert.equal(await user.page.$eval(".date-box button", (button) => button.checkVisibility()), calendar === "standard"); // the browser picks Gregorian dates only
      assert.match(await user.page.evaluate(() => location.hash), /at=\d+/);
      assert.deepEqual(user.problems, []);
    });
  }

  test("a day, a month and a time after a blank are dates; what is none is said to be none", async () => {
    await user.show(`${fields.at("store.zarr/dates/standard/heat")}&at=7`);
    await goes("2000-02", 64); // 1 February 06:00 is the first of it
    await goes("2000-02-10 18:00", 83);
    for (const nonsense of ["tomorrow", "2001-02-30", "5/3/2000"]) {
      await type(nonsense);
      await user.says(".problem", /is no date.*1999-12-31/);
      assert.equal(await at(), 83);
    }
    await user.page.type(".date", "0");
    assert.equal(await user.text(".problem"), "");
    await user.show(`${fields.at("store.zarr/dates/noleap/heat")}&at=7`);
    await type("2000-02-29");
    await user.says(".problem", /is no date of the calendar noleap/);
    assert.deepEqual(user.problems, []);
  });

  test("a date that the browser's own calendar gave is gone to", async () => {
    await user.show(`${fields.at("store.zarr/dates/standard/heat")}&at=7`);
    await user.page.waitForSelector(".date-box");
    await user.page.$eval(".picker", (picker) => {
      picker.value = "2000-03-01";
      picker.dispatchEvent(new Event("change"));
    });
    await user.waitFor(() => document.querySelector("#view").dataset.at === "122"); // the first step of that day
    assert.deepEqual(user.problems, []);
  });

  test("a short axis has no box, and axe finds nothing in one", async () => {
    await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1`);
    assert.equal(await user.page.$(".date-box"), null);
    for (const scheme of ["light", "dark"]) {
      await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await user.show(`${fields.at("store.zarr/dates/standard/heat")}&at=7`);
      await type("tomorrow");
      await user.says(".problem", /is no date/);
      assert.deepEqual(await faults(user), []);
    }
    assert.deepEqual(user.problems, []);
  });
});
