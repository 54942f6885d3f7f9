/** Files of views of every kind, saved in Chromium and opened by numpy, pandas, xarray and GDAL: they hold what xarray has of the same selection. */

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { python, startMade } from "../support/made.mjs";
import { ROOT } from "../support/paths.mjs";

const BUTTONS = { csv: "Values as CSV", npy: "Values as .npy", nc: "Values as NetCDF", tif: "Values as GeoTIFF" };

describe("files that the explorer saves", () => {
  let made;
  let differences;
  const offered = {};
  const titles = {};
  const cases = {};

  before(async () => {
    made = await startMade("taken.py");
    Object.assign(cases, JSON.parse(await readFile(join(made.directory, "cases.json"), "utf8")));
    const saved = join(made.directory, "saved");
    await mkdir(saved);
    const user = await made.explorer.page();
    await user.takeFiles();
    for (const name of Object.keys(cases)) {
      await user.show(`url=${made.explorer.site.url}/made/${cases[name][0]}`);
      await user.page.evaluate(() => document.querySelector("#take details").open || document.querySelector("#take summary").click());
      await user.waitFor(() => document.querySelector("#take .choices"));
      titles[name] = await user.text("#title");
      offered[name] = await user.page.$$eval("#take .choices button", (list) => list.filter((one) => !one.hidden).map((one) => one.textContent));
      for (const [ending, label] of Object.entries(BUTTONS).filter(([, words]) => offered[name].includes(words))) {
        await user.page.evaluate((words) => [...document.querySelectorAll("#take button")].find((one) => one.textContent === words).click(), label);
        await user.waitFor(() => globalThis.saved.length);
        const bytes = await user.page.evaluate(async () => Array.from(new Uint8Array(await globalThis.saved.pop().arrayBuffer())).map((n) => String.fromCharCode(n)).join(""));
        await writeFile(join(saved, `${name}.${ending}`), Buffer.from(bytes, "latin1"));
      }
    }
    assert.deepEqual(user.problems, []);
    await user.close();
    differences = JSON.parse(await python(join(ROOT, "tests/oracle/taken.py"), made.directory, saved));
  });
  after(() => made?.close());

  test("hold what xarray has of the same selection, in each kind of view", () => {
    assert.deepEqual(differences, {});
  });

  test("are offered where a format has a form for them, and nowhere else", () => {
    for (const [name, buttons] of Object.entries(offered)) {
      const endings = Object.keys(BUTTONS).filter((ending) => buttons.includes(BUTTONS[ending]));
      assert.deepEqual(endings, cases[name][1], name);
    }
  });

  test("a TIFF is called by its file, and not by the number of its image", () => {
    assert.equal(titles.slope, "slope.tif");
    assert.equal(titles.height, "height");
  });
});
