// Tells the value of one cell: under the pointer, where a finger taps, or where the arrow keys lead.
import { el, svg } from "../dom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** `current()` gives what is drawn; `say(text)` speaks to screen readers; `onPick(index)`, where there is one, hears of picks. */
export function createProbe(plot, overlay, { current, say, onPick }) {
  const tip = el("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  const marker = svg("rect", { class: "marker" });
  plot.append(tip);
  let at; // [column, row] of the sample pointed at, in array order

  /** Where a sample begins in the picture. */
  const start = (i, shown, flip, size) => (shown ? (flip ? size - (i + 1) * shown.step : i * shown.step) : 0);

  /** The cell pointed at, as a position along every axis. */
  function indexOf() {
    const { place: { rows, cols }, plane } = current();
    const index = plane.index.slice();
    index[cols.axis] = at[0] * cols.step;
    if (rows) index[rows.axis] = at[1] * rows.step;
    return index;
  }

  function refresh(spoken) {
    if (!at) return;
    const { dataset, place, values } = current();
    const [c, r] = at;
    const { cols, rows, width, height } = place;
    const v = values[r * cols.count + c];
    const index = indexOf();
    const where = [rows, cols].filter(Boolean).map(({ axis }) => dataset.axes[axis].say(index[axis])).join(", ");
    const what = dataset.decoder.words(v);
    const chunk = dataset.grid.chunkAt(index).coords;
    const box = { x: start(c, cols, place.flipX, width), y: start(r, rows, place.flipY, height), width: cols.step, height: rows?.step ?? height };
    for (const [name, n] of Object.entries(box)) marker.setAttribute(name, n);
    overlay.append(marker);
    const left = (box.x + box.width / 2) / width;
    const top = (box.y + box.height / 2) / height;
    tip.replaceChildren(el("b", {}, what), el("span", {}, where), el("span", { class: "mono" }, `chunk ${chunk.join(", ")}`));
    tip.style.cssText = `left:${left * 100}%;top:${top * 100}%;--dx:${left > 0.6 ? -1 : 0};--dy:${top > 0.6 ? -1 : 0}`;
    tip.hidden = false;
    if (spoken) say(`${what}, ${where}`);
  }

  function leave() {
    at = undefined;
    tip.hidden = true;
    marker.remove();
  }

  function point(event) {
    const shown = current();
    if (!shown?.plane.shown.length || !shown.values.length) return;
    const box = overlay.getBoundingClientRect();
    const { cols, rows, flipX, flipY, width, height } = shown.place;
    const under = (t, one, flip, size) => (one ? Math.min(one.count - 1, Math.max(0, Math.floor(((flip ? 1 - t : t) * size) / one.step))) : 0);
    at = [
      under((event.clientX - box.left) / box.width, cols, flipX, width),
      under((event.clientY - box.top) / box.height, rows, flipY, height),
    ];
    refresh();
  }

  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", point);
  plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && document.activeElement !== plot && leave());
  plot.addEventListener("blur", leave);
  plot.addEventListener("click", (event) => {
    point(event);
    if (at) onPick?.(indexOf());
  });
  plot.addEventListener("keydown", (event) => {
    const shown = current();
    if (event.key === "Escape") leave();
    if (event.key === "Enter" && at) onPick?.(indexOf());
    if (!(event.key in ARROWS) || !shown?.plane.shown.length || !shown.values.length) return;
    event.preventDefault();
    event.stopPropagation();
    const { cols, rows, flipX, flipY } = shown.place;
    const size = [cols.count, rows?.count ?? 1];
    const by = [flipX ? -1 : 1, flipY ? -1 : 1].map((sign, i) => sign * ARROWS[event.key][i] * (event.shiftKey ? 10 : 1));
    at = at ? at.map((n, i) => Math.min(size[i] - 1, Math.max(0, n + by[i]))) : size.map((n) => n >> 1);
    refresh(true);
  });
  return { refresh, leave };
}
