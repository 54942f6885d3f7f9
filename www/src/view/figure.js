// The picture: canvas, overlay, ticks and chunk lengths around it, how its chunks stand, and the value under the pointer.
import { ticks as niceTicks } from "d3-array";
import { el, svg } from "../dom.js";
import { value } from "../model/format.js";
import { createChunkRects } from "./chunk-rects.js";
import { paintHeatmap } from "./heatmap.js";
import { paintLine } from "./lineplot.js";
import { listing } from "./listing.js";
import { chunkLengths, chunkLines, coastline } from "./overlay.js";
import { axisTicks, makePlace } from "./place.js";
import { createProbe } from "./probe.js";

/** How a plane is shown: "map", "line", "scalar" or "list". */
export function kindOf(dataset, plane, values) {
  if (dataset.kind === "words" && values.length) return "list";
  return values.length ? ["scalar", "line", "map"][plane.shown.length] : "scalar";
}

/** `onPick(index)` receives the cell that was clicked, or chosen with the enter key, as a position along every axis. */
export function createFigure(root, { say, id = "plot", onPick }) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const overlay = svg("svg", { class: "overlay", preserveAspectRatio: "none", "aria-hidden": "true" });
  const scalar = el("output", { class: "scalar", hidden: true });
  const plot = el("div", { id, class: "plot", tabindex: "0", role: "application" }, el("div", { class: "sheet" }, canvas), overlay, scalar);
  const [xTicks, yTicks, xEdges, yEdges] = ["ticks-x", "ticks-y", "edges-x", "edges-y"].map((name) => el("div", { class: name, "aria-hidden": "true" }));
  const frame = el("div", { class: "frame" }, xEdges, yTicks, plot, yEdges, xTicks);
  const list = el("div", { class: "list", tabindex: "0", role: "region", "aria-label": "Values", hidden: true });
  const note = el("figcaption", { class: "note" });
  const rects = createChunkRects();
  const pin = svg("rect", { class: "pin" });
  root.append(frame, list, note);

  let shown; // what is drawn now: { dataset, plane, values, place, look }
  const probe = createProbe(plot, overlay, { say, current: () => shown, onPick });
  let pinned;

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
    const longest = Math.max(...[...yTicks.children].map(({ textContent }) => textContent.length), 0);
    frame.style.setProperty("--ticks", longest > 6 ? `${longest * 0.45 + 0.75}rem` : null);
    const x = look.chunks && values.length ? chunkLengths(dataset, place.cols, place.x, place.width) : [];
    const y = look.chunks && values.length ? chunkLengths(dataset, place.rows, place.y, place.height) : [];
    xEdges.replaceChildren(...(x.length > 1 ? x : []));
    yEdges.replaceChildren(...(y.length > 1 ? y : []));
  }

  function lay() {
    const { dataset, place, look, plane, values } = shown;
    frame.dataset.kind = kindOf(dataset, plane, values);
    frame.hidden = frame.dataset.kind === "list";
    list.hidden = !frame.hidden;
    frame.style.setProperty("--aspect", frame.dataset.kind === "scalar" ? 4 : place.aspect);
    overlay.setAttribute("viewBox", `0 0 ${place.width || 1} ${place.height || 1}`);
    overlay.replaceChildren(
      look.coast && place.isMap ? coastline(place) : "",
      rects.group,
      look.chunks && values.length ? chunkLines(dataset, place) : "",
    );
    rects.lay(dataset, plane, place);
    for (const [across, far, one, flip] of [["width", "right", place.cols, place.flipX], ["height", "bottom", place.rows, place.flipY]]) {
      // Whole samples may reach past the last cell: that much of the canvas lies outside the plot.
      canvas.style[across] = one && place.rows ? `${((one.count * one.step) / one.stop) * 100}%` : "100%";
      canvas.style[far] = flip ? "0" : "auto";
    }
    scalar.hidden = frame.dataset.kind !== "scalar";
    note.textContent = plane.note;
    const keys = plane.shown.length ? ` Arrow keys move a cursor over the cells, with shift by ten.${onPick ? " Enter picks one." : ""}` : "";
    plot.setAttribute("aria-label", `${["Value", "Line plot", "Heat map"][plane.shown.length]} of ${dataset.title}.${keys}`);
  }

  /** Puts the mark on the cell of an index along every axis. */
  function placePin() {
    pin.remove();
    if (!pinned || !shown?.values.length) return;
    const { plane, place } = shown;
    const span = (one, at, whole) => {
      if (!one) return [0, whole];
      const from = Math.floor(pinned[one.axis] / one.step) * one.step;
      return [Math.min(at(from), at(from + one.step)), one.step];
    };
    const [x, width] = span(place.cols, place.x, place.width);
    const [y, height] = span(place.rows, place.y, place.height);
    if (!plane.shown.length) return;
    for (const [name, n] of Object.entries({ x, y, width, height })) pin.setAttribute(name, n);
    overlay.append(pin);
  }

  new ResizeObserver(() => shown && paint()).observe(plot);

  return {
    /** Draws a plane of values; `look` is `{ range, colourMap, chunks, coast }`. */
    show(dataset, plane, values, look) {
      const axesOf = (one) => one.plane.shown.map(({ axis, stop, step }) => [axis, stop, step]).join(";");
      const alike = shown?.dataset === dataset && axesOf(shown) === axesOf({ plane }) && shown.values.length === values.length;
      const same = alike && shown.look.chunks === look.chunks && shown.look.coast === look.coast && String(shown.plane.touched) === String(plane.touched);
      const place = makePlace(dataset, plane);
      if (!alike) probe.leave();
      shown = { dataset, plane, values, place, look };
      if (!same) lay();
      if (frame.dataset.kind === "list") list.replaceChildren(listing(dataset, plane, values));
      else scalar.textContent = dataset.kind === "none" ? `Items of type ${dataset.dtype} are not drawn` : values.length ? dataset.decoder.words(values[0]) : "This array has no cells";
      frame.classList.remove("unread");
      paint();
      placePin();
      probe.refresh();
    },
    /** Marks how the picture's chunks stand; `plane` may be one that is not drawn yet. */
    states(dataset, plane, stateOf) {
      if (shown?.dataset !== dataset || String(shown.plane.touched) !== String(plane.touched)) rects.lay(dataset, plane, makePlace(dataset, plane));
      rects.update(stateOf);
    },
    /** Puts a mark on a cell, or takes it away. */
    mark(index) {
      pinned = index;
      placePin();
    },
    /** The step could not be read: nothing is left standing under its name. */
    clear() {
      frame.classList.add("unread");
      if (shown) shown.values = shown.values.map(() => NaN);
      canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
      probe.leave();
    },
  };
}
