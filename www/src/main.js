// Joins the explorer to the document: what is opened, tree, figure, strips, series, legend, ledger, keys and the address's hash.
import "@fontsource/ibm-plex-sans/latin-400.css";
import "@fontsource/ibm-plex-sans/latin-500.css";
import "@fontsource/ibm-plex-sans/latin-600.css";
import "@fontsource/ibm-plex-mono/latin-400.css";
import "./style/base.css";
import "./style/figure.css";
import "./style/strip.css";
import "./style/side.css";
import "./style/tree.css";
import { createExplorer } from "./explorer.js";
import { EMBEDDED, HEADING, SOLSTICE } from "./embedded.js";
import { readHash, writeHash } from "./hash.js";
import { linkOf, pointOf } from "./link.js";
import { bytes, plural } from "./model/format.js";
import { positionOf } from "./model/position.js";
import { addressIn, placesOf } from "./model/source.js";
import { createPlayer } from "./player.js";
import { createAbout, describe, describeStore } from "./view/about.js";
import { createBanner } from "./view/banner.js";
import { createChunkMap } from "./view/chunk-map.js";
import { createFigure, kindOf } from "./view/figure.js";
import { createLedgerView } from "./view/ledger-view.js";
import { createLegend } from "./view/legend.js";
import { createOpeners } from "./view/openers.js";
import { createSeries } from "./view/series.js";
import { createStrip, stateKey } from "./view/strip.js";
import { createTree } from "./view/tree.js";

const $ = (id) => document.getElementById(id);
const view = $("view");
const say = (text) => ($("status").textContent = text);
const look = { colourMap: "inferno", chunks: true, coast: true };
let strips = new Map(); // axis -> strip

const figure = createFigure($("figure"), { say, onPick: (index) => chart(index) });
const series = createSeries($("series"), { say, onSeek: seek, onAxis: (axis) => chart(explorer.state.series.point, axis), onClose: unchart });
const tree = createTree($("contents"), { onChoose: (path) => visit(() => explorer.openMember(path)) });
const chunkMap = createChunkMap($("chunk-map"));
const ledgerView = createLedgerView($("ledger"));
const about = createAbout($("about"));
const banner = createBanner($("error"));
const legend = createLegend($("legend"), changeLook, (axes) => leap(() => explorer.turn(axes)));
const player = createPlayer((d) => {
  const stepped = step(d, 1);
  explorer.beside.ahead(d);
  return stepped;
}, () => {
  if (player.axis === undefined) explorer.beside.stopAhead();
  showStates();
});

const explorer = createExplorer({
  listed: tree.show,
  empty(catalog) {
    describeStore(catalog);
    for (const id of ["stage", "side", "about"]) $(id).hidden = true;
    $("url").value = addressIn(catalog.place, "") ?? "";
    writeHash({ url: addressIn(catalog.place, "") });
    view.setAttribute("aria-busy", "false");
  },
  opened(state) {
    const { dataset, catalog } = state;
    const address = addressIn(catalog.place, dataset.path);
    for (const id of ["stage", "side", "about"]) $(id).hidden = false;
    banner.hide();
    ledgerView.clear();
    tree.select(dataset.path);
    describe(dataset, address === EMBEDDED ? HEADING : undefined);
    about(dataset, address ?? `${catalog.place.name}, on this device`);
    $("url").value = address ?? "";
    lay();
  },
  turned: lay,
  stepping() {
    view.setAttribute("aria-busy", "true");
    showStates();
  },
  booked: showStatesSoon,
  ended(one, ledger) {
    ledgerView.add(one, ledger);
    showStatesSoon();
  },
  drawn({ step: one }) {
    paint();
    showStates();
    series.mark(explorer.state.index);
    remember();
    view.setAttribute("aria-busy", "false");
    const fetched = one.requests.length ? `fetched ${plural(one.requests.length, "chunk")}, ${bytes(one.requests.reduce((n, { bytes: size }) => n + (size ?? 0), 0))}` : "from cache";
    if (player.axis === undefined) say(`${one.label}: ${fetched}.`);
  },
  charted(state) {
    series.show(state, explorer.stepped(), look);
    figure.mark(state.series.point);
    remember();
    say(`${$("series").querySelector("h2").textContent}. ${$("series").querySelector(".total").textContent}`);
  },
  unread() {
    figure.clear();
    showStates();
    remember();
  },
  failed(error, kept) {
    player.stop();
    view.setAttribute("aria-busy", "false");
    banner.show(error, kept);
    if (!explorer.catalog) $("title").textContent = "Nothing could be opened";
  },
});

