// One rectangle for each chunk of a picture, drawn to scale along both axes and marked with how the chunk stands.
import { svg } from "../../dom.js";
import { STATES, keyOf } from "../../model/ledger.js";

/** `group` holds the rectangles, in the picture's own units; as many as the plan lets a picture have chunks. */
export function createChunkRects() {
  const group = svg("g", { class: "states" });
  let rects = new Map(); // "2/0/0" -> { rect, title }

  /** From where to where a chunk of a source reaches along an axis that is drawn, in the picture. */
  function span({ source, shown: axes }, shown, at, whole, start, stop) {
    if (!shown) return [0, whole];
    const i = axes.indexOf(shown);
    const cells = [start[shown.axis], stop[shown.axis]].map((n) => Math.min(shown.stop, source.offset[i] + n * source.scale[i]));
    const ends = cells.map(at);
    return [Math.min(...ends), Math.max(...ends)];
  }

  /** From where to where a chunk reaches along the axis of cells that a map is made of, in the width of the picture. */
  const along = ({ axis, size }, width, start, stop) => [start[axis], stop[axis]].map((n) => (Math.min(n, size) / size) * width);

  return {
    group,
    lay(plane, place) {
      const width = place.width || 1;
      const height = place.height || 1;
      rects = new Map(plane.touched.map((coords) => {
        const { start, stop } = plane.source.grid.bounds(coords);
        const [left, right] = plane.strip ? along(plane.strip, width, start, stop) : span(plane, place.cols, place.x, width, start, stop);
        const [top, bottom] = plane.strip ? [0, height] : span(plane, place.rows, place.y, height, start, stop);
        const key = keyOf(coords, plane.source.level);
        const title = svg("title");
        return [key, { title, rect: svg("rect", { x: left, y: top, width: right - left, height: bottom - top, "data-key": key }, title) }];
      }));
      group.replaceChildren(...[...rects.values()].map(({ rect }) => rect));
    },
    /** Box of all rectangles: left, top, width and height. */
    box() {
      const of = (name) => [...rects.values()].map(({ rect }) => Number(rect.getAttribute(name)));
      const [lefts, tops, widths, heights] = ["x", "y", "width", "height"].map(of);
      const [left, top] = [lefts.reduce((a, b) => Math.min(a, b), Infinity), tops.reduce((a, b) => Math.min(a, b), Infinity)];
      const right = lefts.reduce((far, x, i) => Math.max(far, x + widths[i]), -Infinity);
      const bottom = tops.reduce((far, y, i) => Math.max(far, y + heights[i]), -Infinity);
      return [left, top, right - left, bottom - top];
    },
    /** Marks every chunk; `stateOf("2/0/0")` is one of the ledger's states. Gives how many stand how. */
    update(stateOf) {
      const tally = new Map();
      for (const [key, { rect, title }] of rects) {
        const state = stateOf(key);
        tally.set(state, (tally.get(state) ?? 0) + 1);
        if (rect.dataset.state === state) continue;
        rect.dataset.state = state;
        title.textContent = `Chunk ${key.replaceAll("/", ", ").replace(/^(\d+):/, "of level $1, ")}: ${STATES[state]}`;
      }
      return tally;
    },
  };
}
