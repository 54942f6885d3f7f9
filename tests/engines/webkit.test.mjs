/** Arrays of the oracle with each data type, codec, grid and format, in WebKit; with ALL=1, every array. */

import { readsChosen } from "../browser/support/oracle.mjs";
import { launch } from "../browser/support/webkit.mjs";

await readsChosen(launch);
