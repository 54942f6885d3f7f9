// One axis that is not drawn: buttons to step along it, where we are in words, and its chunks to scale, which is also its slider.
import { el, icon } from "../../dom.js";
import { count, plural } from "../../model/format.js";
import { STATES } from "../../model/ledger.js";
import { createTrack } from "./track.js";

const LENS = 14; // chunks like ours that the enlarged part has room for
const LONG = 24; // steps of a time axis that need no box for a date
const LEAST = 0.012; // of the axis: a chunk shorter than this is hard to see without it
const NARROW = 14; // pixels; a narrower one is hard to touch

/** Key to the colours of chunks. */
export const stateKey = () => el("p", { class: "key", "aria-hidden": "true" },
  ["none", "reading", "now", "held", "missing", "failed"].map((state) => el("span", {}, el("i", { "data-state": state }), STATES[state])));

/**
 * Where the axis stands is `index` at first. `onSeek(index)` when the user picks a position, `onPlay()` for the play button.
 * `update({ index, stateOf, playing })` redraws; `stateOf(chunk)` is one of the ledger's states.
 */
export function createStrip(dataset, d, { index: begun, onSeek, onPlay }) {
  const axis = dataset.axes[d];
  const grid = dataset.grid;
  const chunks = grid.shape[d];
  let index = begun; // the user may step before the axis is drawn
  let lensed; // the part of the axis enlarged: [from, to]

  const seek = (at) => {
    range.focus({ preventScroll: true });
    if (at !== index) onSeek(at);
  };
  const range = el("input", { type: "range", min: 0, max: axis.size - 1, step: 1, "aria-label": axis.name, oninput: () => onSeek(Number(range.value)) });
  const whole = createTrack(dataset, d, { onPress: seek, onResize: () => (measure(), enlarge(chunkAt(index))), className: "whole", more: [range] });
  const lens = createTrack(dataset, d, { onPress: seek, className: "lens" });
  const lensBox = el("div", { class: "lens-of", "aria-hidden": "true" });
  whole.lay(0, axis.size);
  let crowded;
  whole.element.append(lensBox);

  const button = (name, label, action) => el("button", { type: "button", class: "tool", title: label, "aria-label": `${label}, ${axis.name}`, onclick: action }, icon(name));
  const play = button("play", "Play", onPlay);
  const title = el("b", { class: "now" });
  const detail = el("span", { class: "detail" });
  const tools = el("div", { class: "tools" },
    button("chunkBack", "Previous chunk", () => jump(-1)), button("back", "Previous step", () => step(-1)), play,
    button("forward", "Next step", () => step(1)), button("chunkForward", "Next chunk", () => jump(1)));
  const where = el("p", { class: "where" }, title, detail);
  const element = el("section", { class: axis.size > 1 ? "axis" : "axis single", "aria-label": axis.name }, tools, where, el("div", { class: "tracks" }, whole.element, lens.element));
  const dates = axis.kind === "time" && axis.size > LONG && axis.coordinate.path ? el("div", { class: "dates" }) : undefined; // room for the box for a date
  if (dates) element.append(dates);

  /** The chunk along this axis that holds a position. */
  function chunkAt(at) {
    const { coords } = grid.chunkAt(grid.shape.map((_, other) => (other === d ? at : 0)));
    const { start, stop } = grid.bounds(coords);
    return { chunk: coords[d], start: start[d], stop: stop[d] };
  }

  const step = (by) => onSeek((index + by + axis.size) % axis.size);

  /** To the first position of the chunk before or after, round the ends. */
  function jump(by) {
    const { start, stop } = chunkAt(index);
    if (by > 0) onSeek(stop < axis.size ? stop : 0);
    else onSeek(chunkAt(start > 0 ? start - 1 : axis.size - 1).start);
  }

  range.addEventListener("keydown", (event) => {
    if (event.key !== "PageUp" && event.key !== "PageDown") return;
    event.preventDefault();
    jump(event.key === "PageUp" ? 1 : -1);
  });

  /** Whether the bar is too crowded for its width. */
  function measure() {
    const least = axis.size * Math.max(LEAST, NARROW / (whole.element.clientWidth || innerWidth));
    crowded = whole.segments.some(({ start, stop, count: n }) => n > 1 || stop - start < least);
  }
  measure();

  /** Enlarges the chunks around ours where the axis is too crowded; the part stays while we are well inside it. */
  function enlarge({ start, stop }) {
    const long = LENS * (stop - start);
    const useful = crowded && long < axis.size / 2;
    lens.element.hidden = lensBox.hidden = !useful;
    if (!useful) {
      lensed = undefined;
      return;
    }
    const stays = lensed && start >= lensed[0] && stop <= lensed[1] && lensed[1] - lensed[0] >= long / 2 && lensed[1] - lensed[0] <= long * 2;
    if (stays) return;
    const from = Math.max(0, Math.min(axis.size - long, Math.round((start + stop - long) / 2)));
    lensed = [from, from + long];
    lens.lay(...lensed);
    lensBox.style.cssText = `--from:${(from / axis.size) * 100}%;--long:${(long / axis.size) * 100}%`;
  }

  function update({ index: at, stateOf, playing }) {
    index = at;
    range.value = at;
    const here = chunkAt(at);
    enlarge(here);
    const state = whole.update(at, here.chunk, stateOf);
    if (lensed) lens.update(at, here.chunk, stateOf);
    title.textContent = axis.say(at);
    const chunk = `chunk ${count(here.chunk + 1)} of ${count(chunks)}, ${plural(here.stop - here.start, "step")}`;
    detail.textContent = `${axis.kind === "index" ? "" : `index ${count(at)} · `}${chunk}`;
    range.setAttribute("aria-valuetext", `${title.textContent}, ${chunk}, ${STATES[state]}`);
    const deed = playing ? "Pause" : "Play";
    if (play.title === deed) return;
    play.title = deed;
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", `${deed}, ${axis.name}`);
  }

  let isComplete = false;

  /** Adds what the first picture can do without: the box for a date. A page that is offline by then has none. */
  function complete() {
    if (isComplete || !dates) return;
    isComplete = true;
    import("../../reading/date-box.js").then(({ createDateBox }) => dates.append(createDateBox(dataset, d, onSeek)), () => (isComplete = false));
  }

  /** Fits the labels to letters that have come. */
  const trim = () => [whole, lens].forEach((track) => track.trim());

  /** Shows the axis, or not where nothing depends on it. */
  function show(isShown) {
    element.hidden = !isShown;
  }

  return { element, update, step, jump, complete, trim, show, hold: (key) => key.parentElement === where || where.append(key) };
}
