/** Arrays of the oracle with each data type, codec, grid and format, in Firefox; with ALL=1, every array. */

import { launch } from "../browser/support/firefox.mjs";
import { readsChosen } from "../browser/support/oracle.mjs";

await readsChosen(launch);
