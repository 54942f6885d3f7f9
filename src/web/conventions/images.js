/** Lists of images or data sets under `multiscales`: OME-Zarr's, or ndpyramid's. */
import { fromCode } from "./fallbacks.js";
import { isOme, ome } from "./ome.js";

/** The levels of ndpyramid's pyramids: groups named by paths, in any order, whose coordinates say where they lie. */
function ndpyramid(nodes, [{ datasets, metadata }]) {
  const pointer = "/multiscales/0/datasets";
  nodes.check(Array.isArray(datasets) && datasets.length > 0, "", pointer, "expected a list of at least one dataset");
  const drafts = datasets.map((entry, i) => {
    nodes.check(typeof entry?.path === "string", "", `${pointer}/${i}/path`, "expected a path");
    return { path: entry.path, entry, pointer: `${pointer}/${i}` };
  });
  return { kind: "ndpyramid", drafts, crs: fromCode(datasets[0].crs ?? metadata?.crs, "multiscales of ndpyramid") };
}

/** The levels of the first entry. */
export function images(nodes, list) {
  const { ome: inside } = nodes.group.attrs;
  const [owner, pointer] = inside?.multiscales ? [inside, "/ome"] : [nodes.group.attrs, ""];
  const isList = Array.isArray(list) && list[0] && typeof list[0] === "object";
  nodes.check(isList, "", `${pointer}/multiscales`, "expected a list of at least one image, or an object with a layout or a tile_matrix_set");
  return pointer || isOme(list[0]) ? ome(nodes, owner, pointer) : ndpyramid(nodes, list);
}
