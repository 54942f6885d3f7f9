// Chooses the parallels and meridians of a view of the Earth, and says their degrees.
import { placeOf } from "./vectors.js";

const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01];
const MOST = 6; // lines of a kind across a view, about
const WIDE = 80; // degrees from the middle of a view, of more it takes all of the Earth

/** Degrees between lines of a view that is so many degrees wide. */
export const stepFor = (wide) => STEPS.findLast((step) => wide / step <= MOST) ?? STEPS[0];

const words = (v, positive, negative) => `${Number(Math.abs(v).toFixed(2))}°${v === 0 || Math.abs(v) === 180 ? "" : ` ${v < 0 ? negative : positive}`}`;

/** Multiples of a step from one number to another, as whole counts, so that no error adds up. */
const multiples = ([from, to], step) => Array.from({ length: Math.max(0, Math.floor(to / step + 1e-9) - Math.ceil(from / step - 1e-9) + 1) }, (_, n) => (Math.ceil(from / step - 1e-9) + n) * step);

/** Latitudes and longitudes, from and to, that a circle `{ centre, radius }` lies in; of no circle, or a wide one, all. */
export function boundsOf(view) {
  if (!view || view.radius > WIDE) return { lats: [-90, 90], lons: [-180, 180] };
  const [lon, lat] = placeOf(view.centre);
  const lats = [Math.max(-90, lat - view.radius), Math.min(90, lat + view.radius)];
  if (lats[0] === -90 || lats[1] === 90) return { lats, lons: [-180, 180] };
  const around = (Math.asin(Math.sin((view.radius * Math.PI) / 180) / Math.cos((lat * Math.PI) / 180)) * 180) / Math.PI;
  return { lats, lons: around < 180 ? [lon - around, lon + around] : [-180, 180] };
}

/**
 * The parallels and meridians at multiples of `step` in a view, each `{ label, isParallel, ends }` with the `[lon, lat]` of
 * both ends. Meridians end at the last parallel before a pole, which they would only crowd.
 */
export function netOf(view, step) {
  const { lats, lons } = boundsOf(view);
  const isAround = lons[1] - lons[0] >= 360;
  const [south, north] = [Math.max(lats[0], -90 + Math.min(step, 10)), Math.min(lats[1], 90 - Math.min(step, 10))];
  const parallels = multiples(lats, step).filter((lat) => Math.abs(lat) < 90).map((lat) => ({ label: words(lat, "N", "S"), isParallel: true, ends: [[lons[0], lat], [lons[1], lat]] }));
  const turned = (lon) => lon - 360 * Math.round(lon / 360);
  const meridians = multiples(lons, step).filter((lon) => !isAround || lon > -180).map((lon) => ({ label: words(turned(lon), "E", "W"), isParallel: false, ends: [[lon, south], [lon, north]] }));
  return [...parallels, ...meridians];
}
