// Keeps the view in the address: `#url=…&at=60&colours=magma`, so that a link restores it.
import { textOf, versionIn, versionOf } from "../history/versions.js";
import { isColourMap } from "../model/colormap.js";
import { projectionIn, projectionText } from "../earth/projection.js";
import { home } from "./embedded.js";

const MOST = 2; // writes within SPAN: WebKit throws a SecurityError after 100 in 10 s
const SPAN = 1000; // ms
const PAUSE = 10_000; // ms to wait after the browser refused a write

const whole = (n) => Number.isSafeInteger(n) && n >= 0;

/** Whether the page's address names what it opens. */
export const isAddressed = () => Boolean(new URLSearchParams(location.hash.slice(1)).get("url"));

/**
 * `{ url, stac, version, beside, index, axes, view, point, point2, along, span, minus, less, channels, colourMap, range, each, scale, histogram, chunks, coast, graticule, projection, columns, over, basemap }`, each undefined where the address does not say it,
 * or says what can't be: no number, a range that does not rise, colours that nobody knows.
 */
export function readHash(hash = isAddressed() || !home.hash ? location.hash : home.hash) {
  const query = new URLSearchParams(hash.slice(1));
  const numbers = (name, fits) => {
    const list = query.get(name) ? query.get(name).split(",").map((text) => (text.trim() ? Number(text) : NaN)) : undefined;
    return list?.every(fits) ? list : undefined;
  };
  const flag = (name) => ({ 0: false, 1: true })[query.get(name)];
  const range = numbers("range", Number.isFinite);
  const colourMap = query.get("colours") ?? undefined;
  return {
    url: query.get("url") || undefined, stac: query.get("stac") || undefined, version: versionIn(query.get("branch"), query.get("tag"), query.get("snapshot")), beside: versionOf(query.get("beside") ?? ""),
    index: numbers("at", whole), axes: numbers("axes", whole), view: numbers("view", Number.isFinite), point: numbers("point", whole), along: numbers("along", whole)?.[0], span: numbers("span", Number.isFinite),
    point2: numbers("point2", whole), minus: numbers("minus", whole), less: query.get("less") || undefined, channels: query.get("channels") || undefined,
    scale: query.get("scale") === "log" ? "log" : undefined, histogram: flag("histogram"),
    colourMap: isColourMap(colourMap) ? colourMap : undefined,
    range: range?.length === 2 && range[0] < range[1] ? range : undefined,
    each: flag("each"), chunks: flag("chunks"), coast: flag("coast"), graticule: flag("graticule"), projection: projectionIn(query.get("projection")), columns: query.get("columns")?.split(",").filter(Boolean), over: query.get("labels") || undefined, basemap: query.get("basemap") || undefined,
  };
}

const addressText = (url) => encodeURIComponent(url).replaceAll("%2F", "/").replaceAll("%3A", ":");

/** The address of a view. Defaults are left out. */
export function addressOf({ url, stac, version, beside, index, axes, view, point, point2, along, span, minus, less, channels, colourMap, range, each, scale, histogram, chunks, coast, graticule, projection, columns, over, basemap }) {
  const parts = [
    url && `url=${addressText(url)}`,
    stac && `stac=${addressText(stac)}`,
    ...["branch", "tag", "snapshot"].map((name) => version?.[name] && `${name}=${encodeURIComponent(version[name])}`),
    beside && `beside=${encodeURIComponent(textOf(beside)).replaceAll("%3A", ":")}`,
    index?.length && `at=${index.join(",")}`,
    axes && `axes=${axes.join(",")}`,
    view && `view=${view.join(",")}`,
    point && `point=${point.join(",")}`,
    point2 && `point2=${point2.join(",")}`,
    along !== undefined && `along=${along}`,
    span && `span=${span.join(",")}`,
    minus && `minus=${minus.join(",")}`,
    less && `less=${addressText(less)}`,
    channels && `channels=${channels}`,
    colourMap && `colours=${colourMap}`,
    range && `range=${range.join(",")}`,
    each && "each=1",
    scale && `scale=${scale}`,
    histogram && "histogram=1",
    chunks && "chunks=1",
    coast === false && "coast=0",
    graticule && "graticule=1",
    columns?.length && `columns=${columns.map(encodeURIComponent).join(",").replaceAll("%2F", "/")}`,
    over && `labels=${encodeURIComponent(over).replaceAll("%2C", ",")}`,
    basemap && `basemap=${encodeURIComponent(basemap)}`,
    projection && `projection=${projectionText(projection)}`,
  ].filter(Boolean);
  return parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
}

let next; // the address to write, where it is another than the page's
let timer;
let written = []; // when the last writes were

/** Writes what is due, or waits until there is room for it. */
function write() {
  clearTimeout(timer);
  timer = undefined;
  if (next === undefined) return;
  const oldest = written.length < MOST ? -Infinity : written[0];
  const wait = oldest + SPAN - performance.now();
  if (wait > 0) timer = setTimeout(write, wait);
  else flushLink();
}

/** Writes a view that waits to be written, whatever was written lately. */
export function flushLink() {
  if (next === undefined) return;
  try {
    if (new URL(next, location.href).href !== location.href) {
      written = [...written, performance.now()].slice(-MOST);
      history.replaceState(null, "", next);
    }
    next = undefined;
  } catch {
    clearTimeout(timer);
    timer = setTimeout(write, PAUSE);
  }
}

/** Drops a view that waits to be written. */
export const dropLink = () => (next = undefined);

/** Writes a view over the entry of the history, after the caller's work and at most twice a second. */
export function writeHash(view) {
  if (next === undefined && timer === undefined) queueMicrotask(write);
  next = addressOf(view);
}

/** Makes the address that is shown a new entry of the history, after one with the address `before`. */
export function enterHistory(before) {
  const after = location.href;
  if (after === before) return;
  try {
    history.replaceState(null, "", before);
    history.pushState(null, "", after);
  } catch {
    // The browser refuses more changes for some seconds: the view stands without an entry of its own.
  }
}
