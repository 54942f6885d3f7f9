/** The explorer's lines through two cells and profiles of planes, against numpy, and their files. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { faults, startFields } from "../support/field.mjs";

describe("the explorer's lines", () => {
  let fields;
  let user;

  before(async () => (fields = await startFields()));
  after(() => fields?.close());
  beforeEach(async () => {
    user = await fields.explorer.page();
    await user.page.evaluateOnNewDocument(() => {
      globalThis.saved = [];
      HTMLAnchorElement.prototype.click = function () {
        globalThis.saved.push(fetch(this.href).then(async (answer) => [this.download, await answer.text()]));
      };
    });
  });
  afterEach(() => user.close());

  const hash = () => user.page.evaluate(() => location.hash);
  const shift = async (work) => {
    await user.page.keyboard.down("Shift");
    await work();
    await user.page.keyboard.up("Shift");
  };
  const pins = () => user.texts("#series .pins li");
  /** Files of the charts, so many or more, as rows of fields without quotes, below the lines that say what they are. */
  async function files(count = 1) {
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.waitFor(() => [...document.querySelectorAll("#take button")].some((button) => button.textContent === "Line as CSV" && button.checkVisibility()));
    await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find(({ textContent }) => textContent === "Line as CSV").click());
    await user.waitFor((wanted) => globalThis.saved.length >= wanted, count);
    const saved = await user.page.evaluate(() => Promise.all(globalThis.saved));
    return saved.map(([name, text]) => [name, text.trim().split("\n").filter((row) => row[0] !== "#").map((row) => row.match(/("[^"]*"|[^,]*)(,|$)/g).map((field) => field.replace(/,$/, "").replaceAll('"', "")).filter((_, i, all) => i < all.length - 1 || all[i] !== ""))]);
  }
  const numbers = (rows, column) => rows.slice(1).map((row) => (row[column] === undefined || row[column] === "" ? null : Number(row[column])));

  test("a click with shift adds a second cell's line, named in the legend and kept in the link", async () => {
    await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1`);
    await user.point([3, 2], [8, 6], { click: true });
    await user.says("#series h2", /Along time at level = 500 hPa, y = 2, x = 3/);
    assert.deepEqual(await pins(), []);
    await shift(() => user.point([0, 5], [8, 6], { click: true }));
    await user.says("#series h2", /^Along time$/);
    assert.deepEqual(await pins(), ["level = 500 hPa, y = 2, x = 3", "level = 500 hPa, y = 5, x = 0"]);
    assert.equal(await user.page.$$eval("#figure .pin", (list) => list.length), 2);
    await user.point([4, 0], [5, 1], { plot: "#series-plot" });
    const [first, second] = (await user.text("#series .tip b")).split("; ").map((text) => parseFloat(text));
    const { lines } = fields.expected;
    assert.deepEqual([first, second], [lines.first[4], lines.second[4]]);
    const link = (await hash()).slice(1);
    assert.match(link, /point=2,3,3,1&point2=5,0,3,1/);
    await user.show(link);
    await user.says("#series .pins", /y = 5, x = 0/);
    await user.show(link.replaceAll(/(point2?=\d,\d),3,1/g, "$1")); // as links were before: along the drawn axes alone
    await user.says("#series .pins", /level = 500 hPa, y = 2, x = 3.*level = 500 hPa, y = 5, x = 0/);

    const [[name, rows]] = await files();
    assert.equal(name, "warmth-line.csv");
    assert.deepEqual(rows[0], ["time", "warmth at level = 500 hPa, y = 2, x = 3", "warmth at level = 500 hPa, y = 5, x = 0"]);
    assert.deepEqual([numbers(rows, 1), numbers(rows, 2)], [lines.first, lines.second]);
    assert.equal(rows[1][0], "2020-02-27T00:00:00");

    await user.point([6, 1], [8, 6], { click: true }); // moves the first and keeps the second
    await user.says("#series .pins", /y = 1, x = 6.*y = 5, x = 0/);
    await user.page.evaluate(() => [...document.querySelectorAll("#series button")].find(({ textContent }) => textContent === "Remove the second").click());
    await user.says("#series h2", /at level = 500 hPa, y = 1, x = 6/);
    assert.doesNotMatch(await hash(), /point2/);
    assert.deepEqual(user.problems, []);
  });

  test("a link keeps the whole place of both cells, whatever is drawn after they were picked", async () => {
    await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1`);
    await user.point([3, 2], [8, 6], { click: true });
    await user.says("#series h2", /level = 500 hPa, y = 2, x = 3/);
    await user.page.click('[aria-label="Next chunk, level"]'); // round the end, to another level
    await user.waitFor(() => /at=3,0/.test(location.hash));
    await user.settled();
    await shift(() => user.point([0, 5], [8, 6], { click: true }));
    const seen = ["level = 500 hPa, y = 2, x = 3", "level = 1,000 hPa, y = 5, x = 0"];
    await user.says("#series .pins", /1,000 hPa/);
    assert.deepEqual(await pins(), seen);
    const link = (await hash()).slice(1);
    await user.show(link);
    await user.says("#series .pins", /1,000 hPa/);
    assert.deepEqual(await pins(), seen);
    assert.equal((await hash()).slice(1), link);
    for (const wrong of ["2,3,9,1", "2,3,3", "2,3,3,1,0", "9,3,3,1"]) {
      await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1&point=${wrong}`);
      assert.doesNotMatch(await hash(), /point/, wrong);
    }
    assert.deepEqual(user.problems, []);
  });

  test("lines of two cells are drawn in two colours, within what both span", async () => {
    await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1&point=2,3&point2=5,0`);
    await user.says("#series .pins", /y = 5, x = 0/);
    const wanted = await user.page.$$eval("#series .pins i", (list) => list.map((mark) => getComputedStyle(mark).borderTopColor));
    const drawn = await user.page.$eval("#series-plot canvas", (canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return [...new Set(Array.from({ length: data.length / 4 }, (_, i) => (data[i * 4 + 3] === 255 ? `rgb(${data.slice(i * 4, i * 4 + 3).join(", ")})` : "")))];
    });
    assert.equal(new Set(wanted).size, 2);
    for (const colour of wanted) assert.ok(drawn.includes(colour), `${colour} in ${drawn}`);
    assert.deepEqual(user.problems, []);
  });

  test("the keyboard alone picks both cells, and a button asks for the second", async () => {
    await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1`);
    await user.page.focus("#plot");
    await user.page.keyboard.press("ArrowRight");
    await user.page.keyboard.press("Enter");
    await user.says("#series h2", /Along time at/);
    const [, cell] = /at (.*)/.exec(await user.text("#series h2"));
    await user.page.keyboard.press("ArrowRight");
    await shift(() => user.page.keyboard.press("Enter"));
    await user.page.waitForSelector("#series .pins li");
    const [first, second] = await pins();
    assert.equal(first, cell);
    assert.notEqual(second, first);
    const press = (label) => user.page.evaluate((text) => [...document.querySelectorAll("#series button")].find(({ textContent }) => textContent === text).click(), label);
    await press("Remove the second");
    await user.says("#series h2", /Along time at/);
    await press("Add a second cell");
    await user.point([0, 0], [8, 6], { click: true });
    await user.says("#series .pins", /y = 0, x = 0/);
    assert.equal((await pins())[0], cell);
    assert.deepEqual(user.problems, []);
  });

  test("a plane has the profiles of a row and a column through the cell that is picked", async () => {
    await user.show(fields.at("store.zarr/scales/crossing"));
    await user.point([7, 4], [24, 12], { click: true });
    await user.says("#series h2", /Along x and y through y = 4, x = 7/);
    assert.deepEqual(await user.texts("#series h3"), ["Along x at y = 4", "Along y at x = 7"]);
    const saved = await files(2);
    assert.deepEqual(saved.map(([name]) => name), ["crossing-line-x.csv", "crossing-line-y.csv"]);
    assert.deepEqual(saved.map(([, rows]) => numbers(rows, 1)), [fields.expected.profiles.row, fields.expected.profiles.column]);
    await user.point([11, 0], [24, 1], { plot: "#series-plot", click: true }); // along the row: another column
    await user.says("#series h2", /through y = 4, x = 11/);
    assert.match(await hash(), /point=4,11/);
    await user.show((await hash()).slice(1));
    await user.says("#series h2", /through y = 4, x = 11/);
    assert.deepEqual(user.problems, []);
  });

  test("axe finds nothing, of two cells' lines or of profiles", async () => {
    for (const scheme of ["light", "dark"]) {
      await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await user.show(`${fields.at("store.zarr/scales/crossing")}&point=4,7&point2=1,1`);
      await user.says("#series h2", /Along x and y/);
      assert.deepEqual(await faults(user), []);
      await user.show(`${fields.at("store.zarr/steps/warmth")}&at=3,1&point=2,3&point2=5,0`);
      await user.says("#series .pins", /y = 5, x = 0/);
      assert.deepEqual(await faults(user), []);
    }
    assert.deepEqual(user.problems, []);
  });
});
