/** The explorer's playback: how long it waits between steps, by a clock of the test's own, and what a step leaves as it is. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { startFields } from "../support/field.mjs";
import { ROOT } from "../support/paths.mjs";

/** Plays steps that take `took` milliseconds each; gives the waits after them. */
async function waitsOf({ took, isHeld, isStill = false }) {
  const { setTimeout: wait, performance: real, matchMedia } = globalThis;
  const waits = [];
  let now = 0;
  const clock = { configurable: true, writable: true };
  globalThis.setTimeout = (work, ms) => {
    waits.push(ms);
    queueMicrotask(work);
  };
  Object.defineProperty(globalThis, "performance", { ...clock, value: { now: () => now } });
  globalThis.matchMedia = () => ({ matches: isStill });
  try {
    const { createPlayer } = await import(`${pathToFileURL(join(ROOT, "www/src/page/player.js"))}?${isStill}`);
    let steps = 0;
    await new Promise((done) => {
      const player = createPlayer(async () => {
        now += took;
        return ++steps < 4;
      }, () => isHeld, () => steps && done());
      player.toggle(0);
    });
  } finally {
    Object.assign(globalThis, { setTimeout: wait, matchMedia });
    Object.defineProperty(globalThis, "performance", { ...clock, value: real });
  }
  return waits.slice(0, 3);
}

test("steps from the cache follow each other sooner than those that were fetched", async () => {
  assert.deepEqual(await waitsOf({ took: 5, isHeld: true }), [28, 28, 28]);
  assert.deepEqual(await waitsOf({ took: 5, isHeld: false }), [85, 85, 85]);
});

test("a step that took longer than the pace is followed at once", async () => {
  assert.ok((await waitsOf({ took: 200, isHeld: true })).every((ms) => ms <= 0));
});

test("readers who want little motion get it slowly, from the cache too", async () => {
  assert.deepEqual(await waitsOf({ took: 5, isHeld: true, isStill: true }), [695, 695, 695]);
});

describe("a step", () => {
  let fields;
  let user;

  before(async () => {
    fields = await startFields();
    user = await fields.explorer.page();
  });
  after(() => fields?.close());

  test("of a map with another range leaves ticks, buttons and choices of axes as they are", async () => {
    await user.show(`${fields.at("store.zarr/steps/warmth")}&at=0,0`);
    const parts = "#figure .ticks-x span, #figure .ticks-y span, #figure .edges-x span, .tools svg, #rows option, #columns option";
    await user.page.evaluate((selector) => (globalThis.kept = [...document.querySelectorAll(selector)]), parts);
    const before = await user.page.$eval("#low", ({ value }) => value);
    await user.page.click('[aria-label="Next step, time"]');
    await user.waitFor((low) => document.querySelector("#view").dataset.at === "1,0" && document.querySelector("#low").value !== low, before);
    const same = await user.page.evaluate((selector) => {
      const now = [...document.querySelectorAll(selector)];
      return [now.length === globalThis.kept.length && now.length > 20, now.every((node, i) => node === globalThis.kept[i])];
    }, parts);
    assert.deepEqual(same, [true, true]);
    await user.page.click('[aria-label="Play, time"]');
    await user.page.waitForSelector('[aria-label="Pause, time"]');
    assert.deepEqual(user.problems, []);
  });
});
