/** The explorer's maps of which some chunks cannot be read: the others are drawn, and the page says which are not. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { coloursAt, untilColours } from "../support/field.mjs";
import { cellOf, planes } from "../support/planes.mjs";
import { colourIndex } from "../../../www/src/model/colormap.js";

const STEPS = { shape: [3, 8, 12], chunk: [1, 4, 6] };

describe("maps of which chunks cannot be read", () => {
  const host = planes({ steps: STEPS, many: { shape: [64, 64], chunk: [4, 4] } });
  let bad; // path of a chunk -> what is answered: a status, or bytes
  let asked;
  let explorer;
  let user;

  const handle = (request, response) => {
    asked.push(request.url);
    const answer = bad(request.url);
    if (answer === undefined) return host.handle(request, response);
    if (typeof answer === "number") return response.writeHead(answer).end();
    return response.end(answer);
  };
  before(async () => (explorer = await startExplorer({ "/planes": handle })));
  after(() => explorer?.close());
  beforeEach(async () => {
    [bad, asked] = [() => undefined, []];
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const at = (name, more = "") => `url=${explorer.site.url}/planes/${name}&chunks=0${more}`;
  /** Colours of a step, null in the chunks that are lost. */
  function wanted(step, isLost) {
    const cells = Array.from({ length: 8 * 12 }, (_, i) => [Math.floor(i / 12), i % 12]);
    const values = cells.map(([row, column]) => (isLost(Math.floor(row / 4), Math.floor(column / 6)) ? null : cellOf(row, column) + step));
    const known = values.filter((v) => v !== null);
    const range = [Math.min(...known), Math.max(...known)];
    return coloursAt("inferno", values.map((v) => (v === null ? null : colourIndex(v, range))));
  }
  const tipOver = async (column, row) => {
    await user.point([column, row], [12, 8]);
    return user.text(".tip b");
  };

  for (const [what, answer] of [["is cut short", Buffer.from("<html>no</html>")], ["is refused by its host", 403]]) {
    test(`of four chunks of which one ${what}, three are drawn`, async () => {
      bad = (url) => (url.endsWith("steps/c/1/0/1") ? answer : undefined);
      await user.show(at("steps", "&at=1"));
      await untilColours(user, wanted(1, (r, c) => r === 0 && c === 1));
      assert.match(await user.text("#error"), /1 of 4 chunks of this picture could not be read; the others are drawn/);
      assert.equal(await tipOver(8, 2), "could not be read");
      assert.equal(await tipOver(2, 2), (cellOf(2, 2) + 1).toLocaleString("en"));
      assert.deepEqual((await user.chunks("#figure")).filter(([state]) => state === "failed"), [["failed", 6, 0, 6, 4]]);
    await user.storage();
      assert.match(await user.text(".tally"), /1 failed/);
      // Of a step without a fault nothing is said, and one with a fault is tried again.
      await user.page.click('[aria-label="Next step, time"]');
      await user.waitFor(() => document.querySelector("#view").dataset.at === "2" && document.querySelector("#error").hidden);
      bad = () => undefined;
      await user.page.click('[aria-label="Previous step, time"]');
      await user.waitFor(() => document.querySelector("#view").dataset.at === "1" && document.querySelector("#view").ariaBusy === "false");
      assert.equal(await tipOver(8, 2), (cellOf(2, 8) + 1).toLocaleString("en"));
      assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true);
      assert.deepEqual(user.problems, []);
    });
  }

  test("a difference of steps lacks what either of them lacks", async () => {
    bad = (url) => (/steps\/c\/(0\/0\/0|2\/1\/1)$/.test(url) ? Buffer.from("no") : undefined);
    await user.show(at("steps", "&at=2&minus=0"));
    for (const [column, row] of [[2, 2], [8, 6]]) assert.equal(await tipOver(column, row), "could not be read");
    for (const [column, row] of [[8, 2], [2, 6]]) assert.equal(await tipOver(column, row), "+2");
    assert.deepEqual(user.problems, []);
  });

  test("where no chunk is good the step is not drawn, and not every chunk is tried", async () => {
    bad = (url) => (url.includes("/many/c/") ? 410 : undefined);
    await user.show(at("many"));
    assert.match(await user.text("#error"), /StoreError: .*410/);
    assert.ok(await user.page.$(".frame.unread"));
    assert.ok(asked.filter((url) => url.includes("/c/")).length < 300 + 40, `${asked.length} requests`);
    assert.deepEqual(user.problems, []);
  });
});
