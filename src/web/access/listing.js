/** What lists of names have in common: bounds, pages, and the reading of XML and JSON answers. */
import { failure } from "../stores/common.js";

/** Most bytes of one answer. */
const MOST_BYTES = 8 << 20;

/** Most names of one list. */
export const MOST_NAMES = 100_000;

/** Whether an answer is longer than what is read of a page. */
const tooLong = (url) => failure("StoreError", `${url.origin}${url.pathname}: a page of the list of names has more than ${MOST_BYTES >> 20} MiB`, { url: `${url.origin}${url.pathname}` });

/** Text of an answer, read up to a bound; throws where the host refuses. */
export async function textOf(response, url) {
  if (!response.ok) {
    const { status } = response;
    response.body?.cancel().catch(() => {});
    const place = `${url.origin}${url.pathname}`;
    const why = status === 401 || status === 403 ? "the host does not let its names be listed; the permission to list is another than the one to read" : "the host has no list of names there";
    throw failure("StoreError", `${place}: status ${status}: ${why}`, { url: place, status });
  }
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > MOST_BYTES) {
      reader.cancel().catch(() => {});
      throw tooLong(url);
    }
    text += decoder.decode(value, { stream: true });
  }
}

const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Text of XML or HTML, with its entities replaced. */
export const xmlText = (text) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Bodies of the elements of a name, in their order; answers of services put no prefix before names. */
export function elements(text, name) {
  const found = [];
  const open = `<${name}>`;
  const close = `</${name}>`;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const end = text.indexOf(close, at);
    if (end < 0) break;
    found.push(text.slice(at + open.length, end));
    at = end + close.length;
  }
  return found;
}

/** Text of the first element of a name. */
export const element = (text, name) => {
  const [body] = elements(text, name);
  return body === undefined ? undefined : xmlText(body);
};

/**
 * All pages of a list.
 *
 * @param {(token: string | undefined) => Promise<{ folders: string[], files: string[], next?: string }>} page
 * @returns {Promise<{ folders: string[], files: string[] }>}
 */
export async function pages(page, place) {
  const folders = new Set();
  const files = new Set();
  const seen = new Set();
  let token;
  do {
    const found = await page(token);
    for (const name of found.folders) if (name) folders.add(name);
    for (const name of found.files) if (name) files.add(name);
    if (folders.size + files.size > MOST_NAMES) throw failure("StoreError", `${place}: more than ${MOST_NAMES} names are there; list a folder below it`, { url: place });
    token = found.next;
    // A host that repeats itself would never end.
    if (token && seen.has(token)) break;
    seen.add(token);
  } while (token);
  return { folders: [...folders], files: [...files] };
}
