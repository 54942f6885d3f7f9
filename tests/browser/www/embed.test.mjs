/** The explorer in a frame of another page: what it shows, what it reads, and what it tells that page. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";

import { startExplorer } from "../support/explorer.mjs";
import { until } from "../support/network.mjs";
import { ROOT } from "../support/paths.mjs";
import { planes } from "../support/planes.mjs";
import { allow, listen } from "../support/server.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");
const SCREENSHOTS = join(ROOT, "target/screenshots");
const PATIENCE = { timeout: 60_000 };

/** A page with a frame, which keeps the messages that come. */
const around = (address, [width, height]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>around</title>
<h1>A page around</h1>
<script>
  globalThis.told = [];
  addEventListener("message", ({ origin, data }) => told.push({ origin, data }));
</script>
<iframe src="${address}" width="${width}" height="${height}" style="border: 0" title="Explorer"></iframe>`;

describe("the explorer in a frame", () => {
  let directory;
  let explorer;
  let outer; // the site of the page around
  let shown = ""; // that page
  let user;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-embed-"));
    await promisify(execFile)(python, ["-W", "ignore", join(ROOT, "tests/oracle/explorer.py"), directory]);
    const levels = planes({ "pyramid.zarr": { shape: [8192, 8192], chunk: [256, 256], levels: 6 } });
    explorer = await startExplorer({ "/made": directory, "/levels": levels.handle }, { watches: true });
    outer = await listen((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(shown));
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await explorer?.close();
    await outer?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  /** Shows a page with a frame; gives the frame once its picture stands. */
  const framed = async (hash = "", size = [640, 420]) => {
    shown = around(`${explorer.site.url}/?embed=1${hash && `#${hash}`}`, size);
    await user.page.goto(`${outer.url}/`);
    const frame = await (await user.page.waitForSelector("iframe")).contentFrame();
    await frame.waitForSelector('#view[aria-busy="false"]', PATIENCE);
    return frame;
  };
  /** The messages so far, once the last one says `at`. */
  const told = async (at) => {
    await user.page.waitForFunction((text) => String(globalThis.told.at(-1)?.data.at) === text, PATIENCE, String(at));
    return user.page.evaluate(() => globalThis.told);
  };
  const shows = (frame, selector) => frame.$$eval(selector, (list) => list.filter((element) => element.checkVisibility()).length);

  // The lengths of chunks beside the picture take room: with them one level fits, without them the next.
  for (const size of [[640, 420], [600, 400], [480, 400]]) {
    test(`a pyramid in a frame of ${size.join(" x ")} settles on one level`, async () => {
      const frame = await framed(`url=${explorer.site.url}/levels/pyramid.zarr/0`, size);
      const changes = await frame.evaluate(async () => {
        let count = 0;
        const observer = new MutationObserver((records) => (count += records.length));
        observer.observe(document.querySelector("#view"), { attributes: true, attributeFilter: ["aria-busy"] });
        await new Promise((done) => setTimeout(done, 1500));
        return count;
      });
      assert.equal(changes, 0);
      assert.equal(await frame.$eval("#view", (view) => view.getAttribute("aria-busy")), "false");
      assert.deepEqual(user.problems, []);
    });
  }

  for (const [name, size, scheme] of [["640", [640, 420], "light"], ["640", [640, 420], "dark"], ["narrow", [360, 480], "light"], ["large", [1000, 700], "light"]]) {
    test(`a frame of ${size.join(" x ")} has the picture, one strip, the legend and the link, and nothing to scroll, ${scheme}`, async () => {
      await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      const frame = await framed("", size);
      for (const wanted of ["#plot", ".axis", ".track", ".colourbar", "#full", "#title"]) assert.equal(await shows(frame, wanted), 1, wanted);
      for (const left of [".top", "#url", ".contents", '[role="treeitem"]', ".side", ".about", "#take", "#health", "#stores", "#origin", ".dek", ".sums", ".choices", ".foot"]) assert.equal(await shows(frame, left), 0, left);
      const box = await frame.evaluate(() => {
        const view = document.querySelector("main");
        const boxes = ["#plot", ".track", ".colourbar", "#full"].map((selector) => document.querySelector(selector).getBoundingClientRect());
        return { heights: [view.scrollHeight, view.clientHeight, document.documentElement.scrollHeight], scrolls: view.scrollHeight > view.clientHeight || document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight, right: Math.max(...boxes.map(({ right }) => right)), plot: boxes[0].width * boxes[0].height };
      });
      assert.equal(box.scrolls, false, JSON.stringify(box));
      assert.ok(box.right <= size[0] && box.plot > 0.2 * size[0] * size[1], JSON.stringify(box));
      assert.ok(await frame.$eval("#plot canvas", (canvas) => new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size > 50));
      await user.page.screenshot({ path: join(SCREENSHOTS, `embed-${name}-${scheme}.png`) });
      await frame.evaluate(axe);
      const found = await frame.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.length} of ${nodes[0].html.slice(0, 160)}`));
      assert.deepEqual(found, []);
      assert.deepEqual(user.problems, []);
    });
  }

  test("four axes leave one strip", async () => {
    const frame = await framed(`url=${explorer.site.url}/made/store.zarr/run/temp&at=3,1`);
    assert.equal((await frame.$$(".axis")).length, 2);
    assert.equal(await shows(frame, ".axis .track"), 1);
    assert.deepEqual(user.problems, []);
  });

  test("the store is not looked through for what else is in it", async () => {
    const during = async (work) => {
      const from = explorer.site.requests.length;
      const asked = () => [...new Set(explorer.site.requests.slice(from).map(({ url }) => url).filter((url) => url.startsWith("/made/")))];
      await work(asked);
      return asked();
    };
    const hash = `url=${explorer.site.url}/made/store.zarr/run/temp&at=3,1&point=1,2`;
    const embedded = await during(async () => {
      await framed(hash);
      await user.page.waitForNetworkIdle(PATIENCE);
    });
    assert.deepEqual(embedded.filter((url) => url.endsWith("/")), [], "no listing");
    assert.deepEqual(embedded.filter((url) => /store\.zarr\/(odd|gaps|read|grid)/.test(url)), []);
    assert.deepEqual(embedded.filter((url) => url.includes("/temp/c/")), ["/made/store.zarr/run/temp/c/1/0/0/0", "/made/store.zarr/run/temp/c/1/0/1/0"], "the picture's chunks, and no line's");
    // The whole page does, and asks for the line.
    await during(async (asked) => {
      await user.show(hash);
      await until(() => asked().some((url) => url.endsWith("/")) && asked().filter((url) => url.includes("/temp/c/")).length > 2);
    });
  });

  test("a click on the picture reads no line", async () => {
    const frame = await framed();
    const from = explorer.site.requests.length;
    await frame.click("#plot");
    await frame.focus("#plot");
    await user.page.keyboard.press("ArrowUp");
    await user.page.keyboard.press("Enter");
    await frame.waitForFunction(() => document.querySelector("#status").textContent.includes("°"), PATIENCE);
    await frame.click('[aria-label="Next step, time"]');
    await told(172);
    await frame.waitForFunction(() => location.hash === "#at=172", PATIENCE);
    assert.deepEqual(explorer.site.requests.slice(from).filter(({ url }) => url.includes("/c/")), []);
    assert.deepEqual(user.problems, []);
  });

  test("the state is told: the link to the whole page, the place, the range", async () => {
    const address = `${explorer.site.url}/made/store.zarr/run/temp`;
    const frame = await framed(`url=${address}&at=3,1&colours=viridis&range=-20,100`);
    const [{ origin, data }, ...more] = await told("3,1");
    assert.equal(origin, explorer.site.url);
    assert.deepEqual(data, {
      type: "rectilinear-zarr:state", link: `${explorer.site.url}/#url=${address}&at=3,1&colours=viridis&range=-20,100`, title: "Temperature", path: "run/temp", less: null,
      axes: ["time", "level"], at: [3, 1], where: ["2 Mar 2001", "level = 850 hPa"], place: null, range: [-20, 100], units: "°C",
    });
    assert.deepEqual(more, [], "once");
    await frame.click('[aria-label="Next step, time"]');
    const last = (await told("4,1")).at(-1).data;
    assert.equal(last.link, data.link.replace("at=3,1", "at=4,1"));
    const { href, target, rel } = await frame.$eval("#full", ({ href: to, target: where, rel: how }) => ({ href: to, target: where, rel: how }));
    assert.deepEqual({ href, target, rel }, { href: last.link, target: "_blank", rel: "noopener" });
    await user.page.goto(href);
    await user.settled();
    assert.equal(await user.page.$eval("#view", (view) => view.dataset.at), "4,1");
    assert.equal(await user.page.$eval(".top", (element) => element.checkVisibility()), true);
    assert.equal(await user.page.$eval("#colours", ({ value }) => value), "viridis");
    assert.deepEqual(user.problems, []);
  });

  test("a drag of the slider tells at most twice a second, and its end last", async () => {
    const frame = await framed();
    await told(171);
    const { steps, began } = await frame.evaluate(async () => {
      const start = performance.now();
      const slider = document.querySelector(".track input");
      const until = performance.now() + 3000;
      let n = 0;
      for (; performance.now() < until || n <= 20; n++) {
        slider.value = 152 + (n % 30);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => setTimeout(done, 20));
      }
      slider.value = 152;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      return { steps: n, began: start };
    });
    const all = await told(152);
    assert.ok(steps > 20, `${steps} steps`);
    assert.ok(all.length > 2 && all.length < steps, `${all.length} messages of ${steps} steps`);
    const long = (await frame.evaluate(() => performance.now())) - began; // by the clock that messages are sent by
    assert.ok(all.length - 1 <= long / 500 + 1, `${all.length - 1} messages in ${long} ms`);
    assert.equal(all.at(-1).data.link, `${explorer.site.url}/#at=152`);
    assert.deepEqual(user.problems, []);
  });

  test("every stepped axis is named, and the wheel is the page's own unless ctrl is down", async () => {
    const frame = await framed(`url=${explorer.site.url}/made/store.zarr/run/temp&at=3,1`);
    const names = await frame.$$eval(".axis .now", (list) => list.filter((each) => each.checkVisibility()).map(({ textContent }) => textContent));
    assert.deepEqual(names, ["2 Mar 2001", "level = 850 hPa"]);
    assert.equal(await frame.evaluate(() => document.querySelector("main").scrollHeight > document.querySelector("main").clientHeight), false);
    const other = await framed(`url=${explorer.site.url}/levels/pyramid.zarr/0`);
    const box = await (await other.$("#plot")).boundingBox();
    await user.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const viewed = () => other.$eval("#plot .overlay", (overlay) => overlay.getAttribute("viewBox"));
    const before = await viewed();
    await user.page.mouse.wheel({ deltaY: -200 });
    await user.page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
    assert.equal(await viewed(), before);
    await user.page.keyboard.down("Control");
    await user.page.mouse.wheel({ deltaY: -200 });
    await user.page.keyboard.up("Control");
    await other.waitForFunction((old) => document.querySelector("#plot .overlay").getAttribute("viewBox") !== old, PATIENCE, before);
    assert.deepEqual(user.problems, []);
  });

  test("the page around asks for a step, a range, another array and a part of the map, and hears what makes no sense", async () => {
    const address = `${explorer.site.url}/made/store.zarr`;
    const frame = await framed(`url=${address}/run/temp&at=3,1`);
    await told("3,1");
    const ask = (order) => user.page.evaluate((message) => document.querySelector("iframe").contentWindow.postMessage({ type: "rectilinear-zarr:set", ...message }, "*"), order);
    await ask({ at: [4, 0], range: [-10, 50] });
    assert.deepEqual((await told("4,0")).at(-1).data.range, [-10, 50]);
    await user.page.evaluate(() => (globalThis.told.length = 0));
    await ask({ at: [4] });
    await ask({ at: [0, 99] });
    await ask({ range: [5, 5] });
    await ask({ path: "run/none" });
    await user.page.waitForFunction(() => globalThis.told.filter(({ data }) => data.type === "rectilinear-zarr:error").length === 4, PATIENCE);
    const errors = await user.page.evaluate(() => globalThis.told.filter(({ data }) => data.type === "rectilinear-zarr:error").map(({ data }) => data.message));
    assert.match(errors[0], /at has to be a list of 2 positions/);
    assert.match(errors[2], /range has to be two numbers that rise/);
    assert.match(errors[3], /path/);
    // Positions by the names of their axes, which the message says.
    await ask({ at: { level: 1 } });
    await told("4,1");
    await user.page.evaluate(() => (globalThis.told.length = 0));
    await ask({ at: { none: 1 } });
    await ask({ place: [10, 48, 2] });
    await ask({ place: [10, 98, 2] });
    await user.page.waitForFunction(() => globalThis.told.filter(({ data }) => data.type === "rectilinear-zarr:error").length === 3, PATIENCE);
    const more = await user.page.evaluate(() => globalThis.told.filter(({ data }) => data.type === "rectilinear-zarr:error").map(({ data }) => data.message).sort());
    assert.match(more[0], /at\.none has to be of an axis that is not drawn: time, /);
    assert.match(more.join("\n"), /of which no degrees are known; use view[^]*degrees north from -90 to 90|degrees north from -90 to 90[^]*no degrees are known; use view/);
    await ask({ path: "read/wind", at: [30] });
    await frame.waitForFunction(() => location.hash.includes("/read/wind&at=30") && document.querySelector("#view").ariaBusy === "false", PATIENCE);
    // A page that frames nothing of ours is not obeyed, such as the frame itself.
    await frame.evaluate(() => postMessage({ type: "rectilinear-zarr:set", path: "run/temp" }, "*"));
    await user.page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
    assert.match(await frame.evaluate(() => location.hash), /read\/wind/);
    const map = await framed(`url=${explorer.site.url}/levels/pyramid.zarr/0`);
    await ask({ view: [4096, 2000, 8] });
    await map.waitForFunction(() => location.hash.includes("view=4096,2000,8"), PATIENCE);
    await ask({ view: null });
    await map.waitForFunction(() => !location.hash.includes("view="), PATIENCE);
    // A map in degrees says its place, and goes to one.
    await framed("");
    await user.page.waitForFunction(() => globalThis.told.at(-1)?.data.place, PATIENCE);
    const [east, north] = await user.page.evaluate(() => globalThis.told.at(-1).data.place);
    await ask({ place: [east + 5, north - 3, 4] });
    await user.page.waitForFunction(() => globalThis.told.at(-1)?.data.place?.[2] === 4, PATIENCE);
    const [lon, lat] = await user.page.evaluate(() => globalThis.told.at(-1).data.place);
    assert.ok(Math.abs(lon - east - 5) < 2 && Math.abs(lat - north + 3) < 2, `${lon}, ${lat} from ${east}, ${north}`);
    assert.deepEqual(user.problems, []);
  });

  test("the whole page opens with the pins of the frame's link, which it marks", async () => {
    const link = `url=${explorer.site.url}/made/store.zarr/run/temp&at=3,1&point=1,2,3,1&point2=3,4,3,1&along=1`;
    const frame = await framed(link);
    await frame.waitForSelector("#plot .pin.second", PATIENCE);
    assert.equal(await shows(frame, "#plot .pin"), 2);
    await frame.click('[aria-label="Next step, time"]');
    await told("4,1");
    const href = await frame.$eval("#full", (full) => full.href);
    assert.equal(href, `${explorer.site.url}/#${link.replace("at=3,1", "at=4,1")}&range=-16.5,123`); // that of both steps
    await user.page.goto(href);
    await user.says("#series h2", /^Along level$/);
    assert.deepEqual(await user.texts("#series .pins li"), ["2 Mar 2001, y = 1, x = 2", "2 Mar 2001, y = 3, x = 4"]);
    assert.deepEqual(user.problems, []);
  });

  test("a frame asks for no token: it says that the host wants one, beside a link to the whole page, which asks", async () => {
    const host = await listen((request, response) => allow(request, response) || response.writeHead(401).end());
    try {
      const link = `url=${host.url}/store.zarr/run/temp&at=3,1`;
      const frame = await framed(link);
      await frame.waitForSelector("#access a", { visible: true, ...PATIENCE });
      assert.equal(await shows(frame, "#access form, #access input"), 0);
      assert.match(await frame.$eval("#access", ({ textContent }) => textContent), /answers 401.*Open full$/);
      const { href, target } = await frame.$eval("#access a", ({ href: to, target: where }) => ({ href: to, target: where }));
      assert.deepEqual({ href, target }, { href: `${explorer.site.url}/#${link}`, target: "_blank" });
      await frame.evaluate(axe);
      assert.deepEqual(await frame.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id }) => id)), []);
      await user.page.goto(href);
      await user.page.waitForSelector("#access form", { visible: true, ...PATIENCE });
      assert.deepEqual(user.problems, []);
    } finally {
      await host.close();
    }
  });

  test("an error is said in the frame", async () => {
    const frame = await framed(`url=${explorer.site.url}/made/nothing.zarr`);
    assert.match(await frame.$eval("#error", (element) => (element.checkVisibility() ? element.textContent : "")), /Nothing is there/);
    assert.equal(await frame.$eval("#full", ({ href }) => href), `${explorer.site.url}/#url=${explorer.site.url}/made/nothing.zarr`);
    assert.deepEqual(user.problems, []);
  });
});
