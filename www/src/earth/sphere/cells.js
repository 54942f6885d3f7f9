// Tells arrays whose cells lie along one axis, on HEALPix or on an unstructured grid, from what is known without a request.

const CELLS = /^(cells?|cell_ids?|healpix(_index)?|hpx|pix(el)?)$/i;
const LATITUDE = /(^|\/)\w{0,4}lat[^/]*$/i;

/** Whether attributes describe a HEALPix grid, in any style that `rectilinear-zarr/healpix` reads. */
const describesGrid = ({ attrs = {} }) => Boolean(attrs.dggs) || [attrs.grid_name, attrs.grid_mapping_name].some((name) => /^healpix$/i.test(name));

/** Whether it is worth asking for the HEALPix grid of an array. */
function mayBeOnCells(catalog, { attrs, path, names }) {
  const isNear = ({ path: other }) => path.startsWith(other.split("/").slice(0, -1).join("/"));
  if ([{ attrs }, { attrs: catalog.attrs }].some(describesGrid)) return true;
  if (catalog.complete || catalog.followed) return names.some(Boolean) && catalog.entries.some((entry) => isNear(entry) && describesGrid(entry));
  return names.some((name) => CELLS.test(name ?? ""));
}

/** Whether latitudes may lie along one axis of an array that longitudes lie along too: those that do not name their axis. */
function mayBeScattered(catalog, { attrs, path, names, axes }) {
  if (axes.some(({ kind }) => kind === "lat") || catalog.attrs.featureType) return false;
  if (!catalog.complete && !catalog.followed) return LATITUDE.test(`${attrs.coordinates ?? ""}`.replace(/\s+/g, "/"));
  return catalog.entries.some((entry) => entry.path !== path && entry.shape?.length === 1 && LATITUDE.test(entry.path) && names.includes(entry.dimensionNames?.[0]));
}

/** A dataset as a map of its cells; as it is where its grid cannot be opened, with the reason in `unplaced`. */
export async function onCells(catalog, dataset, signal) {
  if (!catalog.group || dataset.kind !== "numbers" || !dataset.names.length) return dataset;
  try {
    if (mayBeOnCells(catalog, dataset)) {
      const { sphereOf } = await import("./sphere.js");
      return await sphereOf(catalog, dataset, signal);
    }
    if (!mayBeScattered(catalog, dataset)) return dataset;
    const { scatteredOf } = await import("../scattered/scattered.js");
    return await scatteredOf(catalog, dataset, signal);
  } catch (error) {
    signal?.throwIfAborted();
    // Of a group's arrays that are not on its cells, such as the ids themselves, nothing has to be said.
    return ["InvalidMetadataError", "RangeError"].includes(error.name) ? { ...dataset, unplaced: `Cells are not placed on the Earth: ${error.message}` } : dataset;
  }
}
