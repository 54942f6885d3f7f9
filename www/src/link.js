// What a link holds of a view, and what it means to an array that is open.
import { EMBEDDED, SOLSTICE } from "./embedded.js";
import { positionOf, steppedOf } from "./model/position.js";
import { addressIn } from "./model/source.js";

const isSame = (a, b) => String(a) === String(b);

/** The view for `writeHash`, without what is as it opens; nothing where the store is on this device, which no link can hold. */
export function linkOf(state, look) {
  const { dataset, catalog, axes, userRange, series } = state;
  const url = addressIn(catalog.place, dataset.path);
  if (!url) return {};
  const index = positionOf(state);
  const embedded = url === EMBEDDED;
  return {
    url: embedded ? undefined : url,
    index: embedded && isSame(index, SOLSTICE) ? undefined : index,
    axes: isSame(axes, dataset.usual) ? undefined : axes,
    point: series && axes.map((d) => series.point[d]),
    along: series && steppedOf(state).length > 1 ? series.axis : undefined,
    colourMap: look.colourMap === "inferno" ? undefined : look.colourMap,
    range: userRange, chunks: look.chunks, coast: look.coast,
  };
}

/** The cell that a link's positions along the drawn axes mean, along every axis; undefined where there is none. */
export function pointOf({ dataset, axes, index }, point) {
  if (point?.length !== axes.length || !axes.every((d, i) => point[i] >= 0 && point[i] < dataset.shape[d])) return undefined;
  return index.map((at, d) => (axes.includes(d) ? Math.trunc(point[axes.indexOf(d)]) : at));
}
