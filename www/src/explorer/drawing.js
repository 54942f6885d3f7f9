// Draws where the explorer's state stands: another position, other axes, a difference or channels.
import { readPlane } from "../model/plane.js";
import { clamp, labelOf, validAxes } from "../model/position.js";
import { sameComposite } from "../reading/channels.js";
import { widen } from "../reading/span.js";

/** Values of a line or a list until its own are there. */
export const blank = ({ dataset, plane }) =>
  !plane.isMap && dataset.kind === "numbers" && !dataset.shape.includes(0) ? new Float64Array(plane.shown.reduce((n, one) => n * one.count, 1)).fill(NaN) : [];

/** `page` is the explorer's, `held` has its `state`, `moves` plans maps, and `reads` has the line that is charted. */
export function createDrawing(page, held, moves, reads) {
  let drawing = new AbortController();

  /** Reads and draws where the state stands, or more of it. False where it could not be read, undefined where another step overtook it. */
  async function draw(mine, label) {
    drawing.abort();
    drawing = new AbortController();
    const { signal } = drawing;
    const plane = moves.planOf(mine, mine.index);
    const step = (mine.step = mine.ledger.begin(label, plane.needed ?? plane.touched, { level: plane.source.level, less: plane.less }));
    mine.plane = plane;
    page.stepping(mine);
    if (plane.ahead) plane.source.array.prefetch(plane.ahead, { signal }).catch(() => undefined); // while it is looked up which cells are read of these chunks
    try {
      const { values, range, faults = [] } = await (plane.isMap ? mine.scene.load(plane) : readPlane(mine.dataset, plane, signal));
      signal.throwIfAborted();
      if (values) mine.values = values;
      mine.ledger.finish(step, "done");
      for (const fault of faults) mine.ledger.blame(step, fault);
      mine.faults = faults;
      // As a map is moved its colours stay, and span what comes into view besides.
      if (!plane.isMap || mine.drawnAt !== plane.at) Object.assign(mine, { found: range, isMoved: false });
      mine.drawnAt = plane.at;
      mine.own = range;
      widen(mine);
      page.ended(step, mine.ledger);
      if (mine.next) page.moved(mine);
      else page.drawn(mine);
      return true;
    } catch (error) {
      mine.ledger.finish(step, signal.aborted ? "left" : "failed", error);
      if (held.state === mine) page.ended(step, mine.ledger);
      if (signal.aborted) return undefined;
      page.failed(error, false);
      page.unread(mine);
      return false;
    }
  }

  /** Draws, and remembers a picture that nothing has to be fetched for until it stands. */
  function redraw(mine, label = labelOf(mine)) {
    const drawn = draw(mine, label);
    if (mine.plane.isMap && mine.step.wanted.size === 0) {
      mine.quick = drawn;
      drawn.finally(() => mine.quick === drawn && (mine.quick = undefined));
    }
    return drawn;
  }

  /** Goes to a position of the stepped axes: at once, or as soon as a picture from the cache stands, so that a key held down shows some. */
  async function go(index) {
    if (!held.state) return false;
    const mine = held.state;
    mine.index = index.map((i, d) => clamp(i, mine.dataset.shape[d]));
    mine.depth = undefined; // of another step, all of it was not asked for
    if (!mine.quick) return redraw(mine);
    page.stepping(mine);
    return (mine.next ??= mine.quick.then(() => {
      mine.next = undefined;
      return held.state === mine ? redraw(mine) : undefined;
    }));
  }

  /** Draws other axes. */
  function turn(axes) {
    const mine = held.state;
    const { point } = mine.series ?? {};
    if (point) mine.index = mine.index.map((at, d) => (mine.axes.includes(d) ? point[d] : at)); // the cell that is charted stays in the picture
    reads.unchart();
    mine.axes = validAxes(mine.dataset, axes);
    if (mine.reference) mine.userRange = undefined; // it was that of a difference
    mine.found = mine.span = mine.reference = mine.depth = mine.from = undefined;
    mine.composite = sameComposite(mine, mine.composite);
    moves.stage(mine);
    mine.values = blank(mine);
    page.turned(mine);
    return redraw(mine);
  }

  /** Draws the same position as something else: less the step `reference`, less the array `against`, or as the channels of `composite` over each other; undefined for none of them. */
  function recast({ reference, against, composite }) {
    const mine = held.state;
    const before = mine.against;
    mine.lessening = undefined; // what may still be opened came before
    if ((reference !== undefined) !== (mine.reference !== undefined) || against?.path !== before?.path) mine.userRange = undefined;
    Object.assign(mine, { reference, against, composite });
    if (against === before) return redraw(mine);
    reads.rest();
    return redraw(mine).finally(() => before?.free());
  }

  /** Draws the array less the one at `path` beside it, or itself again where there is none. */
  const lessen = (path) => import("../reading/against.js").then(({ lessened }) => lessened(held, path, recast)).catch((error) => (page.failed(error, true), false));

  return { redraw, go, turn, recast, lessen, stop: () => drawing.abort() };
}
