// Means, extremes and deviations of what is in view or of an area, as curves: what can be asked, what it takes, and the answer.
import { reduce, zonal } from "rectilinear-zarr/answers";
import { el } from "../dom.js";
import { makeAxis } from "../model/axis.js";
import { bytes, plural } from "../model/format.js";
import { planPlane } from "../model/plane.js";
import { steppedOf } from "../model/position.js";
import { chartCsvOf } from "../take/files.js";
import { fileName, save } from "../take/save.js";
import { cutLine } from "../view/axes/part.js";
import { createSpan } from "../view/axes/span.js";
import { createFigure } from "../view/figure/figure.js";
import { createAreaChoices } from "./area-choices.js";
import { MOST, STATISTICS, byMonth, curvesOf, hasPlaces, isAskable, placedIn, questionOf } from "./question.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Fills `root`; `update(current)` shows what can be asked of the state that `current()` gives, `drawn()` is what the map shows. */
export function createPanel(root, { drawn, say }) {
  const statistic = el("select", { "aria-label": "Statistic", onchange: () => offer() }, Object.entries(STATISTICS).map(([name, words]) => el("option", { value: name }, words)));
  const curve = el("select", { "aria-label": "Curve", onchange: () => price() });
  const ask = el("button", { type: "button", class: "quiet", onclick: () => answer() }, "Calculate");
  const stop = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => asking.abort() }, "Stop");
  const file = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => save(`${shown.name}.csv`, chartCsvOf(shown.dataset, { ...shown, lines: [inView()] }, false), "text/csv") }, "Curve as CSV");
  const cost = el("span", { class: "total" });
  const title = el("h3", { hidden: true });
  const summary = el("p", { class: "total", id: "answer" });
  const plot = el("figure", { class: "line-figure", hidden: true });
  const places = createAreaChoices(document.getElementById("plot"), { drawn, say, onArea: () => (offer(), places.area && ask.focus()) });
  const figure = createFigure(plot, { say, id: "answer-plot", onFollow: (at) => zoom.follow(at) });
  const zoom = createSpan(plot.querySelector(".plot"), { label: "Zoom of the curve", size: () => shown?.lines[0].plane.shown[0].stop, current: () => shown?.span, axis: () => shown.dataset.axes[shown.axis], onSpan: (to) => ((shown.span = to), draw()) });
  zoom.element.hidden = true;
  const row = el("div", { class: "line-row" }, summary, zoom.element);
  root.append(el("div", { class: "choices" }, statistic, curve, ask, stop, cost, file), places.element, title, row, plot);
  let asking = new AbortController();
  let state;
  let asked; // the array that is taken off
  let curves = [];
  let shown; // the answer: { name, dataset, axis, lines, look, span }

  const nameOf = (d) => state.dataset.axes[d].name;
  const areaNow = () => (hasPlaces(state) ? places.area : undefined);
  const wordsOf = ({ axis, over, byMonth: isByMonth }) => {
    const where = areaNow() ? "the area" : over.length > 1 ? "the view" : nameOf(over[0]);
    return axis === undefined ? `over ${where}` : `${isByMonth ? "by month" : `along ${nameOf(axis)}`}, over ${where}`;
  };

  function price() {
    const question = questionOf(state, curves[curve.selectedIndex], areaNow());
    if (!question) {
      ask.disabled = true;
      cost.textContent = "The area lies beside this grid.";
      return undefined;
    }
    const { chunks, bytes: size } = question.cost;
    const isMuch = chunks > MOST.chunks || size > MOST.bytes;
    ask.disabled = isMuch;
    const most = areaNow() ? "at most " : "";
    cost.textContent = isMuch ? `More than ${plural(MOST.chunks, "chunk")} or ${bytes(MOST.bytes)}: ${most ? "choose a smaller area." : "zoom in to ask."}` : `Reads ${most}${plural(chunks, "chunk")}, ${bytes(size)} decoded.`;
    return question;
  }

  /** Offers the curves that there are of the statistic, keeping the one that was chosen where there is one of its name. */
  function offer() {
    if (!isAskable(state)) return;
    const before = curve.value;
    curves = curvesOf(state, statistic.value, areaNow());
    const names = curves.map(wordsOf);
    if (String(names) !== String([...curve.options].map(({ value }) => value))) {
      curve.replaceChildren(...names.map((words) => el("option", { value: words, selected: words === before }, words)));
    }
    if (stop.hidden) price();
  }

  /** The part of an axis that the view has, in words. */
  const partOf = (d, [from, to]) => `${nameOf(d)} ${state.dataset.axes[d].text(from)} to ${state.dataset.axes[d].text(to - 1)}`;

  /** The statistics of an area: each step's, and in words those of the step that is drawn. */
  async function ofArea(array, area, question, { dataset, index, against }, options) {
    const { earth, decoder } = dataset;
    const { words } = against ?? decoder;
    const names = Object.keys(STATISTICS);
    const { isCurvilinear, project, zones } = earth;
    const isProjected = Boolean(project ?? zones?.project) && !isCurvilinear;
    const found = await zonal(array, area.geojson, { ...options, stats: names, unwraps: area.unwraps, ...(zones ?? (isProjected ? { project } : { weights: "area" })) });
    const at = question.axis === undefined ? 0 : index[question.axis];
    const here = names.map((name) => `${STATISTICS[name].toLowerCase()} ${words(found[name].data[at])}`).join(", ");
    return { data: (how) => found[how].data, words: `${question.axis === undefined ? "" : `At ${dataset.axes[question.axis].text(at)}: `}${here}.`, isByArea: !isProjected };
  }

  /** The statistic of the view. */
  async function ofView(array, question, { dataset, axes }, how, options) {
    const isByArea = question.over.length === 2 && axes.every((d) => ["lat", "lon"].includes(dataset.axes[d].kind));
    const { data } = await reduce(array, how, { ...options, over: question.over, weights: isByArea ? "area" : undefined, coordinates: "none" });
    return { data: () => data, words: "", isByArea };
  }

  /** The answer as what the page charts: of months, on an axis of them. */
  function chartOf(question, { dataset, index }, { values, range }) {
    const { axis, byMonth: isByMonth } = question;
    const plane = { ...planPlane(dataset, index, []), shown: [{ axis, stop: values.length, step: 1, count: values.length, first: 0 }] };
    if (!isByMonth) return { dataset, plane, values, range };
    const months = makeAxis("month", 12, { values: MONTHS, attrs: {} });
    return { dataset: { ...dataset, axes: dataset.axes.with(axis, months) }, plane: { ...plane, touched: [], source: { ...plane.source, grid: { chunkAt: () => ({}) } } }, values, range };
  }

  const inView = () => cutLine(shown.lines[0], shown.span);

  /** Draws the answer's curve, as far as it is in view. */
  function draw() {
    const { plane, values, range } = inView();
    const [low, high] = range ?? [0, 1];
    const room = (high - low) * 0.06 || 0.5;
    figure.show(shown.dataset, plane, values, { ...shown.look, range: [low - room, high + room] });
    zoom.update();
  }

  async function answer() {
    const mine = state;
    const { dataset, axes, against } = mine;
    const { words: valueWords } = against ?? dataset.decoder;
    const question = price();
    const area = areaNow();
    const how = statistic.value;
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const others = steppedOf(mine).filter((d) => d !== question.axis);
    const where = [...(area ? [] : axes.map((d, i) => partOf(d, question.cells[i]))), ...others.map((d) => dataset.axes[d].say(mine.index[d]))].join(", ");
    const words = `${STATISTICS[how]}${against ? ` of ${against.heading}` : ""} ${wordsOf(question)}`;
    stop.hidden = false;
    let source = { array: dataset.array, free() {} };
    try {
      if (against) source = await import("./difference.js").then(({ differenceOf }) => differenceOf(mine, signal));
      const { array } = source;
      const onProgress = ({ share }) => (cost.textContent = `${Math.round(share * 100)} %`);
      const options = { selection: question.selection, mask: against ? undefined : dataset.decoder.options.mask, signal, onProgress };
      const found = await (area ? ofArea(array, area, question, mine, options) : ofView(array, question, mine, how, options));
      signal.throwIfAborted();
      const steps = placedIn(question, dataset, found.data(how));
      const { values, range } = question.byMonth ? byMonth(steps.values, dataset.axes[question.axis].moments, how) : steps;
      title.textContent = [words, where].filter(Boolean).join(": ");
      title.hidden = false;
      const span = range && question.axis !== undefined ? `From ${valueWords(range[0])} to ${valueWords(range[1])}` : "";
      const weights = found.isByArea && ["mean", "std"].includes(how) ? "weighted by area" : "";
      summary.textContent = range ? [[span, span && weights].filter(Boolean).join(", "), found.words].filter(Boolean).join(". ").replace(/([^.])$/, "$1.") : "No data in it.";
      plot.hidden = file.hidden = zoom.element.hidden = question.axis === undefined;
      if (!plot.hidden) {
        const chart = chartOf(question, mine, { values, range });
        const name = against ? `${dataset.name} less ${against.name}` : dataset.name;
        const look = { chunks: false, coast: false, difference: Boolean(against), words: valueWords };
        shown = { name: `${fileName(name)}-${how}`, dataset: { ...chart.dataset, name }, axis: question.axis, lines: [{ ...chart, where: words }], look };
        draw();
      }
      say(`${title.textContent}. ${summary.textContent}`);
    } catch (error) {
      if (!signal.aborted) summary.textContent = `It could not be calculated: ${error.message}`;
    }
    source.free();
    if (asking.signal === signal) stop.hidden = true;
    if (state === mine && isAskable(mine)) price();
  }

  return {
    update(current) {
      const next = current();
      if (state?.dataset !== next.dataset || asked !== next.against) {
        asking.abort();
        title.textContent = summary.textContent = "";
        title.hidden = plot.hidden = file.hidden = zoom.element.hidden = true;
      }
      state = next;
      asked = next.against;
      root.hidden = !isAskable(state);
      if (root.hidden) return;
      places.update(hasPlaces(state));
      offer();
    },
  };
}
