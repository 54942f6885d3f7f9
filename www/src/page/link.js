// Parts of a view that a link holds, and their meaning for an array that is open.
import { EMBEDDED, SOLSTICE, home } from "./embedded.js";
import { linkedView } from "../map/view.js";
import { positionOf, steppedOf } from "../model/position.js";
import { addressIn, namesStore } from "../model/source.js";
import { linkedChannels } from "../reading/channels.js";

const isSame = (a, b) => String(a) === String(b);

/** The version of a repository that a link has to name: none of the newest of the main branch, if the address says where the repository ends. */
export function linkedVersion({ place: { base, version }, isRepository }) {
  const { branch = "main", tag, snapshot } = version ?? {};
  const isUsual = branch === "main" && !tag && !snapshot;
  if (!base || !isRepository || (isUsual && namesStore(base))) return undefined;
  return version ?? { branch };
}

/** The view for `writeHash`, without what is as it opens; nothing where the store is on this device, which no link can hold. */
export function linkOf(state, look) {
  const { dataset, catalog, axes, userRange, series, reference, composite } = state;
  const url = addressIn(catalog.place, dataset.path);
  if (!url) return {};
  const index = positionOf(state);
  const embedded = url === EMBEDDED;
  return {
    url: embedded && !home.hash ? undefined : url,
    version: linkedVersion(catalog),
    beside: catalog.isRepository ? look.beside : undefined,
    index: embedded && isSame(index, SOLSTICE) ? undefined : index,
    axes: isSame(axes, dataset.usual) ? undefined : axes,
    view: state.plane.isMap ? linkedView(state.view, axes.map((d) => dataset.shape[d])) : undefined,
    point: series && axes.map((d) => series.point[d]),
    point2: series?.second && axes.map((d) => series.second[d]),
    minus: reference && steppedOf(state).map((d) => reference[d]),
    channels: composite && linkedChannels(composite),
    along: series && steppedOf(state).length > 1 ? series.axis : undefined,
    colourMap: look.colourMap === "inferno" ? undefined : look.colourMap,
    range: userRange, scale: look.scale, histogram: look.histogram, chunks: look.chunks, coast: look.coast,
  };
}

/** The cell that a link's positions along the drawn axes mean, along every axis; undefined where there is none. */
export function pointOf({ dataset, axes, index }, point) {
  if (point?.length !== axes.length || !axes.every((d, i) => point[i] >= 0 && point[i] < dataset.shape[d])) return undefined;
  return index.map((at, d) => (axes.includes(d) ? Math.trunc(point[axes.indexOf(d)]) : at));
}
