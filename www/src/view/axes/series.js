// Lines through one cell or two along an axis: every month's value at two places, or of a plane a row's and a column's values.
import { el } from "../../dom.js";
import { createFigure } from "../figure/figure.js";
import { cutLine, spanGiven } from "./part.js";
import { createSpan } from "./span.js";

const REST = 150; // ms after a part of a line was chosen, until more of it is read

/**
 * `onSeek(axis, i)` for a position picked on a line along a stepped axis, `onMove(axis, i)` on one along a drawn axis,
 * `onAxis(axis)` for another axis, `onSecond(isWanted)` to have the next pick be a second cell or to let go of it, `onClose()`,
 * `onSpan(spans)` for other parts of the lines in view. `refine(nth, span)` reads more of a part of a chart's lines.
 */
export function createSeries(root, { say, onSeek, onMove, onAxis, onSecond, onClose, onSpan, refine }) {
  const title = el("h2", {});
  const along = el("select", { id: "along", "aria-label": "Axis of the line", onchange: () => onAxis(Number(along.value)) });
  const add = el("button", { type: "button", class: "quiet", "aria-pressed": "false", title: "The next click picks it; so does a click with shift", onclick: () => setAdding(!adding) }, "Add a second cell");
  const remove = el("button", { type: "button", class: "quiet", onclick: () => onSecond(false) }, "Remove the second");
  const close = el("button", { type: "button", class: "quiet", onclick: onClose }, "Close");
  const names = el("ul", { class: "pins", "aria-label": "Cells of the lines" });
  const body = el("div", {});
  root.append(el("div", { class: "series-head" }, title, along, close), el("div", { class: "series-cells" }, names, add, remove), body);
  const charts = []; // { caption, summary, plot, figure, span, timer }, made as they are needed
  let shown;
  let now; // the state and the look that the lines are of
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
      const figure = createFigure(plot, { say, id: nth ? `series-plot-${nth + 1}` : "series-plot", onPick: pick, onFollow: (at) => span.follow(at) });
      const span = createSpan(plot.querySelector(".plot"), {
        label: "Zoom of the line",
        size: () => shown && now.dataset.shape[shown.charts[nth].axis],
        current: () => now.spans?.[nth],
        step: () => (steps.includes(shown.charts[nth].axis) ? now.index[shown.charts[nth].axis] + 0.5 : shown.point[shown.charts[nth].axis] + 0.5),
        axis: () => now.dataset.axes[shown.charts[nth].axis],
        onSpan: (to) => setSpan(nth, to),
      });
      const row = el("div", { class: "line-row" }, summary, span.element);
      charts[nth] = { caption, summary, row, plot, figure, span };
      body.append(caption, row, plot);
    }
    return charts[nth];
  }

  function setSpan(nth, to) {
    const spans = shown.charts.map((_, i) => (i === nth ? to : now.spans?.[i]));
    onSpan(spans.some(Boolean) ? spans : undefined);
    showChart(nth);
    rest(nth, true);
  }

  /** Reads more of the lines of a chart, a moment after their part in view is chosen. */
  function rest(nth, isTold) {
    const chart = charts[nth];
    clearTimeout(chart.timer);
    const [mine, span] = [shown, now.spans?.[nth]];
    if (span) chart.plot.setAttribute("aria-busy", "true");
    chart.timer = setTimeout(async () => {
      const isHere = () => shown === mine && now.spans?.[nth] === span;
      if (!isHere()) return;
      const whole = span?.map((at, end) => (end ? Math.ceil(at) : Math.floor(at)));
      const lines = span && (await refine(nth, whole).catch(() => undefined)); // the wide steps stand where the fine ones cannot be read
      if (!isHere()) return;
      if (lines) {
        mine.charts[nth].finer = { span: whole, lines };
        showChart(nth);
      }
      chart.plot.removeAttribute("aria-busy");
      if (isTold) say(chart.summary.textContent);
    }, REST);
  }

  /** The lines of a chart as far as they are in view: the finer ones where they reach over all of that. */
  function linesOf({ lines, finer }, span) {
    const isFiner = finer && span && finer.span[0] <= span[0] && finer.span[1] >= span[1];
    return (isFiner ? finer.lines : lines).map((line) => cutLine(line, span));
  }

  /** Range of the lines together, or undefined. */
  function spanOf(lines) {
    const ranges = lines.flatMap(({ range }) => (range ? [range] : []));
    return ranges.length ? [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))] : undefined;
  }

  function showChart(nth) {
    const { dataset, series, index, against, spans, look } = now;
    const chart = series.charts[nth];
    const axis = dataset.axes[chart.axis];
    const { caption, summary, figure, span } = chartAt(nth);
    const words = against?.words ?? dataset.decoder.words;
    const lines = (chart.shown = linesOf(chart, spans?.[nth]));
    const isOnly = series.charts.length === 1;
    caption.hidden = isOnly;
    caption.textContent = `Along ${axis.name}${lines.length > 1 ? "" : ` at ${lines[0].where}`}`;
    const part = spans?.[nth] && `${axis.text(Math.floor(spans[nth][0]))} to ${axis.text(Math.ceil(spans[nth][1]) - 1)}. `;
    summary.textContent = (part ?? "") + lines.map(({ range }) => (range ? `From ${words(range[0])} to ${words(range[1])}.` : "No data along this line.")).join(" ");
    const [low, high] = spanOf(lines) ?? [0, 1];
    const room = (high - low) * 0.06 || 0.5;
    figure.show(dataset, lines[0].plane, lines[0].values, { ...look, range: [low - room, high + room], second: lines[1]?.values, difference: Boolean(against), words });
    figure.mark(steps.includes(chart.axis) ? index : series.point);
    span.update();
  }

  return {
    /** Whether the next pick is the second cell. */
    get isAdding() {
      return adding;
    },
    show(state, stepped, look) {
      const { dataset, series } = state;
      [shown, steps] = [series, stepped];
      now = Object.assign(Object.create(state), { look }); // its position and what is in view change
      state.spans = series.charts.map(({ axis }, nth) => spanGiven(state.spans?.[nth], dataset.shape[axis]));
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
      series.charts.forEach((_, nth) => showChart(nth));
      charts.forEach(({ caption, row, plot }, nth) => nth < series.charts.length || [caption, row, plot].forEach((part) => (part.hidden = true)));
      charts.slice(0, series.charts.length).forEach(({ row, plot }, nth) => {
        row.hidden = plot.hidden = false;
        rest(nth);
      });
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
