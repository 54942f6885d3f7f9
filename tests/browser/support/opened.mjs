/** A page and an origin for the tests of one `describe`. */

import { after, before, beforeEach } from "node:test";

import { openPage } from "./chromium.mjs";
import { startOrigin } from "./origin.mjs";

/**
 * Starts a page and an origin before the tests, and closes them after the tests. Before each test, the origin begins a
 * log and has a new address, and both are passed to `take`, which may set the origin's interceptor.
 */
export function pageAndOrigin(take) {
  let opened;
  before(async () => {
    const [page, origin] = await Promise.all([openPage(), startOrigin()]);
    opened = { page, origin };
  });
  beforeEach(() => {
    opened.origin.renew();
    take(opened);
  });
  after(() => Promise.all([opened?.page.close(), opened?.origin.close()]));
}
