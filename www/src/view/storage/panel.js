// The parts that say how data are stored and fetched, loaded where they are first asked for.
import "../../style/storage.css";
import { createChunkMap } from "./chunk-map.js";
import { createLedgerView } from "./ledger-view.js";

/** `map` gets the chunks of the picture, `ledger` the list of steps. */
export function createPanel(map, ledger) {
  const { update } = createChunkMap(map);
  return { update, ...createLedgerView(ledger) };
}
