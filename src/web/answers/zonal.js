/** Zonal statistics: what the polygons of a map hold of a grid, by the exact share of each cell, in one read. */
import { areas, boundsOf, coordinateOf } from "./weights.js";
import { axesOf, given, refusal } from "./axes.js";
import { edgesOf } from "./cell-edges.js";
import { featuresOf } from "./geojson.js";
import { bytesOf, read } from "./read.js";
import { checkOptions } from "../common/options.js";
import { broughtAlong } from "../labels/coordinates.js";

/** Options of `zonal`; `tests/types/options.test.mjs` compares them with the type. */
export const ZONAL = "stats selection weights project tolerance unwraps decode as mask scale fields signal onProgress";

/** The axes of rows and columns, and whether they are degrees. */
async function gridOf(array, axes, project) {
  const pairs = [["latitude", "longitude"], ["y", "x"]];
  for (const [row, column] of pairs) {
    const [rows, columns] = [await coordinateOf(array, axes, row), await coordinateOf(array, axes, column)];
    if (!rows || !columns) continue;
    const isDegrees = row === "latitude";
    if (!isDegrees && !project) {
      throw refusal(`zonal: the grid is in the coordinates ${rows.axis.name} and ${columns.axis.name} of a projection; pass project, a function from [longitude, latitude] to these, such as proj4(crs).forward`);
    }
    return { rows, columns, isDegrees: isDegrees && !project };
  }
  throw refusal(`zonal: no two axes of ${axes.map(({ name }) => name).join(", ")} have coordinates of latitude and longitude, or x and y, by units, standard_name or name`);
}

/** The place of an axis in the selection's result, and the index at its beginning: zones need whole runs of cells. */
function placeOf(axes, { axis }) {
  const [first, last] = [axis.at(0), axis.at(axis.count - 1)];
  if (axis.isDropped || axis.count === 0 || last - first !== axis.count - 1) {
    throw refusal(`zonal: the selection along ${axis.name} must be a slice with step 1, as zones are cut out of it`);
  }
  return { axis: axes.filter(({ isDropped }) => !isDropped).indexOf(axis), first };
}

/** Edges of the cells along a coordinate. */
async function edges(found, isLatitude, signal) {
  const values = Float64Array.from(found.found.keys, Number);
  const bounds = typeof found.found.array.attrs.bounds === "string" ? await boundsOf(found, signal) : undefined;
  const flat = bounds && Float64Array.from({ length: 2 * values.length }, (_, i) => bounds(i >> 1)[i & 1]);
  return edgesOf(found.axis.name, values, { bounds: flat, isLatitude });
}

/** Weights of the cells of the grid, and the steps to the next row and column. */
async function weightsOf(array, axes, { rows, columns }, weights, signal) {
  if (weights === undefined) return undefined;
  if (typeof weights === "string" && weights !== "area") throw refusal(`zonal: the weights are "area" or an array, not ${JSON.stringify(weights)}`);
  const values = weights === "area" ? await areas(array, axes, signal) : await given(weights, "the weights", undefined, { signal });
  const names = [rows.axis.name, columns.axis.name];
  let step = 1;
  const steps = [0, 0];
  for (let i = values.dimensions.length - 1; i >= 0; i--) {
    const at = names.indexOf(values.dimensions[i]);
    const axis = [rows, columns][at]?.axis;
    if (!axis || values.shape[i] !== axis.length) {
      throw refusal(`zonal: the weights must lie along ${names.join(" and ")}, with ${rows.axis.length} and ${columns.axis.length} items`);
    }
    steps[at] = step;
    step *= axis.length;
  }
  return { of: bytesOf(Float64Array.from(/** @type {any} */ (values.data), Number)), steps };
}

/**
 * Reduces a selection to statistics of the features of a map. See the type for what it takes and gives.
 *
 * @type {typeof import("../../types/answers.js").zonal}
 */
export const zonal = async (/** @type {any} */ array, /** @type {any} */ geojson, /** @type {any} */ options) => {
  checkOptions("zonal", options, ZONAL);
  const asked = Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null));
  const { stats = ["mean"], selection, weights, project, tolerance, unwraps = true, decode = "cf", as, mask, scale, fields, signal, onProgress } = asked;
  signal?.throwIfAborted();
  const names = Array.isArray(stats) ? stats : [stats];
  if (names.length === 0) throw refusal("zonal: the list of statistics is empty");
  const axes = axesOf(array, selection);
  const grid = await gridOf(array, axes, project);
  const [rows, columns] = await Promise.all([edges(grid.rows, grid.isDegrees, signal), edges(grid.columns, false, signal)]);
  // By default, edges that a projection bends are followed to a tenth of a cell.
  const cell = Math.min(Math.abs(rows[1] - rows[0]), Math.abs(columns[1] - columns[0]));
  const { ids, ...polygons } = featuresOf(geojson, { project, tolerance: tolerance ?? cell / 10 });
  const places = axes.filter(({ isDropped }) => !isDropped);
  const settings = {
    names,
    zones: {
      numbers: bytesOf(polygons.numbers),
      rings: bytesOf(polygons.rings),
      polygons: bytesOf(polygons.polygons),
      features: bytesOf(polygons.features),
      rows: bytesOf(rows),
      columns: bytesOf(columns),
      isDegrees: grid.isDegrees,
      unwraps,
      rowAxis: placeOf(axes, grid.rows),
      columnAxis: placeOf(axes, grid.columns),
      weights: await weightsOf(array, axes, grid, weights, signal),
    },
  };
  const rest = places.filter((axis) => axis !== grid.rows.axis && axis !== grid.columns.axis);
  const answers = (found, coordinates) => {
    const shape = [ids.length, ...rest.map(({ count }) => count)];
    const dimensions = ["feature", ...rest.map(({ name }) => name)];
    return Object.fromEntries(names.map((name, i) => [name, { data: found[i], shape, dimensions, coordinates }]));
  };
  const report = onProgress && (({ chunks, totalChunks, bytes }, found) => {
    onProgress({ chunks, totalChunks, bytes, share: totalChunks ? chunks / totalChunks : 1, answer: () => answers(found().columns, { feature: ids }) });
  });
  const { columns: found } = await read(array, selection, { decode, as, mask, scale, fields, signal }, settings, report);
  const coordinates = { feature: ids };
  for (const axis of rest) {
    const labels = await broughtAlong(array, axis.axis);
    if (labels) coordinates[axis.name] = Array.from({ length: axis.count }, (_, place) => labels[axis.at(place)]);
  }
  return answers(found, coordinates);
};
