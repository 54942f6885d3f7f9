// Tells the value of one cell: under the pointer, where a finger taps, or where the arrow keys lead.
import { el, svg } from "../../dom.js";
import { placeText } from "../../earth/degrees.js";
import { dateText, momentOf } from "../../model/time.js";
import { following } from "../../map/view.js";
import { boxOf, cellAt, middleOf } from "./place.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const DOUBLE = 250; // ms in which a second click means to zoom, not to pick

/** A sample in words: a difference with its sign, channels with their names, and of two lines both values. */
function wordsOf({ value, isLost, label, second, channels }, words, look) {
  if (label && second === undefined) return dateText(momentOf(label));
  if (isLost) return "could not be read";
  if (value === undefined) return "not read yet";
  if (look.difference) return value > 0 ? `+${words(value)}` : words(value);
  const labelOf = (channel) => look.channels?.find((one) => one.channel === channel)?.label;
  if (channels) return channels.filter(({ channel }) => labelOf(channel)).map((one) => `${labelOf(one.channel)} ${words(one.value)}`).join(", ");
  return second === undefined ? words(value) : `${words(value)}; ${words(second)}`;
}

/**
 * `current()` gives what is drawn, `wordsOver([row, column])` says what is laid over a cell; `say(text)` speaks to screen readers; `onPick(index, isSecond)`, where there is one, hears of
 * picks and whether shift was down, and `onLook(view)` of a view that the cursor leads to.
 */
export function createProbe(plot, overlay, { current, wordsOver, say, onPick, onFollow, viewNow, onLook }) {
  const tip = el("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  const marker = svg("rect", { class: "marker" });
  plot.append(tip);
  let at; // [row, column] of the cell pointed at; the row is undefined on a line
  let picking;

  const isPointable = (shown) => Boolean(shown && (shown.plane.isMap || (shown.plane.shown.length && shown.values.length)));
  const sizes = ({ place }) => [place.rows && place.height, place.width];

  function refresh(spoken) {
    if (!at) return;
    const { dataset, place, sampleAt, look } = current();
    const sample = sampleAt(at);
    const { index, cells, chunk, level } = sample;
    const where = [place.rows, place.cols].filter(Boolean).map(({ axis }) => dataset.axes[axis].say(index[axis])).join(", ");
    const what = wordsOf(sample, look.words ?? dataset.decoder.words, look);
    const degrees = dataset.earth && place.rows ? placeText(dataset.earth, index) : "";
    const over = place.rows ? wordsOver(at) : "";
    const box = boxOf(place, cells);
    for (const [name, n] of Object.entries(box)) marker.setAttribute(name, n);
    overlay.append(marker);
    const [left, top] = middleOf(place, cells) ?? [2, 2]; // beyond the edge of the Earth
    const part = (n) => Math.min(1, Math.max(0, n));
    tip.replaceChildren(el("b", {}, what), el("span", {}, where), over ? el("span", { class: "over" }, over) : "", degrees ? el("span", { class: "degrees" }, degrees) : "", chunk ? el("span", { class: "mono" }, `chunk ${chunk.join(", ")}${level ? ` of level ${level}` : ""}`) : "");
    tip.style.cssText = `left:${part(left) * 100}%;top:${part(top) * 100}%;--dx:${left > 0.6 ? -1 : 0};--dy:${top > 0.6 ? -1 : 0}`;
    tip.hidden = false;
    if (spoken) say([what, where, over, degrees].filter(Boolean).join(", "));
  }

  function leave() {
    at = undefined;
    tip.hidden = true;
    marker.remove();
  }

  function point(event) {
    const shown = current();
    if (!isPointable(shown)) return;
    const box = overlay.getBoundingClientRect();
    const cell = cellAt(shown.place, [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
    if (!cell) return leave();
    at = sizes(shown).map((size, i) => size && Math.min(size - 1e-6, Math.max(0, cell[i])));
    refresh();
  }

  const pick = (event) => onPick?.(current().sampleAt(at).index, event.shiftKey);

  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", point);
  plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && document.activeElement !== plot && leave());
  plot.addEventListener("blur", leave);
  plot.addEventListener("click", (event) => {
    if (!at) point(event); // clicks are told in whole pixels, so the cell is that of the press
    clearTimeout(picking);
    if (!at || event.detail > 1) return;
    if (current().plane.isMap && onLook) picking = setTimeout(() => at && pick(event), DOUBLE);
    else pick(event);
  });
  plot.addEventListener("keydown", (event) => {
    const shown = current();
    if (event.key === "Escape") leave();
    if (event.key === "Enter" && at) pick(event);
    if (!(event.key in ARROWS) || !isPointable(shown)) return;
    event.preventDefault();
    event.stopPropagation();
    const { place, plane } = shown;
    const [times, size] = [event.shiftKey ? 10 : 1, sizes(shown)];
    const turned = [place.flipY ? -1 : 1, place.flipX ? -1 : 1];
    const pitch = plane.isMap ? plane.pitch : [undefined, plane.shown[0].step];
    const first = [place.down, place.across].map(([from, to], i) => size[i] && (Math.floor((from + to) / 2 / pitch[i]) + 0.5) * pitch[i]);
    const within = (n, i) => size[i] && Math.min(size[i] - 1e-6, Math.max(0, n));
    at = (at ? at.map((n, i) => n + turned[i] * ARROWS[event.key][i] * times * (pitch[i] ?? 0)) : first).map(within);
    refresh(true);
    if (!plane.isMap) onFollow?.(at[1]);
    if (plane.isMap && !place.warp && onLook && viewNow().zoom > 1) onLook(following(viewNow(), size, at));
  });
  return {
    refresh, leave,
    /** The cell that is pointed at. */
    get cell() {
      return at;
    },
  };
}
