/** Two versions side by side in the explorer as differences of steps and as channels, against what icechunk reads. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";

import { startExplorer } from "../support/explorer.mjs";
import { faults } from "../support/field.mjs";
import { ROOT } from "../support/paths.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const SCREENSHOTS = join(ROOT, "target/screenshots");

describe("two versions as differences and as channels", () => {
  let directory;
  let explorer;
  let expected; // by version
  let user;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-versions-"));
    explorer = await startExplorer({ "/made": directory });
    await promisify(execFile)(python, ["-W", "ignore", join(ROOT, "tests/oracle/versions.py"), directory, `${explorer.site.url}/made`]);
    expected = JSON.parse(await readFile(join(directory, "versions.json"), "utf8"));
    await mkdir(SCREENSHOTS, { recursive: true });
  });
  after(async () => {
    await explorer?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const at = (path, more) => `url=${explorer.site.url}/made/image.icechunk/${path}${more}`;
  const besideStands = () => user.page.waitForSelector('#beside[aria-busy="false"] .frame[data-kind="map"]', { visible: true, timeout: 60_000 });
  const hash = () => user.page.evaluate(() => location.hash);
  const press = (label) => user.page.evaluate((text) => [...document.querySelectorAll("#legend button")].find((button) => button.textContent === text && button.checkVisibility()).click(), label);
  /** The tips over a cell of both pictures. */
  const tips = async (cell) => {
    await user.page.addStyleTag({ content: ".zoom { visibility: hidden }" }); // which lies over cells
    await user.point(cell, [6, 4]);
    const first = await user.text("#figure .tip b");
    await user.point(cell, [6, 4], { plot: "#plot-beside" });
    return [first, await user.text("#beside .tip b")];
  };
  const number = (text) => Number(text.replace(/[^\d.−-]/g, "").replace("−", "-"));
  const lessOf = (version, now, then, row, column) => expected[version].warmth[now][row][column] - expected[version].warmth[then][row][column];
  const areNear = async (now, then, [row, column], of = ["main", "two"]) => {
    const said = (await tips([column, row])).map(number);
    of.forEach((version, i) => assert.ok(Math.abs(said[i] - lessOf(version, now[i], then[i], row, column)) < 1e-3, `${said[i]} of ${version} at ${now[i]} less ${then[i]}`));
  };

  test("both are drawn less the same array, which a version may lack", async () => {
    await user.show(at("steps/warmth", "&at=1&less=steps/chill&beside=tag:two"));
    await besideStands();
    const near = async (of) => {
      const said = (await tips([2, 1])).map(number);
      of.forEach((version, i) => assert.ok(Math.abs(said[i] - (expected[version].warmth[1][1][2] - expected[version].chill[1][1][2])) < 1e-2, `${said[i]} of ${version}`));
    };
    await near(["main", "two"]);
    await user.waitFor(() => document.querySelector("#less"));
    await user.page.select("#less", "");
    await user.says("#title", /^warmth$/);
    await user.waitFor(() => document.querySelector('#beside[aria-busy="false"]'));
    assert.ok(Math.abs(number((await tips([2, 1]))[1]) - expected.two.warmth[1][1][2]) < 1e-2);
    await user.page.select("#less", "steps/late");
    await user.says(".beside-note", /^This version has no such array to take off\.$/);
    assert.equal(await user.page.$eval("#plot-beside", (plot) => plot.checkVisibility()), false);
    await user.page.select("#less", "steps/chill");
    await user.says(".beside-note", /^$/);
    await besideStands();
    await near(["main", "two"]);
    assert.deepEqual(user.problems, []);
  });

  test("both are drawn as the same difference, in colours that span both", async () => {
    await user.show(at("steps/warmth", "&at=0&beside=tag:two"));
    await besideStands();
    await press("Compare with this step");
    await user.says("#reading-note", /Each cell less/);
    await user.page.click('[aria-label="Next step, time"]');
    await user.waitFor(() => document.querySelector("#view").dataset.at === "1" && document.querySelector("#view").ariaBusy === "false");
    await besideStands();
    await areNear([1, 1], [0, 0], [2, 3]);
    const all = ["main", "two"].flatMap((version) => expected[version].warmth[1].flatMap((row, r) => row.map((_, c) => Math.abs(lessOf(version, 1, 0, r, c)))));
    const farthest = Number(Math.max(...all).toPrecision(6));
    await user.waitFor((high) => Math.abs(Number(document.querySelector("#high").value) - high) < 1e-4 && Math.abs(Number(document.querySelector("#low").value) + high) < 1e-4, farthest);
    await user.page.screenshot({ path: join(SCREENSHOTS, "beside-difference.png"), fullPage: true });
    assert.deepEqual(await faults(user), []);
    await user.waitFor(() => /at=1&minus=0/.test(location.hash));
    const link = (await hash()).slice(1);
    assert.match(link, /beside=tag:two/);
    await user.show(link);
    await besideStands();
    await areNear([1, 1], [0, 0], [0, 5]);
    await press("Stop comparing");
    await user.waitFor(() => !location.hash.includes("minus"));
    await user.settled();
    await besideStands();
    await user.waitFor((wanted) => {
      document.querySelector("#plot-beside").dispatchEvent(new PointerEvent("pointermove", wanted));
      return /^\d/.test(document.querySelector("#beside .tip b")?.textContent ?? "");
    }, await user.page.$eval("#plot-beside", (plot) => ({ clientX: plot.getBoundingClientRect().x + 30, clientY: plot.getBoundingClientRect().y + 30 })));
    assert.deepEqual(user.problems, []);
  });

  test("both have the coast of their grid", async () => {
    await user.show(at("steps/warmth", "&at=1&beside=tag:two"));
    await besideStands();
    const paths = await Promise.all(["#plot", "#plot-beside"].map(async (plot) => {
      await user.page.waitForSelector(`${plot} .coast .line`, { timeout: 60_000 });
      await user.waitFor((at) => document.querySelector(`${at} .coast`).dataset.scale === "50", plot);
      return user.page.$eval(`${plot} .coast .line`, (path) => path.getAttribute("d"));
    }));
    assert.ok(paths[0].length > 100);
    assert.equal(paths[1], paths[0]);
    assert.deepEqual(user.problems, []);
  });

  test("steps that the other version does not have are named", async () => {
    await user.show(at("steps/warmth", "&at=0&minus=2&beside=tag:two"));
    await besideStands();
    await user.says(".beside-note", /^Here time has 2 steps; the last, 28 Feb 2020, is taken off\. $/);
    await areNear([0, 0], [2, 1], [1, 1]);
    await user.page.click('[aria-label="Previous step, time"]');
    await user.says(".beside-note", /is drawn\. Here time has 2 steps; the last, 28 Feb 2020, is taken off/);
    assert.deepEqual(user.problems, []);
  });

  test("both have the same channels, and the other version says which it does not have", async () => {
    await user.show(at("cells/0", "&beside=tag:two"));
    await user.says(".beside-note", /^This version has no channel “Cy5” to draw\.$/);
    assert.equal(await user.page.$eval("#plot-beside", (plot) => plot.checkVisibility()), false);
    assert.deepEqual(await faults(user), []);
    await user.page.waitForSelector("#channel-2");
    await user.page.$eval("#channel-2", (box) => box.click());
    await user.says(".beside-note", /^$/);
    await besideStands();
    const channels = (version) => [["DAPI", 0], ["GFP", 1]].map(([name, nth]) => `${name} ${expected[version].image[nth][1][4].toLocaleString("en")}`).join(", ");
    assert.deepEqual(await tips([4, 1]), [channels("main"), channels("two")]);
    const span = (nth) => ["main", "two"].flatMap((version) => expected[version].image[nth].flat());
    const wanted = [0, 1].map((nth) => [Math.min(...span(nth)), Math.max(...span(nth))]); // no window is stated
    await user.waitFor((ranges) => {
      const seen = [...document.querySelectorAll('.channel-list input[type="number"]')].map(({ value }) => Number(value));
      return ranges.flat().every((v, i) => seen[i] === v);
    }, wanted);
    await user.page.click("#together");
    await user.waitFor(() => location.hash.includes("channels=none"));
    await user.settled();
    await besideStands();

    const alone = ["main", "two"].map((version) => expected[version].image[0][2][2].toLocaleString("en"));
    assert.deepEqual(await tips([2, 2]), alone);
    assert.deepEqual(user.problems, []);
  });
});
