/** What a group is that has no levels of its own: a plate, a well, a set of images, labels; and the paths in it to open. */
import { join } from "./nodes.js";

/** Most paths that a message lists. */
const SHOWN = 6;

/** Members of a list that are paths, or that have one. */
const pathsIn = (list) => (Array.isArray(list) ? list.map((one) => one?.path ?? one).filter((path) => typeof path === "string" && path !== "") : []);

/** Images that the transformations of a scene relate, each once. */
export const imagesOf = ({ coordinateTransformations: list }) => [...new Set((Array.isArray(list) ? list : []).flatMap((one) => pathsIn([one?.input, one?.output])))];

/** Groups below the group that have levels, where consolidated metadata lists them. */
function pyramidsIn({ tree }) {
  const hasLevels = ({ kind, attrs, path }) => kind === "group" && path !== "" && (attrs?.multiscales ?? attrs?.ome?.multiscales);
  return tree ? [...tree.values()].filter(hasLevels).map(({ path }) => path) : [];
}

const isObject = (value) => typeof value === "object" && value !== null;

/** Images of bioformats2raw in the order of the file, which the group `OME` beside them lists. */
const seriesOf = (nodes) => nodes.using("group", "OME", ({ attrs }) => attrs.ome?.series ?? attrs.series);

/** What a group is by OME-Zarr's attributes, with the paths of what to open; undefined for other groups. */
async function container(nodes) {
  const { attrs } = nodes.group;
  const { plate, well, scene, labels, series, "bioformats2raw.layout": layout } = { ...attrs, ...attrs.ome };
  const one = "open one of them";
  if (isObject(plate)) return { kind: "a plate of OME-Zarr", what: "wells", paths: pathsIn(plate.wells), hint: "open a well to be told its images" };
  if (isObject(well)) return { kind: "a well of OME-Zarr", what: "images", paths: pathsIn(well.images), hint: one };
  if (isObject(scene)) return { kind: "a scene of OME-Zarr", what: "images", paths: imagesOf(scene), hint: "open one of them, or all by scene()" };
  if (layout !== undefined || Array.isArray(series)) {
    const paths = pathsIn(series ?? (await seriesOf(nodes)));
    // Without a list, images are named by numbers from 0 on.
    const hint = paths.length > 0 || nodes.tree ? one : 'open one of its images: "0", "1" and so on';
    return { kind: "a set of images, as bioformats2raw writes it", what: "images", paths, hint };
  }
  return Array.isArray(labels) ? { kind: "a list of labels of OME-Zarr", what: "label images", paths: pathsIn(labels), hint: one } : undefined;
}

/** Paths for a message. */
function listed(paths) {
  const some = paths.slice(0, SHOWN).map((path) => JSON.stringify(path)).join(", ");
  return paths.length > SHOWN ? `${some} and ${paths.length - SHOWN} more` : some;
}

/**
 * Error for a group without levels.
 *
 * @param {import("./nodes.js").Nodes} nodes
 * @param {string | undefined} variable name of an array that was asked for
 */
export async function noLevel(nodes, variable) {
  const known = await container(nodes);
  const { what, paths } = known && known.paths.length > 0 ? known : { what: "groups with levels", paths: pyramidsIn(nodes) };
  const missing = variable === undefined ? [] : [`there is no array ${JSON.stringify(variable)}`];
  const listing = paths.length > 0 ? `, with the ${what} ${listed(paths)}` : "";
  const isWhat = known && `the group is ${known.kind}${listing}: ${known.hint}`;
  const remedy = paths.length > 0 ? `open one of the ${what} in the group, ${listed(paths)}, or name an array with the option variable` : "name an array with the option variable";
  const reason = [...missing, ...(known ? [isWhat] : missing.length > 0 ? [] : [remedy])].join("; ");
  return Object.assign(new Error(`no level is found: ${reason}`), { name: "NotFoundError", path: join(nodes.group.path, variable), tried: [] });
}
