// Tells arrays that may be on HEALPix cells, from what is known without a request.

const CELLS = /^(cells?|cell_ids?|healpix(_index)?|hpx|pix(el)?)$/i;

/** Whether attributes describe a HEALPix grid, in any style that `rectilinear-zarr/healpix` reads. */
const describesGrid = ({ attrs = {} }) => Boolean(attrs.dggs) || [attrs.grid_name, attrs.grid_mapping_name].some((name) => /^healpix$/i.test(name));

/** Whether it is worth asking for the HEALPix grid of an array. */
function mayBeOnCells(catalog, { kind, attrs, path, names }) {
  if (!catalog.group || kind !== "numbers" || !names.length) return false;
  const isNear = ({ path: other }) => path.startsWith(other.split("/").slice(0, -1).join("/"));
  if ([{ attrs }, { attrs: catalog.attrs }].some(describesGrid)) return true;
  if (catalog.complete || catalog.followed) return names.some(Boolean) && catalog.entries.some((entry) => isNear(entry) && describesGrid(entry));
  return names.some((name) => CELLS.test(name ?? ""));
}

/** A dataset as a map of its cells; as it is where its grid cannot be opened, with the reason in `unplaced`. */
export async function onCells(catalog, dataset, signal) {
  if (!mayBeOnCells(catalog, dataset)) return dataset;
  try {
    const { sphereOf } = await import("./sphere.js");
    return await sphereOf(catalog, dataset, signal);
  } catch (error) {
    signal?.throwIfAborted();
    // Of a group's arrays that are not on its cells, such as the ids themselves, nothing has to be said.
    return ["InvalidMetadataError", "RangeError"].includes(error.name) ? { ...dataset, unplaced: `Cells are not placed on the Earth: ${error.message}` } : dataset;
  }
}
