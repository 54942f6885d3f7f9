// Projections of the whole Earth that a map can be drawn in, by d3-geo: places to parts of the picture and back.
import { geoAzimuthalEqualAreaRaw, geoNaturalEarth1Raw, geoOrthographicRaw, geoPath, geoProjection, geoRotation } from "d3-geo";
import { turned } from "../degrees.js";
import { MOST_ZOOM } from "../projection.js";

const HIGH = 1000; // units of a picture from top to bottom
const CLOSE = 1e-4; // of the radius of the Earth, that a place may be off after a projection and its inverse

/** Right and top end of what a projection shows of the Earth, in radii of it. */
const endsOf = { disc: (raw) => [raw(Math.PI / 2, 0)[0], raw(0, Math.PI / 2)[1]], world: (raw) => [raw(Math.PI, 0)[0], raw(0, Math.PI / 2)[1]] };

/**
 * By name: the raw projection, `[right, top]` end of it, the number that the GPU's program has for it, how the Earth is
 * turned for a centre, and the circle around the middle, in degrees, beyond which nothing is shown.
 */
const KINDS = {
  globe: { raw: geoOrthographicRaw, ends: endsOf.disc, number: 0, turn: ([lon, lat]) => [-lon, -lat], clip: 90 },
  north: { raw: geoAzimuthalEqualAreaRaw, ends: endsOf.disc, number: 1, turn: () => [0, -90], clip: 90, begin: [0, 90] },
  south: { raw: geoAzimuthalEqualAreaRaw, ends: endsOf.disc, number: 1, turn: () => [0, 90], clip: 90, begin: [0, -90] },
  world: { raw: geoNaturalEarth1Raw, ends: endsOf.world, number: 2, turn: ([lon]) => [-lon, 0] },
};

/** The projection with what a link leaves out: its centre, and how many times it is enlarged. */
export const completed = ({ kind, centre, zoom = 1 }) => ({ kind, centre: centre ?? KINDS[kind].begin ?? [0, 0], zoom });

const finite = (point) => (point?.every(Number.isFinite) ? point : undefined);

/**
 * A projection `{ kind, centre, zoom }` in a picture of 1,000 units from top to bottom, and `aspect` times as many from
 * left to right: `forward([lon, lat])` gives a part of the picture from its left and top, undefined on the far side, and
 * `inverse(part)` a place, undefined outside of the Earth.
 */
export function mapOf({ kind, centre, zoom }) {
  const { raw, ends, number, turn, clip } = KINDS[kind];
  const [right, top] = ends(raw);
  const aspect = right / top;
  const [width, height] = [HIGH * aspect, HIGH];
  const scale = (zoom * HIGH) / 2 / top;
  const rotate = turn(centre);
  const projection = geoProjection(raw).scale(scale).translate([0, 0]).rotate(rotate).clipAngle(clip ?? null).precision(0.3);
  const [x, y] = projection(centre);
  const shift = [width / 2 - x, height / 2 - y];
  projection.translate(shift).clipExtent([[-1, -1], [width + 1, height + 1]]);
  const seen = geoRotation(rotate); // the angles of a place in the turned frame
  const isHidden = (place) => {
    const [lon, lat] = seen(place).map((n) => (n * Math.PI) / 180);
    return clip !== undefined && Math.cos(lon) * Math.cos(lat) < Math.cos((clip * Math.PI) / 180) - 1e-9;
  };
  return {
    kind, number, aspect, width, height, rotate, scale, shift,
    forward(place) {
      const at = isHidden(place) ? undefined : finite(projection(place));
      return at && [at[0] / width, at[1] / height];
    },
    inverse([u, v]) {
      const at = [u * width, v * height];
      const place = finite(projection.invert(at));
      // Beyond its edge the inverse gives places too, that are elsewhere.
      const back = place && finite(projection(place));
      return back && !isHidden(place) && Math.abs(place[1]) <= 90.000001 && Math.hypot(back[0] - at[0], back[1] - at[1]) < CLOSE * scale ? [turned(place[0]), Math.max(-90, Math.min(90, place[1]))] : undefined;
    },
    /** The path of lines of `[lon, lat]`, in the picture's units. */
    path: (lines) => geoPath(projection).digits(2)({ type: "MultiLineString", coordinates: lines }) ?? "",
    /** The path around the Earth. */
    outline: () => geoPath(projection).digits(2)({ type: "Sphere" }) ?? "",
  };
}

/** The nearest projection whose picture has the Earth in its middle, as far as it shows all of it. */
function clamped({ kind, centre: [lon, lat], zoom }) {
  const times = Math.min(MOST_ZOOM, Math.max(1, zoom));
  const own = { kind, centre: [turned(lon), Math.max(-90, Math.min(90, lat))], zoom: times };
  if (kind === "globe") return own;
  if (times === 1) return { ...own, centre: kind === "world" ? [own.centre[0], 0] : KINDS[kind].begin };
  if (kind === "world") return own;
  const pole = KINDS[kind].begin[1];
  return { ...own, centre: [own.centre[0], pole > 0 ? Math.max(0, own.centre[1]) : Math.min(0, own.centre[1])] };
}

/** The projection moved by parts of the picture, as a pointer that drags it. */
export function moved(projection, [du, dv]) {
  const centre = mapOf(projection).inverse([0.5 - du, 0.5 - dv]);
  return centre ? clamped({ ...projection, centre }) : projection;
}

/** The projection enlarged by a factor, around a part of the picture. */
export function zoomed(projection, factor, at = [0.5, 0.5]) {
  const next = clamped({ ...projection, zoom: projection.zoom * factor });
  const times = next.zoom / projection.zoom;
  return times === 1 ? next : moved(next, at.map((part) => (part - 0.5) * (1 - times)));
}
