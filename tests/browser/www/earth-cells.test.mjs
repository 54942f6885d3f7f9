/** The explorer's maps of HEALPix cells: values and ids at the middles of cells by healpix-geo, what is read, lines through cells. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { NEIGHBOURS, ROOT } from "../support/paths.mjs";

const SCREENSHOTS = join(ROOT, "target/screenshots");
const { cells } = JSON.parse(await readFile(join(NEIGHBOURS, "earth/oracle.json"), "utf8"));

/** Handler of a store whose array `t` of fill values has all cells of level 11, with ids by `idAt(place, count)`. */
function level11(idAt) {
  const [count, chunk] = [12 * 4 ** 11, 2 ** 12];
  const array = (data_type, length, attributes, fill_value) => ({
    zarr_format: 3, node_type: "array", shape: [count], data_type, fill_value, attributes, dimension_names: ["cells"], codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    chunk_grid: { name: "regular", configuration: { chunk_shape: [length] } }, chunk_key_encoding: { name: "default" },
  });
  const dggs = { name: "healpix", refinement_level: 11, indexing_scheme: "nested", spatial_dimension: "cells", coordinate: "cell_ids" };
  const metadata = { t: array("float32", 2 ** 20, { dggs }, 1), cell_ids: array("uint32", chunk, {}, 0) };
  const root = { zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: { kind: "inline", must_understand: false, metadata } };
  const documents = { "/zarr.json": root, "/t/zarr.json": metadata.t, "/cell_ids/zarr.json": metadata.cell_ids };
  return ({ url }, response) => {
    const nth = /^\/cell_ids\/c\/(\d+)$/.exec(url)?.[1];
    const body = nth ? new Uint8Array(Uint32Array.from({ length: chunk }, (_, i) => idAt(nth * chunk + i, count)).buffer) : documents[url] && JSON.stringify(documents[url]);
    response.writeHead(body ? 200 : 404).end(body);
  };
}

