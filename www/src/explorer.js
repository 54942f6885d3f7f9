// The page's one state: which array is open, where in it the user stands, and what was drawn last.
import { openDataset } from "./model/dataset.js";
import { extent } from "./model/decode.js";
import { Ledger } from "./model/ledger.js";
import { chunkBytes, planPlane } from "./model/plane.js";

const SAMPLED = 8; // chunks asked about for one of the strip's; a plane of more is answered by a few of them

const clampIndex = (index, shape) =>
  shape.slice(0, Math.max(0, shape.length - 2)).map((size, d) => Math.min(Math.max(0, size - 1), Math.max(0, Math.trunc(index?.[d] ?? 0) || 0)));

/** Where a step stands, in words: "1 Mar 2024", or the whole array where no axis is stepped. */
const labelOf = (dataset, index) => index.map((i, d) => dataset.axes[d].say(i)).join(", ") || "Whole array";

/**
 * `page` has `opened(state)`, `drawn(state)`, `stepping(state)`, `ended(step, ledger)`, `failed(error, state)` and `unread(state)`:
 * the explorer calls them, and never touches the document itself.
 */
export function createExplorer(page) {
  let state; // { dataset, index, plane, values, ledger, opening, step, seen, userRange }
  let drawing = new AbortController();
  let opening = new AbortController();

  function rangeOf({ dataset, seen, userRange }) {
    const range = userRange ?? dataset.decoder.range ?? (dataset.dtype === "bool" ? [0, 1] : seen);
    if (!range) return [0, 1];
    if (range[0] === range[1]) return [range[0] - 0.5, range[1] + 0.5];
    const room = range === seen && dataset.shape.length === 1 ? 0.04 * (range[1] - range[0]) : 0; // a line off the frame's edge
    return [range[0] - room, range[1] + room];
  }

  function see(target) {
    const found = extent(target.values);
    if (found) target.seen = target.seen ? [Math.min(found[0], target.seen[0]), Math.max(found[1], target.seen[1])] : found;
  }

  const read = async ({ dataset }, plane, signal) => dataset.decoder.values((await dataset.array.get(plane.selection, { signal })).data);

  /** Opens an array and draws it; until both have worked, what was open stays. True where it worked. */
  async function open(url, { index, range } = {}) {
    opening.abort();
    opening = new AbortController();
    const { signal } = opening;
    const requests = []; // before the array's rank is known
    let next;
    try {
      const dataset = await openDataset(url, {
        signal,
        onRequest: (info) => (next ? next.ledger.note(info) : requests.push(info)),
        onCoordinateRequest: (info) => requests.push(info),
      });
      const ledger = new Ledger(dataset.shape.length, (coords) => chunkBytes(dataset, coords));
      next = { dataset, ledger, index: clampIndex(index, dataset.shape), userRange: range };
      next.opening = ledger.open(requests);
      next.plane = planPlane(dataset, next.index);
      next.step = ledger.begin(labelOf(dataset, next.index), next.plane.touched);
      next.values = await read(next, next.plane, signal);
      signal.throwIfAborted();
      ledger.finish(next.step, "done");
    } catch (error) {
      next?.dataset.array.free();
      if (!signal.aborted) page.failed(error, state);
      return false;
    }
    see(next);
    drawing.abort();
    state?.dataset.array.free();
    state = next;
    page.opened(state);
    page.ended(state.opening, state.ledger);
    page.ended(state.step, state.ledger);
    page.drawn(state);
    return true;
  }

  /** Goes to a position of the leading axes. False where it could not be read, undefined where another step overtook it. */
  async function go(index) {
    const mine = state;
    if (!mine) return false;
    drawing.abort();
    drawing = new AbortController();
    const { signal } = drawing;
    mine.index = clampIndex(index, mine.dataset.shape);
    mine.plane = planPlane(mine.dataset, mine.index);
    const step = (mine.step = mine.ledger.begin(labelOf(mine.dataset, mine.index), mine.plane.touched));
    page.stepping(mine);
    try {
      const values = await read(mine, mine.plane, signal);
      signal.throwIfAborted();
      mine.values = values;
      mine.ledger.finish(step, "done");
      see(mine);
      page.ended(step, mine.ledger);
      page.drawn(mine);
      return true;
    } catch (error) {
      mine.ledger.finish(step, signal.aborted ? "left" : "failed");
      if (state === mine) page.ended(step, mine.ledger);
      if (signal.aborted) return undefined;
      page.failed(error, mine);
      page.unread(mine);
      return false;
    }
  }

  /** How chunk `chunk` of axis `d` stands with the cache, for the planes that a step into it would draw. */
  function stateOf(d, chunk, here) {
    const { plane, ledger, step } = state;
    const every = Math.max(1, Math.ceil(plane.touched.length / SAMPLED));
    const keys = plane.touched.filter((_, i) => i % every === 0).map((coords) => coords.with(d, chunk).join("/"));
    const held = ledger.heldOf(keys);
    if (here && step.state === "reading" && held < keys.length) return "reading";
    if (here && step.requests.length) return "now";
    return held === keys.length ? "held" : held ? "part" : "none";
  }

  return {
    open,
    go,
    stateOf,
    get state() {
      return state;
    },
    range: () => rangeOf(state),
    /** A range of the user's own, or the picture's with `fit`. */
    setRange(range) {
      state.userRange = range ?? extent(state.values);
    },
  };
}
