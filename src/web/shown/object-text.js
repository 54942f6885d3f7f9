/** Values of Zarr v2's object arrays as text: text as it is, and JSON values as JSON. */
import { json, allDigits } from "./json-text.js";
import { failure } from "../stores/store-parts.js";

function refuse() {
  throw failure("UnsupportedError", "a regular view shows objects as text, and an item is neither text nor JSON; read it with get()", { feature: "v2:object" });
}

/** Text of one object; null is the empty text. */
export function objectText(value) {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : json(value, refuse, allDigits);
}
