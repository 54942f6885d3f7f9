/** The explorer's maps drawn by WebGL and without it: the same pixels, of numbers, flags, gaps, large integers, logarithms, differences and channels. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launchDrawing } from "../support/chromium.mjs";
import { startExplorer } from "../support/explorer.mjs";
import { planes } from "../support/planes.mjs";

/** Chromium's GPU is the processor in tests, which the page leaves for a canvas unless it does not know. */
function anyGpu() {
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return get.call(this, kind, options && { ...options, failIfMajorPerformanceCaveat: false });
  };
}

/** A browser without WebGL. */
function noGpu() {
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    return kind === "webgl2" ? null : get.call(this, kind, ...more);
  };
}

const [ROWS, COLUMNS] = [24, 48];
const flags = { flag_values: [0, 1, 2, 3], flag_meanings: "sea land ice lake" };
const NUMBERS = Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => (i % 13 === 5 ? NaN : Math.sin(i / 37) * 40 + i / 100));
const LARGE = BigInt64Array.from({ length: ROWS * COLUMNS }, (_, i) => 4_000_000_000_000n + BigInt((i * 37) % 1009));
const CLASSES = Uint8Array.from({ length: ROWS * COLUMNS }, (_, i) => (i * 7) % 5);
const SPREAD = Float64Array.from({ length: ROWS * COLUMNS }, (_, i) => (i % 17 === 3 ? NaN : 10 ** ((((i * 7) % 1000) - 500) / 150)));
const CROSSING = SPREAD.map((v, i) => (i % 2 ? v : -v));
const FAR = LARGE.map((v, i) => BigInt(4e12) + (v - BigInt(4e12)) * 10n ** BigInt(i % 6));
const STEPS = Float32Array.from({ length: 3 * ROWS * COLUMNS }, (_, i) => (i % 29 === 5 ? NaN : Math.sin(i / 41) * 300 + 300));
const ARRAYS = {
  numbers: ["float32", NUMBERS], large: ["int64", LARGE], classes: ["uint8", CLASSES, flags],
  spread: ["float64", SPREAD], crossing: ["float64", CROSSING], far: ["int64", FAR], steps: ["float32", STEPS],
};

