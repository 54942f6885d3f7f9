// A histogram of the picture's values in their colours, whose two ends set the range of the colours.
import "../style/histogram.css";
import { el, svg } from "../dom.js";
import { colouring } from "../model/colormap.js";
import { count, ordinal } from "../model/format.js";
import { countsOf } from "./counts.js";
import { rounded } from "./range.js";
import { partOf, scaleOf } from "./scale.js";

const BINS = 64;
const [WIDE, TALL] = [BINS * 4, 48];

/** The value at a part of the scale. */
function valueAt({ kind, low, high, unit, from, to }, part) {
  if (kind === "linear") return low + part * (high - low);
  const at = from + part * (to - from);
  return kind === "symlog" ? Math.sign(at) * unit * Math.expm1(Math.abs(at)) : low + unit * Math.expm1(at);
}

/** `onRange([low, high])` hears of a range that the ends were moved to. */
export function createHistogram(root, onRange) {
  const bars = svg("g", {});
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", "aria-hidden": "true" }, bars);
  const summary = el("p", { class: "visually-hidden" });
  const ends = ["Lowest value of the colours", "Highest value of the colours"].map((label, end) =>
    el("div", { class: "end", role: "slider", tabindex: "0", "aria-label": label, "data-end": end, onkeydown: (event) => onKey(event, end), onpointerdown: (event) => grab(event, end), onpointermove: (event) => drag(event, end), onpointerup: release, onpointercancel: release }));
  const field = el("div", { class: "bins" }, picture, ends);
  root.replaceChildren(field, summary);
  let span; // the scale of the histogram, from the least value to the greatest
  let range;
  let words;
  let dragged = false;
  let counted; // what the counts are of

  /** Sets an end to a part of the histogram, as far as the other end lets it. */
  function set(end, part) {
    const other = partOf(span, range[1 - end]);
    const room = 1 / (BINS * 4);
    const to = end ? Math.max(other + room, Math.min(1, part)) : Math.min(other - room, Math.max(0, part));
    onRange(range.with(end, rounded(valueAt(span, to), range)));
  }

  function grab(event, end) {
    if (event.button !== 0) return;
    event.preventDefault();
    ends[end].focus();
    ends[end].setPointerCapture(event.pointerId);
    dragged = true;
  }

  function drag(event, end) {
    if (!ends[end].hasPointerCapture(event.pointerId)) return;
    const box = field.getBoundingClientRect();
    set(end, (event.clientX - box.left) / box.width);
  }

  function release() {
    dragged = false;
  }

  function onKey(event, end) {
    const at = partOf(span, range[end]);
    const step = event.shiftKey ? 0.1 : 0.01;
    const parts = { ArrowLeft: at - step, ArrowDown: at - step, ArrowRight: at + step, ArrowUp: at + step, PageDown: at - 0.1, PageUp: at + 0.1, Home: 0, End: 1 };
    if (!(event.key in parts) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    set(end, parts[event.key]);
  }

  function placeEnds() {
    ends.forEach((element, end) => {
      const other = ends.length - 1 - end;
      element.style.setProperty("--at", `${Math.min(1, Math.max(0, partOf(span, range[end]))) * 100}%`);
      const [low, high] = end ? [range[other], span.high] : [span.low, range[other]];
      for (const [name, v] of Object.entries({ valuenow: range[end], valuemin: low, valuemax: high, valuetext: words(range[end]) })) element.setAttribute(`aria-${name}`, v);
    });
  }

  return {
    /** Counts the values of a picture, where it is another one or on another scale, and shows where the range ends. */
    update({ plane, scene, found, dataset }, look) {
      [range, words] = [look.range, dataset.decoder.words];
      if (!dragged) {
        const reach = [Math.min(found[0], range[0]), Math.max(found[1], range[1])];
        span = scaleOf({ range: reach, scale: look.scale });
      }
      const lists = scene.listsOf(plane);
      const name = `${plane.at};${plane.pieces.map(({ key }) => key)};${lists.length};${span.kind},${span.low},${span.high}`;
      if (counted?.name !== name) counted = { name, ...countsOf(lists, span, BINS) };
      const { counts, every, total } = counted;
      const most = Math.max(1, ...counts);
      const { table, entry } = colouring(look);
      bars.replaceChildren(...Array.from(counts, (n, i) => {
        const from = entry(valueAt(span, (i + 0.5) / BINS)) * 3;
        const height = n ? Math.max(1, (n / most) * TALL) : 0;
        return svg("rect", { x: i * 4, y: TALL - height, width: 4, height, fill: `rgb(${table.slice(from, from + 3).join(" ")})`, "data-count": n });
      }));
      const of = every > 1 ? `, of every ${ordinal(every)} cell` : "";
      summary.textContent = `Histogram of ${count(total)} values${of}, from ${words(span.low)} to ${words(span.high)}.`;
      root.title = `${count(total)} values${of}`;
      placeEnds();
    },
  };
}
