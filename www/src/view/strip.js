// One leading axis, drawn to the scale of its chunks: a slider whose track is the chunk grid.
import { el, icon } from "../dom.js";
import { count, plural } from "../model/format.js";
import { segments } from "../model/segments.js";

const STATES = { none: "not fetched", part: "partly in cache", held: "in cache", now: "fetched by this step", reading: "being fetched", many: "many chunks" };

/**
 * `key` explains the colours; `onSeek(index)` when the user picks a position, `onPlay()` for the play button.
 * `update({ index, stateOf, playing })` redraws; `stateOf(segment)` is one of the states above.
 */
export function createStrip(dataset, d, { key, onSeek, onPlay }) {
  const axis = dataset.axes[d];
  const grid = dataset.array.chunkGrid;
  const list = segments(grid, d, axis.size);
  const chunks = list.at(-1).first + list.at(-1).count;
  let index = 0;

  const blocks = list.map((segment) => {
    const long = segment.stop - segment.start;
    const label = segment.count > 1 ? `${count(segment.count)} chunks` : axis.span(segment.start, segment.stop);
    const style = `--from:${(segment.start / axis.size) * 100}%;--long:${(long / axis.size) * 100}%`;
    return el("div", { class: long < axis.size * 0.02 ? "block bare" : "block", style, "data-chunk": segment.first }, label && el("b", {}, label), el("i", {}, segment.count > 1 ? "" : count(long)));
  });
  const needle = el("div", { class: "needle" });
  const range = el("input", { type: "range", min: 0, max: axis.size - 1, step: 1, "aria-label": axis.name, oninput: () => onSeek(Number(range.value)) });
  const track = el("div", { class: "track" }, el("div", { class: "blocks", "aria-hidden": "true" }, blocks, needle), range);
  const button = (name, label, action) => el("button", { type: "button", class: "tool", title: label, "aria-label": `${label}, ${axis.name}`, onclick: action }, icon(name));
  const play = button("play", "Play", onPlay);
  const title = el("b", { class: "now" });
  const detail = el("span", { class: "detail" });

  const step = (by) => onSeek((index + by + axis.size) % axis.size);
  /** To the first position of the chunk before or after. */
  function jump(by) {
    const origin = dataset.axes.map((_, other) => (other === d ? index : 0));
    const { start, stop } = grid.bounds(grid.chunkAt(origin).coords);
    const before = Math.max(0, start[d] - 1);
    if (by > 0) onSeek(stop[d] < axis.size ? stop[d] : 0);
    else onSeek(grid.bounds(grid.chunkAt(origin.with(d, start[d] === 0 ? axis.size - 1 : before)).coords).start[d]);
  }

  function seekTo(event) {
    const box = track.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * axis.size);
    const next = Math.min(axis.size - 1, Math.max(0, at));
    if (next !== index) onSeek(next);
  }
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    range.focus({ preventScroll: true });
    track.setPointerCapture(event.pointerId);
    seekTo(event);
  });
  track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && seekTo(event));
  range.addEventListener("keydown", (event) => {
    if (event.key !== "PageUp" && event.key !== "PageDown") return;
    event.preventDefault();
    jump(event.key === "PageUp" ? 1 : -1);
  });

  const element = el("section", { class: "axis", "aria-label": axis.name },
    el("div", { class: "tools" },
      button("chunkBack", "Previous chunk", () => jump(-1)), button("back", "Previous step", () => step(-1)), play,
      button("forward", "Next step", () => step(1)), button("chunkForward", "Next chunk", () => jump(1))),
    el("p", { class: "where" }, title, detail, key), track);

  function update({ index: at, stateOf, playing }) {
    index = at;
    range.value = at;
    const origin = dataset.axes.map((_, other) => (other === d ? at : 0));
    const { coords } = grid.chunkAt(origin);
    const { start, stop } = grid.bounds(coords);
    let state = "none";
    list.forEach((segment, i) => {
      const here = at >= segment.start && at < segment.stop;
      const each = segment.count > 1 && !here ? "many" : stateOf(here ? { ...segment, first: coords[d] } : segment, here);
      blocks[i].dataset.state = each;
      blocks[i].classList.toggle("here", here);
      blocks[i].title = `${axis.name} chunk ${count(segment.first)}: ${STATES[each]}`;
      if (here) state = each;
    });
    needle.style.setProperty("--from", `${((at + 0.5) / axis.size) * 100}%`);
    title.textContent = axis.say(at);
    const chunk = `chunk ${count(coords[d] + 1)} of ${count(chunks)}, ${plural(stop[d] - start[d], "step")}`;
    detail.textContent = `${axis.kind === "index" ? "" : `index ${count(at)} · `}${chunk}`;
    range.setAttribute("aria-valuetext", `${title.textContent}, ${chunk}, ${STATES[state]}`);
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.title = playing ? "Pause" : "Play";
    play.setAttribute("aria-label", `${play.title}, ${axis.name}`);
  }

  return { element, update, step, jump };
}