/** Handler of arrays of one chunk by name. */
function given(request, response) {
  const [, name, key] = request.url.split("/");
  const [data_type, values, attributes = {}] = ARRAYS[name] ?? [];
  if (!values) return response.writeHead(404).end();
  const depth = values.length / (ROWS * COLUMNS); // arrays of more than one step have a chunk for each
  if (key === "c") {
    const nth = depth > 1 ? Number(request.url.split("/")[3]) : 0;
    return response.end(Buffer.from(values.slice(nth * ROWS * COLUMNS, (nth + 1) * ROWS * COLUMNS).buffer));
  }
  if (key !== "zarr.json") return response.writeHead(404).end();
  response.end(JSON.stringify({
    zarr_format: 3, node_type: "array", data_type, fill_value: 0, attributes,
    shape: depth > 1 ? [depth, ROWS, COLUMNS] : [ROWS, COLUMNS], dimension_names: depth > 1 ? ["band", "y", "x"] : ["y", "x"],
    chunk_grid: { name: "regular", configuration: { chunk_shape: depth > 1 ? [1, ROWS, COLUMNS] : [ROWS, COLUMNS] } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  }));
}

describe("the explorer's painters", () => {
  let explorer;
  const users = {};

  before(async () => {
    explorer = await startExplorer({ "/given": given, "/planes": planes({ wide: { shape: [300, 600], chunk: [100, 100] } }).handle }, { browse: launchDrawing });
    for (const [kind, prepare] of Object.entries({ webgl2: anyGpu, canvas: noGpu })) {
      users[kind] = await explorer.page();
      await users[kind].page.evaluateOnNewDocument(prepare);
    }
  });
  after(() => explorer?.close());

  /** All pixels of the plot, without what lies over it, as words of RGBA. */
  async function pixelsOf(kind, hash) {
    const { page, show } = users[kind];
    await page.bringToFront(); // a page behind draws no frames
    await show(hash);
    assert.equal(await page.$eval("#plot canvas", (canvas) => canvas.dataset.painter), kind);
    await page.addStyleTag({ content: ".zoom, .tip, .overlay { visibility: hidden } .plot { background: #123456 !important }" });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const shot = await (await page.$("#plot")).screenshot({ encoding: "base64" });
    return page.evaluate(async (data) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return { width: bitmap.width, words: [...new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)] };
    }, shot);
  }

  for (const [what, hash, colours] of [
    ["numbers with gaps", "given/numbers", 60],
    ["numbers with gaps, enlarged", "given/numbers&view=10,20,2.5", 40],
    ["large integers", "given/large", 200],
    ["classes", "given/classes", 5],
    ["values by their logarithm", "given/spread&scale=log", 200],
    ["values by the logarithm on both sides of zero", "given/crossing&scale=log&colours=rdbu", 200],
    ["large integers by their logarithm", "given/far&scale=log", 60],
    ["the difference of two steps", "given/steps&at=2&minus=0", 100],
    ["channels over each other", "given/steps&channels=0,1,2:ffc040:100:500", 300],
    ["channels over each other, enlarged", "given/steps&channels=0,1,2&view=10,20,2.5", 100],
  ]) {
    test(`both draw ${what} alike`, async () => {
      const [byGpu, byCanvas] = [await pixelsOf("webgl2", `url=${explorer.site.url}/${hash}&chunks=0`), await pixelsOf("canvas", `url=${explorer.site.url}/${hash}&chunks=0`)];
      assert.deepEqual([byGpu.width, byGpu.words.length], [byCanvas.width, byCanvas.words.length]);
      assert.ok(new Set(byGpu.words).size >= colours, `${new Set(byGpu.words).size} colours`);
      const different = byGpu.words.filter((word, i) => word !== byCanvas.words[i]).length;
      // Edges of cells may fall on either side of a pixel's middle, and values on either side of a step of colour.
      assert.ok(different < byGpu.words.length * 0.03, `${different} of ${byGpu.words.length} pixels differ`);
      for (const { problems } of Object.values(users)) assert.deepEqual(problems, []);
    });
  }

  test("both draw the cells of several pieces alike, enlarged", async () => {
    const [byGpu, byCanvas] = [await pixelsOf("webgl2", `url=${explorer.site.url}/planes/wide&chunks=0&view=120,310,3`), await pixelsOf("canvas", `url=${explorer.site.url}/planes/wide&chunks=0&view=120,310,3`)];
    const { width, words } = byGpu;
    const height = words.length / width;
    // The canvas lays pieces at whole pixels, so pixels are compared in the middles of cells.
    const middles = [];
    for (let row = 75; row < 165; row++) for (let column = 215; column < 405; column++) middles.push(Math.floor((0.5 + ((row + 0.5 - 120) * 3) / 300) * height) * width + Math.floor((0.5 + ((column + 0.5 - 310) * 3) / 600) * width));
    const different = middles.filter((at) => words[at] !== byCanvas.words[at]).length;
    assert.ok(new Set(middles.map((at) => words[at])).size > 200);
    assert.ok(different <= middles.length * 0.002, `${different} of ${middles.length} cells differ`);
  });

  test("where the GPU is lost, the picture is drawn without it", async () => {
    const { page, show, waitFor, problems } = users.webgl2;
    await page.bringToFront();
    await show(`url=${explorer.site.url}/given/classes&chunks=0`);
    await page.$eval("#plot canvas", (canvas) => canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
    await waitFor(() => document.querySelector("#plot canvas").dataset.painter === "canvas");
    const colours = await page.$eval("#plot canvas", (canvas) => new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size);
    assert.equal(colours, 5);
    assert.deepEqual(problems, []);
  });
});
