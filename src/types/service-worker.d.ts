/**
 * A ready-made Service Worker for viewers that take only a URL. It answers requests of the pages in its scope below a
 * URL with the array or group there, shown as regular chunks as by `asRegularStore`. Viewers keep using the same URL,
 * unless there is a `scope`.
 *
 * The worker must be a module of the page's own origin, at the page's path or above. Either build a file such as
 * `sw.js`, with the one line `import "rectilinear-zarr/service-worker.js"`, as an entry point of its own beside the
 * page; or serve the package's files with the header `Service-Worker-Allowed: /`. The query of its URL configures it:
 *
 * - `source`: the URL of an array or a group, absolute or relative to the worker; repeat it for several;
 * - `scope`: the URL below which the source is shown, relative to the worker, instead of `source`; the first one
 *   belongs to the first `source`, and so on; of scopes that lie in each other the deepest counts;
 * - `path`, `format`, `branch`, `tag`, `snapshot`, `missingStatuses` (such as `403,404`), `cacheBytes`: see
 *   `OpenOptions`;
 * - `chunkShape` (such as `1,256,256`), `as`, `decode`, each also as JSON by path; `dimensions` (such as `…,y,x`),
 *   `times`, `geozarr` (`true`), `zarrFormat`: see `RegularOptions`. Lists may also be JSON, such as `["a,b","…"]`.
 *
 * A parameter other than `scope` that is there once counts for all sources; if it is repeated, the first one belongs to
 * the first source, and so on, an empty one being none. `registerViews` of `rectilinear-zarr/adapters` writes the query,
 * and hands over what it should not carry, such as headers.
 *
 * The worker takes control at once, also of pages that are open already. `navigator.serviceWorker.ready` resolves
 * before that, so wait for the event `controllerchange` as below, or use `registerViews`. It answers as a static host
 * does: GET, HEAD, ranges, and 404 for what does not exist. A failure of the source, or a parameter that cannot be
 * read, is status 502, data that cannot be shown 501, with the error's message as the body.
 *
 * Aborts are passed on if the browser tells its workers of them; Chromium 148 does not. So 32 requests are worked on at a
 * time, the newest first; of more than 1024 that wait, the oldest are answered with status 503; and requests of pages
 * that are gone are dropped. After the browser has restarted the worker, chunks have the shapes that pages know.
 *
 * @example
 * const source = encodeURIComponent("https://host/model_run.zarr");
 * const controlled = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
 * await navigator.serviceWorker.register(`/sw.js?source=${source}`, { type: "module" });
 * if (!navigator.serviceWorker.controller) await controlled;
 * // From here on, fetch("https://host/model_run.zarr/t2m/zarr.json") describes regular chunks.
 */
export {};
