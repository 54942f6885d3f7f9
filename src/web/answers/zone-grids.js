/** Grids of zones: the cells that a selection has, between edges, with corners of their own, or of HEALPix. */
import { given, refusal } from "./axes.js";
import { edgesOf } from "./cell-edges.js";
import { bytesOf } from "./read.js";
import { areas, boundsOf, coordinateOf, isOfKind, storedAreas, weightsBy } from "./weights.js";

/** Names of two-dimensional coordinates, where nothing names them. */
const NAMES = ["lat", "lon", "latitude", "longitude", "nav_lat", "nav_lon"];

/** Most arrays beside an array among which its coordinates are looked for. */
const MOST_BESIDE = 256;

/** Names of dimensions that cells of HEALPix lie along. */
const CELLS = /^(cells?|values?|healpix|pix|ncells|cell_ids)$/i;

/**
 * A grid: its axes, what the module needs to know of it, and how features come to it.
 *
 * @typedef {{ axes: any[], settings: object, project?: any, tolerance: number, weights: (weights: any, signal?: AbortSignal) => Promise<any> }} ZoneGrid
 */

/** The place of an axis in the selection's result, and the index at its beginning: zones need whole runs of cells. */
function runOf(axes, axis) {
  if (axis.isDropped || axis.count === 0 || !axis.isRun()) {
    throw refusal(`zonal: the selection along ${axis.name} must be a slice with step 1, as zones are cut out of it`);
  }
  return { axis: axes.filter(({ isDropped }) => !isDropped).indexOf(axis), first: axis.at(0) };
}

/** Edges of the cells along a coordinate. */
async function edges(found, isLatitude, signal) {
  const values = Float64Array.from(found.found.keys, Number);
  const bounds = typeof found.found.array.attrs.bounds === "string" ? await boundsOf(found, signal) : undefined;
  const flat = bounds && Float64Array.from({ length: 2 * values.length }, (_, i) => bounds(i >> 1)[i & 1]);
  return edgesOf(found.axis.name, values, { bounds: flat, isLatitude });
}

/** Refuses weights by a word other than `area`. */
function checkWeights(weights) {
  if (typeof weights === "string" && weights !== "area") throw refusal(`zonal: the weights are "area" or an array, not ${JSON.stringify(weights)}`);
}

/** Weights of the cells between edges, and the steps to the next row and column. */
async function weightsOfEdged(array, axes, grid, weights, signal) {
  checkWeights(weights);
  const values = weights === "area" ? await areas(array, axes, signal) : await given(weights, "the weights", undefined, { signal });
  const names = grid.map(({ name }) => name);
  let step = 1;
  const steps = [0, 0];
  for (let i = values.dimensions.length - 1; i >= 0; i--) {
    const at = names.indexOf(values.dimensions[i]);
    const axis = grid[at];
    if (!axis || values.shape[i] !== axis.length) {
      throw refusal(`zonal: the weights must lie along ${names.join(" and ")}, with ${grid.map(({ length }) => length).join(" and ")} items`);
    }
    steps[at] = step;
    step *= axis.length;
  }
  return { of: bytesOf(Float64Array.from(/** @type {any} */ (values.data), Number)), steps };
}

/** The grid between edges along two axes: degrees, or x and y of a projection; undefined where there is none. */
async function edged(array, axes, kinds, project, signal) {
  const [rows, columns] = [await coordinateOf(array, axes, kinds[0]), await coordinateOf(array, axes, kinds[1])];
  if (!rows || !columns) return undefined;
  const isDegrees = kinds[0] === "latitude" && !project;
  const [ys, xs] = await Promise.all([edges(rows, isDegrees, signal), edges(columns, false, signal)]);
  const grid = [rows.axis, columns.axis];
  return {
    axes: grid,
    settings: { rows: bytesOf(ys), columns: bytesOf(xs), isDegrees, rowAxis: runOf(axes, rows.axis), columnAxis: runOf(axes, columns.axis) },
    project,
    // By default, edges that a projection bends are followed to a tenth of a cell.
    tolerance: Math.min(Math.abs(ys[1] - ys[0]), Math.abs(xs[1] - xs[0])) / 10,
    weights: (weights, signal) => weightsOfEdged(array, axes, grid, weights, signal),
  };
}

