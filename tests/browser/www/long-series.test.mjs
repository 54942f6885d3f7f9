/** Lines of the explorer along axes of more chunks than one picture may ask for: the whole axis, at every nth step. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { startExplorer } from "../support/explorer.mjs";
import { cellOf, planes } from "../support/planes.mjs";

describe("lines along long axes", () => {
  const host = planes({ hours: { shape: [10_000, 4, 4], chunk: [1, 4, 4] }, days: { shape: [1200, 4, 4], chunk: [1, 4, 4] } });
  let explorer;
  let user;

  before(async () => {
    explorer = await startExplorer({ "/planes": host.handle });
    user = await explorer.page();
  });
  after(() => explorer?.close());

  for (const [name, nth, words] of [["hours", 20, "20th"], ["days", 3, "3rd"]]) {
    test(`of ${name} the line goes from the first step to the last, in at most 512 chunks`, async () => {
      await user.show(`url=${explorer.site.url}/planes/${name}&at=800&chunks=0`);
      host.given.log.length = 0;
      await user.point([1, 2], [4, 4], { click: true });
      await user.says("#series h2", /^Along time/);
      const asked = new Set(host.given.log.map(({ path }) => path));
      assert.ok(asked.size >= 400 && asked.size <= 512, `${asked.size} chunks`);
      await user.says("#series .note", new RegExp(`^Drawn: every ${words} along time, as the whole would take more than 512 chunks`));
      assert.doesNotMatch(await user.text("#series .total"), /every/); // once is enough
      const steps = name === "hours" ? 10_000 : 1200;
      const last = Math.floor((steps - 1) / nth) * nth;
      const said = async (part) => {
        const { x, y, width, height } = await (await user.page.$("#series-plot")).boundingBox();
        await user.page.mouse.move(x + width * part, y + height / 2);
        return user.texts("#series-plot .tip > *");
      };
      await user.page.$eval("#series-plot", (plot) => plot.scrollIntoView({ block: "center" }));
      const [value, place] = await said(0.9999);
      assert.equal(place, `time = ${last.toLocaleString("en")}`);
      // A step's number is added to its cells, by the host's formula.
      assert.equal(value, (cellOf(2, 1) + last).toLocaleString("en"));
      assert.deepEqual(user.problems, []);
    });
  }
});
