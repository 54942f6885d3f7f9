/** The explorer's maps, moved: what is read of large planes, by the server's count, and that the pixels are the data. */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { startExplorer } from "../support/explorer.mjs";
import { until } from "../support/network.mjs";
import { ROOT } from "../support/paths.mjs";
import { cellOf, planes } from "../support/planes.mjs";

const { colourIndex, colourTable } = await import(pathToFileURL(join(ROOT, "www/src/model/colormap.js")));
const SCREENSHOTS = join(ROOT, "target/screenshots");
const LARGE = { shape: [20_000, 20_000], chunk: [200, 200] };
/** The most that a picture of samples may take, as explorer.md says: at first, and while nobody moves. */
const MOST = { first: { bytes: 16e6, chunks: 128 }, idle: { bytes: 64e6, chunks: 512 } };

describe("the explorer's maps, zoomed and moved", () => {
  const host = planes({ large: LARGE, "pyramid.zarr": { shape: [8192, 8192], chunk: [256, 256], levels: 6 }, steps: { shape: [3, 2000, 2000], chunk: [1, 200, 200] }, wide: { shape: [300, 600], chunk: [100, 100] }, fine: { shape: [1000, 1000], chunk: [10, 10] } });
  const { given } = host;
  let explorer;
  let user;

  before(async () => {
    explorer = await startExplorer({ "/planes": host.handle });
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(() => explorer?.close());
  beforeEach(async () => {
    Object.assign(given, { held: undefined, log: [] });
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const at = (name, more = "") => `url=${explorer.site.url}/planes/${name}&chunks=0${more}`;
  const hash = () => user.page.evaluate(() => location.hash);
  const viewed = async () => /view=([^&]*)/.exec(await hash())?.[1].split(",").map(Number);
  /** Waits by the page's own clock, whose timers end in the order of their times on a slow machine too. */
  const pause = (ms) => user.page.evaluate((long) => new Promise((done) => setTimeout(done, long)), ms);
  const box = async () => (await user.page.$("#plot")).boundingBox();
  const total = (log) => log.reduce((sum, { bytes }) => sum + bytes, 0);
  const distinct = (log) => new Set(log.map(({ path }) => path)).size;

  /** Waits until the view rests, all of it is read, and the link says it. */
  async function rested() {
    await pause(250);
    await user.settled();
    await pause(600); // links are written twice a second
  }

  /** The value and the place that the tip says under a part of the picture, as numbers. */
  async function tipAt([u, v]) {
    const { x, y, width, height } = await box();
    await user.page.mouse.move(x + width * u, y + height * v);
    const [value, place] = [await user.text(".tip b"), await user.text(".tip span")];
    return { value: Number(value.replace(/,/g, "")), cell: place.replace(/(\d),(\d)/g, "$1$2").match(/\d+/g).map(Number) };
  }

  /** Zooms with the wheel at a part of the picture, in notches. */
  async function wheel([u, v], notches, wait = 20) {
    const { x, y, width, height } = await box();
    await user.page.mouse.move(x + width * u, y + height * v);
    for (let nth = 0; nth < notches; nth++) {
      await user.page.mouse.wheel({ deltaY: -450 });
      await pause(wait);
    }
  }

  /** Colours at parts of the plot, as the screen shows them. */
  async function seen(parts) {
    await user.page.addStyleTag({ content: ".zoom, .tip, .overlay { visibility: hidden }" });
    await user.page.mouse.move(0, 0);
    const shot = await (await user.page.$("#plot")).screenshot({ encoding: "base64" });
    return user.page.evaluate(async (data, wanted) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return wanted.map(([u, v]) => [...context.getImageData(Math.floor(u * bitmap.width), Math.floor(v * bitmap.height), 1, 1).data]);
    }, shot, parts);
  }
  const colourOf = (value, range) => [...colourTable("inferno").slice(colourIndex(value, range) * 3, colourIndex(value, range) * 3 + 3), 255];

  test("a plane of 10,000 chunks shows an overview within its bytes, and each cell once it is near enough", async () => {
    await user.show(at("large"));
    const within = ({ bytes, chunks }) => assert.ok(total(given.log) <= bytes && distinct(given.log) <= chunks, `${total(given.log)} bytes of ${distinct(given.log)} chunks`);
    within(MOST.first);
    assert.match(await user.text(".note"), /every 2,048th along y and every 2,048th along x/);
    await user.says(".note", /every 1,024th along y and every 1,024th along x/);
    await user.settled();
    within(MOST.idle);
    for (const part of [[0.1, 0.1], [0.5, 0.7], [0.96, 0.96]]) {
      const { value, cell } = await tipAt(part);
      assert.equal(value, cellOf(...cell));
    }
    await wheel([0.3, 0.6], 7);
    await rested();
    given.log.length = 0;
    const [row, column, zoom] = await viewed();
    assert.ok(zoom > 80 && Math.abs(row - 12_000) < 200 && Math.abs(column - 6000) < 200, `${[row, column, zoom]}`);
    for (const part of [[0.21, 0.13], [0.5, 0.5], [0.83, 0.91]]) {
      const { value, cell } = await tipAt(part);
      const expected = [row + (part[1] - 0.5) * 20_000 / zoom, column + (part[0] - 0.5) * 20_000 / zoom];
      cell.forEach((n, i) => assert.ok(Math.abs(n + 0.5 - expected[i]) <= 1, `cell ${cell} is not ${expected}`));
      assert.equal(value, cellOf(...cell));
    }
    assert.equal(given.log.length, 0);
    assert.deepEqual(user.problems, []);
  });

  test("reads what comes into view alone, and drops requests for what leaves it", async () => {
    await user.show(at("large", "&view=10000,10000,60"));
    const chunks = new Set(given.log.map(({ path }) => path.split("/c/")[1]));
    const inView = [47, 48, 49, 50, 51, 52]; // 333 cells around 10,000, and what is cut with them
    for (const key of chunks) for (const nth of key.split("/")) assert.ok(inView.includes(Number(nth)), key);
    given.log.length = 0;
    let release;
    given.held = new Promise((done) => (release = done));
    const { x, y, width, height } = await box();
    const drag = async (by) => {
      await user.page.mouse.move(x + width * 0.9, y + height / 2);
      await user.page.mouse.down();
      for (let nth = 1; nth <= 8; nth++) {
        await user.page.mouse.move(x + width * (0.9 - (by * nth) / 8), y + height / 2);
        await pause(15);
      }
      await user.page.mouse.up();
    };
    await drag(0.85);
    await until(() => given.log.length > 0);
    await pause(300);
    const first = given.log.slice();
    for (let nth = 0; nth < 5; nth++) await drag(0.85);
    await until(() => first.every(({ left }) => left));
    release();
    await user.settled();
    await rested();
    const [, column] = await viewed();
    assert.ok(column > 11_500 && column < 12_000, `column ${column}`);
    const { value, cell } = await tipAt([0.4, 0.4]);
    assert.equal(value, cellOf(...cell));
    assert.deepEqual(user.problems, []);
  });

  test("of a pyramid, the level that fits is read, and finer ones as one zooms", async () => {
    await user.show(at("pyramid.zarr/0"));
    const levels = () => [...new Set(given.log.map(({ path }) => Number(path.split("/")[2])))].sort();
    assert.deepEqual(levels(), [4]);
    assert.match(await user.text(".note"), /level 4, whose cells are 16 × 16/);
    const first = await tipAt([0.3, 0.2]);
    assert.equal(first.value, cellOf(Math.floor(first.cell[0] / 16), Math.floor(first.cell[1] / 16), 4));
    await user.storage();
    assert.match(await user.text("#chunk-map .total"), /of level 4/);
    assert.match(await user.text(".tally"), /4 fetched by this step/);
    given.log.length = 0;
    await user.show(at("pyramid.zarr/0", "&view=4096,4096,8"));
    assert.deepEqual(levels(), [1]);
    given.log.length = 0;
    await wheel([0.5, 0.5], 3);
    await rested();
    assert.equal(levels()[0], 0);
    const { value, cell } = await tipAt([0.25, 0.75]);
    assert.equal(value, cellOf(...cell));
    assert.ok(!(await user.text(".note")), "all cells are drawn");
    assert.deepEqual(user.problems, []);
  });

  test("draws the right pixels at any zoom", async () => {
    await user.show(at("wide", "&range=0,1000&view=100,200,20"));
    const [row, column, zoom] = await viewed();
    const cells = [[96, 190], [100, 200], [104, 209], [93, 211]];
    const parts = cells.map(([r, c]) => [0.5 + ((c + 0.5 - column) * zoom) / 600, 0.5 + ((r + 0.5 - row) * zoom) / 300]);
    assert.deepEqual(await seen(parts), cells.map(([r, c]) => colourOf(cellOf(r, c), [0, 1000])));
    assert.deepEqual(user.problems, []);
  });

  test("a link restores the view, and one that makes no sense shows the whole", async () => {
    await user.show(at("wide", "&view=100,200,20"));
    assert.deepEqual(await viewed(), [100, 200, 20]);
    const before = await tipAt([0.31, 0.62]);
    await user.show((await hash()).slice(1));
    assert.deepEqual(await tipAt([0.31, 0.62]), before);
    for (const view of ["1,2", "a,b,c", "5,5,0.1", "1,1,Infinity"]) {
      await user.show(at("wide", `&view=${view}`));
      assert.equal(await viewed(), undefined);
      assert.deepEqual((await tipAt([0.001, 0.001])).cell, [0, 0]);
    }
    await user.show(at("wide", "&view=-100,9000,20"));
    assert.deepEqual((await tipAt([0.999, 0.001])).cell, [0, 599]);
    assert.deepEqual(user.problems, []);
  });

  test("a link to a moved view restores its colours, which span what was in view before", async () => {
    const range = () => user.page.$$eval("#low, #high", (list) => list.map(({ value }) => Number(value)));
    await user.show(at("pyramid.zarr/0"));
    assert.doesNotMatch(await hash(), /range=/);
    await wheel([0.3, 0.6], 3);
    await rested();
    const before = await range();
    await user.waitFor(() => location.hash.includes("range="));
    await user.show((await hash()).slice(1));
    assert.deepEqual(await range(), before);
    await user.show((await hash()).slice(1).replace(/&range=[^&]*/, ""));
    assert.notDeepEqual(await range(), before, "without it, the colours span what is in view alone");
    assert.deepEqual(user.problems, []);
  });

  test("lines between chunks stay eight pixels apart, and closer ones leave the picture's colours alone", async () => {
    const fine = (more = "") => `url=${explorer.site.url}/planes/fine&chunks=1${more}`;
    const drawn = () => user.page.$$eval("#plot .overlay .chunks > *", (list) => list.length);
    await user.show(fine());
    assert.equal(await drawn(), 0);
    await user.show(fine("&view=500,500,4"));
    const lines = (count) => user.waitFor((wanted) => document.querySelectorAll(".chunks .line[data-axis='1']").length === wanted, count);
    await lines(25);
    const places = await user.page.$$eval(".chunks .line[data-axis='1']", (list) => list.map((line) => line.getBoundingClientRect().left).sort((a, b) => a - b));
    assert.ok(places.every((x, i) => i === 0 || x - places[i - 1] >= 7.9), places.join());
    await user.page.setViewport({ width: 240, height: 800 });
    await lines(0);
    await user.page.setViewport({ width: 1280, height: 800 });
    await lines(25);
    assert.deepEqual(user.problems, []);
  });

  test("of chunks of ten cells few out of view are read, and all that stand alike are one shape", async () => {
    await user.show(at("fine", "&view=500,500,10"));
    await user.storage();
    assert.ok(distinct(given.log) >= 100 && distinct(given.log) < 200, `${distinct(given.log)} chunks`); // 100 cells of ten along each axis, and what is cut with them
    const shown = await user.chunks("#figure");
    assert.deepEqual([shown.length, new Set(shown.map(([state]) => state))], [distinct(given.log), new Set(["now"])]);
    assert.equal(await user.page.$$eval("#figure .states *, .chunk-map .states *", (list) => list.length), 2);
    assert.deepEqual(user.problems, []);
  });

  test("the keyboard alone zooms, moves and shows all again", async () => {
    await user.show(at("wide"));
    const { keyboard } = user.page;
    await user.page.focus("#plot");
    await keyboard.press("ArrowRight");
    for (let nth = 0; nth < 6; nth++) await keyboard.press("+");
    await rested();
    const [row, column, zoom] = await viewed();
    assert.ok(zoom > 11 && zoom < 12, `zoom ${zoom}`);
    await keyboard.down("Shift");
    for (let nth = 0; nth < 5; nth++) await keyboard.press("ArrowRight");
    await keyboard.press("ArrowUp");
    await keyboard.up("Shift");
    await rested();
    const [row2, column2] = await viewed();
    assert.ok(column2 > column + 25 && row2 <= row, `${[row2, column2]} from ${[row, column]}`);
    const [, value, r, c] = /^([\d,]+), y = (\d+), x = (\d+)/.exec(await user.text("#status")) ?? [];
    assert.equal(Number(value.replace(",", "")), cellOf(Number(r), Number(c)));
    assert.deepEqual([r, c], ["140", "350"]);
    await keyboard.press("-");
    await rested();
    assert.ok((await viewed())[2] < zoom);
    await keyboard.press("0");
    await rested();
    assert.equal(await viewed(), undefined);
    assert.deepEqual(user.problems, []);
  });

  test("buttons zoom too; a double click zooms and picks nothing, a click picks the cell that the tip names, on a dense screen", async () => {
    await user.page.setViewport({ width: 1280, height: 800, deviceScaleFactor: 2 });
    await user.show(at("steps"));
    await user.page.click('[aria-label="Zoom in"]');
    await rested();
    assert.equal((await viewed())[2], 2);
    await user.page.click('[aria-label="Show all of it"]');
    await rested();
    assert.equal(await viewed(), undefined);
    const { x, y, width, height } = await box();
    await user.page.mouse.click(x + width / 4, y + height / 4, { count: 2 });
    await pause(400);
    await rested();
    assert.equal((await viewed())[2], 2);
    assert.equal(await user.page.$eval("#series", (section) => section.hidden), true);
    await wheel([0.5, 0.5], 4);
    await rested();
    for (const half of [0.5, 0]) {
      const part = [(100 + half) / width, (77 + half) / height];
      const { cell } = await tipAt(part);
      await user.page.mouse.click(x + width * part[0], y + height * part[1]);
      await user.says("#series h2", new RegExp(`at y = ${cell[0].toLocaleString("en")}, x = ${cell[1].toLocaleString("en")}$`));
    }
    assert.deepEqual(user.problems, []);
  });

  test("fingers pinch and drag", async () => {
    await user.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await user.show(at("wide"));
    await user.page.$eval("#plot", (plot) => plot.scrollIntoView({ block: "center" }));
    const { x, y, width, height } = await box();
    const session = await user.page.createCDPSession();
    const touch = async (type, ...points) => {
      await session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([u, v], id) => ({ x: x + width * u, y: y + height * v, id })) });
      await pause(30);
    };
    await touch("touchStart", [0.4, 0.5], [0.6, 0.5]);
    for (const by of [0.15, 0.2, 0.3, 0.4]) await touch("touchMove", [0.5 - by, 0.5], [0.5 + by, 0.5]);
    await touch("touchEnd");
    await rested();
    const [row, column, zoom] = await viewed();
    assert.ok(zoom > 3 && zoom < 4.5 && Math.abs(column - 300) < 15 && Math.abs(row - 150) < 15, `${[row, column, zoom]}`);
    await touch("touchStart", [0.8, 0.5]);
    for (const by of [0.1, 0.2, 0.3, 0.4]) await touch("touchMove", [0.8 - by, 0.5]);
    await touch("touchEnd");
    await rested();
    const [, moved] = await viewed();
    assert.ok(Math.abs(moved - column - (0.4 * 600) / zoom) < 12, `${moved} from ${column}`);
    assert.deepEqual(user.problems, []);
  });

  test("another step keeps the view and reads of it what is in view", async () => {
    await user.show(at("steps", "&at=0&view=1000,1000,10"));
    given.log.length = 0;
    await user.page.click('[aria-label="Next step, time"]');
    await rested();
    const chunks = given.log.map(({ path }) => path.split("/c/")[1]);
    assert.ok(chunks.length > 0 && chunks.length <= 16, `${chunks}`);
    assert.ok(chunks.every((key) => key.startsWith("1/")), `${chunks}`);
    assert.deepEqual((await viewed()), [1000, 1000, 10]);
    const { value, cell } = await tipAt([0.5, 0.5]);
    assert.equal(value, cellOf(...cell) + 1);
    assert.deepEqual(user.problems, []);
  });

  for (const [name, width, height] of [["wide", 1280, 800], ["large", 1720, 1000], ["narrow", 390, 844], ["least", 360, 740]]) {
    for (const scheme of ["light", "dark"]) {
      test(`fits a ${name} window while zoomed, ${scheme}`, async () => {
        await user.page.setViewport({ width, height });
        await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await user.show("at=60&view=130,190,5");
        assert.ok(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
        await user.page.screenshot({ path: join(SCREENSHOTS, `zoomed-${name}-${scheme}.png`) });
        assert.deepEqual(user.problems, []);
      });
    }
  }
});
