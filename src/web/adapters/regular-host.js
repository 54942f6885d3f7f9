/** Regular arrays below a URL, opened at the first request. */

import { answerTo } from "./answers.js";
import { asRegularStore } from "./regular-store.js";

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

/** Folder URL: the path ends with a slash, and query and fragment are removed. */
export function folder(url) {
  const found = new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  [found.search, found.hash] = ["", ""];
  if (!found.pathname.endsWith("/")) found.pathname += "/";
  return found;
}

export class RegularHost {
  #open;
  #base;
  #options;
  #store;

  /**
   * @param {() => Promise<object>} open opens the array or group
   * @param {URL | undefined} base URL of the store; undefined for the root of any origin
   * @param {{ chunkShape?: unknown }} options
   */
  constructor(open, base, options) {
    this.#open = open;
    this.#base = base;
    this.#options = options;
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

  answer(request) {
    return answerTo(() => this.#opened(), this.keyOf(request.url), request);
  }

  #opened() {
    this.#store ??= this.#open().then((opened) => asRegularStore(opened, this.#options));
    // A failed opening is tried again at the next request.
    this.#store.catch(() => (this.#store = undefined));
    return this.#store;
  }
}
