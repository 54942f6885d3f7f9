/** Large chunks in a Map, which are copied to a result by bands or by rows, beside what their items are by definition. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

/** Chunks of 1 MiB and more: two by two with rows of half a page, and two with rows of a page. */
const GRIDS = [
  [
    [500, 600],
    [512, 512],
  ],
  [[500, 600], [1024]],
];

/** Selections, with the rows and columns that they begin at and the way that they go. */
const SELECTIONS = [
  { selection: null, rows: [0, 1], columns: [0, 1] },
  { selection: [{ step: -1 }, null], rows: [1099, -1], columns: [0, 1] },
  { selection: [{ start: 90, step: 1 }, { start: 7 }], rows: [90, 1], columns: [7, 1] },
];

/** In the page: which selections differ from the definition, and what a chunk that is too short is called. */
async function read({ RectilinearArray, support: { encoded } }, { edges, endian, codec, selections }) {
  const [width, beside] = [edges[1][0], edges[1].length - 1];
  const item = (row, column) => (row > 499 && column >= width * beside ? 6 : row * 1024 + column);
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [1100, 1024],
    data_type: "int32",
    chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: edges } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes", configuration: { endian } }, ...(codec ? [{ name: codec }] : [])],
    fill_value: 6,
  };
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
  let short;
  // The last chunk is not stored.
  for (const [row, column] of [[0, 0], ...(beside ? [[0, 1], [1, 0]] : [])]) {
    const chunk = new DataView(new ArrayBuffer(edges[0][row] * width * 4));
    for (let at = 0; at < chunk.byteLength / 4; at++) {
      chunk.setInt32(4 * at, item(row * 500 + Math.floor(at / width), column * width + (at % width)), endian === "little");
    }
    store.set(`/c/${row}/${column}`, await encoded(chunk.buffer, codec));
    if (row + column === 0) short = await encoded(chunk.buffer.slice(4), codec);
  }
  const array = await RectilinearArray.open(store, { cacheBytes: 0 });
  const differing = [];
  for (const { selection, rows, columns } of selections) {
    const { data, shape } = await array.get(selection);
    const place = (at) => [rows[0] + rows[1] * Math.floor(at / shape[1]), columns[0] + columns[1] * (at % shape[1])];
    if (!data.length || !data.every((value, at) => value === item(...place(at)))) differing.push(selection);
  }
  store.set("/c/0/0", short);
  return { differing, error: await array.get().catch(({ name }) => name) };
}

describe("large chunks", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const endian of ["little", "big"]) {
    for (const codec of [undefined, "gzip"]) {
      test(`${endian}-endian, ${codec ?? "uncompressed"}`, async () => {
        for (const edges of GRIDS) {
          const found = await page.run(read, { edges, endian, codec, selections: SELECTIONS });
          assert.deepEqual(found, { differing: [], error: "CodecError" });
        }
      });
    }
  }
});
