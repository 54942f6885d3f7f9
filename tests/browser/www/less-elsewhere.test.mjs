/** Differences with an array of another store in the explorer, on another host: the picture, lines, statistics, files and code, against xarray and numpy. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { areNear, cells, lastSaved, pressIn } from "../support/differences.mjs";
import { python, startMade } from "../support/made.mjs";
import { until } from "../support/network.mjs";
import { PACKAGE, ROOT } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";

const SCREENSHOTS = join(ROOT, "target/screenshots");
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");

describe("differences with another store", () => {
  let made;
  let explorer;
  let elsewhere;
  let expected;
  let user;

  before(async () => {
    made = await startMade("less.py", {}, { watches: true });
    ({ explorer } = made);
    const serve = files(made.directory);
    elsewhere = await listen((request, response) => allow(request, response) || serve(request, response));
    expected = JSON.parse(await readFile(join(made.directory, "expected.json"), "utf8"));
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await made?.close();
    await elsewhere?.close();
  });
  beforeEach(async () => {
    user = await explorer.page();
    await user.takeFiles();
    await user.page.evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (globalThis.copied = text) } });
    });
  });
  afterEach(() => user.close());

  const at = (less, more = "&at=2", path = "store.zarr/days/tasmax") => `url=${explorer.site.url}/made/${path}${more}${less ? `&less=${less}` : ""}`;
  const other = (path) => `${elsewhere.url}/${path}`;
  const hash = () => user.page.evaluate(() => decodeURIComponent(location.hash));
  const press = (label, root) => pressIn(user, label, root);
  const savedText = () => lastSaved(user);

  test("a link draws one, says what is of other dates, and accounts for the chunks of both", async () => {
    await user.show(at(other("year.zarr/days/tasmax"), "&at=2&chunks=1"));
    assert.equal(await user.text("#title"), "Daily maximum less that of year.zarr");
    assert.equal(await user.text("#reading-note"), "Each cell less its value in “tasmax of year.zarr”. Its time differs: position 0 is 20 Jan 2021, and that of “tasmax” 20 Jan 2020.");
    assert.ok((await user.page.evaluate(() => location.hash)).includes(`&less=${other("year.zarr/days/tasmax")}&`));
    for (const [column, row] of [[0, 0], [5, 4], [7, 2]]) {
      await user.point([column, row], [8, 6]);
      const said = Number((await user.text("#figure .tip b")).replace("−", "-").replace(/[^\d.-]/g, ""));
      assert.ok(Math.abs(said - expected.year[2][row][column]) < 6e-3, `${said}`);
    }
    await user.waitFor(() => document.querySelector("#ledger li"));
    assert.match(await user.text("#ledger li"), /5 of 5 chunks/); // four, and one of the other store
    const asked = elsewhere.requests.filter(({ url }) => /tasmax\/c\//.test(url)).map(({ url }) => url);
    assert.deepEqual([...new Set(asked)], ["/year.zarr/days/tasmax/c/0/0/0"]);
    await user.page.screenshot({ path: join(SCREENSHOTS, "less-elsewhere.png") });
    assert.deepEqual(user.problems, []);
  });

  test("of a store's or a group's address the array of the same path is taken", async () => {
    for (const [path, more] of [["year.zarr"], ["year.zarr/days"], ["year.zarr/around/tasmax", "around"]]) {
      await user.show(at(other(path))); // the last one's longitudes lie a turn further
      assert.equal(await user.text("#title"), "Daily maximum less that of year.zarr", path);
      assert.ok((await hash()).endsWith(`&less=${other(`year.zarr/${more ?? "days"}/tasmax`)}`));
    }
    assert.deepEqual(user.problems, []);
  });

  test("what does not fit is left out, with a word on what differs", async () => {
    for (const [path, words] of [
      ["year.zarr/days/short", /its shape is 5 × 6 × 8, and that of “tasmax” 40 × 6 × 8\./],
      ["year.zarr/days/levels", /its axes are level, latitude, lon, and those of “tasmax” time, lat, lon\./],
      ["year.zarr/shifted/tasmax", /at position 0 along latitude it has 57° N, and “tasmax” 57\.5° N\./],
      ["year.zarr/turned/tasmax", /at position 0 along latitude it has 32\.5° N, and “tasmax” 57\.5° N\./],
      ["store.zarr/ids", /it is a group without an array “days\/tasmax”; write the address of an array\./],
      ["store.zarr/days/kinds", /its items are no numbers that measure\./],
      ["none.zarr/x", /./],
    ]) {
      await user.show(at(other(path)));
      assert.equal(await user.text("#title"), "Daily maximum", path);
      assert.match(await user.text("#reading-note"), words, path);
      assert.doesNotMatch(await hash(), /less=/);
    }
    for (const [address, words] of [[`${explorer.site.url}/made/store.zarr/days/tasmax`, /it is the array itself\./], ["ftp://host/a.zarr", /“ftp:\/\/” is no address that a browser can read/]]) {
      await user.show(at(address));
      assert.match(await user.text("#reading-note"), words);
    }
    await user.show(at(other("year.zarr/celsius/tasmax")));
    assert.match(await user.text("#reading-note"), /Its unit is °C, that of “tasmax” K: the difference is one of the numbers\./);
    assert.deepEqual(user.problems, []);
  });

  test("the choice takes an address, and keeps it where it is refused", async () => {
    await user.show(at(""));
    await user.waitFor(() => document.querySelector("#less"));
    await user.page.select("#less", "://");
    await user.page.waitForSelector(".less-address:not([hidden]) input:focus");
    await user.page.keyboard.type(other("year.zarr/shifted/tasmax"));
    await user.page.keyboard.press("Enter");
    await user.says("#error", /can't be taken off: at position 0 along latitude/);
    assert.equal(await user.page.$eval(".less-address input", ({ value }) => value), other("year.zarr/shifted/tasmax"));
    await user.page.$eval(".less-address input", (input, value) => (input.value = value), other("year.zarr"));
    await user.page.click(".less-address button");
    await user.says("#title", /less that of year\.zarr$/);
    await user.settled();
    assert.deepEqual(await user.page.$eval("#less", ({ value, selectedOptions: [{ textContent }] }) => [value, textContent]), [other("year.zarr/days/tasmax"), "tasmax of year.zarr"]);
    assert.equal(await user.page.$eval(".less-address", ({ hidden }) => hidden), true);
    await user.page.click('[aria-label="Next step, time"]');
    await user.settled();
    await user.page.evaluate(axe);
    assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id }) => id)), []);
    await user.page.select("#less", "");
    await user.says("#title", /^Daily maximum$/);
    assert.doesNotMatch(await hash(), /less/);
    assert.deepEqual(user.problems, []);
  });

  test("a narrow window has room for the address", async () => {
    await user.page.setViewport({ width: 360, height: 740 });
    await user.show(at(""));
    await user.waitFor(() => document.querySelector("#less"));
    await user.page.select("#less", "://");
    await user.page.waitForSelector(".less-address:not([hidden])");
    assert.ok(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(user.problems, []);
  });

  test("lines, statistics and files are those of the difference", async () => {
    await user.show(at(other("year.zarr"), "&at=2&point=2,3,2"));
    await user.says("#series h2", /^Along time at/);
    await user.page.$eval("#take details", (details) => (details.open = true));
    await press("Line as CSV");
    const line = await savedText();
    assert.ok(line.includes(`\n# less ${other("year.zarr/days/tasmax")}\n`) && /\ntime,tasmax less tasmax of year\.zarr\n/.test(line), line.slice(0, 300));
    areNear(cells(line).flat(), expected.year_line, 6e-3, "the line");
    await press("Values as CSV");
    areNear(cells(await savedText()).flat(), expected.year[2].flat(), 6e-3, "the table");
    await user.page.click("#answers summary");
    await press("Calculate", "#answers");
    await user.says("#answers h3", /^Mean of Daily maximum less that of year\.zarr along time, over the view/);
    await press("Curve as CSV", "#answers");
    areNear(cells(await savedText()).flat(), expected.year_mean, 6e-3, "the mean");
    assert.deepEqual(user.problems, []);
  });

  test("code reads both stores", async () => {
    await user.show(at(other("year.zarr")));
    await user.page.$eval("#take details", (details) => (details.open = true));
    const code = async (language) => {
      await press(language);
      await until(() => user.page.evaluate(() => globalThis.copied), Boolean);
      return user.page.evaluate(() => {
        const text = globalThis.copied;
        globalThis.copied = undefined;
        return text;
      });
    };
    const script = (await code("Python")).replaceAll(`${explorer.site.url}/made`, made.directory).replaceAll(elsewhere.url, made.directory);
    const said = await python("-c", `${script}\nimport json\nimport numpy as np\nv = np.asarray(view, dtype="float64")\nprint(json.dumps(np.where(np.isnan(v), None, v).tolist()))`);
    areNear(JSON.parse(said).flat().map((v) => v ?? NaN), expected.year[2].flat(), 6e-3, script);
    const module = await code("JavaScript");
    const file = join(made.directory, "view.mjs");
    await writeFile(file, `${module.replace('"rectilinear-zarr"', JSON.stringify(pathToFileURL(join(PACKAGE, "node.js")).href))}\nconsole.log(JSON.stringify([[...data], shape]));\nprocess.exit();\n`);
    const [data, shape] = JSON.parse((await promisify(execFile)(process.execPath, [file])).stdout);
    assert.deepEqual(shape, [6, 8]);
    areNear(data.map((v) => v ?? NaN), expected.year[2].flat(), 6e-3, module);
    assert.deepEqual(user.problems, []);
  });

  test("a frame may be asked for one", async () => {
    const outer = await listen((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>around</title>
      <script>globalThis.told = []; addEventListener("message", ({ data }) => told.push(data));</script>
      <iframe title="Explorer" width="640" height="420" src="${explorer.site.url}/?embed=1#${at("")}"></iframe>`));
    try {
      await user.page.goto(outer.url);
      await user.waitFor(() => globalThis.told.some(({ type }) => type === "rectilinear-zarr:state"));
      await user.page.evaluate((less) => document.querySelector("iframe").contentWindow.postMessage({ type: "rectilinear-zarr:set", less }, "*"), other("year.zarr"));
      await user.waitFor((less) => globalThis.told.at(-1).less === less, other("year.zarr/days/tasmax"));
      assert.deepEqual(user.problems, []);
    } finally {
      await outer.close();
    }
  });
});
