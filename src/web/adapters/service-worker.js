/** Service Worker that serves the sources in its URL's query as regular arrays to the pages that it controls. */

import * as accessAnswers from "../access/answers.js";
import * as names from "../access/bucket-names.js";
import { fromPlain } from "../access/from-plain.js";
import { onDemand as accessOnDemand } from "../access/on-demand.js";
import * as signatures from "../access/planetary-signatures.js";
import * as sigv4 from "../access/sigv4.js";
import { said } from "./answers.js";
import * as stages from "../load/codec-modules.js";
import * as custom from "../codecs/custom-stages.js";
import * as geozarr from "../views/geozarr.js";
import { bringMissing } from "../load/files.js";
import { CHANGED, askKeys, askPages } from "./handed-options.js";
import { Group, RectilinearArray } from "../load/index.js";
import { CachedShapes } from "./cached-shapes.js";
import * as containers from "../conventions/containers.js";
import * as fallbacks from "../conventions/fallbacks.js";
import * as images from "../conventions/images.js";
import * as multiscales from "../conventions/multiscales.js";
import { onDemand } from "../conventions/on-demand.js";
import * as tiles from "../conventions/tile-matrix-set.js";
import * as missing from "../load/missing-files.js";
import { bringModules } from "../load/open.js";
import * as files from "../wasm/rectilinear_zarr_files.js";
import * as hdf5 from "../wasm/rectilinear_zarr_hdf5.js";
import * as systems from "../wasm/rectilinear_zarr_systems.js";
import { RegularHost, folder, hostOf, openEither, parted } from "./regular-host.js";
import { bringViews } from "../views/nodes.js";
import { placed, sourcesIn } from "./worker-query.js";
import { WorkerTurns } from "./worker-turns.js";

bringModules({ stages, custom, files, hdf5, systems });
bringMissing(missing);
bringViews({ geozarr: async () => geozarr });
for (const [name, module] of Object.entries({ containers, fallbacks, images, multiscales, tiles })) onDemand[name] = async () => module;

for (const [name, module] of Object.entries({ answers: accessAnswers, names, signatures, sigv4 })) accessOnDemand[name] = async () => module;

/** The global object, as Service Workers have it. */
const worker = /** @type {any} */ (self);

const living = async () => new Set((await worker.clients.matchAll({ includeUncontrolled: true, type: "all" })).map(({ id }) => id));
const shapes = new CachedShapes(worker.location.href, living);
const turns = new WorkerTurns(living);

/** Id of the page that has said last that its options changed. */
let changed;

const hosts = sourcesIn(worker.location.search).flatMap((found, nth) => {
  const { url, place, handed, fault, ...options } = placed(found, worker.location.href);
  // Pages are told with each answer, and whoever looks for the reason of none finds it here.
  if (fault) console.error(fault);
  if (!place) return [];
  const kept = shapes.of(nth);
  const open = async (page) => {
    if (fault) throw new TypeError(fault);
    const at = { source: /** @type {URL} */ (url).href, scope: place.href };
    const [{ access, ...more }, memory] = await Promise.all([handed ? askPages(worker.clients, at, [changed, page]) : /** @type {Record<string, any>} */ ({}), kept.renew()]);
    const { shown, opening } = parted({ ...options, ...more });
    // Keys stay in the page. Whoever was asked first is so again, as its keys may be newer than those of other tabs.
    if (access) opening.access = access.map((plain, nth) => fromPlain(plain, (part) => askKeys(worker.clients, { ...at, access: nth, at: part }, [changed, page])));
    return { opened: await openEither({ Group, RectilinearArray }, url, opening), options: { ...shown, cacheBytes: undefined }, kept: memory };
  };
  return [Object.assign(new RegularHost(open, folder(place)), { kept })];
});

worker.addEventListener("install", () => worker.skipWaiting());
// Claims pages that are open already.
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("message", (event) => {
  if (event.data?.type !== CHANGED) return;
  changed = event.source?.id;
  for (const host of hosts) host.forget();
  event.waitUntil(worker.clients.claim());
});
worker.addEventListener("fetch", (event) => {
  const { clientId, request } = event;
  const host = hostOf(hosts, request.url);
  if (!host) return;
  const answer = turns.run(clientId, (signal) => host.answer(request, signal, clientId));
  event.respondWith(answer.then((response) => response ?? said(503, "too many requests wait, and newer ones go first", { "Retry-After": "1" })));
  event.waitUntil(answer.then(() => host.kept.tell(clientId), () => {}));
});
