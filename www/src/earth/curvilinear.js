// Places grids on the Earth whose cells have latitudes and longitudes of their own: CF's coordinates of two axes.
import { makeDecoder } from "../model/decode.js";
import { ownSource } from "../model/sources.js";
import { DEPTH, planMap } from "../map/plan.js";
import { wholeOf } from "../map/view.js";
import { turned } from "./degrees.js";
import { meshOf } from "./mesh.js";

const ROOM = [512, 512]; // points to read along each axis, at most twice as many
const MOST_ASKED = 8; // arrays that are opened to see whether they are coordinates

const LATITUDE = { name: /^(nav_|x|g|geo)?(lat|latitude)(_?[a-z]{1,4})?$/i, unit: /^degrees?_?n(orth)?$/i, standard: "latitude" };
const LONGITUDE = { name: /^(nav_|x|g|geo)?(lon|long|longitude)(_?[a-z]{1,4})?$/i, unit: /^degrees?_?e(ast)?$/i, standard: "longitude" };

const nameOf = (path) => path.split("/").at(-1);
const says = ({ name, unit, standard }, { path, attrs = {} }) =>
  attrs.standard_name === standard || (!attrs.standard_name && (unit.test(attrs.units ?? "") || (name.test(nameOf(path)) && !attrs.units)));

/** The folders to look in: the array's own, and those above it. */
const foldersOf = (path) => {
  const folders = path.split("/").slice(0, -1);
  return folders.map((_, i) => folders.slice(0, folders.length - i).join("/")).concat("");
};

/** Names in the attribute `coordinates` of the array and of the groups around it. */
function namedBy(catalog, { attrs, path }) {
  const groups = foldersOf(path).map((folder) => (folder === "" ? catalog.attrs : catalog.entries.find((entry) => entry.path === folder)?.attrs));
  return [attrs, ...groups].flatMap((each) => (typeof each?.coordinates === "string" ? each.coordinates.split(/\s+/).filter(Boolean) : []));
}

/** The entries that may be coordinates of the array: those that are listed, or what its attributes name. */
async function candidates(catalog, dataset, named, signal) {
  const folders = foldersOf(dataset.path);
  if (catalog.complete || catalog.followed) {
    return catalog.entries.filter(({ path, kind, error }) => kind === "array" && !error && folders.includes(path.split("/").slice(0, -1).join("/")));
  }
  const opened = named.slice(0, MOST_ASKED).map(async (name) => {
    const path = [folders[0], name].filter(Boolean).join("/");
    const array = await catalog.open(path, signal).catch(() => undefined);
    const entry = array && { path, shape: array.shape, dimensionNames: array.dimensionNames, attrs: array.attrs };
    array?.free();
    return entry;
  });
  return (await Promise.all(opened)).filter(Boolean);
}

/** The pair of arrays that are latitude and longitude along the same two axes of the dataset: `{ lat, lon, axes }`. */
export async function coordinatesOf(catalog, dataset, signal) {
  const named = namedBy(catalog, dataset);
  const isOwn = ({ path }) => named.includes(nameOf(path));
  const all = await candidates(catalog, dataset, named, signal);
  const fitting = all.flatMap((entry) => {
    const axes = (entry.dimensionNames ?? []).map((name) => (name ? dataset.names.indexOf(name) : -1));
    const fits = axes.length >= 2 && !axes.includes(-1) && new Set(axes).size === axes.length && axes.every((d, i) => entry.shape[i] === dataset.shape[d]);
    return fits && entry.shape.slice(-2).every((size) => size > 1) ? [{ ...entry, axes: axes.slice(-2) }] : [];
  }).sort((a, b) => isOwn(b) - isOwn(a) || a.shape.length - b.shape.length);
  for (const lat of fitting.filter((entry) => says(LATITUDE, entry))) {
    const lon = fitting.find((entry) => says(LONGITUDE, entry) && String(entry.dimensionNames) === String(lat.dimensionNames) && isOwn(entry) === isOwn(lat));
    if (lon) return { lat, lon, axes: lat.axes };
  }
  return undefined;
}

/** Every nth value of a coordinate, at the first position of any axis but its last two. */
async function sampled(catalog, { path }, signal) {
  const array = await catalog.open(path, signal);
  try {
    const decoder = makeDecoder(array, false);
    const rank = array.shape.length;
    const axes = array.shape.map((_, d) => ({ name: array.dimensionNames?.[d] ?? `axis ${d}` }));
    const size = array.shape.slice(-2);
    const plan = planMap({ sources: [ownSource(array, decoder)], shape: array.shape, axes, decoder }, array.shape.map(() => 0), [rank - 2, rank - 1], wholeOf(size), ROOM, DEPTH.idle, false);
    const { values } = await decoder.read(array, plan.selection, signal);
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
    axes, turns: [0], isUpward: upward > 0, isClose: isThinned,
    words: `Degrees are those of ${nameOf(lat.path)} and ${nameOf(lon.path)}${isThinned ? `, read at every ${steps.join(" by ")} cells and interpolated between` : ""}.`,
    toDegrees(cell) {
      const place = mesh.placeAt(cell.map((at, i) => (at - 0.5) / steps[i]));
      return place && [turned(place[0]), place[1]];
    },
    toCell: (place) => mesh.find(place)?.map((at, i) => at * steps[i] + 0.5),
  };
}
