// Finds the arrays that are latitudes and longitudes of an array's cells: by what attributes name, by units and names.

const MOST_ASKED = 8; // arrays that are opened to see whether they are coordinates

const RADIANS = /^rad(ian)?s?$/i;
const LATITUDE = { name: /^(nav_|x|g|c|e|v|geo)?(lat|latitude)(_?[a-z]{1,6})?$/i, unit: /^degrees?_?n(orth)?$/i, standard: "latitude" };
const LONGITUDE = { name: /^(nav_|x|g|c|e|v|geo)?(lon|long|longitude)(_?[a-z]{1,6})?$/i, unit: /^degrees?_?e(ast)?$/i, standard: "longitude" };

export const nameOf = (path) => path.split("/").at(-1);

/** What a coordinate's values are multiplied by to be degrees. */
export const degreesIn = ({ units } = {}) => (RADIANS.test(units ?? "") ? 180 / Math.PI : 1);

const says = ({ name, unit, standard }, { path, attrs = {} }) =>
  attrs.standard_name === standard || (!attrs.standard_name && (unit.test(attrs.units ?? "") || (name.test(nameOf(path)) && (!attrs.units || RADIANS.test(attrs.units)))));

/** The folders to look in: the array's own, and those above it. */
export const foldersOf = (path) => {
  const folders = path.split("/").slice(0, -1);
  return folders.map((_, i) => folders.slice(0, folders.length - i).join("/")).concat("");
};

/** Names in the attribute `coordinates` of the array and of the groups around it. */
function namedBy(catalog, { attrs, path }) {
  const groups = foldersOf(path).map((folder) => (folder === "" ? catalog.attrs : catalog.entries.find((entry) => entry.path === folder)?.attrs));
  return [attrs, ...groups].flatMap((each) => (typeof each?.coordinates === "string" ? each.coordinates.split(/\s+/).filter(Boolean) : []));
}

/** The entry of the array at a path beside a dataset: from the list, or by opening it; undefined where there is none. */
export async function entryAt(catalog, path, signal) {
  if (catalog.complete || catalog.followed) return catalog.entries.find((entry) => entry.path === path && entry.kind === "array" && !entry.error);
  const array = await catalog.open(path, signal).catch(() => undefined);
  const entry = array && { path, shape: array.shape, dimensionNames: array.dimensionNames, attrs: array.attrs };
  array?.free();
  return entry;
}

/** The entries that may be coordinates of the array: those that are listed, or what its attributes name. */
async function candidates(catalog, dataset, named, signal) {
  const folders = foldersOf(dataset.path);
  if (catalog.complete || catalog.followed) {
    return catalog.entries.filter(({ path, kind, error }) => kind === "array" && !error && folders.includes(path.split("/").slice(0, -1).join("/")));
  }
  const opened = named.slice(0, MOST_ASKED).map((name) => entryAt(catalog, [folders[0], name].filter(Boolean).join("/"), signal));
  return (await Promise.all(opened)).filter(Boolean);
}

/**
 * The pair of arrays that are latitude and longitude of a dataset's cells along the same of its axes, of which
 * `axesOf(entry, axes)` gives those that count, or undefined for what does not fit: `{ lat, lon, axes }`, or undefined.
 */
export async function pairOf(catalog, dataset, axesOf, signal) {
  const named = namedBy(catalog, dataset);
  const isOwn = ({ path }) => named.includes(nameOf(path));
  const all = await candidates(catalog, dataset, named, signal);
  const fitting = all.flatMap((entry) => {
    const along = (entry.dimensionNames ?? []).map((name) => (name ? dataset.names.indexOf(name) : -1));
    const fits = along.length > 0 && !along.includes(-1) && new Set(along).size === along.length && along.every((d, i) => entry.shape[i] === dataset.shape[d]);
    const axes = fits ? axesOf(entry, along) : undefined;
    return axes ? [{ ...entry, axes }] : [];
  }).sort((a, b) => isOwn(b) - isOwn(a) || a.shape.length - b.shape.length);
  for (const lat of fitting.filter((entry) => says(LATITUDE, entry))) {
    const lon = fitting.find((entry) => says(LONGITUDE, entry) && String(entry.dimensionNames) === String(lat.dimensionNames) && isOwn(entry) === isOwn(lat));
    if (lon) return { lat, lon, axes: lat.axes };
  }
  return undefined;
}
