/**
 * A ready-made Service Worker for viewers that take only a URL. It answers requests of the pages in its scope below a
 * URL with the array or group there, shown as regular chunks as by `asRegularStore`. Viewers keep using the same URL,
 * unless there is a `scope`.
 *
 * The worker must be a module of the page's own origin, at the page's path or above. Either build a file such as
 * `sw.js`, with the one line `import "rectilinear-zarr/service-worker.js"`, as an entry of its own beside the page; or
 * serve the package's files with the header `Service-Worker-Allowed: /`. The query of its URL configures it:
 *
 * - `source`: the URL of an array or a group, absolute or relative to the worker; repeat it for several;
 * - `scope`: the URL below which the source is shown, relative to the worker, instead of `source`; the first one
 *   belongs to the first `source`, and so on;
 * - `chunkShape`: the shape of the chunks that are shown, such as `1,256,256`; see `RegularOptions`.
 *
 * The worker takes control at once, also of pages that are open already. `navigator.serviceWorker.ready` resolves
 * before that, so wait for the event `controllerchange` as below. It answers as a static host does: GET, HEAD, ranges,
 * and 404 for what does not exist. A failure of the source is status 502, data that cannot be shown 501, with the
 * error's message as the body. Aborts are passed on if the browser tells its workers of them; Chromium 156 does not,
 * and reads to the end.
 *
 * @example
 * const source = encodeURIComponent("https://host/model_run.zarr");
 * const controlled = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
 * await navigator.serviceWorker.register(`/sw.js?source=${source}`, { type: "module" });
 * if (!navigator.serviceWorker.controller) await controlled;
 * // From here on, fetch("https://host/model_run.zarr/t2m/zarr.json") describes regular chunks.
 */
export {};
