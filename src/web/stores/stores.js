/** Entry `rectilinear-zarr/stores`: a folder or a zip file as a store. */
export { directoryStore } from "./directory-store.js";

import { checkOptions } from "../common/options.js";
import { Exchange } from "../fetch/exchange.js";
import { openZip } from "./zip-store.js";

/** Opens a zip as a store. */
export async function zipStore(source, options) {
  checkOptions("zipStore", options, "signal fetch headers redirect retries timeout credentials maxWholeBytes maxEntryBytes");
  return openZip(source, options ?? {}, Exchange);
}
