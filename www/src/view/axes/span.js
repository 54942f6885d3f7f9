// The part of a line that is in view: chosen by dragging, by the wheel with ctrl, by fingers, keys and buttons.
import "../../style/series.css";
import { el, icon } from "../../dom.js";
import { LEAST, isTurned, spanIn } from "./part.js";

const WHEEL = 0.0088; // parts of a doubling for a pixel of the wheel
const STILL = 5; // pixels that a press may move and still be a click
const BUTTON = 2; // times for a press of a button
const KEY = 1.5;

/**
 * Lets a plot's line be enlarged. `size()` gives the cells of its axis, or nothing where there is no line, `current()` the
 * span in view, undefined for the whole, `axis()` the axis, `step()` the cell of the step that is drawn, if there is one, and
 * `onSpan(span)` hears of another span. `label` names the buttons, which `element` holds.
 */
export function createSpan(plot, { size, current, axis, step, onSpan, label }) {
  const pressed = new Map(); // pointer -> x, as a part of the plot
  const band = el("div", { class: "band", hidden: true });
  const button = (name, words, action) => el("button", { type: "button", class: "tool", title: words, "aria-label": words, onclick: action }, icon(name));
  const nearer = button("zoomIn", "Zoom in", () => zoom(BUTTON));
  const farther = button("zoomOut", "Zoom out", () => zoom(1 / BUTTON));
  const all = button("whole", "Show all of it", () => onSpan(undefined));
  plot.append(band);
  const element = el("div", { class: "line-zoom", role: "group", "aria-label": label }, nearer, farther, all);
  let start; // where a press began, until it is over
  let dragged = false;
  let cursor; // cell that the keyboard is at

  const whole = () => [0, size()];
  const now = () => current() ?? whole();
  const partOf = ({ clientX }) => {
    const box = plot.getBoundingClientRect();
    const part = (clientX - box.left) / box.width;
    return isTurned(axis()) ? 1 - part : part;
  };
  const cellAt = (part, [from, to] = now()) => from + part * (to - from);
  const set = (span) => onSpan(spanIn(span, size()));

  /** Enlarges around a cell, by default the cursor's or that of the step, where they are in view, or the middle. */
  function zoom(times, fixed) {
    const [from, to] = now();
    const at = fixed ?? [cursor, step?.()].find((one) => one >= from && one <= to) ?? (from + to) / 2;
    set([at - (at - from) / times, at + (to - at) / times]);
  }

  const move = (by) => set(now().map((at) => at + by));

  function showBand() {
    const last = pressed.values().next().value;
    const [from, to] = [start.part, last].map((part) => Math.min(1, Math.max(0, isTurned(axis()) ? 1 - part : part))).sort((a, b) => a - b);
    band.hidden = false;
    band.style.cssText = `left:${from * 100}%;width:${(to - from) * 100}%`;
  }

  plot.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !size()) return; // without it, the page is scrolled
    event.preventDefault();
    zoom(2 ** (-event.deltaY * (event.deltaMode ? 16 : 1) * WHEEL), cellAt(partOf(event)));
  }, { passive: false });
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !size()) return;
    if (!pressed.size) dragged = false;
    pressed.set(event.pointerId, partOf(event));
    start = { x: event.clientX, part: partOf(event), isTouch: event.pointerType === "touch", moves: event.shiftKey };
  });
  plot.addEventListener("pointermove", (event) => {
    if (!pressed.has(event.pointerId)) return;
    const before = [...pressed.values()];
    if (!dragged && pressed.size === 1 && Math.abs(event.clientX - start.x) < STILL) return;
    const isMove = pressed.size === 1 && (start.isTouch || start.moves);
    if (isMove && !current()) return; // of the whole there is nothing to move, and a finger may mean to scroll the page
    if (!dragged) plot.setPointerCapture(event.pointerId);
    dragged = true;
    pressed.set(event.pointerId, partOf(event));
    const after = [...pressed.values()];
    const [from, to] = now();
    if (pressed.size > 1) {
      // Both fingers stay on their cells.
      const cells = before.map((part) => cellAt(part));
      const [a, b] = after;
      const long = Math.abs(b - a) > 0.01 ? (cells[1] - cells[0]) / (b - a) : to - from;
      if (long > 0) set([cells[0] - a * long, cells[0] + (1 - a) * long]);
    } else if (isMove) move((before[0] - after[0]) * (to - from));
    else showBand();
  });
  for (const name of ["pointerup", "pointercancel"]) {
    plot.addEventListener(name, (event) => {
      const end = pressed.get(event.pointerId);
      pressed.delete(event.pointerId);
      if (band.hidden || end === undefined) return;
      band.hidden = true;
      if (name === "pointerup") set([start.part, end].map((part) => cellAt(Math.min(1, Math.max(0, part)))).sort((a, b) => a - b));
    });
  }
  // The end of a drag is no click.
  plot.addEventListener("click", (event) => {
    if (!dragged) return;
    dragged = false;
    event.stopImmediatePropagation();
  }, { capture: true });
  plot.addEventListener("keydown", (event) => {
    const keys = { "+": () => zoom(KEY), "=": () => zoom(KEY), "-": () => zoom(1 / KEY), 0: () => onSpan(undefined), Escape: () => (band.hidden = true) };
    if (!keys[event.key] || !size() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Escape") {
      event.preventDefault();
      event.stopPropagation();
    }
    keys[event.key]();
  });

  return {
    element,
    /** Moves the span as little as brings the cursor into it. */
    follow(at) {
      cursor = at;
      const [from, to] = now();
      const room = 0.1 * (to - from);
      const by = at < from + room ? at - from - room : at > to - room ? at - to + room : 0;
      if (by && current()) move(by);
    },
    /** Shows which moves there are. */
    update() {
      farther.disabled = all.disabled = !current();
      nearer.disabled = !size() || now()[1] - now()[0] <= LEAST * 1.01;
      plot.classList.toggle("zoomed", Boolean(current()));
    },
  };
}
