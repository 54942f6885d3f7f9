/** The explorer's colours of values on both sides of zero, and of labels: which arrays get them, and that links keep them. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";
import { siteModule } from "../support/site-modules.mjs";

const { liesAroundZero, rangeOf } = await siteModule("reading/range.js");
const { aboutLabels } = await siteModule("labels/find.js");
const { areLabels } = await siteModule("model/image.js");

const field = (units, attrs = {}, more = {}) => ({ dataset: { attrs, name: "v", decoder: { units } }, axes: [0, 1], ...more });

test("a wind lies around zero; temperatures, places, lines and ranges that hardly pass zero do not", () => {
  assert.equal(liesAroundZero(field("m s⁻¹"), [-12, 30]), true);
  assert.equal(liesAroundZero(field("m s⁻¹"), [-1, 30]), false);
  assert.equal(liesAroundZero(field("m s⁻¹"), [0, 30]), false);
  assert.equal(liesAroundZero(field("m s⁻¹"), undefined), false);
  assert.equal(liesAroundZero(field("°C"), [-30, 40]), false);
  assert.equal(liesAroundZero(field("degrees"), [-90, 90]), false);
  assert.equal(liesAroundZero(field("°C", { long_name: "Temperature anomaly" }), [-3, 4]), true);
  assert.equal(liesAroundZero(field("m s⁻¹", {}, { axes: [0] }), [-12, 30]), false);
  const map = { dataset: { decoder: {} }, plane: { isMap: true, shown: [1, 2] }, isCentred: true, found: [-12, 30] };
  assert.deepEqual(rangeOf(map), [-30, 30]);
  assert.deepEqual(rangeOf({ ...map, userRange: [-5, 30] }), [-5, 30]);
});

test("labels of an image are told apart: none is black, and numbers that follow each other are far apart", () => {
  const labelled = { attrs: {}, entries: [{ path: "labels/cells", kind: "group", attrs: {} }, { path: "mask", kind: "group", attrs: { ome: { "image-label": {} } } }, { path: "image", kind: "group", attrs: {} }] };
  assert.deepEqual(["labels/cells/0", "mask/0", "image/0"].map((path) => areLabels(labelled, path, "uint32")), [true, true, false]);
  assert.equal(areLabels(labelled, "labels/cells/0", "float32"), false);
  const { table, entry } = aboutLabels({}).colouring;
  const colourOf = (v) => [...table.slice(entry(v) * 3, entry(v) * 3 + 3)];
  assert.deepEqual(colourOf(0), [0, 0, 0]);
  for (let v = 1; v < 2000; v++) {
    const apart = Math.hypot(...colourOf(v).map((part, k) => part - colourOf(v + 1)[k]));
    assert.ok(apart > 100, `${v}: ${apart}`);
  }
});

describe("colours around zero on the page", () => {
  let directory;
  let explorer;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-zero-"));
    await promisify(execFile)(process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python"), ["-W", "ignore", join(ROOT, "tests/oracle/explorer.py"), directory]);
    explorer = await startExplorer({ "/made": directory });
  });
  after(async () => {
    await explorer?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  test("the first picture decides, and a link says it where its own would not", async () => {
    const user = await explorer.page();
    const colours = () => user.page.$eval("#colours", ({ value }) => value);
    const range = () => user.page.$$eval("#low, #high", (list) => list.map(({ value }) => Number(value)));
    const wind = (at) => `url=${explorer.site.url}/made/store.zarr/read/wind&at=${at}`;
    await user.show(wind(1)); // sin of 4 to 7: -0.96 to 0.66
    assert.equal(await colours(), "rdbu");
    const [low, high] = await range();
    assert.ok(low === -high && high > 0.9, `${[low, high]}`);
    await user.page.select("#colours", "viridis");
    await user.waitFor(() => Number(document.querySelector("#low").value) !== -Number(document.querySelector("#high").value));
    await user.show(wind(0)); // 0 to 0.91
    assert.equal(await colours(), "inferno");
    await user.page.click('[aria-label="Next step, hour"]');
    await user.waitFor(() => document.querySelector("#view").dataset.at === "1" && location.hash.includes("at=1"));
    assert.equal(await colours(), "inferno");
    await user.waitFor(() => location.hash.includes("colours=inferno"));
    await user.show((await user.page.evaluate(() => location.hash)).slice(1));
    assert.equal(await colours(), "inferno");
    assert.deepEqual(user.problems, []);
    await user.close();
  });
});
