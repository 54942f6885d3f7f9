/** Differences of two arrays in the explorer: the picture, its tip, lines, statistics, files and code, against xarray and numpy. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { areNear, cells, lastSaved, pressIn } from "../support/differences.mjs";
import { coloursOf } from "../support/field.mjs";
import { python, startMade } from "../support/made.mjs";
import { until } from "../support/network.mjs";
import { PACKAGE, ROOT } from "../support/paths.mjs";
import { listen } from "../support/server.mjs";

const { Group } = await import(pathToFileURL(join(PACKAGE, "node.js")).href);
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");
const SCREENSHOTS = join(ROOT, "target/screenshots");
const number = (text) => Number(text.replace("−", "-").replace(/[^\d.eE-]/g, ""));

describe("differences of arrays", () => {
  let made;
  let explorer;
  let expected;
  let user;

  before(async () => {
    made = await startMade("less.py", {}, { watches: true });
    ({ explorer } = made);
    expected = JSON.parse(await readFile(join(made.directory, "expected.json"), "utf8"));
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => made?.close());
  beforeEach(async () => {
    user = await explorer.page();
    await user.takeFiles();
    await user.page.evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (globalThis.copied = text) } });
    });
  });
  afterEach(() => user.close());

  const at = (path, more = "") => `url=${explorer.site.url}/made/${path}${more}`;
  const hash = () => user.page.evaluate(() => decodeURIComponent(location.hash));
  const offered = () => user.page.$$eval("#less option", (list) => list.map(({ textContent }) => textContent));
  const choose = async (name) => {
    await user.waitFor(() => document.querySelector("#less"));
    await user.page.select("#less", name);
  };
  const range = () => user.page.$$eval("#low, #high", (list) => list.map(({ value }) => Number(value)));
  const press = (label, root) => pressIn(user, label, root);
  const savedText = () => lastSaved(user);

  test("are offered with arrays of the same shape and axes alone, and drawn in diverging colours with zero in the middle", async () => {
    await user.show(at("store.zarr/days/tasmax", "&at=0"));
    await user.waitFor(() => document.querySelector("#less"));
    assert.deepEqual(await offered(), ["nothing", "celsius", "tasmin", "another store’s…"]);
    await choose("days/tasmin");
    await user.says("#reading-note", /^Each cell less its value in “tasmin” \(Daily minimum\)\.$/);
    await user.settled();
    assert.equal(await user.text("#title"), "Daily maximum less Daily minimum");
    assert.match(await hash(), /&less=days\/tasmin$/);
    const [low, high] = await range();
    const most = Math.max(...expected.range.map(Math.abs));
    assert.ok(Math.abs(high - most) < 1e-3 && low === -high, `${low} to ${high}, not ${most}`);
    assert.equal(await user.text(".colourbar .unit"), "Δ K");
    assert.equal(await user.page.$eval("#colours", ({ value }) => value), "rdbu");
    const colours = await coloursOf(user);
    expected.planes[0].flat().forEach((v, i) => {
      const [red, , blue] = colours[i];
      if (Math.abs(v) > 0.1 * most) assert.ok(v > 0 ? red > blue : blue > red, `${v} is ${colours[i]}`);
    });
    for (const [column, row] of [[0, 0], [5, 4], [3, 1]]) {
      await user.point([column, row], [8, 6]);
      const wanted = expected.planes[0][row][column];
      const said = await user.text("#figure .tip b");
      assert.match(said, wanted > 0 ? /^\+.* K$/ : /^−.* K$/);
      assert.ok(Math.abs(number(said) - wanted) <= 5e-4, `${said} is not ${wanted}`);
    }
    // The step with missing values in either.
    await user.page.click('[aria-label="Next step, time"]');
    await user.page.click('[aria-label="Next step, time"]');
    await user.waitFor(() => document.querySelector("#view").dataset.at === "2" && document.querySelector("#view").ariaBusy === "false");
    for (const [column, row] of [[3, 1], [5, 4]]) {
      await user.point([column, row], [8, 6]);
      assert.equal(await user.text("#figure .tip b"), "no data");
    }
    await user.page.screenshot({ path: join(SCREENSHOTS, "less.png") });
    await user.page.evaluate(axe);
    assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id }) => id)), []);
    // Back to the array itself.
    await choose("");
    await user.says("#title", /^Daily maximum$/);
    await user.settled();
    assert.doesNotMatch(await hash(), /less/);
    assert.equal(await user.page.$eval("#colours", ({ value }) => value), "inferno");
    assert.deepEqual(user.problems, []);
  });

  test("a link draws one, and the chunks of both are accounted for", async () => {
    const from = explorer.site.requests.length;
    await user.show(at("store.zarr/days/tasmax", "&at=3&less=days/tasmin&chunks=1"));
    await user.waitFor(() => document.querySelector("#ledger li"));
    const asked = explorer.site.requests.slice(from).map(({ url }) => url).filter((url) => /\/c\//.test(url) && /tasm/.test(url));
    assert.equal(asked.filter((url) => url.includes("/tasmax/")).length, 4);
    assert.equal(asked.filter((url) => url.includes("/tasmin/")).length, 4);
    assert.match(await user.text("#ledger li"), /8 of 8 chunks/);
    await user.says("#about", /days\/tasmax/);
    await user.point([2, 5], [8, 6]);
    assert.ok(Math.abs(number(await user.text("#figure .tip b")) - expected.planes[3][5][2]) < 5e-4);
    assert.equal(await user.page.$eval("#less", ({ value }) => value), "days/tasmin");
    assert.deepEqual(user.problems, []);
  });

  test("what makes no sense in a link is left out, with a word on why", async () => {
    for (const [path, words] of [
      ["days/short", /“days\/short” can't be taken off: its shape is 5 × 6 × 8, and that of “tasmax” 40 × 6 × 8\./],
      ["days/turned", /its shape is 40 × 8 × 6/],
      ["days/kinds", /its items are no numbers that measure/],
      ["days/time", /can't be taken off/],
      ["days/nothing", /nothing|not|no /i],
    ]) {
      await user.show(at("store.zarr/days/tasmax", `&at=3&less=${path}`));
      assert.equal(await user.text("#title"), "Daily maximum", path);
      assert.match(await user.text("#reading-note"), words, path);
      assert.doesNotMatch(await hash(), /less=days\/(short|turned|kinds)&/);
    }
    assert.deepEqual(user.problems, []);
  });

  test("other units are said", async () => {
    await user.show(at("store.zarr/days/tasmax", "&less=days/celsius"));
    assert.match(await user.text("#reading-note"), /Its unit is °C, that of “tasmax” K: the difference is one of the numbers\.$/);
    assert.equal(await user.text("#title"), "tasmax less celsius"); // whose titles are the same
    await user.point([1, 1], [8, 6]);
    assert.ok(Math.abs(number(await user.text("#figure .tip b")) - 273.15) < 1e-3);
    assert.deepEqual(user.problems, []);
  });

  test("large integers are taken off each other exactly, of either array", async () => {
    for (const [other, wanted] of [["b", expected.ids], ["small", expected.mixed]]) {
      await user.show(at("store.zarr/ids/a", `&at=1&less=ids/${other}`));
      await user.page.$eval("#take details", (details) => (details.open = true));
      await press("Values as CSV");
      assert.deepEqual(cells(await savedText()), wanted, other);
    }
    assert.deepEqual(user.problems, []);
  });

  test("lines through cells are differences, and a line that is charted follows", async () => {
    await user.show(at("store.zarr/days/tasmax", "&at=0&point=2,3,0"));
    await user.says("#series h2", /^Along time at/);
    await choose("days/tasmin");
    await user.says("#title", /less/);
    await user.page.$eval("#take details", (details) => (details.open = true));
    await until(async () => {
      await press("Line as CSV");
      return savedText();
    }, (text) => /Daily maximum less Daily minimum, in K\n/.test(text));
    await press("Line as CSV");
    const text = await savedText();
    assert.match(text, /^# Daily maximum less Daily minimum, in K\n/);
    assert.match(text, /\n# less days\/tasmin\n/);
    assert.match(text, /\ntime,tasmax less tasmin\n/);
    areNear(cells(text).flat(), expected.line, 1e-4, "the line");
    assert.match(await hash(), /point=2,3,0/);
    assert.deepEqual(user.problems, []);
  });

  test("means over the view and of an area are those of the difference", async () => {
    await user.show(at("store.zarr/days/tasmax", "&at=0&less=days/tasmin"));
    await user.page.click("#answers summary");
    await user.says("#answers .choices .total", /^Reads 184 chunks, /); // 40 x 2 x 2 of one, and 6 x 2 x 2 of the other
    await press("Calculate", "#answers");
    await user.says("#answers h3", /^Mean of Daily maximum less Daily minimum along time, over the view/);
    await press("Curve as CSV", "#answers");
    areNear(cells(await savedText()).flat(), expected.mean, 1e-4, "the mean");
    await user.page.select("#answers select", "min");
    await press("Calculate", "#answers");
    await user.says("#answers h3", /^Minimum of/);
    await press("Curve as CSV", "#answers");
    areNear(cells(await savedText()).flat(), expected.least, 1e-4, "the least value");
    await user.page.select("#answers select", "mean");
    await press("Write an area…", "#answers");
    await user.page.$eval("#answers textarea", (area) => (area.value = "-5 45, 10 45, 10 55, -5 55"));
    await press("Use this area", "#answers");
    await press("Calculate", "#answers");
    await user.says("#answers h3", /^Mean of .* along time, over the area/);
    await press("Curve as CSV", "#answers");
    areNear(cells(await savedText()).flat(), expected.area, 2e-3, "the area's mean"); // edges of cells are those of circles of latitude, of the area straight lines
    assert.deepEqual(user.problems, []);
  });

  test("files hold the difference, and say what it is", async () => {
    await user.show(at("store.zarr/days/tasmax", "&at=2&less=days/tasmin"));
    await user.page.$eval("#take details", (details) => (details.open = true));
    await press("Values as CSV");
    const text = await savedText();
    assert.match(text, /^# Daily maximum less Daily minimum, in K\n# 22 Jan 2020\n# less days\/tasmin\n/);
    areNear(cells(text).flat(), expected.planes[2].flat(), 1e-4, "the table");
    await press("Values as NetCDF");
    await user.waitFor(() => globalThis.saved.length);
    const bytes = Buffer.from(await user.page.evaluate(async () => [...new Uint8Array(await globalThis.saved.pop().arrayBuffer())]));
    await writeFile(join(made.directory, "difference.nc"), bytes);
    const group = await Group.open(`${explorer.site.url}/made/difference.nc`);
    const difference = await group.array("tasmax_less_tasmin");
    areNear([...(await difference.get()).data], expected.planes[2].flat(), 1e-4, "NetCDF");
    assert.equal(difference.attrs.long_name, "Daily maximum less Daily minimum");
    assert.equal(difference.attrs.units, "K");
    for (const name of ["standard_name", "cell_methods"]) assert.equal(difference.attrs[name], undefined, name);
    assert.match(group.attrs.title, /less days\/tasmin$/);
    assert.deepEqual(user.problems, []);
  });

  for (const [view, wanted, most] of [["days/tasmax&at=2&less=days/tasmin", () => expected.planes[2], 1e-4], ["ids/a&at=1&less=ids/b", () => expected.ids, 0], ["ids/a&at=1&less=ids/small", () => expected.mixed, 0]]) {
    test(`code reads the same difference: ${view}`, async () => {
      await user.show(at(`store.zarr/${view}`));
      await user.page.$eval("#take details", (details) => (details.open = true));
      const code = async (language) => {
        await press(language);
        return user.page.waitForFunction(() => {
          const text = globalThis.copied;
          globalThis.copied = undefined;
          return text;
        }).then((handle) => handle.jsonValue());
      };
      const script = (await code("Python")).replace(`${explorer.site.url}/made`, made.directory).replaceAll(`${explorer.site.url}/made`, made.directory);
      const said = await python("-c", `${script}\nimport json\nimport numpy as np\nv = np.asarray(view, dtype="float64")\nprint(json.dumps(np.where(np.isnan(v), None, v).tolist()))`);
      areNear(JSON.parse(said).flat().map((v) => v ?? NaN), wanted().flat(), most, script);
      const module = await code("JavaScript");
      const file = join(made.directory, "view.mjs");
      await writeFile(file, `${module.replace('"rectilinear-zarr"', JSON.stringify(pathToFileURL(join(PACKAGE, "node.js")).href))}\nconsole.log(JSON.stringify([[...data], shape]));\nprocess.exit();\n`);
      const [data, shape] = JSON.parse((await promisify(execFile)(process.execPath, [file])).stdout);
      assert.deepEqual(shape, [wanted().length, wanted()[0].length]);
      areNear(data.map((v) => v ?? NaN), wanted().flat(), most, module);
      assert.deepEqual(user.problems, []);
    });
  }

  test("levels of a pyramid are those of both arrays, as the map is enlarged", async () => {
    await user.page.setViewport({ width: 1000, height: 700 });
    await user.show(at("pyramid.zarr/0/up", "&less=0/down&axes=0,1"));
    await user.says("#figure .note", /level 1/);
    await user.page.addStyleTag({ content: ".zoom { visibility: hidden }" });
    const said = async (row, column, size) => {
      await user.point([column, row], [size, size]);
      return number((await user.text("#figure .tip b")).replaceAll(",", ""));
    };
    assert.equal(await said(0, 0, 1024), expected.coarse[0][0]);
    await user.show(at("pyramid.zarr/0/up", "&less=0/down&view=1001,1001,256"));
    assert.equal(await said(3, 3, 8), expected.fine[0][0]); // the view has 8 cells from 997
    assert.deepEqual(user.problems, []);
  });

  test("playback, turned axes, Back and a change of the array keep to what is drawn", async () => {
    await user.show(at("store.zarr/days/tasmax", "&at=0&less=days/tasmin"));
    await user.page.focus("#plot");
    await user.page.keyboard.press("PageDown");
    await user.page.click('[aria-label="Play, time"]').catch(() => user.page.keyboard.press("Space"));
    await user.waitFor(() => Number(document.querySelector("#view").dataset.at) > 6);
    await user.page.keyboard.press("ArrowRight");
    await user.page.select("#rows", "0");
    await user.settled();
    await user.says("#title", /less/);
    assert.match(await hash(), /axes=0,.*less=days\/tasmin/);
    await user.page.click('[data-path="days/celsius"]');
    await user.says("#title", /^Daily maximum$/);
    await user.settled();
    assert.doesNotMatch(await hash(), /less/);
    await user.page.goBack();
    await user.says("#title", /less/);
    await user.settled();
    assert.match(await hash(), /less=days\/tasmin/);
    assert.deepEqual(user.problems, []);
  });

  test("in a frame are told and asked for", async () => {
    const outer = await listen((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>around</title>
      <script>globalThis.told = []; addEventListener("message", ({ data }) => told.push(data));</script>
      <iframe title="Explorer" width="640" height="420" src="${explorer.site.url}/?embed=1#${at("store.zarr/days/tasmax", "&at=3&less=days/tasmin")}"></iframe>`));
    try {
      await user.page.goto(outer.url);
      const says = async (less, path = "days/tasmax") => user.waitFor((wanted, of) => {
        const last = globalThis.told.findLast(({ type }) => type === "rectilinear-zarr:state");
        return last?.less === wanted && last.path === of && (wanted ? /less=/.test(last.link) : !/less=/.test(last.link));
      }, less, path);
      const ask = (order) => user.page.evaluate((message) => document.querySelector("iframe").contentWindow.postMessage({ type: "rectilinear-zarr:set", ...message }, "*"), order);
      await says("days/tasmin");
      const frame = await (await user.page.$("iframe")).contentFrame();
      assert.equal(await frame.$eval("#title", ({ textContent }) => textContent), "Daily maximum less Daily minimum");
      await ask({ less: null, at: [4] });
      await says(null);
      await ask({ less: "days/celsius", at: { time: 5 }, range: [0, 300] });
      await says("days/celsius");
      await user.waitFor(() => globalThis.told.at(-1).range?.[1] === 300 && globalThis.told.at(-1).at[0] === 5);
      await ask({ less: "days/none" });
      await ask({ less: "days/kinds" });
      await user.waitFor(() => globalThis.told.filter(({ type }) => type === "rectilinear-zarr:error").length === 2);
      const [first, second] = (await user.page.evaluate(() => globalThis.told.filter(({ type }) => type === "rectilinear-zarr:error").map(({ message }) => message))).sort();
      assert.match(first, /less days\/kinds can't be taken off/);
      assert.match(second, /less has to be the path of an array in the store, the address of one of another store, or null for none/);
      await ask({ path: "days/tasmin", less: "days/celsius", at: [2] });
      await says("days/celsius", "days/tasmin");
      assert.deepEqual(user.problems, []);
    } finally {
      await outer.close();
    }
  });

  test("is chosen by keys alone", async () => {
    await user.show(at("store.zarr/days/tasmax", "&at=0"));
    await user.waitFor(() => document.querySelector("#less"));
    await user.page.focus("#less");
    await user.page.keyboard.type("tasmin");
    await user.says("#title", /less/);
    assert.deepEqual(user.problems, []);
  });
});
