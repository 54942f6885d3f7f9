// The page's one state: which store and array are open, where in it the user stands, and what was drawn last.
import { createDrawing } from "./drawing.js";
import { createMoves } from "../map/moves.js";
import { keyOf } from "../model/ledger.js";
import { steppedOf } from "../model/position.js";
import { createOpening } from "./opening.js";
import { rangeOf } from "../reading/range.js";
import { createSideReads } from "./side-reads.js";

const SAMPLED = 8; // chunks asked about for one of the strip's; a plane of more is answered by a few of them

/**
 * `page` has `listed(catalog)`, `empty(catalog)`, `kept()`, `opened(state)` (which resolves when it is shown), `turned(state)`, `completed(state, isMore)` when attributes have come after the picture, and whether the array has to be opened anew by them, `drawn(state)`, `stepping(state)`, `booked(state)`, `ended(step, ledger)`,
 * `charted(state)`, `failed(error, kept)` (whether what was open before still is), `unread(state)`, and of maps `moved(state)` where only the view or its pieces changed, `fitting()` where more may be read for it, `looked(state)` once it rests, and
 * `came(piece, range)` and `dropped(piece)`; one that is `isEmbedded` shows no tree; `room()` gives the rows and columns of pixels that a map is drawn on. The explorer calls them, and never touches the document.
 */
export function createExplorer(page) {
  const held = {}; // catalog, and state: { dataset, catalog, axes, index, plane, values, scene, view, ledger, opening, step, faults, found, own, span, userRange, pins, series, reference, against, composite }
  const moves = createMoves(page, () => held.state, (...given) => drawing.redraw(...given));
  const reads = createSideReads(page, () => held.state, moves.planOf);
  const drawing = createDrawing(page, held, moves, reads);
  const opening = createOpening(page, held, {
    stage: moves.stage,
    redraw: drawing.redraw,
    stop() {
      drawing.stop();
      reads.stop();
    },
  });

  /** How chunk `chunk` of axis `d` stands, for the planes that a step into it would draw. */
  function stateOf(d, chunk) {
    const { dataset, plane: { source, touched }, ledger, step } = held.state;
    const every = Math.max(1, Math.ceil(touched.length / SAMPLED));
    // Levels may be cut elsewhere along the axes that they share.
    const begin = source.level && dataset.grid.bounds(dataset.grid.shape.map((_, other) => (other === d ? chunk : 0))).start;
    const own = source.level ? source.grid.chunkAt(begin.map((at, other) => (other === d ? Math.min(at, source.shape[d] - 1) : 0))).coords[d] : chunk;
    const keys = Array.from({ length: Math.ceil(touched.length / every) }, (_, i) => keyOf(touched[i * every].with(d, own), source.level));
    return keys.length ? ledger.stateOfAll(keys, step) : "none";
  }

  return {
    ...opening, go: drawing.go, turn: drawing.turn, recast: drawing.recast, lessen: drawing.lessen, stateOf, beside: reads, look: moves.look, refit: moves.refit, deepen: moves.deepen, list: moves.list,
    get state() {
      return held.state;
    },
    get catalog() {
      return held.catalog;
    },
    stepped: () => steppedOf(held.state),
    range: (found = held.state.found, isCentred = false) => rangeOf({ ...held.state, found, isCentred }),
    /** Keeps a range, whatever is drawn; undefined lets each picture have its own. */
    setRange(range) {
      held.state.userRange = range;
    },
  };
}
