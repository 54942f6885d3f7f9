// Joins the explorer to the document: its views, what the user does, and what the explorer reports.
import "./style/base.css";
import "./style/figure.css";
import "./style/strip.css";
import "./style/reading.css";
import "./style/side.css";
import "./style/tree.css";
import "./style/stores.css";
import "./style/embed.css";
import { begin } from "./catalog/begin.js";
import { createStores } from "./catalog/stores.js";
import { createTelling, isEmbedded } from "./embed/mode.js";
import { createExplorer } from "./explorer/explorer.js";
import { createEarth } from "./earth/earth.js";
import { nextTask } from "./map/next-task.js";
import { bytes, plural } from "./model/format.js";
import { addressIn } from "./model/source.js";
import { createAnswers } from "./answers/answers.js";
import { createActs } from "./page/acts.js";
import { $, say, showArray, view } from "./page/elements.js";
import { EMBEDDED, HEADING, home } from "./page/embedded.js";
import { listenToKeys } from "./page/keys.js";
import { createPainting } from "./page/painting.js";
import { createPlayer } from "./page/player.js";
import { createVisits } from "./page/visits.js";
import { createPanel } from "./reading/panel.js";
import { createTake } from "./take/take.js";
import { describe, describeNothing, describeStore } from "./view/heading.js";
import { createLines } from "./view/axes/lines.js";
import { createHistory } from "./history/history.js";
import { createPrivate } from "./private/private.js";
import { createBanner } from "./view/banner.js";
import { createFigure } from "./view/figure/figure.js";
import { createHealth } from "./view/health/health.js";
import { createOrigin } from "./view/health/origin.js";
import { createLegend } from "./view/legend.js";
import { createOpeners } from "./view/openers.js";
import { createLabels } from "./labels/labels.js";
import { createListing } from "./stac/listing.js";
import { createStorage } from "./view/storage/storage.js";
import { createTree } from "./view/tree.js";

await nextTask(); // to begin all the modules was much work by itself

const look = { chunks: false, coast: true };

/** Resolves with the first picture, or the error in its place, which waits neither for letters nor for what lies below it. */
const stands = new Promise((resolve) => new MutationObserver((_, watch) => {
  if (view.getAttribute("aria-busy") === "true") return;
  watch.disconnect();
  resolve();
}).observe(view, { attributeFilter: ["aria-busy"] }));

const explorer = createExplorer({
  isEmbedded,
  listed(catalog) {
    parts.tree.show(catalog);
    parts.history.update(catalog);
    parts.access.opened(catalog);
    parts.listing?.update(catalog);
    parts.labels();
    if (explorer.state?.dataset.kind === "words") painting.paintSoon(); // a list may stand beside what was found
  },
  empty(catalog) {
    describeStore(catalog);
    showArray(false);
    parts.origin();
    parts.stores.mark();
    $("url").value = addressIn(catalog.place, "") ?? "";
    visits.rememberStore(catalog);
    view.setAttribute("aria-busy", "false");
  },
  kept: () => view.setAttribute("aria-busy", "false"),
  async opened(state) {
    const { dataset, catalog } = state;
    painting.leave();
    const address = addressIn(catalog.place, dataset.path);
    parts.banner.hide();
    parts.storage.clear();
    parts.tree.select(dataset.path);
    head();
    $("url").value = address ?? "";
    parts.origin(state);
    parts.stores.mark(address);
    parts.health.update();
    // Each of these is much work by itself. Where nothing was open the page shows them together, so that nothing moves.
    for (const work of [() => earth.opened(state), painting.layAxes, painting.paintRest, () => (showArray(true), painting.layPicture())]) {
      await nextTask();
      if (explorer.state !== state) return;
      work();
    }
  },
  completed: (state, isMore) => (isMore ? visits.anew() : tell(state)),
  turned() {
    painting.layAxes();
    painting.layPicture();
    visits.rememberNow();
  },
  room: () => parts.figure.room(),
  came: (piece, range) => parts.figure.prepare(piece, painting.lookNow(range)),
  dropped: (piece) => parts.figure.drop(piece),
  moved: () => painting.paintSoon(),
  fitting: () => painting.fitting(),
  looked() {
    painting.rested();
    parts.labels();
    parts.answers.update();
    visits.remember();
    parts.telling();
  },
  stepping: () => painting.stepping(),
  booked: () => painting.showStatesSoon(),
  ended(one, ledger) {
    parts.storage.add(one, ledger);
    painting.showStatesSoon();
  },
  drawn({ step: one, faults, plane }) {
    painting.drawn();
    tell(explorer.state);
    drawMore(plane);
    parts.banner.flaw(faults, (plane.needed ?? plane.touched).length);
    parts.series.mark(explorer.state.index);
    parts.take.update();
    parts.health.update();
    parts.answers.update();
    visits.remember();
    parts.telling();
    const fetched = one.requests.length ? `fetched ${plural(one.requests.length, "chunk")}, ${bytes(one.requests.reduce((n, { bytes: size }) => n + (size ?? 0), 0))}` : "from cache";
    if (player.axis === undefined) say(`${one.label}: ${fetched}.`);
  },
  async charted(state) {
    parts.figure.mark(state.series.point, state.series.second);
    earth.pin(state);
    parts.take.update();
    visits.rememberNow();
    const isShown = await parts.series.show(state, explorer.stepped(), look).catch((error) => parts.banner.show(error, true));
    if (isShown) say(`${$("series").querySelector("h2").textContent}. ${$("series").querySelector(".total").textContent}`);
  },
  unread() {
    $("stage").classList.remove("coming");
    parts.figure.clear();
    parts.take.update();
    parts.health.update();
    painting.showStates();
    tell(explorer.state);
    visits.remember();
  },
  failed(error, kept) {
    player.stop();
    view.setAttribute("aria-busy", "false");
    parts.banner.show(error, kept);
    parts.access.failed(error, kept);
    parts.history.update(explorer.catalog);
    if (error.stac) parts.listing?.list(error.stac);
    if (!explorer.catalog) describeNothing(home.url);
  },
});

