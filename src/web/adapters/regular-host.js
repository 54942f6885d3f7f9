/** Regular arrays below a URL, opened at the first request. */

import { answerTo } from "./answers.js";
import { RegularStore } from "./regular-store.js";
import { viewOptions } from "../views/options.js";

/** Opens a group, or else an array, at a source, with the classes of one entry. */
export async function openEither({ Group, RectilinearArray }, source, options) {
  try {
    return await Group.open(source, options);
  } catch (asGroup) {
    if (!["InvalidMetadataError", "NotFoundError"].includes(asGroup?.name)) throw asGroup;
    return RectilinearArray.open(source, options).catch((asArray) => {
      // For a malformed group, the array's error only says that it is not an array, so both are given.
      if (asArray.name === "InvalidMetadataError") asArray.message += `; as a group: ${asGroup.message}`;
      throw asArray;
    });
  }
}

/** Options of what is shown; the format of a view is not that of its source. */
const SHOWN = ["chunkShape", "as", "decode", "attributes", "geozarr", "dimensions", "times", "zarrFormat"];

/** Parts options into those of what is shown, and those of opening. Both have the bytes to keep. */
export function parted(options) {
  const entries = Object.entries(options);
  const shown = entries.filter(([name]) => [...SHOWN, "cacheBytes"].includes(name));
  const opening = entries.filter(([name]) => !SHOWN.includes(name));
  return { shown: Object.fromEntries(shown), opening: Object.fromEntries(opening) };
}

/** Folder URL: the path ends with a slash, and query and fragment are removed. */
export function folder(url) {
  const found = new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  [found.search, found.hash] = ["", ""];
  if (!found.pathname.endsWith("/")) found.pathname += "/";
  return found;
}

/**
 * Host of a URL: of several that have it, the one whose base lies deepest; undefined where none has it.
 *
 * @template {RegularHost} Host
 * @param {readonly Host[]} hosts
 * @param {string} url
 */
export function hostOf(hosts, url) {
  const keys = hosts.map((host) => host.keyOf(url));
  const least = Math.min(...keys.map((key) => key?.length ?? Infinity));
  return hosts.find((_, nth) => keys[nth]?.length === least);
}

export class RegularHost {
  #open;
  #base;
  #store;
  #changes = 0;

  /**
   * @param {(page?: string) => Promise<{ opened: object, options: object, kept?: object }>} open opens the array or group, for
   * the page that asks first, and says how it is shown, and in which chunk shapes it was
   * @param {URL | undefined} base URL of the store; undefined for the root of any origin
   */
  constructor(open, base) {
    this.#open = open;
    this.#base = base;
  }

  /** Key of a URL, undefined for a URL outside the base. Both are compared decoded. */
  keyOf(url) {
    const { origin, pathname } = new URL(url);
    const base = this.#base ?? { origin, pathname: "/" };
    if (origin !== base.origin) return undefined;
    try {
      const [path, folder] = [decodeURIComponent(pathname), decodeURIComponent(base.pathname)];
      return path.startsWith(folder) ? `/${path.slice(folder.length)}` : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Answers a request of a page; `signal` aborts the work beside the request's own. Where the source is forgotten
   * meanwhile, the answer is made again: the one of before may say other chunks than those of all answers after it.
   */
  async answer(request, signal, page) {
    const { headers, method, url } = request;
    const asked = signal ? { headers, method, signal: AbortSignal.any([request.signal, signal]) } : request;
    const changes = this.#changes;
    const response = await answerTo(() => this.#opened(page), this.keyOf(url), asked);
    return changes === this.#changes ? response : this.answer(request, signal, page);
  }

  /** Opens the source again at the next request. */
  forget() {
    this.#changes += 1;
    this.#store = undefined;
  }

  #opened(page) {
    if (this.#store) return this.#store;
    const opening = this.#open(page).then(({ opened, options, kept }) => new RegularStore(opened, viewOptions(options, "fetchHandler", kept)));
    this.#store = opening;
    // A failed opening is tried again at the next request.
    opening.catch(() => {
      if (this.#store === opening) this.#store = undefined;
    });
    return opening;
  }
}
