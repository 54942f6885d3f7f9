// Places on the Earth as unit vectors, which know no seam and no pole.

const RADIANS = Math.PI / 180;

export function vectorOf([lon, lat]) {
  const across = Math.cos(lat * RADIANS);
  return [across * Math.cos(lon * RADIANS), across * Math.sin(lon * RADIANS), Math.sin(lat * RADIANS)];
}

/** Puts the vector of a place into a list of numbers at an index: of many places, soonest. */
export function putVector(list, at, lon, lat) {
  const across = Math.cos(lat * RADIANS);
  list[at] = across * Math.cos(lon * RADIANS);
  list[at + 1] = across * Math.sin(lon * RADIANS);
  list[at + 2] = Math.sin(lat * RADIANS);
}

/** Longitude and latitude of a vector of any length. */
export const placeOf = ([x, y, z]) => [Math.atan2(y, x) / RADIANS, Math.atan2(z, Math.hypot(x, y)) / RADIANS];

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Degrees between two unit vectors. */
export const degreesBetween = (a, b) => Math.acos(Math.min(1, Math.max(-1, dot(a, b)))) / RADIANS;

const POINTS = 9; // along each side of a window

/** The circle of the Earth that a window of cells lies in: its centre, and its radius in degrees; undefined where there is none. */
export function capOf({ toDegrees }, [rows, columns]) {
  const at = ([from, to], n) => from + ((to - from) * n) / (POINTS - 1);
  const found = [];
  for (let n = 0; n < POINTS * POINTS; n++) {
    const place = toDegrees([at(rows, Math.floor(n / POINTS)), at(columns, n % POINTS)]);
    if (place?.every(Number.isFinite)) found.push(vectorOf(place));
  }
  const sum = [0, 1, 2].map((i) => found.reduce((total, vector) => total + vector[i], 0));
  const length = Math.hypot(...sum);
  if (!(length > 1e-9)) return undefined;
  const centre = sum.map((n) => n / length);
  return { centre, radius: Math.max(...found.map((vector) => degreesBetween(centre, vector))) };
}
