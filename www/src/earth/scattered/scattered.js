// Opens arrays of unstructured grids as maps: cells along one axis that have latitudes and longitudes of their own.
import { makeDecoder } from "../../model/decode.js";
import { count } from "../../model/format.js";
import { nextTask } from "../../map/next-task.js";
import { degreesIn, entryAt, nameOf, pairOf } from "../pairs.js";
import { mapOf } from "../sphere/map.js";
import { startOf } from "../sphere/start.js";
import { binsOf, inTurns } from "./bins.js";
import { cellsOf } from "./cells.js";
import { outlinesOf } from "./outlines.js";

const LEAST = 100; // cells; of fewer, such as stations, a list of their values says more
const MOST = 6e6; // cells whose centres the page keeps: 24 bytes each
const MOST_CORNERS = 2 ** 21; // corners of cells that the page keeps: 12 bytes each
const CORNERS = [3, 16]; // of a cell, at least and at most
const ACROSS = 40; // pixels across a cell

/** Names that an array's corners may have beside the one that the attribute `bounds` says. */
const cornersBy = ({ path, attrs }) => [attrs?.bounds, ...["vertices", "bnds", "bounds"].map((ending) => `${nameOf(path)}_${ending}`)].filter((name) => typeof name === "string" && name);

/** Degrees of a coordinate or of its corners, which have its units where they say none of their own. */
async function degreesOf(catalog, { path, attrs }, units, signal) {
  const array = await catalog.open(path, signal);
  try {
    const { decode, mask } = makeDecoder(array, false).options;
    const { data } = await array.get(null, { decode, mask, as: "float32", signal });
    const factor = degreesIn({ units: attrs?.units ?? units });
    if (factor !== 1) await inTurns(data.length, nextTask, (n) => (data[n] *= factor));
    return data;
  } finally {
    array.free();
  }
}

/** The corners of cells, `{ lons, lats, each }`, `undefined` where no array has them, or one too large to keep. */
async function cornersOf(catalog, { lat, lon }, size, signal) {
  const folder = (path) => path.split("/").slice(0, -1);
  const found = [];
  for (const entry of [lon, lat]) {
    for (const name of cornersBy(entry)) {
      const corners = await entryAt(catalog, [...folder(entry.path), name].join("/"), signal);
      const [cells, each] = corners?.shape ?? [];
      if (corners?.shape.length !== 2 || cells !== size || each < CORNERS[0] || each > CORNERS[1] || cells * each > MOST_CORNERS) continue;
      found.push({ ...corners, each, units: entry.attrs?.units });
      break;
    }
  }
  if (found.length < 2 || found[0].each !== found[1].each) return undefined;
  const [lons, lats] = await Promise.all(found.map((corners) => degreesOf(catalog, corners, corners.units, signal)));
  return { lons, lats, each: found[0].each };
}

/** Whether the cells along an axis are an unstructured grid's, and not the observations of a track, each of which has a time. */
function isGrid({ entries }, dataset, d) {
  const isTimed = ({ shape, dimensionNames, attrs }) => shape?.length === 1 && dimensionNames?.[0] === dataset.names[d] && /\ssince\s/i.test(attrs?.units ?? "");
  return dataset.shape[d] >= LEAST && dataset.axes[d].kind !== "time" && !entries.some(isTimed);
}

/** Dataset of an array of an unstructured grid as a map, as `mapOf` makes it; as it is where no coordinates are found. Rejects where there are too many cells. */
export async function scatteredOf(catalog, dataset, signal) {
  const pair = await pairOf(catalog, dataset, ({ shape }, axes) => (shape.length === 1 && isGrid(catalog, dataset, axes[0]) ? axes : undefined), signal);
  if (!pair || [pair.lat, pair.lon].some(({ path }) => path === dataset.path)) return dataset;
  const { lat, lon, axes: [axis] } = pair;
  const size = dataset.shape[axis];
  if (size > MOST) throw new RangeError(`${count(size)} cells are more than the ${count(MOST)} that this page looks up`);
  const [lons, lats] = await Promise.all([lon, lat].map((entry) => degreesOf(catalog, entry, undefined, signal)));
  // While the corners travel, the centres are sorted. Without corners cells are drawn around their centres.
  const corners = cornersOf(catalog, pair, size, signal).catch(() => undefined);
  const bins = await binsOf(lons, lats, nextTask);
  if (!bins) throw new RangeError(`${nameOf(lat.path)} and ${nameOf(lon.path)} have no places`);
  const found = await corners;
  signal?.throwIfAborted();
  const outlines = found && (await outlinesOf(found.lons, found.lats, found.each, nextTask));
  await nextTask();
  const { cellAt } = cellsOf(bins, outlines, size);
  await nextTask();
  signal?.throwIfAborted();
  const centres = { count: bins.count, at: bins.placeAt, room: bins.spacing };
  const how = outlines ? "each pixel shows the cell that it lies in" : `each pixel shows the cell whose centre is the nearest${bins.isWhole ? "" : ", as far as cells reach"}`;
  return mapOf(dataset, {
    axis,
    pixels: 2 ** Math.ceil(Math.log2((360 / bins.spacing) * ACROSS)),
    placeAt: cellAt,
    say: (longitude, latitude) => `cell ${cellAt(longitude, latitude)}`,
    name: `${count(size)} cells by ${nameOf(lat.path)} and ${nameOf(lon.path)}: ${how}.`,
    start: (room) => startOf(centres, room),
  });
}
