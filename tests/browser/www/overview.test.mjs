/** The explorer's maps of more chunks than one picture reads: samples, what was read of them, more while nobody moves, and all. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { cellOf, planes } from "../support/planes.mjs";

const SIDE = 368; // cells, in 46 x 46 chunks
const CHUNK = 8;

describe("maps of more chunks than one picture reads", () => {
  const host = planes({ small: { shape: [SIDE, SIDE], chunk: [CHUNK, CHUNK] } });
  let explorer;
  let user;

  before(async () => (explorer = await startExplorer({ "/planes": host.handle })));
  after(() => explorer?.close());
  beforeEach(async () => {
    host.given.log = [];
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const at = (name, more = "") => `url=${explorer.site.url}/planes/${name}&chunks=0${more}`;
  const read = () => new Set(host.given.log.map(({ path }) => path)).size;
  /** The value and the cell that the tip says over a cell. */
  async function tipOver(row, column) {
    await user.point([column, row], [SIDE, SIDE]);
    const [value, place] = [await user.text(".tip b"), await user.text(".tip span")];
    return [Number(value.replace(/,/g, "")), ...place.match(/\d+/g).map(Number)];
  }

  test("what is in the chunks that were read is drawn, by steps that are equal along both axes", async () => {
    await user.show(at("small"));
    assert.match(await user.text(".note"), /every 64th along y and every 64th along x/);
    assert.equal(read(), 36);
    await user.waitFor((row, column) => {
      const plot = document.querySelector("#plot");
      const box = plot.getBoundingClientRect();
      plot.dispatchEvent(new PointerEvent("pointermove", { clientX: box.x + (box.width * (column + 0.5)) / 368, clientY: box.y + (box.height * (row + 0.5)) / 368 }));
      return document.querySelector(".tip span").textContent === `y = ${row}, x = ${column}`;
    }, 69, 198); // within the chunk of the sample 64, 192
    assert.deepEqual(await tipOver(69, 198), [cellOf(69, 198), 69, 198]);
    await user.waitFor(() => {
      const canvas = document.querySelector("#plot canvas");
      return new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size > 100;
    }); // of 36 samples
    assert.deepEqual(await tipOver(100, 230), [cellOf(64, 192), 64, 192]); // outside of it
    assert.deepEqual(user.problems, []);
  });

  test("more is read while nobody moves, and all where it is asked for, which says what it takes", async () => {
    await user.show(at("small"));
    await user.says(".note", /every 32nd along y and every 32nd along x/);
    await user.settled();
    assert.equal(read(), 144);
    const words = await user.text(".read-all button");
    assert.match(words, /^Read all of it \(2,116 chunks, about 2\d\d kB\)$/); // of 128 bytes each
    await user.page.click(".read-all button");
    await user.waitFor(() => document.querySelector(".note").textContent === "" && document.querySelector("#view").ariaBusy === "false");
    assert.equal(read(), 46 * 46);
    assert.equal(host.given.log.length, read(), "each of them once");
    for (const [row, column] of [[3, 5], [100, 230], [350, 340]]) assert.deepEqual(await tipOver(row, column), [cellOf(row, column), row, column]);
    assert.equal(await user.page.$eval(".read-all", ({ hidden }) => hidden), true);
    assert.deepEqual(user.problems, []);
  });

  test("a page whose reader wants few data reads no more by itself", async () => {
    await user.page.evaluateOnNewDocument(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
    await user.show(at("small"));
    await new Promise((done) => setTimeout(done, 2500));
    assert.equal(read(), 36);
    assert.deepEqual(user.problems, []);
  });
});
