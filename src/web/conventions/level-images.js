/** Lists of images or data sets under `multiscales`: OME-Zarr's, or ndpyramid's. */
import { isOme, ome } from "./level-ome.js";
import { ndpyramid } from "./level-ndpyramid.js";

/** The levels of the first entry. */
export function images(nodes, list) {
  const { ome: inside } = nodes.group.attrs;
  const [owner, pointer] = inside?.multiscales ? [inside, "/ome"] : [nodes.group.attrs, ""];
  const isList = Array.isArray(list) && list[0] && typeof list[0] === "object";
  nodes.check(isList, "", `${pointer}/multiscales`, "expected a list of at least one image, or an object with a layout or a tile_matrix_set");
  return pointer || isOme(list[0]) ? ome(nodes, owner, pointer) : ndpyramid(nodes, list);
}
