// Places grids on the Earth whose cells have latitudes and longitudes of their own: CF's coordinates of two axes.
import { makeDecoder } from "../model/decode.js";
import { ownSource } from "../model/sources.js";
import { DEPTH, planMap } from "../map/plan.js";
import { wholeOf } from "../map/view.js";
import { degreesIn, nameOf, pairOf } from "./pairs.js";
import { turned } from "./degrees.js";
import { meshOf } from "./mesh.js";

const ROOM = [512, 512]; // points to read along each axis, at most twice as many

/** The pair of arrays that are latitude and longitude along the same two axes of the dataset: `{ lat, lon, axes }`. */
export const coordinatesOf = (catalog, dataset, signal) =>
  pairOf(catalog, dataset, ({ shape }, axes) => (axes.length >= 2 && shape.slice(-2).every((size) => size > 1) ? axes.slice(-2) : undefined), signal);

/** Every nth value of a coordinate, at the first position of any axis but its last two. */
async function sampled(catalog, { path, attrs }, signal) {
  const array = await catalog.open(path, signal);
  try {
    const decoder = makeDecoder(array, false);
    const rank = array.shape.length;
    const axes = array.shape.map((_, d) => ({ name: array.dimensionNames?.[d] ?? `axis ${d}` }));
    const size = array.shape.slice(-2);
    const plan = planMap({ sources: [ownSource(array, decoder)], shape: array.shape, axes, decoder }, array.shape.map(() => 0), [rank - 2, rank - 1], wholeOf(size), ROOM, DEPTH.idle, false);
    const { values } = await decoder.read(array, plan.selection, signal);
    const factor = degreesIn(attrs);
    if (factor !== 1) values.forEach((v, i) => (values[i] = v * factor));
    return { values, counts: plan.taken.map(({ count }) => count), steps: plan.steps };
  } finally {
    array.free();
  }
}

/** The earth of a dataset by a pair of coordinates that `coordinatesOf` found; its words say how close its places are. */
export async function curvilinearOf(catalog, { lat, lon, axes }, { signal, turn }) {
  const [lats, lons] = await Promise.all([lat, lon].map((entry) => sampled(catalog, entry, signal)));
  const { counts, steps } = lats;
  if (String([lons.counts, lons.steps]) !== String([counts, steps])) return undefined; // chunks of other shapes
  const mesh = await meshOf(lons.values, lats.values, counts, turn);
  let upward = 0; // rows that lead north, less those that lead south
  for (let n = counts[1]; n < lats.values.length; n += 7) upward += Math.sign(lats.values[n] - lats.values[n - counts[1]]) || 0;
  const isThinned = steps.some((step) => step > 1);
  return {
    axes, turns: [0], isUpward: upward > 0, isClose: isThinned, isCurvilinear: true,
    words: `Degrees are those of ${nameOf(lat.path)} and ${nameOf(lon.path)}${isThinned ? `, read at every ${steps.join(" by ")} cells and interpolated between` : ""}.`,
    toDegrees(cell) {
      const place = mesh.placeAt(cell.map((at, i) => (at - 0.5) / steps[i]));
      return place && [turned(place[0]), place[1]];
    },
    toCell: (place) => mesh.find(place)?.map((at, i) => at * steps[i] + 0.5),
  };
}
