/** Every array of the oracle, in WebKit. */

import { readsTheOracle } from "../browser/support/oracle.mjs";
import { launch } from "../browser/support/webkit.mjs";

await readsTheOracle(launch);
