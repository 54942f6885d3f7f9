/** The package's Service Worker in a test site. */

import { until } from "./network.mjs";
import { PACKAGE } from "./paths.mjs";
import { files } from "./server.mjs";

const packaged = files(PACKAGE);

/** Serves the package so that its worker may control pages above its folder. */
export const servingWorker = (request, response) => packaged(request, response.setHeader("Service-Worker-Allowed", "/"));

/**
 * Registers the worker for the page, with `query` as a list of parameters and values; resolves to its state once it, and
 * no worker of before, controls the page.
 */
export const registerWorker = (page, query) =>
  page.run(async (_, query) => {
    const { serviceWorker } = navigator;
    const url = new URL(`/pkg/service-worker.js?${new URLSearchParams(query)}`, location.href).href;
    const controlled = new Promise((done) => {
      const look = () => serviceWorker.controller?.scriptURL === url && done();
      serviceWorker.addEventListener("controllerchange", look);
      look();
    });
    await serviceWorker.register(url, { type: "module", scope: "/" });
    await controlled;
    return serviceWorker.controller.state;
  }, query);

/** Registers the worker as pages do, by `registerViews`; resolves to its state, or to the error. */
export const registerViews = (page, sources) =>
  page.run(async ({ support }, sources) => {
    const adapters = await import("rectilinear-zarr/adapters");
    const error = await support.rejection(() => adapters.registerViews("/pkg/service-worker.js", sources, { scope: "/" }));
    return { state: navigator.serviceWorker.controller?.state, error };
  }, sources);

/**
 * Waits until the page's worker has stored the chunk shapes that its pages were told of, those of `sources` sources. It
 * stores them after its answers, for which browsers wait before they stop a worker, and `stopWorkers` does not.
 */
export const shapesStored = (page, sources) =>
  page.run(async (_, sources) => {
    const record = `${navigator.serviceWorker.controller.scriptURL}&shapes=1`;
    const isWhole = ([, { pages, shapes }]) => pages.length > 0 && shapes.length > 0;
    for (;;) {
      const found = await (await caches.match(record))?.json();
      if (found?.filter(isWhole).length === sources) return;
      await new Promise((done) => setTimeout(done, 10));
    }
  }, sources);

/** Stops the running worker, as browsers do with idle ones. */
export async function stopWorkers({ browser }) {
  const target = browser.targets().find((target) => target.type() === "service_worker");
  const session = await (await browser.pages()).at(-1).createCDPSession();
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await session.detach();
  await until(() => !browser.targets().includes(target));
}
