/** GeoZarr's convention `multiscales`: a layout of groups or arrays, each with the scales from the one it derives from. */
import { json } from "../common/json-text.js";
import { numbersIn } from "./grid.js";

/** A path below the group: "." is the group itself. */
function pathOf(nodes, asset, pointer) {
  const isPath = typeof asset === "string" && asset !== "" && !asset.startsWith("/") && !asset.split("/").includes("..");
  nodes.check(isPath, "", pointer, `expected a path below the group, got ${json(asset)}`);
  return asset === "." ? "" : asset;
}

/**
 * Scale and translation of rows and columns, of numbers for each axis. Some writers put those of rows and columns first
 * whatever the order of the axes: topozarr writes [2, 2, 1] for time, y and x. The shapes tell.
 */
function scalesOn({ scale, translation, at: { y, x }, shape, source }) {
  // A level has a pixel for each full or begun pixel's worth of its source.
  const fits = (pair) => pair.every((axis, i) => Math.abs(source.shape[i] - shape[i] * scale.at(axis)) < Math.max(scale.at(axis), 1));
  const own = (values) => (values.length === 2 ? [0, 1] : [y, x]);
  const other = scale?.length > 2 && shape && source?.shape && !fits([y, x]) ? [[0, 1], [-2, -1]].find(fits) : undefined;
  const [factors, shifts] = [scale, translation].map((values) => values && (other ?? own(values)).map((axis) => values.at(axis)));
  return { scale: factors, translation: shifts };
}

/** The levels as the layout lists them. */
export function multiscales(nodes, { layout }) {
  const pointer = "/multiscales/layout";
  nodes.check(Array.isArray(layout) && layout.length > 0, "", pointer, "expected a list of at least one level");
  const drafts = layout.map((entry, i) => {
    nodes.check(entry && typeof entry === "object", "", `${pointer}/${i}`, "expected an object with an asset");
    const [scale, translation] = ["scale", "translation"].map((name) => {
      const value = entry.transform?.[name];
      const found = numbersIn(value);
      nodes.check(value === undefined || found?.length >= 2, "", `${pointer}/${i}/transform/${name}`, "expected a number for each axis");
      return found;
    });
    nodes.check(!scale || scale.every((factor) => factor > 0), "", `${pointer}/${i}/transform/scale`, "expected factors above 0");
    return { path: pathOf(nodes, entry.asset, `${pointer}/${i}/asset`), entry, pointer: `${pointer}/${i}`, scale, translation, scalesOn };
  });
  drafts.forEach((draft, i) => {
    const { derived_from: from } = draft.entry;
    if (from === undefined || from === null) return;
    draft.source = drafts.find(({ entry }) => entry.asset === from);
    nodes.check(draft.source, "", `${pointer}/${i}/derived_from`, `no level of the layout is ${json(from)}`);
  });
  drafts.forEach(({ source }, i) => {
    for (let next = source, steps = 0; next; next = next.source, steps++) {
      nodes.check(steps < drafts.length, "", `${pointer}/${i}/derived_from`, "the levels derive from each other in a circle");
    }
  });
  return { kind: "multiscales", drafts };
}
