// Draws more of a map whose chunks are too many for one picture: what was read of them at once, more while nobody moves, all where it is asked for.
import { slice } from "rectilinear-zarr";
import { el } from "../dom.js";
import { bytes, count, plural } from "../model/format.js";
import { DEPTH } from "./plan.js";

const IDLE = 1200; // ms after a picture and what was read of it are drawn
const MOST_WHOLE = 16_384; // chunks that a page reads for one picture

/** The samples of a chunk along a drawn axis by steps, as `[first, after the last]`. */
function samplesOf({ source, origin, axes, fine }, i, nth) {
  const d = axes[i];
  const at = source.grid.chunkAt(origin).coords.with(d, nth);
  const { start, stop } = source.grid.bounds(at);
  const first = Math.ceil(start[d] / fine[i]) * fine[i];
  return [first, Math.min(stop[d], source.shape[d])];
}

/** Pieces of the chunks that a plan touches, by the steps that the screen shows; the nearest to the centre first. */
export function tilesOf(plan) {
  const { source, fine, view, pieces: [like], along } = plan;
  const own = { ...plan, origin: like.origin };
  const [rows, columns] = along.map((list, i) => list.map((nth) => samplesOf(own, i, nth)).filter(([from, to]) => from < to));
  const moved = (selection, parts) => plan.axes.reduce((now, d, i) => now.with(d, slice(...parts[i], fine[i])), selection);
  const tiles = rows.flatMap((down) => columns.map((across) => {
    const parts = [down, across];
    const counts = parts.map(([from, to], i) => Math.ceil((to - from) / fine[i]));
    const box = parts.map(([from], i) => [from, from + counts[i] * fine[i]].map((n) => source.offset[i] + n * source.scale[i]));
    const key = `tile;${source.level};${fine};${like.at};${parts.map(([from, to]) => `${from}-${to}`)}`;
    return {
      ...like, key, counts, box, steps: fine, pitch: fine.map((step, i) => step * source.scale[i]), start: parts.map(([from]) => from),
      selection: moved(like.selection, parts), others: like.others?.map((selection) => moved(selection, parts)),
    };
  }));
  const apart = ({ box }) => Math.hypot(...box.map(([from, to], i) => (from + to) / 2 - view.centre[i]));
  return tiles.sort((a, b) => apart(a) - apart(b));
}

/** How much a picture of all chunks takes, by what those of a step took that came by requests, in words. */
export function costOf({ plane, step }) {
  const came = step.requests.filter(({ bytes: size }) => size !== undefined);
  const each = came.reduce((sum, { bytes: size }) => sum + size, 0) / Math.max(1, step.wanted.size);
  return `${plural(plane.whole, "chunk")}${came.length ? `, about ${bytes(Math.round(each * plane.whole))}` : ""}`;
}

/** `explorer` draws the map, and `root` gets the button that reads all of it. */
export function createFiner(root, explorer) {
  const button = el("button", { type: "button", class: "quiet", onclick: () => explorer.deepen(DEPTH.all) });
  const element = el("p", { class: "read-all", hidden: true }, button);
  root.append(element);
  let timer;
  let cost = { of: undefined, words: "" }; // as the first picture of an array found it: later ones may take nothing from the host

  return async function drawn() {
    clearTimeout(timer);
    const { state } = explorer;
    const { plane } = state;
    element.hidden = plane.fits !== false || plane.whole > MOST_WHOLE;
    if (plane.fits !== false) return;
    if (state.step.requests.length || cost.of !== `${state.dataset.path};${plane.whole}`) cost = { of: `${state.dataset.path};${plane.whole}`, words: costOf(state) };
    button.textContent = `Read all of it (${cost.words})`;
    button.title = `Of ${count(plane.whole)} chunks in view ${count(plane.touched.length)} were read`;
    await state.scene.lay(plane, tilesOf(plane));
    const isHere = () => explorer.state === state && state.plane === plane && !state.depth;
    if (!isHere() || navigator.connection?.saveData) return;
    timer = setTimeout(() => isHere() && !document.hidden && explorer.deepen(DEPTH.idle), IDLE);
  };
}
