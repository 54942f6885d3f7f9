// Draws over the picture, in its own units: the chunk boundaries as the chunk grid gives them.
import { el, svg } from "../../dom.js";
import { segments } from "../../model/segments.js";
import { count } from "../../model/format.js";

const MOST_LINES = 60; // along one axis; more would hide the picture
const LEAST_PIXELS = 8; // between two lines; closer ones would change the colours of the picture

/** Chunks of a source along a drawn axis, as far as they are in view on so many pixels, with their bounds in cells of the array. */
function chunksIn(source, shown, i, [from, to], pixels) {
  const scale = source.scale[i];
  const [first, last] = [from, to].map((at) => (at - source.offset[i]) / scale);
  const stop = Math.min(source.shape[shown.axis], Math.ceil(last - 1e-6));
  return segments(source.grid, shown.axis, stop, Math.min(MOST_LINES, Math.max(1, pixels / LEAST_PIXELS)), Math.max(0, Math.floor(first))).map((segment) => ({
    ...segment, ends: segment.stop < stop,
    start: source.offset[i] + segment.start * scale, stop: source.offset[i] + segment.stop * scale,
  }));
}

/** Lines at the chunk boundaries in view of a plot of `size` pixels, and none between chunks too narrow to tell apart. */
export function chunkLines({ source }, place, size) {
  const group = svg("g", { class: "chunks" });
  const along = [[place.rows, "y", place.y, place.down], [place.cols, "x", place.x, place.across]].filter(([shown]) => shown);
  for (const [i, [shown, across, at, span]] of along.entries()) {
    const other = across === "y" ? "x" : "y";
    const length = across === "y" ? place.width : place.height;
    for (const { stop, ends } of chunksIn(source, shown, i, span, across === "y" ? size.height : size.width)) {
      if (!ends) continue;
      for (const layer of ["casing", "line"]) {
        group.append(svg("line", { [`${across}1`]: at(stop), [`${across}2`]: at(stop), [`${other}1`]: 0, [`${other}2`]: length, class: layer, "data-axis": shown.axis, "data-at": stop }));
      }
    }
  }
  return group;
}

/** Beside the picture: each chunk's length along one axis of so many pixels, placed by per cent; `part(at)` is where a boundary stands. */
export function chunkLengths({ source, shown: axes }, shown, span, part, pixels) {
  if (!shown) return [];
  const lengthOf = (chunk) => {
    const { start, stop } = source.grid.bounds(source.grid.shape.map((_, d) => (d === shown.axis ? chunk : 0)));
    return stop[shown.axis] - start[shown.axis];
  };
  return chunksIn(source, shown, axes.indexOf(shown), span, pixels).map(({ start, stop, first, count: chunks }) => {
    const from = Math.min(part(start), part(stop)) * 100;
    const long = Math.abs(part(stop) - part(start)) * 100;
    const text = chunks > 1 ? `${count(chunks)}×` : count(lengthOf(first));
    return el("span", { class: long < 5 ? "edge short" : "edge", style: `--from:${from}%;--long:${long}%` }, el("i", {}, text));
  });
}
