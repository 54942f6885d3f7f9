// The projections of the Earth that a map can be drawn in, by the names that links have.

/** In words; without one a map is drawn as it is stored. */
export const PROJECTIONS = { globe: "Globe", world: "Natural Earth", north: "North pole", south: "South pole" };

export const MOST_ZOOM = 256;

/** The projection that a link says, `globe,10,45,2`: its name, the longitude and the latitude in the middle, and how many times it is enlarged; undefined for what makes no sense. */
export function projectionIn(text) {
  const [kind, ...rest] = (text ?? "").split(",");
  if (!Object.hasOwn(PROJECTIONS, kind)) return undefined;
  const [lon, lat, zoom] = rest.map((part) => (part.trim() ? Number(part) : NaN));
  const isWhole = rest.length === 3 && Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && zoom >= 1 && zoom <= MOST_ZOOM;
  return isWhole ? { kind, centre: [lon, lat], zoom } : { kind };
}

/** The text of a projection for a link, in no more figures than a picture shows. */
export function projectionText({ kind, centre, zoom = 1 }) {
  if (!centre) return kind;
  const places = Math.max(1, Math.ceil(Math.log10(zoom * 20)));
  return [kind, ...centre.map((at) => Number(at.toFixed(places))), Number(zoom.toPrecision(4))].join(",");
}
