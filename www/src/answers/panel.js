// Means, extremes and deviations of what is in view, as curves: what can be asked, what it takes, and the answer.
import { reduce } from "rectilinear-zarr/answers";
import { el } from "../dom.js";
import { bytes, plural } from "../model/format.js";
import { planPlane } from "../model/plane.js";
import { steppedOf } from "../model/position.js";
import { chartCsvOf } from "../take/files.js";
import { fileName, save } from "../take/save.js";
import { createFigure } from "../view/figure/figure.js";
import { MOST, STATISTICS, curvesOf, isAskable, placedIn, questionOf } from "./question.js";

/** Fills `root`; `update(current)` shows what can be asked of the state that `current()` gives. */
export function createPanel(root, { say }) {
  const statistic = el("select", { "aria-label": "Statistic" }, Object.entries(STATISTICS).map(([name, words]) => el("option", { value: name }, words)));
  const curve = el("select", { "aria-label": "Curve", onchange: () => price() });
  const ask = el("button", { type: "button", class: "quiet", onclick: () => answer() }, "Calculate");
  const stop = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => asking.abort() }, "Stop");
  const file = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => save(`${shown.name}.csv`, chartCsvOf(shown.dataset, shown, false), "text/csv") }, "Curve as CSV");
  const cost = el("span", { class: "total" });
  const title = el("h3", {});
  const summary = el("p", { class: "total" });
  const plot = el("figure", { class: "line-figure", hidden: true });
  root.append(el("div", { class: "choices" }, statistic, curve, ask, stop, cost, file), title, summary, plot);
  const figure = createFigure(plot, { say, id: "answer-plot" });
  let asking = new AbortController();
  let state;
  let curves = [];
  let shown; // the answer: { name, dataset, axis, lines }

  const nameOf = (d) => state.dataset.axes[d].name;
  const wordsOf = ({ axis, over }) => `along ${nameOf(axis)}, over ${over.length > 1 ? "the view" : nameOf(over[0])}`;

  function price() {
    const question = questionOf(state, curves[curve.selectedIndex]);
    const { chunks, bytes: size } = question.cost;
    const isMuch = chunks > MOST.chunks || size > MOST.bytes;
    ask.disabled = isMuch;
    cost.textContent = isMuch ? `More than ${plural(MOST.chunks, "chunk")} or ${bytes(MOST.bytes)}: zoom in to ask.` : `Reads ${plural(chunks, "chunk")}, ${bytes(size)} decoded.`;
    return question;
  }

  /** The part of an axis that the view has, in words. */
  const partOf = (d, [from, to]) => `${nameOf(d)} ${state.dataset.axes[d].text(from)} to ${state.dataset.axes[d].text(to - 1)}`;

  async function answer() {
    const mine = state;
    const { dataset, axes } = mine;
    const question = price();
    const how = statistic.value;
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const others = steppedOf(mine).filter((d) => d !== question.axis);
    const where = [...axes.map((d, i) => partOf(d, question.cells[i])), ...others.map((d) => dataset.axes[d].say(mine.index[d]))].join(", ");
    const words = `${STATISTICS[how]} ${wordsOf(question)}`;
    const isArea = question.over.length === 2 && axes.every((d) => ["lat", "lon"].includes(dataset.axes[d].kind));
    stop.hidden = false;
    try {
      const onProgress = ({ share }) => (cost.textContent = `${Math.round(share * 100)} %`);
      const { data } = await reduce(dataset.array, how, { over: question.over, selection: question.selection, weights: isArea ? "area" : undefined, mask: dataset.decoder.options.mask, coordinates: "none", signal, onProgress });
      signal.throwIfAborted();
      const { values, range } = placedIn(question, dataset, data);
      const plane = { ...planPlane(dataset, mine.index, []), shown: [{ axis: question.axis, stop: values.length, step: 1, count: values.length, first: 0 }] };
      shown = { name: `${fileName(dataset.name)}-${how}`, dataset, axis: question.axis, lines: [{ plane, values, where: words }] };
      title.textContent = `${words}: ${where}`;
      summary.textContent = range ? `From ${dataset.decoder.words(range[0])} to ${dataset.decoder.words(range[1])}${isArea && ["mean", "std"].includes(how) ? ", weighted by area" : ""}.` : "No data in it.";
      const [low, high] = range ?? [0, 1];
      const room = (high - low) * 0.06 || 0.5;
      plot.hidden = file.hidden = false;
      figure.show(dataset, plane, values, { chunks: false, coast: false, range: [low - room, high + room] });
      say(`${title.textContent}. ${summary.textContent}`);
    } catch (error) {
      if (!signal.aborted) summary.textContent = `It could not be calculated: ${error.message}`;
    }
    if (asking.signal === signal) stop.hidden = true;
    if (state === mine && isAskable(mine)) price();
  }

  return {
    update(current) {
      const next = current();
      if (state?.dataset !== next.dataset) {
        asking.abort();
        title.textContent = summary.textContent = "";
        plot.hidden = file.hidden = true;
      }
      state = next;
      root.hidden = !isAskable(state);
      if (root.hidden) return;
      const before = curve.selectedIndex;
      const names = `${curves.map(wordsOf)}`;
      curves = curvesOf(state);
      if (`${curves.map(wordsOf)}` !== names || !curve.options.length) curve.replaceChildren(...curves.map((one) => el("option", {}, wordsOf(one))));
      else curve.selectedIndex = before;
      if (stop.hidden) price();
    },
  };
}
