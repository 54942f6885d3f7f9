// The page's one state: which store and array are open, where in it the user stands, and what was drawn last.
import { firstArray, openFirst } from "./model/catalog.js";
import { openDataset } from "./model/dataset.js";
import { Ledger } from "./model/ledger.js";
import { chunkBytes, planPlane, readPlane } from "./model/plane.js";
import { clamp, labelOf, steppedOf, validAxes } from "./model/position.js";
import { createSideReads } from "./side-reads.js";

const SAMPLED = 8; // chunks asked about for one of the strip's; a plane of more is answered by a few of them

/**
 * `page` has `listed(catalog)`, `empty(catalog)`, `opened(state)`, `turned(state)`, `drawn(state)`, `stepping(state)`, `booked(state)`, `ended(step, ledger)`,
 * `charted(state)`, `failed(error, kept)` (whether what was open before still is) and `unread(state)`: the explorer calls them, and never touches the document itself.
 */
export function createExplorer(page) {
  let catalog;
  let state; // { dataset, catalog, axes, index, plane, values, ledger, opening, step, found, seen, userRange, series }
  let drawing = new AbortController();
  let opening = new AbortController();
  const beside = createSideReads(page, () => state);

  /** What is drawn until the values are there. */
  const blank = ({ dataset, plane }) =>
    dataset.kind === "numbers" && !dataset.shape.includes(0) ? new Float64Array(plane.shown.reduce((n, one) => n * one.count, 1)).fill(NaN) : [];

  function rangeOf({ dataset, plane, seen, userRange }) {
    const range = userRange ?? dataset.decoder.range ?? (dataset.dtype === "bool" ? [0, 1] : seen);
    if (!range) return [0, 1];
    if (range[0] === range[1]) return [range[0] - 0.5, range[1] + 0.5];
    const room = range === seen && plane.shown.length === 1 ? 0.04 * (range[1] - range[0]) : 0; // a line off the frame's edge
    return [range[0] - room, range[1] + room];
  }

  function see(target, found) {
    target.found = found;
    if (found) target.seen = target.seen ? [Math.min(found[0], target.seen[0]), Math.max(found[1], target.seen[1])] : found;
  }

  /** A request: the open array's, or of an opening, whose list is `heard`. */
  function hear(heard, info) {
    if (state?.catalog.heard === heard && state.ledger.note(info)) page.booked(state);
    else heard.push(info);
  }

  /**
   * Opens what `find(signal)` resolves to, a list of places, and the array at the first one's path or its first array.
   * Until that has worked, what was open stays. True where it worked.
   */
  async function open(find, view = {}) {
    const signal = begin();
    const heard = [];
    let next;
    try {
      next = await openFirst(await find(signal), { signal, onRequest: (info) => hear(heard, info) });
      next.heard = heard;
      signal.throwIfAborted();
    } catch (error) {
      next?.free();
      if (!signal.aborted) page.failed(error, Boolean(state));
      return false;
    }
    const asked = view.path ?? next.place.path;
    const isArray = next.place.alone || (asked && !next.entries.some(({ path, kind }) => path === asked && kind === "group"));
    const path = isArray ? asked : firstArray(next.entries, asked);
    if (path !== undefined) return choose(next, path, view, signal, !isArray);
    settle(next);
    page.empty(next);
    return true;
  }

  function begin() {
    opening.abort();
    opening = new AbortController();
    return opening.signal;
  }

  /** The store that was open goes, and its array. */
  function settle(next) {
    leave();
    if (catalog !== next) catalog?.free();
    catalog = next;
    page.listed(next);
  }

  /** Lets go of the array that is open. */
  function leave() {
    drawing.abort();
    beside.stop();
    state?.dataset.array.free();
    state = undefined;
  }

  /** Opens one array of a catalog and draws it; where nobody asked for this very one, the catalog opens without it. */
  async function choose(from, path, view, signal, spare) {
    let dataset;
    try {
      dataset = await openDataset(from, path, { signal });
      signal.throwIfAborted();
    } catch (error) {
      dataset?.array.free();
      if (!signal.aborted && spare) {
        settle(from);
        page.empty(from);
      } else if (from !== catalog) from.free();
      if (!signal.aborted) page.failed(error, Boolean(state));
      return false;
    }
    settle(from);
    const { grid, shards } = dataset;
    const shardOf = shards && ((coords) => shards.chunkAt(grid.bounds(coords).start).coords);
    const ledger = new Ledger({ rank: dataset.shape.length, path, sizeOf: (coords) => chunkBytes(dataset, coords), shardOf });
    const axes = validAxes(dataset, view.axes);
    const mine = (state = { dataset, catalog: from, axes, ledger, userRange: view.range });
    const stepped = steppedOf(mine);
    mine.index = dataset.shape.map((size, d) => clamp(view.index?.[stepped.indexOf(d)], size));
    mine.opening = ledger.open(from.heard.splice(0));
    mine.plane = planPlane(dataset, mine.index, axes);
    mine.values = blank(mine);
    page.opened(mine);
    page.ended(mine.opening, ledger);
    return (await redraw(mine)) !== false;
  }

  /** Another array of the store that is open. */
  const openMember = (path, view = {}) => choose(catalog, path, view, begin(), false);

  /** Reads and draws where the state stands. False where it could not be read, undefined where another step overtook it. */
  async function redraw(mine) {
    drawing.abort();
    drawing = new AbortController();
    const { signal } = drawing;
    const plane = planPlane(mine.dataset, mine.index, mine.axes);
    const step = (mine.step = mine.ledger.begin(labelOf(mine), plane.touched));
    mine.plane = plane;
    page.stepping(mine);
    try {
      const { values, range } = await readPlane(mine.dataset, plane, signal);
      signal.throwIfAborted();
      mine.values = values;
      mine.ledger.finish(step, "done");
      see(mine, range);
      page.ended(step, mine.ledger);
      page.drawn(mine);
      return true;
    } catch (error) {
      mine.ledger.finish(step, signal.aborted ? "left" : "failed", error);
      if (state === mine) page.ended(step, mine.ledger);
      if (signal.aborted) return undefined;
      page.failed(error, false);
      page.unread(mine);
      return false;
    }
  }

  /** Goes to a position of the stepped axes. */
  async function go(index) {
    if (!state) return false;
    const mine = state;
    mine.index = index.map((i, d) => clamp(i, mine.dataset.shape[d]));
    return redraw(mine);
  }

  /** Draws other axes. */
  function turn(axes) {
    beside.unchart();
    state.axes = validAxes(state.dataset, axes);
    state.seen = undefined;
    state.index = state.index.map((i, d) => (axes.includes(d) ? 0 : i));
    state.plane = planPlane(state.dataset, state.index, state.axes);
    state.values = blank(state);
    page.turned(state);
    return redraw(state);
  }

  /** How chunk `chunk` of axis `d` stands, for the planes that a step into it would draw. */
  function stateOf(d, chunk) {
    const { plane, ledger, step } = state;
    const every = Math.max(1, Math.ceil(plane.touched.length / SAMPLED));
    const keys = plane.touched.filter((_, i) => i % every === 0).map((coords) => coords.with(d, chunk).join("/"));
    return keys.length ? ledger.stateOfAll(keys, step) : "none";
  }

  return {
    open, openMember, go, turn, stateOf, beside,
    get state() {
      return state;
    },
    get catalog() {
      return catalog;
    },
    stepped: () => steppedOf(state),
    range: () => rangeOf(state),
    /** A range of the user's own, or the picture's with `fit`. */
    setRange(range) {
      state.userRange = range ?? state.found;
    },
  };
}
