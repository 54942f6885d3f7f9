/** Regular arrays below a URL, opened when the first of them is asked for. */

import { answerTo } from "./answers.js";
import { asRegularStore } from "./regular-store.js";

/** A group or else an array at a source, with whichever entry's classes. */
export async function openEither({ Group, RectilinearArray }, source, options) {
  try {
    return await Group.open(source, options);
  } catch (asGroup) {
    if (!["InvalidMetadataError", "NotFoundError"].includes(asGroup?.name)) throw asGroup;
    return RectilinearArray.open(source, options).catch((asArray) => {
      // Of a broken one the other kind only says that it is not of its kind.
      if (asArray.name === "InvalidMetadataError") asArray.message += `; as a group: ${asGroup.message}`;
      throw asArray;
    });
  }
}

/** A URL as one of a folder, without what follows the path. */
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
   * @param {() => Promise<object>} open gives the array or group
   * @param {URL | undefined} base where it is shown; the root of any origin where there is none
   * @param {{ chunkShape?: unknown }} options
   */
  constructor(open, base, options) {
    this.#open = open;
    this.#base = base;
    this.#options = options;
  }

  /** The key that a URL stands for, undefined where it lies elsewhere; however either of the two is escaped. */
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
    // What could not be opened may be there the next time.
    this.#store.catch(() => (this.#store = undefined));
    return this.#store;
  }
}
