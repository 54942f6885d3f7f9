/** ndpyramid's pyramids: groups named by paths, in any order, whose coordinates say where they lie. */
import { fromCode } from "./level-fallbacks.js";

/** The levels as the datasets list them. */
export function ndpyramid(nodes, [{ datasets, metadata }]) {
  const pointer = "/multiscales/0/datasets";
  nodes.check(Array.isArray(datasets) && datasets.length > 0, "", pointer, "expected a list of at least one dataset");
  const drafts = datasets.map((entry, i) => {
    nodes.check(typeof entry?.path === "string", "", `${pointer}/${i}/path`, "expected a path");
    return { path: entry.path, entry, pointer: `${pointer}/${i}` };
  });
  return { kind: "ndpyramid", drafts, crs: fromCode(datasets[0].crs ?? metadata?.crs, "multiscales of ndpyramid") };
}
