// Areas on the Earth that statistics are taken in: from corners, from GeoJSON or pairs of numbers, and how far they reach over a grid.
import { turned } from "../earth/degrees.js";

const HINT = 'write GeoJSON of polygons, or pairs of longitude and latitude such as "-10 40, 20 40, 5 60"';
const PAIRS = /^[\s\d.,;eE+\-()[\]°]*$/;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;
const LONGEST = 2; // degrees between the points of an edge, so that it bends as grids do

/** The polygons of GeoJSON, each a list of rings. */
function polygonsOf(object) {
  const { type, coordinates, geometry, geometries, features } = object ?? {};
  if (type === "Polygon") return [coordinates];
  if (type === "MultiPolygon") return coordinates ?? [];
  if (type === "Feature") return geometry ? polygonsOf(geometry) : [];
  if (type === "FeatureCollection" && Array.isArray(features)) return features.flatMap(polygonsOf);
  if (type === "GeometryCollection" && Array.isArray(geometries)) return geometries.flatMap(polygonsOf);
  throw new RangeError(type ? `A “${type}” is no area: ${HINT}.` : `This is no GeoJSON: ${HINT}.`);
}

const isPlace = (point) => Array.isArray(point) && point.length >= 2 && point.slice(0, 2).every(Number.isFinite) && Math.abs(point[1]) <= 90 && Math.abs(point[0]) <= 540;

/** A ring as GeoJSON has it: the first corner stands at its end too. */
const closed = (ring) => (String(ring[0]) === String(ring.at(-1)) && ring.length > 3 ? ring : [...ring, ring[0]]);

function checked(polygons) {
  if (!polygons.length) throw new RangeError(`There is no polygon in it: ${HINT}.`);
  for (const [nth, rings] of polygons.entries()) {
    if (!Array.isArray(rings) || !rings.length) throw new RangeError(`Polygon ${nth + 1} has no ring: ${HINT}.`);
    for (const ring of rings) {
      if (!Array.isArray(ring)) throw new RangeError(`Polygon ${nth + 1} has a ring that is no list: ${HINT}.`);
      const wrong = ring.find((point) => !isPlace(point));
      if (wrong !== undefined) throw new RangeError(`Polygon ${nth + 1} has “${wrong}” for a corner: longitudes come first, and latitudes are -90 to 90.`);
      if (new Set(ring.map(String)).size < 3) throw new RangeError(`Polygon ${nth + 1} has fewer than three corners: ${HINT}.`);
    }
  }
  return { type: "MultiPolygon", coordinates: polygons.map((rings) => rings.map((ring) => closed(ring.map((point) => point.slice(0, 2))))) };
}

/** An area by a text: GeoJSON, or longitudes and latitudes in turn. Throws a RangeError that says what is wrong. */
export function areaOf(text) {
  if (PAIRS.test(text)) {
    const numbers = (text.match(NUMBER) ?? []).map(Number);
    if (numbers.length % 2) throw new RangeError(`There are ${numbers.length} numbers, which make no pairs: ${HINT}.`);
    const ring = Array.from({ length: numbers.length / 2 }, (_, i) => numbers.slice(2 * i, 2 * i + 2));
    return { geojson: checked([[ring]]), unwraps: true };
  }
  let object;
  try {
    object = JSON.parse(text);
  } catch (cause) {
    throw new RangeError(`This is neither GeoJSON nor pairs of numbers (${cause.message}): ${HINT}.`, { cause });
  }
  return { geojson: checked(polygonsOf(object)), unwraps: true };
}

/**
 * The area of corners, whose longitudes go on beyond 180 degrees where an edge does. Where they go `around` a pole, the last
 * edge closes there; else one of more than half a turn was drawn the long way, and stays so.
 */
export function areaIn(corners, around = false) {
  const isLong = !around && corners.some(([lon], i) => Math.abs(lon - corners[(i + 1) % corners.length][0]) >= 180);
  const ring = isLong ? corners : corners.map(([lon, lat]) => [turned(lon), lat]);
  const shift = isLong ? Math.max(0, 360 * Math.ceil((-180 - Math.min(...ring.map(([lon]) => lon))) / 360)) : 0;
  return { geojson: checked([[ring.map(([lon, lat]) => [lon + shift, lat])]]), unwraps: !isLong };
}

/** The rings of an area as lines without jumps, each a list of `[lon, lat]` whose last is the first, a turn further where the ring holds a pole. */
export function linesOf({ geojson: { coordinates }, unwraps }) {
  return coordinates.flat().map((ring) => {
    let [lon] = ring[0];
    return ring.map(([to, lat], i) => {
      if (i) lon = unwraps ? lon + turned(to - lon) : to;
      return [lon, lat];
    });
  });
}

/** A line with points between its corners, so that it follows what bends. */
export const bent = (line) => line.flatMap((to, i) => {
  const from = line[i - 1] ?? to;
  const parts = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / LONGEST));
  return Array.from({ length: i ? parts : 1 }, (_, n) => from.map((v, k) => v + ((to[k] - v) * (n + 1)) / parts));
});

/** The least and the greatest of numbers, of which there may be more than a call takes. */
const spanOf = (numbers) => numbers.reduce(([least, most], n) => [Math.min(least, n), Math.max(most, n)], [Infinity, -Infinity]);

/** Cells of a grid of `[rows, columns]` that an area reaches over at most, `[[from, to], [from, to]]`; undefined beside it. */
export function reachOf(area, { toCell, turns }, size) {
  const lines = linesOf(area);
  if (lines.some((line) => Math.abs(line.at(-1)[0] - line[0][0]) > 180)) return size.map((n) => [0, n]); // around a pole
  const ends = turns.flatMap((turn) => lines.flatMap((line) => {
    const cells = bent(line).map(([lon, lat]) => toCell([lon + turn, lat])).filter(Boolean);
    const span = [0, 1].map((k) => {
      const [least, most] = spanOf(cells.map((cell) => cell[k]));
      return [Math.max(0, Math.floor(least)), Math.min(size[k], Math.ceil(most))];
    });
    return cells.length && span.every(([from, to]) => from < to) ? [span] : [];
  }));
  return ends.length ? [0, 1].map((k) => spanOf(ends.flatMap((span) => span[k]))) : undefined;
}
