// Draws a map of latitudes and longitudes in a projection of the Earth. Loaded with the first such map.
import "../../style/graticule.css";
import "../../style/projections.css";
import { el, svg } from "../../dom.js";
import { coastParts, scaleOfMap } from "./coast.js";
import { gridOf, viewOf } from "./grid.js";
import { completed, mapOf, moved, zoomed } from "./maps.js";
import { layApart } from "../apart.js";
import { netOf, stepFor } from "../net.js";
import { createMapPainter } from "./painter.js";
import { vectorOf } from "../vectors.js";

const SIDE = 8; // points along the sides of a cell, between which its box is looked for
const LINE = 2; // degrees between points of a parallel or a meridian

/** Points of a line on which both angles change evenly. */
function denseLine([from, to]) {
  const parts = Math.max(1, Math.ceil(Math.max(...from.map((at, k) => Math.abs(to[k] - at))) / LINE));
  return Array.from({ length: parts + 1 }, (_, n) => from.map((at, k) => at + ((to[k] - at) * n) / parts));
}

/** The box of cells `[rows, columns]` in a picture's units; of cells that are out of sight, nothing. */
function boxIn(map, toDegrees, [rows, columns]) {
  const found = [];
  for (let n = 0; n <= SIDE; n++) {
    const [row, column] = [rows, columns].map(([from, to]) => from + ((to - from) * n) / SIDE);
    for (const cell of [[row, columns[0]], [row, columns[1]], [rows[0], column], [rows[1], column]]) {
      const part = map.forward(toDegrees(cell));
      if (part) found.push(part);
    }
  }
  if (!found.length) return { x: 0, y: 0, width: 0, height: 0 };
  const [left, top, right, bottom] = [Math.min, Math.max].flatMap((end) => [0, 1].map((k) => end(...found.map((part) => part[k]))));
  return { x: left * map.width, y: top * map.height, width: (right - left) * map.width, height: (bottom - top) * map.height };
}

const grids = new WeakMap(); // dataset -> grid, which its maps share

function gridFor(dataset, earth) {
  if (!grids.has(dataset)) grids.set(dataset, gridOf(dataset, earth));
  return grids.get(dataset);
}

/**
 * `place` with what a picture in the projection asks of it: `cellAt(part)`, `partAt(cell)` and `boxOf(cells)` in place of
 * rows and columns that lie straight; `window` and `aspect` are the map's.
 */
export function placedIn(place, dataset, earth, projection) {
  const own = completed(projection);
  const map = mapOf(own);
  const grid = gridFor(dataset, earth);
  return {
    ...place, aspect: map.aspect, window: { x: 0, y: 0, width: map.width, height: map.height },
    warp: {
      map, grid, projection: own, key: `${own.kind},${own.centre},${own.zoom}`,
      cellAt(part) {
        const at = map.inverse(part);
        return at && grid.cellOf(at);
      },
      partAt: (cell) => map.forward(earth.toDegrees(cell)),
      boxOf: (cells) => boxIn(map, earth.toDegrees, cells),
    },
  };
}

/** The view of the grid that a projection needs, and the projections after a drag and after a zoom: of another one that may not be drawn yet. */
export const viewIn = ({ warp }, projection) => viewOf(mapOf(completed(projection)), warp.grid);
export const movedTo = (projection, by) => moved(completed(projection), by);
export const zoomedTo = (projection, factor, at) => zoomed(completed(projection), factor, at);

/** Labels of lines, where they cross the parallel and the meridian nearest to the middle. */
function labelsOf(lines, map, step) {
  const middle = map.inverse([0.5, 0.5]) ?? [0, 0];
  const nearest = (at, most) => Math.max(-most, Math.min(most, step * Math.round(at / step)));
  const crossed = [nearest(middle[0], 180), nearest(middle[1], 90 - step)];
  return lines.flatMap(({ label, isParallel, ends }) => {
    const part = map.forward(isParallel ? [crossed[0], ends[0][1]] : [ends[0][0], crossed[1]]);
    return part?.every((n) => n > 0.02 && n < 0.98) ? [el("span", { style: `--left:${part[0] * 100}%;--top:${part[1] * 100}%;--dx:${isParallel ? "calc(-100% - 0.25rem)" : "0.25rem"};--dy:-120%` }, label)] : [];
  });
}

/** `sheet` gets the canvas, and `plot` the labels; `again()` hears when the picture has to be drawn again. */
export function createWarp(plot, sheet, again) {
  const painter = createMapPainter(sheet, again);
  const labels = el("div", { class: "degrees-at", "aria-hidden": "true" });
  plot.append(labels);
  return {
    get canvas() {
      return painter.canvas;
    },
    paint(size, { place: { warp }, look, scene }) {
      painter.paint(size, scene.drawn(), look, warp);
    },
    drop: painter.drop,
    /** Coast, graticule and the Earth's edge, in the picture's units. */
    lines({ place: { warp: { map, projection } }, look }, size) {
      const group = (name, path, more = {}) => svg("g", { class: name, ...more }, svg("path", { d: path, class: "casing" }), svg("path", { d: path, class: "line" }));
      const wide = 180 / projection.zoom;
      const step = stepFor(wide);
      const lines = look.graticule ? netOf(wide < 60 ? { centre: vectorOf(projection.centre), radius: wide } : undefined, step) : [];
      layApart(labels, labelsOf(lines, map, step));
      const scale = scaleOfMap(map, size);
      const coast = look.coast && !look.isFirst ? coastParts(scale, map, again) : undefined;
      return [
        svg("path", { class: "outline", d: map.outline() }),
        coast ? group("coast", map.path(coast.lines), { "data-scale": coast.scale }) : "",
        lines.length ? group("graticule", map.path(lines.map(({ ends }) => denseLine(ends)))) : "",
      ];
    },
    /** Another picture is drawn, in no projection. */
    hide() {
      painter.canvas.remove();
      labels.replaceChildren();
    },
  };
}
