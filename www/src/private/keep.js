// Keeps headers for hosts of private data: for this tab alone, by the origin that they are sent to, never in a link.

const PREFIX = "headers for ";
const unstored = new Map(); // where the browser refuses to store anything

/** Origin of a source that is read over HTTP; undefined of any other. */
const originOf = (source) => (typeof source === "string" || source instanceof URL ? new URL(source, document.baseURI).origin : undefined);

/** Headers that are kept for an origin, as `[name, value]` pairs; undefined where there are none. */
export function headersFor(origin) {
  try {
    const text = sessionStorage.getItem(PREFIX + origin);
    return text === null ? unstored.get(origin) : JSON.parse(text);
  } catch {
    return unstored.get(origin);
  }
}

/** Keeps headers for an origin until the tab is closed; `undefined` forgets them. */
export function keepHeaders(origin, headers) {
  unstored.delete(origin);
  try {
    if (headers) sessionStorage.setItem(PREFIX + origin, JSON.stringify(headers));
    else sessionStorage.removeItem(PREFIX + origin);
  } catch {
    if (headers) unstored.set(origin, headers);
  }
}

/**
 * Options of a request to a source, or of its opening: nothing where no headers are kept. Browsers drop `Authorization`
 * where a host redirects to another origin, and no other header: with others, a redirect is an error.
 */
export function accessTo(source) {
  const headers = headersFor(originOf(source));
  if (!headers) return {};
  const isSafe = headers.every(([name]) => name.toLowerCase() === "authorization");
  return { headers, redirect: isSafe ? "follow" : "error" };
}
