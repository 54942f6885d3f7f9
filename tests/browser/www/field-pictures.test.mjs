/** The explorer's pictures of several positions: the difference of two steps, and channels over each other, against numpy. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { coloursAt, coloursOf, different, faults, startFields, untilColours } from "../support/field.mjs";

describe("the explorer's pictures of several positions", () => {
  let fields;
  let user;

  before(async () => (fields = await startFields()));
  after(() => fields?.close());
  beforeEach(async () => (user = await fields.explorer.page()));
  afterEach(() => user.close());

  const hash = () => user.page.evaluate(() => location.hash);
  const range = () => user.page.$$eval("#low, #high", (list) => list.map(({ value }) => Number(value)));
  const press = (label) => user.page.evaluate((text) => [...document.querySelectorAll("#legend button")].find((button) => button.textContent === text && button.checkVisibility()).click(), label);
  /** Ticks a box wherever it is: what lies above it may still change its height. */
  const tick = (selector) => user.page.$eval(selector, (box) => box.click());
  const offered = (label) => user.page.evaluate((text) => [...document.querySelectorAll("#legend button, #legend label")].some((button) => button.textContent === text && button.checkVisibility()), label);
  const number = (text) => (text === "no data" ? null : Number(text.replace(/[^\d.−-]/g, "").replace("−", "-")));

  /** Differences as numbers from their signs and figures in the tips over all cells. */
  async function tips(rows, columns) {
    const seen = [];
    await user.page.addStyleTag({ content: ".zoom { visibility: hidden }" }); // which lies over cells
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        await user.point([column, row], [columns, rows]);
        seen.push(await user.text(".tip b"));
      }
    }
    return seen;
  }

  test("the difference of two steps has the cells of both, with zero in the middle of diverging colours", async () => {
    await user.show(`${fields.at("store.zarr/steps/warmth")}&at=1,0`);
    await press("Compare with this step");
    await user.says("#reading-note", /Each cell less its value at 28 Feb 2020, level = 1,000 hPa/);
    await user.page.click("#each");
    await user.page.click('[aria-label="Next chunk, level"]');
    for (let nth = 0; nth < 2; nth++) await user.page.click('[aria-label="Next step, time"]');
    await user.waitFor(() => document.querySelector("#view").dataset.at === "3,1" && document.querySelector("#view").ariaBusy === "false");
    const wanted = fields.expected.difference.flat();
    const farthest = Math.max(...wanted.map(Math.abs));
    assert.deepEqual(await range(), [-farthest, farthest].map((v) => Number(v.toPrecision(6))));
    const entries = wanted.map((v) => (v === null ? null : Math.min(255, Math.floor(((v + farthest) / (2 * farthest)) * 256))));
    const colours = coloursAt("rdbu", entries);
    const seen = await untilColours(user, colours, 1);
    assert.ok(different(seen, colours) <= 1, `${different(seen, colours)} cells differ`);
    const said = (await tips(6, 8)).map(number);
    wanted.forEach((v, i) => assert.ok(v === said[i] || Math.abs(v - said[i]) < 1e-3, `${said[i]} for ${v}`));
    assert.match(await user.text(".unit"), /^Δ/);
    await user.waitFor(() => /at=3,1/.test(location.hash)); // steps are written twice a second
    const link = (await hash()).slice(1);
    assert.match(link, /minus=1,0/);
    await user.show(link);
    assert.deepEqual(await coloursOf(user), seen);
    await press("Stop comparing");
    await user.says("#reading-note", /^$/);
    await user.waitFor(() => !location.hash.includes("minus"));
    assert.equal(await user.page.$eval("#colours", ({ value }) => value), "inferno");
    assert.deepEqual(user.problems, []);
  });

  test("differences of large integers are exact", async () => {
    await user.show(`${fields.at("store.zarr/steps/large")}&at=2&minus=0`);
    assert.deepEqual((await tips(4, 6)).map(number), fields.expected.large.flat());
    assert.deepEqual(user.problems, []);
  });

  test("another map that diverges can be chosen for a difference, and no other", async () => {
    await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1&minus=1,0&colours=viridis`);
    const choices = await user.page.$$eval("#colours option:enabled", (list) => list.map(({ value }) => value));
    assert.deepEqual(choices, ["rdbu", "puor", "balance", "curl"]);
    const before = await coloursOf(user);
    await user.page.select("#colours", "puor");
    await user.waitFor(() => location.hash.includes("colours=puor"));
    assert.notDeepEqual(await coloursOf(user), before);
    assert.deepEqual(user.problems, []);
  });

  test("classes are not compared, nor a link that makes no sense heeded", async () => {
    await user.show(`${fields.at("store.zarr/steps/kinds")}&at=1&minus=0`);
    assert.equal(await offered("Compare with this step"), false);
    assert.doesNotMatch(await hash(), /minus/);
    for (const minus of ["9,9", "1", "a,b", "-1,0"]) {
      await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1&minus=${minus}`);
      assert.doesNotMatch(await hash(), /minus/, minus);
    }
    assert.deepEqual(user.problems, []);
  });

  test("channels add up in OME's colours and windows, and are shown as they are ticked", async () => {
    await user.show(fields.at("image.zarr/0")); // an image opens as its metadata say
    assert.equal(await user.page.$eval("#together", ({ checked }) => checked), true);
    await user.page.waitForSelector(".channel-list li");
    assert.deepEqual(await user.texts(".channel-list label"), ["DAPI", "GFP", "Cy5"]);
    assert.deepEqual(await user.page.$$eval('.channel-list input[type="number"]', (list) => list.map(({ value }) => Number(value))), [100, 2000, 0, 4000, 500, 1500]);
    const check = async (name) => {
      const wanted = fields.expected.composites[name];
      const seen = await untilColours(user, wanted);
      assert.equal(different(seen, wanted, 1), 0, name); // shades of a colour may be rounded either way
    };
    await check("0,1");
    await tick("#channel-2");
    await check("0,1,2");
    const [dapi, gfp, cy5] = fields.expected.channels;
    await user.point([7, 4], [24, 12]);
    assert.equal(await user.text(".tip b"), [["DAPI", dapi], ["GFP", gfp], ["Cy5", cy5]].map(([name, v]) => `${name} ${v.toLocaleString("en")}`).join(", "));
    await user.show((await hash()).slice(1));
    await check("0,1,2");
    await user.page.waitForSelector(".channel-list li");
    await tick("#channel-0");
    await tick("#channel-1");
    await check("2");
    assert.equal(await user.page.$eval("#channel-2", ({ disabled }) => disabled), true); // a picture needs one
    assert.match(await hash(), /channels=2$/);
    assert.deepEqual(user.problems, []);
  });

  test("one click shows a channel alone, and a link keeps it so", async () => {
    await user.show(`${fields.at("image.zarr/0")}&at=1`);
    await untilColours(user, fields.expected.composites["0,1"]);
    const strips = () => user.page.$$eval(".axis", (list) => list.filter((strip) => strip.checkVisibility()).map((strip) => strip.ariaLabel));
    assert.deepEqual(await strips(), [], "nothing is to be stepped along");
    await user.page.keyboard.press("ArrowRight");
    await user.storage();
    assert.match(await user.text("#ledger"), /Whole array/);
    await user.page.click("#together");
    await user.waitFor(() => location.hash.endsWith("at=1&channels=none&chunks=1") && document.querySelector("#view").ariaBusy === "false");
    await user.point([7, 4], [24, 12]);
    assert.equal(await user.text(".tip b"), fields.expected.channels[1].toLocaleString("en"));
    const seen = await coloursOf(user);
    assert.ok(seen.some(([red]) => red > 100), "in the colours of a map");
    assert.deepEqual(await strips(), ["c"]);
    assert.equal((await user.page.$$(".axis .key")).length, 1);
    await user.show((await hash()).slice(1));
    assert.equal(await user.page.$eval("#together", ({ checked }) => checked), false);
    assert.deepEqual(await coloursOf(user), seen);
    await user.page.click("#together");
    await untilColours(user, fields.expected.composites["0,1"]);
    assert.match(await hash(), /channels=0,1&chunks=1$/);
    assert.deepEqual(user.problems, []);
  });

  test("channels stay together as other axes are drawn, and a difference of an image's steps has none", async () => {
    await user.show(`${fields.at("image.zarr/0")}&axes=2,1`);
    await user.page.waitForSelector(".channel-list li");
    await user.point([4, 7], [12, 24]);
    assert.match(await user.text(".tip b"), /^DAPI .*, GFP /);
    await user.page.select("#rows", "1"); // x and y change places
    await untilColours(user, fields.expected.composites["0,1"]);
    await user.page.select("#rows", "0");
    await user.waitFor(() => /axes=0/.test(location.hash) && document.querySelector("#view").ariaBusy === "false");
    assert.doesNotMatch(await hash(), /channels/);
    await user.show(`${fields.at("image.zarr/0")}&at=2&minus=0`);
    await user.says("#reading-note", /Each cell less/);
    assert.doesNotMatch(await hash(), /channels/);
    assert.deepEqual(user.problems, []);
  });

  test("a channel's window and colour can be changed, and a link keeps them", async () => {
    await user.show(`${fields.at("image.zarr/0")}&channels=0`);
    await user.page.waitForSelector(".channel-list li");
    await user.page.$eval('[aria-label="Highest value of DAPI"]', (input) => {
      input.value = 100 + 1000;
      input.dispatchEvent(new Event("change"));
    });
    await user.page.$eval('[aria-label="Colour of DAPI"]', (input) => {
      input.value = "#ff8000";
      input.dispatchEvent(new Event("input"));
    });
    await user.waitFor(() => location.hash.endsWith("channels=0:ff8000:100:1100"));
    const changed = await coloursOf(user);
    assert.ok(changed.every(([, , blue]) => blue === 0) && changed.some(([red]) => red === 255));
    await user.show((await hash()).slice(1));
    assert.deepEqual(await coloursOf(user), changed);
    for (const channels of ["7", "x", "0:zz", ":::", "0:ff8000:9:1"]) {
      await user.show(`${fields.at("image.zarr/0")}&channels=${channels}`);
      assert.match(await hash(), /channels=(0,1|0:ff8000:100:2000)$/, channels); // what makes no sense is as it opens
    }
    assert.deepEqual(user.problems, []);
  });

  test("axe finds nothing, of a difference or of channels", async () => {
    for (const scheme of ["light", "dark"]) {
      await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1&minus=1,0`);
      assert.deepEqual(await faults(user), []);
      await user.show(`${fields.at("image.zarr/0")}&channels=0,1`);
      await user.page.waitForSelector(".channel-list li");
      assert.deepEqual(await faults(user), []);
    }
    assert.deepEqual(user.problems, []);
  });
});
