/** Registration of the ready-made Service Worker by a page. */

import type { HandlerOptions } from "./adapters.js";

/**
 * A source that the Service Worker shows, with the options of showing and opening it. Functions and codecs are left out,
 * because messages cannot carry them: they need a worker of your own with `fetchHandler`. Of `access` the worker gets all
 * but the keys, which it asks an open page for, at the first request and when they have ended.
 */
export interface WorkerSource
  extends Omit<HandlerOptions, "base" | "attributes" | "fetch" | "resolveUrl" | "onRequest" | "signal" | "codecs" | "chunkShape" | "as" | "decode"> {
  /** URL of an array or a group, absolute or relative to the page, or an address of the option `access`, such as `s3://…`. */
  source: string | URL;
  /** URL below which it is shown, on any origin. Default: `source`. */
  scope?: string | URL | null;
  /** As in `ViewOptions`, without a function. */
  chunkShape?: Exclude<HandlerOptions["chunkShape"], (...parts: never[]) => unknown>;
  /** As in `ViewOptions`, without a function. */
  as?: Exclude<HandlerOptions["as"], (...parts: never[]) => unknown>;
  /** As in `ViewOptions`, without a function. */
  decode?: Exclude<HandlerOptions["decode"], (...parts: never[]) => unknown>;
}

/**
 * Registers the ready-made Service Worker with its sources, and waits until it controls the page. From then on, what the
 * page fetches below their URLs is regular Zarr.
 *
 * Most options travel in the query of the worker's URL. `headers`, `access` and those that a query has no parameter for
 * do not: the page holds them, and the worker asks its open pages for them when it opens a source, also after the browser
 * has restarted it: first the page that called this last, then the one that waits for the answer, then all others. They are
 * stored nowhere. Call it in each page, and again with other headers: what was opened with the old ones is opened anew.
 * The last call counts for all pages in the worker's scope, with its sources and their options.
 *
 * @param script The URL of the worker's script: a module with the one line `import "rectilinear-zarr/service-worker.js"`.
 * @param sources The sources.
 * @param options Options of `navigator.serviceWorker.register`, such as `scope`.
 * @returns The registration of the worker.
 * @throws TypeError if the page has no Service Workers or is not in the worker's scope, or an option is a function or of
 * the wrong type
 *
 * @example
 * const headers = { authorization: "Bearer …" };
 * await registerViews("/sw.js", [
 *   { source: "https://host/model_run.zarr", headers, decode: "cf", as: "float32", geozarr: true },
 *   { source: "https://host/archive.icechunk", tag: "v1", scope: "/shown/archive", missingStatuses: [403, 404] },
 * ]);
 * // From here on, fetch("https://host/model_run.zarr/t2m/zarr.json") describes regular chunks.
 */
export function registerViews(
  script: string | URL,
  sources: readonly WorkerSource[],
  options?: RegistrationOptions,
): Promise<ServiceWorkerRegistration>;
