/**
 * A ready-made Service Worker, for viewers that take only a URL: it answers what the pages in its scope ask below a URL
 * from the array or group there, shown as `asRegularStore` shows it. The URL stays what it was, unless there is a `scope`.
 *
 * It must be a module of the page's own origin, at or above the page's path: a file such as `sw.js` beside the page with
 * the one line `import "rectilinear-zarr/service-worker.js"`, built as an entry of its own; or the package's files as
 * they are, with the header `Service-Worker-Allowed: /`. Its URL's query says what it shows:
 *
 * - `source`: the URL of an array or a group, absolute or relative to the worker; several times for several;
 * - `scope`: below which URL it is shown instead of at `source`, relative to the worker too; the first for the first `source`,
 *   and so on;
 * - `chunkShape`: as in `asRegularStore`, such as `1,256,256`.
 *
 * It takes over at once, pages that are open already too; `navigator.serviceWorker.ready` resolves before it does, so
 * wait for `controllerchange` as below. Requests are answered as a static host would: GET, HEAD, ranges, 404 for what is
 * not there. What fails beneath is 502, what cannot be shown 501, with the error's words as the body. Where a browser
 * tells its workers of aborts they are passed on; Chromium 156 does not, so there what was asked for is read to its end.
 *
 * @example
 * const source = encodeURIComponent("https://host/model_run.zarr");
 * const controlled = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
 * await navigator.serviceWorker.register(`/sw.js?source=${source}`, { type: "module" });
 * if (!navigator.serviceWorker.controller) await controlled;
 * // From here on fetch("https://host/model_run.zarr/t2m/zarr.json") tells of regular chunks.
 */
export {};
