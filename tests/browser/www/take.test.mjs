/** Parts of the explorer to take along: links, code and files, run and read by numpy, xarray, zarr-python and the package in Node. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { startExplorer } from "../support/explorer.mjs";
import { nginxListing } from "../support/listings.mjs";
import { PACKAGE, ROOT } from "../support/paths.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const run = promisify(execFile);
const { Group } = await import(pathToFileURL(join(PACKAGE, "node.js")).href);

describe("what the explorer gives along", () => {
  let directory;
  let explorer;
  let nginx;
  let user;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-explorer-"));
    await run(python, ["-W", "ignore", join(ROOT, "tests/oracle/explorer.py"), directory]);
    nginx = await nginxListing(directory);
    explorer = await startExplorer({ "/made": directory, "/nginx": nginx.handle });
  });
  after(async () => {
    await explorer?.close();
    await nginx?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
    await user.page.evaluateOnNewDocument(() => {
      globalThis.saved = [];
      HTMLAnchorElement.prototype.click = function () {
        saved.push(fetch(this.href).then(async (answer) => ({ name: this.download, bytes: [...new Uint8Array(await answer.arrayBuffer())] })));
      };
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (globalThis.copied = text) } });
    });
  });
  afterEach(() => user.close());

  const openChoices = async () => {
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.page.waitForSelector("#take .choices", { timeout: 60_000 });
  };
  const show = async (path, host = "made") => {
    await user.show(`url=${explorer.site.url}/${host}/store.zarr/${path}`);
    await openChoices();
  };
  const press = (label) => user.page.evaluate((text) => [...document.querySelectorAll("#take button")].find((button) => button.textContent === text && button.checkVisibility()).click(), label);
  /** Presses a button that copies; gives the text. */
  const copiedBy = async (label) => {
    await user.page.evaluate(() => void delete globalThis.copied);
    await press(label);
    await user.waitFor(() => globalThis.copied !== undefined);
    return user.page.evaluate(() => globalThis.copied);
  };
  const offered = () => user.page.$$eval("#take button", (list) => list.filter((button) => button.checkVisibility()).map((button) => button.textContent));
  /** Presses a button that saves a file, and writes the file; gives its path. */
  const saved = async (label) => {
    await press(label);
    await user.waitFor(() => globalThis.saved.length > 0);
    const { name, bytes } = await user.page.evaluate(() => saved.pop());
    await writeFile(join(directory, name), Uint8Array.from(bytes));
    return join(directory, name);
  };
  const py = async (script, ...args) => JSON.parse((await run(python, ["-W", "ignore", "-c", `import json, sys\nimport numpy as np\n${script}`, ...args])).stdout);
  /** The values that zarr-python has at an index expression, unpacked and with None where there is no data. */
  const expected = (path, index, unpack = "") => py(`import zarr
a = zarr.open_array(sys.argv[1], mode="r", path=sys.argv[2])[${index}].astype("float64")
${unpack}
print(json.dumps(np.where(np.isnan(a), None, a).tolist()))`, join(directory, "store.zarr"), path);
  const UNPACK = "a = np.where(a == -99, np.nan, a * 0.5 - 20)";
  const SPEED = "a = np.where(a == 30, np.nan, a * 0.25)";
  const listed = (code) => `v = ${code}\nprint(json.dumps(np.where(np.isnan(v), None, v).tolist()))`;

  test("keys in the code move its cursor and not the picture", async () => {
    await user.show("at=10");
    await user.page.click("#take summary");
    const python = await user.page.waitForSelector("xpath///section[@id='take']//button[text()='Python']");
    await python.click();
    await user.page.focus("#code");
    await user.page.keyboard.press("ArrowRight");
    await user.page.keyboard.press(" ");
    assert.equal(await user.page.$eval("#view", ({ dataset }) => dataset.at), "10");
    assert.equal(await user.page.$eval("#code", ({ hidden }) => hidden), false);
  });

  test("values as .npy and CSV, turned or not, are those of the store", async () => {
    for (const [view, index, shape] of [["run/temp&at=3,1", "3, 1", [4, 6]], ["run/temp&at=3,1&axes=3,2", "3, 1, :, :", [6, 4]]]) {
      await show(view);
      const turn = shape[0] === 6 ? "a = a.T" : "";
      const wanted = await expected("run/temp", index, `${UNPACK}\n${turn}`);
      assert.deepEqual(await py(listed("np.load(sys.argv[1])"), await saved("Values as .npy")), wanted);
      assert.deepEqual(await py(listed("np.genfromtxt([line for line in open(sys.argv[1]) if line[0] != '#'][1:], delimiter=',')[:, 1:]"), await saved("Values as CSV")), wanted);
    }
    await show("read/ids");
    const ids = await py("print(json.dumps([str(x) for x in np.load(sys.argv[1]).ravel()]))", await saved("Values as .npy"));
    assert.equal(await py("print(json.dumps(str(np.load(sys.argv[1]).dtype)))", await saved("Values as .npy")), "int64"); // though none is below zero
    assert.deepEqual(ids, ["1152921504606846977", "1152921504606846978", "1152921504606846979", "1152921504608081543"]);
    const rows = await py("import csv\nprint(json.dumps([row for row in csv.reader(open(sys.argv[1])) if row[0][:1] != '#']))", await saved("Values as CSV"));
    assert.deepEqual(rows, [["axis 0\\axis 1", "0", "1"], ["0", ids[0], ids[1]], ["1", ids[2], ids[3]]]);
    assert.deepEqual(user.problems, []);
  });

  test("values as NetCDF have their coordinates, steps and attributes, and those of 64 bits all their digits", async () => {
    for (const [view, index, turn] of [["run/temp&at=3,1", "3, 1", ""], ["run/temp&at=3,1&axes=3,2", "3, 1", "a = a.T"]]) {
      await show(view);
      const file = await saved("Values as NetCDF");
      const group = await Group.open(`${explorer.site.url}/made/${basename(file)}`);
      const values = await group.array("temp");
      const wanted = await expected("run/temp", index, `${UNPACK}\n${turn}`);
      const { data, shape } = await values.get();
      assert.deepEqual([...data].map((value) => (Number.isNaN(value) ? null : value)), wanted.flat());
      assert.deepEqual(values.dimensionNames, turn ? ["x", "y"] : ["y", "x"]);
      assert.equal(values.attrs.units, "degC");
      assert.equal(values.attrs.coordinates, "time level");
      for (const name of ["scale_factor", "add_offset", "missing_value"]) assert.equal(values.attrs[name], undefined, name);
      assert.equal(shape.length, 2);
      const time = await group.array("time");
      assert.deepEqual((await time.decodeTime()).labels, ["2001-03-02T00:00:00"]);
      assert.deepEqual([...(await (await group.array("level")).get()).data], [850]);
      assert.match(group.attrs.source, /\/made\/store\.zarr\/run\/temp$/);
      assert.match(group.attrs.title, /2 Mar 2001.*level = 850 hPa/);
    }
    await show("read/ids");
    const ids = await (await Group.open(`${explorer.site.url}/made/${basename(await saved("Values as NetCDF"))}`)).array("ids");
    assert.deepEqual([ids.dtype, ...(await ids.get()).data], ["int64", 1152921504606846977n, 1152921504606846978n, 1152921504606846979n, 1152921504608081543n]);
    assert.deepEqual(user.problems, []);
  });

  test("values as GeoTIFF lie where they do, north up, and are offered only where they lie evenly in a system with a code", async () => {
    await user.show("at=171");
    await openChoices();
    const demo = await Group.open(`${explorer.site.url}/data/clear-sky-2024.zarr`);
    const [stored, lat, lon] = await Promise.all([["ghi", [171, null, null]], ["lat", null], ["lon", null]].map(async ([name, selection]) => [...(await (await demo.array(name)).get(selection, { decode: "cf" })).data]));
    const rows = Array.from(lat, (_, row) => stored.slice(row * lon.length, (row + 1) * lon.length));
    const group = await Group.open(`${explorer.site.url}/made/${basename(await saved("Values as GeoTIFF"))}`);
    const array = await group.array((await group.members()).find(({ kind }) => kind === "array").path);
    assert.deepEqual(array.shape.slice(-2), [lat.length, lon.length]);
    assert.deepEqual([...(await array.get()).data], (lat[0] < lat[1] ? rows.toReversed() : rows).flat());
    const close = group.attrs.multiscales.layout[0]["spatial:transform"].map((number) => Number(number.toFixed(6)));
    const step = Math.abs(lon[1] - lon[0]);
    assert.deepEqual(close, [step, 0, Math.min(...lon) - step / 2, 0, -step, Math.max(...lat) + step / 2]);
    assert.equal(group.attrs["proj:code"], "EPSG:4326");
    await show("read/ids");
    assert.ok(!(await offered()).includes("Values as GeoTIFF"));
    assert.deepEqual(user.problems, []);
  });

  test("a table says what its values are", async () => {
    await show("run/temp&at=3,1");
    const lines = await py("print(json.dumps(open(sys.argv[1]).read().split(chr(10))))", await saved("Values as CSV"));
    assert.match(lines[0], /^# .*, in °C$/);
    assert.match(lines[1], /^# 2 Mar 2001, level = 850 hPa$/);
    assert.equal(lines[2], `# ${explorer.site.url}/made/store.zarr/run/temp`);
    assert.match(lines[3], /^y\\x,/);
  });

  test("a line as CSV has its dates and values", async () => {
    await show("run/temp&at=1,2&point=2,4&along=0");
    await user.waitFor(() => [...document.querySelectorAll("#take button")].some((button) => button.textContent === "Line as CSV" && !button.hidden));
    const rows = await py("import csv\nprint(json.dumps([row for row in csv.reader(open(sys.argv[1])) if row[0][:1] != '#']))", await saved("Line as CSV"));
    const wanted = await expected("run/temp", ":, 2, 2, 4", UNPACK);
    assert.deepEqual(rows[0], ["time", "temp"]);
    assert.deepEqual(rows.slice(1).map(([date, value]) => [date.slice(0, 10), value === "" ? null : Number(value)]), ["2001-02-27", "2001-02-28", "2001-03-01", "2001-03-02", "2001-03-03"].map((date, i) => [date, wanted[i]]));
    assert.deepEqual(user.problems, []);
  });

  test("the code runs, in Python and in JavaScript, and reads what is drawn", async () => {
    const store = join(directory, "store.zarr");
    for (const [view, reader, path, index, unpack, host = "nginx"] of [
      ["grid/speed&at=2", "xarray", "grid/speed", "2", SPEED],
      ["grid/speed&at=1&axes=2,0", "xarray", "grid/speed", ":, 1", `${SPEED}\na = a.T`],
      ["read/spike&at=1", "zarr", "read/spike", "1", ""], // beside arrays without names for their dimensions, which xarray refuses
      ["gaps", "zarr", "gaps", ":", ""],
      ["run/temp&at=3,1", "zarr", "run/temp", "3, 1", "", "made"], // whose host lists nothing, so that xarray finds nothing
      ["read/people&axes=1,0", "zarr", "read/people", ":", "a = a.T"],
    ]) {
      const address = `${explorer.site.url}/${host}/store.zarr`;
      await user.show(`url=${address}/${view}`);
      if (host === "nginx") await user.waitFor(() => document.querySelector('[data-path="read/wind"]'));
      await openChoices();
      const code = await copiedBy("Python");
      assert.match(code, new RegExp(`^import ${reader}`));
      assert.ok(code.includes(`"${address}"`)); // which stands in a folder here, as reading it there takes fsspec
      const wanted = await expected(path, index, unpack);
      assert.deepEqual(await py(`${code.replace(address, store)}\n${listed("np.asarray(view, dtype='float64')")}`), wanted, code);

      const module = await copiedBy("JavaScript");
      assert.equal(await user.page.$eval("#code", ({ value }) => value), module);
      const file = join(directory, "view.mjs");
      await writeFile(file, `${module.replace('"rectilinear-zarr"', JSON.stringify(pathToFileURL(join(PACKAGE, "node.js")).href))}\nconsole.log(JSON.stringify([...data]));\nprocess.exit();\n`);
      if (host === "made") continue; // packed here, unpacked there
      const flat = JSON.parse((await run(process.execPath, [file])).stdout); // rows of the array, whichever way they are drawn
      const drawn = /axes=/.test(view) ? wanted[0].map((_, i) => wanted.map((row) => row[i])) : wanted;
      assert.deepEqual(flat, drawn.flat(), module);
    }
    assert.deepEqual(user.problems, []);
  });

  test("offers what there is: no file of items that are not numbers, no code of a zip", async () => {
    await show("odd/station");
    assert.deepEqual(await offered(), ["Copy link", "Embed", "JavaScript", "Python", "Values as CSV"]);
    assert.equal(await copiedBy("Copy link"), await user.page.evaluate(() => location.href));
    await user.show(`url=${explorer.site.url}/made/store.zip`);
    await openChoices();
    assert.deepEqual(await offered(), ["Copy link", "Embed", "JavaScript", "Picture as PNG", "Picture as SVG", "Film…", "Values as CSV", "Values as .npy", "Values as NetCDF"]);
    assert.match(await copiedBy("JavaScript"), /import \{ zipStore \}.*\n\n.*open\(await zipStore\("http.*store\.zip"\), \{ path: "store.zarr\/run\/temp" \}\)/);
    await user.show(`url=${explorer.site.url}/made/store.zarr/odd/raw`);
    assert.equal(await user.page.$eval("#take", ({ hidden }) => hidden), true);
    assert.deepEqual(user.problems, []);
  });
});
