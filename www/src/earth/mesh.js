// A grid of points on the Earth: places between them, and a search tree for the cell around a place.
import { degreesBetween, dot, placeOf, vectorOf } from "./vectors.js";

const FACTOR = 4; // boxes along a side of the next larger one
const WIDEST = 60; // degrees across a cell; wider ones join what does not belong together
const ROUNDS = 12; // of Newton's method
const TURN = 8192; // points between two turns of the page

/** Boxes without anything in them. Each is the least x, y and z, then the greatest with their signs turned. */
const emptyBoxes = (count) => new Float32Array(6 * count).fill(Infinity);

/** Grows a box at an offset by a vector, with room around. */
function grow(boxes, at, vector, room) {
  for (let k = 0; k < 3; k++) {
    boxes[at + k] = Math.min(boxes[at + k], vector[k] - room);
    boxes[at + 3 + k] = Math.min(boxes[at + 3 + k], -vector[k] - room);
  }
}

const isInBox = (boxes, at, vector) => vector.every((n, k) => n >= boxes[at + k] && -n >= boxes[at + 3 + k]);

/** Boxes around blocks of the boxes of a finer level. */
function merged({ rows, columns, boxes }) {
  const [tall, wide] = [rows, columns].map((n) => Math.ceil(n / FACTOR));
  const larger = emptyBoxes(tall * wide);
  for (let n = 0; n < rows * columns; n++) {
    const to = 6 * (Math.floor(Math.floor(n / columns) / FACTOR) * wide + Math.floor((n % columns) / FACTOR));
    for (let k = 0; k < 6; k++) larger[to + k] = Math.min(larger[to + k], boxes[6 * n + k]);
  }
  return { rows: tall, columns: wide, boxes: larger };
}

/** Where in a four-sided cell a vector points to, as parts of its sides: `[down, across]`; undefined outside. */
function partsIn(corners, vector) {
  const east = Math.abs(vector[2]) < 0.9 ? [-vector[1], vector[0], 0] : [0, -vector[2], vector[1]];
  const north = [vector[1] * east[2] - vector[2] * east[1], vector[2] * east[0] - vector[0] * east[2], vector[0] * east[1] - vector[1] * east[0]];
  const flat = corners.map((corner) => {
    const near = dot(corner, vector);
    return near > 0.1 ? [dot(corner, east) / near, dot(corner, north) / near] : undefined;
  });
  if (flat.includes(undefined)) return undefined;
  const [a, b, c, d] = flat; // top left, top right, bottom left, bottom right
  let [v, u] = [0.5, 0.5];
  for (let round = 0; round < ROUNDS; round++) {
    const at = [0, 1].map((k) => (1 - v) * ((1 - u) * a[k] + u * b[k]) + v * ((1 - u) * c[k] + u * d[k]));
    const du = [0, 1].map((k) => (1 - v) * (b[k] - a[k]) + v * (d[k] - c[k]));
    const dv = [0, 1].map((k) => (1 - u) * (c[k] - a[k]) + u * (d[k] - b[k]));
    const area = du[0] * dv[1] - du[1] * dv[0];
    if (!area) return undefined;
    const [stepU, stepV] = [(at[0] * dv[1] - at[1] * dv[0]) / area, (du[0] * at[1] - du[1] * at[0]) / area];
    [u, v] = [u - stepU, v - stepV];
    if (Math.abs(stepU) + Math.abs(stepV) < 1e-9) break;
  }
  const isIn = (part) => part >= -1e-6 && part <= 1 + 1e-6;
  return isIn(u) && isIn(v) ? [v, u] : undefined;
}

/**
 * A mesh of points by rows, of which some may be missing (NaN): `placeAt([row, column])`, in points from 0, goes on beyond
 * the edges, and `find([lon, lat])` gives the row and the column between the points around a place. `turn()` resolves in
 * a task of its own.
 */
export async function meshOf(lons, lats, [rows, columns], turn) {
  const vectorAt = (row, column) => vectorOf([lons[row * columns + column], lats[row * columns + column]]);
  const cornersAt = (row, column) => [vectorAt(row, column), vectorAt(row, column + 1), vectorAt(row + 1, column), vectorAt(row + 1, column + 1)];
  const finest = { rows: rows - 1, columns: columns - 1, boxes: emptyBoxes((rows - 1) * (columns - 1)) };
  for (let n = 0; n < finest.rows * finest.columns; n++) {
    if (n % TURN === TURN - 1) await turn();
    const corners = cornersAt(Math.floor(n / finest.columns), n % finest.columns);
    const width = Math.max(degreesBetween(corners[0], corners[3]), degreesBetween(corners[1], corners[2]));
    if (!(width < WIDEST)) continue; // missing ones are no numbers
    const bulge = ((width * Math.PI) / 180) ** 2 / 6 + 1e-7; // of the sphere over the flat cell
    for (const corner of corners) grow(finest.boxes, 6 * n, corner, bulge);
  }
  const levels = [finest];
  while (levels[0].rows * levels[0].columns > FACTOR * FACTOR) levels.unshift(merged(levels[0]));

  /** The first cell of a level, within a block of the larger one, that the vector is in. */
  function search(level, [top, bottom], [left, right], vector) {
    const { rows: tall, columns: wide, boxes } = levels[level];
    for (let row = top; row < Math.min(tall, bottom); row++) {
      for (let column = left; column < Math.min(wide, right); column++) {
        const at = 6 * (row * wide + column);
        if (!isInBox(boxes, at, vector)) continue;
        const parts = level === levels.length - 1 ? partsIn(cornersAt(row, column), vector) : undefined;
        if (parts) return [row + parts[0], column + parts[1]];
        const block = (n) => [n * FACTOR, (n + 1) * FACTOR];
        const found = level < levels.length - 1 && search(level + 1, block(row), block(column), vector);
        if (found) return found;
      }
    }
    return undefined;
  }

  return {
    placeAt([row, column]) {
      const [top, left] = [[row, rows], [column, columns]].map(([at, size]) => Math.min(size - 2, Math.max(0, Math.floor(at + 1e-9))));
      const [v, u] = [row - top, column - left];
      const isPoint = [v, u].every((part) => Math.abs(part - Math.round(part)) < 1e-6 && part > -0.5 && part < 1.5);
      if (isPoint) {
        const n = (top + Math.round(v)) * columns + left + Math.round(u);
        return Number.isFinite(lons[n]) && Number.isFinite(lats[n]) ? [lons[n], lats[n]] : undefined;
      }
      const weights = [(1 - v) * (1 - u), (1 - v) * u, v * (1 - u), v * u];
      const place = placeOf([0, 1, 2].map((k) => cornersAt(top, left).reduce((sum, corner, i) => sum + weights[i] * corner[k], 0)));
      return place.every(Number.isFinite) ? place : undefined;
    },
    find: (place) => search(0, [0, levels[0].rows], [0, levels[0].columns], vectorOf(place)),
  };
}
