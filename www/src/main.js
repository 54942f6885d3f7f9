// Joins the explorer to the document: address box, figure, strips, legend, ledger, keys and the address's hash.
import "@fontsource/ibm-plex-sans/latin-400.css";
import "@fontsource/ibm-plex-sans/latin-500.css";
import "@fontsource/ibm-plex-sans/latin-600.css";
import "@fontsource/ibm-plex-mono/latin-400.css";
import "./style/base.css";
import "./style/figure.css";
import "./style/strip.css";
import "./style/side.css";
import { createExplorer } from "./explorer.js";
import { readHash, writeHash } from "./hash.js";
import { bytes, plural } from "./model/format.js";
import { createPlayer } from "./player.js";
import { createAbout, describe } from "./view/about.js";
import { createBanner } from "./view/banner.js";
import { el } from "./dom.js";
import { createFigure } from "./view/figure.js";
import { createLedgerView } from "./view/ledger-view.js";
import { createLegend } from "./view/legend.js";
import { createStrip } from "./view/strip.js";

const EMBEDDED = new URL("data/clear-sky-2024.zarr/ghi", document.baseURI).href;
const SOLSTICE = [171]; // 20 June 2024
const HEADING = {
  title: "Cloudless sunlight, every day of 2024",
  dek: "A year of daily maps stored in twelve chunks, one for each month, so they are of unequal length. Only the months you visit are fetched.",
};

const $ = (id) => document.getElementById(id);
const view = $("view");
const say = (text) => ($("status").textContent = text);
const look = { colourMap: "inferno", chunks: true, coast: true };
let strips = [];

const figure = createFigure($("figure"), { say });
const ledgerView = createLedgerView($("ledger"));
const about = createAbout($("about"));
const banner = createBanner($("error"));
const legend = createLegend($("legend"), changeLook);
const player = createPlayer((d) => step(d, 1), () => updateStrips());

const explorer = createExplorer({
  opened({ dataset, index }) {
    banner.hide();
    ledgerView.clear();
    describe(dataset, dataset.url === EMBEDDED ? HEADING : undefined);
    about(dataset);
    strips = (dataset.shape.includes(0) ? [] : index).map((_, d) => createStrip(dataset, d, { key: d === 0 ? key() : "", onSeek: (i) => seek(d, i), onPlay: () => player.toggle(d) }));
    $("axes").replaceChildren(...strips.map(({ element }) => element));
    $("url").value = dataset.url;
  },
  stepping() {
    view.setAttribute("aria-busy", "true");
    updateStrips();
  },
  ended(one, ledger) {
    ledgerView.add(one, ledger);
  },
  drawn({ step: one }) {
    paint();
    updateStrips();
    remember();
    view.setAttribute("aria-busy", "false");
    const fetched = one.requests.length ? `fetched ${plural(one.requests.length, "chunk")}, ${bytes(one.requests.reduce((n, { bytes: size }) => n + (size ?? 0), 0))}` : "from cache";
    if (player.axis === undefined) say(`${one.label}: ${fetched}.`);
  },
  unread() {
    figure.clear();
    updateStrips();
    remember();
  },
  failed(error) {
    player.stop();
    view.setAttribute("aria-busy", "false");
    showError(error);
  },
});

function paint() {
  const { dataset, plane, values } = explorer.state;
  const range = explorer.range();
  const kind = values.length ? ["scalar", "line", "map"][plane.shown.length] : "scalar";
  figure.show(dataset, plane, values, { ...look, range });
  const isMap = kind === "map" && dataset.axes.at(-1).kind === "lon" && dataset.axes.at(-2).kind === "lat";
  legend.update({ ...look, range }, dataset.units, kind, isMap);
  view.dataset.at = explorer.state.index.join(",");
}

function updateStrips() {
  strips.forEach((strip, d) => strip.update({ index: explorer.state.index[d], stateOf: (chunk, here) => explorer.stateOf(d, chunk, here), playing: player.axis === d }));
}

const key = () => el("p", { class: "key", "aria-hidden": "true" },
  [["none", "not fetched"], ["now", "fetched by this step"], ["held", "in cache"]].map(([name, text]) => el("span", {}, el("i", { "data-state": name }), text)));

function changeLook({ range, fit, ...change }) {
  Object.assign(look, change);
  if (!explorer.state) return;
  if (range || fit) explorer.setRange(range);
  paint();
  remember();
}

function seek(d, i) {
  player.stop();
  return explorer.go(explorer.state.index.with(d, i));
}

function step(d, by) {
  const { index, dataset } = explorer.state;
  const { size } = dataset.axes[d];
  return explorer.go(index.with(d, (index[d] + by + size) % size));
}

function remember(fresh) {
  const { dataset, index, userRange } = explorer.state;
  const embedded = dataset.url === EMBEDDED;
  writeHash({
    url: embedded ? undefined : dataset.url,
    index: embedded && String(index) === String(SOLSTICE) ? undefined : index,
    colourMap: look.colourMap === "inferno" ? undefined : look.colourMap,
    range: userRange, chunks: look.chunks, coast: look.coast,
  }, fresh);
}

function showError(error) {
  banner.show(error, Boolean(explorer.state));
  if (!explorer.state) $("title").textContent = "Nothing could be opened";
}

async function open(address, options = {}) {
  let url;
  try {
    url = new URL(address.trim(), document.baseURI).href;
  } catch {
    return showError({ name: "Address", message: `“${address}” is not a web address.` });
  }
  player.stop();
  banner.hide();
  view.setAttribute("aria-busy", "true");
  say("Opening the array.");
  return explorer.open(url, { ...options, index: options.index ?? (url === EMBEDDED ? SOLSTICE : undefined) });
}

function restore() {
  const { url = EMBEDDED, index, range, colourMap, chunks, coast } = readHash();
  Object.assign(look, { colourMap: colourMap ?? "inferno", chunks: chunks ?? true, coast: coast ?? true });
  $("url").value = new URL(url, document.baseURI).href;
  return open(url, { index, range });
}

$("open").addEventListener("submit", async (event) => {
  event.preventDefault();
  const before = location.href;
  const worked = await open($("url").value || EMBEDDED);
  if (worked && location.href !== before) {
    const after = location.href; // an entry of its own, so that Back returns to the array before
    history.replaceState(null, "", before);
    history.pushState(null, "", after);
  }
});
addEventListener("popstate", restore);
addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, button, summary, a") || event.ctrlKey || event.metaKey || event.altKey || !strips.length) return;
  const keys = { ArrowLeft: () => strips[0].step(-1), ArrowRight: () => strips[0].step(1), PageUp: () => strips[0].jump(1), PageDown: () => strips[0].jump(-1), " ": () => player.toggle(0) };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

restore();