const player = createPlayer((d) => {
  const stepped = step(d, 1);
  explorer.beside.ahead(d);
  return stepped;
}, () => explorer.state?.step.wanted.size === 0, () => {
  if (player.axis === undefined) explorer.beside.stopAhead();
  painting.showStates();
});

/** Shows another part of a map, of one in a projection as that has it. */
function lookAt(view, projection = look.projection) {
  look.projection = projection;
  explorer.look(view);
}

/** The heading: what the picture is of. */
function head() {
  const { dataset, catalog, against } = explorer.state;
  describe(dataset, against ? { title: against.heading } : addressIn(catalog.place, dataset.path) === EMBEDDED ? HEADING : undefined);
}

let telling; // loads what says the facts of an array
let told; // the attributes that it has said

/** Says the facts of the array, once the picture stands. */
function tell({ dataset, catalog: { place } }) {
  if (told === dataset.attrs) return;
  told = dataset.attrs;
  telling ??= stands.then(() => import("./view/about.js")).then(({ createAbout }) => createAbout($("about")));
  telling.then((say) => explorer.state?.dataset === dataset && say(dataset, addressIn(place, dataset.path) ?? `${place.name}, on this device`), () => (told = telling = undefined));
}

const page = { explorer, player, head };
const acts = createActs(page);

