/** A zip by its address, as `open` takes it. */
import { openZip } from "./zip-store.js";

/** Options of `open` that are those of the zip's requests. */
const REQUESTS = ["signal", "fetch", "headers", "redirect", "timeout", "credentials"];

/**
 * The store of a zip, and the options of opening what is in it.
 *
 * @param {string | URL | Blob} source
 * @param {any} options of `open`
 * @param {typeof import("../fetch/exchange.js").Exchange} Exchange what sends requests
 */
export async function zipAt(source, options, Exchange) {
  const rest = { ...options, format: undefined };
  const own = Object.fromEntries(REQUESTS.filter((name) => (rest[name] ?? undefined) !== undefined).map((name) => [name, rest[name]]));
  return [await openZip(source, own, Exchange), rest];
}
