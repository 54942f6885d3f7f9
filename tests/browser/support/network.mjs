/** A page with two hosts over the same files: one of its own origin, one of another. */

import assert from "node:assert/strict";

import { openPage } from "./chromium.mjs";
import { FaultyHost } from "./faults.mjs";

/**
 * `near` and `far` are hosts with the `url` that the page finds them at; `reset()` makes them good again, and
 * `settle()` does so between tests. `options` are those of the page.
 */
export async function startNetwork(files, options) {
  const [near, far] = [new FaultyHost(files), new FaultyHost(files)];
  const [page, origin] = await Promise.all([openPage({ "/near": near.handle }, options), far.listen()]);
  near.url = "/near";
  far.url = origin.url;
  const reset = () => [near, far].forEach((host) => host.reset());

  /**
   * Makes the hosts good and empties their logs once all has come that the page sent before, aborted or not: requests
   * leave in the order of their calls. The second one of each host comes after the connections that wait were taken.
   */
  async function settle() {
    reset();
    const ask = async (_, urls) => {
      for (const url of [...urls, ...urls]) await fetch(`${url}/settled`, { cache: "no-store" }).then((answer) => answer.text());
    };
    await page.run(ask, [near.url, far.url]);
    for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done));
    reset();
  }

  return { near, far, page, run: page.run, reset, settle, close: () => Promise.all([page.close(), origin.close()]) };
}

/** The items of an array at these places, one read after the other, or the error of the first that fails. */
export const itemsAt = (network, url, places, options = {}) =>
  network.run(
    async ({ RectilinearArray, support }, { url, places, options }) => {
      const items = [];
      const error = await support.rejection(async () => {
        const array = await RectilinearArray.open(url, { retries: 0, ...options });
        for (const place of places) items.push((await array.get(place)).data[0]);
      });
      return error ?? items;
    },
    { url, places, options },
  );

/** Waits until `condition` holds, at most a minute. */
export async function until(condition) {
  const end = Date.now() + 60_000;
  while (!condition()) {
    assert.ok(Date.now() < end, `waited in vain for ${condition}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
