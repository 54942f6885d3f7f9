// Maps of the explorer: their plans, their pieces, and the reads as the view moves over them.
import { planPlane } from "../model/plane.js";
import { labelOf } from "../model/position.js";
import { planJoined } from "../reading/layers.js";
import { isMap, planMap } from "./plan.js";
import { createScene, merged } from "./scene.js";
import { clampView, viewOf } from "./view.js";

const BETWEEN_FITS = 100; // ms between two reads of a view that moves

const sizeOf = ({ dataset, axes }) => axes.map((d) => dataset.shape[d]);
const keysOf = ({ pieces }) => `${pieces.map(({ key }) => key)}`;

/** `page` is the explorer's, `current()` gives its state, `redraw(state, label)` reads what its plan asks for. */
export function createMoves(page, current, redraw) {
  let fitting;

  /** Plan of a picture: of a map, as far as it is in view, and of the reference step, of the array that is taken off, or of each channel where it is made of these. */
  function planOf({ dataset, axes, view, reference, against, composite, depth, from, part }, index) {
    if (!isMap(dataset, axes)) return { ...planPlane(dataset, index, axes, { from, span: part?.map((at, end) => (end ? Math.ceil(at) : Math.floor(at))) }), span: part };
    const planAt = (at, field = dataset) => (dataset.planMap ?? planMap)(field, at, axes, view, page.room(), depth);
    if (against) return against.planMap((field) => planAt(index, field));
    const channels = composite?.shown();
    if (channels?.length) {
      const positions = channels.map((channel) => index.with(composite.axis, channel));
      // The position along the channels' axis says nothing of a picture of them all.
      return planJoined({ ...planAt(positions[0]), index, at: `${index.filter((_, d) => !axes.includes(d) && d !== composite.axis)}` }, dataset, positions, "channels", channels);
    }
    return reference ? planJoined(planAt(index), dataset, [index, reference], "difference") : planAt(index);
  }

  /** The pieces of a map as they come, and where it is looked at, as a link's numbers say; anew where the axes are others. */
  function stage(mine, numbers) {
    mine.scene?.clear();
    mine.drawnAt = undefined;
    const seen = ({ range }) => {
      mine.found = merged(mine.found, range);
      if (current() === mine) page.moved(mine);
    };
    mine.scene = createScene({ onPiece: seen, onDrop: page.dropped, prepare: page.came });
    mine.view = viewOf(numbers, sizeOf(mine), mine.dataset.start);
    mine.plane = planOf(mine, mine.index);
  }

  /** Reads what the view lacks, or the room for it, a few times a second. */
  function refit() {
    if (!current()?.plane.isMap) return;
    page.fitting();
    fitting ??= setTimeout(() => {
      fitting = undefined;
      const mine = current();
      if (!mine?.step || !mine.plane.isMap || mine.next) return; // what was just opened is drawn for the room that there is
      const plane = planOf(mine, mine.index);
      if (keysOf(plane) !== keysOf(mine.plane)) redraw(mine, `In view: ${labelOf(mine)}`);
      else if (mine.step.state !== "reading") page.looked(mine); // where it reads, the step says where the page stands
    }, BETWEEN_FITS);
  }

  /** Another part of the map comes into view: what is here of it is drawn at once. */
  function look(view) {
    const mine = current();
    if (!mine?.plane.isMap) return;
    mine.view = clampView(view, sizeOf(mine));
    mine.isMoved = true;
    mine.plane = { ...mine.plane, view: mine.view };
    page.moved(mine);
    refit();
  }

  /** Reads so much of a view whose chunks are too many. */
  function deepen(depth) {
    const mine = current();
    mine.depth = depth;
    return redraw(mine, `In view: ${labelOf(mine)}`);
  }

  /** Lists items from one on, or shows a part of a line. */
  function list(from, part) {
    const mine = current();
    Object.assign(mine, { from, part });
    return redraw(mine);
  }

  return { list, planOf, stage, look, refit, deepen };
}
