/** Labels of the explorer's strips: each block of a crowded axis says what it is, as far as it has room. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";

/** A store of so many days from 9 January 2024 on, each a chunk: `/16/v`. */
function days(request, response) {
  const [, number, ...rest] = request.url.split("/");
  const size = Number(number);
  const path = rest.join("/");
  const array = (data_type, shape, chunk_shape, dimension_names, attributes = {}) => ({
    zarr_format: 3, node_type: "array", data_type, shape, dimension_names, attributes, fill_value: 1, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    chunk_grid: { name: "regular", configuration: { chunk_shape } }, chunk_key_encoding: { name: "default" },
  });
  const metadata = {
    time: array("int32", [size], [size], ["time"], { units: "days since 2024-01-09", calendar: "standard" }),
    v: array("float32", [size, 4, 8], [1, 4, 8], ["time", "y", "x"]),
  };
  const answers = { "zarr.json": { zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: { kind: "inline", must_understand: false, metadata } }, "time/zarr.json": metadata.time, "v/zarr.json": metadata.v };
  if (answers[path]) return response.end(JSON.stringify(answers[path]));
  if (path === "time/c/0") return response.end(Buffer.from(Int32Array.from({ length: size }, (_, i) => i).buffer));
  return response.writeHead(404).end();
}

describe("labels of a strip", () => {
  let explorer;
  let user;
  before(async () => (explorer = await startExplorer({ "/days": days }, { keeps: false })));
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

  test("of few days, dates stand whole", async () => {
    await user.show(`url=${explorer.site.url}/days/7/v`);
    assert.deepEqual(await labels(), ["9 Jan 2024", "10 Jan 2024", "11 Jan 2024", "12 Jan 2024", "13 Jan 2024", "14 Jan 2024", "15 Jan 2024"]);
    await user.page.setViewport({ width: 390, height: 844 });
    await user.waitFor(() => document.querySelector(".whole .block:nth-child(2) b").textContent === "10");
    assert.deepEqual(await labels(), ["9 Jan", "10", "11", "12", "13", "14", "15"]);
    assert.deepEqual(user.problems, []);
  });
});
