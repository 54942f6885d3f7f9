/** Rows of small chunks in a Map, which are taken together as far as they are in order, beside what items are by definition. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

/** Selections, with the rows and columns that they begin at and the way that they go. */
const SELECTIONS = [
  { selection: null, rows: [0, 1], columns: [0, 1] },
  { selection: [{ step: -1 }, { step: -1 }], rows: [39, -1], columns: [408, -1] },
  { selection: [{ start: 3 }, { start: 17, step: 2 }], rows: [3, 1], columns: [17, 2] },
];

/**
 * In the page: which selections differ from the definition, what the listener heard last, and the error of a read with a
 * damaged chunk amid a row.
 */
async function read({ RectilinearArray, support: { encoded } }, { codec, selections }) {
  const [height, width, rows, columns] = [8, 10, 5, 41];
  const isMissing = (row, column) => row === 1 && column % 9 === 7;
  const item = (y, x) => (isMissing(Math.floor(y / height), Math.floor(x / width)) ? 6 : y * 1000 + x);
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [40, 409],
    data_type: "int32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [height, width] } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, ...(codec ? [{ name: codec }] : [])],
    fill_value: 6,
  };
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (isMissing(row, column)) continue;
      const at = (_, nth) => item(row * height + Math.floor(nth / width), column * width + (nth % width));
      store.set(`/c/${row}/${column}`, await encoded(Int32Array.from({ length: height * width }, at), codec));
    }
  }
  const array = await RectilinearArray.open(store, { cacheBytes: 0, workers: 0 });
  const differing = [];
  for (const { selection, rows, columns } of selections) {
    const { data, shape } = await array.get(selection);
    const place = (at) => [rows[0] + rows[1] * Math.floor(at / shape[1]), columns[0] + columns[1] * (at % shape[1])];
    if (!data.length || !data.every((value, at) => value === item(...place(at)))) differing.push(selection);
  }
  let heard;
  await array.get(null, { onProgress: ({ chunks, totalChunks, bytes }) => (heard = { chunks, totalChunks, bytes }) });
  const stored = [...store].reduce((sum, [key, { length }]) => sum + (key === "/zarr.json" ? 0 : length), 0);
  heard.bytes -= stored;
  store.set("/c/2/12", store.get("/c/2/12").subarray(4));
  const { name, message } = await array.get().catch((error) => error);
  return { differing, heard, error: `${name} ${message.includes("c/2/12")}` };
}

describe("rows of small chunks", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const codec of [undefined, "gzip"]) {
    test(codec ?? "uncompressed", async () => {
      const found = await page.run(read, { codec, selections: SELECTIONS });
      const heard = { chunks: 205, totalChunks: 205, bytes: 0 };
      assert.deepEqual(found, { differing: [], heard, error: "CodecError true" });
    });
  }
});
