// Keeps what hosts of private data want, headers or the keys of a bucket: for this tab alone, by origin, never in a link.
import { optionsOf, serviceOf } from "./services.js";

const PREFIX = "private ";
const unstored = new Map(); // where the browser refuses to store anything
const accesses = new Map(); // what the package signs by, by origin

/** Origin of a source that is read over HTTP; undefined of any other. */
const originOf = (source) => (typeof source === "string" || source instanceof URL ? new URL(source, document.baseURI).origin : undefined);

/** What is kept for an origin: `{ headers }`, as `[name, value]` pairs, or `{ keys }`; undefined where there is nothing. */
export function keptFor(origin) {
  try {
    const text = sessionStorage.getItem(PREFIX + origin);
    return text === null ? unstored.get(origin) : JSON.parse(text);
  } catch {
    return unstored.get(origin);
  }
}

/** What is kept for the host of a source. */
export const keptOf = (source) => keptFor(originOf(source));

/** Keeps headers or keys for an origin until the tab is closed; `undefined` forgets them. */
export function keep(origin, kept) {
  unstored.delete(origin);
  accesses.delete(origin);
  try {
    if (kept) sessionStorage.setItem(PREFIX + origin, JSON.stringify(kept));
    else sessionStorage.removeItem(PREFIX + origin);
  } catch {
    if (kept) unstored.set(origin, kept);
  }
}

/** The access to an origin by keys, made once, so that what its host has said of regions and clocks is known later. */
async function accessBy(origin, keys) {
  const made = accesses.get(origin);
  if (made) return made;
  const entry = await import("rectilinear-zarr/access");
  accesses.set(origin, entry[serviceOf(origin)](optionsOf(origin, keys)));
  return accesses.get(origin);
}

/**
 * Options of a request to a source, or of its opening: nothing where nothing is kept. Browsers drop `Authorization`
 * where a host redirects to another origin, and no other header: with others, a redirect is an error.
 */
export async function accessTo(source) {
  const { headers, keys } = keptOf(source) ?? {};
  if (keys) return { access: await accessBy(originOf(source), keys) };
  if (!headers) return {};
  const isSafe = headers.every(([name]) => name.toLowerCase() === "authorization");
  return { headers, redirect: isSafe ? "follow" : "error" };
}
