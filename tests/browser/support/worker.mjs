/** The package's Service Worker in a test site. */

import { PACKAGE } from "./paths.mjs";
import { files } from "./server.mjs";

const packaged = files(PACKAGE);

/** Serves the package so that its worker may control pages above its folder. */
export const servingWorker = (request, response) => packaged(request, response.setHeader("Service-Worker-Allowed", "/"));

/** Registers the worker for the page, with `query` as a list of parameters and values; resolves to its state. */
export const registerWorker = (page, query) =>
  page.run(async (_, query) => {
    const { serviceWorker } = navigator;
    const controlled = new Promise((done) => serviceWorker.addEventListener("controllerchange", done));
    await serviceWorker.register(`/pkg/service-worker.js?${new URLSearchParams(query)}`, { type: "module", scope: "/" });
    if (!serviceWorker.controller) await controlled;
    return serviceWorker.controller.state;
  }, query);