/** The controls of the axes that are stepped along, and the picture without values. */
function lay() {
  const { dataset } = explorer.state;
  const axes = dataset.shape.includes(0) ? [] : explorer.stepped();
  strips = new Map(axes.map((d, i) => [d, createStrip(dataset, d, { key: i === 0 ? stateKey() : "", onSeek: (at) => seek(d, at), onPlay: () => player.toggle(d) })]));
  $("axes").replaceChildren(...[...strips.values()].map(({ element }) => element));
  series.hide();
  figure.mark(undefined);
  paint();
}

function paint() {
  const { dataset, plane, values } = explorer.state;
  const range = explorer.range();
  const kind = kindOf(dataset, plane, values);
  figure.show(dataset, plane, values, { ...look, range });
  const isMap = kind === "map" && dataset.axes[plane.shown[1].axis].kind === "lon" && dataset.axes[plane.shown[0].axis].kind === "lat";
  legend.update(explorer.state, { ...look, range }, kind, isMap);
  view.dataset.at = positionOf(explorer.state).join(",");
}

/** Marks where the user stands, and how the chunks do. */
function showStates() {
  const { state } = explorer;
  if (!state) return;
  strips.forEach((strip, d) => strip.update({ index: state.index[d], stateOf: (chunk) => explorer.stateOf(d, chunk), playing: player.axis === d }));
  figure.states(state.dataset, state.plane, (key) => state.ledger.stateOf(key, state.step));
  chunkMap.update(state);
}

let waiting = false;

/** The same, once for all the requests that end before the next frame. */
function showStatesSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    showStates();
  });
}

function changeLook({ range, fit, ...change }) {
  Object.assign(look, change);
  if (!explorer.state) return;
  if (range || fit) explorer.setRange(range);
  paint();
  remember();
}

/** What the user does by hand ends playback. */
function leap(work) {
  player.stop();
  return work();
}

function seek(d, i) {
  return leap(() => explorer.go(explorer.state.index.with(d, i)));
}

function step(d, by) {
  const { index, dataset } = explorer.state;
  const { size } = dataset.axes[d];
  return explorer.go(index.with(d, (index[d] + by + size) % size));
}

/** A line through a cell, along the time axis unless another is meant. */
function chart(point, axis) {
  const { dataset, series: before } = explorer.state;
  const stepped = explorer.stepped();
  const along = axis ?? before?.axis ?? stepped.find((d) => dataset.axes[d].kind === "time") ?? stepped[0];
  if (along === undefined || dataset.kind !== "numbers") return;
  figure.mark(point);
  return explorer.beside.chart(point, along);
}

function unchart() {
  explorer.beside.unchart();
  series.hide();
  figure.mark(undefined);
  remember();
  $("plot").focus();
}

const remember = () => writeHash(linkOf(explorer.state, look));

/** Runs what opens something; where it worked, the history gets an entry, so that Back returns to what was open before. */
async function visit(work) {
  const before = location.href;
  player.stop();
  banner.hide();
  view.setAttribute("aria-busy", "true");
  say("Opening.");
  const worked = await work();
  if (worked && location.href !== before) {
    const after = location.href;
    history.replaceState(null, "", before);
    history.pushState(null, "", after);
  }
}

async function openAddress(address, options = {}) {
  let url;
  try {
    url = new URL(address.trim(), document.baseURI).href;
  } catch {
    view.setAttribute("aria-busy", "false");
    return banner.show({ name: "Address", message: `“${address}” is not a web address; one begins with https://.` }, Boolean(explorer.state));
  }
  return explorer.open((signal) => placesOf(url, signal), { ...options, index: options.index ?? (url === EMBEDDED ? SOLSTICE : undefined) });
}

async function restore() {
  const { url = EMBEDDED, index, axes, point, along, range, colourMap, chunks, coast } = readHash();
  Object.assign(look, { colourMap: colourMap ?? "inferno", chunks: chunks ?? true, coast: coast ?? true });
  $("url").value = new URL(url, document.baseURI).href;
  player.stop();
  view.setAttribute("aria-busy", "true");
  const worked = await openAddress(url, { index, axes, range });
  const cell = worked && explorer.state && pointOf(explorer.state, point);
  if (cell) await chart(cell, explorer.stepped().find((d) => d === along));
}

createOpeners({ onAddress: (address) => visit(() => openAddress(address || EMBEDDED)), onPlaces: (find) => visit(() => explorer.open(find)) });
addEventListener("popstate", restore);
addEventListener("keydown", (event) => {
  const first = strips.values().next().value;
  if (event.target.closest("input, select, button, summary, a") || event.ctrlKey || event.metaKey || event.altKey || !first) return;
  const keys = { ArrowLeft: () => first.step(-1), ArrowRight: () => first.step(1), PageUp: () => first.jump(1), PageDown: () => first.jump(-1), " ": () => player.toggle(strips.keys().next().value) };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

restore();
