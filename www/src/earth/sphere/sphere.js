// Opens arrays on HEALPix grids as maps of latitude and longitude, whose pixels are those of the screen.
import { healpix } from "rectilinear-zarr/healpix";
import { makeAxis } from "../../model/axis.js";
import { degreesOf } from "../degrees.js";
import { sphereSource } from "./source.js";
import { startOf } from "./start.js";
import { planSphere } from "./plan.js";

const PIXELS = 256; // of latitude and longitude around the globe, for each cell along the side of a face: forty in a cell
const MOST_PIXELS = 2 ** 18; // around the globe, 150 m of the equator each
const MOST_IDS = 2 ** 24; // of stored cells that the page looks up

const axisOf = (name, units, size, first, step) => makeAxis(name, size, { values: Float64Array.from({ length: size }, (_, i) => first + (i + 0.5) * step), attrs: { units } });

/** Whether the ids of all of the globe's cells are in order, as far as those at both ends and some between tell. */
async function areInOrder(group, { coordinate, size, level, scheme }, signal) {
  if (scheme === "zuniq" || size !== 12 * 4 ** level) return false;
  const name = group.path ? coordinate.slice(group.path.length + 1) : coordinate;
  const ids = await group.array(name, { signal });
  try {
    if (ids.shape.length !== 1 || ids.shape[0] !== size) return false;
    const places = [0, 1, Math.floor(size * 0.236), Math.floor(size * 0.618), size - 2, size - 1];
    const { data } = await ids.get([places], { signal });
    return places.every((place, i) => Number(data[i]) === place);
  } finally {
    ids.free();
  }
}

/** Ids of the cells that are stored; undefined where all of the globe's are, in order. */
async function idsOf(group, grid, signal) {
  if (grid.coordinate === undefined) return undefined;
  if (grid.size <= MOST_IDS) return grid.cells();
  if (await areInOrder(group, grid, signal)) return undefined;
  throw new RangeError(`${grid.size} cells are more than this page looks up`);
}

/** Looks up the index along the axis of the cells, -1 for a cell that is not stored. */
function placesOf(ids) {
  if (!ids) return (cell) => Number(cell);
  const isSorted = ids.every((id, i) => i === 0 || id > ids[i - 1]);
  const order = isSorted ? undefined : Uint32Array.from(ids.keys()).sort((a, b) => (ids[a] < ids[b] ? -1 : 1));
  const at = (rank) => (order ? order[rank] : rank);
  return (cell) => {
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ids[at(middle)] < cell) low = middle + 1;
      else high = middle;
    }
    return low < ids.length && ids[at(low)] === cell ? at(low) : -1;
  };
}

/**
 * Dataset of a HEALPix array in place of its own: the axis of cells becomes one of latitudes, and one of
 * longitudes follows the last axis. `stored` has the array's own axes and shape, and `at(index)`, the position in it of a
 * position in the map, undefined where no cell is stored. Rejects where the array is on no such grid.
 */
export async function sphereOf(catalog, dataset, signal) {
  const grid = await healpix(catalog.group, dataset.path, { signal });
  const { axis, level, scheme } = grid;
  try {
    const ids = await idsOf(catalog.group, grid, signal);
    const placeOf = placesOf(ids);
    const width = Math.min(PIXELS * 2 ** level, MOST_PIXELS);
    const height = width / 2;
    const lats = axisOf("lat", "degrees_north", height, 90, -180 / height);
    const lons = axisOf("lon", "degrees_east", width, -180, 360 / width);
    const rank = dataset.shape.length;
    const [down, across] = [(row) => 90 - ((row + 0.5) * 180) / height, (column) => -180 + ((column + 0.5) * 360) / width];
    const cellAt = (row, column) => grid.cellAt(across(column), down(row));
    const stored = {
      axes: dataset.axes, shape: dataset.shape, axis, placeAt: (row, column) => placeOf(cellAt(row, column)),
      at(index) {
        const place = stored.placeAt(index[axis], index[rank]);
        return place < 0 ? undefined : index.slice(0, rank).with(axis, place);
      },
    };
    const shape = [...dataset.shape.with(axis, height), width];
    const axes = [...dataset.axes.with(axis, lats), lons];
    const name = `HEALPix, level ${level}, ${scheme}`;
    return {
      ...dataset, shape, axes, stored, sources: [sphereSource(dataset.sources[0], stored, shape)], usual: [axis, rank], start: ids && startOf(grid, ids, [height, width]),
      earth: { ...degreesOf({ axes }), axes: [axis, rank], say: (cell) => `cell ${cellAt(...cell.map(Math.floor))}` },
      planMap: (...given) => planSphere(stored, name, ...given),
      free() {
        dataset.free();
        grid.free();
      },
    };
  } catch (error) {
    grid.free();
    throw error;
  }
}
