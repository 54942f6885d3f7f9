/** A page and an origin for the tests of one `describe`. */

import { after, afterEach, before } from "node:test";

import { openPage } from "./chromium.mjs";
import { startOrigin } from "./origin.mjs";

/**
 * Starts a page and an origin before the tests, passes them to `take`, and closes them after the tests. After each
 * test, the origin's interceptor is reset to that of `take`, and its log is emptied.
 */
export function pageAndOrigin(take) {
  let opened;
  let usual;
  before(async () => {
    const [page, origin] = await Promise.all([openPage(), startOrigin()]);
    opened = { page, origin };
    take(opened);
    usual = origin.intercept;
  });
  afterEach(() => {
    opened.origin.intercept = usual;
    opened.origin.requests.length = 0;
  });
  after(() => Promise.all([opened?.page.close(), opened?.origin.close()]));
}
