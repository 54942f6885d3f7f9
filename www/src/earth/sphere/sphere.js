// Opens arrays on HEALPix grids as maps of latitude and longitude, whose pixels are those of the screen.
import { healpix } from "rectilinear-zarr/healpix";
import { mapOf } from "./map.js";
import { startOf } from "./start.js";

const PIXELS = 256; // of latitude and longitude around the globe, for each cell along the side of a face: forty in a cell
const SIDE = 60; // degrees across a cell of level 0, about
const MOST_IDS = 2 ** 24; // of stored cells that the page looks up

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

/** Dataset of a HEALPix array as a map, as `mapOf` makes it. Rejects where the array is on no such grid. */
export async function sphereOf(catalog, dataset, signal) {
  const grid = await healpix(catalog.group, dataset.path, { signal });
  const { axis, level, scheme } = grid;
  try {
    const ids = await idsOf(catalog.group, grid, signal);
    const placeOf = placesOf(ids);
    const centres = ids && { count: ids.length, at: (n) => grid.centre(ids[n]), room: SIDE / 2 ** level };
    return mapOf(dataset, {
      axis, pixels: PIXELS * 2 ** level,
      placeAt: (lon, lat) => placeOf(grid.cellAt(lon, lat)),
      say: (lon, lat) => `cell ${grid.cellAt(lon, lat)}`,
      name: `HEALPix, level ${level}, ${scheme}: each pixel shows the cell that it lies in.`,
      start: centres && ((size) => startOf(centres, size)),
      free: () => grid.free(),
    });
  } catch (error) {
    grid.free();
    throw error;
  }
}
