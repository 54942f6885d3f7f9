// The chunks of a picture, each a rectangle drawn to scale along both axes: those that stand alike are one shape.
import { svg } from "../../dom.js";
import { STATES, keyOf } from "../../model/ledger.js";

const alike = (a, b) => a === b || (a.length === b.length && String(a) === String(b));

/** `group` holds a shape for each of the ledger's states that a chunk is in, in the picture's own units. */
export function createChunkRects() {
  const group = svg("g", { class: "states" });
  let laid; // what the rectangles are of
  let rects = []; // { key, x, y, width, height, state }
  const shapes = new Map(); // state -> { path, outline }

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
    /** Lays the chunks of a plane, unless they lie so already. */
    lay(plane, place) {
      const now = { source: plane.source, touched: plane.touched, at: [place.width, place.height, place.flipX, place.flipY, plane.shown.map(({ axis }) => axis)].join() };
      const stays = laid?.source === now.source && laid.at === now.at && alike(laid.touched, now.touched);
      laid = now;
      if (stays) return;
      const width = place.width || 1;
      const height = place.height || 1;
      rects = plane.touched.map((coords) => {
        const { start, stop } = plane.source.grid.bounds(coords);
        const [left, right] = plane.strip ? along(plane.strip, width, start, stop) : span(plane, place.cols, place.x, width, start, stop);
        const [top, bottom] = plane.strip ? [0, height] : span(plane, place.rows, place.y, height, start, stop);
        return { key: keyOf(coords, plane.source.level), x: left, y: top, width: right - left, height: bottom - top };
      });
      shapes.clear();
      group.replaceChildren();
    },
    /** Box of all rectangles: left, top, width and height. */
    box() {
      const [left, top] = ["x", "y"].map((name) => rects.reduce((least, rect) => Math.min(least, rect[name]), Infinity));
      const right = rects.reduce((far, { x, width }) => Math.max(far, x + width), -Infinity);
      const bottom = rects.reduce((far, { y, height }) => Math.max(far, y + height), -Infinity);
      return [left, top, right - left, bottom - top];
    },
    /** Marks every chunk; `stateOf("2/0/0")` is one of the ledger's states. Gives how many stand how. */
    update(stateOf) {
      const outlines = new Map(); // state -> the outlines of its chunks
      for (const rect of rects) {
        rect.state = stateOf(rect.key);
        if (!outlines.has(rect.state)) outlines.set(rect.state, []);
        outlines.get(rect.state).push(`M${rect.x},${rect.y}h${rect.width}v${rect.height}h${-rect.width}z`);
      }
      for (const [state, { path }] of shapes) {
        if (outlines.has(state)) continue;
        path.remove(); // so that its animation begins anew with the next chunk that stands so
        shapes.delete(state);
      }
      for (const [state, parts] of outlines) {
        const outline = parts.join("");
        const shape = shapes.get(state) ?? { path: svg("path", { "data-state": state }) };
        if (shape.outline === outline) continue;
        shape.outline = outline;
        shape.path.setAttribute("d", outline);
        if (!shapes.has(state)) group.append(shape.path);
        shapes.set(state, shape);
      }
      return new Map([...outlines].map(([state, { length }]) => [state, length]));
    },
    /** Which chunk is at a place in the picture, and how it stands, in words; "" where there is none. */
    wordsAt(x, y) {
      const rect = rects.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
      return rect?.state ? `Chunk ${rect.key.replaceAll("/", ", ").replace(/^(\d+):/, "of level $1, ")}: ${STATES[rect.state]}` : "";
    },
  };
}
