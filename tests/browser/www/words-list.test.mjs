/** Lists of the explorer, of texts and the like: which items a page of them has, and which chunks it takes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "../support/in-node.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { RectilinearArray } = await imported("node.js");
const { planPlane } = await siteModule("model/plane.js");

const metadata = {
  zarr_format: 3, node_type: "array", shape: [2, 5000], data_type: "uint8", fill_value: 0,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1, 100] } },
  chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes" }],
};

test("a list has 200 items from any one on, and takes their chunks alone", async (t) => {
  const array = await RectilinearArray.open({ get: (key) => (key.endsWith("zarr.json") ? new TextEncoder().encode(JSON.stringify(metadata)) : undefined) });
  t.after(() => array.free());
  const dataset = { kind: "words", shape: [2, 5000], dtype: "string", axes: [{ name: "y" }, { name: "station" }], decoder: { note: "" }, grid: array.chunkGrid, sources: [{}] };
  const listed = (from) => {
    const { shown: [{ first, stop, count }], touched, selection, note } = planPlane(dataset, [1, 0], [1], { from });
    return { first, stop, count, touched: String(touched.map(([, nth]) => nth)), span: [selection[1].start, selection[1].stop], note };
  };
  assert.deepEqual(listed(), { first: 0, stop: 200, count: 200, touched: "0,1", span: [0, 200], note: "Shown: the first 200 of 5,000 along station." });
  assert.deepEqual(listed(4000), { first: 4000, stop: 4200, count: 200, touched: "40,41", span: [4000, 4200], note: "Shown: 4,001 to 4,200 of 5,000 along station." });
  assert.deepEqual(listed(4950), { first: 4950, stop: 5000, count: 50, touched: "49", span: [4950, 5000], note: "Shown: 4,951 to 5,000 of 5,000 along station." });
});
