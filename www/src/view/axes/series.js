// Lines through one cell or two along an axis: every month's value at two places, or of a plane a row's and a column's values.
import "../../style/series.css";
import { el } from "../../dom.js";
import { createFigure } from "../figure/figure.js";

/**
 * `onSeek(axis, i)` for a position picked on a line along a stepped axis, `onMove(axis, i)` on one along a drawn axis,
 * `onAxis(axis)` for another axis, `onSecond(isWanted)` to have the next pick be a second cell or to let go of it, `onClose()`.
 */
export function createSeries(root, { say, onSeek, onMove, onAxis, onSecond, onClose }) {
  const title = el("h2", {});
  const along = el("select", { id: "along", "aria-label": "Axis of the line", onchange: () => onAxis(Number(along.value)) });
  const add = el("button", { type: "button", class: "quiet", "aria-pressed": "false", title: "The next click picks it; so does a click with shift", onclick: () => setAdding(!adding) }, "Add a second cell");
  const remove = el("button", { type: "button", class: "quiet", onclick: () => onSecond(false) }, "Remove the second");
  const close = el("button", { type: "button", class: "quiet", onclick: onClose }, "Close");
  const names = el("ul", { class: "pins", "aria-label": "Cells of the lines" });
  const body = el("div", {});
  root.append(el("div", { class: "series-head" }, title, along, close), el("div", { class: "series-cells" }, names, add, remove), body);
  const charts = []; // { caption, summary, plot, figure }, made as they are needed
  let shown;
  let steps = []; // axes that are stepped along
  let adding = false;

  function setAdding(to) {
    adding = to;
    add.setAttribute("aria-pressed", String(to));
    if (to) say("Pick the second cell in the picture.");
  }

  function chartAt(nth) {
    if (!charts[nth]) {
      const [caption, summary, plot] = [el("h3", {}), el("p", { class: "total" }), el("figure", { class: "line-figure" })];
      const pick = (index) => {
        const { axis } = shown.charts[nth];
        (steps.includes(axis) ? onSeek : onMove)(axis, index[axis]);
      };
      charts[nth] = { caption, summary, plot, figure: createFigure(plot, { say, id: nth ? `series-plot-${nth + 1}` : "series-plot", onPick: pick }) };
      body.append(caption, summary, plot);
    }
    return charts[nth];
  }

  /** Range of the lines together, or undefined. */
  function spanOf(lines) {
    const ranges = lines.flatMap(({ range }) => (range ? [range] : []));
    return ranges.length ? [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))] : undefined;
  }

  function showChart(nth, { dataset, series, index }, look) {
    const { axis, lines } = series.charts[nth];
    const { caption, summary, figure } = chartAt(nth);
    const { words } = dataset.decoder;
    const isOnly = series.charts.length === 1;
    caption.hidden = isOnly;
    caption.textContent = `Along ${dataset.axes[axis].name}${lines.length > 1 ? "" : ` at ${lines[0].where}`}`;
    summary.textContent = lines.map(({ range }) => (range ? `From ${words(range[0])} to ${words(range[1])}.` : "No data along this line.")).join(" ");
    const [low, high] = spanOf(lines) ?? [0, 1];
    const room = (high - low) * 0.06 || 0.5;
    figure.show(dataset, lines[0].plane, lines[0].values, { ...look, range: [low - room, high + room], second: lines[1]?.values });
    figure.mark(steps.includes(axis) ? index : series.point);
  }

  return {
    /** Whether the next pick is the second cell. */
    get isAdding() {
      return adding;
    },
    show(state, stepped, look) {
      const { dataset, series } = state;
      [shown, steps] = [series, stepped];
      setAdding(false);
      root.hidden = false;
      const [{ axis, lines }] = series.charts;
      const axisNames = series.charts.map((chart) => dataset.axes[chart.axis].name).join(" and ");
      const cell = series.charts.length > 1 ? ` through ${series.where[0]}` : ` at ${lines[0].where}`;
      title.textContent = `Along ${axisNames}${series.second ? "" : cell}`;
      along.replaceChildren(...stepped.map((d) => el("option", { value: d, selected: d === axis }, dataset.axes[d].name)));
      along.hidden = stepped.length < 2;
      add.hidden = Boolean(series.second);
      names.hidden = remove.hidden = !series.second;
      const said = series.charts.length > 1 ? series.where : lines.map(({ where }) => where);
      names.replaceChildren(...(series.second ? said.map((text, i) => el("li", {}, el("i", { class: i ? "second" : "first", "aria-hidden": "true" }), text)) : []));
      series.charts.forEach((_, nth) => showChart(nth, state, look));
      charts.forEach(({ caption, summary, plot }, nth) => nth < series.charts.length || [caption, summary, plot].forEach((part) => (part.hidden = true)));
      charts.slice(0, series.charts.length).forEach(({ summary, plot }) => (summary.hidden = plot.hidden = false));
    },
    /** Marks where the picture stands; no line is left to mark while it is hidden. */
    mark: (index) => shown?.charts.forEach(({ axis }, nth) => steps.includes(axis) && charts[nth].figure.mark(index)),
    hide() {
      root.hidden = true;
      shown = undefined;
      setAdding(false);
    },
  };
}
