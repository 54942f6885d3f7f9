/** Wells of OME-Zarr plates of several versions: a well opens the first field that its metadata name, and has a button for each other one. */

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";
import { allow } from "../support/server.mjs";

const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");
const SCREENSHOTS = join(ROOT, "target/screenshots");
const SIZE = 8;
const FIELDS = ["f1", "f2"];

/** The documents of a plate of 2 x 3 wells, of which three are there, with two fields each, by their keys; cells are the numbers of well and field. */
function plateOf(version) {
  const isNew = version === "0.5";
  const files = new Map();
  const group = (path, attributes) => {
    if (isNew) files.set(`${path}/zarr.json`, JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { ome: { version, ...attributes } } }));
    else files.set(`${path}/.zgroup`, '{"zarr_format":2}').set(`${path}/.zattrs`, JSON.stringify(attributes));
  };
  const array = (path, value) => {
    const shape = [SIZE, SIZE];
    if (isNew) files.set(`${path}/zarr.json`, JSON.stringify({ zarr_format: 3, node_type: "array", shape, data_type: "uint8", fill_value: 0, dimension_names: ["y", "x"], chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes" }] }));
    else files.set(`${path}/.zarray`, JSON.stringify({ zarr_format: 2, shape, chunks: shape, dtype: "|u1", compressor: null, fill_value: 0, order: "C", filters: null }));
    files.set(isNew ? `${path}/c/0/0` : `${path}/0.0`, new Uint8Array(SIZE * SIZE).fill(value));
  };
  const wells = ["A/1", "A/3", "B/2"];
  const placed = wells.map((path) => ({ path, ...(version !== "0.1" && { rowIndex: path[0] === "A" ? 0 : 1, columnIndex: Number(path[2]) - 1 }) }));
  group("", { plate: { ...(!isNew && { version }), name: "Plate", rows: [{ name: "A" }, { name: "B" }], columns: [{ name: "1" }, { name: "2" }, { name: "3" }], wells: placed } });
  for (const [w, well] of wells.entries()) {
    group(`/${well[0]}`, {});
    group(`/${well}`, { well: { ...(!isNew && { version }), images: FIELDS.map((path) => ({ path })) } });
    for (const [f, field] of FIELDS.entries()) {
      const axes = version === "0.1" ? undefined : [{ name: "y", type: "space" }, { name: "x", type: "space" }];
      group(`/${well}/${field}`, { multiscales: [{ ...(!isNew && { version }), axes, datasets: [{ path: "s0", coordinateTransformations: [{ type: "scale", scale: [1, 1] }] }] }] });
      array(`/${well}/${field}/s0`, 10 * (w + 1) + f + 1);
    }
  }
  return files;
}

describe("wells of a plate", () => {
  const plates = Object.fromEntries(["0.1", "0.4", "0.5"].map((version) => [version, plateOf(version)]));
  let explorer;
  let user;

  before(async () => {
    explorer = await startExplorer({ "/plates": (request, response) => {
      if (allow(request, response)) return;
      const [, version, key] = /^\/([^/]+)\/plate\.zarr(\/.*)$/.exec(request.url) ?? [];
      const body = plates[version]?.get(key);
      response.writeHead(body === undefined ? 404 : 200).end(body);
    } });
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => explorer?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const hash = () => user.page.evaluate(() => decodeURIComponent(location.hash));
  const value = async () => {
    await user.point([0, SIZE - 1], [SIZE, SIZE]);
    return user.text("#figure .tip b");
  };
  const fields = () => user.page.$$eval(".fields button", (list) => list.filter((button) => button.checkVisibility()).map((button) => [button.textContent, button.getAttribute("aria-pressed")]));

  for (const version of Object.keys(plates)) {
    test(`of version ${version} open by their metadata, and so do their fields`, async () => {
      await user.show(`url=${explorer.site.url}/plates/${version}/plate.zarr`);
      await user.waitFor(() => document.querySelectorAll(".well").length === 3);
      assert.deepEqual(await user.page.$$eval(".plate tbody tr", (rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.querySelector("button")?.title ?? ""))), [["A1", "", "A3"], ["", "B2", ""]]);
      await user.page.click('.well[title="B2"]');
      await user.waitFor(() => /B\/2\/f1\/s0/.test(decodeURIComponent(location.hash)));
      await user.settled();
      assert.equal(await value(), "31");
      await user.waitFor(() => document.querySelectorAll(".fields button").length === 2);
      assert.deepEqual(await fields(), [["1", "true"], ["2", "false"]]);
      assert.equal(await user.page.$eval('.well[title="B2"]', (well) => well.getAttribute("aria-pressed")), "true");
      await user.page.focus('.fields button[aria-label="Field 2"]');
      await user.page.keyboard.press("Enter");
      await user.waitFor(() => /B\/2\/f2\/s0/.test(decodeURIComponent(location.hash)));
      await user.settled();
      assert.equal(await value(), "32");
      await user.waitFor(() => document.querySelector('.fields [aria-label="Field 2"]')?.getAttribute("aria-pressed") === "true");
      await user.page.screenshot({ path: join(SCREENSHOTS, `plate-${version}.png`) });
      await user.page.evaluate(axe);
      assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id }) => id)), []);
      await user.page.goBack();
      await user.settled();
      assert.match(await hash(), /B\/2\/f1\/s0/);
      assert.deepEqual(user.problems, []);
    });
  }
});
