/** Ways between longitudes and latitudes and Web Mercator, which need no library. */

/** Half the width of Web Mercator's world, in metres. */
export const HALF = Math.PI * 6378137;

export const longitude = (x) => (x / HALF) * 180;
const latitude = (y) => (Math.atan(Math.sinh((y / HALF) * Math.PI)) * 180) / Math.PI;
const easting = (lon) => (lon / 180) * HALF;
/** Beyond the poles there is nothing. */
const northing = (lat) => (Math.abs(lat) <= 90 ? (Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) * HALF : NaN);

/** Coordinates after which a kind of system repeats itself; 0 for one that does not. */
export const periodOf = (kind) => ({ degrees: 360, mercator: 2 * HALF })[kind] ?? 0;

/** Longitudes and latitudes of a kind's coordinates, and these of them. */
export const toDegrees = { degrees: (x, y) => [x, y], mercator: (x, y) => [longitude(x), latitude(y)] };
export const fromDegrees = { degrees: (lon, lat) => [lon, lat], mercator: (lon, lat) => [easting(lon), northing(lat)] };

const same = (value) => value;

/** A way that leads nowhere else. */
export const OWN = { across: same, down: same };

/** The way between two kinds, by axis. @param {string} from @param {string} to */
export function betweenKinds(from, to) {
  if (from === to) return OWN;
  return from === "mercator" ? { across: longitude, down: latitude } : { across: easting, down: northing };
}

/** The way by a function from longitudes and latitudes. @param {(x: number, y: number) => any} start way to these @param {(place: any) => any} project */
export function byProject(start, project) {
  return {
    at(x, y) {
      const place = start(x, y);
      return place && project(place);
    },
  };
}
