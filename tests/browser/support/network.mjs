/** A page with two hosts over the same files: one of its own origin, one of another. */

import assert from "node:assert/strict";

import { openPage } from "./chromium.mjs";
import { FaultyHost } from "./faults.mjs";

/**
 * `near` and `far` are hosts with the `url` that the page finds them at; `reset()` makes them good again. `options` are
 * those of the page.
 */
export async function startNetwork(files, options) {
  const [near, far] = [new FaultyHost(files), new FaultyHost(files)];
  const [page, origin] = await Promise.all([openPage({ "/near": near.handle }, options), far.listen()]);
  near.url = "/near";
  far.url = origin.url;
  const reset = () => [near, far].forEach((host) => host.reset());
  return { near, far, page, run: page.run, reset, close: () => Promise.all([page.close(), origin.close()]) };
}

/** Waits until `condition` holds, at most a minute. */
export async function until(condition) {
  const end = Date.now() + 60_000;
  while (!condition()) {
    assert.ok(Date.now() < end, `waited in vain for ${condition}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
