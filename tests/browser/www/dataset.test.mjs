/** Arrays as the explorer opens them, in Node: which of them hold times. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "../support/in-node.mjs";
import { siteModule } from "../support/site-modules.mjs";

globalThis.document = { baseURI: "https://page.example/explorer/" };
const { Group } = await imported("node.js");
const { openDataset } = await siteModule("model/dataset.js");

const arrayOf = (shape, names, attributes, data_type = "int32") => ({
  zarr_format: 3, node_type: "array", shape, data_type, fill_value: 0, dimension_names: names, attributes,
  chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
  chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
});
const documents = {
  "zarr.json": { zarr_format: 3, node_type: "group", attributes: {} },
  "time/zarr.json": arrayOf([3], ["time"], { units: "days since 2000-01-01", bounds: "time_bnds" }),
  "time_bnds/zarr.json": arrayOf([3, 2], ["time", "nv"], {}),
  "wind/zarr.json": arrayOf([3, 2], ["time", "part"], {}),
};
const get = (key) => {
  const found = documents[key.replace(/^\//, "")];
  return found && new TextEncoder().encode(JSON.stringify(found));
};

test("bounds of times are times, though the units are those of what they bound, and other pairs are not", async () => {
  const group = await Group.open({ get });
  const catalog = { place: { name: "store" }, entries: [], attrs: {}, open: (path, signal) => group.array(path, { signal }) };
  const { signal } = new AbortController();
  for (const [path, areTimes] of [["time", true], ["time_bnds", true], ["wind", false]]) {
    const dataset = await openDataset(catalog, path, { signal });
    assert.equal(Boolean(dataset.decoder.isTimes), areTimes, path);
    dataset.free();
  }
  group.free();
});