/** Weights of selected cells along the axes of a grid, with the steps to the next place along each of these. */
async function weightsOfCells(array, axes, grid, values, signal) {
  const places = axes.filter(({ isDropped }) => !isDropped);
  const found = await weightsBy(array, axes, values, signal);
  if (!found || found.strides.some((step, i) => step > 0 && !grid.includes(places[i]))) throw refusal(`zonal: the weights must lie along ${grid.map(({ name }) => name).join(" and ")}`);
  const steps = grid.map((axis) => found.strides[places.indexOf(axis)]);
  return { of: bytesOf(found.of), steps: grid.length === 1 ? [0, ...steps] : steps };
}

/** Latitudes and longitudes along two axes of an array, by CF's attribute `coordinates` or beside it. */
async function flatCoordinates(array, axes) {
  const named = typeof array.attrs.coordinates === "string" ? array.attrs.coordinates.split(/\s+/).filter(Boolean) : [];
  const found = {};
  for (const name of new Set([...named, ...NAMES, ...array.namesBeside().slice(0, MOST_BESIDE)])) {
    const other = await array.openBeside(name, 0).catch((error) => {
      if (!["NotFoundError", "InvalidMetadataError", "UnsupportedError"].includes(error.name)) throw error;
    });
    const own = other?.shape.length === 2 ? other.dimensionNames?.map((dimension) => axes.find((axis) => axis.name === dimension)) : undefined;
    const fits = own?.every((axis, i) => axis && axis.length === other.shape[i]);
    const kind = fits && ["latitude", "longitude"].find((each) => !found[each] && isOfKind(other.attrs, name, each));
    if (kind) found[kind] = { name, array: other, axes: own };
    else other?.free();
    if (found.latitude && found.longitude) break;
  }
  const { latitude, longitude } = found;
  if (latitude && longitude && latitude.axes.every((axis, i) => axis === longitude.axes[i])) return { latitude, longitude };
  latitude?.array.free();
  longitude?.array.free();
  return undefined;
}

/** Bounds of a two-dimensional coordinate, with four vertices a cell; undefined where it has none. */
async function verticesOf({ array, axes }, parts, signal) {
  const { bounds } = array.attrs;
  const stored = typeof bounds === "string" ? await array.openBeside(bounds, 0).catch(() => undefined) : undefined;
  try {
    const isFit = stored?.shape.length === 3 && stored.shape[2] === 4 && axes.every(({ length }, i) => length === stored.shape[i]);
    return isFit ? (await stored.get([...parts, null], { decode: "cf", as: "float64", signal })).data : undefined;
  } finally {
    stored?.free();
  }
}

/** The grid of cells with corners of their own; undefined without coordinates of two axes. */
async function curvilinear(array, axes, signal) {
  const found = await flatCoordinates(array, axes);
  if (!found) return undefined;
  const { latitude, longitude } = found;
  const grid = latitude.axes;
  const { areasOf, checkCells, cornersBetween, cornersOf } = await import("./curvilinear.js");
  try {
    const [rowAxis, columnAxis] = grid.map((axis) => ({ axis: runOf(axes, axis).axis, first: 0 }));
    const [rows, columns] = grid.map(({ count }) => count);
    checkCells(rows * columns);
    const parts = grid.map((axis) => axis.part(0, axis.count));
    const [ys, xs] = await Promise.all([verticesOf(latitude, parts, signal), verticesOf(longitude, parts, signal)]);
    const middles = async (other) => (await other.array.get(parts, { decode: "cf", as: "float64", signal })).data;
    const corners = ys && xs ? cornersOf(ys, xs) : cornersBetween(await middles(latitude), await middles(longitude), rows, columns);
    const weights = async (/** @type {any} */ wanted, /** @type {AbortSignal | undefined} */ signal) => {
      checkWeights(wanted);
      const names = grid.map(({ name }) => name);
      const own = wanted === "area" ? ((await storedAreas(array, signal)) ?? { data: areasOf(corners), shape: [rows, columns], dimensions: names }) : wanted;
      return weightsOfCells(array, axes, grid, own, signal);
    };
    return { axes: grid, settings: { corners: bytesOf(corners), width: columns, isDegrees: true, rowAxis, columnAxis }, tolerance: 0, weights };
  } finally {
    latitude.array.free();
    longitude.array.free();
  }
}

