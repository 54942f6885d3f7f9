/** Labels of the explorer's strips: each block of a crowded axis says what it is, as far as it has room. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";

/** A store of so many days from 9 January 2024 on, each a chunk: `/16/v`; or of so many of 360 in a year, from 2001 on, in quarters. */
const days = (first = "2024-01-09", calendar = "standard", long = 1) => (request, response) => {
  const [, number, ...rest] = request.url.split("/");
  const size = Number(number);
  const path = rest.join("/");
  const array = (data_type, shape, chunk_shape, dimension_names, attributes = {}) => ({
    zarr_format: 3, node_type: "array", data_type, shape, dimension_names, attributes, fill_value: 1, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    chunk_grid: { name: "regular", configuration: { chunk_shape } }, chunk_key_encoding: { name: "default" },
  });
  const metadata = {
    time: array("int32", [size], [size], ["time"], { units: `days since ${first}`, calendar }),
    v: array("float32", [size, 4, 8], [long, 4, 8], ["time", "y", "x"]),
  };
  const answers = { "zarr.json": { zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: { kind: "inline", must_understand: false, metadata } }, "time/zarr.json": metadata.time, "v/zarr.json": metadata.v };
  if (answers[path]) return response.end(JSON.stringify(answers[path]));
  if (path === "time/c/0") return response.end(Buffer.from(Int32Array.from({ length: size }, (_, i) => i).buffer));
  return response.writeHead(404).end();
};

describe("labels of a strip", () => {
  let explorer;
  let user;
  before(async () => (explorer = await startExplorer({ "/days": days(), "/quarters": days("2001-01-01", "360_day", 90) }, { keeps: false })));
  after(() => explorer?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const labels = () => user.page.$$eval(".whole .block b", (list) => list.filter((label) => label.checkVisibility()).map((label) => label.textContent));

  test("of days that have no room for their dates, all have their numbers, and months where they begin", async () => {
    await user.show(`url=${explorer.site.url}/days/31/v`);
    await user.waitFor(() => [...document.querySelectorAll(".whole .block b")].some((label) => label.textContent === "10"));
    assert.deepEqual(await labels(), ["9", ...Array.from({ length: 22 }, (_, i) => `${10 + i}`), "Feb", "2", "3", "4", "5", "6", "7", "8"]);
    assert.deepEqual(user.problems, []);
  });

  test("on a phone a month's days that have no room over their neighbours leave it to others, and the part around the step is enlarged", async () => {
    await user.page.setViewport({ width: 390, height: 844 });
    await user.show(`url=${explorer.site.url}/days/31/v&at=14`);
    await user.lettered();
    await user.waitFor(() => document.querySelectorAll(".whole .block.over").length > 4);
    const shown = await user.page.$$eval(".whole .block b", (list) => list.filter((label) => label.checkVisibility()).map((label) => ({ text: label.textContent, ...label.getBoundingClientRect().toJSON() })));
    assert.ok(shown.length >= 12 && shown.some(({ text }) => text === "Feb"), shown.map(({ text }) => text).join());
    for (const [n, { left }] of shown.slice(1).entries()) assert.ok(left >= shown[n].right, `${shown[n].text} meets ${shown[n + 1].text}`);
    const enlarged = () => user.page.$$eval(".lens .block", (list) => list.filter((block) => block.checkVisibility()).map((block) => [block.textContent, block.getBoundingClientRect().width]));
    const blocks = await enlarged();
    assert.equal(blocks.length, 14);
    assert.ok(blocks.every(([, width]) => width >= 20), blocks.join());
    assert.ok(blocks.some(([text]) => text.startsWith("23")), "that of the step");
    // A wide window has room for all.
    await user.page.setViewport({ width: 1280, height: 800 });
    await user.waitFor(() => document.querySelector(".lens").hidden && !document.querySelector(".whole .block.over"));
    assert.equal((await labels()).length, 31);
    assert.deepEqual(user.problems, []);
  });

  test("quarters of years that have no room say where years begin", async () => {
    await user.page.setViewport({ width: 390, height: 844 });
    await user.show(`url=${explorer.site.url}/quarters/1800/v&at=900`);
    await user.lettered();
    await user.waitFor(() => document.querySelectorAll(".whole .block.over").length > 2);
    const shown = await labels();
    assert.deepEqual(shown.filter((text) => /^\d{4}$/.test(text)), ["2001", "2002", "2003", "2004", "2005"]);
    await user.page.setViewport({ width: 1280, height: 800 });
    await user.waitFor(() => [...document.querySelectorAll(".whole .block b")].every((label) => label.checkVisibility()));
    assert.deepEqual((await labels()).slice(0, 5), ["2001", "Apr", "Jul", "Oct", "2002"]);
    assert.deepEqual(user.problems, []);
  });

  test("of few days, dates stand whole", async () => {
    await user.show(`url=${explorer.site.url}/days/7/v`);
    assert.deepEqual(await labels(), ["9 Jan 2024", "10 Jan 2024", "11 Jan 2024", "12 Jan 2024", "13 Jan 2024", "14 Jan 2024", "15 Jan 2024"]);
    await user.page.setViewport({ width: 390, height: 844 });
    await user.waitFor(() => document.querySelector(".whole .block:nth-child(2) b").textContent === "10");
    assert.deepEqual(await labels(), ["9 Jan", "10", "11", "12", "13", "14", "15"]);
    assert.deepEqual(user.problems, []);
  });
});
