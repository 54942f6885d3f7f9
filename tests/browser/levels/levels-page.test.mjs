/** Pyramids by URL in a page: what they request, with and without consolidated metadata, and what they load. */

import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import proj4 from "proj4";

import { openPage } from "../support/chromium.mjs";
import { SETS } from "../support/levels.mjs";

const FILES = ["topozarr.zarr", "earth.zarr", "ome-0.5.zarr"];

describe("pyramids by URL", () => {
  let page;
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "levels-"));
    await Promise.all(FILES.map((name) => cp(join(SETS, name), join(folder, name), { recursive: true })));
    // The same pyramid with neither consolidated metadata nor shapes in its layout.
    await cp(join(SETS, "topozarr.zarr"), join(folder, "bare.zarr"), { recursive: true });
    const document = JSON.parse(await readFile(join(folder, "bare.zarr/zarr.json"), "utf8"));
    delete document.consolidated_metadata;
    for (const entry of document.attributes.multiscales.layout) delete entry["spatial:shape"];
    await writeFile(join(folder, "bare.zarr/zarr.json"), JSON.stringify(document));
    page = await openPage({ "/sets": folder, "/proj4": dirname(fileURLToPath(import.meta.resolve("proj4/dist/proj4.js"))) });
  });
  after(() => Promise.all([page?.close(), rm(folder, { recursive: true, force: true })]));

  /** Opens a pyramid, reads a window and, if asked for, a tile; gives what was requested for each. */
  async function reads(_, { store, variable, bbox, resolution, tile }) {
    const { Levels } = await import("rectilinear-zarr/levels");
    const keys = [];
    const since = () => keys.splice(0).map((key) => key.split(`${store}/`).pop());
    const url = new URL(`/sets/${store}`, location.href).href;
    const levels = await Levels.open(url, { variable, workers: 0, onRequest: ({ key }) => keys.push(key) });
    const opening = since();
    const { level, selection } = levels.window(bbox, { resolution });
    const array = await levels.array(level.index);
    const { data, shape } = await array.get(selection);
    const window = { path: level.path, shape, first: data[0], asked: since() };
    if (!tile) return { kind: levels.kind, count: levels.length, opening, window };
    const loaded = () => performance.getEntriesByType("resource").map(({ name }) => name.split("/").pop()).filter((name) => name === "levels-tile.js");
    const before = loaded();
    const { data: pixels } = await levels.tile(...tile, { select: { time: 0 }, size: 16 });
    return { opening, window, tile: { asked: since(), middle: pixels[136] }, scripts: { before, after: loaded() } };
  }

  /** Reads boxes of a pyramid; gives the values, what was requested, and which files loaded. */
  async function boxes(_, { store, boxes, proj4 }) {
    const { Levels } = await import("rectilinear-zarr/levels");
    const keys = [];
    const url = new URL(`/sets/${store}`, location.href).href;
    const levels = await Levels.open(url, { workers: 0, onRequest: ({ key }) => keys.push(key.split(`${store}/`).pop()) });
    if (proj4) await import(proj4);
    const scripts = () => performance.getEntriesByType("resource").map(({ name }) => name.split("/").pop()).filter((name) => /^levels-(?:read|warp|projected|tile)\.js$/.test(name)).toSorted();
    const found = [];
    for (const box of boxes) {
      keys.length = 0;
      const { data, shape, level, method } = await levels.read({ ...box, ...(proj4 && { proj4: globalThis.proj4 }) });
      found.push({ data: [...data], shape, path: level.path, method, asked: keys.toSorted(), scripts: scripts() });
    }
    return found;
  }

  test("boxes of any size take the level that fits, by one read, and load their code then", async () => {
    await page.renew();
    const own = { bbox: [502000, 4998960, 502040, 4999000] };
    const earth = await page.run(boxes, { store: "earth.zarr", boxes: [{ bbox: [170, 60, -170, 65], crs: "EPSG:4326", width: 4, height: 1, method: "nearest", selection: { time: 0 } }] });
    // Columns from 0 degrees east on: 170 to 190 degrees lie in the middle. Values as `levels_sets.py` makes them.
    const value = (lon) => 20 * Math.sin((62.5 * Math.PI) / 180) + 10 * Math.cos((2 * lon * Math.PI) / 180);
    for (const [i, lon] of [172.5, 177.5, 182.5, 187.5].entries()) assert.ok(Math.abs(earth[0].data[i] - value(lon)) < 0.006, `${earth[0].data[i]} at ${lon}`);
    assert.deepEqual([earth[0].asked, earth[0].shape, earth[0].scripts], [["t/c/0/0/0", "t/c/0/0/1"], [1, 4], ["levels-read.js", "levels-warp.js"]]);

    const [fine, coarse] = await page.run(boxes, { store: "topozarr.zarr", boxes: [{ ...own, width: 4, height: 4 }, { ...own, width: 2, height: 2 }] });
    // 10 m pixels hold 1000 row + column, and 20 m pixels the means of four.
    assert.deepEqual([fine.path, fine.method, fine.data.slice(0, 5), fine.asked], ["0", "bilinear", [100200, 100201, 100202, 100203, 101200], ["0/band/c/0/1"]]);
    assert.deepEqual([coarse.path, coarse.data, coarse.asked], ["1", [100700.5, 100702.5, 102700.5, 102702.5], ["1/band/c/0/0"]]);
  });

  test("boxes in another system need proj4, and load what projects with it", async () => {
    await page.renew();
    const [lon, lat] = proj4("EPSG:32633").inverse([502005, 4998995]);
    const box = { bbox: [lon - 1e-6, lat - 1e-6, lon + 1e-6, lat + 1e-6], crs: "EPSG:4326", width: 1, height: 1, method: "nearest" };
    const [{ data, scripts, asked }] = await page.run(boxes, { store: "topozarr.zarr", boxes: [box], proj4: "/proj4/proj4.js" });
    assert.deepEqual([data, asked, scripts], [[100200], ["0/band/c/0/1"], ["levels-projected.js", "levels-read.js", "levels-warp.js"]]);
    const refused = await page.run(async (module, { box, store }) => {
      const { Levels } = await import("rectilinear-zarr/levels");
      const levels = await Levels.open(new URL(`/sets/${store}`, location.href).href);
      return levels.read(box).catch(({ name, message }) => [name, message.includes("option proj4")]);
    }, { box, store: "topozarr.zarr" });
    assert.deepEqual(refused, ["UnsupportedError", true]);
  });

  const box = { bbox: [502000, 4998980, 502039, 4999000], resolution: 25 };

  test("consolidated: the group's document, then chunks", async () => {
    const { kind, count, opening, window } = await page.run(reads, { store: "topozarr.zarr", ...box });
    assert.deepEqual([kind, count, opening], ["multiscales", 3, ["zarr.json"]]);
    assert.deepEqual(window, { path: "1", shape: [1, 2], first: 100700.5, asked: ["1/band/c/0/0"] });
  });

  test("not consolidated: one document a level", async () => {
    const { opening, window } = await page.run(reads, { store: "bare.zarr", variable: "band", ...box });
    assert.deepEqual(opening.toSorted(), ["0/band/zarr.json", "1/band/zarr.json", "2/band/zarr.json", "zarr.json"]);
    assert.equal(window.first, 100700.5);
    const ome = await page.run(reads, { store: "ome-0.5.zarr", bbox: [0, 0, 1, 1], resolution: 4 });
    assert.deepEqual(ome.opening.toSorted(), ["s0/zarr.json", "s1/zarr.json", "s2/zarr.json", "s3/zarr.json", "s4/zarr.json", "zarr.json"]);
  });

  test("a tile across the seam takes the chunks at both ends, and its code loads with it", async () => {
    const tiles = JSON.parse(await readFile(join(SETS, "tiles.json"), "utf8"));
    const { values } = tiles.find(({ store, zxy, method }) => store === "earth.zarr" && zxy.join() === "0,0,0" && method === "nearest");
    const { opening, window, tile, scripts } = await page.run(reads, { store: "earth.zarr", bbox: [-10, 40, 10, 50], tile: [0, 0, 0] });
    assert.deepEqual(opening.toSorted(), ["lat/c/0", "lon/c/0", "zarr.json"]);
    assert.deepEqual(window.shape, [2, 2, 4]);
    assert.ok(Math.abs(tile.middle - values[136]) < 1e-5);
    assert.deepEqual(tile.asked.toSorted(), ["t/c/0/0/0", "t/c/0/0/1", "t/c/0/1/0", "t/c/0/1/1"]);
    assert.deepEqual(scripts, { before: [], after: ["levels-tile.js"] });
  });
});
