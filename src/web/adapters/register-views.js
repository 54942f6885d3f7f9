/** Registers the ready-made Service Worker for a page, with its sources. */
import { isAddress } from "../fetch/early.js";
import { CHANGED, answerWorker } from "./handed-options.js";
import { checkOptions, given } from "../common/options.js";
import { parted } from "./regular-host.js";
import { viewOptions } from "../views/options.js";
import { queryOf } from "./worker-query.js";

/**
 * What the page holds, by the absolute URLs of a source and its scope: options that messages can carry, and the accesses,
 * whose keys stay here until the worker asks for them.
 */
const held = new Map();
const keyOf = ({ source, scope = source }) => `${source} ${scope}`;
let isListening = false;

/** Options of a source: those of `fetchHandler` that a query or a message can carry. */
const SOURCE =
  "source scope path zarrFormat format branch tag snapshot containers headers redirect credentials access missingStatuses concurrency retries timeout coalesceGap coalesceMax cacheBytes workers persist maxChunkBytes proposals attrs chunkShape as decode geozarr dimensions times";

/** Refuses functions, which cannot be handed over. */
function refuseFunctions(options) {
  const name = Object.keys(options).find((name) => ["function", "symbol"].includes(typeof options[name]));
  if (name) throw new TypeError(`the option ${name} cannot be handed to a Service Worker: it is a function; write a worker of your own with fetchHandler`);
}

/** Accesses of a source. @param {{ access?: any }} options */
const accessesOf = ({ access = [] }) => [access].flat();

/** Options that messages can carry: headers as a list of pairs, accesses without their keys. @param {Record<string, any>} options */
function plain({ headers, access, ...options }) {
  const others = { ...(headers && { headers: [...new Headers(headers)] }), ...(access && { access: accessesOf({ access }).map(({ plain }) => plain) }) };
  return structuredClone({ ...options, ...others });
}

/** Absolute URL; relative ones are of the page, as everywhere in a page. */
function absolute(url, name) {
  if (isAddress(url)) return new URL(url, globalThis.document.baseURI).href;
  throw new TypeError(`the option ${name} of registerViews takes a URL; got ${JSON.stringify(url)}`);
}

/** Source with absolute URLs. A wrong option is reported to its caller, and not with the worker's first answer. */
function placedIn(options) {
  const { scope, ...others } = given(options);
  const accesses = accessesOf(others);
  if (!accesses.every((access) => access?.plain)) throw new TypeError("access must be of rectilinear-zarr/access");
  const source = accesses.reduce((url, access) => access.address(String(url)) ?? url, others.source);
  delete others.source;
  refuseFunctions({ ...others, access: undefined });
  checkOptions("a source of registerViews", options, SOURCE);
  viewOptions(parted(others).shown, "a source of registerViews");
  return { source: absolute(source, "source"), scope: scope === undefined ? undefined : absolute(scope, "scope"), ...others };
}

/** Registers the worker, and waits until it controls the page. */
export async function registerViews(script, sources, options) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) throw new TypeError("this page has no Service Workers: they need HTTPS or localhost");
  if (!Array.isArray(sources)) throw new TypeError("registerViews takes a list of sources");
  const placed = sources.map(placedIn);
  const { query, handed } = queryOf(placed);
  handed.map(plain).forEach((own, nth) => {
    // A source without options has no answer, or it would be believed in place of another page's.
    if (Object.keys(own).length > 0) held.set(keyOf(placed[nth]), { options: own, accesses: accessesOf(/** @type {any} */ (placed[nth])) });
    else held.delete(keyOf(placed[nth]));
  });
  if (!isListening) answerWorker(serviceWorker, (place) => held.get(keyOf(place)));
  isListening = true;
  const url = new URL(script, globalThis.document.baseURI);
  for (const [name, value] of query) url.searchParams.append(name, value);
  const registration = await serviceWorker.register(url, { type: "module", ...options });
  await controlledBy(serviceWorker, registration, url.href);
  // A worker that runs already may have opened sources with the options of before.
  serviceWorker.controller?.postMessage({ type: CHANGED });
  return registration;
}

/** Waits until the worker of a URL controls the page. */
function controlledBy(serviceWorker, registration, url) {
  if (!location.href.startsWith(registration.scope)) {
    throw new TypeError(`the worker's scope ${registration.scope} does not hold this page; move its script up, or use the option scope`);
  }
  return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    const look = () => {
      if (serviceWorker.controller?.scriptURL === url) {
        serviceWorker.removeEventListener("controllerchange", look);
        resolve();
        return;
      }
      // A worker that is active already takes over a page that was loaded past it, as by a hard reload, when told to.
      if (registration.active?.scriptURL === url) registration.active.postMessage({ type: CHANGED });
    };
    serviceWorker.addEventListener("controllerchange", look);
    serviceWorker.ready.then(look);
    look();
  });
}
