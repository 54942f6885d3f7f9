/** The explorer's logarithmic colours and its histogram, against numpy. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { coloursAt, coloursOf, different, faults, startFields, untilColours } from "../support/field.mjs";
import { rounded } from "../../../www/src/reading/range.js";

test("ends of narrow ranges are written with the figures that tell them apart", () => {
  assert.equal(rounded(1_000_001.4712, [1_000_000, 1_000_002.94]), 1_000_001.4712);
  assert.equal(rounded(0.123456789, [0, 1]), 0.123457);
  assert.equal(rounded(2 ** 53 - 1, [2 ** 53 - 9, 2 ** 53 - 1]), 2 ** 53 - 1);
});

describe("the explorer's scales", () => {
  let fields;
  let user;

  before(async () => (fields = await startFields()));
  after(() => fields?.close());
  beforeEach(async () => (user = await fields.explorer.page()));
  afterEach(() => user.close());

  const range = () => user.page.$$eval("#low, #high", (list) => list.map(({ value }) => Number(value)));
  const hash = () => user.page.evaluate(() => location.hash);
  const ticks = () => user.page.$$eval(".scale span", (list) => list.map((tick) => [tick.textContent, parseFloat(tick.style.getPropertyValue("--at"))]));
  const counts = () => user.page.$$eval(".bins rect", (list) => list.map(({ dataset }) => Number(dataset.count)));
  const ends = () => user.page.$$eval(".bins .end", (list) => list.map((end) => Number(end.getAttribute("aria-valuenow"))));

  for (const name of ["spread", "crossing", "rain"]) {
    test(`colours by the logarithm are numpy's: ${name}`, async () => {
      await user.show(`${fields.at(`store.zarr/scales/${name}`)}&colours=inferno`); // those around zero open in other colours
      const even = await coloursOf(user);
      await user.page.select("#scale", "log");
      const wanted = coloursAt("inferno", fields.expected[name]);
      const seen = await untilColours(user, wanted, 2);
      // Values may fall on either side of a step of colour.
      assert.ok(different(seen, wanted) <= 2, `${different(seen, wanted)} of ${wanted.length} cells differ`);
      assert.ok(different(even, wanted) > 100);
      assert.match(await hash(), /scale=log/);
      await user.show((await hash()).slice(1));
      assert.equal(await user.page.$eval("#scale", ({ value }) => value), "log");
      assert.deepEqual(await coloursOf(user), seen);
      assert.deepEqual(user.problems, []);
    });
  }

  test("ticks stand at powers of ten, where the scale has them", async () => {
    await user.show(`${fields.at("store.zarr/scales/spread")}&scale=log`);
    const placed = await ticks();
    assert.deepEqual(placed.map(([text]) => text), ["0.001", "0.01", "0.1", "1", "10", "100", "1,000"]);
    placed.forEach(([text, at], i) => assert.ok(Math.abs(at - (i * 100) / 6) < 0.01, `${text} at ${at}`));
    await user.show(`${fields.at("store.zarr/scales/crossing")}&scale=log&range=-100,100`);
    const around = await ticks();
    assert.ok(around.some(([text, at]) => text === "0" && Math.abs(at - 50) < 0.01), `${around}`);
    assert.ok(around.some(([text]) => text === "−100") && around.some(([text]) => text === "100"), `${around}`);
    assert.deepEqual(user.problems, []);
  });

  test("a logarithm is refused with a reason where no value is above zero", async () => {
    await user.show(fields.at("store.zarr/scales/below"));
    const even = await coloursOf(user);
    await user.page.select("#scale", "log");
    await user.says("#reading-note", /no value of the range is above zero/);
    assert.deepEqual(await coloursOf(user), even);
    await user.page.select("#scale", "");
    await user.says("#reading-note", /^$/);
    assert.deepEqual(user.problems, []);
  });

  test("the histogram counts as numpy does, evenly and by the logarithm", async () => {
    await user.show(fields.at("store.zarr/scales/rain"));
    assert.equal((await counts()).length, 0); // its code comes when it is asked for
    await user.page.click("#histogram");
    await user.page.waitForSelector(".bins rect");
    assert.deepEqual(await counts(), fields.expected.counts.even);
    await user.show(`${fields.at("store.zarr/scales/spread")}&scale=log&histogram=1`);
    await user.page.waitForSelector(".bins rect");
    const wanted = fields.expected.counts.log;
    const seen = await counts();
    assert.equal(seen.reduce((a, b) => a + b), wanted.reduce((a, b) => a + b));
    assert.ok(seen.every((n, i) => Math.abs(n - wanted[i]) <= 1), `${seen} for ${wanted}`); // a value on a bin's edge
    assert.match(await hash(), /histogram=1/);
    assert.deepEqual(user.problems, []);
  });

  test("the histogram's ends set the range, by pointer and by keys, and stop at each other", async () => {
    await user.show(`${fields.at("store.zarr/scales/crossing")}&range=-50,50&histogram=1`);
    await user.page.waitForSelector(".bins rect");
    assert.deepEqual(await ends(), [-50, 50]);
    await user.page.focus('.bins [data-end="0"]');
    await user.page.keyboard.press("ArrowRight");
    await user.waitFor(() => Number(document.querySelector("#low").value) > -50);
    const [low, high] = await range();
    assert.ok(low > -50 && low < -45 && high === 50, `${[low, high]}`);
    assert.deepEqual(await ends(), [low, high]);
    await user.page.keyboard.press("End"); // as far as the other end
    await user.waitFor(() => Number(document.querySelector("#low").value) > 40);
    const [last] = await range();
    assert.ok(last < 50, `${last}`);
    await user.page.keyboard.press("Home");
    await user.waitFor(() => Number(document.querySelector("#low").value) < -50);

    await user.page.$eval(".bins", (element) => element.scrollIntoView({ block: "center" }));
    const box = await (await user.page.$(".bins")).boundingBox();
    const handle = await (await user.page.$('.bins [data-end="1"]')).boundingBox();
    await user.page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await user.page.mouse.down();
    const before = await range();
    await user.page.mouse.move(box.x + box.width / 2, box.y + 10, { steps: 4 });
    await user.page.mouse.up();
    await user.waitFor((old) => Number(document.querySelector("#high").value) < old, before[1]);
    const [first, dragged] = await range();
    const [least, most] = await user.page.$$eval(".bins .end", ([start, end]) => [Number(start.getAttribute("aria-valuemin")), Number(end.getAttribute("aria-valuemax"))]);
    assert.equal(first, before[0]);
    assert.ok(Math.abs(dragged - (least + most) / 2) < (most - least) * 0.02, `${dragged} between ${[least, most]}`);
    assert.match(await hash(), new RegExp(`range=${first},${dragged}`));
    assert.deepEqual(user.problems, []);
  });

  test("axe finds nothing, with a logarithm and a histogram", async () => {
    for (const scheme of ["light", "dark"]) {
      await user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await user.show(`${fields.at("store.zarr/scales/crossing")}&scale=log&histogram=1`);
      await user.page.waitForSelector(".bins rect");
      assert.deepEqual(await faults(user), []);
    }
    assert.deepEqual(user.problems, []);
  });
});
