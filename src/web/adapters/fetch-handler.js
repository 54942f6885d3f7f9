/** Fetch handlers: functions that answer requests for regular arrays, in place of `fetch`. */

import { Group, RectilinearArray } from "../wasm/rectilinear_zarr.js";
import { isAddress } from "../fetch/early.js";
import { OPEN, checkOptions, given } from "../common/options.js";
import { RegularHost, folder, openEither, parted } from "./regular-host.js";
import { VIEW, viewOptions } from "../views/options.js";

/** Classes of the entry that the program imports, so that one instance of the WebAssembly module is used. */
const classes = async () => (Group.open ? { Group, RectilinearArray } : import("rectilinear-zarr"));

const isOpened = (source) => typeof source?.getChunk === "function" || typeof source?.tree === "function";

/** URL of the array or group at a path of a source. */
function placeOf(source, path = "") {
  const place = folder(source);
  const segments = path.split("/").filter(Boolean);
  place.pathname += segments.map((segment) => `${encodeURIComponent(segment)}/`).join("");
  return place;
}

/** Function that opens the array or group. A Service Worker cannot import later, so its caller passes an opened one. */
function openerOf(source, options) {
  if (typeof source === "function") return async () => source();
  if (isOpened(source)) return async () => source;
  if (isAddress(source) || typeof source?.get === "function") return async () => openEither(await classes(), source, options);
  throw new TypeError("fetchHandler takes an opened RectilinearArray or Group, what these open (a URL, a store), or a function that opens one");
}

/** Makes a function that answers requests from an array or a group. */
export function fetchHandler(source, options) {
  checkOptions("fetchHandler", options, `${OPEN} ${VIEW} base`);
  const { base, ...others } = given(options);
  const { shown, opening } = parted(others);
  // A wrong option is reported at once, and not with the first answer.
  viewOptions(shown, "fetchHandler");
  const opens = openerOf(source, opening);
  const isOpenedHere = !isOpened(source) && typeof source !== "function";
  // A source that is opened here keeps its chunks by the option itself; of an opened group, its arrays are opened with it.
  const open = async () => ({ opened: await opens(), options: isOpenedHere ? { ...shown, cacheBytes: undefined } : shown });
  const place = base !== undefined ? folder(base) : isAddress(source) ? placeOf(source, others.path) : undefined;
  const host = new RegularHost(open, place);
  return (request) => host.answer(request);
}
