/** The explorer at an address of STAC: the data that a catalog, a collection or an item leads to. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { FIXTURES, ROOT } from "../support/paths.mjs";

const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");

/** Items by number: most lead to an array, by a signed address; the last one to points alone. */
function monthOf(url) {
  const [, text] = /^\/months\/(\d+)\.json$/.exec(url) ?? [];
  if (text === undefined) return undefined;
  const nth = Number(text);
  const name = nth % 2 ? "codec-zstd" : "codec-gzip";
  const data = { href: `../../stored/${name}.zarr?sig=s3cret${nth}`, type: "application/vnd.zarr", title: `Array ${name}` };
  const assets = nth === 129 ? { points: { href: "x.laz", type: "application/vnd.laszip" } } : { data, picture: { href: "x.png", type: "image/png" } };
  return { type: "Feature", stac_version: "1.0.0", id: `month-${nth}`, bbox: [0, 0, 1, 1], collection: "months", properties: { datetime: `20${10 + (nth % 10)}-01-01T00:00:00Z`, title: `Month ${nth}`, keywords: nth === 42 ? ["answer"] : [] }, links: [], assets };
}

describe("addresses of STAC", () => {
  let explorer;
  const asked = [];
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
    "/many.json": { type: "Catalog", stac_version: "1.0.0", id: "many", title: "Many arrays", links: [{ rel: "child", href: "months.json" }, { rel: "child", href: "root.json" }] },
    "/root.json": { type: "Collection", stac_version: "1.0.0", id: "root", title: "Data of its own", extent: { spatial: { bbox: [[0, 0, 1, 1]] }, temporal: { interval: [["2020-01-01T00:00:00Z", null]] } }, links: [], assets: { own: { href: "../stored/codec-zstd.zarr", type: "application/vnd.zarr" } } },
    "/months.json": { type: "Catalog", stac_version: "1.0.0", id: "months", title: "By month", links: Array.from({ length: 130 }, (_, nth) => ({ rel: "item", href: `months/${nth}.json` })) },
    "/files.json": { type: "Catalog", stac_version: "1.0.0", id: "files", title: "Files alone", links: [{ rel: "item", href: "months/3.json" }, { rel: "item", href: "missing.json" }] },
    "/only.json": { type: "Catalog", stac_version: "1.0.0", id: "only", title: "Points alone", links: [{ rel: "item", href: "months/129.json" }] },
    "/none.json": { type: "Catalog", stac_version: "1.0.0", id: "none", links: [] },
  };
  before(async () => {
    explorer = await startExplorer({
      "/stored": FIXTURES,
      "/stac": (request, response) => {
        asked.push(request.url);
        const found = documents[request.url] ?? monthOf(request.url);
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

  const rows = (user) => user.page.$$eval("#catalog .entry", (all) => all.filter((row) => row.checkVisibility()).map((row) => row.textContent));
  const listed = (user, pattern) => user.waitFor((source) => new RegExp(source).test(document.querySelector("#catalog summary")?.textContent ?? "") && !document.querySelector("#catalog [aria-busy]"), pattern.source);

  test("a catalog of catalogs lists those below it, which open lists of their own; data open from them, and links keep the list", async () => {
    const user = await explorer.page();
    try {
      await user.show(`url=${explorer.site.url}/stac/many.json`);
      await listed(user, /Many arrays/);
      assert.deepEqual(await rows(user), ["By month", "Data of its own2020-01-01/..own zarr"]);
      await user.page.evaluate(() => [...document.querySelectorAll("#catalog a")].find(({ textContent }) => textContent === "By month").click());
      await listed(user, /By month/);
      await user.settled();
      assert.equal((await rows(user)).length, 100);
      assert.equal((await rows(user))[2], "Month 22012-01-01monthsArray codec-gzip zarr");
      assert.match(await user.text("#catalog .tree-note"), /first 100 are listed/);

      await user.page.type("#catalog input", "month answer");
      assert.deepEqual(await rows(user), ["Month 422012-01-01monthsArray codec-gzip zarr"]);
      assert.match(await user.text("#catalog .tree-note"), /^1 of 100 entries\./);
      await user.page.$eval("#catalog input", (input) => ((input.value = "ZSTD month-77"), input.dispatchEvent(new Event("input"))));
      assert.deepEqual(await rows(user), ["Month 772017-01-01monthsArray codec-zstd zarr"]);
      await user.page.evaluate(() => [...document.querySelectorAll("#catalog a")].find((link) => link.checkVisibility() && link.closest(".entry").textContent.startsWith("Month 77")).click());
      await user.says("#title", /codec-zstd/);
      await user.settled();
      assert.equal(await user.page.$eval("#catalog a[aria-current]", (link) => link.textContent), "Array codec-zstd");
      const hash = await user.page.evaluate(() => location.hash);
      assert.ok(hash.includes(`stac=${explorer.site.url}/stac/months.json`) && hash.includes(`url=${explorer.site.url}/stored/codec-zstd.zarr`), hash);
      // What signs an address is in no link: neither in that of the page nor in those of the list.
      assert.doesNotMatch(hash + (await user.page.$$eval("#catalog a", (all) => all.map(({ href }) => href).join())), /s3cret|sig=/);

      asked.length = 0;
      await user.page.evaluate(() => [...document.querySelectorAll("#catalog button")].find(({ textContent }) => textContent === "Look further").click());
      await user.waitFor(() => document.querySelectorAll("#catalog .entry").length === 130);
      assert.equal(await user.page.$eval("#catalog button", ({ hidden }) => hidden), true);

      const other = await explorer.page();
      await other.show(hash.slice(1));
      await listed(other, /By month/);
      assert.match(await other.text("#title"), /codec-zstd/);
      assert.deepEqual([user.problems, other.problems], [[], []]);
      await other.close();

      await user.page.goBack();
      await user.says("#title", /codec-gzip/);
      await user.show(`url=${explorer.site.url}/stored/codec-gzip.zarr`);
      assert.equal(await user.page.$("#catalog:not([hidden])"), null);
    } finally {
      await user.close();
    }
  });

  test("a catalog without data that the page opens is listed beside the error, and one that breaks says so", async () => {
    const user = await explorer.page();
    try {
      await user.show(`url=${explorer.site.url}/stac/only.json`);
      await user.says("#error", /catalog of STAC, whose first items lead to no Zarr/);
      await listed(user, /Points alone/);
      assert.deepEqual(await rows(user), ["Month 1292019-01-01monthsno data that this page opens (other)"]);
      await user.show(`url=${explorer.site.url}/stored/codec-zstd.zarr&stac=${explorer.site.url}/stac/files.json`);
      await user.says("#catalog .tree-note", /could not be listed.*missing\.json.*404/);
      assert.match(await user.text("#title"), /codec-zstd/);
      assert.deepEqual(user.problems, []);
    } finally {
      await user.close();
    }
  });

  test("a link names its catalog relative to the page, and one that names none shows the picture alone", async () => {
    const user = await explorer.page();
    try {
      await user.show(`url=${explorer.site.url}/stored/codec-zstd.zarr&stac=stac/months.json`);
      await listed(user, /By month/);
      assert.match(await user.text("#title"), /codec-zstd/);
      await user.show(`url=${explorer.site.url}/stored/codec-gzip.zarr&stac=${encodeURIComponent("https://")}`);
      await user.says("#title", /codec-gzip/);
      assert.equal(await user.page.$("#catalog:not([hidden])"), null);
      assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true);
      assert.deepEqual(user.problems, []);
    } finally {
      await user.close();
    }
  });

  test("a list that failed is asked for again, and stands beside data that cannot be opened", async () => {
    const user = await explorer.page();
    const broken = documents["/files.json"];
    try {
      await user.show(`url=${explorer.site.url}/stored/codec-zstd.zarr&stac=${explorer.site.url}/stac/files.json`);
      await user.says("#catalog .tree-note", /could not be listed/);
      documents["/files.json"] = { ...broken, links: broken.links.slice(0, 1) };
      await user.page.evaluate((hash) => (location.hash = hash), `url=${explorer.site.url}/stored/codec-gzip.zarr&stac=${explorer.site.url}/stac/files.json`);
      await user.says("#title", /codec-gzip/);
      await listed(user, /Files alone/);
      documents["/months/3.json"] = { ...monthOf("/months/3.json"), assets: { data: { href: "../../stored/absent.zarr", type: "application/vnd.zarr" } } };
      await user.show(`url=${explorer.site.url}/stac/files.json`);
      await user.says("#error", /absent\.zarr/);
      await listed(user, /Files alone/);
      assert.deepEqual(user.problems, []);
    } finally {
      documents["/files.json"] = broken;
      delete documents["/months/3.json"];
      await user.close();
    }
  });

  test("the list is read by assistive technology, and a frame has none", async () => {
    const user = await explorer.page();
    try {
      await user.show(`url=${explorer.site.url}/stac/many.json`);
      await listed(user, /Many arrays/);
      await user.page.evaluate(axe);
      assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run("#catalog")).violations.map(({ id }) => id)), []);
      await user.page.goto(`${explorer.site.url}/?embed=1#url=${explorer.site.url}/stac/many.json`);
      await user.settled();
      assert.equal(await user.page.$("#catalog"), null);
      assert.deepEqual(user.problems, []);
    } finally {
      await user.close();
    }
  });

  test("the conventions uom and license are read where CF's attributes are absent", async () => {
    const user = await explorer.page();
    try {
      await user.show(`url=${explorer.site.url}/stac/units.zarr`);
      assert.equal(await user.text(".colourbar .unit"), "kg.m⁻²");
      await user.says("#about", /licenseCC-BY-4\.0/);
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
