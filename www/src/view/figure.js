// The picture: canvas, overlay, ticks and chunk lengths around it, and the value under the pointer.
import { ticks as niceTicks } from "d3-array";
import { el, svg } from "../dom.js";
import { value } from "../model/format.js";
import { paintHeatmap } from "./heatmap.js";
import { paintLine } from "./lineplot.js";
import { chunkLengths, chunkLines, coastline } from "./overlay.js";
import { axisTicks, makePlace } from "./place.js";
import { createProbe } from "./probe.js";

export function createFigure(root, { say }) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const overlay = svg("svg", { class: "overlay", preserveAspectRatio: "none", "aria-hidden": "true" });
  const scalar = el("output", { class: "scalar", hidden: true });
  const plot = el("div", { id: "plot", class: "plot", tabindex: "0", role: "application" }, el("div", { class: "sheet" }, canvas), overlay, scalar);
  const [xTicks, yTicks, xEdges, yEdges] = ["ticks-x", "ticks-y", "edges-x", "edges-y"].map((name) => el("div", { class: name, "aria-hidden": "true" }));
  const frame = el("div", { class: "frame" }, xEdges, yTicks, plot, yEdges, xTicks);
  const note = el("figcaption", { id: "note" });
  root.append(frame, note);

  let shown; // what is drawn now: { dataset, plane, values, place, look }
  const probe = createProbe(plot, overlay, { say, current: () => shown });

  function paint() {
    const { dataset, values, place, look } = shown;
    const kind = frame.dataset.kind;
    if (kind === "map") paintHeatmap(canvas, values, place, look.range, look.colourMap);
    if (kind === "line") paintLine(canvas, values, look.range);
    const wide = plot.clientWidth || 600;
    const tall = plot.clientHeight || 300;
    const per = (at, size) => `--at:${(at / size) * 100}%`;
    const tick = (style, label) => el("span", { style }, label);
    xTicks.replaceChildren(...(place.xAxis && values.length ? axisTicks(place.xAxis, place.width, Math.max(2, wide / 110)).map(({ at, label }) => tick(per(place.x(at), place.width), label)) : []));
    if (kind === "map") yTicks.replaceChildren(...axisTicks(place.yAxis, place.height, Math.max(2, tall / 52)).map(({ at, label }) => tick(per(place.y(at), place.height), label)));
    else if (kind === "line") yTicks.replaceChildren(...niceTicks(...look.range, Math.max(2, tall / 52)).map((v) => tick(per(look.range[1] - v, look.range[1] - look.range[0] || 1), value(v))));
    else yTicks.replaceChildren();
    const x = look.chunks && values.length ? chunkLengths(dataset, place.cols, place.x, place.width) : [];
    const y = look.chunks && values.length ? chunkLengths(dataset, place.rows, place.y, place.height) : [];
    xEdges.replaceChildren(...(x.length > 1 ? x : []));
    yEdges.replaceChildren(...(y.length > 1 ? y : []));
  }

  function lay() {
    const { dataset, place, look, plane, values } = shown;
    frame.dataset.kind = values.length ? ["scalar", "line", "map"][plane.shown.length] : "scalar";
    frame.style.setProperty("--aspect", place.aspect);
    overlay.setAttribute("viewBox", `0 0 ${place.width || 1} ${place.height || 1}`);
    overlay.replaceChildren(
      look.coast && place.isMap ? coastline(place) : "",
      look.chunks && values.length ? chunkLines(dataset, place) : "",
    );
    for (const [across, far, one, flip] of [["width", "right", place.cols, place.flipX], ["height", "bottom", place.rows, place.flipY]]) {
      // Whole samples may reach past the last cell: that much of the canvas lies outside the plot.
      canvas.style[across] = one && place.rows ? `${((one.count * one.step) / one.stop) * 100}%` : "100%";
      canvas.style[far] = flip ? "0" : "auto";
    }
    scalar.hidden = frame.dataset.kind !== "scalar";
    note.textContent = plane.note;
    const keys = plane.shown.length ? " Arrow keys move a cursor over the cells." : "";
    plot.setAttribute("aria-label", `${["Value", "Line plot", "Heat map"][plane.shown.length]} of ${dataset.title}.${keys}`);
  }

  new ResizeObserver(() => shown && paint()).observe(plot);

  return {
    /** Draws a plane of values; `look` is `{ range, colourMap, chunks, coast }`. */
    show(dataset, plane, values, look) {
      const same = shown && shown.dataset === dataset && shown.look.chunks === look.chunks && shown.look.coast === look.coast && shown.plane.note === plane.note;
      const place = makePlace(dataset, plane);
      if (shown?.dataset !== dataset) probe.leave();
      shown = { dataset, plane, values, place, look };
      if (!same) lay();
      scalar.textContent = values.length ? `${value(values[0], dataset.decoder.places)} ${dataset.units}` : "This array has no cells";
      frame.classList.remove("unread");
      paint();
      probe.refresh();
    },
    /** The step could not be read: nothing is left standing under its name. */
    clear() {
      frame.classList.add("unread");
      if (shown) shown.values = shown.values.fill(NaN);
      canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
      probe.leave();
    },
  };
}
