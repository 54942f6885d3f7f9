/** The explorer over label images: drawn over their image, from OME-Zarr 0.1 to 0.6, with their colours, names and properties. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startMade } from "../support/made.mjs";
import { aboutLabels, labelsOf } from "../../../www/src/labels/find.js";
import { labelsIn, labelsText } from "../../../www/src/labels/linked.js";

const SIZE = [96, 64];
const PROPERTIES = { 0: "", 1: "cells 1, class mitotic, area 96", 9: "cells 9, class debris", 70_000: "cells 70,000" };

describe("what the metadata of labels say", () => {
  const multiscales = [{ version: "0.4", datasets: [{ path: "0" }, { path: "1" }] }];

  test("labels are those below the image's own group, of whole numbers", () => {
    const group = (path, attrs) => ({ path, kind: "group", attrs });
    const array = (path, dtype = "uint8") => ({ path, kind: "array", dtype, attrs: {} });
    const entries = [group("a", { multiscales }), array("a/0"), array("a/1"), group("a/labels", { labels: ["x"] }), group("a/labels/x", { multiscales }), array("a/labels/x/0"),
      group("a/labels/y", { multiscales }), array("a/labels/y/0", "float32"), group("labels/z", { multiscales }), array("labels/z/0")];
    const catalog = { place: { name: "s" }, attrs: {}, entries };
    assert.deepEqual(labelsOf(catalog, "a/1").map(({ name, path }) => [name, path]), [["x", "a/labels/x/0"]]);
    assert.deepEqual(labelsOf(catalog, "a/other"), []);
    assert.deepEqual(labelsOf({ ...catalog, attrs: { multiscales } }, "0").map(({ name }) => name), ["z"]);
  });

  test("a label has its own colour and properties, another one of the wheel's, and 0 none", () => {
    const { colourOf, wordsOf } = aboutLabels({ ome: { "image-label": { colors: [{ "label-value": 2, rgba: [1, 2, 3, 4] }, { "label-value": 3, rgba: [1, 2] }, null], properties: [{ "label-value": 2, kind: "a" }] } } });
    assert.deepEqual(colourOf(2), [1, 2, 3, 4]);
    assert.deepEqual(colourOf(0)[3], 0);
    assert.equal(colourOf(3)[3], 255);
    assert.notDeepEqual(colourOf(3), colourOf(4));
    assert.deepEqual([0, 2, 3, 2n ** 60n, NaN, undefined].map(wordsOf), ["", "2, kind a", "3", "1,152,921,504,606,846,976", "", ""]);
    for (const attrs of [{}, { ome: 3 }, { "image-label": 5 }, { "image-label": { colors: {}, properties: 7 } }]) assert.equal(aboutLabels(attrs).wordsOf(1), "1");
  });

  test("a link says which labels, and how much of the image they cover", () => {
    for (const over of [{ name: "cells", opacity: 50 }, { name: "a,b/c", opacity: 85 }]) assert.deepEqual(labelsIn(labelsText(over)), over);
    for (const text of [null, "", ",50", "cells,0", "cells,101"]) assert.equal(labelsIn(text), undefined);
  });
});

describe("labels over images", () => {
  let made;
  let explorer;
  let expected;
  let user;

  before(async () => {
    made = await startMade("labels.py");
    explorer = made.explorer;
    expected = JSON.parse(await readFile(join(made.directory, "expected.json"), "utf8"));
  });
  after(() => made?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const at = (version, more = "") => `url=${explorer.site.url}/made/v${version}.zarr${more}`;
  const drawn = () => user.waitFor(() => {
    const canvas = document.querySelector("#plot canvas.labels");
    return canvas && !canvas.hidden && canvas.width > 1 && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((part) => part > 0);
  });
  /** Red, green, blue and opacity of the layer at a cell of the image. */
  const colourAt = ([row, column]) => user.page.$eval("#plot canvas.labels", (canvas, x, y) => [...canvas.getContext("2d").getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data], (column + 0.5) / SIZE[0], (row + 0.5) / SIZE[1]);
  const said = async ([row, column]) => {
    await user.point([column, row], SIZE);
    return user.page.$eval(".tip", (tip) => tip.querySelector(".over")?.textContent ?? "");
  };

  for (const version of ["01", "02", "03", "04", "05", "06"]) {
    test(`labels of OME-Zarr 0.${version[1]} lie where the image has them`, async () => {
      await user.show(at(version));
      await user.page.waitForSelector("#labels", { visible: true });
      assert.equal(await user.page.$("#plot canvas.labels"), null); // unasked, nothing of them is read
      await user.page.click("#labels");
      await drawn();
      for (const [row, column, label] of expected) {
        assert.equal(await said([row, column]), PROPERTIES[label], `${row}, ${column}`);
        const [red, green, blue, opacity] = await colourAt([row, column]);
        if (label === 0) assert.equal(opacity, 0);
        else assert.ok(Math.abs(opacity - 128) <= 1, String(opacity));
        if (label === 1) assert.deepEqual([red, green, blue], [255, 0, 0]);
      }
      // The edge of a label, to the cell.
      assert.deepEqual([await said([8, 12]), await said([7, 12]), await said([8, 11])], [PROPERTIES[1], "", ""]);
      await user.waitFor(() => /&labels=cells(&|$)/.test(location.hash));
      await user.page.click("#labels");
      await user.waitFor(() => !document.querySelector("#plot canvas.labels") && !/labels/.test(location.hash));
      assert.deepEqual(user.problems, []);
    });

    test(`OME-Zarr 0.${version[1]} opens by its metadata: name, axes, default step, channels, one entry`, async () => {
      await user.show(at(version));
      assert.equal(await user.text("#title"), `Image 0.${version[1]}`);
      const stepped = await user.page.$$eval(".axis:not([hidden]) .now", (list) => list.map(({ textContent }) => textContent));
      assert.deepEqual(stepped[0], version < "04" ? "z = 1" : "z = 2 µm");
      assert.deepEqual(await user.page.$$eval(".channel-list li label", (list) => list.map(({ textContent }) => textContent)), ["DAPI", "GFP"]);
      assert.equal(await user.page.$eval("#channel-1", (box) => box.checked), false);
      await user.waitFor(() => document.querySelectorAll('[role="treeitem"]').length >= 3);
      assert.match((await user.texts('[role="treeitem"]')).join("\n"), /Image 0\.\d.*2 levels/);
      if (version >= "04") assert.match(await user.text(".ruler"), /^(10|5) µm$/);
      assert.deepEqual(user.problems, []);
    });
  }

  test("a link restores labels and their opacity, which zooming and steps keep", async () => {
    await user.show(at("05", "&at=0,0,1&labels=cells,80"));
    await drawn();
    assert.ok(Math.abs((await colourAt([16, 20]))[3] - 204) <= 1);
    await user.page.focus(".labels-choice input[type=range]");
    await user.page.keyboard.press("End");
    await user.waitFor(() => /labels=cells,100/.test(location.hash));
    assert.equal((await colourAt([16, 20]))[3], 255);
    await user.page.goto("about:blank");
    await user.show(at("05", "&at=0,0,0&labels=cells"));
    await drawn();
    assert.deepEqual([await said([54, 8]), await said([16, 20])], ["", PROPERTIES[1]]); // label 9 begins at the second z
    await user.page.focus("#plot");
    for (let n = 0; n < 2; n++) await user.page.keyboard.press("+");
    await user.settled();
    await drawn();
    assert.deepEqual(user.problems, []);
  });

  test("of several label images one is chosen, and another image has its own", async () => {
    await user.show(at("05", "&labels=cells"));
    await drawn();
    await user.page.select(".labels-choice select", "whole");
    await user.waitFor(() => /labels=whole/.test(location.hash));
    await drawn();
    await user.page.click('[role="treeitem"][data-path="labels/cells/0"]');
    await user.settled();
    await user.waitFor(() => document.querySelector(".labels-choice").hidden && !document.querySelector("#plot canvas.labels"));
    assert.deepEqual(user.problems, []);
  });
});
