// Tells whether a place lies in a cell by the cell's corners, the sides between which are parts of great circles.
import { inTurns } from "./bins.js";
import { putVector } from "../vectors.js";

const SAME = 1e-14; // square of the length of a side between a corner and itself, which fills up cells of fewer corners
const ON = 1e-10; // of a side: a place on it lies in the cells on both sides

/** Outlines of cells with `corners` each, by longitudes and latitudes in degrees, those that are missing NaN. `turn()` resolves in a task of its own. */
export async function outlinesOf(lons, lats, corners, turn) {
  const vectors = new Float32Array(3 * lons.length);
  await inTurns(lons.length, turn, (n) => putVector(vectors, 3 * n, lons[n], lats[n]));

  return {
    /** Whether the unit vector `[x, y, z]` lies in a cell. */
    has(cell, [x, y, z]) {
      const from = 3 * corners * cell;
      let [isLeft, isRight, sides] = [false, false, 0];
      let last = from + 3 * (corners - 1);
      for (let k = corners - 1; k > 0 && Number.isNaN(vectors[last]); k--) last -= 3;
      for (let at = from; at < from + 3 * corners; at += 3) {
        const [ax, ay, az] = [vectors[last], vectors[last + 1], vectors[last + 2]];
        const [bx, by, bz] = [vectors[at], vectors[at + 1], vectors[at + 2]];
        if (Number.isNaN(bx)) continue;
        last = at;
        if ((ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2 < SAME) continue;
        sides++;
        const turned = x * (ay * bz - az * by) + y * (az * bx - ax * bz) + z * (ax * by - ay * bx);
        isLeft ||= turned > ON;
        isRight ||= turned < -ON;
        if (isLeft && isRight) return false;
      }
      return sides > 2;
    },
    /** The square of the chord from the unit vector `[x, y, z]` to the farthest corner of a cell. */
    reach(cell, [x, y, z]) {
      let most = 0;
      for (let at = 3 * corners * cell; at < 3 * corners * (cell + 1); at += 3) {
        const square = (vectors[at] - x) ** 2 + (vectors[at + 1] - y) ** 2 + (vectors[at + 2] - z) ** 2;
        if (square > most) most = square;
      }
      return most;
    },
  };
}
