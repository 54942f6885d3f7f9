/** Names in the index page of a web server: nginx, Apache, Caddy, Python's, or a list in JSON. */
import { xmlText } from "./bodies.js";
import { MOST_NAMES, pageAt } from "./pages.js";

/** Metadata documents: a page that links to one lists a store, whatever its heading says. */
const METADATA = /^(?:zarr\.json|\.z(?:array|group|attrs|metadata))$/;

// Neither looks past the next tag, so that the time is linear in the page's length.
const HEADING = /<(?:title|h1)\b[^<>]*>([^<]*)/gi;
const LINK = /<a\b[^<>]*?\shref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s<>]+))/gi;

/** Names in a list in JSON: nginx's has `type`, Caddy's `is_dir`; undefined for other JSON. */
function inJson(text) {
  let list;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isList = Array.isArray(list) && list.every((each) => typeof each?.name === "string" && ("type" in each || "is_dir" in each));
  if (!isList) return undefined;
  const isFolder = ({ type, is_dir: isDirectory }) => type === "directory" || isDirectory === true;
  const names = (of) => of.map(({ name }) => name.replace(/\/$/, "").replace(/^\.\//, ""));
  return { folders: names(list.filter(isFolder)), files: names(list.filter((each) => !isFolder(each))) };
}

/** Names that a page links to, one segment below its own address; undefined for a page that is not an index. */
function inPage(text, url) {
  const folders = new Set();
  const files = new Set();
  for (const [, double, single, bare] of text.matchAll(LINK)) {
    if (folders.size + files.size === MOST_NAMES) break;
    let to;
    try {
      to = new URL(xmlText(double ?? single ?? bare), url);
    } catch {
      continue;
    }
    if (to.origin !== url.origin || to.search || !to.pathname.startsWith(url.pathname)) continue;
    const [, name, slash] = /^([^/]+)(\/?)$/.exec(to.pathname.slice(url.pathname.length)) ?? [];
    if (!name) continue;
    try {
      (slash ? folders : files).add(decodeURIComponent(name));
    } catch {
      // A name with a stray percent sign is no key of Zarr.
    }
  }
  const isIndex = [...text.matchAll(HEADING)].some(([, heading]) => /\bindex of\b|directory listing/i.test(heading)) || [...files].some((name) => METADATA.test(name));
  return isIndex ? { folders: [...folders], files: [...files] } : undefined;
}

/**
 * Names one level below an address, as its server's index page lists them.
 *
 * @param {URL} folder with a slash at the end of its path
 * @param {import("./pages.js").Asking} asking
 * @returns {Promise<{ folders: string[], files: string[] } | undefined>} undefined where the page is not an index
 */
export async function indexNames(folder, asking) {
  const { text, url } = await pageAt(asking, folder, "text/html, application/json;q=0.9");
  return inJson(text) ?? inPage(text, url);
}
