/** Service Worker that serves the sources in its URL's query as regular arrays to the pages that it controls. */

import { Group, RectilinearArray } from "./index.js";
import { bringModules } from "./open.js";
import * as rare from "./rectilinear_zarr_rare.js";
import * as systems from "./rectilinear_zarr_systems.js";
import { RegularHost, folder, openEither } from "./regular-host.js";

bringModules({ rare, systems });

const asked = new URLSearchParams(self.location.search);
const scopes = asked.getAll("scope");
const edges = asked.get("chunkShape")?.split(",").map(Number);

const hosts = asked.getAll("source").map((source, nth) => {
  const url = new URL(source, self.location.href);
  const open = () => openEither({ Group, RectilinearArray }, url);
  return new RegularHost(open, folder(new URL(scopes[nth] ?? source, self.location.href)), { chunkShape: edges });
});

self.addEventListener("install", () => self.skipWaiting());
// Claims pages that are open already.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const host = hosts.find((host) => host.keyOf(event.request.url) !== undefined);
  if (host) event.respondWith(host.answer(event.request));
});
