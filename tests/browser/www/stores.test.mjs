/** The explorer over whole stores: the tree and its keys, folders and zips, axes, series, states of chunks, links. */

import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startMade } from "../support/made.mjs";
import { FIXTURES, NEIGHBOURS } from "../support/paths.mjs";

const MEMBERS = ["ghi", "lat", "lon", "time", "hours", "hours/ghi", "hours/hour", "hours/lat", "hours/lon", "hours/time",
  "inputs", "inputs/altitude", "inputs/land", "inputs/month", "inputs/turbidity", "sun", "sun/declination", "sun/equation_of_time", "sun/solar_constant"];

describe("the explorer over stores", () => {
  let directory;
  let explorer;
  let stores;
  let temp; // [time][level][y][x], null where there is no data
  let user;

  before(async () => {
    stores = await startMade("explorer.py", {
      "/kerchunk": join(NEIGHBOURS, "kerchunk"),
      "/broken": join(FIXTURES, "broken"),
      "/oracle": FIXTURES,
      "/cfdb": join(NEIGHBOURS, "cfdb"),
      "/run.icechunk": join(NEIGHBOURS, "icechunk/v2"),
      "/icechunk": join(NEIGHBOURS, "icechunk"),
      "/neighbours": NEIGHBOURS,
    });
    ({ directory, explorer } = stores);
    temp = JSON.parse(await readFile(join(directory, "expected.json"), "utf8")).temp;
  });
  after(() => stores?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const made = (path) => `url=${explorer.site.url}/made/store.zarr/${path}`;
  const hash = () => user.page.evaluate(() => location.hash);
  const said = (v) => (v === null ? "no data" : `${v.toFixed(1).replace("-", "−")} °C`);
  const pickFile = async (selector, path) => {
    await (await user.page.$(selector)).uploadFile(path);
    await user.settled();
  };

  test("shows the header of an array whose codec nobody has, and says why its items are not drawn", async () => {
    await user.show(`url=${explorer.site.url}/broken/codec-unknown.zarr`);
    await user.says(".scalar", /codec "x-lzma9" is not supported/);
    assert.match(await user.text("#dek"), /int32, chunks of unequal length; its items are not drawn/);
    assert.deepEqual((await user.texts("#sums b")), ["y", "x"]);
    assert.ok((await user.texts("dd")).some((text) => /x-lzma9 \(not here\)/.test(text)));
    assert.deepEqual(user.problems, []);
  });

  test("lists objects as JSON, with all digits of integers that numbers round", async () => {
    await user.show(`url=${explorer.site.url}/oracle/object-json2-integers.zarr`);
    await user.page.waitForSelector(".listing td");
    const listed = await user.texts(".listing td");
    assert.deepEqual(listed.slice(0, 3), ["1180591620717411303424", "n", "-9007199254740992"]);
    assert.deepEqual(listed.slice(14, 16), ['{"n":-9223372036854775809,"nan":null}', "[-1208925819614629174706176,18446744073709551616]"]);
    assert.deepEqual(user.problems, []);
  });

  test("shows the tree with shapes, types and units, and opens an array by keys alone", async () => {
    await user.show();
    assert.deepEqual(await user.tree(), MEMBERS);
    assert.deepEqual(await user.texts('[data-path="hours/ghi"] i'), ["int16", "12 × 24 × 36 × 72", "W m⁻²"]);
    assert.equal(await user.page.$eval('[role="treeitem"][aria-selected="true"]', (item) => item.getAttribute("aria-label")), "ghi, int16, 366 × 180 × 360, kWh m⁻² d⁻¹, array, Clear-sky solar energy on a horizontal surface");
    // Whoever speaks to the page says what stands there: the name of an item has its text in it.
    const names = await user.page.$$eval('[role="treeitem"]', (items) => items.map((item) => [item.getAttribute("aria-label"), [...item.querySelectorAll("b, i")].map(({ textContent }) => textContent).join(" ")]));
    const plainly = (text) => text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    for (const [name, text] of names) assert.ok(plainly(name).includes(plainly(text)), `${name} has not ${text}`);

    const { keyboard } = user.page;
    await user.page.focus("#pick-folder");
    await keyboard.press("Tab"); // the summary
    await keyboard.press("Tab"); // the one item of the tree that has the tab stop
    const focused = () => user.page.evaluate(() => document.activeElement.dataset.path);
    assert.equal(await focused(), "ghi");
    await keyboard.press("End");
    assert.equal(await focused(), "sun/solar_constant");
    await keyboard.press("ArrowLeft"); // its group
    await keyboard.press("ArrowLeft"); // which closes
    assert.deepEqual((await user.tree()).at(-1), "sun");
    await keyboard.press("ArrowUp");
    assert.equal(await focused(), "inputs/turbidity");
    await keyboard.press("Enter");
    await user.says("#title", /Linke turbidity/);
    await user.settled();
    assert.equal(await focused(), "inputs/turbidity");
    assert.match(await user.text(".where .now"), /January/); // the axis is named by texts
    assert.match(await hash(), /clear-sky-2024\.zarr\/inputs\/turbidity&at=0$/);
    await user.page.goBack();
    await user.says("#title", /Cloudless sunlight/);
    assert.deepEqual(user.problems, []);
  });

  test("a group that is not consolidated says what to do, and opens its arrays by address", async () => {
    await user.show(made("").replace(/\/$/, ""));
    assert.equal(await user.text("#title"), "Made for the explorer");
    assert.match(await user.text("#dek"), /not consolidated.*Add an array's name to the address/);
    assert.equal(await user.page.$eval("#stage", (stage) => stage.hidden), true);
    await user.show(made("run/temp"));
    assert.equal(await user.text("#title"), "Temperature");
    await user.waitFor(() => document.querySelector('[data-path="run/time"]')); // the coordinates that its dimensions name
    assert.deepEqual(await user.tree(), ["run", "run/level", "run/temp", "run/time"]);
    assert.match(await user.text(".where .now"), /27 Feb 2001/); // noleap, from the coordinate beside it
    assert.deepEqual(user.problems, []);
  });

  test("a picked zip has its tree, although a folder lies around everything", async () => {
    await user.show();
    await pickFile("#file", join(directory, "store.zip"));
    await user.says("#title", /Temperature/);
    await user.settled();
    assert.deepEqual((await user.tree()).filter((path) => path.includes("/run")), ["store.zarr/run", "store.zarr/run/level", "store.zarr/run/temp", "store.zarr/run/time"]);
    assert.match(await user.text(".tree-note"), /from this device; a link cannot restore it/);
    assert.equal(await hash(), "");
    await user.point([3, 1], [6, 4]);
    assert.equal(await user.text(".tip b"), said(temp[0][0][1][3]));
    assert.deepEqual(user.problems, []);
  });

  test("a picked folder has its tree, by either way of picking", async () => {
    await user.show();
    await user.page.evaluate(async (address) => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("picked", { create: true });
      for (const path of ["zarr.json", "gaps/zarr.json", "gaps/c/0/0", "gaps/c/2/1"]) {
        const bytes = await (await fetch(`${address}/${path}`)).arrayBuffer();
        let at = folder;
        for (const name of path.split("/").slice(0, -1)) at = await at.getDirectoryHandle(name, { create: true });
        const writer = await (await at.getFileHandle(path.split("/").at(-1), { create: true })).createWritable();
        await writer.write(bytes);
        await writer.close();
      }
      globalThis.showDirectoryPicker = () => folder;
    }, `${explorer.site.url}/made/store.zarr`);
    await user.page.click("#pick-folder");
    await user.says("#title", /gaps/);
    await user.settled();
    assert.deepEqual(await user.tree(), ["gaps"]);
    await user.storage();
    assert.match(await user.text(".tally"), /2 fetched by this step4 not stored/);

    await pickFile("#folder", join(directory, "store.zarr"));
    await user.says("#title", /Temperature/);
    await user.settled();
    assert.ok((await user.tree()).includes("odd/by_month"));
    assert.deepEqual(user.problems, []);
  });

  test("a document of references has its tree, its values and its requests", async () => {
    await user.show(`url=${explorer.site.url}/kerchunk/months.json`);
    assert.deepEqual(await user.tree(), ["t2m", "time"]);
    const whole = await readFile(join(NEIGHBOURS, "kerchunk/months-t2m.bin")); // packed int16, 91 x 8 x 12
    await user.point([5, 2], [12, 8]);
    const kelvin = 280 + 0.01 * whole.readInt16LE((2 * 12 + 5) * 2);
    assert.equal(await user.text(".tip b"), `${kelvin.toFixed(2)} K`);
    await user.storage();
    assert.match(await user.text(".steps li:first-child summary"), /1 of 1 chunk/);
    await user.page.click(".steps li:first-child summary");
    await user.says(".steps li:first-child tbody th", /jan\.nc \[/);
    await user.show((await hash()).slice(1));
    assert.deepEqual(await user.tree(), ["t2m", "time"]);
    assert.deepEqual(user.problems, []);
  });

  test("a file of cfdb's has its tree, its values and its chunks from before its origin on", async () => {
    await user.show(`url=${explorer.site.url}/cfdb/origins.cfdb/field`);
    assert.deepEqual(await user.tree(), ["cube", "field", "time", "x", "y"]);
    const whole = await readFile(join(NEIGHBOURS, "cfdb/origins-field.bin")); // float32, 74 x 25
    await user.point([3, 22], [74, 25]); // x across, y up
    assert.equal((await user.text(".tip b")).replace("−", "-"), `${whole.readFloatLE((3 * 25 + 2) * 4).toFixed(2)}`);
    await user.point([3, 17], [74, 25]);
    assert.equal(await user.text(".tip b"), "no data");
    await user.storage();
    assert.match(await user.text(".steps li:first-child summary"), /24 of 24 chunks/);
    assert.deepEqual(user.problems, []);
  });

  test("a repository has its tree and its values, by its address and a member's, and whatever it is called", async () => {
    const site = explorer.site.url;
    const whole = await readFile(join(NEIGHBOURS, "icechunk/v2-0-t2m.bin")); // int16, 91 x 4 x 6
    const value = async () => Number((await user.text(".tip b")).replace("−", "-").replace(/[^-\d]/g, ""));
    for (const name of ["run.icechunk", "run.icechunk/t2m", "icechunk/v1"]) {
      await user.show(`url=${site}/${name}`);
      assert.deepEqual(await user.tree(), ["lat", "surface-level", "t2m", "time", "surface", "surface/wind", "surface/deep", "surface/deep/er", "surface/deep/er/scalar"]);
      if (name.startsWith("icechunk")) continue;
      await user.point([5, 2], [6, 4]);
      assert.equal(await value(), whole.readInt16LE((2 * 6 + 5) * 2));
    }
    assert.deepEqual(user.problems, []);
  });

  test("four axes: any two are drawn, the others stepped along, and values are the oracle's", async () => {
    await user.show(`${made("run/temp")}&at=3,1`);
    assert.deepEqual(await user.texts(".where .now"), ["2 Mar 2001", "level = 850 hPa"]);
    for (const [x, y] of [[0, 0], [5, 3], [2, 1]]) {
      await user.point([x, y], [6, 4]);
      assert.equal(await user.text(".tip b"), said(temp[3][1][y][x]));
    }
    await user.page.select("#rows", "0");
    await user.settled();
    assert.match(await hash(), /axes=0,3/);
    await user.page.select("#columns", "1");
    await user.says(".where", /y = /);
    await user.settled();
    await user.point([2, 4], [3, 5]); // level across, time down, in the middle of what was drawn before
    assert.equal(await user.text(".tip b"), said(temp[4][2][2][3]));
    await user.page.select("#rows", "1"); // they change places
    await user.settled();
    assert.match(await hash(), /axes=1,0/);
    await user.point([4, 2], [5, 3]);
    assert.equal(await user.text(".tip b"), said(temp[4][2][2][3]));
    assert.deepEqual(user.problems, []);
  });

  test("a click draws the series through the cell, whose values are the oracle's, and a link restores it", async () => {
    await user.show(`${made("run/temp")}&at=1,2`);
    await user.point([4, 2], [6, 4], { click: true });
    await user.says("#series h2", /Along time/);
    const seen = async () => {
      const values = [];
      for (let i = 0; i < 5; i++) {
        await user.point([i, 0], [5, 1], { plot: "#series-plot" });
        values.push(await user.text("#series .tip b"));
      }
      return values;
    };
    const expected = temp.map((level) => said(level[2][2][4]));
    assert.deepEqual(await seen(), expected);
    await user.show((await hash()).slice(1));
    await user.says("#series h2", /Along time/);
    assert.deepEqual(await seen(), expected);
    await user.page.select("#along", "1");
    await user.says("#series h2", /Along level at 28 Feb 2001/);
    await user.point([0, 0], [3, 1], { plot: "#series-plot", click: true }); // goes to that level
    await user.says(".axis:nth-child(2) .now", /1,000 hPa/);
    await user.page.click("#series button");
    assert.equal(await user.page.$eval("#series", (section) => section.hidden), true);
    assert.deepEqual(user.problems, []);
  });

  test("days that the browser's calendar lacks are in the line of a time array, and in its file", async () => {
    await user.show(made("odd/day"));
    const dates = ["27 Feb 2001", "28 Feb 2001", "29 Feb 2001", "30 Feb 2001", "1 Mar 2001", "2 Mar 2001"];
    for (const [nth, date] of dates.entries()) {
      await user.point([nth, 0], [dates.length, 1]);
      assert.match(await user.text(".tip b"), new RegExp(`^${date}`));
    }
    await user.page.click("#take summary");
    await user.waitFor(() => document.querySelector("#take button")?.checkVisibility());
    const csv = await user.page.evaluate(async () => {
      const found = new Promise((done) => (URL.createObjectURL = (blob) => (done(blob.text()), "#")));
      [...document.querySelectorAll("#take button")].find(({ textContent }) => textContent === "Values as CSV").click();
      return found;
    });
    assert.deepEqual(csv.trim().split("\n").slice(-6).map((line) => line.split(",").at(-1).slice(0, 10)), ["2001-02-27", "2001-02-28", "2001-02-29", "2001-02-30", "2001-03-01", "2001-03-02"]);
    assert.deepEqual(user.problems, []);
  });

  test("where nothing could be opened the page says how to go on", async () => {
    for (const address of ["ftp://example.org/a.zarr", `${explorer.site.url}/nowhere/a.zarr`]) {
      await user.page.goto("about:blank");
      await user.page.goto(`${explorer.site.url}/#url=${encodeURIComponent(address)}`);
      await user.says("#title", /^Nothing could be opened$/);
      assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), false);
      const links = await user.page.$$eval("#dek a", (list) => list.map(({ href }) => href));
      for (const href of links.slice(1)) assert.ok((await fetch(href)).ok, href);
      await user.page.click("#dek a");
      await user.says("#title", /^Cloudless sunlight/);
      await user.settled();
    }
    assert.deepEqual(user.problems, []);
  });

  test("the keyboard reaches a cell, its value and its series", async () => {
    await user.show(`${made("run/temp")}`);
    await user.page.focus("#plot");
    await user.page.keyboard.press("ArrowRight"); // the cursor appears in the middle
    await user.page.keyboard.press("ArrowRight");
    assert.match(await user.text("#status"), /^(−?[\d.]+ °C|no data), y = \d, x = 4$/);
    await user.page.keyboard.press("Enter");
    await user.says("#status", /^Along time at .*From .* °C to .* °C/);
    assert.deepEqual(user.problems, []);
  });

  test("chunks are drawn to scale: in flight, then fetched or not stored, then failed", async () => {
    let release;
    const held = new Promise((done) => (release = done));
    explorer.given.delay = (url) => (/gaps\/c\/2/.test(url) ? held : 0);
    const opening = user.show(`${made("gaps")}&chunks=1`);
    const counted = (states) => [...new Set(states.map(([state]) => state))].map((state) => `${state} ${states.filter(([own]) => own === state).length}`).sort().join();
    await user.waitFor(() => /3 not stored/.test(document.querySelector(".tally")?.textContent));
    await user.says(".tally", /1 fetched by this step/);
    assert.equal(counted(await user.chunks("#chunk-map")), "missing 3,now 1,reading 2");
    assert.equal(counted(await user.chunks("#figure")), "missing 3,now 1,reading 2");
    release();
    await opening;
    const drawn = (await user.chunks("#chunk-map")).sort(([, x, y], [, x2, y2]) => y - y2 || x - x2);
    assert.deepEqual(drawn, [["now", 0, 0, 4, 2], ["missing", 4, 0, 4, 2], ["missing", 0, 2, 4, 2], ["missing", 4, 2, 4, 2], ["missing", 0, 4, 4, 2], ["now", 4, 4, 4, 2]]);
    await user.page.$eval(".chunk-map", (map) => map.scrollIntoView({ block: "center" }));
    const { x, y, width, height } = await (await user.page.$(".chunk-map")).boundingBox();
    await user.page.mouse.move(x + width * 0.7, y + height * 0.9);
    assert.equal(await user.text(".chunk-map > title"), "Chunk 2, 1: fetched by this step");

    explorer.given.status = (url) => (/temp\/c\/1/.test(url) ? 403 : 200);
    await user.show(`${made("run/temp")}&at=2&chunks=1`);
    await user.storage();
    assert.match(await user.text("#error"), /could not be fetched.*StoreError: .*403/);
    assert.match(await user.text(".tally"), /[12] failed/); // the first of which ends the read
    assert.equal(await user.page.$eval('.axis:first-child .block[data-chunk="1"]', (block) => block.dataset.state), "failed");
    await user.page.click('[aria-label="Previous step, time"]');
    await user.settled();
    assert.match(await user.text(".tally"), /^2 fetched by this step$/);
    assert.deepEqual(user.problems, []);
  });

  test("of a shard only the chunks that were read count as fetched", async () => {
    await user.show(`url=${explorer.site.url}/data/clear-sky-2024.zarr/hours/ghi&at=5,12`);
    const states = () => user.page.$$eval(".axis:nth-child(2) .block", (list) => list.map((block) => block.dataset.state));
    assert.deepEqual(await states(), ["none", "none", "now", "none"]); // quarters of a day
    await user.page.click('[aria-label="Next chunk, hour"]');
    await user.settled();
    assert.deepEqual(await states(), ["none", "none", "held", "now"]);
    await user.storage();
    assert.match(await user.text("#chunk-map .total"), /1 chunk of 48, in 12 shards/);
    assert.deepEqual(user.problems, []);
  });

  for (const name of ["store.zip", "store.ozx"]) {
    test(`a zip that is dropped on the page opens: ${name}`, async () => {
      await user.show();
      await user.page.evaluate(async ([url, name]) => {
        const dropped = new DataTransfer();
        dropped.items.add(new File([await (await fetch(url)).blob()], name));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
      }, [`${explorer.site.url}/made/store.zip`, name]);
      await user.says("#title", /Temperature/);
      assert.deepEqual(user.problems, []);
    });
  }

  test("an .ozx opens by its address, and by the picker, which offers such files", async () => {
    await copyFile(join(directory, "store.zip"), join(directory, "store.ozx"));
    for (const [path, member] of [["", "store.zarr/run/level"], ["/store.zarr/run/temp", "run/level"]]) {
      await user.show(`url=${explorer.site.url}/made/store.ozx${path}`);
      await user.says("#title", /Temperature/);
      await user.settled();
      await user.waitFor((path) => document.querySelector(`[data-path="${path}"]`), member);
      assert.match(await hash(), /store\.ozx\/store\.zarr\/run\/temp/);
    }
    await user.show();
    assert.match(await user.page.$eval("#file", ({ accept }) => accept), /\.ozx/);
    await pickFile("#file", join(directory, "store.ozx"));
    await user.says("#title", /Temperature/);
    assert.deepEqual(user.problems, []);
  });

  for (const name of ["netcdf/by-hand.nc", "hdf5/links-earliest.h5", "tiff/gdal-000.tif"]) {
    test(`${name}, from this device, has the tree and the values that it has at its address`, async () => {
      const seen = async () => {
        await user.settled();
        const paths = await user.tree();
        return [paths, await user.text("#title"), await user.page.$eval("#view", ({ dataset }) => dataset.at), await user.texts("#about dd").then((list) => list.slice(2, 6))];
      };
      await user.show(`url=${explorer.site.url}/neighbours/${name}`);
      const wanted = await seen();
      assert.ok(wanted[0].length > 0, "it opens by its address");
      await user.show();
      explorer.site.requests.length = 0;
      await pickFile("#file", join(NEIGHBOURS, name));
      await user.waitFor((title) => document.querySelector("#title").textContent === title, wanted[1]);
      assert.deepEqual(await seen(), wanted);
      assert.match(await user.text("#contents"), new RegExp(name.split("/")[1]));
      assert.equal(await hash(), "");
      assert.deepEqual(explorer.site.requests.filter(({ url, method }) => method !== "GET" || url.includes(name)), [], "nothing of it leaves the device");
      assert.deepEqual(user.problems, []);
    });
  }

  test("a file that is none of these is refused by its name, and what was open stays", async () => {
    await user.show();
    await pickFile("#file", join(directory, "expected.json"));
    await user.says("#error", /What was open before is still here/);
    assert.match(await user.text("#title"), /Cloudless sunlight/);
    assert.deepEqual(user.problems, []);
  });

  test("playback asks for the next chunks ahead of time", async () => {
    await user.show("at=24&chunks=1"); // 25 January, a week before the chunk's end
    explorer.site.requests.length = 0;
    await user.page.click('[aria-label="Play, time"]');
    await user.says(".steps", /Ahead: 1 Feb 2024/);
    await user.waitFor(() => Number(document.querySelector("#view").dataset.at) >= 31);
    await user.page.click('[aria-label="Pause, time"]');
    const february = explorer.site.requests.filter(({ url }) => /ghi\/c\/1\//.test(url)).map(({ url }) => url.split("/c/")[1]);
    assert.deepEqual(february.sort(), ["1/0/0", "1/1/0", "1/2/0", "1/3/0", "1/4/0"]); // by nobody a second time
    assert.deepEqual(user.problems, []);
  });

  test("items that are no numbers are listed, counted as magnitudes, or said not to be drawn", async () => {
    await user.show(made("odd/station"));
    await user.page.waitForSelector(".listing td");
    assert.deepEqual(await user.texts(".listing td"), ["Oslo", "Bergen", "(empty)"]);
    await user.show(made("odd/impedance"));
    assert.match(await user.text(".note"), /by their magnitude/);
    await user.point([0, 0], [2, 2]);
    assert.equal(await user.text(".tip b"), "5");
    await user.show(made("odd/hot"));
    await user.point([0, 0], [3, 1]);
    assert.deepEqual([await user.text(".tip b"), await user.text(".tip span")], ["true", "Oslo"]);
    await user.show(made("odd/by_month"));
    await user.point([1, 0], [4, 1]);
    assert.deepEqual([await user.text(".tip b"), await user.text(".tip span")], ["no data", "29 Mar 2000"]); // 360_day
    await user.show(made("odd/when"));
    await user.point([0, 0], [2, 1]);
    assert.equal(await user.text(".tip b"), "29 Feb 2020 12:00");
    await user.show(made("odd/answer"));
    assert.equal(await user.text(".scalar"), "42");
    await user.show(made("odd/raw"));
    assert.match(await user.text(".scalar"), /raw_bytes are not drawn/);
    assert.deepEqual(user.problems, []);
  });

  test("no page scrolls sideways in a narrow window, with everything open", async () => {
    await user.page.setViewport({ width: 360, height: 740 });
    for (const view of ["point=90,180", `${made("run/temp")}&point=1,1`, made("odd/station"), made("odd/raw")]) {
      await user.show(view);
      await user.page.$eval("#contents details", (details) => (details.open = true));
      if (view.includes("point")) await user.says("#series h2", /Along/);
      if (view.includes("station")) await user.page.waitForSelector(".listing td");
      assert.ok(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), view);
    }
    assert.deepEqual(user.problems, []);
  });
});
