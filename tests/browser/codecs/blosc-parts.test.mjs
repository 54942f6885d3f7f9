/** Parts of a large blosc chunk: fetched once for all who want parts of it, and decoded as far as they want. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { allow, listen } from "../support/server.mjs";

const [ROWS, COLUMNS] = [512, 1024];

/** One chunk in a frame that blosc stored as it is. */
function stored() {
  const content = Buffer.from(Uint16Array.from({ length: ROWS * COLUMNS }, (_, i) => i % 65521).buffer);
  const head = Buffer.alloc(16);
  head.set([2, 1, 0x32, 2]);
  head.writeUInt32LE(content.length, 4);
  head.writeUInt32LE(1 << 16, 8);
  head.writeUInt32LE(content.length + 16, 12);
  return Buffer.concat([head, content]);
}

const document = {
  zarr_format: 3,
  node_type: "array",
  shape: [ROWS, COLUMNS],
  data_type: "uint16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [ROWS, COLUMNS] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "blosc" }],
};

describe("parts of a blosc chunk", () => {
  let page;
  let origin;
  before(async () => {
    page = await openPage();
    const files = { "/zarr.json": Buffer.from(JSON.stringify(document)), "/c/0/0": stored() };
    origin = await listen((request, response) => {
      if (allow(request, response)) return;
      response.setHeader("Cache-Control", "no-store");
      setTimeout(() => response.end(files[request.url]), 20);
    });
  });
  beforeEach(() => (origin.requests.length = 0));
  after(() => Promise.all([page?.close(), origin?.close()]));

  /** Reads selections at once or in turn; the first value of each, and how often the chunk was asked for. */
  async function read(selections, { atOnce = false, ...options } = {}) {
    const values = await page.run(
      async ({ RectilinearArray }, { url, selections, atOnce, options }) => {
        const array = await RectilinearArray.open(url, options);
        const first = async (selection) => (await array.get(selection)).data[0];
        if (atOnce) return Promise.all(selections.map(first));
        const values = [];
        for (const selection of selections) values.push(await first(selection));
        return values;
      },
      { url: origin.url, selections, atOnce, options },
    );
    return [values, origin.requests.filter(({ url }) => url === "/c/0/0").length];
  }
  const value = (row, column) => (row * COLUMNS + column) % 65521;

  test("in turn: the chunk is kept as it came", async () => {
    const [values, requests] = await read([[5, 7], [400, 1000], [[300, 2], 0], null]);
    assert.deepEqual([values, requests], [[value(5, 7), value(400, 1000), value(300, 0), 0], 1]);
  });

  test("after the whole: from the decoded chunk", async () => {
    assert.deepEqual(await read([null, [5, 7]]), [[0, value(5, 7)], 1]);
  });

  for (const cacheBytes of [0, 1 << 26]) {
    test(`at once, parts and the whole, with cacheBytes ${cacheBytes}`, async () => {
      const selections = [[5, 7], null, [400, 1000], null, [511, 1023]];
      const expected = [value(5, 7), 0, value(400, 1000), 0, value(511, 1023)];
      assert.deepEqual(await read(selections, { atOnce: true, cacheBytes }), [expected, 1]);
    });
  }
});
