/** The explorer over images: OME-Zarr by its names, units and defaults, in few requests, and photos whose colours come last. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startMade } from "../support/made.mjs";
import { alongImage } from "../../../www/src/model/along-image.js";
import { asImages, imageIn, imageOf } from "../../../www/src/model/image.js";
import { photoOf } from "../../../www/src/model/photo.js";

/** Requests for the picture of an image that is not consolidated: metadata of its group, which are four documents in Zarr v2, and of three levels, and chunks. */
const MOST_REQUESTS = { "cells05.zarr": 1 + 3 + 4, "cells04.zarr": 4 + 3 + 4 };

describe("what images say of themselves", () => {
  const datasets = ["0", "1"].map((path) => ({ path, coordinateTransformations: [{ type: "scale", scale: [1, 1] }] }));
  const array = (path) => ({ path, kind: "array", attrs: {} });
  const plate = {
    place: { name: "plate.zarr" }, attrs: {},
    entries: [
      { path: "A", kind: "group", attrs: {} }, { path: "A/1", kind: "group", attrs: { multiscales: [{ version: "0.4", datasets }] } }, array("A/1/0"), array("A/1/1"),
      { path: "B", kind: "group", attrs: { ome: { multiscales: [{ name: "Second", datasets }], omero: { rdefs: { defaultZ: 3 } } } } }, array("B/0"), array("B/1"), array("B/other"),
    ],
  };

  test("levels are one entry of the contents, named as the image is", () => {
    const { entries, others } = asImages(plate);
    assert.deepEqual(entries.map(({ path, label, levels }) => [path, label, levels]), [["A", undefined, undefined], ["A/1", undefined, undefined], ["A/1/0", "1", 2], ["B", undefined, undefined], ["B/0", "Second", 2], ["B/other", undefined, undefined]]);
    assert.deepEqual([...others], [["A/1/1", "A/1/0"], ["B/1", "B/0"]]);
  });

  test("an array is a level of the image whose datasets name it", () => {
    assert.deepEqual(imageOf(plate, "B/1"), { folder: "B", name: "Second", level: 1, begin: { z: 3, t: undefined } });
    assert.equal(imageOf(plate, "B/other"), undefined);
    assert.equal(imageIn({ multiscales: [{ datasets: [{ path: "0" }] }] }), undefined); // ndpyramid's
    for (const attrs of [undefined, {}, { ome: 3 }, { multiscales: {} }, { multiscales: [null] }, { ome: { multiscales: [{ datasets: [{}, null] }] } }]) assert.equal(imageIn(attrs), undefined);
  });

  test("places along an axis have the unit's sign, and no places where they would be the numbers themselves", () => {
    assert.deepEqual(alongImage({ type: "space", unit: "micrometer" }, 4, [0.325, 0], []), { values: [0, 0.325, 0.65, 0.975], attrs: { units: "µm" }, isCalculated: true });
    assert.deepEqual(alongImage({ type: "time", unit: "fortnight" }, 2, [1, 5], []).attrs, { units: "fortnight" });
    assert.equal(alongImage({ type: "space" }, 4, [1, 0], []), undefined);
    assert.deepEqual(alongImage({ type: "channel" }, 2, [1, 0], [{ label: "DAPI" }, { label: "GFP" }]).values, ["DAPI", "GFP"]);
    assert.equal(alongImage({ type: "channel" }, 2, [1, 0], [{ label: "DAPI" }]), undefined);
  });

  test("photos are told by three or four colours at the end", () => {
    const axisOf = (shape, dtype, dimensionNames) => photoOf({ shape, dtype, dimensionNames })?.axis;
    assert.equal(axisOf([512, 768, 3], "uint8"), 2);
    assert.equal(axisOf([512, 768, 4], "uint16", ["y", "x", "rgba"]), 2);
    assert.equal(axisOf([512, 768, 3], "uint16"), undefined); // which may be anything
    assert.equal(axisOf([512, 768, 3], "uint8", ["y", "x", "level"]), undefined);
    assert.equal(axisOf([3, 512, 768], "uint8"), undefined);
    assert.equal(axisOf([512, 768, 3], "float32", ["y", "x", "rgb"]), undefined);
  });
});

