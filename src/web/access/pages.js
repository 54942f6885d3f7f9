/** Lists of names, page by page: their bounds, and what a refusal means. */
import { failure } from "../stores/common.js";
import { repeated } from "./requests.js";

/** Most bytes of one answer. */
const MOST_BYTES = 8 << 20;

/** Most names of one list. */
export const MOST_NAMES = 100_000;

/** Most pages of one list, as a host may send pages without names for ever. */
const MOST_PAGES = 2000;

/**
 * What sends the requests of a list.
 *
 * @typedef {import("./requests.js").Patience & { send: (url: URL, signal: AbortSignal, accept?: string) => Promise<any> }} Asking
 */

/**
 * A page of a list: its text, and the address that it came from. Throws where the host refuses, or sends more than is read.
 *
 * @param {Asking} asking
 * @param {URL} url
 * @param {string} [accept]
 * @returns {Promise<{ text: string, url: URL }>}
 */
export function pageAt(asking, url, accept) {
  const place = `${url.origin}${url.pathname}`;
  return repeated(
    place,
    async (attempt) => {
      const response = await attempt.answer(() => asking.send(url, attempt.signal, accept));
      const { status } = response;
      if (!response.ok) {
        const isForbidden = status === 401 || status === 403;
        const why = isForbidden ? "the host does not let its names be listed; the permission to list is another than the one to read" : "the host has no list of names there";
        throw failure("StoreError", `${place}: status ${status}: ${why}`, { key: place, status });
      }
      const { text, isWhole } = await attempt.text(response, MOST_BYTES);
      if (!isWhole) throw failure("StoreError", `${place}: a page of the list of names has more than ${MOST_BYTES >> 20} MiB`, { key: place });
      return { text, url: new URL(response.url || url) };
    },
    asking,
  );
}

/**
 * All pages of a list.
 *
 * @param {(token: string | undefined) => Promise<{ folders: string[], files: string[], next?: string }>} page
 * @param {string} place address for messages
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export async function pages(page, place) {
  const folders = new Set();
  const files = new Set();
  const seen = new Set();
  const under = (name) => name !== "" && name !== "." && name !== "..";
  let token;
  do {
    const found = await page(token);
    for (const name of found.folders) if (under(name)) folders.add(name);
    for (const name of found.files) if (under(name)) files.add(name);
    if (folders.size + files.size > MOST_NAMES) throw failure("StoreError", `${place}: more than ${MOST_NAMES} names are there; list a folder below it`, { key: place });
    token = found.next;
    // A host that repeats itself would never end, and what it has beyond would be missing.
    if (token && seen.has(token)) throw failure("StoreError", `${place}: the host repeats a page of its list, so its names are not all known; check the endpoint`, { key: place });
    seen.add(token);
    if (seen.size > MOST_PAGES) throw failure("StoreError", `${place}: the list has more than ${MOST_PAGES} pages; list a folder below it`, { key: place });
  } while (token);
  return { folders: [...folders], files: [...files] };
}
