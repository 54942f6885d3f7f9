// A line through one cell along an axis that the picture steps along: every month's value at a place, for instance.
import { el } from "../dom.js";
import { createFigure } from "./figure.js";

/** `onSeek(axis, i)` for a position picked on the line, `onAxis(axis)` for another axis, `onClose()`. */
export function createSeries(root, { say, onSeek, onAxis, onClose }) {
  const title = el("h2", {});
  const along = el("select", { id: "along", "aria-label": "Axis of the line", onchange: () => onAxis(Number(along.value)) });
  const close = el("button", { type: "button", class: "quiet", onclick: onClose }, "Close");
  const summary = el("p", { class: "total" });
  const plot = el("figure", { class: "line-figure" });
  root.append(el("div", { class: "series-head" }, title, along, close), summary, plot);
  const figure = createFigure(plot, { say, id: "series-plot", onPick: (index) => onSeek(shown.axis, index[shown.axis]) });
  let shown;

  return {
    show({ dataset, series, index }, stepped, look) {
      shown = series;
      const { range } = series;
      root.hidden = false;
      title.textContent = `Along ${dataset.axes[series.axis].name} at ${series.where}`;
      along.replaceChildren(...stepped.map((d) => el("option", { value: d, selected: d === series.axis }, dataset.axes[d].name)));
      along.hidden = stepped.length < 2;
      const words = dataset.decoder.words;
      summary.textContent = range ? `From ${words(range[0])} to ${words(range[1])}. ${series.plane.note}` : "No data along this line.";
      const [low, high] = range ?? [0, 1];
      const room = (high - low) * 0.06 || 0.5;
      figure.show(dataset, series.plane, series.values, { ...look, range: [low - room, high + room] });
      figure.mark(index);
    },
    mark: (index) => figure.mark(index),
    hide() {
      root.hidden = true;
      shown = undefined;
    },
  };
}