describe("images in the explorer", () => {
  let made;
  let explorer;
  let expected;
  let user;

  before(async () => {
    made = await startMade("images.py", {}, { watches: true });
    explorer = made.explorer;
    expected = JSON.parse(await readFile(join(made.directory, "expected.json"), "utf8"));
  });
  after(() => made?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const at = (path, more = "") => `url=${explorer.site.url}/made/${path}${more}`;
  const tips = async (cell, size) => {
    await user.point(cell, size);
    return user.texts(".tip > *");
  };

  test("OME-Zarr 0.4 has the axes of its metadata, its name, and the step that it says it opens at", async () => {
    await user.show(at("cells04.zarr"));
    assert.equal(await user.text("#title"), "Mitotic cells");
    assert.match(await user.page.title(), /^Mitotic cells/);
    assert.deepEqual(await user.page.$$eval(".axis:not([hidden]) .now", (list) => list.map(({ textContent }) => textContent)), ["t = 60 s", "z = 5 µm"]);
    const [values, where] = await tips([20, 10], [96, 64]);
    assert.equal(values, `DAPI ${expected.old[0]}, GFP ${expected.old[1]}`);
    assert.equal(where, "y = 3.25 µm, x = 6.5 µm");
    await user.waitFor(() => document.querySelectorAll('[role="treeitem"]').length === 1);
    assert.match(await user.text('[role="treeitem"]'), /Mitotic cells.*3 levels/);
    assert.equal(await user.page.$eval('[role="treeitem"]', (item) => item.getAttribute("aria-selected")), "true");
    await user.show(at("cells04.zarr/1", "&at=0,0,4"));
    assert.equal(await user.text("#title"), "Mitotic cells, level 1");
    assert.equal((await tips([10, 5], [48, 32]))[1], "y = 3.25 µm, x = 6.5 µm");
    await user.page.click("#together");
    await user.says(".axis:nth-child(2) .now", /^DAPI$/);
    assert.deepEqual(user.problems, []);
  });

  test(`an image that is not consolidated takes at most ${MOST_REQUESTS["cells05.zarr"]} requests until its picture, and looks for no coordinates`, async () => {
    for (const [name, most] of Object.entries(MOST_REQUESTS)) {
      await user.page.goto("about:blank");
      explorer.site.requests.length = 0;
      const own = () => explorer.site.requests.map(({ url }) => url).filter((url) => url.startsWith("/made/"));
      await user.page.evaluateOnNewDocument(() => {
        const entries = () => performance.getEntriesByType("resource").map((each) => each.name).filter((url) => url.includes("/made/"));
        new MutationObserver(() => document.querySelector('#view[aria-busy="false"][data-at]') && (globalThis.drawn ??= entries())).observe(document, { attributes: true, childList: true, subtree: true });
      });
      await user.show(at(name));
      assert.equal(await user.text("#title"), name === "cells04.zarr" ? "Mitotic cells" : "cells05.zarr");
      const drawn = await user.page.evaluate(() => globalThis.drawn); // requests that were answered when the picture stood
      await user.page.waitForNetworkIdle({ idleTime: 1000 });
      assert.ok(drawn.length <= most, `${drawn.length}: ${drawn.join(" ")}`);
      assert.deepEqual(drawn.filter((url) => /\/\d\/\.zattrs/.test(url)), []);
      assert.equal(own().filter((url) => url.endsWith("/0/.zattrs")).length, Number(name === "cells04.zarr"), "once the picture stands");
      assert.deepEqual(own().filter((url) => /\/[tczyx]\/(zarr\.json|\.zarray)/.test(url)), []);
      const urls = own();
      const often = [...new Set(urls)].filter((url) => urls.filter((each) => each === url).length > 2);
      assert.deepEqual(often, []);
    }
    assert.deepEqual(user.problems, []);
  });

  test("attributes of an image's arrays in Zarr v2 come after the picture, which is drawn anew where they scale its numbers", async () => {
    await user.show(at("packed04.zarr", "&view=32,48,2&colours=magma"));
    await user.says("#about dl", /scale_factor0\.5/);
    await user.settled();
    const [value, where] = await tips([30 - 24, 20 - 16], [48, 32]); // rows from 16 and columns from 24 on are in view
    assert.deepEqual([value, where], [`${expected.packed.toLocaleString("en", { minimumFractionDigits: 1 })} photons`, "y = 10 µm, x = 15 µm"]);
    assert.match(await user.page.evaluate(() => location.hash), /view=32,48,2&colours=magma/);
    assert.equal((await user.page.$$('[role="treeitem"]')).length, 1);
    assert.deepEqual(user.problems, []);
  });

  test("a level of another type than the first is read by its own attributes", async () => {
    await user.show(at("mixed04.zarr"));
    assert.match(await user.text(".note"), /level 1/);
    assert.equal((await tips([100, 100], [1024, 1024]))[0], "10");
    assert.deepEqual(user.problems, []);
  });

  test("cells of unequal sides have the shape of the specimen", async () => {
    await user.show(at("cells05.zarr"));
    const { width, height } = await (await user.page.$("#plot")).boundingBox();
    assert.ok(Math.abs(width / height - (96 * 0.25) / (64 * 0.5)) < 0.02, `${width} x ${height}`);
    assert.deepEqual(user.problems, []);
  });

  for (const name of ["named", "plain"]) {
    test(`a photo whose colours come last is drawn in them: ${name}`, async () => {
      await user.show(at(`photos.zarr/${name}`));
      const colour = await user.page.$eval("#plot canvas", (canvas) => [...canvas.getContext("2d").getImageData(7, 5, 1, 1).data]);
      expected.photo.forEach((v, i) => assert.ok(Math.abs(colour[i] - v) <= 1, `${colour} is not ${expected.photo}`));
      assert.equal((await tips([7, 5], [48, 32]))[0], `red ${expected.photo[0]}, green ${expected.photo[1]}, blue ${expected.photo[2]}`);
      assert.equal(await user.page.$$eval(".axis:not([hidden])", (list) => list.length), 0);
      assert.deepEqual(user.problems, []);
    });
  }

  test("rows and columns are told by their names, wherever they are", async () => {
    await user.show(at("photos.zarr/bands"));
    await user.says(".axis .now", /^band = 0$/);
    assert.equal((await tips([7, 5], [48, 32]))[1], "y = 5, x = 7");
    assert.deepEqual(user.problems, []);
  });
});
