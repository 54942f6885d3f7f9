/** The explorer's means and extremes: what a curve over the view reads, and that the page draws and saves what numpy would say. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { imported } from "../support/in-node.mjs";
import { cellOf, planes } from "../support/planes.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { RectilinearArray } = await imported("node.js");
const { MOST, cellsIn, curvesOf, placedIn, questionOf } = await siteModule("answers/question.js");

const metadata = (shape, chunk) => ({
  zarr_format: 3, node_type: "array", shape, data_type: "uint16", fill_value: 0,
  chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
  chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
});

/** A state of the page that shows rows and columns of an array of three axes. */
async function stateOf(t, shape, chunk, view) {
  const array = await RectilinearArray.open({ get: (key) => (key.endsWith("zarr.json") ? new TextEncoder().encode(JSON.stringify(metadata(shape, chunk))) : undefined) });
  t.after(() => array.free());
  return { dataset: { shape, dtype: "uint16", grid: array.chunkGrid }, axes: [1, 2], index: [5, 0, 0], view };
}

test("a curve reads the cells in view, of all steps along its axis or of the one that is drawn", async (t) => {
  const state = await stateOf(t, [12, 100, 200], [4, 50, 50], { centre: [50, 100], zoom: 4 });
  assert.deepEqual(cellsIn(state), [[37, 63], [75, 125]]);
  const curves = curvesOf(state);
  assert.deepEqual(curves, [{ axis: 0, over: [1, 2] }, { axis: 1, over: [2] }, { axis: 2, over: [1] }]);
  const [time, rows] = curves.map((curve) => questionOf(state, curve));
  const spans = ({ selection }) => selection.map((item) => (typeof item === "number" ? item : [item.start, item.stop]));
  assert.deepEqual(spans(time), [[0, 12], [37, 63], [75, 125]]);
  assert.deepEqual([time.from, time.cost], [0, { chunks: 3 * 2 * 2, bytes: 12 * 4 * 50 * 50 * 2 }]);
  assert.deepEqual(spans(rows), [5, [37, 63], [75, 125]]);
  assert.deepEqual([rows.from, rows.cost.chunks], [37, 4]);
  const { values, range } = placedIn(rows, state.dataset, Array.from({ length: 26 }, (_, i) => i));
  assert.deepEqual([values.length, values[36], values[37], values[62], values[63], range], [100, NaN, 0, 25, NaN, [0, 25]]);
  assert.equal(placedIn(rows, state.dataset, [NaN]).range, undefined);
  const long = await stateOf(t, [100_000, 100, 200], [1, 50, 50], { centre: [50, 100], zoom: 1 });
  assert.ok(questionOf(long, { axis: 0, over: [1, 2] }).cost.chunks > MOST.chunks);
});

describe("means and extremes on the page", () => {
  const SHAPE = [6, 40, 60];
  const host = planes({ steps: { shape: SHAPE, chunk: [1, 20, 20] } });
  let explorer;
  let user;
  before(async () => (explorer = await startExplorer({ "/planes": host.handle })));
  after(() => explorer?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  test("the mean over the view along time, and the least value along rows, are those of the cells", async () => {
    await user.show(`url=${explorer.site.url}/planes/steps&at=2&view=20,30,2`);
    await user.page.click("#answers summary");
    await user.says("#answers .choices .total", /^Reads 36 chunks, /);
    await user.page.evaluate(() => {
      globalThis.saved = [];
      URL.createObjectURL = (blob) => (globalThis.saved.push(blob), "#");
    });
    const asked = async (label) => {
      await user.page.evaluate((text) => [...document.querySelectorAll("#answers button")].find((button) => button.textContent === text).click(), label);
    };
    const curve = async () => {
      await asked("Curve as CSV");
      const text = await user.page.evaluate(() => globalThis.saved.pop().text());
      return text.trim().split("\n").slice(1).map((line) => line.split(",").map((part) => (part === "" ? NaN : Number(part))));
    };
    await asked("Calculate");
    await user.says("#answers h3", /^Mean along time, over the view: y 10 to 29, x 15 to 44$/);
    const cells = Array.from({ length: 20 * 30 }, (_, i) => cellOf(10 + Math.floor(i / 30), 15 + (i % 30)));
    const mean = cells.reduce((sum, v) => sum + v, 0) / cells.length;
    const found = await curve();
    assert.equal(found.length, 6);
    for (const [step, value] of found) assert.ok(Math.abs(value - mean - step) < 1e-9, `${step}: ${value}`);
    await user.page.select("#answers select", "min");
    await user.page.evaluate(() => {
      const select = document.querySelectorAll("#answers select")[1];
      select.selectedIndex = 1;
      select.dispatchEvent(new Event("change"));
    });
    await asked("Calculate");
    await user.says("#answers h3", /^Minimum along y, over x: .*time = 2$/);
    const least = (row) => Math.min(...Array.from({ length: 30 }, (_, c) => cellOf(row, 15 + c))) + 2;
    assert.deepEqual(await curve(), Array.from({ length: 40 }, (_, row) => [row, row >= 10 && row < 30 ? least(row) : NaN]));
    // The curve is enlarged as lines are.
    await user.page.focus("#answer-plot");
    await user.page.keyboard.press("+");
    await user.page.keyboard.press("+");
    const part = await curve();
    assert.deepEqual([part.length, part[0][0]], [18, 11]); // a part of 17.8 in the middle
    assert.deepEqual(part, part.map(([row]) => [row, least(row)]));
    await user.page.focus("#answer-plot");
    await user.page.keyboard.press("0");
    assert.equal((await curve()).length, 40);
    assert.deepEqual(user.problems, []);
  });
});
