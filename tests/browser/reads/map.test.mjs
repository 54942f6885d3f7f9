/** Parts of uncompressed chunks in a Map, which may go past WebAssembly, beside the same parts of whole reads. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";

const SHAPE = [40, 30, 20];

/** Edges of the chunks; the last ones of the first axis are not stored. */
const EDGES = [[13, 20, 7], [16, 14], [20]];

const TYPES = { int8: 1, uint16: 2, r24: 3, float32: 4, int64: 8, complex128: 16 };

/** Selections, and the coordinates that each picks along the axes. */
const SELECTIONS = [
  [[null, null, 7], [range(0, 40), range(0, 30), [7]]],
  [[null, 3, -1], [range(0, 40), [3], [19]]],
  [[12, null, 5], [[12], range(0, 30), [5]]],
  [[{ start: 1, step: 9 }, { start: 2, step: 5 }, { step: 3 }], [range(1, 40, 9), range(2, 30, 5), range(0, 20, 3)]],
  [[{ step: -1 }, -1, { step: 4 }], [range(0, 40).reverse(), [29], range(0, 20, 4)]],
  [[null, [20, 4, 4], 6], [range(0, 40), [20, 4, 4], [6]]],
];

function range(start, stop, step = 1) {
  return Array.from({ length: Math.ceil((stop - start) / step) }, (_, nth) => start + nth * step);
}

/** In the page: which selections differ from the same items of everything. */
async function compare({ RectilinearArray }, { document, edges, size, shift, selections }) {
  const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]);
  for (const [row, edge] of edges[0].slice(0, 2).entries()) {
    for (const [column, width] of edges[1].entries()) {
      const length = edge * width * edges[2][0] * size;
      const content = (_, at) => (7 * (at + row) + column + (at >> 8)) % 120;
      store.set(`/c/${row}/${column}/0`, Uint8Array.from({ length: length + shift }, content).subarray(shift));
    }
  }
  const array = await RectilinearArray.open(store, { cacheBytes: 0 });
  const { data, shape } = await array.get();
  const parts = data.length / shape.reduce((items, edge) => items * edge);
  const failures = [];
  for (const [selection, axes] of selections) {
    const longer = (places, axis, nth) => places.flatMap((place) => axis.map((at) => place * shape[nth] + at));
    const places = axes.reduce(longer, [0]);
    const expected = places.flatMap((place) => [...data.subarray(place * parts, (place + 1) * parts)]);
    const found = await array.get(selection);
    if (`${[...found.data]}` !== `${expected}`) failures.push(selection);
  }
  return { failures, parts };
}

describe("parts of uncompressed chunks in a Map", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const [dtype, size] of Object.entries(TYPES)) {
    for (const endian of ["little", "big"]) {
      // Bytes need not begin where numbers may.
      for (const shift of [0, 1]) {
        test(`${endian}-endian ${dtype}, ${shift} bytes into a buffer`, async () => {
          const fill = { r24: [1, 2, 3], complex128: [4, 5] };
          const document = {
            zarr_format: 3,
            node_type: "array",
            shape: SHAPE,
            data_type: dtype,
            chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: EDGES } },
            chunk_key_encoding: { name: "default" },
            codecs: [
              { name: "transpose", configuration: { order: [2, 0, 1] } },
              { name: "bytes", configuration: { endian } },
            ],
            fill_value: fill[dtype] ?? 6,
          };
          const args = { document, edges: EDGES, size, shift, selections: SELECTIONS };
          const { failures, parts } = await page.run(compare, args);
          assert.deepEqual(failures, []);
          assert.equal(parts, { r24: 3, complex128: 2 }[dtype] ?? 1);
        });
      }
    }
  }
});
