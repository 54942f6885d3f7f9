/**
 * Chromium as the benchmarks of the package run it, without tools that keep what pages receive, as developer tools do: that takes
 * the page's thread 5 to 15 ms for each MB, and users have them closed.
 */

import { launch, openPage as open } from "../../browser/support/chromium.mjs";

/** Chromium whose pages are not watched, and may call `gc()` before they measure. */
export const launchUnwatched = ({ patience } = {}) => launch({ patience, watches: false, flags: ["--js-flags=--expose-gc"] });

/** Opens a page as tests do, in Chromium that does not watch it. */
export const openPage = (mounts, options) => open(mounts, { browse: launchUnwatched, watches: true, ...options });
