/** Uncompressed chunks in a Map that lie in several bands of a result, beside what their items are by definition. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

/** Two by two chunks, of 1 MiB and more, and rows of half a page. */
const EDGES = [
  [500, 600],
  [512, 512],
];

/** Selections, with the rows and columns that they begin at and the way that they go. */
const SELECTIONS = [
  { selection: null, rows: [0, 1], columns: [0, 1] },
  { selection: [{ step: -1 }, null], rows: [1099, -1], columns: [0, 1] },
  { selection: [{ start: 90, step: 1 }, { start: 7 }], rows: [90, 1], columns: [7, 1] },
];

/** In the page: which selections differ from the definition, and what a chunk that is too short is called. */
async function read({ RectilinearArray }, { edges, endian, selections }) {
  const item = (row, column) => (row > 499 && column > 511 ? 6 : row * 1024 + column);
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [1100, 1024],
    data_type: "int32",
    chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: edges } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes", configuration: { endian } }],
    fill_value: 6,
  };
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
  // The last chunk is not stored.
  for (const [row, column] of [
    [0, 0],
    [0, 1],
    [1, 0],
  ]) {
    const chunk = new DataView(new ArrayBuffer(edges[0][row] * 512 * 4));
    for (let at = 0; at < chunk.byteLength / 4; at++) {
      chunk.setInt32(4 * at, item(row * 500 + Math.floor(at / 512), column * 512 + (at % 512)), endian === "little");
    }
    store.set(`/c/${row}/${column}`, new Uint8Array(chunk.buffer));
  }
  const array = await RectilinearArray.open(store, { cacheBytes: 0 });
  const differing = [];
  for (const { selection, rows, columns } of selections) {
    const { data, shape } = await array.get(selection);
    const place = (at) => [rows[0] + rows[1] * Math.floor(at / shape[1]), columns[0] + columns[1] * (at % shape[1])];
    if (!data.length || !data.every((value, at) => value === item(...place(at)))) differing.push(selection);
  }
  store.set("/c/0/1", store.get("/c/0/1").subarray(4));
  const short = await array.get().catch(({ name }) => name);
  return { differing, short };
}

describe("chunks in several bands", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const endian of ["little", "big"]) {
    test(`${endian}-endian`, async () => {
      const found = await page.run(read, { edges: EDGES, endian, selections: SELECTIONS });
      assert.deepEqual(found, { differing: [], short: "CodecError" });
    });
  }
});
