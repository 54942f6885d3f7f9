/** Every view of the explorer by axe, in light and in dark: what is open, in frames, in dialogs, and while something is drawn or wrong. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { faults } from "../support/field.mjs";
import { startMade } from "../support/made.mjs";

/** A list of STAC's items, which the page lists. */
const STAC = {
  type: "Collection", stac_version: "1.0.0", id: "days", description: "Days", license: "other", extent: { spatial: { bbox: [[0, 0, 1, 1]] }, temporal: { interval: [[null, null]] } },
  links: [{ rel: "item", href: "./item.json" }],
};
const ITEM = {
  type: "Feature", stac_version: "1.0.0", id: "one", geometry: null, bbox: [0, 0, 1, 1], properties: { datetime: "2024-01-01T00:00:00Z", title: "A day" }, links: [],
  assets: { data: { href: "/made/climate.zarr", type: "application/vnd+zarr", title: "Climate", roles: ["data"] } },
};

function stac(request, response) {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(request.url.endsWith("item.json") ? ITEM : STAC));
}

/** Where it opens, what is done there, and what shows that the view stands. */
const VIEWS = {
  "a map with its date box, opened wide": { at: "climate.zarr/tas", wide: true, until: (user) => user.page.waitForSelector(".date-box") },
  "a map of few cells, with storage": { at: "climate.zarr/tas&chunks=1", until: (user) => user.page.waitForSelector("#ledger .total") },
  "a map with graticule, histogram and a logarithm": { at: "climate.zarr/tas&graticule=1&histogram=1&scale=log", until: (user) => user.page.waitForSelector(".histogram svg, .histogram canvas") },
  "a difference": { at: "climate.zarr/tas&at=3&minus=0" },
  "flags": { at: "climate.zarr/cover" },
  "times as a map": { at: "climate.zarr/when" },
  "a picture of which nothing is stored": { at: "climate.zarr/unwritten", until: (user) => user.says(".no-data", /Nothing is stored/) },
  "a series of two cells": { at: "climate.zarr/tas&point=5,7,3&point2=9,20,3", until: (user) => user.page.waitForSelector("#series h2") },
  "a globe": { at: "climate.zarr/tas&projection=globe,10,40,1&graticule=1", until: (user) => user.page.waitForSelector(".warped") },
  "a pole": { at: "climate.zarr/tas&projection=north", until: (user) => user.page.waitForSelector(".warped") },
  "an area that is drawn": {
    at: "climate.zarr/tas", wide: true,
    async until(user) {
      await press(user, "Draw an area");
      await user.page.waitForSelector(".area-bar:not([hidden])");
      await press(user, "Write an area…");
    },
  },
  "a mean of an area": {
    at: "climate.zarr/tas", wide: true,
    async until(user) {
      await press(user, "Write an area…");
      await user.page.type(".area-text textarea", "0 0, 60 0, 60 50");
      await press(user, "Use this area");
      await press(user, "Calculate");
      await user.says("#answer", /From .* to/);
    },
  },
  "the list of colour maps": { at: "climate.zarr/tas", until: async (user) => (await user.page.click("#colours"), user.page.waitForSelector('[role="listbox"]')) },
  "code and the choices of a film": {
    at: "climate.zarr/tas", wide: true,
    async until(user) {
      await press(user, "Python");
      await user.page.waitForSelector(".take textarea");
      await press(user, "Film…");
      await user.page.waitForSelector(".film-choices, .film");
    },
  },
  "data and host": { at: "climate.zarr/tas", wide: true, until: (user) => user.says("#health", /HTTP version/) },
  "a list with a column beside it": { at: "climate.zarr/station_name&columns=station_height", until: (user) => user.page.waitForFunction(() => document.querySelectorAll(".list th").length >= 3) },
  "an image with labels": { at: "image.zarr&labels=cells,80", until: (user) => user.page.waitForSelector("#plot canvas.labels") },
  "labels alone": { at: "image.zarr/labels/cells/0" },
  "a plate": { at: "plate05.zarr", until: (user) => user.page.waitForSelector(".plate .well") },
  "a projected grid with graticule": { at: "transform.zarr&graticule=1" },
  "a catalog of STAC": { path: "/stac/collection.json", until: (user) => user.page.waitForSelector("#catalog") },
  "an address that is none": { path: "ftp://host/store", isBad: true },
  "a store that is not there": { at: "nothing.zarr", isBad: true },
};

/** Presses the button of this text, which may lie in what is folded. */
const press = async (user, text) => {
  await user.page.waitForFunction((wanted) => [...document.querySelectorAll("button")].some((one) => one.textContent.startsWith(wanted) && one.checkVisibility()), {}, text);
  await user.page.evaluate((wanted) => [...document.querySelectorAll("button")].find((one) => one.textContent.startsWith(wanted) && one.checkVisibility()).click(), text);
};

describe("axe finds nothing", () => {
  let made;
  let explorer;
  let user;

  before(async () => {
    made = await startMade("sights.py", { "/stac": stac });
    explorer = made.explorer;
  });
  after(() => made?.close());
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const hashOf = ({ at, path }) => `url=${at ? `${explorer.site.url}/made/${at}` : path.startsWith("/") ? explorer.site.url + path : path}`;
  const scheme = (name) => user.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: name }]);

  /** The faults in light, then in dark. */
  async function both() {
    await scheme("light");
    const found = [await faults(user)];
    await scheme("dark");
    return [...found, await faults(user)];
  }

  for (const [name, view] of Object.entries(VIEWS)) {
    test(`in ${name}`, async () => {
      if (view.isBad) {
        await user.page.goto(`${explorer.site.url}/#${hashOf(view)}`);
        await user.page.waitForSelector("#error:not([hidden])");
      } else await user.show(hashOf(view));
      if (view.wide) {
        await user.page.$$eval("details:not(.stores details)", (list) => list.forEach((each) => (each.open = true)));
      }
      await view.until?.(user);
      assert.deepEqual(await both(), [[], []]);
      assert.deepEqual(user.problems, []);
    });
  }

  for (const [name, at] of Object.entries({ map: "climate.zarr/monthly", image: "image.zarr", list: "climate.zarr/station_name", nothing: "nothing.zarr" })) {
    test(`in a frame with ${name}`, async () => {
      await user.page.setViewport({ width: 640, height: 420 });
      await user.page.goto(`${explorer.site.url}/?embed=1#${hashOf({ at })}`);
      await user.page.waitForSelector(name === "nothing" ? "#error:not([hidden])" : '#view[aria-busy="false"]');
      assert.deepEqual(await both(), [[], []]);
    });
  }

  test("in the benchmark's page", async () => {
    await user.page.goto(`${explorer.site.url}/bench.html`);
    await user.page.waitForSelector("main h1");
    assert.deepEqual(await both(), [[], []]);
  });

  test("on a phone, with everything open", async () => {
    await user.page.setViewport({ width: 390, height: 844 });
    await user.show(hashOf({ at: "climate.zarr/tas" }));
    await user.page.$$eval("details", (list) => list.forEach((each) => (each.open = true)));
    await user.says("#health", /HTTP version/);
    assert.deepEqual(await both(), [[], []]);
    assert.ok(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
});