/** The grid of cells of HEALPix that an opened grid describes. */
async function ofHealpix(array, axes, healpix) {
  const axis = axes[healpix.axis];
  if (axis.isDropped) throw refusal(`zonal: the selection takes one cell along ${axis.name}; select a slice, as zones are cut out of it`);
  const { level, scheme, dimension, size } = healpix;
  const isWhole = axis.count === size && axis.count === 12 * 4 ** level && axis.at(0) === 0 && axis.at(size - 1) === size - 1;
  const settings = { level, isDegrees: true, columnAxis: { axis: axes.filter(({ isDropped }) => !isDropped).indexOf(axis), first: 0 } };
  if (!(isWhole && scheme === "nested" && healpix.coordinate === undefined)) {
    const first = axis.count > 0 ? axis.at(0) : 0;
    const cells = axis.isRun() ? { start: first, stop: first + axis.count } : Array.from({ length: axis.count }, (_, place) => axis.at(place));
    const [{ decoded }, ids] = await Promise.all([import("../healpix/cells.js"), healpix.cells({ [dimension]: cells })]);
    Object.assign(settings, { ids: bytesOf(Float64Array.from(ids, (id) => decoded(scheme, id, level))) });
  }
  const { flattening } = healpix.ellipsoid;
  const { authalic } = await import("../healpix/authalic.js");
  const { to } = authalic(flattening);
  return {
    axes: [axis],
    settings,
    // Cells of an ellipsoid are those of a sphere at authalic latitudes.
    project: flattening > 0 ? ([longitude, latitude]) => [longitude, to(latitude)] : undefined,
    // A millionth of a cell's side, as long as that is no rounding.
    tolerance: Math.max(Math.min(1e-3, 6e-5 / 2 ** level), 1e-7),
    weights: (weights, signal) => {
      checkWeights(weights);
      // All cells have one area.
      return weights === "area" ? Promise.resolve(undefined) : weightsOfCells(array, axes, [axis], weights, signal);
    },
  };
}

/** Whether an array may be one of cells of HEALPix, so that it is worth to look for more. */
function mayBeHealpix({ attrs, shape, dimensionNames = [] }) {
  const level = (length) => Math.log2(length / 12) / 2;
  return attrs.dggs !== undefined || attrs.grid_mapping !== undefined || shape.some((length) => Number.isInteger(level(length))) || dimensionNames.some((name) => CELLS.test(name ?? ""));
}

/** Opens the HEALPix grid of an array, as far as the array and those beside it describe it; undefined where there is none. */
async function healpixOf(array, signal) {
  if (!mayBeHealpix(array)) return undefined;
  const [{ Around }, { gridOf }] = await Promise.all([import("../healpix/around.js"), import("../healpix/grid.js")]);
  const { attrs, shape, path, zarrFormat, dimensionNames = [] } = array;
  const [name = ""] = path.split("/").slice(-1);
  const group = { attrs: {}, path: path.split("/").slice(0, -1).join("/"), zarrFormat, tree: () => undefined, array: (other) => array.openBeside(other, 0) };
  const around = new Around(group, name, { attrs, shape, path, zarrFormat, dimensionNames }, signal);
  try {
    return await gridOf(array.hold(), around);
  } catch (error) {
    // Of what describes no grid, the caller is told about all kinds of grids.
    if (error.name !== "UnsupportedError") throw error;
    return undefined;
  } finally {
    around.free();
  }
}

/**
 * Finds the grid of a selection: of HEALPix where one is given, else by a transform that is, else between edges of latitude and longitude, or of x and
 * y with a projection, else with corners of its own, else of HEALPix by its metadata.
 *
 * @returns {Promise<ZoneGrid>}
 */
export async function zoneGridOf(array, axes, { project, healpix, transform }, signal) {
  if (healpix) return ofHealpix(array, axes, healpix);
  if (transform) return (await import("./transform.js")).transformed(array, axes, { transform, project, runOf, weightsOf: weightsOfEdged });
  const found = (await edged(array, axes, ["latitude", "longitude"], project, signal)) ?? (project && (await edged(array, axes, ["y", "x"], project, signal))) ?? (await curvilinear(array, axes, signal));
  if (found) return found;
  const described = await healpixOf(array, signal);
  if (described) {
    try {
      return await ofHealpix(array, axes, described);
    } finally {
      described.free();
    }
  }
  const [rows, columns] = [await coordinateOf(array, axes, "y"), await coordinateOf(array, axes, "x")];
  if (rows && columns) {
    throw refusal(`zonal: the grid is in the coordinates ${rows.axis.name} and ${columns.axis.name} of a projection; pass project, a function from [longitude, latitude] to these, such as proj4(crs).forward`);
  }
  throw refusal(`zonal: no two axes of ${axes.map(({ name }) => name).join(", ")} have coordinates of latitude and longitude, or x and y, by units, standard_name or name, there are none with two axes beside the array, and it has no metadata of HEALPix; pass the grid of healpix(group, name) in place of the array where the group has them, or transform`);
}
