/** Every array of the oracle, in Chromium. */

import { launch } from "../support/chromium.mjs";
import { readsTheOracle } from "../support/oracle.mjs";

await readsTheOracle(launch);
