/** Zonal statistics: what the polygons of a map hold of a grid, by the exact share of each cell, in one read. */
import { axesOf, checkOpened, refusal } from "./axes.js";
import { featuresOf } from "./geojson.js";
import { bytesOf, read } from "./read.js";
import { selected } from "./selected.js";
import { zoneGridOf } from "./zone-grids.js";
import { checkOptions } from "../common/options.js";
import { untilAborted } from "../common/until-aborted.js";
import { broughtAlong } from "../labels/coordinates.js";

/** Options of `zonal`; `tests/types/options.test.mjs` compares them with the type. */
export const ZONAL = "stats selection sel method wrap weights project transform tolerance unwraps decode as mask scale fields signal onProgress";

/**
 * Reduces a selection to statistics of the features of a map. See the type for what it takes and gives.
 *
 * @type {typeof import("../../types/answers.js").zonal}
 */
export const zonal = async (/** @type {any} */ source, /** @type {any} */ geojson, /** @type {any} */ options) => {
  checkOptions("zonal", options, ZONAL);
  // The grid of HEALPix that the entry for it gives has the array.
  const healpix = typeof source?.cellAt === "function" ? source : undefined;
  const array = healpix ? healpix.array : source;
  checkOpened(array, "zonal");
  const asked = Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null));
  const { stats = ["mean"], weights, project, transform, tolerance, unwraps = true, decode = "cf", as, mask, scale, fields, signal, onProgress } = asked;
  signal?.throwIfAborted();
  const names = Array.isArray(stats) ? stats : [stats];
  if (names.length === 0) throw refusal("zonal: the list of statistics is empty");
  if (tolerance !== undefined && !(tolerance > 0)) throw refusal(`zonal: the option tolerance must be a number above 0, not ${tolerance}`);
  // The option tolerance is that of edges.
  const selection = await selected(array, { ...asked, tolerance: undefined });
  const axes = axesOf(array, selection);
  const grid = await untilAborted(signal, zoneGridOf(array, axes, { project, healpix, transform }, signal));
  const { ids, ...polygons } = featuresOf(geojson, { project: grid.project, tolerance: tolerance ?? grid.tolerance, inDegrees: !project });
  const settings = {
    names,
    zones: {
      numbers: bytesOf(polygons.numbers),
      rings: bytesOf(polygons.rings),
      polygons: bytesOf(polygons.polygons),
      features: bytesOf(polygons.features),
      unwraps,
      ...grid.settings,
      weights: weights === undefined ? undefined : await untilAborted(signal, grid.weights(weights, signal)),
    },
  };
  const rest = axes.filter((axis) => !axis.isDropped && !grid.axes.includes(axis));
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
    const labels = await untilAborted(signal, broughtAlong(array, axis.axis));
    if (labels) coordinates[axis.name] = Array.from({ length: axis.count }, (_, place) => labels[axis.at(place)]);
  }
  return answers(found, coordinates);
};
