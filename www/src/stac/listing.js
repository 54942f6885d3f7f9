// Shows the list of the catalog of STAC that a store was opened from; its code loads with the first.
import { addressIn } from "../model/source.js";

/** `update(catalog)` shows the list of a store's catalog, `list(address)` that of a catalog without one; `given` is for the list. */
export function createListing(before, given) {
  let making;
  const show = async (address, opened) => {
    if (!address && !making) return;
    making ??= import("./list.js").then(({ createList }) => createList(before, given));
    (await making).show(address, opened);
  };
  return {
    update: ({ place }) => show(place.stac, place.stac && addressIn(place, place.path ?? "")),
    list: (address) => show(address),
  };
}
