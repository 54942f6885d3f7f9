/** Edges of cells along a coordinate: from its bounds, else half-way between its values. */
import { refusal as refused } from "./axes.js";

/** Error of coordinates whose cells are not known. */
function refusal(name, reason) {
  return refused(`zonal: the cells along ${name} are not known: ${reason}`);
}

/** Largest gap between bounds of neighbours, in parts of a cell: what single precision leaves of equal numbers. */
const GAP = 1e-3;

/** Edges from bounds, two for each cell, which follow each other. */
function fromBounds(name, bounds, count, isFalling) {
  const ends = Array.from({ length: count }, (_, i) => {
    const [one, other] = [bounds[2 * i], bounds[2 * i + 1]];
    return one > other === isFalling ? [one, other] : [other, one];
  });
  const edges = Float64Array.from({ length: count + 1 }, (_, i) => (i < count ? ends[i][0] : ends[count - 1][1]));
  for (let i = 1; i < count; i++) {
    const [last, next] = [ends[i - 1][1], ends[i][0]];
    if (!(Math.abs(next - last) <= GAP * Math.abs(ends[i][1] - next))) {
      throw refusal(name, `the bounds of cell ${i - 1} end at ${last}, and those of cell ${i} begin at ${next}; select cells that follow each other`);
    }
  }
  return edges;
}

/** Edges half-way between values; the first and the last cell reach as far out as in, and a cell alone half a unit. */
export function edgesAround(values) {
  const count = values.length;
  if (count === 1) return Float64Array.of(values[0] - 0.5, values[0] + 0.5);
  const edges = new Float64Array(count + 1);
  for (let i = 1; i < count; i++) edges[i] = values[i - 1] / 2 + values[i] / 2;
  edges[0] = 2 * values[0] - edges[1];
  edges[count] = 2 * values[count - 1] - edges[count - 1];
  return edges;
}

/**
 * Edges of the cells along a coordinate, one more than there are cells, rising or falling as its values do.
 *
 * @param {string} name of the coordinate, for messages
 * @param {ArrayLike<number>} values at the middles of cells
 * @param {object} [options]
 * @param {ArrayLike<number>} [options.bounds] lower and upper bound of each cell, one after the other
 * @param {boolean} [options.isLatitude] whether edges are cut to ±90 degrees
 */
export function edgesOf(name, values, { bounds, isLatitude = false } = {}) {
  const count = values.length;
  if (bounds && bounds.length !== 2 * count) throw refusal(name, `it has ${count} values, and ${bounds.length} bounds in place of ${2 * count}`);
  const bad = Array.prototype.findIndex.call(values, (value) => !Number.isFinite(value));
  if (bad >= 0) throw refusal(name, `value ${bad} is ${values[bad]}`);
  if (count === 0 || (count === 1 && !bounds)) throw refusal(name, `it has ${count} values and no bounds; select two or more, or give it bounds`);
  const edges = bounds ? fromBounds(name, bounds, count, count > 1 && values[1] < values[0]) : edgesAround(values);
  const cut = (edge) => Math.min(Math.max(edge, -90), 90);
  const found = isLatitude ? edges.map(cut) : edges;
  const isFalling = found[count] < found[0];
  for (let i = 0; i < count; i++) {
    if (!(isFalling ? found[i + 1] < found[i] : found[i + 1] > found[i])) {
      throw refusal(name, `its values must rise or fall from each to the next, but cell ${i} reaches from ${found[i]} to ${found[i + 1]}`);
    }
  }
  return found;
}
