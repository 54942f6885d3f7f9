// Makes a map of latitude and longitude of an array whose cells lie along one axis, by what says which cell a place lies in.
import { makeAxis } from "../../model/axis.js";
import { degreesOf } from "../degrees.js";
import { planSphere } from "./plan.js";
import { sphereSource } from "./source.js";

const MOST_PIXELS = 2 ** 18; // around the globe, 150 m of the equator each

function axisOf(name, units, size, first, step) {
  const values = new Float64Array(size);
  for (let i = 0; i < size; i++) values[i] = first + (i + 0.5) * step;
  return makeAxis(name, size, { values, attrs: { units } });
}

/**
 * Dataset of an array with cells along `axis` in place of its own, on about as many `pixels` around the globe: the axis of
 * cells becomes one of latitudes, and one of longitudes follows the last axis. `stored` has the array's own axes and
 * shape, and `at(index)`, the position in it of a position in the map, undefined where no cell is stored. `placeAt(lon, lat)`
 * gives where along the axis a place's cell is, -1 for none, `say(lon, lat)` names it, `name` says the grid in words, and `start(size)` the
 * view that the map opens with.
 */
export function mapOf(dataset, { axis, pixels, placeAt, say, name, start, free }) {
  const width = Math.min(pixels, MOST_PIXELS);
  const height = width / 2;
  const lats = axisOf("lat", "degrees_north", height, 90, -180 / height);
  const lons = axisOf("lon", "degrees_east", width, -180, 360 / width);
  const rank = dataset.shape.length;
  const placeOf = (row, column) => [-180 + ((column + 0.5) * 360) / width, 90 - ((row + 0.5) * 180) / height];
  const stored = {
    axes: dataset.axes, shape: dataset.shape, axis, placeAt: (row, column) => placeAt(...placeOf(row, column)),
    at(index) {
      const place = stored.placeAt(index[axis], index[rank]);
      return place < 0 ? undefined : index.slice(0, rank).with(axis, place);
    },
  };
  const shape = [...dataset.shape.with(axis, height), width];
  const axes = [...dataset.axes.with(axis, lats), lons];
  return {
    ...dataset, shape, axes, stored, sources: [sphereSource(dataset.sources[0], stored, shape)], usual: [axis, rank], start: start?.([height, width]),
    earth: { ...degreesOf({ axes }), axes: [axis, rank], say: (cell) => say(...placeOf(...cell.map(Math.floor))) },
    planMap: (...given) => planSphere(stored, name, ...given),
    free() {
      dataset.free();
      free?.();
    },
  };
}
