/** What nobody means to ask of the explorer: odd stores, links that make no sense, hosts that are slow or never answer, and visitors in a hurry. Nothing shows a wrong value, and nothing stays stuck. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startMade } from "../support/made.mjs";
import { listen } from "../support/server.mjs";

describe("the explorer, attacked", () => {
  let made;
  let explorer;
  let user;
  let expected;

  before(async () => {
    // A host that decodes all of an address, as hosts do.
    const plain = (request, response) => readFile(join(made.directory, decodeURIComponent(request.url))).then((bytes) => response.end(bytes), () => response.writeHead(404).end());
    made = await startMade("attacked.py", { "/plain": plain });
    explorer = made.explorer;
    expected = JSON.parse(await readFile(join(made.directory, "expected.json"), "utf8"));
  });
  after(() => made?.close());
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const store = () => `${explorer.site.url}/plain/attacked.zarr`;
  const link = (name) => `url=${encodeURIComponent(`${store()}/${name.split("/").map(encodeURIComponent).join("/")}`)}`;
  /** The value that is said of row 1, column 1. */
  async function said() {
    await user.point([1, 1], [5, 4]);
    return Number((await user.text("#figure .tip b")).split(" ")[0].replaceAll(",", "").replace("−", "-"));
  }
  const isNear = (a, b, name = "") => assert.ok(Math.abs(a - b) <= 1e-3 * Math.abs(b), `${name} ${a}, not ${b}`);
  /** What the page says it shows, everywhere it says it. */
  const shown = () => user.page.evaluate(() => [
    document.querySelector("#title").textContent, decodeURIComponent(document.querySelector("#url").value).split("/").at(-1),
    document.querySelector('[role="treeitem"][aria-selected="true"]')?.dataset.path, document.title.split(" · ")[0],
  ]);
  /** Waits until nothing has changed for a while, as answers that come late may still change something. */
  const quiet = async () => {
    for (let last = ""; ; await new Promise((done) => setTimeout(done, 500))) {
      await user.settled();
      const now = String([await shown(), await user.page.evaluate(() => location.hash)]);
      if (now === last) return;
      last = now;
    }
  };

  test("arrays of no items, of one, of seven axes and of extreme numbers open, and names and words stay words", async () => {
    const names = ["none", "none of three", "none of one", "single", "single cell", "seven", "wide", "high", "nan", "infinite", "huge", "tiny", "opposite", "same", "a b/c d", "quote\"s'", "émoji 🌍", "per%20cent", "100%", "hash#name", "question?name=1", "plus+and&amp;", "unplaced", "untimed", "time", "<b>mark<|b>"];
    for (const name of names) {
      await user.show(link(name));
      const [, path, selected] = await shown();
      assert.deepEqual([path, selected], [name.split("/").at(-1), name]);
      assert.equal(await user.page.$eval("#error", ({ hidden }) => hidden), true, name);
      if (name in expected) isNear(await said(), expected[name], name);
      // The link that the page writes leads back.
      const written = await user.page.evaluate(() => location.hash.slice(1));
      if (/[%#?&<\s]/.test(name)) {
        await user.show(written);
        assert.equal((await shown())[2], name);
      }
    }
    assert.equal(await user.page.evaluate(() => "hacked" in globalThis || document.querySelector("img[onerror]") !== null), false);
    assert.deepEqual(user.problems, []);
  });

  test("what makes no sense in a link is left out, and the picture is drawn", async () => {
    const odd = ["at=-1", "at=1e99", "at=NaN", "at=5.5", "axes=9,9", "axes=0", "axes=1,1", "view=NaN,1,1", "view=1e300,1e300,1e300", "view=4,4,-3", "range=5,1", "range=1e-320,2e-320", "range=-1e308,1e308", "range=0,1e-300&histogram=1", "point=999,999,999", "point=1,1,1&along=99", "point=1,1,1&span=5,1", "point=1,1,1&span=1e9,2e9", "minus=9999", "less=steps", "less=../steps", "channels=99", "channels=0:zzz:1", "colours=__proto__", "colours=constructor-r", "scale=cubic", "scale=log&range=-5,-1", "projection=globe,NaN,0,1", "projection=moon", "labels=x,300", "columns=a,b", "graticule=1&projection=north", "__proto__=1&toString=2", "at=%00"];
    for (const more of odd) {
      await user.show(`${link("steps")}&${more}`);
      assert.equal((await shown())[0], "steps", more);
      if (!/axes|view/.test(more)) isNear(1 + (await said()), 1 + Number((await user.page.$eval("#view", ({ dataset }) => dataset.at))));
    }
    for (const address of ["%", "//", "http://", "s3://", "javascript:alert(1)", "data:text/plain,hi", `${explorer.site.url}/index.html`, `${explorer.site.url}/100%`]) {
      await user.page.goto("about:blank");
      await user.page.goto(`${explorer.site.url}/#url=${encodeURIComponent(address)}`);
      await user.page.waitForSelector("#error:not([hidden])");
      assert.doesNotMatch(await user.text("#error"), /Something went wrong|URIError|TypeError/, address);
      assert.equal(await user.text("#title"), "Nothing could be opened");
    }
    assert.deepEqual(user.problems, []);
  });

  test("thirty quick clicks, and going back and forth, end where the last one led, though answers come in any order", async () => {
    await user.show(link("m0"));
    for (let nth = 1; nth < 8; nth++) {
      await user.page.click(`[data-path="m${nth}"]`);
      await user.says("#title", new RegExp(`^m${nth}$`));
    }
    const late = (url) => (/\/c\//.test(url) ? (url.length * 7919 + Number(/m(\d+)/.exec(url)?.[1] ?? 0) * 137) % 400 : 0);
    explorer.given.delay = late;
    const last = await user.page.evaluate(async () => {
      let path;
      for (let n = 0; n < 30; n++) {
        path = `m${(n * 7) % 12}`;
        document.querySelector(`[data-path="${path}"]`).click();
        await new Promise((done) => setTimeout(done, (n * 13) % 60));
      }
      return path;
    });
    await quiet();
    assert.deepEqual(await shown(), [last, last, last, last]);
    isNear(1 + (await said()), 1 + expected[last]);
    await user.page.evaluate(async () => {
      for (const by of [-1, -2, 1, -1, 2, -3, 1, -1, 2]) {
        history.go(by);
        await new Promise((done) => setTimeout(done, 70));
      }
    });
    await quiet();
    const [name] = await user.page.evaluate(() => decodeURIComponent(location.hash).split("&")[0].split("/").slice(-1));
    assert.deepEqual(await shown(), [name, name, name, name]);
    isNear(1 + (await said()), 1 + expected[name]);
    assert.deepEqual(user.problems, []);
  });

  test("steps and sizes of the window that change as chunks come leave the step that was asked for", async () => {
    await user.show(link("steps"));
    explorer.given.delay = (url) => (/\/c\//.test(url) ? (Number(/c\/(\d+)/.exec(url)[1]) * 97) % 300 : 0);
    for (let n = 0; n < 24; n++) {
      await user.page.setViewport({ width: 380 + ((n * 331) % 1000), height: 500 + ((n * 173) % 400) });
      if (n % 2) await user.page.$eval('[aria-label="Next step, step"]', (button) => button.click());
    }
    await user.page.setViewport({ width: 1280, height: 800 });
    await quiet();
    assert.equal(await user.page.$eval("#view", ({ dataset }) => dataset.at), "12");
    assert.equal(await said(), 12);
    assert.deepEqual(user.problems, []);
  });

  test("a host that never answers keeps nobody from going elsewhere", async () => {
    const never = new Promise(() => {});
    await user.show(link("m0"));
    explorer.given.delay = (url) => (/m3\/c\//.test(url) ? never : 0);
    await user.page.click('[data-path="m3"]');
    await user.says("#title", /^m3$/);
    await user.page.click('[data-path="m5"]');
    await user.says("#title", /^m5$/);
    await quiet();
    assert.equal(await said(), 5);
    explorer.given.delay = (url) => (/other\.zarr/.test(url) ? never : 0);
    const open = (address) => user.page.evaluate((text) => {
      const box = document.querySelector("#url");
      box.value = text;
      box.form.requestSubmit();
    }, address);
    await open(`${explorer.site.url}/plain/other.zarr`);
    await user.page.waitForSelector('#view[aria-busy="true"]');
    await open(`${store()}/m7`);
    await user.says("#title", /^m7$/);
    await quiet();
    assert.equal(await said(), 7);
    assert.deepEqual(user.problems, []);
  });

  test("several frames in a page show each its own view, and each tells its own", async () => {
    const views = ["m2", "steps", "m9", "émoji 🌍"];
    const frames = views.map((name, nth) => `<iframe id="f${nth}" title="${name}" width="640" height="420" src="${explorer.site.url}/?embed=1#${link(name)}${name === "steps" ? "&at=7" : ""}"></iframe>`);
    const outer = await listen((_, response) => response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(`<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>around</title><script>
      globalThis.told = {};
      addEventListener("message", ({ source, data }) => data.type === "rectilinear-zarr:state" && (told[Array.from(document.querySelectorAll("iframe"), (one) => one.contentWindow).indexOf(source)] = data));
    </script>${frames.join("")}`));
    try {
      await user.page.goto(outer.url);
      await user.waitFor(() => [0, 1, 2, 3].every((nth) => globalThis.told[nth]?.path));
      const told = () => user.page.evaluate(() => [0, 1, 2, 3].map((nth) => globalThis.told[nth].path));
      assert.deepEqual(await told(), views);
      await user.page.evaluate(() => document.querySelector("#f1").contentWindow.postMessage({ type: "rectilinear-zarr:set", at: [9] }, "*"));
      await user.waitFor(() => globalThis.told[1].at[0] === 9);
      assert.deepEqual(await told(), views);
      const titles = await Promise.all(views.map(async (_, nth) => (await (await user.page.$(`#f${nth}`)).contentFrame()).$eval("#title", ({ textContent }) => textContent)));
      assert.deepEqual(titles, views);
      assert.deepEqual(user.problems, []);
    } finally {
      await outer.close();
    }
  });
});
