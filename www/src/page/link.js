// Parts of a view that a link holds, and their meaning for an array that is open.
import { isCentredBy, usualColours } from "../model/colormap.js";
import { EMBEDDED, SOLSTICE, home } from "./embedded.js";
import { merged } from "../map/scene.js";
import { linkedView } from "../map/view.js";
import { linkedPin, positionOf, steppedOf } from "../model/position.js";
import { addressIn, namesStore } from "../model/source.js";
import { sharedAddress } from "../private/shared.js";
import { channelsLink } from "../reading/channels.js";
import { boundsOf, liesAroundZero, rangeOf, rounded } from "../reading/range.js";
import { spanOf, spanOfChannel } from "../reading/span.js";

const isSame = (a, b) => String(a) === String(b);

/** The version of a repository that a link has to name: none of the newest of the main branch, if the address says where the repository ends. */
export function linkedVersion({ place: { base, version }, isRepository }) {
  const { branch = "main", tag, snapshot } = version ?? {};
  const isUsual = branch === "main" && !tag && !snapshot;
  if (!base || !isRepository || (isUsual && namesStore(base))) return undefined;
  return version ?? { branch };
}

/**
 * The range of the colours, where whoever opens the link would not find the same: that of a moved map spans what was in
 * view before, too, and that of a step the steps before it, unless `each` has its own. The picture `beside` has the same
 * colours.
 */
function linkedRange(state, look, beside) {
  const { each } = look;
  const { userRange, isMoved, own, composite } = state;
  const found = merged(each ? state.found : spanOf(state), beside?.range);
  if (userRange || composite || !found || boundsOf(state) || (!isMoved && isSame(found, merged(own, beside?.own)))) return userRange;
  const range = rangeOf({ ...state, found, isCentred: isCentredBy(state, look) });
  return range.map((v) => rounded(v, range));
}

/** The colours that nobody chose, where whoever opens the link would not find the same: they are those of the first picture. */
function linkedColours(state) {
  const { isCentred, own, plane } = state;
  return plane.isMap && own && plane.join === undefined && Boolean(isCentred) !== liesAroundZero(state, own) ? usualColours(isCentred) : undefined;
}

/** The same of a channel without a window of its own. */
const linkedWindow = (state, { each }, beside) => (channel) => {
  const own = state.scene.rangeOf(channel);
  const found = merged(each ? own : spanOfChannel(state, channel), beside?.rangeOf(channel));
  if (!found || found[0] === found[1] || (!state.isMoved && isSame(found, merged(own, beside?.ownOf(channel))))) return undefined;
  return found.map((v) => rounded(v, found));
};

/** From where to where the lines are in view, each along its axis; undefined where all of them are. */
const linkedSpans = ({ spans, series, dataset: { shape } }) => (spans?.some(Boolean)
  ? (series ? series.charts.map(({ axis }, nth) => spans[nth] ?? [0, shape[axis]]) : spans).flat()
  : undefined);

/** A store, or what is at a path in it, and the catalog that lists it, without secrets of their addresses. */
export function linkedStore({ place }, path) {
  const url = addressIn(place, path);
  return { url: url && sharedAddress(url), stac: place.stac && sharedAddress(place.stac) };
}

/**
 * The view for `writeHash`, without what is as it opens; nothing where the store is on this device, which no link can hold.
 * `beside` has the ranges of a picture of another version, as the history gives them.
 */
export function linkOf(state, look, beside) {
  const { dataset, catalog, axes, pins, reference } = state;
  const url = addressIn(catalog.place, dataset.path);
  if (!url) return {};
  const index = positionOf(state);
  const embedded = url === EMBEDDED;
  return {
    ...(embedded && !home.hash ? {} : linkedStore(catalog, dataset.path)),
    version: linkedVersion(catalog),
    beside: catalog.isRepository ? look.beside : undefined,
    index: embedded && isSame(index, SOLSTICE) ? undefined : index,
    axes: isSame(axes, dataset.usual) ? undefined : axes,
    view: state.plane.isMap ? linkedView(state.view, axes.map((d) => dataset.shape[d]), dataset.start) : undefined,
    point: linkedPin(state, pins?.point), point2: linkedPin(state, pins?.second),
    minus: reference && steppedOf(state).map((d) => reference[d]), less: state.against?.path,
    channels: channelsLink(state, linkedWindow(state, look, beside)),
    span: pins ? linkedSpans(state) : state.part,
    along: pins && steppedOf(state).length > 1 ? pins.axis : undefined,
    colourMap: look.colourMap ?? linkedColours(state),
    range: linkedRange(state, look, beside), each: look.each, scale: look.scale, histogram: look.histogram, chunks: look.chunks, coast: look.coast, graticule: look.graticule, projection: look.projection, columns: state.dataset.kind === "words" ? look.columns : undefined, over: state.over && look.over, basemap: look.basemap,
  };
}
