// One rectangle for each chunk of a picture, drawn to scale along both axes and marked with how the chunk stands.
import { svg } from "../dom.js";
import { STATES } from "../model/ledger.js";

/** `group` holds the rectangles, in the picture's own units; as many as the plan lets a picture have chunks. */
export function createChunkRects() {
  const group = svg("g", { class: "states" });
  let rects = new Map(); // "2/0/0" -> { rect, title }

  /** From where to where a chunk reaches along an axis that is drawn, in the picture. */
  function span(shown, at, whole, start, stop) {
    if (!shown) return [0, whole];
    const ends = [at(start[shown.axis]), at(Math.min(stop[shown.axis], shown.stop))];
    return [Math.min(...ends), Math.max(...ends)];
  }

  return {
    group,
    lay(dataset, plane, place) {
      const width = place.width || 1;
      const height = place.height || 1;
      rects = new Map(plane.touched.map((coords) => {
        const { start, stop } = dataset.grid.bounds(coords);
        const [left, right] = span(place.cols, place.x, width, start, stop);
        const [top, bottom] = span(place.rows, place.y, height, start, stop);
        const key = coords.join("/");
        const title = svg("title");
        return [key, { title, rect: svg("rect", { x: left, y: top, width: right - left, height: bottom - top, "data-key": key }, title) }];
      }));
      group.replaceChildren(...[...rects.values()].map(({ rect }) => rect));
    },
    /** Marks every chunk; `stateOf("2/0/0")` is one of the ledger's states. Gives how many stand how. */
    update(stateOf) {
      const tally = new Map();
      for (const [key, { rect, title }] of rects) {
        const state = stateOf(key);
        tally.set(state, (tally.get(state) ?? 0) + 1);
        if (rect.dataset.state === state) continue;
        rect.dataset.state = state;
        title.textContent = `Chunk ${key.replaceAll("/", ", ")}: ${STATES[state]}`;
      }
      return tally;
    },
  };
}