describe("the explorer's maps of HEALPix cells", () => {
  let explorer;
  let user;

  before(async () => {
    explorer = await startExplorer({ "/cells": join(NEIGHBOURS, "healpix"), "/ordered.zarr": level11((place) => place), "/shuffled.zarr": level11((place, count) => count - 1 - place) });
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => explorer?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const pointAt = (lon, lat, click) => user.point([((lon + 540) % 360) - 0.5, 90 - lat - 0.5], [360, 180], { click });
  const chunksOf = (urls, path) => new Set(urls.flatMap((url) => url.split(`${path}/c/`)[1] ?? []));

  for (const [name, places] of Object.entries(cells)) {
    test(`${name}: every pixel shows the cell that it lies in, and cells that are not stored are missing`, async () => {
      await user.show(`url=${explorer.site.url}/cells/${name}/t&view=1,1,1`); // the whole globe
      await user.page.addStyleTag({ content: ".zoom { display: none }" }); // which lies over some cells
      for (const [lon, lat, cell, value] of places) {
        await pointAt(lon, lat);
        assert.equal(await user.text(".tip .degrees"), `cell ${cell}`);
        assert.equal(await user.text(".tip b"), value === null ? "no data" : Number(value.toPrecision(5)).toLocaleString("en"));
        assert.equal(await user.page.$(".tip .mono") === null, value === null);
      }
      assert.match(await user.text(".note"), /^HEALPix, level \d, (nested|ring|zuniq): each pixel shows the cell/);
      assert.deepEqual(user.problems, []);
    });
  }

  test("cells of a region open with all of them in view and little else, and a link keeps another view", async () => {
    const inView = () => user.page.$eval("#plot .overlay", (overlay) => overlay.getAttribute("viewBox").split(" ").map(Number));
    for (const name of ["shuffled.zarr", "zuniq.zarr", "xdggs-WGS84.zarr"]) {
      const address = `url=${explorer.site.url}/cells/${name}/t`;
      await user.show(`${address}&view=1,1,1`);
      const [, , width, height] = await inView();
      await user.show(address);
      const [left, top, wide, tall] = await inView();
      const stored = cells[name].filter(([, , , value]) => value !== null).map(([lon, lat]) => [((((lon + 540) % 360) / 360) * width - left) / wide, (((90 - lat) / 180) * height - top) / tall]);
      assert.ok(stored.flat().every((part) => part > 0 && part < 1), `${name}: ${stored.join(" ")}`);
      const longest = Math.max(...[0, 1].map((k) => Math.max(...stored.map((at) => at[k])) - Math.min(...stored.map((at) => at[k]))));
      assert.ok(longest > 0.6, `${name} fills ${longest} of the view`);
      assert.doesNotMatch(await user.page.evaluate(() => location.hash), /view/);
      await user.page.screenshot({ path: join(SCREENSHOTS, `earth-cells-${name}.png`) });
      await user.page.click('[aria-label="Show all of it"]');
      await user.waitFor((view) => location.hash.includes(view), `&view=${height / 2},${width / 2},1&range=`);
      await user.show((await user.page.evaluate(() => location.hash)).slice(1));
      assert.deepEqual(await inView(), [0, 0, width, height]);
    }
    await user.show(`url=${explorer.site.url}/cells/whole-ring.zarr/t`);
    assert.equal(await user.page.$eval('[aria-label="Show all of it"]', ({ disabled }) => disabled), true);
    assert.deepEqual(user.problems, []);
  });

  test("a view reads the chunks in it, and names the cell of a mountain", async () => {
    const urls = [];
    explorer.given.delay = (url) => (urls.push(url), 0);
    await user.show("url=data/land.zarr/altitude");
    await user.page.screenshot({ path: join(SCREENSHOTS, "earth-cells.png") });
    assert.equal(chunksOf(urls, "land.zarr/altitude").size, 36);
    await user.storage();
    assert.match(await user.text("#chunk-map .total"), /^36 chunks of 36/);
    assert.deepEqual(await user.texts("#sums b"), ["cells"]);
    urls.length = 0;
    await user.show("url=data/land.zarr/altitude&view=1411,6073,40&chunks=1"); // around 86.9 E, 28 N
    const read = chunksOf(urls, "land.zarr/altitude");
    assert.ok(read.size > 0 && read.size < 5, `${[...read]}`);
    await user.point([0.5, 0.5], [2, 2]);
    assert.equal(await user.text(".tip b"), "4,881 m");
    assert.equal(await user.text(".tip .degrees"), "cell 6116");
    await user.storage();
    const states = (await user.chunks("#chunk-map")).map(([state]) => state);
    assert.deepEqual([states.length, new Set(states)], [read.size, new Set(["now"])]);
    await user.page.screenshot({ path: join(SCREENSHOTS, "earth-cells-near.png") });
    assert.deepEqual(user.problems, []);
  });

  test("a click draws the line through a cell, and the step keeps the map", async () => {
    await user.show(`url=${explorer.site.url}/cells/whole-nested.zarr/t`);
    const [lon, lat, , value] = cells["whole-nested.zarr"][3];
    await pointAt(lon, lat, true);
    await user.says("#series h2", /^Along time at /);
    assert.match(await user.text("#series .total"), new RegExp(`From ${value} to `));
    await user.page.click('[aria-label="Next step, time"]');
    await user.waitFor(() => document.querySelector("#view").dataset.at === "1");
    await user.settled();
    assert.equal(await user.page.$eval("#series", ({ hidden }) => hidden), false);
    await pointAt(lon, lat);
    assert.notEqual(await user.text(".tip b"), String(value));
    assert.deepEqual(user.problems, []);
  });

  test("of more cells than the page looks up, the whole globe's in order are shown, and others say why not", async () => {
    await user.show(`url=${explorer.site.url}/ordered.zarr/t`);
    await user.page.addStyleTag({ content: ".zoom { display: none }" });
    await pointAt(10.3, 20.4);
    await user.page.waitForSelector(".tip .degrees");
    assert.match(await user.text(".tip .degrees"), /^cell \d+$/);
    assert.match(await user.text(".note"), /^HEALPix, level 11, nested: each pixel shows the cell/);
    await user.show(`url=${explorer.site.url}/shuffled.zarr/t`);
    assert.match(await user.text("#view"), /Cells are not placed on the Earth: 50331648 cells are more than/);
    assert.deepEqual(user.problems, []);
  });

  test("cells of another grid are shown as they are stored", async () => {
    await user.show(`url=${explorer.site.url}/cells/h3.zarr/t`);
    assert.equal(await user.page.$eval("#plot", ({ ariaLabel }) => ariaLabel.startsWith("Line plot")), true);
    assert.deepEqual(user.problems, []);
  });
});
