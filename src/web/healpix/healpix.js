/** Entry `rectilinear-zarr/healpix`: the HEALPix grid of an array, by its metadata. */
import { Around } from "./around.js";
import { gridOf } from "./grid.js";
import { checkOptions } from "../common/options.js";

/** Finds the grid of an array in a group. */
export async function healpix(group, variable, options) {
  checkOptions("healpix", options, "dggs signal");
  const { dggs, signal } = options ?? {};
  if (typeof group?.array !== "function" || typeof variable !== "string") throw new TypeError('healpix expects an opened group and a path, such as healpix(group, "t")');
  signal?.throwIfAborted();
  const array = await group.array(variable, { signal });
  const { attrs, shape, path, zarrFormat, dimensionNames = [] } = array;
  const around = new Around(group, variable, { attrs, shape, path, zarrFormat, dimensionNames }, signal);
  try {
    return await gridOf(array, around, dggs);
  } finally {
    around.free();
  }
}
