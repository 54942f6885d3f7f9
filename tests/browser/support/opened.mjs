/** A page and an origin for the tests of one `describe`. */

import { after, afterEach, before } from "node:test";

import { openPage } from "./chromium.mjs";
import { startOrigin } from "./origin.mjs";

/**
 * Starts a page and an origin before the tests, hands them to `take`, and closes them in the end. After each test the
 * origin does again as `take` left it, and its log is empty.
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
