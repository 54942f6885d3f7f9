/** The explorer at an address of STAC: the data that a catalog, a collection or an item leads to. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { FIXTURES } from "../support/paths.mjs";

describe("addresses of STAC", () => {
  let explorer;
  const documents = {
    "/catalog.json": { type: "Catalog", stac_version: "1.0.0", id: "root", links: [{ rel: "child", href: "collections/one" }] },
    "/collections/one": { type: "Collection", stac_version: "1.0.0", id: "one", extent: { spatial: { bbox: [[0, 0, 1, 1]] }, temporal: { interval: [[null, null]] } }, links: [{ rel: "item", href: "../item.json" }] },
    "/item.json": { type: "Feature", stac_version: "1.0.0", id: "x", bbox: [0, 0, 1, 1], properties: { datetime: "2024-01-01T00:00:00Z" }, links: [], assets: { thumbnail: { href: "x.png", type: "image/png" }, data: { href: "../stored/codec-zstd.zarr", type: "application/vnd.zarr; version=3" } } },
    "/units.zarr/zarr.json": {
      zarr_format: 3,
      node_type: "array",
      shape: [2, 3],
      data_type: "float32",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 3] } },
      chunk_key_encoding: { name: "default" },
      codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      fill_value: 5,
      attributes: { uom: { ucum: { unit: "kg.m-2", version: "2.2" } }, license: { spdx: "CC-BY-4.0", url: "https://example.org" } },
    },
    "/none.json": { type: "Catalog", stac_version: "1.0.0", id: "none", links: [] },
  };
  before(async () => {
    explorer = await startExplorer({
      "/stored": FIXTURES,
      "/stac": (request, response) => {
        const found = documents[request.url];
        response.writeHead(found ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(found ?? {}));
      },
    });
  });
  after(() => explorer?.close());

  for (const path of ["item.json", "collections/one", "catalog.json"]) {
    test(`/${path} opens the array that it leads to`, async () => {
      const user = await explorer.page();
      try {
        await user.show(`url=${explorer.site.url}/stac/${path}`);
        assert.match(await user.text("#title"), /codec-zstd/);
        assert.deepEqual(user.problems, []);
      } finally {
        await user.close();
      }
    });
  }

  test("the conventions uom and license are read where CF's attributes are absent", async () => {
    const user = await explorer.page();
    try {
      await user.show(`url=${explorer.site.url}/stac/units.zarr`);
      assert.equal(await user.text("#legend .unit"), "kg.m⁻²");
      assert.match(await user.text("#about"), /licenseCC-BY-4\.0/);
      assert.deepEqual(user.problems, []);
    } finally {
      await user.close();
    }
  });

  test("a catalog without data says what is missing", async () => {
    const user = await explorer.page();
    try {
      await user.show(`url=${explorer.site.url}/stac/none.json`);
      await user.says("body", /STAC|no Zarr|references/);
      assert.deepEqual(user.problems, []);
    } finally {
      await user.close();
    }
  });
});