const parts = {
  figure: createFigure($("figure"), { say, onPick: isEmbedded ? undefined : acts.pick, viewNow: () => explorer.state.view, onLook: lookAt, projectionNow: () => look.projection, onResize: () => explorer.refit(), onList: explorer.list, onFollow: (at) => line?.follow(at), onColumns: (columns) => acts.changeLook({ columns }) }),
  series: createLines($("series"), { say, onSeek: acts.seek, onMove: (axis, i) => acts.rechart({}, (point) => point.with(axis, i)), onAxis: (axis) => acts.rechart({ axis }), onSecond: () => acts.rechart({ second: undefined }), onClose: acts.unchart, onSpan: acts.span, refine: explorer.beside.refine }),
  tree: createTree($("contents"), { onChoose: (path) => visits.visit(() => earth.keeping(() => explorer.openMember(path))), onAdd: (name) => visits.visit(() => explorer.add(name)) }),
  storage: createStorage($("chunk-map"), $("ledger")),
  banner: createBanner($("error"), () => parts.access.settle()),
  access: createPrivate({ say, again: (error, kept) => visits.again(error, kept), reopen: () => visits.visit(() => visits.restore()) }),
  history: createHistory({ explorer, look, lookAt, say, lookNow: () => painting.lookNow(), openVersion: (version) => visits.openVersion(version), repaint: () => (painting.changeLook({}), explorer.state && visits.remember()), remember: () => visits.rememberNow(), onPick: acts.pick }),
  legend: createLegend($("legend"), $("figure").firstElementChild, acts.changeLook, acts.turn),
  stores: createStores($("stores")),
  origin: createOrigin($("origin")),
  health: createHealth($("health"), () => explorer.state),
  answers: createAnswers($("answers"), { current: () => explorer.state, drawn: () => parts.figure.drawn, say }),
  telling: createTelling(document.querySelector(".intro"), { current: () => explorer.state, look, range: () => painting.rangeNow(), beside: () => parts.history.beside(), deeds: { open: (path, at) => visits.visit(() => explorer.openMember(path, at)), lessen: acts.lessen, go: explorer.go, setRange: (range) => acts.changeLook(range ? { range } : { lock: false }), see: explorer.look } }),
  listing: isEmbedded ? undefined : createListing(document.querySelector(".intro"), { say, open: (address, options) => visits.visit(() => visits.openAddress(address, options)) }),
  take: createTake($("take"), { say, current: () => explorer.state, looks: () => painting.lookNow().channels, link: () => visits.rememberNow(), look, seek: acts.seek }),
};

parts.panel = createPanel($("legend"), { groups: parts.legend.groups, onLook: acts.changeLook, onRecast: acts.recast, onLess: acts.lessen, onRepaint: acts.repaint, current: () => explorer.state, failed: (error) => parts.banner.show(error, true) });

parts.underlay = (given, base) => import("./basemap/basemap.js").then(({ createBasemap }) => createBasemap(given, base, { figure: parts.figure, frame: $("figure").firstElementChild, group: parts.legend.groups.picture, onCover: (basemap) => acts.changeLook({ basemap }) })).then((under) => void (look.under = under));

parts.labels = createLabels({ explorer, figure: parts.figure, group: parts.legend.groups.picture, look, onOver: (over) => (painting.changeLook({ over }), visits.remember()), remember: () => visits.remember(), failed: (error) => parts.banner.show(error, true) });

const painting = createPainting({ explorer, parts, player, look, seek: acts.seek });
const earth = createEarth({ explorer, after: $("legend"), repaint: painting.paint, chart: acts.chart, mark: parts.figure.mark, ended: parts.storage.add, placed: parts.take.update });
const visits = createVisits({ explorer, parts, player, look, chart: acts.chart });
Object.assign(page, { parts, painting, earth, visits });

let line; // enlarges that of an array of one axis, once it is loaded
let finer; // loaded with the first map whose chunks are too many

/** Draws more of a map of which not all is read, and lets lines be enlarged. */
function drawMore({ fits, isMap, shown }) {
  if (!line && !isMap && shown.length === 1) import("./view/axes/main-line.js").then(({ createMainLine }) => (line ??= createMainLine($("plot"), { current: () => explorer.state, onPart: (part) => explorer.list(undefined, part) })).update(), () => undefined);
  line?.update();
  if (fits === false) finer ??= import("./map/finer.js").then(({ createFiner }) => createFiner($("figure"), explorer));
  finer?.then((drawn) => explorer.state && drawn(), () => (finer = undefined));
}

/** Steps along an axis, around its end. */
function step(d, by) {
  const { index, dataset } = explorer.state;
  const { size } = dataset.axes[d];
  return explorer.go(index.with(d, (index[d] + by + size) % size));
}

createOpeners({ onAddress: (address) => visits.visit(() => visits.openAddress(address || home.url)), onPlaces: (find) => visits.visit(() => explorer.open(find)) });
addEventListener("popstate", visits.restore);
listenToKeys(() => (view.hidden ? [] : painting.shownStrips()), player.toggle, () => acts.changeLook({ chunks: !look.chunks }));

stands.then(() => import("./page/fonts.js")).then(({ useLetters }) => useLetters()).then(painting.trim, () => undefined); // a page that is offline by then keeps those of the system

nextTask().then(() => begin(parts, visits.restore, () => Boolean(explorer.state))); // and so was the page
