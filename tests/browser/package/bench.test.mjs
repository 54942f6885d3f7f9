/**
 * The benchmark's page, built: it fills its table with what both readers took, once they gave the same; and what the benches
 * of `make bench` measure with. Speed is no test.
 */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { ROWS } from "../../../www/src/bench/reads.js";
import { goalsMet } from "../../bench/support/goals.mjs";
import { inTurn } from "../../bench/support/rounds.mjs";
import { PAGE, READS, picked } from "../../bench/support/table.mjs";
import { watchWasm } from "../../bench/support/wasm.mjs";
import { launch, openPage } from "../support/chromium.mjs";
import { ROOT } from "../support/paths.mjs";
import { files, listen } from "../support/server.mjs";

const SCREENSHOTS = join(ROOT, "target/screenshots");

describe("the benchmark's page", () => {
  let site;
  let browser;
  let page;
  const problems = [];
  before(async () => {
    [site, browser] = await Promise.all([listen(files(join(ROOT, "www/dist"))), launch({ patience: 180_000 })]);
    await mkdir(SCREENSHOTS, { recursive: true });
    page = await browser.newPage();
    page.on("pageerror", (error) => problems.push(String(error.stack ?? error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(`${site.url}/bench.html`);
    await page.select("#mib", "4");
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  const state = (wanted) => page.waitForSelector(`body[data-state="${wanted}"]`, { timeout: 120_000 });

  test("stops where it is told to", async () => {
    await page.focus("#start");
    await page.keyboard.press("Enter");
    await state("running");
    assert.equal(await page.$eval("#start", (button) => button.textContent), "Stop");
    await page.keyboard.press("Enter");
    await state("stopped");
    assert.equal(await page.$eval("#status", (status) => status.textContent), "Stopped");
    assert.ok((await page.$$("#table tr[data-ratio]")).length < ROWS.length);
    assert.deepEqual(problems, []);
  });

  test("fills a row for each read, and says the same as text", async () => {
    await page.focus("#start");
    await page.keyboard.press("Enter");
    await state("done");
    const cells = await page.$$eval("#table tbody tr", (rows) => rows.map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)));
    assert.equal(cells.length, ROWS.length);
    for (const [nth, numbers] of cells.entries()) {
      assert.equal(numbers.length, 3, `row ${nth}: ${numbers}`);
      for (const number of numbers) assert.ok(Number(number) > 0 && Number.isFinite(Number(number)), `row ${nth}: ${numbers}`);
    }
    await page.click("#copy");
    const lines = (await page.$eval("#text", (area) => area.value)).split("\n").slice(4, 4 + ROWS.length);
    assert.deepEqual(lines.map((line) => line.trim().split(/\s+/).slice(-3)), cells);
    assert.deepEqual(problems, []);
  });

  for (const [name, width, height] of [["wide", 1280, 900], ["narrow", 390, 844], ["least", 360, 740]]) {
    for (const scheme of ["light", "dark"]) {
      test(`fits a ${name} window, ${scheme}`, async () => {
        await page.setViewport({ width, height });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await page.waitForSelector("html.lettered");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
        await page.screenshot({ path: join(SCREENSHOTS, `bench-${name}-${scheme}.png`), fullPage: true });
      });
    }
  }
});

describe("what benches measure with", () => {
  let page;
  before(async () => (page = await openPage({ "/bench": PAGE, "/reads": READS }, { before: watchWasm })));
  after(() => page?.close());

  test("calls out of WebAssembly and its memories are seen", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const { stored } = await import("/reads/data.js");
      const store = await stored(new Float32Array(64 * 64), [64, 64], { edge: 16, codec: "uncompressed" });
      const { wasm } = globalThis;
      const calls = [];
      for (const onProgress of [undefined, () => {}]) {
        const array = await RectilinearArray.open(store);
        const before = wasm.calls;
        await array.get(null, { onProgress });
        calls.push(wasm.calls - before);
      }
      return { calls, bytes: [...wasm.memories].map(({ buffer }) => buffer.byteLength) };
    });
    assert.ok(found.calls[0] > 0 && found.calls[1] > found.calls[0], `${found.calls}`);
    assert.ok(found.bytes.length > 0 && found.bytes.every((bytes) => bytes >= 2 ** 16), `${found.bytes}`);
  });

  test("a plain fetch asks for the same parts of files as a read", async () => {
    const found = await page.run(async (zarr) => {
      const { fetchAll, requestsOf } = await import("/bench/floor.mjs");
      const asked = {};
      for (const name of ["codec-zstd", "sharded-index-start"]) {
        const requests = await requestsOf(zarr, `${location.origin}/data/${name}.zarr`);
        await fetchAll(requests);
        asked[name] = requests.map(({ method, range, bytes }) => ({ method, isPart: range !== undefined, bytes }));
      }
      return asked;
    });
    for (const [name, requests] of Object.entries(found)) {
      assert.ok(requests.some(({ bytes }) => bytes > 0), name);
      assert.equal(requests.some(({ isPart }) => isPart), name.startsWith("sharded"), name);
    }
    const wrong = page.run(async () => (await import("/bench/floor.mjs")).fetchAll([{ url: "/data/codec-zstd.zarr/zarr.json", method: "GET", bytes: 1 }]));
    await assert.rejects(wrong, /bytes were fetched, and 1 by the read/);
  });

  for (const names of ["a", "ab", "abc", "abcd", "abcde"]) test(`${names.length} readers follow each other equally often`, async () => {
    const readers = [...names];
    const order = [];
    const found = await inTurn(readers, { ms: 0, least: 2 * readers.length, most: 99 }, (who, round) => order.push([who, round]));
    const rounds = order.length / readers.length;
    assert.ok(rounds >= 2 * readers.length, `${rounds} rounds`);
    assert.deepEqual(Object.values(found).map(({ length }) => length), readers.map(() => rounds));
    for (let round = 0; round < rounds; round++) {
      assert.deepEqual(order.filter((turn) => turn[1] === round).map(([who]) => who).toSorted(), readers);
    }
    const pairs = order.map(([who], i) => `${order.at(i - 1)[0]}${who}`);
    const others = readers.flatMap((who) => readers.filter((other) => other !== who).map((other) => who + other));
    assert.deepEqual(others.map((pair) => pairs.filter((found) => found === pair).length), others.map(() => rounds / (readers.length - 1)));
  });

  test("rows say which goals they miss, and words pick rows", () => {
    const times = { defaults: 100, bare: 120, zarrita: 150, fetch: 90, map: 50 };
    assert.equal(goalsMet({ name: "512-zstd" }, "sync", times), "/ Map 2.00 (goal <= 1.3, missed), x bare 1.20 (goal >= 1.15)");
    assert.equal(goalsMet({ name: "512-uncompressed" }, "url", times), "/ fetch 1.11 (goal <= 1.1, missed), x zarrita 1.50 (goal >= 1)");
    assert.equal(goalsMet({ name: "32-gzip" }, "async", { ...times, map: NaN }), "x zarrita 1.50 (goal >= 5.5, missed)");
    assert.equal(goalsMet({ name: "512-lz4" }, "map", times), "");
    assert.deepEqual(["sync", "zstd", "none"].map((word) => picked(["sync", "async", "32-zstd"], [word]).length), [1, 1, 3]);
  });
});
