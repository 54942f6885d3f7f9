// The coastline for maps in a projection: its lines without the cuts of the map that they come from, as far as they are near.
import { COARSE_FROM, DEGREE, isCut, linesAt } from "../coast.js";
import { degreesBetween, dot, vectorOf } from "../vectors.js";

const around = new WeakMap(); // lines of a scale -> [{ line, centre, radius }]

/** The pieces of a line between its cuts. */
function piecesOf(line) {
  const pieces = [[line[0]]];
  for (let n = 1; n < line.length; n++) {
    if (isCut(line[n], line[n - 1])) pieces.push([]);
    pieces.at(-1).push(line[n]);
  }
  return pieces.filter((piece) => piece.length > 1);
}

/** A line with the circle that it lies in. */
function circled(line) {
  const vectors = line.map(vectorOf);
  const sum = [0, 1, 2].map((k) => vectors.reduce((total, vector) => total + vector[k], 0));
  const long = Math.sqrt(dot(sum, sum)) || 1;
  const centre = sum.map((n) => n / long);
  return { line, centre, radius: Math.max(...vectors.map((vector) => degreesBetween(centre, vector))) };
}

function circlesOf(lines) {
  if (!around.has(lines)) around.set(lines, lines.flatMap(piecesOf).map(circled));
  return around.get(lines);
}

/** The scale, in millions, of the coast of a map on so many pixels. */
export const scaleOfMap = ({ scale, height: units }, { height }) => ((180 / Math.PI) * DEGREE * units) / (scale * height) < COARSE_FROM ? 50 : 110;

/** The lines of a scale that may be in a map, `{ lines, scale }`; of the coarser one until the finer is here, and undefined until that is. `onCome()` hears then. */
export function coastParts(wanted, map, onCome) {
  const fine = wanted === 50 ? linesAt(50, onCome) : [];
  const all = fine?.length ? fine : linesAt(110, onCome);
  if (!all) return undefined;
  const middle = map.inverse([0.5, 0.5]);
  const corners = [[0, 0], [1, 0], [0, 1], [1, 1]].map((part) => map.inverse(part));
  const isNear = middle && !corners.includes(undefined);
  const centre = middle && vectorOf(middle);
  const radius = isNear ? Math.max(...corners.map((corner) => degreesBetween(centre, vectorOf(corner)))) : 180;
  const near = circlesOf(all).filter((one) => radius >= 90 || degreesBetween(centre, one.centre) <= radius + one.radius);
  return { lines: near.map(({ line }) => line), scale: all === fine ? 50 : 110 };
}
