/** Arrays beyond any memory: metadata answer at once, and what cannot be read is refused, not attempted. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "./support/chromium.mjs";

/** zarr.json of an int32 array with these `chunk_shapes`, without any chunk. */
const metadata = (shape, chunkShapes) => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: "int32",
  chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: chunkShapes } },
  chunk_key_encoding: { name: "default" },
  fill_value: 7,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
});

describe("limits", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  /** Run `body(array, support)` on an array held in a store that has only metadata. */
  const on = (document, body) =>
    page.run(
      `async ({ RectilinearArray, support }, document) => {
        const bytes = new TextEncoder().encode(JSON.stringify(document));
        const array = await RectilinearArray.open({ get: (key) => (key === "/zarr.json" ? bytes : undefined) });
        return (${body})(array, support);
      }`,
      document,
    );

  test("10^9 chunks from a short zarr.json", async () => {
    const document = metadata([10 ** 9 + 3], [[3, [1, 10 ** 9]]]);
    assert.ok(JSON.stringify(document).length < 1000);
    const found = await on(document, async (array, support) => ({
      shape: array.chunkGrid.shape,
      runs: array.chunkGrid.runs(0),
      at: array.chunkGrid.chunkAt([500_000_000]),
      bounds: array.chunkGrid.bounds([10 ** 9]),
      part: [...(await array.get([{ start: -2, stop: null, step: null }])).data],
      sizes: await support.rejection(() => array.writeChunkSizes),
    }));
    assert.deepEqual(found.shape, [10 ** 9 + 1]);
    assert.deepEqual(found.runs, [
      { edge: 3, count: 1 },
      { edge: 1, count: 10 ** 9 },
    ]);
    assert.deepEqual(found.at, { coords: [499_999_998], within: [0] });
    assert.deepEqual(found.bounds, { start: [10 ** 9 + 2], stop: [10 ** 9 + 3] });
    assert.deepEqual(found.part, [7, 7]);
    assert.equal(found.sizes?.name, "RangeError");
  });

  test("a result of 4 * 10^18 bytes is refused", async () => {
    const error = await on(metadata([10 ** 9, 10 ** 9], [1000, 1000]), (array, support) =>
      support.rejection(() => array.get()),
    );
    assert.ok(error?.isError, "it was attempted");
    assert.match(error.name, /^(SelectionError|UnsupportedError|RangeError)$/);
  });

  test("one element of a chunk of 4 * 10^18 bytes: refused, and the array stays usable", async () => {
    const found = await on(metadata([10 ** 9 + 1, 10 ** 9], [[10 ** 9, 1], [10 ** 9]]), async (array, support) => ({
      error: await support.rejection(() => array.get([0, 0])),
      empty: (await array.get([0, { start: 0, stop: 0, step: null }])).shape,
    }));
    assert.equal(found.error?.name, "UnsupportedError", JSON.stringify(found.error));
    assert.deepEqual(found.empty, [0]);
  });

  test("a rank of 40", async () => {
    const ones = new Array(40).fill(1);
    const found = await on(metadata(ones, ones), async (array) => {
      const { data, shape } = await array.get();
      return { data: [...data], rank: shape.length };
    });
    assert.deepEqual(found, { data: [7], rank: 40 });
  });

  test("an attribute called __proto__ is an attribute", async () => {
    const attributes = '{"__proto__":{"units":"K"},"inner":{"__proto__":1}}';
    const document = JSON.stringify(metadata([1], [1])).replace("{", `{"attributes":${attributes},`);
    // As text: a page takes what it is given for code, where such a name sets the prototype.
    const found = await page.run(async ({ RectilinearArray }, document) => {
      const bytes = new TextEncoder().encode(document);
      const { attrs } = await RectilinearArray.open({ get: (key) => (key === "/zarr.json" ? bytes : undefined) });
      const isPlain = Object.getPrototypeOf(attrs) === Object.prototype && attrs.units === undefined;
      return { text: JSON.stringify(attrs), isPlain };
    }, document);
    assert.deepEqual(found, { text: attributes, isPlain: true });
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
