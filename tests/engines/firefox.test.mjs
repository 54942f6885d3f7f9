/** Every array of the oracle, in Firefox. */

import { launch } from "../browser/support/firefox.mjs";
import { readsTheOracle } from "../browser/support/oracle.mjs";

await readsTheOracle(launch);
